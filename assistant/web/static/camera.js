/** The camera of this device watches the board: its pictures go to the server one after the other, never two at once. */

import { say, tell } from "./say.js";
import { requestId } from "./net.js";
import { onOpen } from "./dialogs.js";
import { showOwn } from "./watching.js";

const STEP = 220; // milliseconds from one picture to the next, at least
const WIDTH = 1280;
const QUALITY = 0.8;
const PATIENCE = 30000; // milliseconds without an answer after which it is said
const body = document.body.dataset;

let running = null; // {stream, source, name}
let lock = null;

/** Why this device's camera cannot be used here, "" where it can. */
function cannot() {
  if (!window.isSecureContext) return say("web.camera-needs-https");
  return navigator.mediaDevices?.getUserMedia ? "" : say("web.camera-no-browser");
}

/** What a browser says when it gives no camera, in words. @param {DOMException} error */
function why(error) {
  const keys = {
    NotAllowedError: "web.camera-refused", SecurityError: "web.camera-refused",
    NotFoundError: "web.camera-none", OverconstrainedError: "web.camera-none",
    NotReadableError: "web.camera-busy", AbortError: "web.camera-busy",
  };
  return say(keys[error.name] ?? "web.camera-failed");
}

async function begin(button) {
  const reason = cannot();
  if (reason) return tell(reason, "bad");
  if (running) return null;
  button.disabled = true;
  try {
    const video = { facingMode: { ideal: "environment" }, width: { ideal: WIDTH }, height: { ideal: 720 }, frameRate: { ideal: 15 } };
    const stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
    const [track] = stream.getVideoTracks();
    running = { stream, source: requestId(), name: track.label || say("web.this-camera") };
    track.addEventListener("ended", () => stop(say("web.camera-unplugged")));
    showOwn(stream);
    keepAwake();
    send(running);
    button.closest("dialog")?.close();
  } catch (error) {
    tell(why(error), "bad");
  }
  button.disabled = false;
  return null;
}

/**
 * Ends it.
 * @param {string} [text] what is said; nothing where a person did it
 * @param {boolean} [refused] the server does not want it any more, and need not be told
 */
function stop(text, refused = false) {
  if (!running) return;
  const { stream, source, name } = running;
  running = null;
  stream.getTracks().forEach((track) => track.stop());
  showOwn(null);
  lock?.release().catch(() => {});
  lock = null;
  if (!refused) ended({ source, name });
  if (text) tell(text, refused ? "note" : "bad");
}

/** Tells the server that this camera sends no more; it may be the last that this page does. */
function ended({ source, name }) {
  fetch(`${body.api}/live/state`, {
    method: "POST",
    keepalive: true,
    headers: { "X-Brettblick": "1", "Content-Type": "application/json" },
    body: JSON.stringify({ source, name, trouble: "ended" }),
  }).catch(() => {});
}

/** Sends pictures as long as this camera runs. */
async function send(camera) {
  const video = document.querySelector("[data-camera-video]");
  const canvas = document.createElement("canvas");
  let answered = performance.now();
  while (running === camera) {
    const begun = performance.now();
    const picture = await draw(video, canvas);
    if (running !== camera) return;
    const status = picture ? await post(camera, picture, begun / 1000) : 200;
    if (running !== camera) return ended(camera); // once more: this picture may have come after what was said first
    if (status.stop) return stop(status.stop, true);
    if (status) answered = performance.now();
    else if (performance.now() - answered > PATIENCE) {
      answered = performance.now();
      tell(say("web.camera-no-answer"), "bad");
    }
    const pause = status === 200 ? STEP : 1000;
    await new Promise((done) => setTimeout(done, Math.max(20, begun + pause - performance.now())));
  }
}

/** A picture as JPEG, null while there is none. */
function draw(video, canvas) {
  const { videoWidth, videoHeight } = video;
  if (!videoWidth || video.readyState < 2) return null;
  const scale = Math.min(1, WIDTH / Math.max(videoWidth, videoHeight));
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

/** The status of the answer, 0 for none; {stop: text} where there is no sense in going on. */
async function post({ source, name }, picture, time) {
  const form = new FormData();
  form.append("frame", picture, "frame.jpg");
  form.append("meta", JSON.stringify({ source, name, time, sight: null, look: null }));
  try {
    const response = await fetch(`${body.api}/live/frame`, { method: "POST", headers: { "X-Brettblick": "1" }, body: form });
    const data = await response.json();
    if (response.ok) return data.stop ? { stop: say("web.camera-game-over") } : 200;
    const final = ["already-watched", "too-many-cameras", "game-settled", "not-joined", "no-such-game"];
    return final.includes(data.error) ? { stop: data.message } : response.status;
  } catch {
    return 0;
  }
}

/** The screen stays on, or the camera stops with it. */
async function keepAwake() {
  try {
    lock = await navigator.wakeLock?.request("screen");
  } catch {
    lock = null; // such as with a battery that is nearly empty
  }
}

/** Makes the buttons work. */
export function start() {
  document.addEventListener("click", (event) => {
    const begins = event.target.closest("[data-camera-start]");
    if (begins) begin(begins);
    if (event.target.closest("[data-camera-stop]")) {
      stop();
      event.target.closest("dialog")?.close();
    }
  });
  document.addEventListener("visibilitychange", () => running && !document.hidden && keepAwake());
  window.addEventListener("pagehide", () => stop());
  onOpen((dialog) => {
    const note = dialog.querySelector("[data-camera-cannot]");
    if (!note) return;
    const reason = cannot();
    note.hidden = !reason;
    note.querySelector("span").textContent = reason;
    dialog.querySelector("[data-camera-start]").disabled = Boolean(reason);
    dialog.querySelector("[data-camera-start]").hidden = Boolean(running);
    dialog.querySelector("[data-camera-stop]").hidden = !running;
  });
}
