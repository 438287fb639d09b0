// The widget “overfill”: a filter that was sized for 2,000 items takes more items, and is queried for items that were never
// inserted (“strangers”).
"use strict";

live.widget("overfill", class extends live.Widget {
  static title = "Overfill";
  static defaults = { promise: "1in100", items: 2000, asked: 0 };
  static promises = [["1in10", "1 in 10"], ["1in100", "1 in 100"], ["1in1000", "1 in 1,000"]];
  // Bits, hashes and the rate: the smallest sizes for 2,000 items. A test computes them.
  static sizes = { "1in10": [9618, 3, 0.1], "1in100": [19188, 7, 0.01], "1in1000": [28758, 10, 0.001] };
  // Items are the numbers from 0 on, strangers the numbers from `first` on.
  designed = 2000;
  most = 8000;
  first = 1e9;
  strangers = 10000;
  shown = 200;

  build() {
    this.dots = new live.Dots();
    this.chart = new live.Chart();
    this.stream = live.make("p", { class: "live-numbers" });
    this.numbers = live.make("p", { class: "live-numbers" });
    this.after = live.make("div", { class: "after" });
    const buttons = this.buttons({
      "Insert 500": () => this.insert(500),
      "Empty it": () => this.set({ items: 0 }),
    });
    buttons.prepend(this.hold("Hold to insert", () => this.insert(10)));
    this.learned = this.lesson("A filter refuses no item and gives no warning: twice the items make a filter for 1 in 100 wrong 16 times as often, not twice.");
    this.after.append(buttons, this.choice("promise", "Sized for 2,000 items, to be wrong", this.constructor.promises),
      this.chart.element);
    const twice = this.rateAt("1in100", 2 * this.designed);
    this.view.append(
      live.make("p", {}, "The filter is queried for strangers, items that were never inserted. A crossed square is a false positive."),
      this.dots.element, this.stream,
      this.guess("This filter is sized for 2,000 items, to be wrong once in 100. How often is it wrong with 4,000?",
        ["Twice in 100", "5 times in 100", "16 times in 100"], () => (this.past(2) ? 2 : undefined),
        (taken) => (this.past(2) || taken === undefined
          ? `${this.tempting(taken)}With 4,000 items it is wrong ${live.digits(100 * twice)} times in 100: once in ${live.digits(1 / twice)}.`
          : "Hold the button until 4,000 items are in, and see.")),
      this.numbers, this.after, this.learned,
    );
  }

  size() {
    return this.constructor.sizes[this.state.promise];
  }

  rateAt(promise, items) {
    const [bits, hashes] = this.constructor.sizes[promise];
    return this.crates.curve("exact", items, 1, bits, hashes)[1][1];
  }

  // Returns why a wrong guess is wrong.
  tempting(taken) {
    const [bits, hashes] = this.constructor.sizes["1in100"];
    if (taken === 0) return `Twice would be right if false positives grew as the items do. But each needs ${hashes} set bits at once. `;
    if (taken !== 1) return "";
    this.fiveIn100 ??= this.crates.curve("exact", this.most, this.most, bits, hashes).find(([, rate]) => rate >= 0.05)[0];
    return `5 times would be right with ${live.count(this.fiveIn100)} items; from there to 4,000, each item adds more than the item before. `;
  }

  // Before the guess there are at most the items that the filter is sized for, because more would give away the answer.
  items = () => Math.min(Math.max(Math.floor(this.state.items), 0), this.state.guess === "" ? this.designed : this.most);
  past = (times) => this.items() >= times * this.designed;

  // Inserts more items, and moves on to the next strangers; returns false at the maximum of items.
  insert(more) {
    const items = Math.min(this.items() + more, this.most);
    this.set({ items, asked: (this.state.asked + 1) % (this.strangers - this.shown) });
    return items < this.most;
  }

  // Makes the filter contain the items 0 to `items` - 1: inserts the missing items, or starts again with an empty filter if it
  // has too many.
  fill(items) {
    const [bits, hashes] = this.size();
    const other = this.bits !== bits;
    if (other) {
      this.filter?.free();
      this.filter = this.crates.filter("classic", bits, hashes);
      this.bits = bits;
      this.curve = this.crates.curve("exact", this.most, 80, bits, hashes);
    } else if (items < this.inside) this.filter.clear();
    this.filter.insertNumbers(other || items < this.inside ? 0 : this.inside, items);
    this.inside = items;
  }

  show() {
    const items = this.items();
    const [, , promised] = this.size();
    this.fill(items);
    const from = this.first + Math.min(Math.max(Math.floor(this.state.asked), 0), this.strangers - this.shown);
    const found = Array.from({ length: this.shown }, (_, at) => this.filter.containsNumbers(from + at, from + at + 1) === 1);
    const wrong = found.filter(Boolean).length;
    this.stream.textContent = `${live.many(items, "item")} in (${(items / this.designed).toFixed(2)} × 2,000). Of these ${this.shown} strangers, ${wrong} ${wrong === 1 ? "is a false positive" : "are false positives"}.`;
    this.dots.show(found.map((is) => (is ? "wrong" : "")), this.stream.textContent);
    const measured = this.filter.containsNumbers(this.first, this.first + this.strangers) / this.strangers;
    const expected = this.filter.expectedRate(items);
    this.numbers.textContent = `Of ${live.count(this.strangers)} strangers: ${live.share(measured)} measured, ${live.share(expected)} expected, ${live.share(promised)} promised.`;
    const known = this.past(2) || this.state.guess === "none";
    this.chart.show({
      x: { min: 0, max: this.most, label: "items", text: live.count },
      y: { min: 0, max: 0.8, label: "false positives", text: live.share },
      lines: [
        // Until the answer is known, the curve ends at the number of items that are in the filter.
        { points: this.curve.filter(([n]) => known || n <= items).map(([n, rate]) => [n, rate]), name: known ? "expected" : "" },
        { points: [[0, promised], [this.most, promised]], style: "dashed", name: "promised" },
        { points: [[this.designed, 0], [this.designed, 0.6]], style: "thin", name: "sized for" },
      ],
      dots: [{ x: items, y: measured, style: items > this.designed ? "wrong" : "", name: "measured" }],
      label: `Share of strangers that are false positives, by items: expected ${live.share(expected)} and measured ${live.share(measured)} at ${live.count(items)} items`,
    });
    this.learned.style.visibility = known ? "" : "hidden";
    if (this.state.guess !== "") this.announce(`${live.many(items, "item")} in. ${this.numbers.textContent}`);
  }
});
