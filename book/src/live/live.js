// Gives the pages of the book the filters of bloom-core and the calculator of bloom-params, compiled to WebAssembly.
// `book/live/build.sh` writes the two modules beside this script, filters.js and calculator.js. They are classic scripts,
// because a page opened from disk may neither fetch files nor import modules. Each is loaded when a page first asks for it.
//
//   const { filter } = await live.filters();
//   const own = filter("classic", 19188, 7);    // 19,188 bits and 7 hashes; throws where bloom-core refuses a size
//   own.insert("ant");                          // true: certainly new
//   own.free();                                 // gives back the memory of the filter
//   const { solve } = await live.calculator();
//   solve({ n: "2000", p: "1%", like: "guava" });   // returns the object of bloom-params --json, or { error, hint }
//   const ask = (await live.calculator()).asker();
//   await ask("page", { n: "2000", p: "1%" });      // calls page(…) in a worker, so that the page stays usable
//                                                   // meanwhile; undefined if another question comes first
"use strict";

globalThis.live = (() => {
  const home = document.currentScript.src.replace(/[^/]*$/, "");
  const loaded = {}; // the promise of each module
  const modules = {}; // the gzipped bytes of each module, as base64
  const compiled = {}; // each compiled module, of which a worker makes an instance of its own

  function load(name) {
    return (loaded[name] ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${home}${name}.js`;
      script.onload = () => resolve(start(name));
      script.onerror = () => reject(new Error(`${name}.js is missing; book/live/build.sh writes it`));
      document.head.append(script);
    }));
  }

  async function start(name) {
    const packed = new Blob([Uint8Array.from(atob(modules[name]), (char) => char.charCodeAt(0))]);
    const unpacked = packed.stream().pipeThrough(new DecompressionStream("gzip"));
    compiled[name] = await WebAssembly.compile(await new Response(unpacked).arrayBuffer());
    return running(await WebAssembly.instantiate(compiled[name], {}));
  }

  // Returns the functions by which a page calls an instance of a module. A worker runs the source text of this function, so the
  // function uses nothing that is defined outside of it.
  function running({ exports: wasm }) {
    const kinds = ["classic", "counting"];
    const models = ["exact", "textbook", "asymptotic"];
    const schemes = ["modular", "wrapping", "wrapping-without-second", "reflected", "enhanced"];

    // Takes `wasm.memory.buffer` only after the call of `text`, because it is another object if the call makes the memory grow.
    function bytesOf(length) {
      const address = wasm.text(length);
      return new Uint8Array(wasm.memory.buffer, address, length);
    }
    const textOf = (length) => new TextDecoder().decode(bytesOf(length));
    function write(text) {
      const encoded = new TextEncoder().encode(text);
      bytesOf(encoded.length).set(encoded);
    }
    function checked(result) {
      if (result < 0) throw new RangeError(textOf(-result));
      return result;
    }
    function numbersOf(count) {
      const address = wasm.numbers();
      return [...new Float64Array(wasm.memory.buffer, address, checked(count))];
    }
    const rowsOf = (width, numbers) =>
      Array.from({ length: numbers.length / width }, (_, row) => numbers.slice(row * width, (row + 1) * width));
    const indexOf = (names, name) => {
      if (!names.includes(name)) throw new RangeError(`${name} is none of ${names.join(", ")}`);
      return names.indexOf(name);
    };

    class Filter {
      #at;
      constructor(at) {
        this.#at = checked(at);
      }
      #with(word) {
        write(word);
        return this.#at;
      }
      insert = (word) => Boolean(wasm.insert(this.#with(word)));
      contains = (word) => Boolean(wasm.contains(this.#with(word)));
      remove = (word) => Boolean(wasm.remove(this.#with(word)));
      // The positions that a word sets, ascending.
      positions = (word) => numbersOf(wasm.positions(this.#with(word)));
      // `insertNumbers` inserts the numbers from `from` to below `to`, and returns how many were new. `containsNumbers` returns
      // how many of these numbers are found.
      insertNumbers = (from, to) => wasm.insert_numbers(this.#at, from, to);
      containsNumbers = (from, to) => wasm.contains_numbers(this.#at, from, to);
      // Every bit or counter, as bytes.
      cells = () => bytesOf(wasm.cells(this.#at)).slice();
      stages = () =>
        rowsOf(5, numbersOf(wasm.stages(this.#at))).map(([bits, hashes, expected, items, ones]) => ({
          bits, hashes, expected, items, ones,
        }));
      fill = () => wasm.fill(this.#at);
      rate = () => wasm.rate(this.#at);
      expectedRate = (items) => wasm.expected_rate(this.#at, items);
      clear = () => wasm.clear(this.#at);
      free = () => wasm.filter_free(this.#at);
    }

    // Writes the flags of a question: { n: "2000", hash_bits: "32" }. Their names are spelled like the keys of the answer.
    const ask = (flags) =>
      write(Object.entries(flags).map((flag) => flag.join("\t").replaceAll("\n", " ")).join("\n"));
    function solveAsText(flags) {
      ask(flags);
      return textOf(wasm.solve());
    }

    // Parses an answer, in which each value is in a line of its own. An integer of 16 digits or more becomes a BigInt, because
    // a number would lose digits.
    function parse(text) {
      const quoted = text.replace(/^(\s*(?:"\w+": )?)(\d{16,})(,?)$/gm, '$1"$2"$3');
      return JSON.parse(quoted, (_, value) => (/^\d{16,}$/.test(value) && typeof value === "string" ? BigInt(value) : value));
    }

    return {
      filter: (kind, bits, hashes) => new Filter(wasm.filter_new(indexOf(kinds, kind), bits, hashes)),
      growing: (items, rate, growth = 2, tightening = 0.85) =>
        new Filter(wasm.growing_new(items, rate, growth, tightening)),
      // The 64-bit number that chooses the first four positions of a word, in four quarters of 16 bits. Each quarter is the
      // first 16 bits of a fraction, and the position is this fraction of the filter's m, rounded down.
      quarters(word) {
        write(word);
        return numbersOf(wasm.quarters());
      },
      // Points of n, p and fill, from 0 items to `last`.
      curve: (model, last, steps, bits, hashes) =>
        rowsOf(3, numbersOf(wasm.curve(indexOf(models, model), last, steps, bits, hashes))),
      // The bits that a set takes in five forms: texts of `length` bytes, hashes of 8 bytes, the shortest hashes that keep
      // the rate, a filter with k = 1, and the smallest Bloom filter. The sixth number is the k of this smallest filter.
      sizes: (items, length, rate) => numbersOf(wasm.sizes(items, length, rate)),
      // The rates of filters with the same size and different items: of the filters with the numbers `from` to below `to`. Each
      // rate is computed from the set bits of its filter. `means` has for each filter the mean rate of the filters up to it.
      ratesOfMany(items, bits, hashes, from, to) {
        const rates = numbersOf(wasm.rates_of_many(items, bits, hashes, from, to));
        return { rates, means: rates.map((_, index) => wasm.mean(index + 1)) };
      },
      derived: (scheme, a, b, bits, hashes) =>
        numbersOf(wasm.derived(indexOf(schemes, scheme), a, b, bits, hashes)),
      excess: (scheme, items, bits, hashes) =>
        numbersOf(wasm.excess(indexOf(schemes, scheme), items, bits, hashes)),
      // The calculator's answer with its derivation, the rates with more than n items, and 61 points of n and p up to twice n;
      // or { error, hint }.
      page(flags) {
        ask(flags);
        const page = parse(textOf(wasm.page(2, 60)));
        return page.points ? { ...page, points: page.points.map((point) => point.map(Number)) } : page;
      },
      // The systems that the calculator knows, by name. Each has the language of its code (or "redis" or "setting"), and which
      // of the flags p and expansion it takes.
      systems: () => new Map(textOf(wasm.systems()).split("\n").map((line) => {
        const [name, form, ...flags] = line.split(" ");
        return [name, { form, flags }];
      })),
      solveAsText,
      solve: (flags) => parse(solveAsText(flags)),
    };
  }

  // Loads both modules, and returns their functions as one object.
  async function both() {
    const [filters, calculator] = await Promise.all([load("filters"), load("calculator")]);
    const { page, solve, solveAsText, systems, excess } = calculator;
    return { ...filters, page, solve, solveAsText, systems, excess, asker };
  }

  // Runs in a worker. The worker's source text is this function and `running`.
  function work() {
    let crates;
    onmessage = async ({ data: { module, what, flags } }) => {
      if (module) crates = WebAssembly.instantiate(module, {}).then(running);
      else postMessage((await crates)[what](flags));
    };
  }

  // Returns a function that asks the calculator in a worker. A new question ends the work on the previous question, even if
  // that would take minutes: the promise of the previous question then gives undefined.
  function asker() {
    const text = new Blob([`"use strict"; ${running} (${work})();`], { type: "text/javascript" });
    const source = URL.createObjectURL(text);
    let worker, ended;
    return (what, flags) => new Promise((resolve) => {
      if (ended) {
        worker.terminate();
        worker = undefined;
        ended();
      }
      if (!worker) {
        worker = new Worker(source);
        worker.postMessage({ module: compiled.calculator });
      }
      ended = resolve;
      worker.onmessage = ({ data }) => {
        ended = undefined;
        resolve(data);
      };
      worker.postMessage({ what, flags });
    });
  }

  return {
    filters: () => load("filters"),
    calculator: () => both(),
    // filters.js and calculator.js call this function.
    add: (name, base64) => {
      modules[name] = base64;
    },
  };
})();
