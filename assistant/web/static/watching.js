/** What a camera that watches the game sees: its picture, the board in it, what it says, what may be kept of it. */

import { say, tell } from "./say.js";
import { change, requestId, said } from "./net.js";
import { onLive, onSections, refresh } from "./live.js";
import { keep, kept } from "./settings.js";

const body = document.body.dataset;
const panel = document.getElementById("camera");
const part = (name) => panel.querySelector(`[data-camera-${name}]`);

let seen = { watching: false };
let countdown = 0; // Date.now() at which what is proposed is booked
let loading = false;
let own = null; // the stream of this device's camera, while it is the one that watches

/** What was told last. */
export function watched() {
  return seen;
}

/** Shows this device's own picture in place of the one that is sent round. @param {?MediaStream} stream */
export function showOwn(stream) {
  own = stream;
  const video = part("video");
  video.srcObject = stream;
  if (stream) {
    video.play().catch(() => {});
    part("picture").open = true;
  }
  document.querySelectorAll("[data-camera-stop]").forEach((button) => (button.hidden = !stream));
  show(seen);
}

function show(data) {
  seen = data;
  panel.hidden = !data.watching && !own;
  if (!data.watching) return;
  part("name").textContent = data.name || say("web.camera");
  part("state").textContent = data.text;
  panel.dataset.state = data.state;
  countdown = data.books_in_ms === null ? 0 : Date.now() + data.books_in_ms;
  news();
  const hint = part("hint");
  const bad = (data.advice ?? []).find((one) => !one.ok && one.text);
  hint.hidden = !bad || data.trouble !== null;
  if (bad) hint.querySelector("span").textContent = bad.text;
  if (part("picture").open) picture();
}

function news() {
  const line = part("news");
  const { outcome } = seen;
  const text = [outcome?.text, seen.waiting].filter(Boolean).join(" ");
  const seconds = Math.max(0, Math.ceil((countdown - Date.now()) / 1000));
  const [what, when] = line.children; // the second one changes too often to be read aloud
  line.hidden = !text;
  line.dataset.kind = outcome?.kind ?? "";
  if (what.textContent !== text) what.textContent = text;
  options(outcome?.options ?? []);
  when.textContent = countdown && text ? ` – ${say("web.counts-in", { seconds })}` : "";
}

/** The answers to what is asked about a turn; a page that is told the same again keeps its buttons. */
function options(wanted) {
  const row = part("options");
  const key = JSON.stringify(wanted);
  row.hidden = !wanted.length;
  if (row.dataset.shown === key) return;
  row.dataset.shown = key;
  row.replaceChildren(...wanted.map(({ label, act }) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "plain-button strong", textContent: label });
    button.dataset.act = JSON.stringify(act);
    return button;
  }));
}

function picture() {
  const [image, video] = [part("image"), part("video")];
  video.hidden = !own;
  if (own) image.hidden = true;
  else if (!loading && seen.frame && String(seen.frame) !== image.dataset.frame) {
    loading = true;
    const next = new Image();
    next.src = `${body.base}/live/frame.jpg?n=${seen.frame}`;
    image.dataset.frame = seen.frame;
    next.decode().then(() => {
      image.src = next.src;
      image.hidden = Boolean(own);
    }).catch(() => {}).finally(() => (loading = false));
  }
  const over = panel.querySelector(".camera-view svg");
  over.toggleAttribute("hidden", !seen.corners);
  if (seen.corners) {
    over.setAttribute("viewBox", `0 0 ${seen.size.join(" ")}`);
    over.firstElementChild.setAttribute("points", seen.corners.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" "));
  }
  advice();
}

function advice() {
  if (!seen.advice) return;
  const list = part("advice");
  const same = list.children.length === seen.advice.length;
  if (!same) list.replaceChildren(...seen.advice.map(line));
  seen.advice.forEach((one, number) => {
    const [name, bar] = list.children[number].children;
    name.textContent = `${one.ok ? "✓" : "!"} ${one.name}`;
    bar.value = one.percent;
    bar.setAttribute("aria-label", one.name);
    list.children[number].classList.toggle("bad", !one.ok);
  });
}

function line() {
  const made = document.createElement("li");
  const bar = document.createElement("meter");
  Object.assign(bar, { min: 0, max: 100, low: 40, high: 70, optimum: 100 });
  made.append(document.createElement("span"), bar);
  return made;
}

async function keepClip(button) {
  button.disabled = true;
  const answer = await change(`${body.api}/live/keep`, { request: requestId() });
  button.disabled = false;
  if (!answer.ok) return tell(said(answer), "bad");
  tell(say("web.clip-kept", { seconds: answer.data.seconds }), "note", { text: say("web.clip-look"), href: answer.data.url });
  await refresh();
}

/** Begins to show what cameras see. */
export function start() {
  const details = part("picture");
  details.open = kept("picture", matchMedia("(min-width: 62rem)").matches ? "1" : "0") === "1";
  details.addEventListener("toggle", () => {
    if (!own) keep("picture", details.open ? "1" : "0");
    if (details.open && seen.watching) picture();
  });
  panel.querySelector("[data-keep-clip]").addEventListener("click", ({ currentTarget }) => keepClip(currentTarget));
  setInterval(() => countdown && news(), 250);
  // where a clock runs, pressing it says that the move is made
  const runs = () => [...document.querySelectorAll(".clock-buttons [data-act]")].some((one) => JSON.parse(one.dataset.act).do === "press");
  onSections(() => (panel.querySelector("[data-finished]").hidden = runs()));
  onLive(show);
}
