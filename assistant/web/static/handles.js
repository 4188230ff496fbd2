/** Four points on a picture, moved by finger, mouse or arrow keys, with a magnifier. */

import { say } from "./say.js";

const SVG = "http://www.w3.org/2000/svg";
const ZOOM = 3; // the magnifier shows a pixel of the screen as so many

/**
 * Puts four handles over a picture.
 * @param {HTMLElement} holder
 * @param {HTMLImageElement|HTMLCanvasElement} picture
 * @param {number} width  pixels of the picture
 * @param {number} height
 * @param {number[][]} [corners] where they start, pixels: top left, top right, bottom right, bottom left
 * @returns {() => number[][]} the corners as shares of width and height
 */
export function handles(holder, picture, width, height, corners) {
  const points = (corners ?? [[0.12, 0.12], [0.88, 0.12], [0.88, 0.88], [0.12, 0.88]].map(([x, y]) => [x * width, y * height])).map((point) => [...point]);
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}` });
  const area = element("polygon", {});
  const edge = element("polygon", { class: "edge" });
  const glass = document.createElement("canvas");
  glass.className = "magnifier";
  glass.hidden = true;
  svg.append(area, edge);
  const grips = points.map((point, number) => grip(number));
  holder.replaceChildren(picture, svg, glass);
  holder.hidden = false;
  draw();

  function grip(number) {
    const group = element("g", { class: "handle", tabindex: 0, role: "button", "aria-label": say("web.corner-n", { n: number + 1 }) });
    group.append(element("circle", { class: "grip" }), element("circle", { class: "dot" }));
    svg.append(group);
    group.addEventListener("pointerdown", (event) => {
      group.setPointerCapture(event.pointerId);
      group.focus();
      event.preventDefault();
      const start = place(event);
      const before = [...points[number]];
      const move = (later) => {
        const now = place(later);
        shift(number, before[0] + now[0] - start[0], before[1] + now[1] - start[1]);
      };
      const stop = () => {
        group.removeEventListener("pointermove", move);
        glass.hidden = true;
      };
      shift(number, ...before);
      group.addEventListener("pointermove", move);
      group.addEventListener("pointerup", stop, { once: true });
      group.addEventListener("pointercancel", stop, { once: true });
    });
    group.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      const far = (event.shiftKey ? 0.02 : 0.002) * width;
      shift(number, points[number][0] + way[0] * far, points[number][1] + way[1] * far);
    });
    group.addEventListener("blur", () => (glass.hidden = true));
    return group;
  }

  function place(event) {
    const box = svg.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  }

  function shift(number, x, y) {
    points[number] = [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];
    draw();
    magnify(...points[number]);
  }

  function draw() {
    const text = points.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ");
    area.setAttribute("points", text);
    edge.setAttribute("points", text);
    const scale = width / (svg.getBoundingClientRect().width || width);
    grips.forEach((group, number) => {
      group.setAttribute("transform", `translate(${points[number].join(" ")})`);
      group.firstChild.setAttribute("r", 22 * scale);
      group.lastChild.setAttribute("r", 4 * scale);
    });
  }

  function magnify(x, y) {
    const shown = svg.getBoundingClientRect();
    const size = 120;
    const part = (size / ZOOM) * (width / shown.width);
    const real = (picture.naturalWidth || picture.width) / width;
    glass.width = glass.height = size;
    glass.hidden = false;
    glass.classList.toggle("right", x < width / 2);
    glass.classList.toggle("left", x >= width / 2);
    const brush = glass.getContext("2d");
    brush.drawImage(picture, (x - part / 2) * real, (y - part / 2) * real, part * real, part * real, 0, 0, size, size);
    brush.strokeStyle = "#d55e00";
    brush.lineWidth = 2;
    brush.beginPath();
    brush.moveTo(size / 2, 0);
    brush.lineTo(size / 2, size);
    brush.moveTo(0, size / 2);
    brush.lineTo(size, size / 2);
    brush.stroke();
  }

  return () => points.map(([x, y]) => [x / width, y / height]);
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
