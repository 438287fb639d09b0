// Functions and the base class of the widgets of the book. A widget is an element <live-NAME> in a page, around the figure,
// table or sentence that it replaces. NAME.js defines the element. When the element comes near the window, it loads the
// WebAssembly module that it needs. Without JavaScript, or in a book that was built without the modules, the page shows only
// what paper shows.
//
//   live.widget("balls", class extends live.Widget {
//     static title = "Ball drop";
//     static defaults = { thrown: 0 };        // the state: it is in the address, as ?balls.thrown=100
//     static module = "filters";              // or "calculator": what `this.crates` is
//     build() { this.view.append(this.guess(…), this.buttons(…)); }      // once
//     show() { … }                            // after each `this.set({ thrown: 100 })`
//   });
//
// Numbers come from the crates: a widget has no formula of filters.
"use strict";

Object.assign(live, (() => {
  const home = document.currentScript.src.replace(/[^/]*$/, "");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const drawn = new Set(["svg", "g", "path", "rect", "circle", "line", "text", "polyline", "polygon"]);

  // Returns a new element with attributes, listeners (`onclick`) and children. An attribute with the value `true` is empty, one
  // with `false` or `undefined` is left out.
  function make(tag, attributes = {}, ...children) {
    const element = drawn.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag)
      : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children);
    return element;
  }

  function script(name) {
    return new Promise((resolve, reject) => {
      document.head.append(make("script", { src: `${home}${name}.js`, onload: resolve, onerror: reject }));
    });
  }

  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const count = (number) => whole.format(number);
  const digits = (number, most = 3) =>
    new Intl.NumberFormat("en", { maximumSignificantDigits: most }).format(number);
  // Formats a rate or a share: as a percentage; as 1 in N if it is below 0.0001; as a bound if it is below 1e-9. Only 1 is
  // shown as 100 %. The number stays in one line with its percent sign.
  function share(number) {
    if (number > 0 && number < 1e-9) return "under 1 in a billion";
    if (number > 0 && number < 0.0001) return `1 in ${digits(1 / number)}`;
    if (number < 1 && number >= 0.9995) return "above 99.9\u00a0%";
    return `${digits(100 * number)}\u00a0%`;
  }
  // `memory` is 0.4 GB in bits: the memory that the book's example, a crawler, has left. `bytes` returns a function that
  // formats a size in bits as bytes. Its unit is the largest in which the size `smallest` is not below 0.1.
  const memory = 8 * 0.4e9;
  function bytes(smallest) {
    const units = ["bytes", "KB", "MB", "GB", "TB"];
    const sizes = units.map((unit, at) => ({ unit, bits: 8 * Number(`1e${3 * at}`) }));
    const { unit, bits } = sizes.findLast((size) => smallest >= 0.1 * size.bits) ?? sizes[0];
    return (size) => `${digits(size / bits)} ${unit}`;
  }
  // Reads an integer p above 1 as the rate 1 in p: returns the rate as text, and a remark; undefined for any other text.
  function inverse(text) {
    const whole = text.trim();
    const number = /^(\d+|\d{1,3}([,_]\d{3})+)$/.test(whole) ? BigInt(whole.replaceAll(/[,_]/g, "")) : 0n;
    return number > 1n ? { rate: `1/${whole}`, remark: `p = ${whole} is read as 1 in ${count(number)}` } : undefined;
  }
  const many = (number, one, more = `${one}s`) => `${count(number)} ${number === 1 ? one : more}`;

  // The query of the page's address, which has the states of the widgets.
  const query = new URLSearchParams(location.search);

  // Writes the state of a widget to the query. The address is updated a moment after the last change, because a browser refuses
  // too many updates. All widgets of a page share `query`, because one may change before the change of another is in the
  // address.
  let pending;
  const started = [];
  function remember(scope, state, defaults) {
    for (const [key, value] of Object.entries(state)) {
      if (value === defaults[key]) query.delete(scope + key);
      else query.set(scope + key, value);
    }
    // Commas, colons and slashes need no escapes, and people read links.
    const text = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
    const address = `${location.pathname}${text && "?"}${text}`;
    for (const { link, id } of started) link.href = `${address}#${id}`;
    clearTimeout(pending);
    pending = setTimeout(() => history.replaceState(null, "", address + location.hash), 150);
  }

  class Widget extends HTMLElement {
    static module = "filters";
    static defaults = {};
    static plain = false; // whether the address has n=2000 and not NAME.n=2000

    connectedCallback() {
      if (this.view) return;
      const near = new IntersectionObserver(async ([{ isIntersecting }]) => {
        if (!isIntersecting) return;
        near.disconnect();
        // Without its module the page stays as it is, and keeps no room for the widget.
        this.crates = await live[this.constructor.module]().catch(() => null);
        if (this.crates && !this.view) this.start();
        this.classList.toggle("still", !this.crates);
      }, { rootMargin: "600px" });
      near.observe(this);
    }

    start() {
      const { title, defaults, plain } = this.constructor;
      this.name = this.localName.replace("live-", "");
      this.scope = plain ? "" : `${this.name}.`;
      this.defaults = { guess: "", ...defaults };
      this.state = { ...this.defaults };
      for (const [key, value] of Object.entries(this.defaults)) {
        const text = query.get(this.scope + key);
        if (text === null) continue;
        const read = typeof value === "number" ? Number(text) : text;
        if (typeof value !== "number" || (text !== "" && Number.isFinite(read))) this.state[key] = read;
      }
      this.parts = [];
      this.view = make("div", { class: "live", role: "group", "aria-label": title });
      this.view.append(make("p", { class: "live-title" }, title));
      this.build();
      this.status = make("p", { class: "live-status", role: "status" });
      this.link = make("a", { onclick: (event) => this.copy(event) }, "Copy a link to this moment");
      const again = make("button", { type: "button", onclick: () => this.again() }, "Start again");
      this.view.append(make("p", { class: "live-foot" }, again, this.link), this.status);
      const form = ["figure", "table"].filter((one) => this.querySelector(one)).map((one) => `a ${one}`).join(" and ") || "code";
      const printed = make("details", { class: "live-printed" }, make("summary", {}, `As ${form}`));
      printed.append(...this.childNodes);
      this.append(this.view, printed);
      started.push(this);
      this.refresh();
      clearTimeout(this.speaking); // nobody has done anything yet
      let width = this.view.clientWidth;
      new ResizeObserver(() => {
        if (width === this.view.clientWidth) return;
        width = this.view.clientWidth;
        this.show();
      }).observe(this.view);
    }

    // Changes the state, the address and what is shown.
    set(changes) {
      Object.assign(this.state, changes);
      this.refresh();
    }

    // Ends an animation, and then does what `set` does, for an input of the reader.
    move(changes) {
      this.stop();
      this.set(changes);
    }

    refresh() {
      for (const part of this.parts) part();
      remember(this.scope, this.state, this.defaults);
      this.view.classList.toggle("guessed", this.state.guess !== "");
      this.show();
    }

    again() {
      this.stop();
      this.set(this.defaults);
      clearTimeout(this.speaking);
      this.status.textContent = "";
      this.view.querySelector("input, .before button").focus();
    }

    // Without a clipboard the browser follows the link, so that the address bar shows it.
    async copy(event) {
      if (!navigator.clipboard) return;
      event.preventDefault();
      await navigator.clipboard.writeText(this.link.href);
      const text = this.link.textContent;
      this.status.textContent = this.link.textContent = "The link is copied.";
      setTimeout(() => (this.link.textContent = text), 2000);
    }

    // Gives a screen reader a text, half a second after the last change.
    announce(text) {
      clearTimeout(this.speaking);
      this.speaking = setTimeout(() => (this.status.textContent = text), 500);
    }

    // Calls `step` for each frame until it returns false. With reduced motion all steps are done at once.
    animate(step) {
      this.stop();
      if (still.matches) {
        while (step());
        return;
      }
      const frame = () => {
        this.frame = step() ? requestAnimationFrame(frame) : undefined;
      };
      frame();
    }

    stop() {
      cancelAnimationFrame(this.frame);
      this.frame = undefined;
    }

    // Returns a slider for a number of the state. It has the numbers from `min` to `max`, or a list of ascending values. A link
    // may have any number, for which the slider takes the nearest value below, or its least value. `max` may be a function,
    // whose result may change.
    slider(key, label, { min = 0, max, step = 1, values, text = count }) {
      const last = () => (values ? values.length - 1 : max instanceof Function ? max() : max);
      const valueAt = (at) => (values ? values[at] : at);
      const place = (value) => (values ? Math.max(0, values.findLastIndex((at) => at <= value))
        : min + Math.floor((Math.min(Math.max(value, min), last()) - min) / step) * step);
      this.state[key] = valueAt(place(this.state[key]));
      const output = make("output");
      const input = make("input", {
        type: "range", min: values ? 0 : min, max: last(), step: values ? 1 : step,
        oninput: () => this.move({ [key]: valueAt(Number(input.value)) }),
      });
      this.parts.push(() => {
        if (max instanceof Function) {
          input.max = last();
          this.state[key] = place(this.state[key]);
        }
        const value = this.state[key];
        input.value = place(value);
        output.textContent = text(value);
        input.setAttribute("aria-valuetext", text(value));
      });
      return make("label", { class: "live-slider" }, make("span", {}, label), input, output);
    }

    // Returns a row of buttons. `actions` has the text of each button, and the function that it calls.
    buttons(actions) {
      const all = Object.entries(actions).map(([text, act]) =>
        make("button", { type: "button", onclick: act }, text));
      return make("p", { class: "live-buttons" }, ...all);
    }

    // Returns a button that calls `step` for each frame while the pointer or a key holds it down. With reduced motion it calls
    // `step` ten times for each press. `step` returns false when nothing is left to do.
    hold(text, step) {
      let [held, acted] = [false, false];
      const start = (event) => {
        if (still.matches || event.button > 0) return;
        if (event.type === "keydown") {
          if (event.key !== " " && event.key !== "Enter") return;
          event.preventDefault();
          if (event.repeat) return;
        } else {
          event.currentTarget.setPointerCapture(event.pointerId);
        }
        held = acted = true;
        this.animate(() => held && step());
      };
      const end = () => (held = false);
      const cancel = () => (held = acted = false);
      const up = (event) => {
        if (held && event.key !== "Tab") event.preventDefault();
        cancel();
      };
      // A click without a press comes from assistive technology.
      const click = () => {
        for (let times = 0; !acted && times < 10 && step(); times += 1);
        acted = false;
      };
      return make("button", {
        type: "button", class: "live-hold", onpointerdown: start, onkeydown: start, onpointerup: end, onkeyup: up,
        onpointercancel: cancel, onblur: cancel, onclick: click, oncontextmenu: (event) => event.preventDefault(),
      }, text);
    }

    // Returns radio buttons. `options` are pairs: a value of the state and the text for it.
    choice(key, label, options) {
      if (!options.some(([value]) => value === this.state[key])) this.state[key] = this.defaults[key];
      const name = `${this.name}-${key}`;
      const inputs = options.map(([value, text]) => {
        const input = make("input", { type: "radio", name, value, onchange: () => this.move({ [key]: value }) });
        this.parts.push(() => (input.checked = this.state[key] === value));
        return make("label", {}, input, text);
      });
      return make("fieldset", { class: "live-choice" }, make("legend", {}, label), ...inputs);
    }

    // Asks for a guess. Once the reader has guessed, the parts of the class `after` are shown. `right` is the index of the
    // right option, or a function that returns undefined until the widget has shown the answer. `verdict` gets the index of the
    // option that the reader took, or undefined for “Just show me”, and returns the text about it. `then` is called after the
    // guess, and puts the widget into the state that the question is about.
    guess(question, options, right, verdict, then = () => {}) {
      const said = make("p", { class: "live-verdict after", tabindex: -1 });
      const take = (option) => () => {
        this.set({ guess: String(option) });
        then();
        said.focus();
      };
      const ask = make("fieldset", { class: "live-guess before" }, make("legend", {}, question),
        ...options.map((text, at) => make("button", { type: "button", onclick: take(at) }, text)),
        make("button", { type: "button", class: "live-quiet", onclick: take("none") }, "Just show me"));
      this.parts.push(() => {
        const { guess } = this.state;
        if (guess === "") return;
        const taken = options[Number(guess)]; // a link may have any text
        const isRight = Number(guess) === (right instanceof Function ? right() : right);
        const you = taken ? `You said: ${taken}${isRight ? ", and that is right" : ""}. ` : "";
        said.textContent = you + verdict(taken ? Number(guess) : undefined);
      });
      return make("div", {}, ask, said);
    }

    // Returns a paragraph with what a reader learns from the widget.
    lesson(text) {
      return make("p", { class: "live-lesson after" }, text);
    }
  }

  function widget(name, definition) {
    if (!customElements.get(`live-${name}`)) customElements.define(`live-${name}`, definition);
  }

  // Loads the script of each widget on this page.
  const found = [...document.querySelectorAll(":not(:defined)")].map((element) => element.localName);
  const names = found.filter((name) => name.startsWith("live-")).map((name) => name.replace("live-", ""));
  if (names.length > 0) {
    script("drawing").then(() => [...new Set(names)].forEach((name) => script(name)));
  }

  return { Widget, widget, query, make, count, digits, share, inverse, many, memory, bytes };
})());
