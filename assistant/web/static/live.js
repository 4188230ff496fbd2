/** Keeps the page as the game is: listens for changes and replaces the sections that differ. */

import { tell } from "./say.js";
import { change, requestId, said } from "./net.js";

const body = document.body.dataset;
const waiting = new Map(); // sections that somebody is typing in: id -> the newer element
const afterwards = new Set();
const cameras = new Set();
/** Where this phone looks after an action; the others stay where they are. */
const LEADS = {
  type: "proposal", challenge: "challenge", stop: "end", resign: "end", racks: "end",
  confirm: "now", drop: "now", "settle-challenge": "now",
};

let running = null;
let again = false;
let source = null;
let trouble = 0;
let watched = null;

/** Calls back after every replaced section, and once now. @param {(changed: Element[]) => void} callback */
export function onSections(callback) {
  afterwards.add(callback);
  callback([...document.querySelectorAll(".live")]);
}

/** Calls back with what is told of the camera that watches, and what was told last. @param {(seen: Object) => void} callback */
export function onLive(callback) {
  cameras.add(callback);
  if (watched) callback(watched);
}

/** Fetches the sections; a second call while one runs makes it run once more. */
export function refresh() {
  if (running) {
    again = true;
    return running;
  }
  running = fetchSections().finally(() => {
    running = null;
    if (again) {
      again = false;
      refresh();
    }
  });
  return running;
}

async function fetchSections() {
  try {
    const response = await fetch(`${body.base}/sections`, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (response.status === 403 || response.status === 404) return location.reload();
    if (!response.ok) throw new Error(String(response.status));
    const data = await response.json();
    connected(true);
    apply(data);
  } catch {
    connected(false);
  }
}

function apply(data) {
  if (data.version < Number(body.version)) return; // an answer that was overtaken
  body.version = data.version;
  const changed = [];
  for (const [id, html] of Object.entries(data.sections)) {
    const old = document.getElementById(id);
    if (!old) continue;
    const template = document.createElement("template");
    template.innerHTML = html;
    const fresh = template.content.firstElementChild;
    waiting.delete(id);
    if (fresh.dataset.hash === old.dataset.hash) Object.assign(old.dataset, { version: data.version, events: fresh.dataset.events });
    else if (isBusy(old)) waiting.set(id, fresh);
    else changed.push(replace(old, fresh));
  }
  if (changed.length) afterwards.forEach((callback) => callback(changed));
  const news = document.querySelector(".next-line span")?.textContent ?? "";
  const said = document.getElementById("said");
  if (said.textContent !== news) said.textContent = news; // read aloud, where somebody listens
}

/** Whether somebody is typing there. */
function isBusy(section) {
  return section.contains(document.activeElement) && document.activeElement.matches("input, textarea, select");
}

/** What was typed and not sent yet is carried over, by id or name. */
function carry(old, fresh) {
  for (const field of old.querySelectorAll("[data-dirty]")) {
    const twin = fresh.querySelector(field.id ? `#${CSS.escape(field.id)}` : `[name="${CSS.escape(field.name)}"]`);
    if (!twin) continue;
    twin.value = field.value;
    twin.dataset.dirty = "1";
    setTimeout(() => twin.dispatchEvent(new Event("input", { bubbles: true })));
  }
}

function replace(old, fresh) {
  carry(old, fresh);
  const focus = old.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  const open = [...old.querySelectorAll("details[open]")].length > 0;
  old.replaceWith(fresh);
  if (open) fresh.querySelector("details[data-keep]")?.setAttribute("open", "");
  if (focus) fresh.querySelector(focus)?.focus({ preventScroll: true });
  return fresh;
}

/** How to find the same control in the new section. */
function keyOf(element) {
  const quoted = (name) => `[data-${name}="${CSS.escape(element.dataset[name])}"]`;
  const name = ["act", "open", "at", "square"].find((one) => one in element.dataset);
  return element.id ? `#${CSS.escape(element.id)}` : name ? quoted(name) : null;
}

/** Puts in what had to wait. */
function settle() {
  for (const [id, fresh] of waiting) {
    const old = document.getElementById(id);
    if (!old || isBusy(old)) continue;
    waiting.delete(id);
    replace(old, fresh);
    afterwards.forEach((callback) => callback([fresh]));
  }
}

/**
 * Sends what somebody decided, as an action on the version that was seen when deciding.
 * @param {Object} payload
 * @param {Element} origin the control: what holds it is disabled while the request runs
 * @returns {Promise<boolean>} whether it was taken
 */
export async function act(payload, origin) {
  const holder = origin.closest("[data-version]");
  const area = origin.closest("form, .bar, .card, dialog") ?? origin;
  if (area.getAttribute("aria-busy") === "true") return false;
  const version = Number(holder?.dataset.version ?? body.version);
  busy(area, true);
  const answer = await change(`${body.api}/act`, { ...payload, version, request: requestId() });
  busy(area, false);
  if (answer.ok) area.querySelectorAll("[data-dirty]").forEach((field) => delete field.dataset.dirty);
  if (answer.ok || answer.status === 409) area.querySelector(".live input:focus")?.blur();
  if (answer.ok) tell(answer.data.message ?? "");
  else tell(said(answer), "bad");
  await refresh();
  if (answer.ok) document.getElementById(LEADS[payload.action])?.scrollIntoView({ block: "start" });
  if (answer.status === 409 && holder?.matches("dialog")) holder.dataset.version = body.version;
  return answer.ok;
}

/** Disables the buttons of an area while a request runs, and frees those it disabled. */
function busy(area, on) {
  area.setAttribute("aria-busy", String(on));
  const inside = area.matches("form") ? [...area.elements] : [area, ...area.querySelectorAll("button")];
  for (const button of inside.filter((one) => one.matches("button"))) {
    if (on && !button.disabled) button.dataset.held = "1";
    if (button.dataset.held) button.disabled = on;
    if (!on) delete button.dataset.held;
  }
}

function connected(yes) {
  clearTimeout(trouble);
  if (yes) document.getElementById("offline").hidden = true;
  else trouble = setTimeout(() => (document.getElementById("offline").hidden = false), 1500);
}

function listen() {
  source?.close();
  source = new EventSource(`${body.base}/stream`);
  source.addEventListener("open", () => connected(true));
  source.addEventListener("version", () => refresh());
  source.addEventListener("live", (event) => {
    watched = JSON.parse(event.data);
    cameras.forEach((callback) => callback(watched));
  });
  source.addEventListener("error", () => {
    connected(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  });
}

/** Begins to keep the page fresh. */
export function start() {
  listen();
  document.addEventListener("input", (event) => event.target.closest(".live") && (event.target.dataset.dirty = "1"));
  document.addEventListener("focusout", () => setTimeout(settle, 0));
  document.addEventListener("visibilitychange", () => !document.hidden && (listen(), refresh()));
  window.addEventListener("online", () => (listen(), refresh()));
  window.addEventListener("offline", () => connected(false));
  window.addEventListener("pageshow", (event) => event.persisted && (listen(), refresh()));
}
