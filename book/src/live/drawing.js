// Classes that draw the pictures of the widgets: bits, dots, charts and bars, in the colours of the page. The method `show`
// replaces the picture.
"use strict";

Object.assign(live, (() => {
  const { make } = live;

  // Draws an array of cells, which are bits or counters. The cells at the positions `marked` are framed, those at `wrong` are
  // framed in red. If there are at most 256 cells, each shows its index; with `counters` it shows its counter instead, and with
  // `places` its index, too. With a `height` in pixels, the cells are as large as fits that height, and show no numbers.
  class Bits {
    constructor() {
      this.element = make("div", { class: "live-bits", role: "img" });
    }
    show(cells, { marked = [], wrong = [], label, counters = false, places = false, height } = {}) {
      const numbered = cells.length <= 256 && !height;
      this.element.style.height = height ? `${height}px` : "";
      if (height) this.fit(cells.length, height);
      this.element.classList.toggle("small", !numbered);
      while (this.element.children.length > cells.length) this.element.lastChild.remove();
      while (this.element.children.length < cells.length) this.element.append(make("span"));
      const [framed, red] = [new Set(marked), new Set(wrong)];
      let at = 0;
      for (const cell of this.element.children) {
        const name = `${cells[at] > 0 ? "set" : ""} ${framed.has(at) ? "marked" : ""} ${red.has(at) ? "wrong" : ""}`;
        if (cell.className !== name) cell.className = name;
        const text = numbered ? String(counters ? cells[at] : at) : "";
        if (cell.textContent !== text) cell.textContent = text;
        if (numbered && counters && places) cell.dataset.place = at;
        else delete cell.dataset.place;
        at += 1;
      }
      const set = cells.reduce((sum, cell) => sum + (cell > 0), 0);
      this.element.setAttribute("aria-label", label ?? `${live.many(cells.length, "bit")}, ${live.count(set)} set`);
    }
    // Sets the size of a cell: the largest with which all cells fit.
    fit(count, height) {
      const width = this.element.clientWidth || 260;
      let cell = 24;
      while (cell > 2 && Math.floor((width + 1) / cell) * Math.floor((height + 1) / cell) < count) cell -= 1;
      this.element.style.setProperty("--cell", `${cell - 1}px`);
    }
  }

  // Draws dots in rows of 40, or of 20 on a phone. `kinds` has the class of each dot; a dot of the class "wrong" is a crossed
  // square.
  class Dots {
    constructor() {
      this.element = make("div", { class: "live-dots", role: "img" });
    }
    show(kinds, label) {
      while (this.element.children.length > kinds.length) this.element.lastChild.remove();
      while (this.element.children.length < kinds.length) this.element.append(make("span"));
      kinds.forEach((kind, at) => {
        const dot = this.element.children[at];
        if (dot.className !== kind) dot.className = kind;
      });
      this.element.setAttribute("aria-label", label);
    }
  }

  // Returns round numbers between `low` and `high`, in at most `most` steps of 1, 2 or 5 times a power of ten.
  function ticks(low, high, most = 6) {
    const power = 10 ** Math.floor(Math.log10((high - low) / most));
    const step = power * [1, 2, 5, 10].find((times) => (high - low) / (power * times) <= most);
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
  }

  // A chart with lines and dots. Axes: { min, max, label, log, text }. Lines: { points: [[x, y]], name, style } with
  // a style such as "dashed", "thin" or "wrong". The name of a line stands at the end of the line: above it, with `under` below
  // it, and with `beside` on its right, where the chart then leaves room. Dots: { x, y, name, style }.
  class Chart {
    constructor() {
      this.element = make("svg", { class: "live-chart", role: "img" });
    }
    show({ x, y, lines = [], dots = [], label, height = 260 }) {
      const width = Math.max(260, this.element.parentElement?.clientWidth ?? 600);
      const [left, right, top, bottom] = [58, lines.some(({ beside }) => beside) ? 84 : 18, 30, 42];
      const along = ({ min, max, log }, from, to) => {
        const scale = log ? Math.log10 : Number;
        return (value) => from + ((to - from) * (scale(value) - scale(min))) / (scale(max) - scale(min));
      };
      const atX = along(x, left, width - right);
      const onY = along(y, height - bottom, top);
      // The logarithm of 0 is infinite, so coordinates are bounded. The bounds are so far outside that lines inside the frame
      // look the same.
      const atY = (value) => Math.min(Math.max(onY(value), -1e5), 1e5);
      const ticksOf = (axis, most) => {
        if (!axis.log) return ticks(axis.min, axis.max, most);
        const powers = ticks(Math.log10(axis.min), Math.log10(axis.max), most).filter(Number.isInteger);
        return powers.map((power) => Number(`1e${power}`));
      };
      const text = (value, axis) => (axis.text ?? live.digits)(value);
      // What is outside of the frame is cut off.
      const [wide, high] = [width - left - right, height - top - bottom];
      const frame = make("svg", { x: left - 3, y: top - 3, width: wide + 6, height: high + 6, viewBox: `${left - 3} ${top - 3} ${wide + 6} ${high + 6}` });
      const parts = [];
      for (const tick of ticksOf(y, 5)) {
        parts.push(make("line", { class: "grid", x1: left, x2: width - right, y1: atY(tick), y2: atY(tick) }));
        parts.push(make("text", { class: "tick", x: left - 8, y: atY(tick) + 4, "text-anchor": "end" }, text(tick, y)));
      }
      for (const tick of ticksOf(x, Math.floor(width / 90))) {
        parts.push(make("line", { class: "grid", x1: atX(tick), x2: atX(tick), y1: height - bottom, y2: height - bottom + 5 }));
        parts.push(make("text", { class: "tick", x: atX(tick), y: height - bottom + 19, "text-anchor": "middle" }, text(tick, x)));
      }
      parts.push(make("text", { class: "axis", x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle" }, x.label));
      parts.push(make("text", { class: "axis", x: left, y: top - 14 }, y.label));
      parts.push(frame);
      // Draws the name of a line or dot at the end of it, where no other name is.
      const taken = [];
      const name = (words, atEnd, at, { style, under, dot }) => {
        let place = under ? Math.min(at + 24, height - bottom + 3) : Math.min(Math.max(at, top + 16), height - bottom - 4);
        const away = place > height / 2 && !under ? -15 : 15;
        while (taken.some((other) => Math.abs(other - place) < 15)) place += away;
        taken.push(place);
        // Lines rise, so there is room to the left of a dot.
        const end = dot ? atEnd - 8 - 7.2 * words.length >= left - 4 : (atEnd > width * 0.6 && !under) || atEnd + 10 + 8 * words.length > width;
        parts.push(make("text", { class: `name ${style ?? ""}`, x: end ? atEnd - 8 : atEnd + 10, y: place - 5,
          "text-anchor": end ? "end" : "start" }, words));
      };
      for (const { points, style = "", name: words, under, beside } of lines) {
        const inside = points.filter(([px, py]) => px >= x.min && px <= x.max && py >= y.min && py <= y.max);
        if (inside.length === 0) continue;
        const path = points.filter(([px]) => px >= x.min && px <= x.max).map(([px, py]) => `${atX(px).toFixed(1)},${atY(py).toFixed(1)}`).join(" ");
        frame.append(make("polyline", { class: `line ${style}`, points: path }));
        const [lastX, lastY] = inside.at(-1);
        if (words && beside) parts.push(make("text", { class: `name ${style}`, x: atX(lastX) + 8, y: atY(lastY) + 5 }, words));
        else if (words) name(words, atX(lastX), atY(lastY), { style, under });
      }
      for (const dot of dots) {
        const [cx, cy] = [atX(Math.min(Math.max(dot.x, x.min), x.max)), atY(Math.min(Math.max(dot.y, y.min), y.max))];
        parts.push(make("circle", { class: `dot ${dot.style ?? ""}`, cx, cy, r: 6 }));
        if (dot.name) name(dot.name, cx, cy - 6, { style: dot.style, dot: true });
      }
      this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
      this.element.setAttribute("height", height);
      this.element.setAttribute("aria-label", label);
      this.element.replaceChildren(...parts);
    }
  }

  // Draws bars below each other, each { name, value, text, style }. The longest bar fills the width. With a `limit`, a bar of
  // that value fills the width, and longer bars are cut off there.
  class Bars {
    constructor() {
      this.element = make("div", { class: "live-bars" });
    }
    show(bars, { limit } = {}) {
      const longest = limit ?? Math.max(...bars.map(({ value }) => value));
      this.element.replaceChildren(...bars.map(({ name, value, text, style = "" }) => {
        const bar = make("span", { class: `bar ${style}` });
        bar.style.width = `${Math.min(100, (100 * value) / longest)}%`;
        return make("div", {}, make("span", { class: "name" }, name), make("span", { class: "track" }, bar),
          make("span", { class: "value" }, text));
      }));
    }
  }

  return { Bits, Dots, Chart, Bars };
})());
