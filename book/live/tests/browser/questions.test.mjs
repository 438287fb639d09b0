// Tests the WebAssembly modules of the book in a page that is opened from disk: the filters work, and the calculator answers
// 1,000 random questions as bloom-params does. The variables QUESTIONS and SEED choose other questions, COMMAND another
// program.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import assert from "node:assert/strict";
import { compare, questions } from "../questions.mjs";
import { assertNone, book, fromDisk, launch, open } from "./browser.mjs";

const { COMMAND, QUESTIONS = "1000", SEED = "1" } = process.env;
const command = COMMAND ?? fileURLToPath(new URL("../../../../target/release/bloom-params", import.meta.url));
const missing = [command, join(book, "live/filters.js"), join(book, "live/calculator.js")].filter((file) => !existsSync(file));
// Skips the questions if the command or the WebAssembly modules are not built.
const skip = missing.length > 0 && `not built: ${missing.join(", ")}`;
if (skip) console.log(`!!! SKIPPED: 1,000 questions in a page: ${skip}`);

test("in a page, too, the calculator and the command do not differ in a digit", { skip }, async (t) => {
  const browser = await launch();
  t.after(() => browser.close());
  const disk = fromDisk(book);
  const { page, wrong } = await open(browser, disk, "index.html");
  if (!(await page.evaluate(() => "live" in globalThis))) await page.addScriptTag({ url: `${disk.at}live/live.js` });

  const found = await page.evaluate(async () => {
    const own = (await live.filters()).filter("classic", 64, 3);
    return [own.insert("Zoë 🐝"), own.contains("Zoë 🐝"), own.contains("ant")];
  });
  assert.deepEqual(found, [true, true, false]);

  const asked = questions(Number(QUESTIONS), Number(SEED));
  const answers = await page.evaluate(async (list) => {
    const { solveAsText } = await live.calculator();
    return list.map(solveAsText);
  }, asked);
  console.log(compare(command, asked, answers));
  assertNone(wrong, "what went wrong");
});
