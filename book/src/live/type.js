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
    this.view.append(
      form, this.grid.element, this.verdict, this.numbers, this.added,
      this.buttons({
        "Find a false positive for my word": () => this.look(),
        "Add five animals": () => this.addAnimals(),
      }),
      this.guess("How many words can go in until one in ten of all others is found by mistake?", ["5", String(past), "40"], 1,
        () => `With ${past} words in ${this.bits} bits, more than one in ten of all others is expected to be found. Add some and watch.`),
      this.lesson("A no is always right; but every word that goes in sets bits, so the more words are in, the less a yes means."),
    );
  }

  clean = (word) => word.replaceAll(",", " ").trim();
  words = () => this.state.words.split(",").filter(Boolean);

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

  // A filter with this word alone, and made-up words until one of them sets the same bits.
  look() {
    const name = this.clean(this.state.word) || this.words()[0] || "Bloom";
    const alone = this.crates.filter("classic", this.bits, this.hashes);
    alone.insert(name);
    const syllables = [..."bdfgklmnprstvz"].flatMap((first) => [..."aeiou"].map((then) => first + then));
    const spell = (number) => (number < syllables.length ? "" : spell(Math.floor(number / syllables.length))) + syllables[number % syllables.length];
    const all = alone.positions(name).length;
    const isTwin = (word) => alone.contains(word) && alone.positions(word).length === all && word !== name;
    let number = syllables.length * syllables.length; // three syllables, then four
    while (!isTwin(spell(number))) number += 1;
    alone.free();
    this.insert([name]);
    this.set({ word: spell(number) });
    this.input.focus();
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
    const list = (numbers) => numbers.join(", ").replace(/, (\d+)$/, " and $1");
    const [bits, areSet] = positions.length === 1 ? ["bit", "is 1"] : ["bits", "are all 1"];
    this.verdict.textContent = !word ? "Its bits light up as you type."
      : clear.length > 0
        ? `“${word}” has ${bits} ${list(positions)}. ${clear.length === 1 ? "Bit" : "Bits"} ${list(clear)} ${clear.length === 1 ? "is" : "are"} 0: certainly not added.`
        : words.includes(word)
          ? `“${word}” has ${bits} ${list(positions)}, which ${areSet}: perhaps added. It was.`
          : `“${word}” has ${bits} ${list(positions)}, which ${areSet}: perhaps added. It was not: a false positive.`;
    this.verdict.classList.toggle("wrong", Boolean(mistaken));
    this.numbers.textContent = `${live.many(words.length, "word")} in, ${live.share(filter.fill())} of the bits set. Of all other words, ${live.share(filter.rate())} would be found by mistake.`;
    this.added.textContent = words.length > 0 ? `Added: ${words.join(", ")}` : "Nothing is added yet.";
    this.announce(`${this.verdict.textContent} ${this.numbers.textContent}`);
  }
});
