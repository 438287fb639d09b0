// Tests the widget “field”, a Bloom filter with a thousand addresses: it shows which addresses set a bit, and which addresses
// set the bits of an address that was never inserted. Compares the addresses with the positions that the filters of the page
// compute.
import assert from "node:assert/strict";
import { widget } from "./widgets.mjs";

widget("field", "idea.html", async ({ element, page, activate, type, slide, text, click, by }) => {
  const input = "input[type=text]";
  // The positions of an address, by a filter with the widget's 4,096 bits and 3 hashes.
  const positions = (word) => page.evaluate(async (name) => {
    const filter = (await live.filters()).filter("classic", 4096, 3);
    const places = filter.positions(name);
    filter.free();
    return places;
  }, word);
  const plain = (number) => Number(number.replaceAll(",", ""));
  const arrived = () => page.waitForFunction(() => {
    const rings = [...document.querySelectorAll("live-field .live .ring")];
    return rings.length > 0 && rings.every((ring) => ring.r.baseVal.value === 9);
  });

  // The widget begins with a false positive, and names for each of its bits the addresses that set the bit ("setters").
  const falsePositive = async () => {
    await arrived();
    const said = await element.locator(".live-verdict").first().textContent();
    const [, word, list] = /^“(page\/\d+)” was never inserted, but others set its bits: (.*)\. A false positive\.$/.exec(said) ?? assert.fail(said);
    const parts = list.split("; ").map((part) => /^([\d,]+) by (.*)$/.exec(part));
    assert.deepEqual(parts.map(([, bit]) => plain(bit)), await positions(word));
    for (const [, bit, names] of parts) {
      for (const name of names.split(/, | and /)) {
        assert(Number(name.replace("page/", "")) <= 1000, name);
        assert((await positions(name)).includes(plain(bit)), `${name} has not set ${bit}`);
      }
    }
    assert(await element.locator(".live .asked.wrong").isVisible());
    assert(await element.locator(".live .setter").first().isVisible());
    return word;
  };
  const first = await falsePositive();
  await activate("button:has-text('Find a false positive')");
  const second = await falsePositive();
  assert(Number(second.replace("page/", "")) > Number(first.replace("page/", "")));

  // The button of a setter queries it.
  await activate(element.locator(".live-who button").first());
  await arrived();
  assert.match(await text(), /“page\/\d+” has bits .*, all 1: perhaps inserted\. It was\./);
  await type(input, "page/1001");
  await arrived();
  assert.match(await text(), /“page\/1001” has bits 1,375, 2,098 and 3,544\. Bit 3,544 is 0: certainly not inserted\./);

  // A bit is touched in the picture, or chosen by the slider.
  if (by === "mouse") {
    const { width } = await element.locator(".live svg.live-ground").boundingBox();
    const [columns, row, column] = [width > 500 ? 128 : 64, 10, 20];
    const middle = (at) => ((at + 0.5) * width) / columns;
    await element.locator(".live svg.live-ground").click({ position: { x: middle(column), y: middle(row) } });
    const touched = (row * columns + column).toLocaleString("en");
    assert.match(await text(), new RegExp(`Bit ${touched} (was set by|is 0)`));
  }
  const bit = await slide("input[type=range]", by === "mouse" ? 3000 : 2100);
  const who = await element.locator(".live-who").textContent();
  const setters = [...who.matchAll(/page\/\d+/g)].map(([name]) => name);
  for (const name of setters) assert((await positions(name)).includes(bit), `${name} has not set ${bit}`);
  assert.equal(setters.length === 0, /nobody has set it/.test(who));

  await activate("button:has-text('3,000')");
  assert.match(await text(), /3,000 would be right if no two addresses shared a bit\. The addresses set a bit 3,000 times: 874 times it was 1 already, so only 2,126 different bits are 1\./);
  assert.match(await text(), /1,000 addresses inserted, 51\.9 % of 4,096 bits set\. Of all other addresses, 14 % would be false positives\./);
  // In the run by mouse, the button inserts the addresses step by step, and in the run by keyboard all at once.
  await slide("label:has-text('Addresses inserted') input", 500);
  assert.doesNotMatch(await text(), /1,000 addresses inserted/);
  await activate("button:has-text('Fill it from empty')");
  await element.locator(".live-numbers", { hasText: "1,000 addresses inserted" }).waitFor();
  await click("button:has-text('Start again')");
  assert.equal(await falsePositive(), first);
});
