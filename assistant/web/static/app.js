/** Starts what the page at hand needs. */

import { say, tell } from "./say.js";

const kinds = document.body.classList;

/** What only this phone keeps: who its user is, and the language. */
function keep(name, value) {
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; SameSite=Strict`;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-lang]");
  if (!link) return;
  event.preventDefault();
  keep("lang", link.dataset.lang);
  location.reload();
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-who]");
  if (!form) return;
  event.preventDefault();
  keep("who", form.elements.who.value.trim());
  tell(say("web.kept"));
});

/** Those who only look on are told that a camera does so too. */
function watched(seen) {
  const note = document.getElementById("camera-note");
  if (!note) return;
  note.hidden = !seen.watching;
  note.textContent = seen.text ?? "";
}

async function start() {
  if (kinds.contains("home")) await import("./home.js");
  if (!kinds.contains("game") && !kinds.contains("scoreboard")) return;
  const [live, clock] = await Promise.all([import("./live.js"), import("./clock.js"), import("./dialogs.js")]);
  live.start();
  live.onSections(() => {});
  clock.start();
  if (document.body.dataset.api) {
    const names = ["forms", "photo", "typing", "watching", "camera", "hands", "voice"];
    const parts = await Promise.all(names.map((name) => import(`./${name}.js`)));
    parts.forEach((part) => part.start());
  } else live.onLive(watched);
  const notes = JSON.parse(sessionStorage.getItem("notes") ?? "[]");
  sessionStorage.removeItem("notes");
  tell(notes, "note");
}

try {
  await start();
  document.body.dataset.ready = "1";
} catch (error) {
  // A TypeError is a file that could not be fetched: without it half of the buttons would do nothing.
  if (!(error instanceof TypeError)) throw error;
  document.getElementById("offline").hidden = false;
  setTimeout(() => location.reload(), 3000);
}
