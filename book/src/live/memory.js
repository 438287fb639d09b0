// The widget “memory”: a set of URLs is stored in five forms, from texts to a Bloom filter. Each form has 0.4 GB.
// Which form is full first, and which last?
"use strict";

live.widget("memory", class extends live.Widget {
  static title = "Memory race";
  static defaults = { items: 100_000_000, length: 50, rate: 0.01 };

  build() {
    const powers = Array.from({ length: 7 }, (_, at) => Number(`1e${at + 3}`));
    this.values = [...powers.flatMap((power) => Array.from({ length: 90 }, (_, at) => ((10 + at) * power) / 10)), 1e10];
    const rates = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
    const [lowest] = rates;
    this.bars = new live.Bars();
    this.places = live.make("p", { class: "live-verdict" });
    this.compared = live.make("p", { class: "live-numbers" });
    this.view.append(
      live.make("p", {}, `A set of URLs in five forms, with the bits that each takes for one URL. Each has ${live.bytes(live.memory)(live.memory)}: which holds the most?`),
      this.guess(`The texts are the largest while the others may be wrong ${this.often(this.defaults.rate)}. Which is the largest if they may be wrong only ${this.often(lowest)}?`,
        ["The texts", "One bit set for each URL", "The Bloom filter"], 1,
        (taken) => this.verdict(lowest, taken), () => this.set({ rate: lowest })),
      this.bars.element,
      this.slider("items", "URLs", { values: this.values }),
      this.buttons({ "Run the race": () => this.race() }), this.places,
      live.make("div", { class: "after" },
        this.slider("length", "Characters of a URL", { min: 10, max: 200, step: 5 }),
        this.slider("rate", "May be wrong", { values: rates, text: this.often })),
      this.compared,
      this.lesson("What a Bloom filter takes depends on how many items there are and how often it may be wrong, never on how long the items are; and a tenth of the rate costs fewer than 5 bits per item."),
    );
  }

  names = { texts: "Texts", hashes: "8-byte hashes", shortest: "Shortest fingerprints", single: "One bit set", filter: "Bloom filter" };
  often = (rate) => `once in ${live.count(1 / rate)}`;

  // Returns the bits that each form takes, and the hashes k of the Bloom filter.
  sizes({ items, length, rate }) {
    const [texts, hashes, shortest, single, filter, k] = this.crates.sizes(items, length, rate);
    return { texts, hashes, shortest, single, filter, k };
  }

  // How many URLs each form holds in the memory; the form that is full first comes first.
  held() {
    const { length, rate } = this.state;
    const key = `${length} ${rate}`;
    if (this.known?.key === key) return this.known.held;
    const held = Object.keys(this.names).map((form) => {
      let [low, high] = [1, 1e12];
      while (high - low > 1) {
        const items = Math.floor((low + high) / 2);
        if (this.sizes({ items, length, rate })[form] <= live.memory) low = items;
        else high = items;
      }
      return [form, low];
    }).sort((one, other) => one[1] - other[1]);
    this.known = { key, held };
    return held;
  }

  // URLs come in until the last form is full.
  race() {
    const last = this.held().at(-1)[1];
    const end = Math.max(0, this.values.findLastIndex((items) => items <= last)) + 1;
    let at = Math.max(0, end - 260);
    this.animate(() => {
      at = Math.min(end, at + 1.5);
      this.set({ items: this.values[Math.min(this.values.length - 1, Math.floor(at))] });
      return at < end;
    });
  }

  verdict(rate, taken) {
    const usual = this.sizes({ ...this.state, rate: this.defaults.rate });
    const { texts, single, filter } = this.sizes({ ...this.state, rate });
    const bytes = live.bytes(filter);
    const tempting = [`The texts are the largest only while the others may be wrong more often than about once in ${8 * this.state.length}. `, "", "A lower rate costs a filter little. "][taken] ?? "";
    return `${tempting}For ${live.count(this.state.items)} URLs, one bit set for each is the largest: to be wrong ${this.often(rate)}, it takes ${bytes(single)}, and the texts ${bytes(texts)}. The filter takes ${bytes(filter)}, ${live.digits(filter / usual.filter, 2)} times as much as for ${this.often(this.defaults.rate)}.`;
  }

  show() {
    const { items, length } = this.state;
    const { texts, hashes, shortest, single, filter, k } = this.sizes(this.state);
    const bytes = live.bytes(filter);
    const each = (size) => live.digits(Number((size / items).toFixed(1)), 6);
    const sizes = { texts, hashes, shortest, single, filter };
    this.bars.show(Object.entries(sizes).map(([form, value]) => ({
      name: `${this.names[form]}: ${each(value)} bits`, value, text: value > live.memory ? `${bytes(value)}, too much` : bytes(value), style: value > live.memory ? "wrong" : "",
    })), { limit: live.memory });
    const full = this.held().filter(([, held]) => held <= items);
    this.places.textContent = full.length === 0 ? "All have room for more."
      : `Full: ${full.map(([form, held]) => `${this.names[form]} at ${live.digits(held / 1e6)} million`).join(", ")}.`;
    const times = (size) => live.digits(size / filter, 2);
    this.compared.textContent = `For ${live.count(items)} URLs of ${length} characters, the texts take ${times(texts)} times as much memory as the Bloom filter (${live.many(k, "hash", "hashes")}), and the shortest fingerprints that are wrong no more often ${times(shortest)} times as much.`;
    this.announce(`${this.places.textContent} ${this.compared.textContent}`);
  }
});
