// Tests the widget Memory race, which compares the memory of a set of URLs in five forms. The expected sizes are those that the
// first chapter and bloom-params compute.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener, widget } from "./widgets.mjs";

widget("memory", "idea.html#memory-race", async ({ activate, slide, text, element }) => {
  assert.match(await text(), /Texts: 400 bits 5 GB, too much .* 64 bits 0.8 GB, .* 34 bits 0.425 GB, .* 99.5 bits 1.24 GB, .* 9.6 bits 0.12 GB (?!too)/);
  assert(!(await text()).includes("125 GB"));
  await activate("button:has-text('The Bloom filter')");
  // A bar that does not fit ends at the limit of the memory.
  const bars = element.locator(".live-bars .bar");
  const isFull = () => bars.evaluateAll((all) => all.map((bar) => bar.classList.contains("wrong") && bar.offsetWidth === bar.parentElement.offsetWidth));
  assert.deepEqual(await isFull(), [true, true, true, true, false]);
  assert.match(await text(), /You said: The Bloom filter\. A lower rate costs a filter little\. For 100,000,000 URLs, one bit .* 125 GB, and the texts 5 GB\. The filter takes 0\.24 GB/);
  // bloom-params --n 10000000000 --p 0.0001: 23,966,193,496 bytes, 19.17 bits per item, 13 hashes.
  await slide("label:has-text('URLs') input", 630);
  await slide("label:has-text('Characters') input", 200);
  assert.match(await text(), /Texts: 1,600 bits 2,000 GB, .* Bloom filter: 19.2 bits 24 GB, too much/);
  const said = "For 10,000,000,000 URLs of 200 characters, the texts take 83 times as much memory as the Bloom filter (13 hashes)";
  assert((await text()).includes(said));
  await element.locator(".live-status", { hasText: said }).waitFor({ state: "attached" });

  // 0.4 GB are 3.2e9 bits. They hold 3.2e9 / 1600 texts of 200 characters, 3.2e9 / 64 hashes, or 3.2e9 / 40 fingerprints of 40
  // bits; up to 1.1e8 such fingerprints keep the rate of 1 in 10,000. By bloom-params the filter holds 166,901,765 items. The
  // race ends when the last form is full.
  await activate("button:has-text('Run the race')");
  await element.locator("output", { hasText: "170,000,000" }).waitFor();
  assert.match(await text(), /Full: One bit set at 0\.32 million, Texts at 2 million, 8-byte hashes at 50 million, Shortest fingerprints at 80 million, Bloom filter at 167 million\./);
});

const opened = opener("memory", "idea.html", "memory-race");

test("the verdict has the numbers of the bars", async () => {
  const { widget: element, close } = await opened("?memory.items=8000000&memory.length=100");
  await element.getByRole("button", { name: "The texts" }).click();
  const bars = await element.locator(".live-bars .value").allTextContents();
  const [texts, , , single, filter] = bars.map((text) => text.replace(", too much", ""));
  const said = await element.locator(".live-verdict.after").innerText();
  assert(said.includes(`about once in 800. For 8,000,000 URLs, one bit set for each is the largest: to be wrong once in 10,000, it takes ${single}, and the texts ${texts}. The filter takes ${filter},`), said);
  await close();
});

// The track of each bar stands for the whole memory, so all tracks are equally long, also during the race, however long the
// texts of the values are.
for (const width of [390, 1280]) {
  test(`at ${width} px all tracks are equally long, and as long before the race as after it`, async () => {
    const { widget: element, says, close } = await opened("?memory.guess=none&memory.items=1000000", { width });
    const tracks = () => element.locator(".track").evaluateAll((all) => all.map((track) => track.getBoundingClientRect().width.toFixed(1)));
    const before = await tracks();
    assert.deepEqual(before, Array(5).fill(before[0]));
    await element.getByRole("button", { name: "Run the race" }).click();
    await says("Bloom filter at ");
    assert.deepEqual(await tracks(), before);
    await close();
  });
}
