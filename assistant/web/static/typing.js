/** Typing a move: where it starts, which way, the word; and the board whose squares begin it. */

import { say, tell } from "./say.js";
import { act } from "./live.js";
import { close, onOpen, open } from "./dialogs.js";
import { coordinate, numberFirst, numberFirstIsDown, squareFromName, squareName } from "./squares.js";

/** The board as it lies: 15 strings. */
function board() {
  return JSON.parse(document.querySelector("[data-position]").dataset.position);
}

/**
 * Each letter of a typed word with its square.
 * @param {string} word capitals, lower case for a blank
 * @param {string[]} rows of the board
 * @returns {{letter: string, lies: string, clash: boolean, off: boolean}[]}
 */
function laid(word, square, down, rows) {
  return [...word].map((letter, number) => {
    const [row, col] = [square[0] + (down ? number : 0), square[1] + (down ? 0 : number)];
    const there = rows[row]?.[col];
    const tile = there && there !== "." ? there : null;
    const same = tile && (letter === "." || tile === "?" || tile.toUpperCase() === letter.toUpperCase());
    return { letter: same && tile !== "?" ? tile : letter, lies: tile?.toUpperCase() ?? "", clash: Boolean(tile) && !same, off: !there };
  });
}

/** Small letters are blanks among capitals; a word all in small letters, or as nouns are written, has none. */
function cased(text) {
  const word = text.replace(/\s/g, "").normalize("NFC");
  const rest = word.slice(1);
  return rest === rest.toLowerCase() ? word.toUpperCase() : word;
}

function typed(form) {
  const field = form.elements.word;
  let word = field.value; // the field keeps what was typed till it is left: what follows may tell what was meant
  const correcting = JSON.parse(form.dataset.act).action === "correct"; // its tiles lie there already
  const rows = () => (correcting ? Array(15).fill(".".repeat(15)) : board());
  const show = () => {
    const square = squareFromName(form.elements.start.value);
    const down = form.elements.direction.value === "down";
    const tiles = laid(word, square ?? [7, 7], down, rows());
    form.querySelector("[data-tiles]").replaceChildren(...tiles.map((tile, number) => button(tile, number)));
    const written = form.querySelector("[data-written]");
    const off = square && tiles.some((tile) => tile.off);
    written.textContent = off ? say("web.off-the-board") : square && word ? text() : "";
    written.classList.toggle("bad", Boolean(off));
  };
  const text = () => {
    const square = squareFromName(form.elements.start.value);
    return `${coordinate(square, form.elements.direction.value === "down")} ${word}`;
  };
  const button = (tile, number) => {
    const made = document.createElement("button");
    const face = document.createElement("span");
    const isBlank = tile.letter !== tile.letter.toUpperCase();
    face.className = `tile${isBlank ? " blank" : ""}`;
    face.textContent = tile.letter.toUpperCase();
    made.type = "button";
    made.disabled = tile.lies !== "";
    made.className = tile.clash ? "clash" : tile.lies ? "lies" : "";
    made.ariaPressed = String(isBlank);
    made.ariaLabel = say(tile.lies ? "web.lies-there" : "web.blank-tile", { letter: tile.lies || face.textContent });
    made.append(face);
    made.addEventListener("click", () => {
      const letters = [...word];
      const one = letters[number];
      letters[number] = one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase();
      word = field.value = letters.join("");
      show();
      form.querySelectorAll("[data-tiles] button")[number].focus();
    });
    return made;
  };
  form.elements.start.addEventListener("input", () => {
    const { value } = form.elements.start;
    if (squareFromName(value) && value.trim().length > 1) {
      if (numberFirst(value)) form.elements.direction.value = numberFirstIsDown() ? "down" : "across";
    }
    show();
  });
  field.addEventListener("input", () => {
    word = cased(field.value);
    show();
  });
  field.addEventListener("change", () => (field.value = word));
  form.addEventListener("change", ({ target }) => target.type === "radio" && show());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!squareFromName(form.elements.start.value)) return tell(say("web.no-square", { example: squareName(7, 7) }), "bad");
    if (await act({ ...JSON.parse(form.dataset.act), move: text() }, form)) close();
  });
  show();
}

/** Arrow keys go from square to square; Enter or a tap begins a move there. */
function boardKeys(event) {
  const cell = event.target.closest?.("td[data-at]");
  if (!cell) return;
  const [row, col] = cell.dataset.at.split("-").map(Number);
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const next = step && document.querySelector(`td[data-at="${row + step[0]}-${col + step[1]}"]`);
  if (step) event.preventDefault();
  if (next) {
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    begin(cell);
  }
}

function begin(cell) {
  if (!cell.closest("[data-board]")) return;
  const dialog = open("t-type", cell);
  dialog.dataset.version = cell.closest("[data-version]").dataset.version;
  const form = dialog.querySelector("form");
  form.elements.start.value = squareName(...cell.dataset.at.split("-").map(Number));
  form.elements.word.focus();
}

/** Makes typing and the board work. */
export function start() {
  onOpen((dialog) => dialog.querySelectorAll("[data-typed]").forEach(typed));
  document.addEventListener("keydown", boardKeys);
  document.addEventListener("click", (event) => {
    const cell = event.target.closest("td[data-at]");
    if (cell) begin(cell);
  });
}
