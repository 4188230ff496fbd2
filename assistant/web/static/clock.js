/** Times that run on the phone between two messages of the server; each message sets them anew. */

import { refresh } from "./live.js";

const seen = new WeakMap(); // element -> when its value was right, milliseconds
const over = new WeakMap(); // element -> minutes over the time: each may cost points, and what was open may be closed

/** As the server writes it: 24:59, and −0:05 over the time. @param {number} ms */
export function timeText(ms) {
  const seconds = ms < 0 ? Math.ceil(-ms / 1000) : Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${ms < 0 ? "−" : ""}${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  const now = Date.now();
  for (const element of document.querySelectorAll("[data-ms]")) {
    if (!seen.has(element)) seen.set(element, now);
    const step = Number(element.dataset.step);
    if (!step && element.textContent) continue;
    let ms = Number(element.dataset.ms) + step * (now - seen.get(element));
    if (element.closest(".countdown")) ms = Math.max(0, ms);
    const minutes = ms > 0 ? 1 : Math.floor(ms / 60000);
    if ((over.get(element) ?? minutes) !== minutes) refresh();
    over.set(element, minutes);
    const text = timeText(ms);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("up", ms <= 0);
    element.closest(".clock")?.classList.toggle("over", ms < 0);
  }
}

/** Lets the times run. */
export function start() {
  tick();
  setInterval(tick, 250);
}
