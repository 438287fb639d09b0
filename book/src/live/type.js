// The widget “type”: a hash makes a number from the letters of a word; three of the number's four parts choose one bit each.
"use strict";

live.widget("type", class extends live.Widget {
  static title = "A word becomes positions";
  // `at` is a moment of the animation: 0 is before the first letter, and 100 is after the last bit.
  static defaults = { words: "ant,bee,cat", word: "dog", at: 100 };
  static some = "ant bee cat dog elk fox gnu hen ibis jay kite lynx mole newt owl pig quail rat seal toad".split(" ");
  // The moments at which the letters are hashed, the number is cut, its parts are scaled, and the parts have fallen.
  static moments = { hashed: 40, cut: 52, scaled: 70, fallen: 100 };
  most = 40;
  bits = 64;
  hashes = 3;

  build() {
    this.filter = this.crates.filter("classic", this.bits, this.hashes);
    this.grid = new live.Bits();
    this.grid.show(this.filter.cells());
    this.input = live.make("input", {
      type: "text", dir: "auto", maxlength: this.most, placeholder: "any word", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      onfocus: () => this.input.select(), oninput: () => this.type(this.clean(this.input.value)),
    });
    const form = live.make("form", { class: "live-row", onsubmit: (event) => this.add(event) },
      live.make("label", {}, "Type a word ", this.input), live.make("button", {}, "Add it"));
    this.verdict = live.make("p", { class: "live-verdict" });
    this.added = live.make("p");
    this.numbers = live.make("p", { class: "live-numbers" });
    const past = this.crates.curve("exact", 40, 40, this.bits, this.hashes).find(([, rate]) => rate > 0.1)[0];
    this.picture = live.make("svg", { class: "live-mill", "aria-hidden": "true" });
    this.room = live.make("div", { class: "live-mill-room" });
    // At first the reader can only type a word. Everything else appears after that.
    this.more = live.make("div", { hidden: true },
      this.buttons({
        "Find a false positive for my word": () => this.look(),
        "Add five animals": () => this.addAnimals(),
      }),
      this.guess("How many words can go in until one in ten of all other words is a false positive?", ["6", String(past), "31"], 1,
        (taken) => `${this.tempting(taken)}With ${past} words in ${this.bits} bits, more than one in ten of all other words is expected to be found. Add some and watch.`),
      this.added,
      this.lesson("A no is always right; but every word that goes in sets bits, so the more words are in, the less a yes means."));
    this.view.append(
      live.make("div", { class: "live-word" }, form, this.room, this.grid.element, this.picture),
      this.slider("at", "From letters to bits", { max: 100, text: (at) => this.stage(at) }),
      this.verdict, this.numbers, this.more,
    );
  }

  // Replaces commas by spaces, and cuts a word to the length of the input field, without half a surrogate pair at its end.
  clean = (word) => word.replaceAll(",", " ").trim().slice(0, this.most).replace(/[\ud800-\udbff]$/, "");
  words = () => [...new Set(this.state.words.split(",").map(this.clean).filter(Boolean))];
  // What a reader sees as one letter may be several characters.
  letters = (word) => (Intl.Segmenter ? Array.from(new Intl.Segmenter().segment(word), ({ segment }) => segment) : [...word]);

  stage(at) {
    const { hashed, cut, scaled, fallen } = this.constructor.moments;
    return at < hashed ? "the letters" : at < cut ? "the number" : at < scaled ? "its quarters" : at < fallen ? "the bits" : "the answer";
  }

  // Returns why a wrong guess is wrong.
  tempting = (taken) => ["6 words would set at most 18 bits, and a false positive needs three of them at once. ", "",
    `31 words would set ${31 * this.hashes} bits if no two shared one, and there are only ${this.bits}: most bits are set by then. `][taken] ?? "";

  // Plays the animation from a moment to its end, when the added words are in. With reduced motion, goes to the end at once.
  play(from, changes, adding) {
    this.adding = adding;
    this.set({ ...changes, at: from });
    this.animate(() => {
      this.set({ at: Math.min(100, this.state.at + (this.state.at < this.constructor.moments.hashed ? 1 : 0.8)) });
      return this.state.at < 100;
    });
  }

  // Plays the animation for a new word: from its first new letter if it begins with the word before, or else from its number.
  type(word) {
    const before = this.clean(this.state.word);
    const { hashed } = this.constructor.moments;
    const grows = word.length > before.length && word.startsWith(before);
    this.play(grows ? (hashed * this.letters(before).length) / this.letters(word).length : hashed, { word });
  }

  insert(words) {
    const added = words.filter((word) => !this.words().includes(word));
    this.play(this.constructor.moments.scaled, { words: [...this.words(), ...added].join(",") }, added);
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

  // Makes up words until one has the same bits as the reader's word. The next click on the button searches on from there.
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
    this.set({ words: [...new Set([...this.words(), name])].join(",") });
    this.play(0, { word: spell(number) });
    this.input.focus();
  }

  again() {
    this.more.hidden = true;
    super.again();
    this.input.select();
  }

  // Draws a moment of the animation: the letters, the hash of the letters so far, and its quarters on their way to the bits.
  draw(word, cells, isAsked) {
    const { make } = live;
    const { hashed, cut, scaled, fallen } = this.constructor.moments;
    const { at } = this.state;
    const part = (from, to) => Math.min(1, Math.max(0, (at - from) / (to - from)));
    const box = this.picture.parentElement.getBoundingClientRect();
    const room = this.room.getBoundingClientRect();
    const [width, top] = [box.width, room.top - box.top];
    this.picture.setAttribute("viewBox", `0 0 ${width} ${box.height}`);
    if (!word) {
      const lines = ["The letters of a word become a number,", "and the number bits."];
      this.picture.replaceChildren(...lines.map((line, at) => make("text", { class: "hint", x: width / 2, y: top + 80 + 20 * at }, line)));
      return [];
    }
    const [parts, letters] = [[], this.letters(word)];
    // A letter falls into the box of the hash, and from then on the number is the hash of the letters up to this one.
    const through = part(0, hashed) * letters.length;
    const step = Math.min(22, (width - 20) / letters.length);
    const style = `font-size: ${(19 / 22) * step}px`;
    const way = getComputedStyle(this.input).direction === "rtl" ? -step : step;
    letters.forEach((letter, index) => {
      const here = Math.min(1, Math.max(0, through - index));
      const from = width / 2 + (index - (letters.length - 1) / 2) * way;
      parts.push(make("text", { style, class: `letter ${here >= 1 ? "done" : ""}`, x: from, y: top + 16 }, letter));
      const falling = { style, class: "letter", x: from + (width / 2 - from) * here, y: top + 16 + 30 * here, opacity: 1 - here / 2 };
      if (here > 0 && here < 1) parts.push(make("text", falling, letter));
    });
    const many = Math.floor(through + 1e-9);
    parts.push(make("rect", { class: "hash", x: width / 2 - 42, y: top + 30, width: 84, height: 26, rx: 13 }),
      make("text", { class: "label", x: width / 2, y: top + 47 }, "hash"));
    const quarters = this.crates.quarters(letters.slice(0, many).join(""));
    const apart = part(cut - 12, cut);
    const ends = quarters.map((_, index) => (width * (2 * index + 1)) / (2 * this.hashes));
    const place = (index) => {
      if (index >= this.hashes) return place(this.hashes - 1) + 50;
      const together = width / 2 + (index - 1.5) * 50;
      return together + (ends[index] - together) * apart;
    };
    quarters.forEach((quarter, index) => {
      const opacity = index < this.hashes ? 1 : Math.max(0, 1 - 2 * apart);
      if (many > 0) parts.push(make("text", { class: "digits", x: place(index), y: top + 84, opacity }, quarter.toString(16).padStart(4, "0")));
    });
    // A quarter divided by 65,536 is a fraction, and the bit is at this fraction of all bits.
    const grown = part(cut, scaled);
    const targets = quarters.slice(0, this.hashes).map((quarter) => Math.floor((quarter * this.bits) / 65536));
    // Digits are cut off, not rounded, because the position is the number before the point.
    const truncated = (number, digits) => number.toFixed(10).slice(0, digits - 10);
    if (at > cut) {
      const words = width < 420 ? "" : " of the way";
      targets.forEach((_, index) => {
        const fraction = quarters[index] / 65536;
        parts.push(make("text", { class: "label", x: ends[index], y: top + 104, opacity: Math.min(1, 2 * grown) }, `${truncated(fraction, 4)}${words}`),
          make("text", { class: "label", x: ends[index], y: top + 122, opacity: Math.max(0, 2 * grown - 1) }, `× ${this.bits} = ${truncated(fraction * this.bits, 2)}`));
      });
    }
    // The quarters fall on their bits one after another. A query ends at the first bit that is 0.
    const reached = [];
    const last = isAsked ? targets.findIndex((target) => cells[target] === 0) : -1;
    targets.forEach((target, index) => {
      if (last >= 0 && index > last) return;
      const fall = part(scaled + ((fallen - scaled) * index) / this.hashes, scaled + ((fallen - scaled) * (index + 1)) / this.hashes);
      if (fall === 0) return;
      const cell = this.grid.element.children[target].getBoundingClientRect();
      const [x1, y1] = [ends[index], top + 130];
      const [x2, y2] = [(cell.left + cell.right) / 2 - box.left, cell.top - box.top];
      const [x, y] = [x1 + (x2 - x1) * fall, y1 + (y2 - y1) * fall * fall];
      parts.push(make("line", { class: "way", x1, y1, x2: x, y2: y }));
      if (fall < 1) parts.push(make("circle", { class: "ball", cx: x, cy: y, r: 6 }));
      else reached.push(target);
    });
    this.picture.replaceChildren(...parts);
    return reached;
  }

  show() {
    const { filter } = this;
    const { at } = this.state;
    const word = this.clean(this.state.word);
    const words = this.words();
    const isEnd = at >= 100;
    if (isEnd) this.adding = undefined;
    if (document.activeElement !== this.input || this.clean(this.input.value) !== word) this.input.value = word;
    filter.clear();
    for (const one of words) if (!this.adding?.includes(one)) filter.insert(one);
    const before = filter.cells();
    const isAsked = !this.adding?.includes(word);
    const reached = this.draw(word, before, isAsked);
    for (const one of this.adding ?? []) if (one !== word) filter.insert(one);
    const cells = filter.cells();
    if (!isAsked) for (const position of reached) cells[position] = 1;
    const positions = word ? filter.positions(word) : [];
    const clear = positions.filter((position) => cells[position] === 0);
    const isFalse = isEnd && word && clear.length === 0 && !words.includes(word);
    const read = isEnd ? positions.filter((position) => reached.includes(position)) : reached;
    this.grid.show(cells, { marked: read, wrong: isFalse ? positions : [] });
    const list = (numbers) => numbers.join(", ").replace(/, (\d+)$/, " and $1");
    const [bits, areSet] = positions.length === 1 ? ["bit", "is 1"] : ["bits", "are all 1"];
    const { hashed, cut, scaled } = this.constructor.moments;
    this.verdict.textContent = !word ? `Each word sets up to ${this.hashes} of these ${this.bits} bits. Blue bits are set. A word whose bits are all set is found.`
      : at < hashed ? `The hash makes one number of all letters, and each letter changes it.`
      : at < cut ? `“${word}” has this number, always the same. Each of its parts looks random.`
      : at < scaled ? `Each of the first three parts says how far along the ${this.bits} bits its bit is.`
      : !isEnd ? (isAsked ? "A query reads one bit after another, and ends at the first 0." : "An insertion sets each of them to 1.")
      : clear.length > 0 ? `Bit ${reached.at(-1)} of “${word}” is 0: certainly not added. ${reached.length < this.hashes ? "The query ends there." : ""}`
      : words.includes(word) ? `“${word}” has ${bits} ${list(positions)}, which ${areSet}: perhaps added. It was.`
      : `“${word}” has ${bits} ${list(positions)}, which ${areSet}: perhaps added. It was not: a false positive.`;
    this.verdict.classList.toggle("wrong", Boolean(isFalse));
    this.more.hidden &&= Object.entries(this.defaults).every(([key, value]) => key === "at" || this.state[key] === value);
    if (!isAsked) filter.insert(word);
    this.numbers.textContent = `${live.many(words.length, "word")} in, ${live.share(filter.fill())} of the bits set. Of all other words, ${live.share(filter.rate())} would be false positives.`;
    const spelled = words.map((one) => (words.length > 5 ? one : `${one} (${filter.positions(one).join(", ")})`));
    this.added.textContent = words.length > 0 ? `Added: ${spelled.join(", ")}` : "Nothing is added yet.";
    if (isEnd) this.announce(`${this.verdict.textContent} ${this.numbers.textContent}`);
  }
});
