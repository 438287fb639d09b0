// The widget “field”: a Bloom filter of 4,096 bits with a thousand addresses. It shows which addresses set a bit. For an
// address that the reader queries, it shows the bits of the address, and for a false positive also which addresses set them.
"use strict";

live.widget("field", class extends live.Widget {
  static title = "The field: who set this bit?";
  static defaults = { n: 1000, ask: "page/1015", bit: 2098 };
  bits = 4096;
  hashes = 3;

  build() {
    this.filter = this.crates.filter("classic", this.bits, this.hashes);
    // The addresses that set each bit, by their numbers.
    this.setters = Array.from({ length: this.bits }, () => []);
    this.places = new Map();
    for (let number = 1; number <= this.defaults.n; number += 1) {
      const places = this.filter.positions(this.page(number));
      this.places.set(number, places);
      for (const bit of places) this.setters[bit].push(number);
    }
    const { n } = this.defaults;
    const set = this.setters.filter((numbers) => numbers.length > 0).length;
    this.near = 0;
    this.input = live.make("input", {
      type: "text", maxlength: 40, autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      onfocus: () => this.input.select(), oninput: () => this.ask(this.input.value.trim()),
    });
    const form = live.make("form", { class: "live-row", onsubmit: (event) => this.find(event) },
      live.make("label", {}, "Query ", this.input), live.make("button", {}, "Find a false positive"));
    this.picture = live.make("svg", { class: "live-ground", role: "img", onclick: (event) => this.touch(event),
      onpointermove: (event) => event.pointerType === "mouse" && this.touch(event) });
    this.verdict = live.make("p", { class: "live-verdict" });
    this.numbers = live.make("p", { class: "live-numbers" });
    this.who = live.make("p", { class: "live-who" });
    this.view.append(
      live.make("div", { class: "live-word" }, form), this.verdict, this.picture,
      this.slider("bit", "Bit in the small ring", { max: this.bits - 1 }), this.who,
      this.slider("n", "Addresses inserted", { max: this.defaults.n }),
      this.guess(`${live.count(n)} addresses set ${this.hashes} bits each. How many of the ${live.count(this.bits)} bits are 1?`,
        ["1,000", live.count(set), live.count(this.hashes * n)], 1, (taken) => this.tempting(taken, set)),
      live.make("div", { class: "after" }, this.numbers, this.buttons({ "Fill it from empty": () => this.fill() })),
      this.lesson("A bit does not record which address set it, and most bits are set. So an address that was never inserted can have all of its bits from others."),
    );
  }

  // Returns the text after a guess: why a wrong guess is wrong, and the right number.
  tempting(taken, set) {
    const all = live.count(this.hashes * this.defaults.n);
    if (taken === 0) return `1,000 would be right if each address set one bit, and no two the same. But each address set three bits, and ${live.count(set)} different bits are 1.`;
    const again = live.count(this.hashes * this.defaults.n - set);
    return `${taken === 2 ? `${all} would be right if no two addresses shared a bit. ` : ""}The addresses set a bit ${all} times: ${again} times it was 1 already, so only ${live.count(set)} different bits are 1.`;
  }

  page = (number) => `page/${number}`;
  numberOf = (word) => [...this.places.keys()].find((number) => this.page(number) === word);
  columns = () => (this.view.clientWidth > 500 ? 128 : 64);
  // The inserted addresses that set a bit.
  inBit = (bit) => this.setters[bit].filter((number) => number <= this.state.n);

  stop() {
    super.stop();
    this.near = 0;
  }

  // Queries an address, while rings shrink onto its bits.
  ask(word) {
    let left = 24;
    this.set({ ask: word });
    this.animate(() => {
      left -= 1;
      this.near = Math.max(0, left) / 24;
      this.show();
      return left > 0;
    });
  }

  // Queries the next address that was never inserted and is found.
  find(event) {
    event.preventDefault();
    const at = /^page\/(\d{1,9})$/.exec(this.state.ask);
    let number = Math.max(this.defaults.n, at ? Number(at[1]) : 0) + 1;
    const last = number + 1e5;
    while (number < last && !this.filter.contains(this.page(number))) number += 1;
    if (number < last) this.ask(this.page(number));
    else this.verdict.replaceChildren("None of the next 100,000 addresses is a false positive.");
  }

  fill() {
    this.set({ n: 0 });
    this.animate(() => {
      this.set({ n: Math.min(this.defaults.n, this.state.n + 5) });
      return this.state.n < this.defaults.n;
    });
  }

  touch({ clientX, clientY }) {
    const { left, top, width, height } = this.picture.getBoundingClientRect();
    const columns = this.columns();
    const within = (share, count) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
    const bit = within((clientY - top) / height, this.bits / columns) * columns + within((clientX - left) / width, columns);
    if (bit !== this.state.bit) this.set({ bit });
  }

  draw(cells, asked, isFalse) {
    const { make } = live;
    const columns = this.columns();
    const size = 8;
    const [width, height] = [columns * size, (this.bits / columns) * size];
    const corner = (bit) => [(bit % columns) * size, Math.floor(bit / columns) * size];
    const centre = (bit) => corner(bit).map((at) => at + size / 2);
    const shape = (places, name) => make("polygon", { class: name, points: places.map((bit) => centre(bit).join()).join(" ") });
    const path = [];
    cells.forEach((cell, bit) => cell && path.push(`M${corner(bit).join(" ")}h7v7h-7z`));
    const parts = [make("rect", { class: "ground", width, height }), make("path", { class: "set", d: path.join("") })];
    // A polygon for each address that set the bit in the small ring, through all bits of the address.
    for (const number of this.inBit(this.state.bit)) parts.push(shape(this.places.get(number), "touched"));
    // For each bit of a false positive, the first address that set this bit gets a polygon through all bits of the address.
    const culprits = new Set(isFalse ? asked.flatMap((bit) => this.inBit(bit).slice(0, 1)) : []);
    for (const number of culprits) parts.push(shape(this.places.get(number), "setter"));
    if (asked.length > 0) parts.push(shape(asked, isFalse ? "asked wrong" : "asked"));
    const ring = (bit, name, radius) => {
      const [cx, cy] = centre(bit);
      parts.push(make("circle", { class: name, cx, cy, r: radius }));
    };
    for (const bit of asked) ring(bit, `ring ${isFalse ? "wrong" : ""} ${cells[bit] ? "" : "clear"}`, 9 + 120 * this.near);
    ring(this.state.bit, "here", 6);
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.replaceChildren(...parts);
  }

  // A list of addresses, each a button that queries it.
  list(numbers) {
    const buttons = numbers.map((number) => live.make("button", { type: "button", class: "live-quiet", onclick: () => this.ask(this.page(number)) }, this.page(number)));
    return buttons.flatMap((button, at) => (at === 0 ? [button] : [at === buttons.length - 1 ? " and " : ", ", button]));
  }

  show() {
    const { filter, near } = this;
    const { n, bit } = this.state;
    const word = this.state.ask.trim();
    if (document.activeElement !== this.input || this.input.value.trim() !== word) this.input.value = this.state.ask;
    filter.clear();
    for (let number = 1; number <= n; number += 1) filter.insert(this.page(number));
    const cells = filter.cells();
    const asked = word ? filter.positions(word) : [];
    const own = this.numberOf(word);
    const isIn = own !== undefined && own <= n;
    const clear = asked.filter((one) => cells[one] === 0);
    const isFalse = word !== "" && clear.length === 0 && !isIn;
    this.draw(cells, asked, isFalse);
    const name = (one) => live.count(one);
    const listed = asked.map(name).join(", ").replace(/, ([\d,]+)$/, " and $1");
    if (!word) this.verdict.replaceChildren("Query an address, such as page/7.");
    else if (clear.length > 0) this.verdict.replaceChildren(`“${word}” has bits ${listed}. Bit ${name(clear[0])} is 0: certainly not inserted.`);
    else if (isIn) this.verdict.replaceChildren(`“${word}” has bits ${listed}, all 1: perhaps inserted. It was.`);
    else {
      this.verdict.replaceChildren(`“${word}” was never inserted, but others set its bits: `,
        ...asked.flatMap((one, at) => [`${at > 0 ? "; " : ""}${name(one)} by `, ...this.list(this.inBit(one))]), ". A false positive.");
    }
    this.verdict.classList.toggle("wrong", isFalse);
    const who = this.inBit(bit);
    this.who.replaceChildren(...(who.length > 0 ? [`Bit ${name(bit)} was set by `, ...this.list(who), "."] : [`Bit ${name(bit)} is 0: nobody has set it.`]));
    this.numbers.textContent = `${live.many(n, "address", "addresses")} inserted, ${live.share(filter.fill())} of ${live.count(this.bits)} bits set. Of all other addresses, ${live.share(filter.rate())} would be false positives.`;
    this.picture.setAttribute("aria-label", `${live.count(this.bits)} bits, ${live.count(cells.filter(Boolean).length)} set`);
    if (!near) this.announce(`${this.verdict.textContent} ${this.who.textContent} ${this.numbers.textContent}`);
  }
});
