// The widget “say”: makes numbers of a sentence into handles. When a reader drags a handle sideways, or moves it by the arrow
// keys, the other numbers of the sentence and its picture follow. In the page, handles are <b data-name="…">; the numbers that
// the crates compute are <span data-name="…">.
"use strict";

live.widget("say", class extends live.Widget {
  start() {
    const kind = this.dataset.say;
    const series = (from, to) => {
      const all = [];
      for (let power = 1; power <= to; power *= 10) for (const one of [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]) all.push(Math.round(10 * one * power) / 10);
      return all.filter((value) => value >= from && value <= to);
    };
    const steps = (from, to, by) => Array.from({ length: (to - from) / by + 1 }, (_, at) => from + by * at);
    const round = (value) => (value < 1e6 ? live.count(value) : value < 1e9 ? `${live.digits(value / 1e6)} million` : `${live.digits(value / 1e9)} billion`);
    // Each handle has its label, the values that it takes, and the function that formats a value. `compute` gets the values of
    // the handles and returns the other numbers of the sentence.
    this.kinds = {
      size: {
        handles: { items: ["pages", series(1000, 1e10), round], often: ["new pages for one that is missed", series(4, 1e6), live.count] },
        compute: ({ items, often }) => {
          const [, , , , bits, hashes] = this.crates.sizes(items, 50, 1 / often);
          return { memory: live.bytes(bits)(bits), each: live.digits(bits / items, 4), hashes: live.count(hashes), bits };
        },
        hint: "Drag the blue numbers, or use the arrow keys.",
        picture: new live.Bars(),
        draw: (picture, { memory, bits }) => {
          const limit = live.memory;
          const all = live.bytes(limit)(limit);
          picture.show([{ name: `${bits > limit ? "more than" : "of"} ${all}`, value: bits, text: memory, style: bits > limit ? "wrong" : "" }], { limit });
        },
      },
      rate: {
        handles: { bits: ["bits", [...steps(6000, 19000, 500), 19188, ...steps(19500, 40000, 500)], live.count],
          hashes: ["hashes", steps(2, 16, 1), live.count], items: ["pages", steps(100, 6000, 100), live.count] },
        compute: ({ bits, hashes, items }) => {
          const [, rate, fill] = this.crates.curve("exact", items, 1, bits, hashes).at(-1);
          return { fill: live.share(fill), often: live.digits(1 / rate), rate };
        },
        hint: "Drag the blue numbers, or use the arrow keys. Each cross is one of 200 new pages that is missed.",
        picture: new live.Dots(),
        draw: (picture, { rate }) => {
          const wrong = Math.round(200 * rate);
          picture.show(Array.from({ length: 200 }, (_, at) => (at < wrong ? "wrong" : "")), `Of 200 new pages ${wrong} are missed`);
        },
      },
    }[kind];
    this.defaults = {};
    this.state = {};
    this.scope = `${this.id}.`;
    this.named = Object.fromEntries([...this.querySelectorAll("[data-name]")].map((one) => [one.dataset.name, one]));
    for (const [name, [label, values]] of Object.entries(this.kinds.handles)) {
      const element = this.named[name];
      this.defaults[name] = Number(element.dataset.value);
      const asked = Number(live.query.get(this.scope + name) ?? NaN);
      this.state[name] = Number.isFinite(asked) ? this.nearest(values, asked) : this.defaults[name];
      Object.entries({ role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": values[0], "aria-valuemax": values.at(-1) })
        .forEach(([key, value]) => element.setAttribute(key, value));
      element.classList.add("live-handle");
      element.addEventListener("keydown", (event) => this.key(event, name));
      element.addEventListener("pointerdown", (event) => this.drag(event, name));
    }
    this.status = live.make("p", { class: "live-status", role: "status" });
    this.view = live.make("div", { class: "live live-say" }, live.make("p", {}, this.kinds.hint), this.kinds.picture.element, this.status);
    this.append(this.view);
    this.parts = [];
    this.refresh();
    clearTimeout(this.speaking);
  }

  nearest = (values, value) => values.reduce((best, one) => (Math.abs(one - value) < Math.abs(best - value) ? one : best));

  move(name, from, by) {
    const [, values] = this.kinds.handles[name];
    const at = values.indexOf(this.nearest(values, from)) + by;
    this.set({ [name]: values[Math.min(values.length - 1, Math.max(0, at))] });
  }

  key(event, name) {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -1e9, End: 1e9 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.move(name, this.state[name], by);
  }

  // Moves the handle by one value for each eight pixels of dragging.
  drag(event, name) {
    event.preventDefault();
    const [element, from, start] = [event.currentTarget, this.state[name], event.clientX];
    element.focus();
    element.setPointerCapture(event.pointerId);
    const moved = ({ clientX }) => this.move(name, from, Math.round((clientX - start) / 8));
    element.addEventListener("pointermove", moved);
    const end = () => element.removeEventListener("pointermove", moved);
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, end, { once: true });
  }

  show() {
    const computed = this.kinds.compute(this.state);
    for (const [name, element] of Object.entries(this.named)) {
      const handle = this.kinds.handles[name];
      const text = handle ? handle[2](this.state[name]) : computed[name];
      if (element.textContent !== text) element.textContent = text;
      if (!handle) continue;
      element.setAttribute("aria-valuenow", this.state[name]);
      element.setAttribute("aria-valuetext", text);
    }
    this.kinds.draw(this.kinds.picture, computed);
    this.announce(this.querySelector("p").textContent);
  }
});
