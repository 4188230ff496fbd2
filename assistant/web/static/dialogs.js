/** One dialog for everything: its content is a template of the page, copied when it opens. */

const dialog = document.getElementById("dialog");
const openers = new Set();
let opener = null;

/** Calls back with the dialog each time it has new content. @param {(dialog: HTMLDialogElement, from: ?Element) => void} callback */
export function onOpen(callback) {
  openers.add(callback);
}

/**
 * Opens a template, in place of what the dialog shows.
 * @param {string} id of the template
 * @param {?Element} from the control that opened it; it gets the focus back
 * @returns {?HTMLDialogElement} null when there is no such template
 */
export function open(id, from) {
  const template = document.getElementById(id);
  if (!(template instanceof HTMLTemplateElement)) return null;
  dialog.replaceChildren(template.content.cloneNode(true));
  // What is decided here is decided on what could be seen when it opened; a later version is refused by the server.
  dialog.dataset.version = template.closest("[data-version]")?.dataset.version ?? document.body.dataset.version;
  delete dialog.dataset.square;
  if (!dialog.open) {
    opener = from;
    dialog.showModal();
  }
  dialog.scrollTop = 0;
  openers.forEach((callback) => callback(dialog, from));
  const first = dialog.querySelector("[autofocus]") ?? dialog.querySelector("#dialog-title");
  first?.focus({ preventScroll: true });
  return dialog;
}

export function close() {
  if (dialog.open) dialog.close();
}

dialog.addEventListener("close", () => {
  dialog.replaceChildren();
  const same = opener?.dataset.open && document.querySelector(`[data-open="${CSS.escape(opener.dataset.open)}"]`);
  (opener?.isConnected ? opener : same)?.focus({ preventScroll: true });
  opener = null;
});

document.addEventListener("click", (event) => {
  const control = event.target.closest("[data-open], [data-close]");
  if (event.target === dialog && isOutside(event)) close();
  else if (control?.hasAttribute("data-close")) close();
  else if (control && !control.disabled) open(control.dataset.open, control);
});

function isOutside(event) {
  const box = dialog.getBoundingClientRect();
  return event.clientY < box.top || event.clientY > box.bottom || event.clientX < box.left || event.clientX > box.right;
}
