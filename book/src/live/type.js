// Type anything: the bits of a word light up as it is typed.
"use strict";

live.widget("type", class extends live.Widget {
  static title = "Type anything";
  static defaults = { words: "ant,bee,cat", word: "" };
  static some = "ant bee cat dog elk fox gnu hen ibis jay kite lynx mole newt owl pig quail rat seal toad".split(" ");
  bits = 64;
  hashes = 3;

  build() {
    this.filter = this.crates.filter("classic", this.bits, this.hashes);
    this.grid = new live.Bits();
    this.input = live.make("input", {
      type: "text", maxlength: 40, placeholder: "any word", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      oninput: () => this.set({ word: this.clean(this.input.value) }),
    });
    const form = live.make("form", { class: "live-row", onsubmit: (event) => this.add(event) },
      live.make("label", {}, "Type a word ", this.input), live.make("button", {}, "Add it"));
    this.verdict = live.make("p", { class: "live-verdict" });
    this.added = live.make("p");
    this.numbers = live.make("p", { class: "live-numbers" });
    const past = this.crates.curve("exact", 40, 40, this.bits, this.hashes).find(([, rate]) => rate > 0.1)[0];
    // The lines from the word to its bits.
    this.lines = live.make("svg", { class: "live-lines", "aria-hidden": "true" });
    this.view.append(
      live.make("div", { class: "live-word" }, form, this.grid.element, this.lines), this.verdict, this.numbers,
      this.buttons({
        "Find a false positive for my word": () => this.look(),
        "Add five animals": () => this.addAnimals(),
      }),
      this.guess("How many words can go in until one in ten of all others is found by mistake?", ["6", String(past), "31"], 1,
        () => `With ${past} words in ${this.bits} bits, more than one in ten of all others is expected to be found. Add some and watch.`),
      this.added,
      this.lesson("A no is always right; but every word that goes in sets bits, so the more words are in, the less a yes means."),
    );
  }

  clean = (word) => word.replaceAll(",", " ").trim();
  words = () => [...new Set(this.state.words.split(",").map((word) => word.trim()).filter(Boolean))];

  insert(words) {
    this.set({ words: [...new Set([...this.words(), ...words])].join(",") });
  }

  add(event) {
    event.preventDefault();
    const word = this.clean(this.state.word);
    if (word) this.insert([word]);
    this.input.select();
  }

  addAnimals() {
    const known = this.words();
    this.insert(this.constructor.some.filter((word) => !known.includes(word)).slice(0, 5));
  }

  // A filter with this word alone, and made-up words until one of them sets the same bits. Pressed again, it goes on.
  look() {
    const typed = this.clean(this.state.word);
    if (!this.made || typed !== this.made.word) this.made = { name: typed || this.words()[0] || "Bloom", number: 0 };
    const { name } = this.made;
    const alone = this.crates.filter("classic", this.bits, this.hashes);
    alone.insert(name);
    const all = alone.positions(name).length;
    const syllables = [..."bdfgklmnprstvz"].flatMap((first) => [..."aeiou"].map((then) => first + then));
    const spell = (number) => (number < syllables.length ? "" : spell(Math.floor(number / syllables.length))) + syllables[number % syllables.length];
    const known = [name, ...this.words()];
    const isTwin = (word) => alone.contains(word) && alone.positions(word).length === all && !known.includes(word);
    let number = Math.max(this.made.number + 1, syllables.length * syllables.length); // three syllables, then four
    while (!isTwin(spell(number))) number += 1;
    alone.free();
    this.made = { name, number, word: spell(number) };
    this.insert([name]);
    this.set({ word: spell(number) });
    this.input.focus();
  }

  connect(positions) {
    const { left, top } = this.lines.parentElement.getBoundingClientRect();
    const from = this.input.getBoundingClientRect();
    const [x, y] = [(from.left + from.right) / 2 - left, from.bottom - top];
    this.lines.replaceChildren(...positions.map((at) => {
      const cell = this.grid.element.children[at].getBoundingClientRect();
      return live.make("line", { x1: x, y1: y, x2: (cell.left + cell.right) / 2 - left, y2: cell.top - top });
    }));
  }

  show() {
    const { filter } = this;
    const word = this.clean(this.state.word);
    const words = this.words();
    if (document.activeElement !== this.input || this.clean(this.input.value) !== word) this.input.value = this.state.word;
    filter.clear();
    for (const one of words) filter.insert(one);
    const cells = filter.cells();
    const positions = word ? filter.positions(word) : [];
    const clear = positions.filter((at) => cells[at] === 0);
    const mistaken = word && clear.length === 0 && !words.includes(word);
    this.grid.show(cells, { marked: positions, wrong: mistaken ? positions : [] });
    this.connect(positions);
    const list = (numbers) => numbers.join(", ").replace(/, (\d+)$/, " and $1");
    const [bits, areSet] = positions.length === 1 ? ["bit", "is 1"] : ["bits", "are all 1"];
    this.verdict.textContent = !word ? `Each word sets up to ${this.hashes} of these ${this.bits} bits, by its hashes. Blue bits are set. As you type, the bits of your word are framed: a word whose bits are all set is found.`
      : clear.length > 0
        ? `“${word}” has ${bits} ${list(positions)}. ${clear.length === 1 ? "Bit" : "Bits"} ${list(clear)} ${clear.length === 1 ? "is" : "are"} 0: certainly not added.`
        : words.includes(word)
          ? `“${word}” has ${bits} ${list(positions)}, which ${areSet}: perhaps added. It was.`
          : `“${word}” has ${bits} ${list(positions)}, which ${areSet}: perhaps added. It was not: a false positive.`;
    this.verdict.classList.toggle("wrong", Boolean(mistaken));
    this.numbers.textContent = `${live.many(words.length, "word")} in, ${live.share(filter.fill())} of the bits set. Of all other words, ${live.share(filter.rate())} would be found by mistake.`;
    const spelled = words.map((one) => (words.length > 5 ? one : `${one} (${filter.positions(one).join(", ")})`));
    this.added.textContent = words.length > 0 ? `Added: ${spelled.join(", ")}` : "Nothing is added yet.";
    this.announce(`${this.verdict.textContent} ${this.numbers.textContent}`);
  }
});
