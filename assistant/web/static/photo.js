/** Photos: sending them, showing the corners of the board, correcting a square, photographing a rack. */

import { say, tell } from "./say.js";
import { change, requestId, said } from "./net.js";
import { act, onSections, refresh } from "./live.js";
import { close, onOpen, open } from "./dialogs.js";
import { handles } from "./handles.js";
import { squareFromName, squareName } from "./squares.js";

const MOST = 40 * 1024 * 1024; // bytes the server takes
const body = document.body.dataset;

function watch(input) {
  input?.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (file) await send(file);
  });
}

async function send(file) {
  if (file.size > MOST) return tell(say("web.photo-too-large"), "bad");
  const card = document.getElementById("upload");
  const bar = card.querySelector("progress");
  const text = card.querySelector(".upload-text");
  const form = new FormData();
  form.append("photo", file, file.name || "photo.jpg");
  form.append("events", document.getElementById("bar").dataset.events);
  form.append("request", requestId());
  card.hidden = false;
  bar.value = 0;
  text.textContent = say("web.uploading");
  card.scrollIntoView({ block: "nearest" });
  const answer = await change(`${body.api}/photo`, form, (share) => {
    bar.value = share * 100;
    if (share >= 1) {
      text.textContent = say("web.reading");
      bar.removeAttribute("value");
    }
  });
  if (answer.ok) tell(answer.data.message ?? "");
  else tell(said(answer), "bad");
  await refresh();
  card.hidden = true;
  bar.value = 0;
  if (answer.ok) document.getElementById("proposal").scrollIntoView({ block: "start" });
}

// --- a square of the photo ---

/** Opens the sheet that corrects a square. @param {number[]} square row, column @param {?Element} from */
function openSquare(square, from) {
  const own = document.getElementById(`t-tile-${square[0]}-${square[1]}`);
  const dialog = open(own ? own.id : "t-square", from);
  dialog.dataset.square = JSON.stringify(square);
  if (!own) {
    dialog.dataset.version = document.getElementById("proposal").dataset.version;
    dialog.querySelector("#dialog-title").textContent = say("web.square-title", { square: squareName(...square) });
    const photo = document.querySelector("figure.photo[data-photo-id]");
    const crop = dialog.querySelector("[data-crop]");
    crop.hidden = !photo?.dataset.corners;
    if (!crop.hidden) crop.src = `${body.base}/crops/${photo.dataset.photoId}/${square[0]}-${square[1]}.jpg`;
  }
  const keys = document.getElementById("t-keys").content.cloneNode(true);
  dialog.querySelector("[data-keys]").replaceChildren(keys);
}

/** The square under a point of the photo, by the perspective its four corners give (Heckbert 1989, square to quad). */
export function squareAt(corners, x, y) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners;
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const det = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / det;
  const h = (dx1 * dy3 - dx3 * dy1) / det;
  const [a, b] = [x1 - x0 + g * x1, x3 - x0 + h * x3];
  const [d, e] = [y1 - y0 + g * y1, y3 - y0 + h * y3];
  // (a - g x) u + (b - h x) v = x - x0, and the same for y
  const [p, q, r, s] = [a - g * x, b - h * x, d - g * y, e - h * y];
  const whole = p * s - q * r;
  const u = ((x - x0) * s - q * (y - y0)) / whole;
  const v = (p * (y - y0) - (x - x0) * r) / whole;
  const [row, col] = [Math.floor(v * 15), Math.floor(u * 15)];
  return row >= 0 && row < 15 && col >= 0 && col < 15 ? [row, col] : null;
}

function tapPhoto(event) {
  const figure = event.target.closest("figure.photo[data-corners]");
  if (!figure) return;
  const svg = figure.querySelector("svg");
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const square = squareAt(JSON.parse(figure.dataset.corners), at.x, at.y);
  if (square) openSquare(square, null);
  else tell(say("web.not-on-the-board"));
}

