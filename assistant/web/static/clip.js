/** A clip that was kept: its pictures in turn, by a slider or in the time they had. */

const figure = document.querySelector("[data-frames]");
const frames = JSON.parse(figure.dataset.frames); // [address, seconds]
const picture = figure.querySelector("img");
const range = document.getElementById("clip-range");
const time = document.querySelector("[data-clip-time]");
const button = document.querySelector("[data-play]");
const loaded = new Map(); // number -> Image

let playing = 0;

function load(number) {
  if (number >= frames.length) return null;
  if (!loaded.has(number)) {
    const image = new Image();
    image.src = frames[number][0];
    loaded.set(number, image);
  }
  return loaded.get(number);
}

async function show(number) {
  range.value = number;
  const text = figure.dataset.time.replace("{at}", frames[number][1].toFixed(1)).replace("{of}", frames.at(-1)[1].toFixed(1));
  time.textContent = text;
  range.setAttribute("aria-valuetext", text);
  const image = load(number);
  await image.decode().catch(() => {});
  if (Number(range.value) === number) picture.src = image.src;
  [1, 2, 3].forEach((more) => load(number + more));
}

function pause() {
  clearTimeout(playing);
  playing = 0;
  button.textContent = button.dataset.play;
}

async function step(number) {
  await show(number);
  if (number + 1 >= frames.length) return pause();
  if (playing) playing = setTimeout(() => step(number + 1), 1000 * (frames[number + 1][1] - frames[number][1]));
}

function play() {
  button.textContent = button.dataset.pause;
  playing = 1;
  const number = Number(range.value);
  step(number + 1 >= frames.length ? 0 : number);
}

button.addEventListener("click", () => (playing ? pause() : play()));
range.addEventListener("input", () => {
  pause();
  show(Number(range.value));
});
document.querySelector(".clip-controls").hidden = false;
show(0);
