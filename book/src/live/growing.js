// The widget “growing”: two growing filters add stages (filters of a fixed size) as items are inserted. In the “tightened”
// filter each stage has a lower rate than the stage before; in the other all stages have the same rate.
"use strict";

live.widget("growing", class extends live.Widget {
  static title = "Growing";
  static module = "calculator";
  static defaults = { items: 1000 };
  first = 1000; // the number of items for which the first stage has room
  rate = 0.01; // the promised rate
  most = 255_000; // the items of eight full stages

  build() {
    this.chains = [0.85, 1].map((ratio) => this.crates.growing(this.first, this.rate, 2, ratio));
    this.plan = this.crates.solve({ n: String(this.most), p: String(this.rate), filter: "scalable", initial: String(this.first) }).stages;
    // `places` has the numbers of items at which the curves of the chart have points, eight for each stage. `ends` has those at
    // which a stage is full. The chart has an upright line at each of the `ends` but the last.
    let [start, size] = [0, this.first];
    this.ends = [];
    this.places = this.plan.flatMap(() => {
      const inside = Array.from({ length: 8 }, (_, at) => start + ((at + 1) * size) / 8);
      [start, size] = [start + size, 2 * size];
      this.ends.push(start);
      return inside;
    });
    this.inside = 0;
    this.lines = [[], []];
    const same = this.crates.growing(this.first, this.rate, 2, 1);
    this.chart = new live.Chart();
    this.begun = live.make("p", { class: "before" });
    this.numbers = live.make("p", { class: "live-numbers" });
    const { make } = live;
    this.rows = this.plan.map((_, at) => make("tr", {}, make("th", { scope: "row" }, at + 1), ...[0, 1, 2, 3].map(() => make("td"))));
    this.sums = make("tr", {}, make("th", { scope: "row" }, "All"), ...[0, 1, 2, 3].map(() => make("td")));
    const heads = ["Stage", "Items", "Rate, at most", "Bits", "Bits at 1\u00a0% each"];
    const table = make("table", { class: "live-stages" }, make("caption", {}, "The stages of the tightened filter. Their rates add up to less than 1\u00a0%. The last column has the bits of stages with a rate of 1\u00a0% each. An item that is already found is not inserted again."),
      make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, ...this.rows),
      make("tfoot", {}, this.sums));
    const buttons = this.buttons({
      "Twice as many": () => this.at(this.items() + Math.max(this.items(), this.first - this.items())),
      "Empty it": () => this.at(0),
    });
    buttons.prepend(this.hold("Hold to insert", () => this.insert(Math.max(50, Math.floor(this.items() / 50)))));
    this.view.append(
      this.guess("A filter grows to eight stages, and each of them is wrong 1 time in 100. How often is the filter wrong?",
        ["1\u00a0%", "About 4\u00a0%", "About 8\u00a0%"], 2, (taken) => {
          if (same.stages().length < 8) same.insertNumbers(0, this.most);
          return `${this.tempting(taken)}Of all strangers, ${live.share(same.expectedRate(0))} are expected to be false positives of all eight together; tightened rates keep the promise. Empty it, and insert items yourself.`;
        }, () => this.animate(() => this.insert(Math.max(100, Math.floor(this.items() / 20))))),
      make("div", { class: "after" }, buttons, this.numbers),
      make("div", {}, this.begun, this.chart.element),
      make("div", { class: "after" }, table),
      this.lesson("The rates of stages add up, so equal ones break any promise in the end; rates that shrink like a geometric series keep it for any number of stages, and the price is more bits."),
    );
  }

  // Returns why a wrong guess is wrong.
  tempting(taken) {
    if (taken === 0) return "1\u00a0% is right for one stage, but any of the eight may say yes. ";
    if (taken === 1) return "About 4\u00a0% would be right if each false positive came from two stages at once; most come from one. ";
    return "";
  }

  items = () => Math.min(Math.max(Math.floor(this.state.items), 0), this.most);

  at(items) {
    this.stop();
    this.set({ items: Math.min(items, this.most) });
  }

  // Inserts more items; returns false once eight stages are full.
  insert(more) {
    const items = Math.min(this.items() + more, this.most);
    this.set({ items });
    return items < this.most;
  }

  // Inserts the items of the state into both filters, and adds to each curve the points up to this number of items.
  fill(items) {
    if (items < this.inside) {
      for (const chain of this.chains) chain.clear();
      this.lines = [[], []];
      this.inside = 0;
    }
    const insert = (to) => {
      for (const chain of this.chains) chain.insertNumbers(this.inside, to);
      this.inside = to;
    };
    for (const place of this.places) {
      if (place <= this.inside || place > items) continue;
      insert(place);
      this.chains.forEach((chain, at) => this.lines[at].push([place, chain.rate()]));
    }
    insert(items);
  }

  show() {
    const items = this.items();
    this.fill(items);
    const [tight, same] = this.chains;
    const stages = tight.stages();
    const others = same.stages();
    const write = (row, texts) => texts.forEach((text, cell) => (row.children[cell + 1].textContent = items > 0 ? text : ""));
    this.rows.forEach((row, at) => {
      const stage = stages[at];
      write(row, [
        stage ? live.count(stage.items) : "", stage ? live.share(this.plan[at].p) : "",
        stage ? live.count(stage.bits) : "", others[at] ? live.count(others[at].bits) : "",
      ]);
      row.style.setProperty("--full", `${stage ? (100 * stage.items) / stage.expected : 0}%`);
    });
    const sum = (all, key) => live.count(all.reduce((before, stage) => before + stage[key], 0));
    const rates = this.plan.slice(0, stages.length).reduce((before, { p }) => before + p, 0);
    write(this.sums, [sum(stages, "items"), live.share(rates), sum(stages, "bits"), sum(others, "bits")]);
    const [own, naive] = this.chains.map((chain) => chain.rate());
    this.numbers.textContent = items === 0 ? "Nothing is inserted yet: the first stage has room for 1,000 items."
      : `${live.many(items, "item")}, ${live.many(stages.length, "stage")}. By its bits, ${live.share(own)} of strangers are false positives of the tightened filter, and ${live.share(naive)} of the one with the same rate for all stages; promised: ${live.share(this.rate)}.`;
    this.begun.textContent = `${live.many(items, "item")} in ${live.many(others.length, "stage")}: ${live.share(naive)} of strangers are false positives. At each upright line another stage begins, twice as large; at the right edge the eighth is full.`;
    const [least, highest] = [50, 0.09];
    const guessed = this.state.guess !== "";
    const ends = this.lines.map((line, at) => [...line, [Math.max(items, 1), [own, naive][at]]]);
    this.chart.show({
      x: { min: least, max: this.most, log: true, label: "items", text: live.count },
      y: { min: 0, max: highest, label: "false positives", text: live.share },
      lines: [
        { points: [[this.most, this.rate], [least, this.rate]], style: "dashed", name: "promised" },
        ...this.ends.slice(0, -1).map((end) => ({ points: [[end, 0], [end, highest]], style: "upright" })),
        { points: ends[1], style: "wrong", name: items < this.first ? "" : guessed ? "same rate for all" : live.many(others.length, "stage") },
        { points: guessed ? ends[0] : [], name: items < this.first ? "" : "tightened", beside: true },
      ],
      height: 320,
      label: `Share of strangers that are false positives. ${(guessed ? this.numbers : this.begun).textContent}`,
    });
    if (guessed) this.announce(this.numbers.textContent);
  }
});
