// The widget “liar”: of two lines in a chart, one is the rate by the textbook's formula, the other the exact rate. The mean
// rate of many tiny filters follows the exact rate.
"use strict";

live.widget("liar", class extends live.Widget {
  static title = "Spot the liar";
  static defaults = { shape: "2-8-3", run: 0 };
  static shapes = [
    ["1-4-2", "1 item, 4 bits, 2 hashes"],
    ["2-8-3", "2 items, 8 bits, 3 hashes"],
    ["8-64-5", "8 items, 64 bits, 5 hashes"],
    ["5-100-14", "5 items, 100 bits, 14 hashes"],
  ];
  all = 10000;

  build() {
    this.grid = new live.Bits();
    this.chart = new live.Chart();
    this.last = live.make("p", { class: "live-numbers" });
    this.mean = live.make("p", { class: "live-numbers" });
    const buttons = this.buttons({
      [`Run ${live.count(this.all)} filters`]: () => this.start10000(),
      "One more": () => this.more(1),
      "100 more": () => this.more(100),
    });
    buttons.classList.add("after");
    this.learned = this.lesson("The mean of a power is not the power of the mean: fuller filters raise the mean rate more than emptier ones lower it, so the textbook’s rate is too low.");
    this.view.append(
      this.choice("shape", "Each filter has", this.constructor.shapes),
      live.make("p", {}, `Up to ${live.count(this.all)} such filters are filled, each with items of its own; each has its own rate, by the bits that are set. One of the two lines is the textbook’s rate, the other is the exact one.`),
      this.chart.element,
      this.guess("Which line will the mean of their rates follow?",
        ["A, the upper one", "B, the lower one", "Neither of them"], () => (this.done() ? 0 : undefined),
        (taken) => (this.done()
          ? `${this.tempting(taken)}The mean follows A, the exact rate; B, the textbook’s, is ${live.digits(100 - (100 * this.textbook) / this.exact, 2)}\u00a0% too low.`
          : "Now run them.")),
      buttons, this.mean, this.grid.element, this.last, this.learned,
    );
  }

  // Returns why a wrong guess is wrong.
  tempting(taken) {
    if (taken === 1) return "B would be right if all filters were equally full. ";
    const apart = Math.abs(100 - (100 * this.means[this.all - 1]) / this.exact);
    if (taken === 2) return `The mean of a few filters may be near neither line; the mean of ${live.count(this.all)} is ${live.digits(apart, 1)}\u00a0% from A. `;
    return "";
  }

  done = () => this.state.run >= this.all || this.state.guess === "none";
  run = () => Math.min(Math.max(Math.floor(this.state.run), 0), this.all);

  more(filters) {
    this.stop();
    this.set({ run: Math.min(this.run() + filters, this.all) });
  }

  // Later frames add more filters than earlier frames, because the chart has a logarithmic axis.
  start10000() {
    if (this.run() >= this.all) this.state.run = 0;
    this.animate(() => {
      this.set({ run: Math.min(this.run() + 1 + Math.floor(this.run() / 25), this.all) });
      return this.run() < this.all;
    });
  }

  // Computes what the chart shows for a shape (n, m and k), unless this is done already.
  measure() {
    const { shape } = this.state;
    if (this.shape === shape) return;
    this.shape = shape;
    [this.items, this.bits, this.hashes] = shape.split("-").map(Number);
    const rate = (model) => this.crates.curve(model, this.items, 1, this.bits, this.hashes)[1][1];
    [this.exact, this.textbook] = [rate("exact"), rate("textbook")];
    Object.assign(this, this.crates.ratesOfMany(this.items, this.bits, this.hashes, 0, this.all));
    // The y axis covers both lines and the mean after each number of filters, with a margin, so that it never moves.
    const [least, most] = [Math.min(this.textbook, ...this.means), Math.max(this.exact, ...this.means)];
    this.bounds = [least - (most - least) / 15, most + (most - least) / 15];
    this.filter?.free();
    this.filter = this.crates.filter("classic", this.bits, this.hashes);
  }

  refresh() {
    this.measure();
    super.refresh();
  }

  show() {
    const run = this.run();
    const number = (rate) => live.digits(rate, 4);
    // The axis is logarithmic, so the first filters have a point each, and later points are ever further apart.
    const points = [];
    for (let at = 1; at <= run; at += 1 + Math.floor(at / 60)) points.push([at, this.means[at - 1]]);
    if (run > 0) points.push([run, this.means[run - 1]]);
    const level = (rate) => [[1, rate], [this.all, rate]];
    const named = this.done();
    this.chart.show({
      x: { min: 1, max: this.all, log: true, label: "filters", text: live.count },
      y: { min: this.bounds[0], max: this.bounds[1], label: "rate" },
      lines: [
        { points },
        { points: level(this.exact), style: "thin", name: named ? `A: exact, ${number(this.exact)}` : "A" },
        { points: level(this.textbook), style: "dashed", name: named ? `B: textbook, ${number(this.textbook)}` : "B", under: true },
      ],
      dots: run > 0 ? [{ x: run, y: this.means[run - 1] }] : [],
      label: `Mean rate of the filters so far, and two lines: A at ${number(this.exact)}, B at ${number(this.textbook)}`,
    });
    this.filter.clear();
    if (run > 0) this.filter.insertNumbers((run - 1) * this.items, run * this.items);
    const cells = this.filter.cells();
    const set = cells.reduce((sum, cell) => sum + cell, 0);
    this.grid.show(cells);
    this.last.textContent = run === 0 ? "No filter has run yet."
      : `Filter ${live.count(run)}: ${set} of ${this.bits} bits set, its own rate is ${number(this.rates[run - 1])}.`;
    this.mean.textContent = run === 0 ? "The mean is not known yet."
      : `Mean of ${live.many(run, "rate")}: ${number(this.means[run - 1])} measured. A is at ${number(this.exact)}, B at ${number(this.textbook)}.`;
    this.learned.style.visibility = named ? "" : "hidden";
    if (run > 0) this.announce(this.mean.textContent);
  }
});
