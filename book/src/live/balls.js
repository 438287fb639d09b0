// Ball drop: balls fall into bins, and the share of bins that are hit follows its expected curve. A bin is a counter
// of a filter with one hash, a ball an item: the numbers from 0, or in another game from another million.
"use strict";

live.widget("balls", class extends live.Widget {
  static title = "Ball drop";
  static defaults = { bins: "100", thrown: 0, game: 0 };
  asked = 100;

  build() {
    this.grid = new live.Bits();
    this.chart = new live.Chart();
    this.numbers = live.make("p", { class: "live-numbers" });
    const { asked } = this;
    const right = live.digits(asked * this.expected(asked)[asked], 2);
    this.view.append(
      this.guess(`${asked} balls fall into ${asked} bins. How many bins are hit?`, ["50", right, "86", "All of them"], 1,
        () => this.verdict(), () => this.drop(asked)),
      live.make("div", { class: "after" },
        this.choice("bins", "How many bins?", [["100", "100"], ["1000", "1,000"]])),
      this.grid.element, this.numbers,
      live.make("div", { class: "after" },
        this.buttons({
          "Drop one": () => this.drop(1),
          "Drop 100": () => this.drop(100),
          "Drop all": () => this.drop(this.last()),
          "Another game": () => this.drop(0, this.state.game + 1),
        }),
        this.chart.element),
      this.lesson("As many balls as bins leave more than a third of the bins empty, because many fall where others are already; and the more bins there are, the closer one game stays to the expected curve."),
    );
  }

  // Three balls for each bin are all.
  last = () => 3 * this.state.bins;
  // A link may have any numbers.
  thrown = () => Math.min(Math.max(0, Math.floor(this.state.thrown)), this.last());
  first = () => 1e6 * Math.min(Math.max(0, Math.floor(this.state.game)), 1e6);

  // The share of bins that are expected to be hit after each ball.
  expected(bins) {
    return this.crates.curve("exact", 3 * bins, 3 * bins, bins, 1).map(([, , fill]) => fill);
  }

  // What is measured after each ball of this game, beside what is expected.
  played() {
    const [bins, first] = [Number(this.state.bins), this.first()];
    if (this.game?.bins !== bins || this.game.first !== first) {
      this.game?.filter.free();
      const filter = this.crates.filter("counting", bins, 1);
      const measured = [0];
      for (let ball = 0; ball < this.last(); ball += 1) {
        filter.insertNumbers(first + ball, first + ball + 1);
        measured.push(filter.fill());
      }
      this.game = { bins, first, filter, measured, expected: this.expected(bins) };
    }
    return this.game;
  }

  // The balls of every bin after so many of the game.
  balls(thrown) {
    const { filter, first } = this.played();
    filter.clear();
    filter.insertNumbers(first, first + thrown);
    return filter.cells();
  }

  // Drops more balls, in about a second; after the last one the game starts again.
  drop(more, game = this.state.game) {
    const from = this.thrown() === this.last() && more > 0 ? 0 : this.thrown();
    const to = Math.min(from + more, this.last());
    this.set({ game, thrown: from });
    this.animate(() => {
      const thrown = Math.min(this.thrown() + Math.ceil((to - from) / 60), to);
      this.set({ thrown });
      return thrown < to;
    });
  }

  verdict() {
    const { asked } = this;
    return `Of ${asked} bins, ${live.digits(asked * this.expected(asked)[asked])} are expected to be hit. Drop them again in another game, or into more bins.`;
  }

  show() {
    const thrown = this.thrown();
    const { bins, measured, expected } = this.played();
    const [balls, before] = [this.balls(thrown), this.balls(Math.max(0, thrown - 1))];
    const hit = balls.filter((count) => count > 0).length;
    this.grid.show(balls, {
      counters: true, height: bins > 256 ? 160 : undefined, marked: thrown > 0 ? [balls.findIndex((count, at) => count > before[at])] : [],
      label: `${live.many(bins, "bin")}, ${live.count(hit)} hit`,
    });
    this.numbers.textContent = `${live.many(thrown, "ball")}: ${live.count(hit)} of ${live.count(bins)} bins hit, ${live.share(measured[thrown])}. Expected: ${live.share(expected[thrown])}.`;
    this.chart.show({
      x: { min: 0, max: this.last(), label: "balls dropped" },
      y: { min: 0, max: 1, label: "share of bins hit", text: live.share },
      lines: [
        { points: expected.map((fill, ball) => [ball, fill]), style: "dashed", name: "expected" },
        { points: measured.slice(0, thrown + 1).map((fill, ball) => [ball, fill]) },
      ],
      dots: [{ x: thrown, y: measured[thrown], name: "this game" }],
      label: this.numbers.textContent,
    });
    this.announce(this.numbers.textContent);
  }
});
