/** The clock is pressed without a hand on the screen: by the space bar, by a foot switch that types a key, by a gamepad. */

import { say, tell } from "./say.js";
import { change, requestId, said } from "./net.js";
import { act } from "./live.js";
import { onOpen } from "./dialogs.js";
import { isOn, keep, kept } from "./settings.js";
import { watched } from "./watching.js";

const APART = 600; // milliseconds: a press that bounces is one
const POLL = 40; // milliseconds between two looks at the gamepads
const body = document.body.dataset;

let last = -Infinity;
let learning = null; // the button that learns a key
let polling = 0;
const down = new Set(); // buttons of gamepads that are pressed

/** The move is made: presses the clock, or tells the camera where none runs. */
async function finished() {
  const now = performance.now();
  if (now - last < APART) return;
  last = now;
  const buttons = [...document.querySelectorAll(".clock-buttons button[data-act]")];
  const press = buttons.find((one) => JSON.parse(one.dataset.act).do === "press");
  if (press) {
    await act(JSON.parse(press.dataset.act), press);
  } else if (watched().watching) {
    const answer = await change(`${body.api}/live/press`, { request: requestId() });
    if (!answer.ok) tell(said(answer), "bad");
  }
}

/** Whether a key is meant for what has the focus. A button that has it from a tap or a click is done with. */
function isBusy(element, key) {
  if (document.querySelector("dialog[open]") || element.matches("input, textarea, select, [contenteditable]")) return true;
  return (key === " " || key === "Enter") && element !== document.body && element.matches(":focus-visible");
}

/** How a key is called. */
function nameOf(key) {
  return key === " " ? say("web.space-bar") : key;
}

function onKey(event) {
  if (learning) return learn(event);
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  const focused = document.activeElement ?? document.body;
  const own = event.key === kept("key");
  const space = event.key === " " && isOn("space");
  if (!(own || space) || isBusy(focused, event.key)) return;
  event.preventDefault();
  if (focused !== document.body) focused.blur(); // or some browsers tap it when the key goes up
  finished();
}

function learn(event) {
  event.preventDefault();
  event.stopPropagation();
  const alone = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Tab", "Dead", "Unidentified"];
  if (alone.includes(event.key)) return;
  if (event.key !== "Escape") keep("key", event.key === " " ? "" : event.key);
  endLearning();
}

function endLearning() {
  learning?.setAttribute("aria-pressed", "false");
  learning = null;
  showKey();
}

function showKey() {
  const shown = document.querySelector("dialog [data-learnt]");
  if (!shown) return;
  const key = kept("key");
  document.querySelector("dialog [data-unlearn]").hidden = !key;
  shown.textContent = learning ? say("web.press-a-key") : key ? say("web.learnt-key", { key: nameOf(key) }) : "";
}

/** A button of a gamepad that goes down. */
function poll() {
  for (const pad of navigator.getGamepads().filter(Boolean)) {
    pad.buttons.forEach((button, number) => {
      const key = `${pad.index} ${number}`;
      if (!button.pressed) return down.delete(key);
      if (!down.has(key) && isOn("gamepad") && !document.querySelector("dialog[open]")) finished();
      return down.add(key);
    });
  }
}

/** Makes keys, gamepads and the switches work. */
export function start() {
  document.addEventListener("keydown", onKey, { capture: true });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-finished]")) finished();
    if (event.target.closest("[data-unlearn]")) {
      keep("key", "");
      showKey();
    }
    const button = event.target.closest("[data-learn]");
    if (button && learning) endLearning();
    else if (button) {
      learning = button;
      button.setAttribute("aria-pressed", "true");
      button.blur();
      showKey();
    }
  });
  document.getElementById("dialog").addEventListener("close", endLearning);
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-setting]")) keep(target.dataset.setting, target.checked ? "1" : "0");
  });
  window.addEventListener("gamepadconnected", () => (polling ||= setInterval(poll, POLL)));
  onOpen((dialog) => {
    dialog.querySelectorAll("[data-setting]").forEach((box) => (box.checked = isOn(box.dataset.setting)));
    showKey();
  });
}
