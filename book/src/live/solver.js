// The calculator's page. Its fields are the flags of the command bloom-params. The crate of the command gets the texts as they
// are typed, and the page shows the answer in the command's words. The address has the flags: ?n=2000&p=0.01&like=guava.
"use strict";

live.widget("solver", class Solver extends live.Widget {
  static title = "Calculator";
  static module = "calculator";
  static plain = true;
  static example = { n: "2000", p: "1%" };
  // A field has a label, and examples or the values of a choice. All fields are in the state; an empty field gives no flag.
  static main = { n: ["Items n", "2k, 2^20"], p: ["Rate p", "1%, 1e-9"], m: ["Bits m", "64KiB"], k: ["Hashes k", "7"] };
  static options = {
    block_bits: ["Bits of a block", "512"], counter_bits: ["Bits of a counter", "4"],
    initial: ["First stage", "1000"], growth: ["Growth", "2"],
    tightening: ["Tightening", "0.85"], expansion: ["Expansion", "2; 0 for NONSCALING"],
  };
  static sizing = {
    model: ["Model", ["", "exact", "textbook", "asymptotic"]], round: ["Round m to", ["", "8", "64", "512", "pow2"]],
    hash_bits: ["Bits of the hash", "32"], confidence: ["Share of filters that keep p", "99%"],
    set_bits: ["Bits that are set", "10000"], fill: ["Share of them, instead", "47%"],
    cost_false_hit: ["Cost of a false positive", "500"], cost_per_bit: ["Cost of a bit", "1"],
  };
  static extras = {
    bits_per_item: ["Bits per item, for m", "9.6"], distinct: ["Share of distinct inserts", "80%"],
    lookups: ["Lookups", "1M"], prevalence: ["Share of them for members", "1%"],
    grow: ["Grown to", "10x, +1M"], sequence: ["Filters in turn", "12"], level_ratio: ["Levels, each times", "10"], union: ["Union of filters", "4"], spread: ["Spread of single filters", ["", "true"]],
  };
  static filters = ["classic", "partitioned", "blocked", "split-block", "plain-blocked", "counting", "scalable"];
  // Which fields each kind of filter has. A link may have any text as a kind, so this object has no inherited names.
  static owned = { __proto__: null, blocked: ["block_bits"], "split-block": ["block_bits"], "plain-blocked": ["block_bits"],
    counting: ["counter_bits"], scalable: ["initial", "growth", "tightening"] };
  static names = { ...this.main, ...this.options, ...this.sizing, ...this.extras };
  static kind = "Kind of filter, or library";
  // Well-known sizes, with which the page compares the memory of a filter. Each is eight times the size before.
  static known = ("a cache line, 64 bytes; a sector of a disk, 512 bytes; a page of memory, 4 KiB; a first-level cache, 32 KiB; " +
    "a small second-level cache, 256 KiB; a large second-level cache, 2 MiB; a third-level cache, 16 MiB; " +
    "a server's third-level cache, 128 MiB; a small virtual machine, 1 GiB; the memory of a phone, 8 GiB; " +
    "the memory of a workstation, 64 GiB; the memory of a server, 512 GiB; an SSD, 4 TiB; a large disk, 32 TiB").split("; ");
  static defaults = Object.fromEntries(
    [...Object.keys(this.names), "filter", "like", "as", "explain"].map((key) => [key, ""]));

  // Reads the address as people write it: flags with dashes or long names, and links of the calculator at hur.st, which have
  // empty values. Names that are no flags are left out and reported. If no flag is left, the page shows an example.
  start() {
    const long = { __proto__: null, items: "n", bits: "m", hashes: "k", rate: "p" };
    const { query } = live;
    const [known, given, strange, twice] = [[...Object.keys(Solver.defaults), "guess"], new Map(), [], []];
    for (const [name, text] of [...query]) {
      if (["search", "highlight"].includes(name)) continue; // mdBook's own
      query.delete(name);
      const dashed = name.replaceAll("-", "_");
      const [key, value] = [long[dashed] ?? dashed, text.trim()];
      if (!value || value === given.get(key)) continue;
      // The flag `--spread` has no value, so the crate would take any text, even “no”, as that flag.
      if (!known.includes(key) || (key === "spread" && value !== "true")) strange.push(known.includes(key) ? `${name}=${text}` : name);
      else if (given.has(key)) twice.push(`${key} is there twice: ${given.get(key)} is used, ${value} is not.`);
      else given.set(key, value);
    }
    if (!Object.keys(Solver.defaults).some((key) => given.has(key))) {
      for (const [key, text] of Object.entries(Solver.example)) given.set(key, text);
    }
    for (const [key, text] of given) query.set(key, text);
    this.unread = [...(strange.length > 0 ? [`Not understood in the address: ${strange.join(", ")}.`] : []), ...twice].join(" ");
    super.start();
  }

  build() {
    const { make } = live;
    this.errors = {};
    this.fields = {};
    this.systems = this.crates.systems();
    // There are two workers, because a new question ends the previous question in its worker, and a question for the code of a
    // library must not end the question of the page.
    this.ask = this.crates.asker();
    this.askForCode = this.crates.asker();
    this.view.classList.add("unanswered"); // keeps the height until the first answer
    this.typed = {}; // texts typed since the last change
    const grid = (fields) => Object.entries(fields).flatMap(([key, field]) => this.field(key, ...field));
    const option = (value, text = value) => make("option", { value }, text);
    const kind = make("select", { onchange: () => this.choose(kind.value) },
      make("optgroup", { label: "Kinds of filter" }, ...Solver.filters.map((name) => option(`filter ${name}`, name))),
      make("optgroup", { label: "What a library builds" }, ...[...this.systems.keys()].map((name) => option(`like ${name}`, name))));
    this.parts.push(() => {
      const { like, filter } = this.state;
      kind.value = like ? `like ${like}` : `filter ${filter || "classic"}`;
    });
    this.refusal = this.error("");
    this.strange = make("p", { class: "wrong live-unread", hidden: !this.unread }, this.unread);
    this.errors.like = this.errors.filter = this.error("like");
    const more = make("details", { class: "live-more" }, make("summary", {}, "More: rounding, hashes, lookups, growth"),
      make("div", { class: "live-fields" }, ...grid(Solver.sizing), ...grid(Solver.extras)));
    this.parts.push(() => (more.open ||= [...Object.keys(Solver.sizing), ...Object.keys(Solver.extras)].some((key) => this.state[key])));
    const form = make("form", { class: "live-fields", onsubmit: (event) => event.preventDefault() },
      ...grid(Solver.main), this.refusal,
      make("label", { class: "live-field wide" }, make("span", {}, Solver.kind), kind), this.errors.like,
      ...grid(Solver.options));
    this.captions = ["This was the answer before:", "And this is its derivation, its code and its chart:"].map((text) =>
      make("p", { class: "live-caption", hidden: true }, text));
    this.answer = make("dl", { class: "live-answer" });
    this.waiting = make("p", { class: "live-working", hidden: true }, "Still computing; another question ends it.");
    this.notes = make("ul", { class: "live-notes" });
    const copying = this.copying();
    this.chart = new live.Chart();
    this.share = make("div", { class: "live-share" });
    this.memory = new live.Bars();
    const section = (heading, ...parts) => make("section", {}, make("h2", {}, heading), ...parts);
    [this.asides, this.stages, this.beyond] = [0, 1, 2].map(() => make("div", {}));
    this.steps = make("div", { class: "live-steps" });
    this.unfolding = this.buttons({
      "Next line": () => this.unfold(1), "All lines": () => this.unfold(Infinity), "Fold up": () => this.set({ explain: "" }),
    });
    this.curve = section("The rate over the number of items", this.chart.element);
    this.overfilling = section("With more items than expected", this.beyond);
    // This part is hidden until there is an answer.
    this.below = make("div", { hidden: true }, this.captions[1], this.asides, this.notes, copying, this.curve,
      section("The bits, to scale", this.share, this.memory.element, this.stages), this.overfilling,
      section("Why: the derivation, line by line", this.steps, this.unfolding));
    this.view.append(this.strange, form, this.waiting, this.captions[0], this.answer, more, this.below);
  }

  error(key) {
    return live.make("p", { class: "live-error wrong", id: `refused-${key || "question"}`, hidden: true });
  }

  field(key, label, examples) {
    const { make } = live;
    this.errors[key] = this.error(key);
    const isChoice = Array.isArray(examples);
    const input = isChoice
      ? make("select", { onchange: () => this.set({ [key]: input.value }) },
        ...examples.map((value) => make("option", { value }, { "": "not given", true: "yes" }[value] ?? value)))
      : make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "done",
        oninput: () => {
          clearTimeout(this.typing);
          this.typed[key] = input.value;
          this.typing = setTimeout(() => this.set(this.typed), 60);
        } });
    input.setAttribute("aria-describedby", this.errors[key].id);
    const around = make("label", { class: "live-field" },
      make("span", {}, label, isChoice ? "" : make("small", {}, ` e.g. ${examples}`)), input);
    this.fields[key] = { input, around };
    this.parts.push(() => {
      if (document.activeElement !== input || isChoice) input.value = this.state[key];
      if (key in Solver.options) around.hidden = !this.owns(key);
      if (key in Solver.sizing) around.hidden = this.state.like !== "" && this.state[key] === "";
    });
    return [around, this.errors[key]];
  }

  again() {
    this.set({ ...this.defaults, ...Solver.example });
  }

  // Returns the fields that only this kind of filter or this library has.
  owned = (name) => this.systems.get(name)?.flags ?? Solver.owned[name] ?? [];

  // Whether a field is shown: it belongs to the kind or library, or it has a text, which must not be lost.
  owns = (key) => this.state[key] !== "" || this.owned(this.state.like || this.state.filter).includes(key);

  // Chooses a kind or a library. Empties the fields that do not belong to the new choice, because they would be refused.
  choose(value) {
    const [flag, name] = value.split(" ");
    const kept = this.owned(name);
    const others = Object.keys({ ...Solver.options, ...(flag === "like" ? Solver.sizing : {}) });
    const emptied = others.filter((key) => !kept.includes(key)).map((key) => [key, ""]);
    this.set({ ...Object.fromEntries(emptied), filter: "", like: "", [flag]: name === "classic" ? "" : name });
  }

  set(changes) {
    clearTimeout(this.typing);
    super.set({ ...this.typed, ...changes });
    this.typed = {};
  }

  // Returns the name, the value and the remark of the answer's line with this name.
  line = (name) => (this.solved.shown.find((row) => row.startsWith(`${name} `)) ?? "").split("   ");

  // Returns the flags that are given. An integer p above 1 means the rate 1 in p, as in links of the calculator at hur.st.
  flags() {
    const keys = [...Object.keys(Solver.names), "filter", "like"];
    const given = keys.map((key) => [key, this.state[key].trim()]).filter(([, text]) => text !== "");
    return Object.fromEntries(given.map(([key, text]) => [key, key === "p" ? live.inverse(text)?.rate ?? text : text]));
  }

  copying() {
    const { make } = live;
    const texts = { command: "Command", link: "Link", rust: "Rust", python: "Python", java: "Java", go: "Go", redis: "Redis", setting: "Setting" };
    const tabs = this.choice("as", "Copy as", Object.entries(texts));
    this.tab = (form) => tabs.querySelector(`[value="${form}"]`);
    this.parts.push(() => (this.tab(this.state.as || "command").checked = true));
    this.code = make("code", {});
    this.builds = make("p", { class: "live-builds" });
    const said = make("span", { role: "status" });
    const copy = make("button", { type: "button", onclick: async () => {
      try {
        await navigator.clipboard.writeText(this.code.textContent);
        said.textContent = "Copied.";
      } catch {
        getSelection().selectAllChildren(this.code);
        said.textContent = "Selected: copy it by the keyboard.";
      }
      setTimeout(() => (said.textContent = ""), 3000);
    } }, "Copy");
    return make("div", { class: "live-copy" }, tabs, make("pre", { tabindex: 0 }, this.code), this.builds,
      make("p", { class: "live-row" }, copy, said));
  }

  show() {
    const flags = this.flags();
    const question = JSON.stringify(flags);
    const isNew = question !== this.question;
    if (isNew) {
      this.strange.hidden ||= this.question !== undefined;
      this.question = question;
      clearTimeout(this.refusing);
      this.answered(flags);
      return;
    }
    if (this.solved) this.draw();
  }

  // Asks the question in a worker, so that the page stays usable. The next question ends the work on this one.
  async answered(flags) {
    clearTimeout(this.working);
    this.working = setTimeout(() => this.busy(true), 200);
    const page = await this.ask("page", flags);
    if (!page) return;
    clearTimeout(this.working);
    this.view.classList.remove("unanswered");
    this.busy(false);
    if (page.error) {
      this.refused = page;
      // A text may still be incomplete while it is typed, so a refusal waits.
      this.refusing = setTimeout(() => this.refuse(page), this.solved ? 500 : 0);
      return;
    }
    this.accept(flags, page);
    this.address = this.link.href;
    this.draw();
  }

  // Shows, or no longer shows, that the answer takes a while.
  busy(is) {
    this.view.setAttribute("aria-busy", is);
    this.waiting.hidden = !is;
    if (is) this.announce(this.waiting.textContent);
  }

  accept(flags, { answer, explain, points, overfill, no_overfill: noOverfill }) {
    this.refused = undefined;
    this.solved = answer;
    this.asked = flags;
    this.showErrors("", {});
    this.age(false);
    this.below.hidden = false;
    const rows = answer.shown.map((row) => row.split("   "));
    this.answer.replaceChildren(...rows.flatMap(([name, value, remark = ""]) => {
      const [number, ...unit] = value.split(" ");
      const given = answer.solved.includes(name === "m/n" ? "bits_per_item" : name) || name === "p";
      const parts = [live.make(given ? "strong" : "span", { class: "number" }, number), ` ${unit.join(" ")} `];
      return [live.make("dt", {}, name), live.make("dd", {}, ...parts, live.make("small", { class: answer.met === false && name === "p" ? "wrong" : "" }, remark))];
    }));
    for (const [name, value] of rows) {
      if (this.fields[name]) this.fields[name].input.placeholder = answer.solved.includes(name) ? `= ${value.split(" ")[0]}` : "";
    }
    const texts = [live.inverse(this.state.p)?.remark ?? [], answer.notes.map(this.worded)].flat();
    this.notes.replaceChildren(...texts.map((text) => live.make("li", {}, text)));
    this.announce(`${rows.map((row) => row.join(" ")).join("; ")}.`);
    this.derivation = this.parsed(explain);
    this.points = points;
    this.overfill = { section: overfill, error: noOverfill };
  }

  refuse(answer) {
    const flag = /^([nmkp]) |--([a-z-]+)/.exec(answer.error);
    const key = flag ? (flag[1] ?? flag[2].replaceAll("-", "_")) : "";
    this.showErrors(key, answer);
    this.age(Boolean(this.solved));
    this.announce(this.worded(`${answer.error}. ${answer.hint ?? ""}`));
  }

  // Marks the answer on the page as that to an earlier question, or takes the mark away.
  age(old) {
    for (const caption of this.captions) caption.hidden = !old;
    for (const part of [this.answer, this.below]) part.classList.toggle("live-old", old);
  }

  // Returns a text of the command with the labels of fields in place of flags.
  worded = (text) => {
    const labels = { __proto__: null, ...Solver.names, filter: ["Kind of filter"], like: ["Library"] };
    // Some texts name the command, or its flag --like; on this page one list has both the kinds and the libraries.
    const own = text.replace("compare --like all lists them", "the list has all of them").replace("the library of --like", "a library")
      .replace(/(^|[;.] )bloom-params /, "$1for example ");
    return own.replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (flag, name) => {
      const [label] = labels[name.replaceAll("-", "_")] ?? [];
      return label ? `“${label}”` : flag;
    });
  };

  showErrors(key, { error, hint }) {
    for (const place of [this.refusal, ...Object.values(this.errors)]) place.hidden = true;
    for (const [name, { input }] of Object.entries(this.fields)) {
      if (name === key) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    if (!error) return;
    const place = this.errors[key] ?? this.refusal;
    place.textContent = this.worded(hint ? `${error}; ${hint}` : error);
    place.hidden = false;
    if (this.fields[key]) this.fields[key].around.hidden = false;
  }

  draw() {
    this.drawCode();
    this.drawCurve();
    this.drawBits();
    this.drawSections();
    this.drawSteps();
  }

  drawCode() {
    const own = this.formOf(this.solved.like);
    this.tab("setting").parentElement.hidden = own !== "setting";
    const form = this.state.as === "setting" ? own : this.state.as || "command";
    this.tab(form).checked = true;
    this.form = form;
    const quoted = (text) => (/^[\w.,%/^+:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
    const bare = (key) => key === "spread";
    let [text, builds] = ["", ""];
    if (form === "command") {
      text = ["bloom-params", ...Object.entries(this.asked).map(([key, value]) =>
        `--${key.replaceAll("_", "-")}${bare(key) ? "" : ` ${quoted(value)}`}`)].join(" ");
      builds = "The command of this book, with the same answer.";
    } else if (form === "link") {
      // The address also has the chosen form of the code (`as`), which is left out here: it is not part of the question.
      text = this.address.replace(/([?&])as=\w+&?/, "$1").replace(/[?&](?=#|$)/, "");
      builds = "This page, with this question.";
    } else {
      this.drawCodeOf(form);
      return;
    }
    this.code.textContent = text;
    this.builds.textContent = builds;
  }

  async drawCodeOf(form) {
    [this.code.textContent, this.builds.textContent] = ["", "Computing …"];
    const answer = await this.answerIn(form);
    if (!answer || form !== this.form) return;
    const text = answer.code?.join("\n") ?? "";
    this.code.textContent = text;
    this.builds.textContent = answer.error ? this.worded([answer.error, answer.hint].filter(Boolean).join("; ")) : (text ? this.builtBy(answer) : `bloom-core builds no such filter`);
  }

  // Returns the form of the code for a library: its language, "redis" (also for Valkey) or "setting"; "rust" for bloom-core.
  formOf = (like) => (like ? this.systems.get(like.name).form : "rust");

  // Returns an answer with code in this form: the answer of the page if it has such code, or else the answer of the first
  // library that has such code to the same n and p.
  answerIn(form) {
    const { like, n } = this.solved;
    if (form === this.formOf(like)) return this.solved;
    const same = { ...(n ? { n: String(n) } : {}), p: this.asked.p ?? this.line("p")[1] };
    const [library] = form === "rust" ? [] : [...this.systems].find(([, own]) => own.form === form && own.flags.includes("p")) ?? [];
    return this.askForCode("solve", library ? { ...same, like: library } : same);
  }

  builtBy({ like, shown }) {
    const [, m, k, p] = shown.map((row) => row.split("   ").slice(1, 2).concat(row.startsWith("p ") ? row.split("   ")[2] : []).join(", "));
    const who = like ? `${like.name} ${like.version}` : "bloom-core";
    // If the requested rate, passed to the library, gave a higher rate, the code passes another value (`pass`).
    const other = like?.pass ? ", as this code does" : "";
    const what = like && like.purpose !== "to get this filter" ? ` T${like.purpose.slice(1)}${other}.` : "";
    const { filter = "classic" } = this.asked;
    // Libraries with the field “expansion” grow: they add a filter when one is full. So they count as scalable.
    const kept = !like || filter === "classic" || (filter === "scalable" && this.owned(like.name).includes("expansion"));
    return `${who}${other && ", as asked,"} builds m = ${m}, k = ${k}, p = ${p}.${what}${kept ? "" : ` It is no ${filter} filter.`}`;
  }

  drawCurve() {
    const { points, solved } = this;
    const last = points.at(-1)?.[0] ?? 0;
    // There is no curve for a question without n, or if p is so small that it underflows.
    const has = last > 0 && solved.p > 1e-290;
    this.curve.hidden = !has;
    if (!has) return;
    const small = (p, digits) => (p > 0 && p < 0.001 ? p.toExponential(digits) : live.digits(p, digits && digits + 1));
    const target = solved.asked.p;
    // The axis is logarithmic and ends some powers of ten below p and its target. Every curve begins at rate 0, which such an
    // axis cannot show.
    const tens = Number(Math.min(solved.p, target ?? 1).toExponential().split("e")[1]);
    const least = Number(`1e${tens + Math.min(-2, Math.round(tens / 3))}`);
    const lines = [{ points }];
    if (target) lines.push({ points: [[0, target], [last, target]], style: "dashed", name: "target", under: solved.p > 0.9 * target });
    const shown = this.line("p")[1];
    const dot = { x: Number(solved.n), y: solved.p, name: `p = ${shown}` };
    this.chart.show({
      x: { min: 0, max: last, label: "items n", text: (n) => Intl.NumberFormat("en", { notation: "compact" }).format(n) },
      y: { min: Math.max(least, 1e-300), max: 1, log: true, label: "false-positive rate p", text: (p) => small(p) }, lines, dots: [dot],
      label: `The rate over the items: ${shown} with ${live.count(solved.n)}, ${small(points.at(-1)[1], 2)} with ${live.count(last)}`,
    });
  }

  // Draws the bits per item beside the least that any structure with this rate needs, and the memory beside a well-known size.
  drawBits() {
    const { bits_per_item: share, bound_bits: bound, n, bytes } = this.solved;
    // Shows bits per item with the digits that the command prints, if it prints this number.
    const ofItem = /(\S+) bits? per item/.exec(this.line("m")[2])?.[1] ?? this.line("m/n")[1]?.split(" ")[0];
    const rows = [["One item in this filter", share, ofItem], ["The least of any structure", n ? bound / Number(n) : null]];
    this.share.replaceChildren(...rows.filter(([, bits]) => bits).map(([name, bits, text = live.digits(bits, 4)]) => {
      const cells = Array.from({ length: Math.min(Math.ceil(bits), 128) }, (_, at) => {
        const cell = live.make("span", {});
        cell.style.setProperty("--part", Math.min(1, bits - at));
        return cell;
      });
      return live.make("div", {}, live.make("p", {}, `${name}: ${text} bit${text === "1" ? "" : "s"}${bits > 128 ? ", of which 128 are drawn" : ""}`),
        live.make("div", { class: "cells", "aria-hidden": "true" }, ...cells));
    }));
    const known = Solver.known.map((words, at) => [...words.split(", "), 64 * Number(1n << BigInt(3 * at))]);
    const [name, text, value] = known.find(([, , size]) => size >= bytes) ?? known.at(-1);
    const own = this.line("m")[2]?.split(", ")[0].replace(/.*\((.*)\)/, "$1");
    this.memory.show(bytes ? [{ name: "this filter", value: Number(bytes), text: own }, { name, value, text }] : []);
  }

  // Returns the elements for a section of the answer. Lines that have several columns become a table, which may scroll.
  lines({ name, title, lines }) {
    const { make } = live;
    const rows = lines.map((line) => (name === "grow" ? line : line.trim()).split(/ {2,}/));
    const wide = rows.findLastIndex((row) => row.length > 1) + 1;
    const most = Math.max(...rows.map((row) => row.length));
    const headed = ["stages", "grow"].includes(name) ? 1 : 0;
    const heads = rows.slice(0, headed).map((texts) => make("tr", {}, ...texts.map((text) =>
      make(text ? "th" : "td", { scope: text ? "col" : undefined }, text))));
    const body = rows.slice(headed, wide).map(([first, ...others]) => make("tr", {},
      make("th", { scope: "row", colspan: others.length > 0 ? undefined : most }, first), ...others.map((text) => make("td", {}, text))));
    const table = () => make("div", { class: `live-scroll ${name}`, role: "region", "aria-label": title },
      make("table", {}, make("thead", {}, ...heads), make("tbody", {}, ...body)));
    return [...(wide > 0 ? [table()] : []), ...rows.slice(wide).map(([text]) => make("p", {}, text))];
  }

  drawSections() {
    const { section, error } = this.overfill;
    const { sections, n } = this.solved;
    this.overfilling.hidden = !n;
    this.beyond.replaceChildren(...(section ? this.lines(section) : [live.make("p", {}, `${error}`.replace(/, so --overfill.*/, "."))]));
    const others = sections.filter(({ name }) => name !== "stages");
    this.asides.replaceChildren(...others.map((one) => live.make("section", {}, live.make("h2", {}, one.title), ...this.lines(one))));
    this.stages.replaceChildren(...sections.filter((one) => !others.includes(one)).flatMap((one) => this.lines(one)));
    // Only tables that scroll can be reached by the keyboard.
    for (const box of this.below.querySelectorAll(".live-scroll")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    }
  }

  // Parses the lines of the derivation into headings, formulas, and paragraphs, which are wrapped at 80 columns.
  parsed(lines) {
    const parts = [];
    let before = "";
    for (const line of lines.slice(1)) {
      const indent = line.search(/\S/);
      const text = line.trim();
      const wraps = before.length + 1 + text.split(" ")[0].length > 80 || !/[.:)]$/.test(before);
      if (indent === 0) parts.push({ kind: "h3", text });
      else if (indent === 3 && parts.at(-1)?.kind === "p" && wraps) parts.at(-1).text += ` ${text}`;
      else if (indent === 3) parts.push({ kind: "p", text });
      else if (indent === 7 && parts.at(-1)?.kind === "pre" && wraps) parts.at(-1).text += ` ${text}`;
      else if (indent > 3) parts.push({ kind: "pre", text: line.slice(5) });
      before = line;
    }
    return parts;
  }

  shown = () => Math.min(this.state.explain === "true" ? Infinity : Number(this.state.explain) || 0, this.derivation.length);

  // Shows `more` further lines of the derivation. A heading is shown together with the line below it.
  unfold(more) {
    const from = this.shown();
    let to = Math.min(from + more, this.derivation.length);
    while (this.derivation[to - 1]?.kind === "h3" && to < this.derivation.length) to += 1;
    this.set({ explain: to === this.derivation.length ? "true" : String(to) });
    this.announce(this.derivation.slice(from, to).map(({ text }) => text).join(" "));
  }

  drawSteps() {
    const shown = this.derivation.slice(0, this.shown());
    this.steps.replaceChildren(...shown.map(({ kind, text }) => live.make(kind, {}, text)));
    // If all lines are shown, or none, some buttons are disabled. If the focus was on one of them, another button gets it.
    const [next, all, back] = this.unfolding.children;
    const [begun, ended] = [shown.length > 0, shown.length === this.derivation.length];
    const focus = document.activeElement;
    next.disabled &&= ended;
    back.disabled &&= !begun;
    if (ended && [next, all].includes(focus)) back.focus();
    if (!begun && focus === back) next.focus();
    [next.disabled, all.disabled, back.disabled] = [ended, ended, !begun];
  }
});
