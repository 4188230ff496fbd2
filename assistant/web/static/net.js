/** Requests to the server: each change has an id of its own, and is sent once more under the same id when the net fails. */

import { say } from "./say.js";

const PAUSE = 700; // milliseconds before the second try

/** An id no other request has. crypto.randomUUID is there over https only. */
export function requestId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @typedef {{status: number, ok: boolean, data: Object}} Answer status 0: there was none
 */

/**
 * A change.
 * @param {string} path
 * @param {Object|FormData} body its `request` is the id that makes a second try harmless
 * @param {(share: number) => void} [progress] told how much is sent, 0 to 1
 * @returns {Promise<Answer>}
 */
export async function change(path, body, progress) {
  const attempt = () => upload(path, body, progress);
  try {
    return await attempt();
  } catch {
    await new Promise((done) => setTimeout(done, PAUSE));
    return attempt().catch(() => ({ status: 0, ok: false, data: { message: say("web.no-answer") } }));
  }
}

/** fetch cannot tell how much of a photo is sent; the older way can. */
function upload(path, body, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("X-Brettblick", "1");
    if (!(body instanceof FormData)) request.setRequestHeader("Content-Type", "application/json");
    if (progress) request.upload.addEventListener("progress", (event) => progress(event.loaded / (event.total || 1)));
    request.addEventListener("load", () => resolve(answer(request)));
    request.addEventListener("error", reject);
    request.addEventListener("timeout", reject);
    request.timeout = 120000;
    request.send(body instanceof FormData ? body : JSON.stringify(body));
  });
}

function answer(request) {
  let data = {};
  try {
    data = JSON.parse(request.responseText);
  } catch {
    data = { message: request.status >= 400 ? say("web.no-answer") : "" };
  }
  return { status: request.status, ok: request.status >= 200 && request.status < 300, data };
}

/** What an answer that refuses says, line by line. @param {Answer} answer */
export function said(answer) {
  const faults = (answer.data.faults ?? []).map((fault) => fault.text);
  const lines = [...(answer.data.message ?? answer.data.text ?? "").split("\n"), ...faults].filter(Boolean);
  if (lines.length) return [...new Set(lines)];
  return [say(answer.status === 409 ? "web.changed-meanwhile" : "web.no-answer")];
}
