// Asks the built calculator and the command `bloom-params --json` the same random questions: their answers must be
// the same text, digit for digit, and their refusals the same messages. Also checks what live.js makes of the
// filters. Run from the root of the repository, after book/live/build.sh:
//
//   node book/live/tests/compare.mjs target/release/bloom-params [questions] [seed]
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import vm from "node:vm";

const [command, questions = "1000", seed = "1"] = process.argv.slice(2);
const folder = "book/src/live/";

// The little of a page that live.js uses: a script element that runs its file.
const context = vm.createContext({ WebAssembly, TextDecoder, TextEncoder, atob, console });
const run = (path) => vm.runInContext(readFileSync(path, "utf8"), context, { filename: path });
context.document = {
  currentScript: { src: `${folder}live.js` },
  createElement: () => ({}),
  head: {
    append(script) {
      run(script.src);
      script.onload();
    },
  },
};
run(`${folder}live.js`);

// xorshift32: the same questions on every machine.
let state = Number(seed) * 2654435761 + 1;
function below(count) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % count;
}
const one = (list) => list[below(list.length)];
const often = (percent) => below(100) < percent;

const counts = () => one([
  () => String(1 + below(100)),
  () => String(1 + below(1_000_000)),
  () => `${1 + below(999)}${one(["k", "M", "G"])}`,
  () => `${1 + below(9)}.${below(10)}${one(["k", "M", "e6", "e9"])}`,
  () => `2^${below(40)}`,
])();
const sizes = () => one([
  counts,
  () => `${1 + below(4096)}${one(["B", "kB", "KiB", "MiB", "MB", "kbit", " bytes"])}`,
])();
const rates = () => one([
  () => `${1 + below(50)}%`,
  () => `0.${below(10)}${1 + below(9)}`,
  () => `1/${2 + below(100_000)}`,
  () => `2^-${1 + below(60)}`,
  () => `${1 + below(9)}e-${1 + below(300)}`,
])();
const share = () => one(["1%", "0.5", "99%", "0.999"]);
const wrong = () => one(["", "0", "-1", "abc", "1.5", "1..2", "2^64", "10 MB", "1e999", "½", "100%"]);
const libraries = [
  "guava", "redis", "redis-nonscaling", "rocksdb", "rbloom", "fastbloom", "parquet", "spark", "cassandra",
];

function question() {
  const flags = {};
  const mix = one([
    "np", "np", "np", "np", "np", "np", "nm", "nm", "mp", "nmk", "nkp", "mkp", "nmp", "nmkp", "nk", "mk", "p", "kp", "n", "",
  ]);
  const values = { n: counts, m: sizes, k: () => String(1 + below(20)), p: rates };
  for (const letter of mix) flags[letter] = often(2) ? wrong() : values[letter]();
  if (often(15)) {
    flags.like = one(libraries);
    if (often(20)) flags.expansion = String(below(5));
  } else {
    const filter = one([
      "classic", "classic", "classic", "partitioned", "blocked", "split-block", "plain-blocked", "counting", "scalable",
    ]);
    // Options of another kind of filter are refused: rarely.
    const has = (...kinds) => (kinds.includes(filter) ? often(40) : often(1));
    if (filter !== "classic" || often(30)) flags.filter = filter;
    if (has("scalable")) flags.initial = counts();
    if (has("scalable")) flags.growth = String(1 + below(4));
    if (has("scalable")) flags.tightening = one(["0.5", "0.9", "1/2"]);
    if (has("blocked", "split-block", "plain-blocked")) flags.block_bits = one(["64", "512", "96"]);
    if (has("counting")) flags.counter_bits = one(["2", "4", "8"]);
    if (has("classic")) flags.model = one(["exact", "textbook", "asymptotic"]);
    if (often(5)) flags.round = one(["none", "8", "64", "512", "pow2"]);
    if (often(5)) flags.hash_bits = one(["16", "32", "64"]);
    if (often(3)) flags.confidence = share();
  }
  if (often(2)) flags.bits_per_item = one(["10", "9.6", "0.5", "1e9"]);
  if (often(5)) flags.distinct = share();
  if (often(25)) flags.overfill = "true";
  if (often(4)) flags.spread = "true";
  if (often(5)) flags.grow = one(["3x", "1.5x", "10M"]);
  if (often(5)) flags.union = String(2 + below(9));
  if (often(15)) {
    flags.lookups = counts();
    if (often(50)) flags.prevalence = share();
  }
  if (often(35)) flags.explain = "true";
  return flags;
}

