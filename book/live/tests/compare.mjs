// Asks the calculator for the book's pages (WebAssembly) and the command `bloom-params --json` the same random questions: both
// must give the same answers, digit for digit, and refuse questions with the same messages. Also checks the filters for the
// pages. Run from the root of the repository, after book/live/build.sh:
//
//   node book/live/tests/compare.mjs target/release/bloom-params [questions] [seed]
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import vm from "node:vm";
import { compare, questions } from "./questions.mjs";

const [command, count = "1000", seed = "1"] = process.argv.slice(2);
const folder = "book/src/live/";

// live.js expects a page. Of a page it needs only script elements, which this object imitates by running the file of a script.
const context = vm.createContext({ WebAssembly, TextDecoder, TextEncoder, Blob, DecompressionStream, Response, atob, console });
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

async function answers() {
  const { solve, solveAsText, systems } = await context.live.calculator();
  const { form, flags } = systems().get("redis");
  assert.deepEqual([form, ...flags], ["redis", "p", "expansion"]);
  const large = solve({ n: "1e19", m: "2^63", k: "3", filter: "classic" });
  assert.deepEqual([large.n, large.m, large.k], [10n ** 19n, 2n ** 63n, 3]);
  const asked = questions(Number(count), Number(seed));
  console.log(compare(command, asked, asked.map(solveAsText)), `(seed ${seed})`);
}

async function filters(name) {
  const { filter, growing, curve, ratesOfMany, derived } = await context.live[name]();
  const own = filter("counting", 64, 3);
  assert.equal(own.insert("ant") && own.contains("ant"), true);
  const lit = own.positions("ant");
  const set = [...own.cells()].flatMap((count, at) => (count > 0 ? [at] : []));
  assert.equal(String(lit), String(set));
  assert.equal(own.remove("ant") && !own.contains("ant"), true);
  // A text that is so long that the memory of the module has to grow.
  assert.equal(own.insert("long".repeat(1e6)) && own.contains("long".repeat(1e6)), true);
  assert.equal(own.insert("Zoë 🐝") && own.contains("Zoë 🐝"), true);
  own.free();
  assert.throws(() => filter("classic", 0, 3), { name: "RangeError" });
  assert.throws(() => filter("round", 64, 3), { name: "RangeError" });
  // If `free` did not give memory back, the module would need 100 GB here.
  for (let time = 0; time < 100_000; time += 1) filter("classic", 8e6, 3).free();
  const grown = growing(100, 0.01);
  grown.insertNumbers(0, 1000);
  assert.equal(grown.containsNumbers(0, 1000), 1000);
  assert.equal(grown.stages()[0].expected, 100);
  grown.free();
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
