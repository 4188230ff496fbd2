/** How squares and moves are written: H8, a word across H4, down 4H (or as international players do). */

const body = document.body.dataset;
const LETTERS = "ABCDEFGHIJKLMNO";
const german = () => body.notation !== "international";

/** @param {number} row from 0 @param {number} col from 0 */
export function squareName(row, col) {
  return german() ? `${LETTERS[row]}${col + 1}` : `${LETTERS[col]}${row + 1}`;
}

/** Row and column, or null. @param {string} text H8, also 8H */
export function squareFromName(text) {
  const match = /^\s*(?:([A-O])\s*(\d{1,2})|(\d{1,2})\s*([A-O]))\s*$/i.exec(text);
  if (!match) return null;
  const letter = LETTERS.indexOf((match[1] ?? match[4]).toUpperCase());
  const number = Number(match[2] ?? match[3]) - 1;
  if (number < 0 || number > 14) return null;
  return german() ? [letter, number] : [number, letter];
}

/** Whether a coordinate has its number first: that says which way the word runs. @param {string} text */
export function numberFirst(text) {
  return /^\s*\d/.test(text);
}

/** The coordinate of a word. @param {number[]} square @param {boolean} down */
export function coordinate([row, col], down) {
  const [letter, number] = german() ? [LETTERS[row], col + 1] : [LETTERS[col], row + 1];
  return down === german() ? `${number}${letter}` : `${letter}${number}`;
}

/** Whether a coordinate with its number first is a word that runs down. */
export function numberFirstIsDown() {
  return german();
}
