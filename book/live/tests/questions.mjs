// Makes random questions to the calculator, and compares the answers of its WebAssembly module with those of the command
// `bloom-params --json`: the texts must be equal digit for digit, and refusals must have the same message and hint. compare.mjs
// uses this file in Node, and browser/questions.test.mjs uses it for a page.
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";

// Random numbers by xorshift32, so that a seed gives the same questions on every machine.
let state = 1;
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
    // Options of another kind of filter than the question has are rare, because the calculator refuses them.
    const has = (...kinds) => (kinds.includes(filter) ? often(40) : often(1));
    if (filter !== "classic" || often(30)) flags.filter = filter;
    if (has("scalable")) flags.initial = counts();
    if (has("scalable")) flags.growth = String(1 + below(4));
    if (has("scalable")) flags.tightening = one(["0.5", "0.9", "1/2"]);
    if (has("blocked", "split-block", "plain-blocked")) flags.block_bits = one(["64", "512", "96"]);
    if (has("counting")) flags.counter_bits = one(["2", "4", "8"]);
    if (has("classic")) flags.model = one(["exact", "textbook", "asymptotic"]);
    if (often(5)) flags.round = one(["8", "64", "512", "pow2"]);
    if (often(5)) flags.hash_bits = one(["16", "32", "64"]);
    if (often(3)) flags.confidence = share();
  }
  if (often(mix === "mk" ? 50 : 1)) flags[one(["set_bits", "fill"])] = one(["1", "47%", "1/2", "5000", "1e9"]);
  if (often(mix === "n" ? 80 : 1)) flags.cost_false_hit = one(["500", "0.5", "1e-9", "1e300", "x"]);
  if (flags.cost_false_hit && often(50)) flags.cost_per_bit = one(["1", "1e-6"]);
  if (flags.cost_false_hit && often(80)) flags.lookups = counts();
  if (often(8)) flags.sequence = String(1 + below(20));
  if (flags.sequence && often(40)) flags.level_ratio = one(["2", "10", "1"]);
  if (often(1)) flags.like = one(["Guava", "guva", "lucene", "leveldb"]);
  if (often(2)) flags.bits_per_item = one(["10", "9.6", "0.5", "1e9"]);
  if (often(5)) flags.distinct = share();
  if (often(25)) flags.overfill = "true";
  if (often(4)) flags.spread = "true";
  if (often(5)) flags.grow = one(["3x", "1.5x", "10M", "+1M"]);
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

export function questions(count, seed) {
  state = seed * 2654435761 + 1;
  return Array.from({ length: count }, question);
}

// Compares the module's answers, a text for each question, with the answers of the command.
export function compare(command, asked, answers) {
  let solved = 0;
  for (const [index, flags] of asked.entries()) {
    const line = [...typed(flags), "--json"];
    const { status, stdout, stderr } = spawnSync(command, line, { encoding: "utf8" });
    if (status === 2) {
      const { error, hint } = JSON.parse(answers[index]);
      const refused = [`error: ${error}`, ...(hint ? [`hint: ${hint}`] : [])];
      assert.equal(refused.join("\n"), stderr.trim(), line.join(" "));
    } else {
      assert.equal(answers[index], stdout.trimEnd(), line.join(" "));
      solved += 1;
    }
  }
  // If most questions were refused, the comparison would prove little.
  assert(solved > asked.length * 0.4, `${solved} of ${asked.length} solved`);
  return `${asked.length} questions, ${solved} solved: no digit differs`;
}
