// The widget “balls”: balls fall into bins, and the share of bins that are hit follows the expected curve. Each bin is a
// counter of a filter with one hash, and each ball is an item. The items of the first game are the numbers from 0 on, those of
// the second game the numbers from a million on, and so on.
"use strict";

live.widget("balls", class extends live.Widget {
  static title = "Ball drop";
  static defaults = { bins: "100", thrown: 0, game: 0 };
  asked = 100;

  build() {
    this.falling = [];
    this.grid = new live.Bits();
    this.picture = live.make("svg", { class: "live-drop", role: "img" });
    this.chart = new live.Chart();
    this.numbers = live.make("p", { class: "live-numbers" });
    const { asked } = this;
    const right = live.digits(asked * this.expected(asked)[asked], 2);
    this.view.append(
      this.guess(`${asked} balls fall into ${asked} bins. How many bins are hit?`, ["50", right, "86", "All of them"], 1,
        (taken) => this.verdict(taken), () => {
          this.set({ bins: String(asked), thrown: 0 });
          this.drop(asked);
        }),
      live.make("div", { class: "after" },
        this.choice("bins", "How many bins?", [["100", "100"], ["1000", "1,000"]])),
      this.picture, this.grid.element, this.numbers,
      live.make("div", { class: "after" },
        this.buttons({
          "Drop one": () => this.drop(1),
          "Drop 100": () => this.drop(100),
          "Drop all": () => this.drop(this.last()),
          "Another game": () => this.drop(0, this.state.game + 1),
        }),
        this.chart.element),
      this.lesson("If as many balls fall as there are bins, more than a third of the bins stay empty, because many balls fall where others are already; and the more bins there are, the closer one game stays to the expected curve."),
    );
  }

  // A game ends with three balls for each bin.
  last = () => 3 * this.state.bins;
  // A link may ask for any number of balls, so the number is limited. Before the guess there are no balls, because they would
  // give away the answer.
  thrown = () => this.state.guess === "" ? 0 : Math.min(Math.max(0, Math.floor(this.state.thrown)), this.last());
  first = () => 1e6 * Math.min(Math.max(0, Math.floor(this.state.game)), 1e6);

  // The share of bins that are expected to be hit after each ball.
  expected(bins) {
    return this.crates.curve("exact", 3 * bins, 3 * bins, bins, 1).map(([, , fill]) => fill);
  }

  // The share of bins that are hit after each ball of this game, measured and expected.
  played() {
    const [bins, first] = [Number(this.state.bins), this.first()];
    if (this.game?.bins !== bins || this.game.first !== first) {
      this.game?.filter.free();
      const filter = this.crates.filter("counting", bins, 1);
      const [measured, bin] = [[0], []]; // the bin of each ball
      for (let ball = 0, before = filter.cells(); ball < this.last(); ball += 1) {
        filter.insertNumbers(first + ball, first + ball + 1);
        measured.push(filter.fill());
        const after = filter.cells();
        bin.push(after.findIndex((count, at) => count > before[at]));
        before = after;
      }
      this.game = { bins, first, filter, measured, bin, expected: this.expected(bins) };
    }
    return this.game;
  }

  // The balls of every bin after `thrown` balls of the game.
  balls(thrown) {
    const { filter, first } = this.played();
    filter.clear();
    filter.insertNumbers(first, first + thrown);
    return filter.cells();
  }

  // Drops more balls; after the last ball the game starts again. Each ball is let go a little later than the ball before, and
  // falls for half a second.
  drop(more, game = this.state.game) {
    const from = this.thrown() === this.last() && more > 0 ? 0 : this.thrown();
    const to = Math.min(from + more, this.last());
    const [flight, all] = [30, Math.min(90, 3 * (to - from))];
    const letGo = (ball) => (all * (ball - from)) / (to - from);
    this.set({ game, thrown: from });
    let time = 0;
    this.animate(() => {
      time += 1;
      let thrown = from;
      while (thrown < to && letGo(thrown) + flight <= time) thrown += 1;
      this.falling = [];
      for (let ball = thrown; ball < to && letGo(ball) < time; ball += 1) this.falling.push([ball, (time - letGo(ball)) / flight]);
      this.set({ thrown });
      return thrown < to;
    });
  }

  stop() {
    super.stop();
    this.falling = [];
  }

  // Draws the bins side by side, in two rows on a phone, with their balls on one another. A falling ball is drawn on its way to
  // its place.
  draw(balls, thrown) {
    const { bins, bin } = this.played();
    const { make } = live;
    const width = this.view.clientWidth > 500 ? 700 : 350;
    const columns = width / 7;
    const high = 80;
    const place = (at, level) => [(at % columns) * 7 + 3.5, (Math.floor(at / columns) + 1) * high - 4.5 - 7 * level];
    const parts = [];
    const levels = new Map();
    balls.forEach((count, at) => {
      const [x, y] = place(at, 0);
      parts.push(make("line", { class: count > 0 ? "floor" : "floor empty", x1: x - 3, x2: x + 3, y1: y + 4.5, y2: y + 4.5 }));
      for (let level = 0; level < count; level += 1) {
        const [cx, cy] = place(at, level);
        const last = thrown > 0 && at === bin[thrown - 1] && level === count - 1;
        parts.push(make("circle", { class: last ? "ball last" : "ball", cx, cy, r: 3.3 }));
      }
    });
    for (const [ball, part] of this.falling) {
      const at = bin[ball];
      const level = levels.get(at) ?? balls[at];
      levels.set(at, level + 1);
      const [cx, cy] = place(at, level);
      const top = Math.floor(at / columns) * high - 4;
      parts.push(make("circle", { class: "ball", cx, cy: top + (cy - top) * part * part, r: 3.3 }));
    }
    this.picture.setAttribute("viewBox", `0 0 ${width} ${(bins / columns) * high}`);
    this.picture.setAttribute("aria-label", `${live.many(bins, "bin")}, ${live.count(balls.filter((count) => count > 0).length)} hit`);
    this.picture.replaceChildren(...parts);
  }

  verdict(taken) {
    const { asked } = this;
    const expected = live.digits(asked * this.expected(asked)[asked]);
    const tempting = ["50 would be right if every second ball fell where another is. ", "", `${live.digits(asked * this.expected(asked)[2 * asked])} are expected to be hit by ${live.count(2 * asked)} balls. `,
      `All would be right if no two balls fell into one bin. `][taken] ?? "";
    return `${tempting}Of ${asked} bins, ${expected} are expected to be hit. Drop them again in another game, or into more bins.`;
  }

  show() {
    const thrown = this.thrown();
    const { bins, measured, bin, expected } = this.played();
    const balls = this.balls(thrown);
    const hit = balls.filter((count) => count > 0).length;
    // A thousand bins are drawn as squares without balls, because there is no room for balls.
    const small = bins > 256;
    [this.picture.style.display, this.grid.element.hidden] = [small ? "none" : "", !small];
    if (small) this.grid.show(balls, { height: 160, marked: thrown > 0 ? [bin[thrown - 1]] : [], label: `${live.many(bins, "bin")}, ${live.count(hit)} hit` });
    else this.draw(balls, thrown);
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
