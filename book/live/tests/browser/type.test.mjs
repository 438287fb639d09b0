// Tests the widget A word becomes positions: it shows the bits and numbers of a filter of 64 bits and 3 hashes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener, widget } from "./widgets.mjs";

widget("type", "index.html", async ({ element, activate, type, slide, press, text, announced, page, by }) => {
  const lit = () => element.locator(".live-bits > .marked").allTextContents();
  const input = "input[type=text]";
  const answered = () => element.locator(".live-slider output:text('the answer')").waitFor();
  // At first the reader can only type a word, and the picture shows the whole query of a word.
  assert.match(await text(), /Bit \d+ of “dog” is 0: certainly not added\. The query ends there\./);
  assert.equal(await element.getByText("How many words can go in").isVisible(), false);

  await type(input, "Ada");
  await answered();
  // Each part of the number, scaled to 64 bits, is the bit at the end of its line. The first bit that is 0 ends the query.
  const ends = () => element.evaluate((one) => [...one.querySelectorAll(".live-mill .way")].map((line) => {
    const { left, top } = line.ownerSVGElement.getBoundingClientRect();
    return document.elementFromPoint(left + line.x2.baseVal.value, top + line.y2.baseVal.value + 5).textContent;
  }));
  const scaled = async () => (await element.locator(".live-mill .digits").allTextContents()).slice(0, 3)
    .map((digits) => String(Math.floor((Number.parseInt(digits, 16) / 65536) * 64)));
  const [bits, query] = [await scaled(), await ends()];
  assert(query.length >= 1);
  assert.deepEqual(query, bits.slice(0, query.length));
  assert.deepEqual(new Set(await lit()), new Set(query));
  assert.match(await text(), new RegExp(`Bit ${query.at(-1)} of “Ada” is 0: certainly not added\\.`));

  // The slider goes back to each moment of the animation, where the number is the hash of the letters up to this moment.
  const moments = [];
  for (const at of [8, 20, 47, 60]) {
    const reached = await slide("input[type=range]", at);
    assert(by === "mouse" || reached === at);
    moments.push((await element.locator(".live-mill .digits").allTextContents()).join(""));
  }
  assert.equal(moments[0], "");
  assert.equal(moments[1].length, 16);
  assert.notEqual(moments[1], moments[2]);
  assert.match(await text(), /Each of the first three parts says how far along the 64 bits its bit is\./);
  await slide("input[type=range]", 100);

  await activate("button:has-text('Add it')");
  await answered();
  assert.match(await text(), /“Ada” has bits .*, which are all 1: perhaps added\. It was\./);
  const own = await lit();
  assert.deepEqual(new Set(own), new Set(bits));
  assert.deepEqual(await ends(), bits);

  // By bloom-params --n 13 (or 14) --m 64 --k 3, the rate passes 1 in 10 with 14 words.
  await activate("button:has-text('31')");
  assert.match(await text(), /You said: 31\. 31 words would set 93 bits if no two shared one, and there are only 64: most bits are set by then\. With 14 words in 64 bits, more than one in ten of all other words is expected to be found/);
  assert.match(await text(), /4 words in, .* of the bits set/);

  await activate("button:has-text('false positive for my word')");
  await answered();
  assert.match(await text(), /“[a-z]+” has bits .*, which are all 1: perhaps added\. It was not: a false positive\./);
  assert.equal(await element.locator(".live-bits > .wrong").count(), (await lit()).length);
  assert((await lit()).every((bit) => own.includes(bit)), "every bit is one of Ada's");

  // The second press of the button finds another false positive. The false positives are not inserted.
  const found = [await element.locator(input).inputValue()];
  for (const _ of [1, 2]) {
    await activate("button:has-text('false positive for my word')");
    await answered();
    found.push(await element.locator(input).inputValue());
    assert.match(await text(), /4 words in, .* It was not: a false positive\.|It was not: a false positive\. 4 words in/);
  }
  assert.equal(new Set(found).size, 3, String(found));

  await activate("button:has-text('Add five animals')");
  await answered();
  await activate("button:has-text('Add five animals')");
  await answered();
  // The fill is the share of the bits that are set, and the rate is the fill's third power.
  const set = await element.locator(".live-bits > .set").count();
  const share = (number) => `${new Intl.NumberFormat("en", { maximumSignificantDigits: 3 }).format(100 * number)} %`;
  const shown = await text();
  assert(shown.includes(`14 words in, ${share(set / 64)} of the bits set. Of all other words, ${share((set / 64) ** 3)} would`), shown);
  await page.waitForTimeout(600);
  assert.match((await announced()).at(-1), /14 words in/);
});

const opened = opener("type", "index.html", "type", { width: 390, reducedMotion: "reduce" });
// Returns where the visible texts of the picture begin and end, from left to right.
const placesOf = (element, name) => element.locator(`.live-mill ${name}`).evaluateAll((all) => all.filter((one) => one.getAttribute("opacity") !== "0")
  .map((one) => ({ text: one.textContent, left: one.getBoundingClientRect().left, right: one.getBoundingClientRect().right }))
  .sort((one, other) => one.left - other.left));
const assertApart = (places, what) => {
  for (const [at, { left }] of places.entries()) assert(at === 0 || left > places[at - 1].right - 1, `${what}: ${JSON.stringify(places)}`);
};

test("the word of a link is cut to what the field takes, and its letters stand side by side", async () => {
  const { widget: element, close } = await opened(`?type.word=${"W".repeat(200)}`);
  const places = await placesOf(element, ".letter");
  assert.equal(places.length, 40);
  assertApart(places, "390 px");
  assert.equal(await element.locator("input[type=text]").inputValue(), "W".repeat(40));
  await close();
});

test("letters are what a reader sees as one letter, in the direction of the text", async () => {
  for (const [word, seen] of [["שלום", "םולש"], ["a👨‍👩‍👧é", "a👨‍👩‍👧é"], ["ant", "ant"]]) {
    const { widget: element, close } = await opened(`?type.word=${encodeURIComponent(word)}`);
    const places = await placesOf(element, ".letter");
    assert.equal(places.map(({ text }) => text).join(""), seen);
    assert.equal(places.length, new Set(places.map(({ left }) => left)).size);
    assert(places.length <= 4, JSON.stringify(places));
    await close();
  }
});

test("at 390 px no part of the number lies on another, and the hint is whole", async () => {
  const { widget: element, close } = await opened();
  for (let at = 38; at <= 54; at += 1) {
    await element.evaluate((one, moment) => one.set({ at: moment }), at);
    assertApart(await placesOf(element, ".digits"), at);
  }
  await element.locator("input[type=text]").fill("");
  const { left, right } = await element.locator(".live-mill").evaluate((one) => one.getBoundingClientRect());
  const hint = await placesOf(element, ".hint");
  assert.equal(hint.length, 2);
  for (const line of hint) assert(line.left >= left && line.right <= right, JSON.stringify(hint));
  await close();
});