function typed(flags) {
  const bare = ["overfill", "spread", "explain"];
  return Object.entries(flags).flatMap(([name, text]) => {
    const flag = `--${name.replaceAll("_", "-")}`;
    return bare.includes(name) ? [flag] : [`${flag}=${text}`];
  });
}

async function answers() {
  const { solve, solveAsText } = await context.live.calculator();
  const large = solve({ n: "1e19", m: "2^63", k: "3", filter: "classic" });
  assert.deepEqual([large.n, large.m, large.k], [10n ** 19n, 2n ** 63n, 3]);
  let solved = 0;
  for (let asked = 0; asked < Number(questions); asked += 1) {
    const flags = question();
    const line = [...typed(flags), "--json"];
    const { status, stdout, stderr } = spawnSync(command, line, { encoding: "utf8" });
    const live = solveAsText(flags);
    if (status === 2) {
      const { error } = JSON.parse(live);
      assert.equal(`error: ${error}`, stderr.split("\nhint: ")[0].trim(), line.join(" "));
    } else {
      assert.equal(live, stdout.trimEnd(), line.join(" "));
      solved += 1;
    }
  }
  // Mostly refusals would prove little.
  assert(solved > Number(questions) * 0.4, `${solved} of ${questions} solved`);
  console.log(`${questions} questions, ${solved} solved, seed ${seed}: no digit differs`);
}

async function filters(name) {
  const { filter, growing, curve, ratesOfMany, derived } = await context.live[name]();
  const own = filter("counting", 64, 3);
  assert.equal(own.insert("ant") && own.contains("ant"), true);
  const lit = own.positions("ant");
  const set = [...own.cells()].flatMap((count, at) => (count > 0 ? [at] : []));
  assert.equal(String(lit), String(set));
  assert.equal(own.remove("ant") && !own.contains("ant"), true);
  // A text for which the memory has to grow.
  assert.equal(own.insert("long".repeat(1e6)) && own.contains("long".repeat(1e6)), true);
  assert.equal(own.insert("Zoë 🐝") && own.contains("Zoë 🐝"), true);
  own.free();
  assert.throws(() => filter("classic", 0, 3), { name: "RangeError" });
  assert.throws(() => filter("round", 64, 3), { name: "RangeError" });
  // A module that did not give memory back would need 100 GB.
  for (let time = 0; time < 100_000; time += 1) filter("classic", 8e6, 3).free();
  if (name === "calculator") {
    const grown = growing(100, 0.01);
    grown.insertNumbers(0, 1000);
    assert.equal(grown.containsNumbers(0, 1000), 1000);
    assert.equal(grown.stages()[0].expected, 100);
    grown.free();
  }
  const [last] = curve("exact", 2000, 10, 19188, 7).slice(-1);
  assert.equal(last.length, 3);
  assert.equal(last[0] === 2000 && last[1] < 0.01 && last[1] > 0.0099, true);
  const { rates, means } = ratesOfMany(3, 16, 3, 0, 100);
  assert.equal(means[0] === rates[0] && means.length === 100, true);
  assert.equal(String(derived("modular", 5, 0, 12, 3)), "5,5,5");
  console.log(`${name}: the filters work`);
}

await filters("filters");
await filters("calculator");
await answers();
