// The widget “twins”: draws the m positions of a filter as a ring, and on it as a star the positions a + ib that double hashing
// gives an item. Beside it are those of enhanced double hashing. Two pairs (a, b) with the same positions are twins.
"use strict";

live.widget("twins", class extends live.Widget {
  static title = "Twins";
  static defaults = { m: "16", a: 5, b: 3, k: 6 };
  static schemes = { modular: ["Double hashing", "a + ib"], enhanced: ["Enhanced", "a + ib + (i³ − i)/6"] };
  // Sizes in a wide window and on a phone: width and height of the picture of a ring, and the radius of the ring, of the circle
  // for each position, and of the circle on which the names of the hashes stand. On a phone, too, the two rings are side by
  // side.
  static sizes = { wide: [320, 220, 78, 11, 96], narrow: [160, 156, 52, 9, 65] };

  build() {
    const { make } = live;
    this.rings = Object.entries(this.constructor.schemes).map(([scheme, [name, rule]]) => {
      const picture = make("svg", { role: "img" });
      const part = make("div", {}, make("p", {}, make("b", {}, `${name}:`), ` ${rule}`), picture);
      const text = make("span", { class: "said" });
      return { scheme, picture, part, text, said: make("p", { class: "live-numbers" }, make("b", {}, `${name}: `), text) };
    });
    this.all = live.make("p", { class: "live-numbers" });
    const max = () => Number(this.state.m) - 1;
    const buttons = this.buttons({
      "Show the twin": () => this.turn(),
      "Step 0": () => this.set({ b: 0 }),
      "Half way": () => this.set({ b: Math.floor(Number(this.state.m) / 2) }),
    });
    [this.twin] = buttons.children;
    this.view.append(
      this.guess("A filter of 16 bits, drawn as a ring. The step b is 8. How many different positions do 6 hashes have?", ["6", "3", "2"], 2, (taken) => {
        const places = this.positions("modular", 5, 8, 16, 6);
        return `${this.tempting(taken, places)}Only ${new Set(places).size}: the positions from a = 5 on are ${places.join(", ")}. Try other steps.`;
      }, () => this.set({ ...this.constructor.defaults, b: 8 })),
      live.make("div", { class: "live-rings" }, ...this.rings.map(({ part }) => part)),
      live.make("div", { class: "after" },
        this.choice("m", "Positions m", [["16", "16"], ["13", "13, prime"], ["12", "12"]]),
        this.slider("a", "First position a", { max }),
        this.slider("b", "Step b", { max }),
        this.slider("k", "Hashes k", { min: 2, max: 7 }),
        buttons),
      live.make("div", { class: "live-ringed after" }, ...this.rings.map(({ said }) => said), this.all),
      this.lesson("Double hashing sets the same positions from a with step b and from a + (k − 1)b with step −b, so two items set the same bits more often than independent positions would; from four hashes on, the cubic term breaks the mirror."),
    );
  }

  // Returns why a wrong guess is wrong.
  tempting(taken, places) {
    if (taken === 0) return `6 would be right if no position came twice, as with a step of 3: ${this.positions("modular", 5, 3, 16, 6).join(", ")}. `;
    if (taken === 1) return `${places.filter((one) => one === places[0]).length} is the number of hashes that fall on each position. `;
    return "";
  }

  positions = (scheme, a, b, m, k) => this.crates.derived(scheme, a, b, m, k);
  setOf = (positions) => [...new Set(positions)].sort((one, other) => one - other);

  // Returns a map from each set of positions to all pairs (a, b) that have exactly these positions.
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

  // All pairs with the same positions as the pair that is shown.
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
    const isNarrow = this.view.clientWidth < 500;
    const [width, height, ring, place, outside] = this.constructor.sizes[isNarrow ? "narrow" : "wide"];
    const [middle, centre] = [width / 2, height / 2];
    const point = (at, radius) => {
      const turn = (2 * Math.PI * at) / m;
      return [middle + radius * Math.sin(turn), centre - radius * Math.cos(turn)];
    };
    const parts = [make("circle", { class: "ring", cx: middle, cy: centre, r: ring }),
      make("polyline", { class: "star", points: positions.map((at) => point(at, ring).join()).join(" ") })];
    for (let at = 0; at < m; at += 1) {
      const [x, y] = point(at, ring);
      const here = positions.flatMap((one, number) => (one === at ? [number + 1] : []));
      parts.push(make("circle", { class: here.length > 0 ? "place set" : "place", cx: x, cy: y, r: place }));
      parts.push(make("text", { class: here.length > 0 ? "set" : "", x, y: y + 4, "text-anchor": "middle" }, at));
      if (here.length === 0) continue;
      const [outX, outY] = point(at, outside);
      const side = Math.abs(outX - middle) < 20 ? "middle" : outX > middle ? "start" : "end";
      // On a phone there is room for the name of one hash beside a position, and for two names above or below it.
      const isShort = isNarrow && here.length > (side === "middle" ? 2 : 1);
      const hashes = isShort ? `${here.length}×` : here.map((number) => `#${number}`).join(" ");
      parts.push(make("text", { class: "hash", x: outX, y: outY + 5, "text-anchor": side },
        here.length === positions.length ? "all" : hashes));
    }
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.classList.toggle("narrow", isNarrow);
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
        + (others.length === 0 ? "No other pair (a, b) sets the same." : `${live.many(others.length, "other pair")} (a, b) ${others.length === 1 ? "sets" : "set"} the same: ${pairs}${others.length > 3 ? ` and ${others.length - 3} more` : ""}.`)
        + (set.length === k ? ` ${live.many(near, "pair")} ${near === 1 ? "has" : "have"} all but one of them.` : "");
      const twins = [...families.values()].filter((family) => family.length > 1).flat().length;
      shares.push(`${twins} of all ${m * m}`);
    }
    this.all.textContent = `Pairs (a, b) that share all their positions with another one: ${shares[0]} with double hashing, ${shares[1]} with enhanced double hashing.`;
    this.twin.disabled = this.family().length === 1;
    this.announce(`${this.rings.map(({ said }) => said.textContent).join(" ")} ${this.all.textContent}`);
  }
});
