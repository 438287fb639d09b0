// Type anything: the bits and the numbers are those of a filter of 64 bits and 3 hashes.
import assert from "node:assert/strict";
import { widget } from "./widgets.mjs";

widget("type", "index.html", async ({ element, activate, type, press, text, announced, page }) => {
  const lit = () => element.locator(".live-bits > .marked").allTextContents();
  const input = "input[type=text]";
  // By bloom-params --n 13 (or 14) --m 64 --k 3, the rate passes 1 in 10 with 14 words.
  await activate("button:has-text('14')");
  assert.match(await text(), /You said: 14, and that is right\. With 14 words in 64 bits, more than one in ten of all others is expected to be found/);
  assert.match(await text(), /3 words in, .* of the bits set/);

  await type(input, "Ada");
  assert.equal((await lit()).length, 3);
  // A line leads from the word to the middle of each of its bits.
  const ends = await element.evaluate((one) => [...one.querySelectorAll(".live-lines line")].map((line) => {
    const { left, top } = line.ownerSVGElement.getBoundingClientRect();
    return document.elementFromPoint(left + line.x2.baseVal.value, top + line.y2.baseVal.value + 5).textContent;
  }));
  assert.deepEqual(ends, await lit());
  assert.match(await text(), /“Ada” has bits \d+, \d+ and \d+\. Bits? .* 0: certainly not added\./);
  await press("Enter");
  assert.match(await text(), /“Ada” has bits .*, which are all 1: perhaps added\. It was\./);
  const own = await lit();

  await activate("button:has-text('false positive for my word')");
  assert.match(await text(), /“[a-z]+” has bits .*, which are all 1: perhaps added\. It was not: a false positive\./);
  assert.equal(await element.locator(".live-bits > .wrong").count(), (await lit()).length);
  assert((await lit()).every((bit) => own.includes(bit)), "every bit is one of Ada's");

  // Pressed again it finds another one, and none of them goes in.
  const found = [await element.locator(input).inputValue()];
  for (const _ of [1, 2]) {
    await activate("button:has-text('false positive for my word')");
    found.push(await element.locator(input).inputValue());
    assert.match(await text(), /4 words in, .* It was not: a false positive\.|It was not: a false positive\. 4 words in/);
  }
  assert.equal(new Set(found).size, 3, String(found));

  await activate("button:has-text('Add five animals')");
  await activate("button:has-text('Add five animals')");
  // The fill is counted on the bits, and the rate is its third power.
  const set = await element.locator(".live-bits > .set").count();
  const share = (number) => `${new Intl.NumberFormat("en", { maximumSignificantDigits: 3 }).format(100 * number)} %`;
  const shown = await text();
  assert(shown.includes(`14 words in, ${share(set / 64)} of the bits set. Of all other words, ${share((set / 64) ** 3)} would`), shown);
  await page.waitForTimeout(600);
  assert.match((await announced()).at(-1), /14 words in/);
});
