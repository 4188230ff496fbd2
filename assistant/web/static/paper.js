/** Papers: the slider between two photos, and the button that prints. Without it everything is there all the same. */

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Lays the earlier photo over the later one, and a slider under them that uncovers it. */
async function slide(compare) {
  const said = compare.dataset;
  const loaded = new Image();
  loaded.src = said.over;
  await loaded.decode();
  const picture = compare.querySelector(".after svg");
  const under = picture.querySelector("image");
  const width = Number(under.getAttribute("width"));
  const height = Number(under.getAttribute("height"));

  const cut = element("rect", { x: 0, y: 0, width: 0, height });
  const clip = element("clipPath", { id: "uncovered" });
  clip.append(cut);
  const over = element("image", { href: said.over, width, height, preserveAspectRatio: "none", "clip-path": "url(#uncovered)" });
  const edge = element("line", { class: "edge", y1: 0, y2: height });
  under.after(clip, over);
  picture.append(edge);

  const range = document.createElement("input");
  Object.assign(range, { type: "range", min: 0, max: 100, value: 50, step: 1, className: "slider" });
  range.setAttribute("aria-label", said.slider);
  const show = () => {
    const x = (width * range.value) / 100;
    cut.setAttribute("width", x);
    edge.setAttribute("x1", x);
    edge.setAttribute("x2", x);
    range.setAttribute("aria-valuetext", said.value.replace("{percent}", range.value));
  };
  range.addEventListener("input", show);

  const drag = (event) => {
    if (!compare.classList.contains("slides") || !(event.buttons & 1)) return;
    const box = picture.getBoundingClientRect();
    range.value = (100 * (event.clientX - box.left)) / box.width;
    show();
  };
  picture.addEventListener("pointerdown", (event) => {
    picture.setPointerCapture(event.pointerId);
    drag(event);
  });
  picture.addEventListener("pointermove", drag);

  const how = document.createElement("p");
  how.className = "small soft how";
  how.textContent = said.how;
  const change = document.createElement("button");
  change.type = "button";
  change.className = "button";
  const names = document.createElement("p");
  names.className = "names";
  for (const side of ["before", "after"]) {
    const name = document.createElement("span");
    name.textContent = compare.querySelector(`.${side} figcaption`).textContent;
    names.append(name);
  }
  const controls = document.createElement("div");
  controls.className = "controls no-print";
  controls.append(names, range, how);
  picture.after(controls);

  const turn = (slides) => {
    compare.classList.toggle("slides", slides);
    controls.hidden = !slides;
    for (const part of [over, edge]) part.toggleAttribute("hidden", !slides);
    change.textContent = slides ? said.both : said.slide;
  };
  change.addEventListener("click", () => turn(!compare.classList.contains("slides")));
  const row = document.createElement("p");
  row.className = "row no-print";
  row.append(change);
  compare.after(row);
  turn(true);
  show();
}

for (const compare of document.querySelectorAll("[data-over]")) {
  slide(compare).catch(() => {}); // both photos stay one beside the other
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
