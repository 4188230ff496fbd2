/** What this device remembers: switches, by name. */

const PREFIX = "brettblick-";

/** @param {string} name @param {string} [otherwise] where nothing was kept, or nothing can be */
export function kept(name, otherwise = "") {
  try {
    return localStorage.getItem(PREFIX + name) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // a browser that keeps nothing: it counts till the page is left
  }
}

const ON = { voice: "0", beep: "1", space: "1", gamepad: "1" };

/** Whether a switch is on. @param {string} name of ON */
export function isOn(name) {
  return kept(name, ON[name]) === "1";
}
