/** Buttons and forms that say in the page what they do: data-act is the payload, named fields are added to it. */

import { say, tell } from "./say.js";
import { act, onSections } from "./live.js";
import { close } from "./dialogs.js";

/** The payload of a form. @param {HTMLFormElement} form @param {?Element} by the button that sent it */
function payload(form, by) {
  const out = { ...JSON.parse(form.dataset.act), ...JSON.parse(by?.dataset.set ?? "{}") };
  for (const field of form.elements) {
    if (!field.name) continue;
    const as = field.dataset.as ?? "text";
    if (as === "list" || as === "ints") {
      out[field.name] ??= [];
      if (field.checked) out[field.name].push(as === "ints" ? Number(field.value) : field.value);
    } else if (as === "bool") out[field.name] = field.checked;
    else if (as === "int") {
      if (field.value !== "") out[field.name] = Number(field.value);
    } else out[field.name] = field.value.trim();
  }
  return out;
}

/** What is wrong with it, or null. */
function objection(form, data) {
  if (!form.matches("[data-challenge]")) return null;
  if (!data.words.length) return say("web.pick-words");
  return data.challengers.length ? null : say("web.pick-challenger");
}

async function submit(event) {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("form[data-act]:not([data-typed])")) return;
  event.preventDefault();
  let data = payload(form, event.submitter);
  if (form.matches("[data-racks]")) data = { ...JSON.parse(form.dataset.act), racks: racks(form) };
  if (form.matches("[data-draw]")) data = { ...JSON.parse(form.dataset.act), tiles: drawn(form) };
  const wrong = objection(form, data);
  if (wrong) return tell(wrong, "bad");
  if ((await act(data, form)) && form.closest("dialog")) close();
}

function racks(form) {
  const fields = [...form.querySelectorAll('[name="rack"]')];
  return fields.map((field) => (field.value.trim() || field.dataset.size === "0" ? field.value.replace(/\s/g, "").toUpperCase() : null));
}

function drawn(form) {
  return [...form.querySelectorAll("[data-seat]")].map((field) => [Number(field.dataset.seat), field.value]);
}

/** Says beside the field how an announced score differs from the computed one. */
function announced(field) {
  const what = document.getElementById("announced-what");
  const { computed, counts } = field.dataset;
  const difference = Number(field.value) - Number(computed);
  const differs = field.value !== "" && difference !== 0;
  what.classList.toggle("differs", differs);
  if (!differs) return (what.textContent = field.value === "" ? (what.dataset.first ?? what.textContent) : "");
  what.dataset.first ??= what.textContent;
  const values = { announced: field.value, computed, difference: Math.abs(difference) };
  const text = say(difference < 0 ? "web.announced-less" : "web.announced-more", values);
  what.textContent = `${text} ${say(counts === "announced" ? "web.announced-counts" : "web.computed-counts")}`;
  what.scrollIntoView({ block: "nearest" });
}

/** Says below the field whether a rack is whole and made of tiles there are. */
function rack(field) {
  const tiles = [...field.value.replace(/\s/g, "").toUpperCase()];
  const what = document.getElementById(field.getAttribute("aria-describedby"));
  const foreign = tiles.find((tile) => tile !== "?" && !document.body.dataset.letters.includes(tile));
  const missing = Number(field.dataset.size) - tiles.length;
  what.classList.toggle("bad", Boolean(foreign) || missing < 0);
  if (foreign) what.textContent = say("web.not-of-the-set", { tile: foreign });
  else if (missing < 0) what.textContent = say("web.too-many-tiles", { count: -missing });
  else what.textContent = missing ? say("web.missing-tiles", { count: missing }) : say("web.all-tiles-there");
}

/** Makes buttons and forms work. */
export function start() {
  document.addEventListener("submit", submit);
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-act]");
    const step = event.target.closest("[data-step-by]");
    if (button && (await act(JSON.parse(button.dataset.act), button)) && button.closest("dialog")) close();
    if (step) {
      const field = step.parentElement.querySelector("input");
      const value = Number(field.value) + Number(step.dataset.stepBy);
      field.value = Math.min(Number(field.max), Math.max(Number(field.min), value));
    }
  });
  document.addEventListener("input", ({ target }) => {
    if (target.matches("[data-announced]")) announced(target);
    if (target.matches('[name="rack"]')) rack(target);
  });
  onSections(() => document.querySelectorAll('[name="rack"]').forEach(rack));
}
