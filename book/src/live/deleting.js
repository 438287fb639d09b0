// The widget “deleting”: if a word is deleted by clearing its bits, another word is lost. With counters no word is lost.
"use strict";

live.widget("deleting", class extends live.Widget {
  static title = "Delete and lose";
  static defaults = { way: "bits", steps: "" };
  static ways = [["bits", "Bits"], ["counters", "Counters"]];
  // The words “ant” and “hen” share one of the 32 bits, “cat” and “emu” another, “hen” and “kite” a third.
  static words = ["ant", "cat", "emu", "hen", "kite"];
  bits = 32;
  hashes = 3;
  full = 15;

  build() {
    const { words, ways } = this.constructor;
    this.filters = {
      bits: this.crates.filter("classic", this.bits, this.hashes),
      counters: this.crates.filter("counting", this.bits, this.hashes),
    };
    this.positions = Object.fromEntries(words.map((word) => [word, this.filters.bits.positions(word)]));
    this.grid = new live.Bits();
    this.verdict = live.make("p", { class: "live-numbers" });
    this.rows = Object.fromEntries(words.map((word) => [word, this.row(word)]));
    const fill = this.buttons({
      "Insert ant 15 times more": () => this.step("ant", 15),
      "Remove ant 16 times": () => this.step("-ant", 16),
    });
    const choice = this.choice("way", "The filter has", ways);
    for (const part of [choice, fill]) part.classList.add("after");
    this.learned = this.lesson("A bit cannot tell how many words need it, so clearing it may lose one; a counter can, until it is full, and then it stays full.");
    const [others, asked] = [words.slice(1), live.make("span", {})];
    this.parts.push(() => (fill.hidden = !this.counts()), () => (asked.textContent = this.counts() ? "“ant” is removed from its counters" : "To delete “ant”, its bits are cleared"));
    this.view.append(
      this.guess(live.make("span", {}, "Five words are in. ", asked, ": which other word is lost?"), [...others, "none"],
        () => (!this.done() ? undefined : this.counts() ? others.length : others.findIndex((word) => this.shared(word).length > 0)), (taken) => this.answer(others, taken)),
      choice, this.grid.element,
      live.make("div", { class: "live-rows" }, ...Object.values(this.rows).map(({ element }) => element)),
      fill, this.verdict, this.learned,
    );
  }

  // A word with its bits, what the filter answers, and its buttons.
  row(word) {
    const [answer, places] = [live.make("span", { class: "answer" }), live.make("span", {}, `bits ${this.positions[word].join(", ")}`)];
    const remove = live.make("button", { type: "button", onclick: () => this.step(`-${word}`) });
    const insert = live.make("button", { type: "button", onclick: () => this.step(word) }, "Insert");
    insert.setAttribute("aria-label", `Insert ${word}`);
    const element = live.make("div", {}, live.make("b", {}, word), places, answer,
      live.make("span", { class: "live-buttons after" }, remove, insert));
    return { element, answer, remove };
  }

  answer(others, taken) {
    if (!this.done()) return `Now ${this.counts() ? "remove" : "clear the bits of"} “ant”, and look.`;
    const lost = others.filter((word) => this.shared(word).length > 0);
    if (this.counts()) return `With counters, no word is lost: the counter that “${lost.join("” and “")}” shares with “ant” counts both, and stays above 0.`;
    return `${this.tempting(others[taken])}With bits, “${lost.join("” and “")}” is lost: it shares bit ${this.shared(lost[0]).join(" and ")} with “ant”. No other word shares a bit with “ant”.`;
  }

  // Returns the text after a wrong guess: the word that shares a bit with the guessed word.
  tempting(word) {
    if (!word || this.shared(word).length > 0) return "";
    const other = this.constructor.words.find((one) => one !== word && this.shared(word, one).length > 0);
    return `“${word}” would be right if “${other}” were deleted: they share bit ${this.shared(word, other).join(" and ")}. `;
  }

  // The positions that a word shares with another word, by default with “ant”.
  shared = (word, other = "ant") => this.positions[word].filter((at) => this.positions[other].includes(at));

  counts = () => this.state.way === "counters";
  done = () => this.state.guess === "none" || this.steps().some(([name]) => name === "-ant");

  // Adds a step. The state lists the steps, such as ant:15,-ant: a word, with a minus if it is removed, and how often.
  step(name, times = 1) {
    const steps = this.steps();
    const last = steps.at(-1);
    if (last?.[0] === name) last[1] += times;
    else steps.push([name, times]);
    this.set({ steps: steps.map(([text, often]) => (often > 1 ? `${text}:${often}` : text)).join(",") });
  }

  steps() {
    const known = ([name]) => this.constructor.words.includes(name.replace(/^-/, ""));
    const parsed = this.state.steps.split(",").map((text) => text.split(":")).filter(known);
    return parsed.map(([name, often]) => [name, Math.min(Math.max(Math.floor(Number(often ?? 1)) || 1, 1), 99)]);
  }

  // Replays the steps. Returns the bits or counters, how often each word is in, and whether the last removal was refused.
  replay() {
    const { words } = this.constructor;
    const counting = this.counts();
    const filter = this.filters[this.state.way];
    filter.clear();
    for (const word of words) filter.insert(word);
    const inside = Object.fromEntries(words.map((word) => [word, 1]));
    // No filter can clear the bits of an item, so they are cleared in a copy.
    let cells = filter.cells();
    let refused = false;
    for (const [name, often] of this.steps()) for (let time = 0; time < often; time += 1) {
      const word = name.replace(/^-/, "");
      const removes = name !== word;
      if (counting) refused = removes ? !filter.remove(word) : !(filter.insert(word) || true);
      else for (const at of this.positions[word]) cells[at] = removes ? 0 : 1;
      if (!removes) inside[word] += 1;
      else inside[word] = counting ? Math.max(0, inside[word] - 1) : 0;
    }
    if (counting) cells = filter.cells();
    return { cells, inside, refused };
  }

  show() {
    const { words } = this.constructor;
    const { cells, inside, refused } = this.replay();
    const counting = this.counts();
    const [last] = this.steps().at(-1) ?? [""];
    const touched = last.replace(/^-/, "");
    const lost = [];
    const falsePositives = [];
    for (const word of words) {
      const { element, answer, remove } = this.rows[word];
      const found = this.positions[word].every((at) => cells[at] > 0);
      const isIn = inside[word] > 0;
      if (isIn && !found) lost.push(word);
      if (!isIn && found) falsePositives.push(word);
      answer.textContent = isIn ? (found ? "✓ in, and found" : "✗ in, but lost: a false negative")
        : found ? "⚠ not in, but found: a false positive" : "not in, not found";
      element.classList.toggle("wrong", isIn && !found);
      remove.textContent = counting ? "Remove" : "Clear";
      remove.setAttribute("aria-label", counting ? `Remove ${word}` : `Clear its bits: ${word}`);
    }
    const full = counting ? [...cells.keys()].filter((at) => cells[at] >= this.full) : [];
    this.grid.show(cells, {
      marked: touched ? this.positions[touched] : [], wrong: lost.flatMap((word) => this.positions[word].filter((at) => cells[at] === 0)),
      counters: counting, places: true,
      label: counting ? `${this.bits} counters: ${[...cells].join(" ")}` : undefined,
    });
    const list = (all) => all.map((one) => (typeof one === "string" ? `“${one}”` : one)).join(", ").replace(/, ([^,]+)$/, " and $1");
    const did = !last ? "Five words are in." : last === touched ? `“${touched}” was inserted.`
      : refused ? `“${touched}” is certainly not in: its removal is refused.`
        : counting ? `“${touched}” was removed.` : `The bits of “${touched}” are cleared.`;
    const then = [
      lost.length > 0 ? `${list(lost)} ${lost.length === 1 ? "is" : "are"} lost.` : "No word is lost.",
      falsePositives.length > 0 ? `${list(falsePositives)} ${falsePositives.length === 1 ? "is a false positive" : "are false positives"}.` : "",
      full.length > 0 ? `Counters ${list(full)} are full at ${this.full}, and stay so.` : "",
    ];
    this.verdict.textContent = [did, ...then].filter(Boolean).join(" ");
    this.learned.style.visibility = this.done() ? "" : "hidden";
    this.announce(this.verdict.textContent);
  }
});
