// Memory race: what a set takes in five forms, as its items, their length and the rate are dragged.
"use strict";

live.widget("memory", class extends live.Widget {
  static title = "Memory race";
  static defaults = { items: 100_000_000, length: 50, rate: 0.01 };

  build() {
    const powers = Array.from({ length: 7 }, (_, at) => Number(`1e${at + 3}`));
    const items = [...powers.flatMap((power) => [power, 2 * power, 5 * power]), 1e10];
    const rates = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
    const [lowest] = rates;
    this.bars = new live.Bars();
    this.compared = live.make("p", { class: "live-numbers" });
    this.view.append(
      live.make("p", {}, "A set of URLs in five forms, with the bits that each takes for one URL."),
      this.guess(`The texts are the largest while the others may be wrong ${this.often(this.defaults.rate)}. Which is the largest if they may be wrong only ${this.often(lowest)}?`,
        ["The texts", "One bit set for each URL", "The Bloom filter"], 1,
        () => this.verdict(lowest), () => this.set({ rate: lowest })),
      live.make("div", { class: "after" },
        this.slider("items", "URLs", { values: items }),
        this.slider("length", "Characters of a URL", { min: 10, max: 200, step: 5 }),
        this.slider("rate", "May be wrong", { values: rates, text: this.often })),
      this.bars.element, this.compared,
      this.lesson("What a Bloom filter takes depends on how many items there are and how often it may be wrong, never on how long the items are; and ten times fewer mistakes cost fewer than 5 bits per item."),
    );
  }

  often = (rate) => `once in ${live.count(1 / rate)}`;

  // Bits of each form, and the hashes of the filter.
  sizes({ items, length, rate }) {
    const [texts, hashes, shortest, single, filter, k] = this.crates.sizes(items, length, rate);
    return { texts, hashes, shortest, single, filter, k };
  }

  verdict(rate) {
    const usual = this.sizes(this.defaults);
    const { texts, single, filter } = this.sizes({ ...this.defaults, rate });
    const bytes = this.bytes(filter);
    return `The largest is one bit set for each URL: to be wrong ${this.often(rate)}, it takes ${bytes(single)}, and the texts ${bytes(texts)}. The filter takes ${bytes(filter)}, ${live.digits(filter / usual.filter, 2)} times as much as for ${this.often(this.defaults.rate)}.`;
  }

  // One unit for all: the largest in which the smallest of them is not below 0.1.
  bytes(smallest) {
    const units = ["bytes", "KB", "MB", "GB", "TB"];
    const sizes = units.map((unit, at) => ({ unit, bits: 8 * Number(`1e${3 * at}`) }));
    const { unit, bits } = sizes.findLast((size) => smallest >= 0.1 * size.bits) ?? sizes[0];
    return (size) => `${live.digits(size / bits)} ${unit}`;
  }

  show() {
    const { items, length } = this.state;
    const { texts, hashes, shortest, single, filter, k } = this.sizes(this.state);
    const bytes = this.bytes(filter);
    const each = (size) => live.digits(Number((size / items).toFixed(1)), 6);
    const bar = (name, value) => ({ name: `${name}: ${each(value)} bits`, value, text: bytes(value) });
    this.bars.show([bar("Texts", texts), bar("8-byte hashes", hashes), bar("Shortest fingerprints", shortest),
      bar("One bit set", single), bar("Bloom filter", filter)], { cut: true });
    const times = (size) => live.digits(size / filter, 2);
    this.compared.textContent = `For ${live.count(items)} URLs of ${length} characters, the Bloom filter (${live.many(k, "hash", "hashes")}) is ${times(texts)} times smaller than the texts, and ${times(shortest)} times smaller than the shortest fingerprints that are wrong no more often.`;
    this.announce(this.compared.textContent);
  }
});