async function pickTile(button) {
  const dialog = button.closest("dialog");
  const asBlank = dialog.querySelector('[data-as-blank][aria-pressed="true"]');
  const letter = button.dataset.tile;
  const tile = asBlank && /\p{L}/u.test(letter) ? letter.toLowerCase() : letter;
  const squares = [[...JSON.parse(dialog.dataset.square), tile]];
  if (await act({ action: "answer", squares }, button)) close();
}

// --- corners and racks ---

async function initHandles(dialog) {
  const holder = dialog.querySelector("[data-handles][data-url]");
  if (!holder) return;
  const { url, width, height, corners } = holder.dataset;
  const picture = new Image();
  picture.alt = "";
  picture.src = url;
  await picture.decode().catch(() => tell(say("web.no-picture"), "bad"));
  if (!holder.isConnected) return;
  const read = handles(holder, picture, Number(width), Number(height), corners && JSON.parse(corners));
  const form = holder.closest("form");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await act({ action: "corners", photo: form.dataset.photo, corners: read() }, form)) close();
  });
}

function initRack(dialog, from) {
  const form = dialog.querySelector("[data-rack]");
  if (!form) return;
  const field = document.getElementById(from.dataset.for);
  const holder = form.querySelector("[data-handles]");
  const button = form.querySelector('[type="submit"]');
  let file = null;
  let read = null;
  form.querySelector('[type="file"]').addEventListener("change", async (event) => {
    [file] = event.target.files;
    const picture = file && (await onCanvas(file).catch(() => null));
    if (!picture) return tell(say("web.no-picture"), "bad");
    const { width, height } = picture;
    const [left, right, top, bottom] = [0.08 * width, 0.92 * width, 0.38 * height, 0.62 * height];
    read = handles(holder, picture, width, height, [[left, top], [right, top], [right, bottom], [left, bottom]]);
    button.disabled = false;
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData();
    data.append("photo", file, file.name || "rack.jpg");
    data.append("corners", JSON.stringify(read()));
    data.append("count", field.dataset.size);
    button.disabled = true;
    const answer = await change(`${body.api}/rack`, data);
    button.disabled = false;
    if (!answer.ok) return tell(said(answer), "bad");
    const { tiles, doubtful, texts } = answer.data;
    field.value = tiles;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    close();
    field.focus();
    const doubts = doubtful.map((position) => tiles[position]).join(", ");
    tell([...texts, ...(doubts ? [say("web.doubtful-tiles", { tiles: doubts })] : [])], doubts ? "bad" : "good");
  });
}

/** The photo drawn upright and small enough to drag points on; nothing leaves the phone. */
async function onCanvas(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, 1600 / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}

/** Makes the photo parts of the page work. */
export function start() {
  const inputs = ["photo", "gallery"].map((id) => document.getElementById(id));
  inputs.forEach(watch);
  onSections(() => {
    const allowed = document.querySelector("[data-photo]")?.dataset.photo === "1";
    inputs.forEach((input) => input && (input.disabled = !allowed));
  });
  onOpen(initHandles);
  onOpen(initRack);
  document.addEventListener("click", (event) => {
    const square = event.target.closest("[data-square]:not(dialog)");
    const key = event.target.closest("[data-tile]");
    const blank = event.target.closest("[data-as-blank]");
    const pick = event.target.closest("[data-pick]");
    if (square) openSquare(JSON.parse(square.dataset.square), square);
    else if (key) pickTile(key);
    else if (blank) blank.setAttribute("aria-pressed", String(blank.getAttribute("aria-pressed") !== "true"));
    else if (pick) {
      close();
      document.getElementById(pick.dataset.pick).click();
    } else tapPhoto(event);
  });
  document.addEventListener("keydown", (event) => {
    const outline = event.target.closest?.("g[data-square]");
    if (!outline || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    openSquare(JSON.parse(outline.dataset.square), outline);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-other-square]");
    if (!form) return;
    event.preventDefault();
    const square = squareFromName(form.elements.square.value);
    if (square) openSquare(square, null);
    else tell(say("web.no-square", { example: squareName(7, 7) }), "bad");
  });
}
