// The widget “worth”: shows a thousand queries, sorted by the answer of the filter and by whether the answer is true. Some of
// the queries are for members, which are in the filter, the others for strangers, which are not.
"use strict";

live.widget("worth", class extends live.Widget {
  static title = "What a yes is worth";
  static module = "calculator";
  static defaults = { members: 0.001, rate: 0.01, queries: 1000 };
  static shares = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
  static rates = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
  // The paths of a dot for a true yes, a cross for a false yes and a ring for a no. Before the guess every query is a ring.
  static marks = {
    yes: "M-3.6,0a3.6,3.6 0 1 0 7.2,0a3.6,3.6 0 1 0 -7.2,0",
    wrong: "M-3.2,-3.2L3.2,3.2M-3.2,3.2L3.2,-3.2",
    no: "M-2,0a2,2 0 1 0 4,0a2,2 0 1 0 -4,0",
  };
  items = 10_000; // the filter has the numbers below this one
  most = 1_000_000;

  build() {
    const { shares, rates } = this.constructor;
    this.picture = live.make("svg", { class: "live-queries", role: "img" });
    this.dots = Array.from({ length: 1000 }, () => live.make("path"));
    this.labels = [0, 1, 2].map(() => live.make("text", { x: 0 }));
    this.picture.append(...this.labels, ...this.dots);
    this.numbers = live.make("p", { class: "live-numbers" });
    const many = (step) => () => this.set({ queries: Math.min(this.state.queries + step, this.most) });
    const oneIn = (rate) => `1 in ${live.count(1 / rate)}`;
    const after = (...parts) => live.make("div", { class: "after" }, ...parts);
    this.view.append(
      this.guess(
        "One query in 1,000 is for a member. Of the strangers, 1 in 100 is a false positive. The filter says yes. How likely is this yes true?",
        ["99\u00a0%", "50\u00a0%", "9\u00a0%"], 2,
        (taken) => {
          const { yes_is_true, false_hits } = this.answer(0.001, 0.01, 100_000).lookups;
          return `${this.tempting(taken)}A yes is worth ${live.share(yes_is_true)}. Of 100,000 queries, 100 are for members; about ${live.count(false_hits)} of the others get a yes, too.`;
        }, () => this.set({ members: 0.001, rate: 0.01, queries: this.state.queries })),
      after(
        this.slider("members", "Queries for members", { values: shares, text: live.share }),
        this.slider("rate", "False-positive rate", { values: rates, text: oneIn })),
      this.picture,
      after(this.buttons({ "Another 1,000 queries": many(1000), "Another 100,000": many(100_000) }), this.numbers),
      this.lesson("A rate of 1 in 100 does not say how often a yes is true: where members are rarer than false positives, most yeses are false, while every no is true."),
    );
  }

  // A change of the members or of the rate starts again with the first 1,000 queries.
  set(changes) {
    super.set("members" in changes || "rate" in changes ? { queries: 1000, ...changes } : changes);
  }

  answer(members, rate, lookups = 1000) {
    return this.crates.solve({ n: String(this.items), p: String(rate), lookups: String(lookups), prevalence: String(members) });
  }

  // Returns why a wrong guess is wrong.
  tempting(taken) {
    if (taken === 0) return "99\u00a0% would be right if 1 yes in 100 were false; but it is 1 stranger in 100, and 999 of 1,000 queries are for strangers. ";
    if (taken === 1) return `50\u00a0% would be right if 1 query in 100 were for a member: then ${live.share(this.answer(0.01, 0.01).lookups.yes_is_true)} of yeses are true. `;
    return "";
  }

  // Returns the answers of a filter with this rate, and keeps them until the state changes.
  query({ members, rate, queries }) {
    const key = [members, rate, queries].join();
    if (this.asked?.key === key) return this.asked;
    const { m, k, lookups } = this.answer(members, rate);
    if (this.rate !== rate) {
      this.filter?.free();
      this.filter = this.crates.filter("classic", m, k);
      this.filter.insertNumbers(0, this.items);
      this.rate = rate;
    }
    const { filter, items } = this;
    const each = Math.round(1000 * members);
    const drawn = queries / 1000 - 1; // the thousands of queries before the thousand that is shown
    const ofMembers = (drawn * each) % items;
    const ofStrangers = items + drawn * (1000 - each);
    const found = this.dots.map((_, at) => {
      const number = at < each ? ofMembers + at : ofStrangers + at - each;
      return filter.containsNumbers(number, number + 1) === 1;
    });
    const falsePositives = filter.containsNumbers(items, ofStrangers + 1000 - each);
    this.asked = { key, each, found, right: (drawn + 1) * each, falsePositives, worth: lookups.yes_is_true };
    return this.asked;
  }

  show() {
    const { marks } = this.constructor;
    const queries = 1000 * Math.max(1, Math.floor(Math.min(this.state.queries, this.most) / 1000));
    const { each, found, right, falsePositives, worth } = this.query({ ...this.state, queries });
    const known = this.state.guess !== "";
    const kinds = found.map((yes, at) => (!yes || !known ? "no" : at >= each ? "wrong" : "yes"));
    const countOf = (kind) => kinds.filter((one) => one === kind).length;
    const [yes, wrong, no] = ["yes", "wrong", "no"].map(countOf);
    // The dots move to their places only after the guess.
    if (known && this.knew === false) {
      this.picture.classList.add("moving");
      setTimeout(() => this.picture.classList.remove("moving"), 900);
    }
    this.knew = known;
    const names = known
      ? [`Yes, and true: ${yes}`, `Yes, but false: ${wrong}`, `No, and true: ${no}`]
      : ["1,000 queries"];

    const width = Math.max(220, this.picture.parentElement.clientWidth - 20);
    const columns = Math.floor(width / 10);
    const groups = known ? ["yes", "wrong", "no"].map((kind) => kinds.flatMap((one, at) => (one === kind ? [at] : [])))
      : [kinds.map((_, at) => (at * 617) % 1000)]; // in no order
    let top = 0;
    for (const [number, label] of this.labels.entries()) {
      label.textContent = names[number] ?? "";
      label.setAttribute("y", top + 14);
      for (const [place, at] of (groups[number] ?? []).entries()) {
        const dot = this.dots[at];
        const [x, y] = [5 + 10 * (place % columns), top + 28 + 10 * Math.floor(place / columns)];
        dot.setAttribute("class", kinds[at]);
        dot.setAttribute("d", marks[kinds[at]]);
        dot.style.transform = `translate(${x}px, ${y}px)`;
      }
      top += 30 + 10 * Math.ceil((groups[number] ?? []).length / columns);
    }
    const height = 90 + 10 * (Math.ceil(1000 / columns) + 2);
    this.picture.setAttribute("viewBox", `0 0 ${10 * columns} ${height}`);
    this.picture.style.width = `${10 * columns}px`;
    this.picture.setAttribute("aria-label", names.join("; "));

    const yeses = (number) => live.many(number, "yes", "yeses");
    this.numbers.textContent = `Here ${yes} of ${yeses(yes + wrong)} ${yes === 1 ? "is" : "are"} true, and all of ${live.many(no, "no", "noes")}. A yes is worth ${live.share(worth)} (expected). Measured in ${live.count(queries)} queries: ${live.share(right / (right + falsePositives))}, ${live.count(right)} of ${yeses(right + falsePositives)}.`;
    if (known) this.announce(this.numbers.textContent);
  }
});
