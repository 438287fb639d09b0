// The widget “sliders”: sliders for items, bits and hashes. A dot moves along the exact curve while the bits of a real filter
// are set. In blind rounds the bits are hidden, and the reader estimates the number of items that sets half of them. The items
// are the numbers from 0 on.
"use strict";

live.widget("sliders", class extends live.Widget {
  static title = "Three sliders";
  static defaults = { n: 200, m: 2000, k: 5, round: 0, stopped: -1 };
  most = 1000;
  // Bits and hashes of each round. After the last round the list starts again.
  rounds = [[2000, 3], [1000, 2], [4000, 4], [600, 6], [3000, 16]];

  build() {
    this.grid = new live.Bits();
    this.chart = new live.Chart();
    this.numbers = live.make("p", { class: "live-numbers" });
    this.result = live.make("p", { class: "live-verdict", tabindex: -1 });
    this.seen = live.make("div", {}, this.grid.element, this.chart.element);
    this.items = this.slider("n", "Items n", { max: this.most });
    this.fixed = live.make("div", {},
      this.slider("m", "Bits m", { min: 200, max: 4000, step: 100 }),
      this.slider("k", "Hashes k", { min: 1, max: 16 }));
    this.actions = this.buttons({ "Find half full with the fill hidden": () => this.hide(), "Reveal": () => this.reveal() });
    const { m, k } = this.defaults;
    const half = this.half(m, k);
    if (this.blind()) [this.state.m, this.state.k] = this.round();
    this.view.append(
      live.make("p", {}, "This filter has a tenth of the bits of the filter in the text. The sliders change its size."),
      this.guess(`A filter has ${live.count(m)} bits and ${k} hashes. How many items set half of its bits?`,
        ["173", String(half), "346"], 1, (taken) => this.verdict(m, k, taken), () => this.set({ n: half, m, k, round: 0, stopped: -1 })),
      live.make("div", { class: "after" },
        this.seen, this.items, this.fixed, this.numbers, this.actions, this.result),
      this.lesson("A filter is half full once its items have thrown about 69 balls for every 100 bits, more than 50 because some fall together; and with k hashes its rate is the k-th power of its fill."),
    );
  }

  // The exact curve up to the maximum of items, and the point at which the filter is most nearly half full. There is no such
  // point if the filter is less than half full even with this maximum.
  curve(m, k) {
    if (this.drawn?.m !== m || this.drawn.k !== k) {
      const points = this.crates.curve("exact", this.most, this.most, m, k);
      const off = ([, , fill]) => Math.abs(fill - 0.5);
      const half = points.reduce((best, point) => (off(point) < off(best) ? point : best));
      this.drawn = { m, k, points, half: points.at(-1)[2] < 0.5 ? undefined : half };
    }
    return this.drawn;
  }
  half = (m, k) => this.curve(m, k).half[0];

  // Returns the bits of a filter with n items, the share of them that is set, and the rate of this filter.
  filled(n, m, k) {
    const filter = this.crates.filter("classic", m, k);
    filter.insertNumbers(0, n);
    const result = { cells: filter.cells(), fill: filter.fill(), rate: filter.rate() };
    filter.free();
    return result;
  }

  round = () => this.rounds[(Math.max(1, Math.floor(this.state.round)) - 1) % this.rounds.length];
  blind = () => this.state.round > 0 && this.state.stopped < 0;

  hide() {
    this.set({ round: Math.max(0, Math.floor(this.state.round)) + 1, stopped: -1, n: 0 });
    const [m, k] = this.round();
    this.set({ m, k });
    this.items.querySelector("input").focus();
  }

  reveal() {
    this.set({ stopped: this.state.n });
    this.result.focus();
  }

  verdict(m, k, taken) {
    const half = this.half(m, k);
    const thrown = (items) => `${items} items throw ${live.count(k * items)} balls`;
    const tempting = [`${thrown(173)}, too few for half of the bins even if no two fall together. `, "",
      `${thrown(346)}, of which ${live.count(k * 346 - m / 2)} would have to fall where others are. `][taken] ?? "";
    return `${tempting}With ${k} hashes, half full is expected at ${live.count(half)} items: ${live.count(k * half)} balls in ${live.count(m)} bins, many of which fall where others are already.`;
  }

  show() {
    const { n, m, k, round } = this.state;
    const stopped = Math.min(Math.floor(this.state.stopped), this.most);
    const blind = this.blind();
    this.seen.classList.toggle("live-hidden", blind);
    for (const input of this.fixed.querySelectorAll("input")) input.disabled = blind;
    const [find, reveal] = this.actions.children;
    [find.hidden, reveal.hidden] = [blind, !blind];
    this.result.textContent = "";
    if (blind) this.result.textContent = "The bits are hidden. Move the items until you believe that half of the bits are set, and reveal.";
    else if (round > 0) {
      const [bits, hashes] = this.round();
      const { fill } = this.filled(stopped, bits, hashes);
      this.result.textContent = `You stopped at ${live.many(stopped, "item")}, with ${live.share(fill)} of ${live.count(bits)} bits set by ${hashes} hashes. Half full is expected at ${live.count(this.half(bits, hashes))}.`;
    }
    const { points, half } = this.curve(m, k);
    const { cells, fill, rate } = this.filled(n, m, k);
    const [, expectedRate, expectedFill] = points[n];
    this.numbers.textContent = blind ? "" : `${live.many(n, "item")}: ${live.share(fill)} of the bits are set, ${live.share(expectedFill)} expected. Rate: ${live.share(rate)} of this filter, ${live.share(expectedRate)} expected.`;
    // On a phone the pictures are lower, so that all of the widget fits the window.
    const isSmall = this.view.clientWidth < 500;
    this.grid.show(cells, { height: isSmall ? 110 : 160 });
    const marks = half ? [{ x: half[0], y: half[1], name: "half full", style: "mark" }] : [];
    this.chart.show({
      x: { min: 0, max: this.most, label: "items n" },
      y: { min: 1e-6, max: 1, log: true, label: "expected rate p", text: (p) => `${live.digits(100 * p)}\u00a0%` },
      lines: [{ points: points.slice(1) }],
      dots: [...marks, { x: n, y: expectedRate }],
      label: this.numbers.textContent, height: isSmall ? 200 : 260,
    });
    this.announce(blind ? this.result.textContent : `${this.result.textContent} ${this.numbers.textContent}`);
  }
});
