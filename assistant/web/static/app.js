/** Starts what the page at hand needs. */

import { tell } from "./say.js";

const kinds = document.body.classList;

if (kinds.contains("home")) await import("./home.js");

if (kinds.contains("game") || kinds.contains("scoreboard")) {
  const [live, clock] = await Promise.all([import("./live.js"), import("./clock.js"), import("./dialogs.js")]);
  live.start();
  live.onSections(() => {});
  clock.start();
  if (document.body.dataset.api) {
    const parts = await Promise.all([import("./forms.js"), import("./photo.js"), import("./typing.js")]);
    parts.forEach((part) => part.start());
  }
  const notes = JSON.parse(sessionStorage.getItem("notes") ?? "[]");
  sessionStorage.removeItem("notes");
  tell(notes);
}
