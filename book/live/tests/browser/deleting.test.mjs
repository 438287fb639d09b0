// Tests the widget Delete and lose of deleting.html, in which words are deleted from a filter of bits or of counters. The bits
// that two words share follow from their positions, which bloom-core computes; a test in book/live/src/filter.rs has the same
// positions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNone, heightOf, phoneHeight } from "./browser.mjs";
import { opener, readable } from "./widgets.mjs";

const open = opener("deleting", "deleting.html", "delete-and-lose");
const opened = async (query, options) => {
  const one = await open(query, options);
  return { ...one, answers: () => one.widget.locator(".live-rows .answer").allInnerTexts() };
};
const [found, lost, gone, falsePositive] = [
  "✓ in, and found", "✗ in, but lost: a false negative", "not in, not found", "⚠ not in, but found: a false positive",
];

for (const width of [390, 1280]) test(`by mouse at ${width} px, the bits of one word take another along; counters do not`, async () => {
  const { wrong, close, widget, says, answers } = await opened("", { width });
  assert.equal(await widget.getByRole("button", { name: "Clear its bits: ant" }).isVisible(), false);
  await widget.getByRole("button", { name: "kite", exact: true }).click();
  await says("You said: kite. Now clear the bits of “ant”, and look.");
  const top = async () => (await widget.locator(".live-bits").boundingBox()).y - (await widget.boundingBox()).y;
  const before = await top();
  await widget.getByRole("button", { name: "Clear its bits: ant" }).click();
  assert.equal(await top(), before, "the picture moved");
  await says("You said: kite. “kite” would be right if “hen” were deleted: they share bit 21. With bits, “hen” is lost: it shares bit 3 with “ant”. No other word shares a bit with “ant”.");
  await says("The bits of “ant” are cleared. “hen” is lost.");
  assert.deepEqual(await answers(), [gone, found, found, lost, found]);
  assert(await widget.locator(".live-lesson").isVisible());
  await widget.getByRole("radio", { name: /^Counters/ }).check();
  await says("“ant” was removed. No word is lost.");
  assert.deepEqual(await answers(), [gone, found, found, found, found]);
  // The question, the choice, the bits, the buttons and the text of what was done fit together into the window of a phone.
  const said = widget.locator(".live-numbers");
  const high = await heightOf(widget.locator(".live-verdict"), widget.locator(".live-choice"), widget.locator(".live-bits"), said);
  assert(high <= phoneHeight, `picture, buttons and texts take ${high} px`);
  await widget.getByRole("button", { name: "Remove ant", exact: true }).click();
  await says("“ant” is certainly not in: its removal is refused.");
  assertNone(wrong, "what went wrong");
  await close();
});

test("by keyboard alone, a full counter stays full", async () => {
  const { page, wrong, close, widget, says, answers } = await opened();
  await widget.getByRole("button", { name: "cat", exact: true }).focus();
  for (let tabs = 0; tabs < 2; tabs += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await says("You said: hen. Now clear");
  await widget.getByRole("radio", { name: /^Bits/ }).focus();
  await page.keyboard.press("ArrowRight");
  await widget.getByRole("button", { name: "Insert ant 15 times more" }).focus();
  await page.keyboard.press("Enter");
  await says("“ant” was inserted. No word is lost. Counters 3, 6 and 9 are full at 15, and stay so.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await says("“ant” was removed. No word is lost. “ant” is a false positive. Counters 3, 6 and 9 are full at 15, and stay so.");
  assert.deepEqual(await answers(), [falsePositive, found, found, found, found]);
  const counters = await widget.locator(".live-bits").getAttribute("aria-label");
  assert.equal(counters, "32 counters: 0 0 0 15 1 0 15 0 0 15 2 0 0 0 0 0 0 1 1 0 0 2 0 1 0 0 0 1 0 1 0 1");
  await page.waitForFunction(() => /stay so/.test(document.querySelector("live-deleting [role=status]").textContent));
  assertNone(wrong, "what went wrong");
  await close();
});

test("a wrong guess is a word that another deletion would lose", async () => {
  for (const [guess, says] of [
    ["0", "You said: cat. “cat” would be right if “emu” were deleted: they share bit 10. With bits, “hen” is lost"],
    ["1", "You said: emu. “emu” would be right if “cat” were deleted: they share bit 10. With bits, “hen” is lost"],
    ["2", "You said: hen, and that is right. With bits, “hen” is lost"],
    ["none", "With bits, “hen” is lost"],
  ]) {
    const { widget, close } = await opened(`?deleting.guess=${guess}&deleting.steps=-ant`);
    const verdict = await widget.locator(".live-verdict").innerText();
    assert(verdict.startsWith(says), verdict);
    await close();
  }
  // What the verdict says about a wrong guess is true: clearing the bits of the word that it names loses the guessed word.
  const { close, answers } = await opened("?deleting.guess=0&deleting.steps=-hen");
  assert.equal((await answers())[4], lost);
  await close();
});

test("where the filter has counters, the question, the instruction and the verdict speak of counters", async () => {
  for (const [guess, said] of [["none", "none, and that is right."], ["hen", "hen."]]) {
    const { close, widget, says, answers } = await opened("?deleting.way=counters");
    await says("Five words are in. “ant” is removed from its counters: which other word is lost?");
    await widget.getByRole("button", { name: guess, exact: true }).click();
    await says(`You said: ${guess}. Now remove “ant”, and look.`);
    await widget.getByRole("button", { name: "Remove ant", exact: true }).click();
    await says(`You said: ${said} With counters, no word is lost: the counter that “hen” shares with “ant” counts both, and stays above 0.`);
    assert.deepEqual(await answers(), [gone, found, found, found, found]);
    await widget.getByRole("radio", { name: /^Bits/ }).check();
    await says("With bits, “hen” is lost");
    await close();
  }
});

test("a link replays its steps", async () => {
  const { close, says, answers } = await opened("?deleting.guess=2&deleting.steps=-hen,hen:2,-emu");
  await says("The bits of “emu” are cleared. “cat” is lost.");
  assert.deepEqual(await answers(), [found, lost, gone, found, found]);
  await close();
  const odd = await opened("?deleting.guess=7&deleting.way=rocks&deleting.steps=-yak,ant:x,:,--ant,-ant:1e99");
  await odd.says("The bits of “ant” are cleared. “hen” is lost.");
  assertNone(odd.wrong, "what went wrong");
  await odd.close();
});

readable(opened, "deleting", "?deleting.guess=none&deleting.steps=-ant");
