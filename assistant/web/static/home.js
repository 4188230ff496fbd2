/** The start page: a new game, or one from a file. */

import "./dialogs.js";
import { say, tell } from "./say.js";
import { change, requestId, said } from "./net.js";

const form = document.getElementById("new-game");
const seats = [...form.querySelectorAll(".seat")];

/** What a setting says, as rule sets write it. */
function written(setting) {
  const boxes = [...setting.querySelectorAll('[type="checkbox"]')];
  if (!boxes.length) return setting.querySelector("input, select").value;
  return boxes.filter((box) => box.checked).map((box) => box.value).join(",") || "none";
}

function usual(setting) {
  return JSON.parse(setting.dataset.defaults)[form.elements.rules.value];
}

function settings() {
  return [...form.querySelectorAll("[data-setting]")];
}

function mark() {
  for (const setting of settings()) setting.classList.toggle("changed", written(setting) !== usual(setting));
}

/** Another rule set: its settings and its clock. */
function chooseRules(radio) {
  form.elements.clock_minutes.value = Number(radio.dataset.minutes) || "";
  for (const setting of settings()) {
    const value = usual(setting);
    for (const box of setting.querySelectorAll('[type="checkbox"]')) box.checked = value.split(",").includes(box.value);
    const field = setting.querySelector('select, [type="number"]');
    if (field) field.value = value;
  }
  mark();
}

function morePlayers() {
  const next = seats.find((seat) => seat.hidden);
  next.hidden = false;
  next.querySelector("input").focus();
  document.getElementById("more-players").hidden = !seats.some((seat) => seat.hidden);
}

async function begin(event) {
  event.preventDefault();
  const all = seats.map((seat) => seat.querySelector('[name="player"]').value.trim());
  const players = all.filter(Boolean);
  const rules = form.querySelector('[name="rules"]:checked');
  if (players.length < 2) return tell(say("web.two-names"), "bad");
  if (new Set(players).size < players.length) return tell(say("web.name-twice"), "bad");
  const most = form.querySelector('[data-setting="max_players"] input').value;
  if (players.length > Number(most)) return tell(say("web.too-many-players", { count: most }), "bad");
  const first = players.indexOf(all[Number(form.elements.first.value)]);
  const changed = settings().filter((setting) => written(setting) !== usual(setting));
  const body = {
    request: requestId(),
    players,
    rules: rules.value,
    settings: Object.fromEntries(changed.map((setting) => [setting.dataset.setting, written(setting)])),
    tiles: form.elements.tiles.value,
    lexicon: form.elements.lexicon.value,
    first_player: Math.max(0, first),
    clock_minutes: Number(form.elements.clock_minutes.value) || 0,
  };
  await go(form, "/api/games", body);
}

async function go(where, path, body) {
  const button = where.querySelector('[type="submit"]');
  button.disabled = true;
  const answer = await change(path, body);
  button.disabled = false;
  if (!answer.ok) return tell(said(answer), "bad");
  const notes = answer.data.notes ?? [];
  if (notes.length) sessionStorage.setItem("notes", JSON.stringify(notes));
  location.assign(`/games/${answer.data.id}`);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-delete]");
  if (!button) return;
  button.disabled = true;
  const answer = await change(button.dataset.delete, { request: requestId() });
  if (answer.ok) return location.reload();
  button.disabled = false;
  tell(said(answer), "bad");
});

form.addEventListener("submit", begin);
form.addEventListener("change", (event) => (event.target.name === "rules" ? chooseRules(event.target) : mark()));
document.getElementById("more-players").addEventListener("click", morePlayers);
const load = document.getElementById("import-game");
load.addEventListener("submit", (event) => {
  event.preventDefault();
  const data = new FormData(load);
  data.append("request", requestId());
  go(load, "/api/import", data);
});
