/** Texts of the page in the phone's language, and the line that says them. */

const texts = JSON.parse(document.body.dataset.texts);

/**
 * A text of the catalogue.
 * @param {string} key
 * @param {Object<string, string|number>} [values] what stands for {name} in it
 */
export function say(key, values = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

/**
 * Shows a message for a while; a modal dialog hides what is behind it, so the message goes into an open one.
 * @param {string|string[]} text
 * @param {"good"|"note"|"bad"} [kind] a good one goes soon
 * @param {{text: string, href: string}} [link] put behind the last line
 */
export function tell(text, kind = "good", link = null) {
  const place = messages();
  place.replaceChildren();
  for (const line of [text].flat().filter(Boolean)) {
    const note = document.createElement("p");
    note.textContent = line;
    if (kind === "bad") note.className = "bad";
    place.append(note);
    setTimeout(() => note.remove(), kind === "good" ? 4000 : 15000);
    note.addEventListener("click", () => note.remove());
  }
  if (link && place.lastElementChild) {
    const made = document.createElement("a");
    made.href = link.href;
    made.textContent = link.text;
    place.lastElementChild.append(" ", made);
  }
}

function messages() {
  const outer = document.getElementById("messages");
  const dialog = document.querySelector("dialog[open]");
  if (!dialog) return outer;
  let inner = dialog.querySelector(".messages");
  if (!inner) {
    inner = document.createElement("div");
    inner.className = "messages";
    inner.setAttribute("role", "alert");
    dialog.querySelector(".dialog-head").after(inner);
  }
  dialog.scrollTop = 0;
  return inner;
}
