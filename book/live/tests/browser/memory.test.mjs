// Memory race: its sizes are those of the first chapter, which computes them, and of bloom-params.
import assert from "node:assert/strict";
import { widget } from "./widgets.mjs";

widget("memory", "idea.html#memory-race", async ({ activate, slide, text, element }) => {
  assert.match(await text(), /Texts: 400 bits 5 GB .* 64 bits 0.8 GB .* 34 bits 0.425 GB .* 99.5 bits 1.24 GB .* 9.6 bits 0.12 GB/);
  assert(!(await text()).includes("125 GB"));
  await activate("button:has-text('The Bloom filter')");
  // The longest bar is cut, and the filter's is to be seen.
  const bars = element.locator(".live-bars .bar");
  assert.deepEqual(await bars.evaluateAll((all) => all.map((bar) => bar.classList.contains("cut"))), [false, false, false, true, false]);
  assert((await bars.last().boundingBox()).width > 5);
  assert.match(await text(), /You said: The Bloom filter\. The largest is one bit .* 125 GB, and the texts 5 GB\. The filter takes 0\.24 GB/);
  // bloom-params --n 10000000000 --p 0.0001: 23,966,193,496 bytes, 19.17 bits per item, 13 hashes.
  await slide("label:has-text('URLs') input", 21);
  await slide("label:has-text('Characters') input", 200);
  assert.match(await text(), /Texts: 1,600 bits 2,000 GB .* Bloom filter: 19.2 bits 24 GB/);
  const said = "For 10,000,000,000 URLs of 200 characters, the Bloom filter (13 hashes) is 83 times smaller than the texts";
  assert((await text()).includes(said));
  await element.locator(".live-status", { hasText: said }).waitFor({ state: "attached" });
});
