// Twins: the positions a + ib of double hashing as a star on a ring, beside those of enhanced double hashing.
"use strict";

live.widget("twins", class extends live.Widget {
  static title = "Twins";
  static defaults = { m: "16", a: 5, b: 3, k: 6 };
  static schemes = { modular: "Double hashing: a + ib", enhanced: "Enhanced: a + ib + (i³ − i)/6" };

  build() {
    this.rings = Object.entries(this.constructor.schemes).map(([scheme, title]) => {
      const picture = live.make("svg", { viewBox: "0 8 320 220", role: "img" });
      const text = live.make("p", { class: "live-numbers" });
      const part = live.make("div", {}, live.make("p", {}, live.make("b", {}, title)), picture, text);
      return { scheme, picture, text, part };
    });
    this.all = live.make("p", { class: "live-numbers" });
    const max = () => Number(this.state.m) - 1;
    const buttons = this.buttons({
      "Show the twin": () => this.turn(),
      "Step 0": () => this.set({ b: 0 }),
      "Half way round": () => this.set({ b: Math.floor(Number(this.state.m) / 2) }),
    });
    [this.twin] = buttons.children;
    this.view.append(
      this.guess("A filter of 16 bits, drawn as a ring. The step b is 8. How many different positions do 6 hashes have?", ["6", "3", "2"], 2, () => {
        const places = this.positions("modular", 5, 8, 16, 6);
        return `Only ${new Set(places).size}: the positions from a = 5 on are ${places.join(", ")}. Try other steps.`;
      }, () => this.set({ ...this.constructor.defaults, b: 8 })),
      live.make("div", { class: "after" },
        this.choice("m", "Positions m", [["16", "16 = 2·2·2·2"], ["13", "13, a prime"], ["12", "12 = 2·2·3"]]),
        this.slider("a", "First position a", { max }),
        this.slider("b", "Step b", { max }),
        this.slider("k", "Hashes k", { min: 2, max: 7 }),
        buttons),
      live.make("div", { class: "live-rings" }, ...this.rings.map(({ part }) => part)),
      live.make("div", { class: "after" }, this.all),
      this.lesson("Double hashing reaches each of its patterns from both ends, a from one and a + (k − 1)b from the other, so two items set the same bits more often than independent positions would; from four hashes on, the cubic term breaks the mirror."),
    );
  }

  positions = (scheme, a, b, m, k) => this.crates.derived(scheme, a, b, m, k);
  setOf = (positions) => [...new Set(positions)].sort((one, other) => one - other);

  // All pairs (a, b) of a scheme by the set of their positions.
  families(scheme, m, k) {
    const key = [scheme, m, k].join();
    this.known ??= {};
    if (this.known[key]) return this.known[key];
    const families = new Map();
    for (let a = 0; a < m; a += 1) for (let b = 0; b < m; b += 1) {
      const set = this.setOf(this.positions(scheme, a, b, m, k)).join();
      families.set(set, [...(families.get(set) ?? []), [a, b]]);
    }
    return (this.known[key] = families);
  }

  // All pairs with the positions of this one.
  family() {
    const { a, b, k } = this.state;
    const m = Number(this.state.m);
    const set = this.setOf(this.positions("modular", a, b, m, k)).join();
    return this.families("modular", m, k).get(set);
  }

  // The next pair with the same positions.
  turn() {
    const { a, b } = this.state;
    const family = this.family();
    const at = family.findIndex((pair) => pair[0] === a && pair[1] === b);
    const [nextA, nextB] = family[(at + 1) % family.length];
    this.set({ a: nextA, b: nextB });
  }

  draw(picture, m, positions, label) {
    const { make } = live;
    const point = (at, radius) => {
      const turn = (2 * Math.PI * at) / m;
      return [160 + radius * Math.sin(turn), 118 - radius * Math.cos(turn)];
    };
    const parts = [make("circle", { class: "ring", cx: 160, cy: 118, r: 78 }),
      make("polyline", { class: "star", points: positions.map((at) => point(at, 78).join()).join(" ") })];
    for (let at = 0; at < m; at += 1) {
      const [x, y] = point(at, 78);
      const here = positions.flatMap((one, number) => (one === at ? [`#${number + 1}`] : []));
      parts.push(make("circle", { class: here.length > 0 ? "place set" : "place", cx: x, cy: y, r: 11 }));
      parts.push(make("text", { class: here.length > 0 ? "set" : "", x, y: y + 4, "text-anchor": "middle" }, at));
      if (here.length === 0) continue;
      const [outX, outY] = point(at, 96);
      const side = Math.abs(outX - 160) < 20 ? "middle" : outX > 160 ? "start" : "end";
      parts.push(make("text", { class: "hash", x: outX, y: outY + 5, "text-anchor": side },
        here.length === positions.length ? "all" : here.join(" ")));
    }
    picture.setAttribute("aria-label", label);
    picture.replaceChildren(...parts);
  }

  show() {
    const { a, b, k } = this.state;
    const m = Number(this.state.m);
    // Before the guess the rings are empty.
    if (this.state.guess === "") {
      for (const { picture, text } of this.rings) {
        this.draw(picture, m, [], `A ring of ${m} positions`);
        text.textContent = "";
      }
      return;
    }
    const shares = [];
    for (const { scheme, picture, text } of this.rings) {
      const positions = this.positions(scheme, a, b, m, k);
      const set = this.setOf(positions);
      const families = this.families(scheme, m, k);
      const others = families.get(set.join()).filter((pair) => pair[0] !== a || pair[1] !== b);
      const pairs = others.slice(0, 3).map((pair) => `(${pair.join(", ")})`).join(", ");
      const common = (other) => other.split(",").filter((at) => set.includes(Number(at))).length;
      const near = [...families].flatMap(([other, family]) => (common(other) === k - 1 ? family : [])).length;
      this.draw(picture, m, positions, `A ring of ${m} positions with those of #1 to #${k} set: ${positions.join(", ")}`);
      text.textContent = `${live.many(set.length, "different position")}: ${positions.join(", ")}. `
        + (others.length === 0 ? "No other pair (a, b) sets the same." : `${live.many(others.length, "other pair")} (a, b) ${others.length === 1 ? "sets" : "set"} the same: ${pairs}${others.length > 3 ? ", …" : "."}`)
        + (set.length === k ? ` ${live.many(near, "pair")} ${near === 1 ? "has" : "have"} all but one of them.` : "");
      const twins = [...families.values()].filter((family) => family.length > 1).flat().length;
      shares.push(`${twins} of all ${m * m}`);
    }
    this.all.textContent = `Pairs (a, b) that share all their positions with another one: ${shares[0]} with double hashing, ${shares[1]} with enhanced double hashing.`;
    this.twin.disabled = this.family().length === 1;
    this.announce(`${this.rings.map(({ text }) => text.textContent).join(" Enhanced: ")} ${this.all.textContent}`);
  }
});
