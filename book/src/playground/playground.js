// The playground: shows what bloom-core computed when the book was built. Positions and rates are
// looked up in the data of the page; nothing is hashed or calculated here.
"use strict";

(() => {
  const el = (id) => document.getElementById(`playground-${id}`);
  const { bits, filters } = JSON.parse(el("data").textContent);
  let filter; // of the chosen number of hashes: positions, rate, expected
  let items; // the words inserted, in their order
  let setBy; // for each set bit the first word that set it

  const known = (word) => Object.hasOwn(filter.positions, word);
  const saysYes = (word) => filter.positions[word].every((bit) => setBy.has(bit));
  const list = (all) =>
    all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
  const bitsOf = (all) => (all.length === 1 ? "bit " : "bits ") + list(all);
  const typed = () => el("item").value.trim().toLowerCase();

  function start() {
    filter = filters[el("hashes").value];
    items = [];
    setBy = new Map();
  }

  function insert(word) {
    const fresh = filter.positions[word].filter((bit) => !setBy.has(bit));
    fresh.forEach((bit) => setBy.set(bit, word));
    if (items.includes(word)) return `${word} was in already. Nothing changes.`;
    items.push(word);
    if (fresh.length === 0) {
      return `${word} is in, though no bit changed: others had set all of its bits.`;
    }
    const old = filter.positions[word].filter((bit) => !fresh.includes(bit));
    const rest = old.length ? ` Already set: ${bitsOf(old)}.` : "";
    return `${word} is in. Newly set: ${bitsOf(fresh)}.${rest}`;
  }

  function ask(word) {
    const all = filter.positions[word];
    const clear = all.filter((bit) => !setBy.has(bit));
    if (clear.length > 0) {
      const are = clear.length === 1 ? "is" : "are";
      return `${word}: no, certainly not. Of its bits, ${list(clear)} ${are} 0.`;
    }
    if (items.includes(word)) return `${word}: yes, and rightly so. It was inserted.`;
    const others = [...new Set(all.map((bit) => setBy.get(bit)))];
    return `${word}: yes, but it was never inserted. A false positive! Its bits were set by ${list(others)}.`;
  }

  function showItem() {
    const word = typed();
    const lit = known(word) ? filter.positions[word] : [];
    el("bits").childNodes.forEach((cell, bit) => {
      cell.classList.toggle("set", setBy.has(bit));
      cell.classList.toggle("lit", lit.includes(bit));
      cell.style.setProperty("--turn", lit.indexOf(bit));
      cell.title = setBy.has(bit) ? `first set by ${setBy.get(bit)}` : "";
    });
    const hashes = Number(el("hashes").value);
    const same = lit.length < hashes ? `, where ${hashes} hashes fell` : "";
    el("positions").textContent = known(word)
      ? `${word}: ${bitsOf(lit)}${same}`
      : word
        ? `${word}: not among the words of this page`
        : "Type a word to see its bits.";
  }

  function showFilter() {
    const strangers = Object.keys(filter.positions).filter((word) => !items.includes(word));
    const mistaken = strangers.filter(saysYes);
    const set = [...setBy.keys()].sort((a, b) => a - b);
    const which = set.length ? `: ${list(set)}` : "";
    el("bits").setAttribute("aria-label", `${set.length} of ${bits} bits are set${which}`);
    el("items").textContent = items.length ? `${items.length}: ${list(items)}` : "none";
    el("set").textContent = `${set.length} of ${bits}`;
    el("rate").textContent = filter.rate[set.length];
    el("expected").textContent = filter.expected[items.length];
    el("counted").textContent = `${mistaken.length} of ${strangers.length}`;
    for (const entry of el("words").children) {
      const word = entry.textContent;
      const state = items.includes(word) ? "in" : saysYes(word) ? "mistaken" : "out";
      entry.className = state;
      entry.title = { in: "inserted", mistaken: "false positive", out: "not in" }[state];
    }
  }

  function act(event) {
    event.preventDefault();
    const word = typed();
    if (event.submitter === el("some")) {
      const next = Object.keys(filter.positions).filter((each) => !items.includes(each));
      const added = next.filter((_, index) => index % 43 === 7).slice(0, 5);
      added.forEach(insert);
      el("verdict").textContent = added.length ? `${list(added)} are in.` : "Few words are left.";
    } else if (!known(word)) {
      el("verdict").textContent = word
        ? `This page does not know the word ${word}. Choose one of the list below.`
        : "Type a word first.";
    } else {
      el("verdict").textContent = event.submitter === el("ask") ? ask(word) : insert(word);
    }
    showItem();
    showFilter();
  }

  function restart(message) {
    start();
    el("verdict").textContent = message;
    showItem();
    showFilter();
  }

  function build() {
    start();
    for (let bit = 0; bit < bits; bit += 1) {
      const cell = document.createElement("span");
      cell.textContent = bit;
      el("bits").append(cell);
    }
    for (const word of Object.keys(filter.positions)) {
      const [option, entry] = ["option", "li"].map((tag) => document.createElement(tag));
      option.value = entry.textContent = word;
      el("known").append(option);
      el("words").append(entry);
    }
    el("form").addEventListener("submit", act);
    el("form").addEventListener("reset", () => setTimeout(restart, 0, "The filter is empty."));
    el("hashes").addEventListener("change", () => {
      const old = items;
      restart("");
      old.forEach(insert);
      el("verdict").textContent = `The same items, now with k = ${el("hashes").value}.`;
      showFilter();
      showItem();
    });
    el("item").addEventListener("input", showItem);
    el("words").addEventListener("click", ({ target }) => {
      if (known(target.textContent)) el("item").value = target.textContent;
      showItem();
    });
    el("live").hidden = false;
    restart("The filter is empty.");
  }

  build();
})();
