// Tests the widget Spot the liar of exact.html, which compares the textbook's rate and the exact rate with the mean rate of
// tiny filters. The chapter's sample computes the mean 0.1853 of the same 10,000 filters, the exact rate 0.1846 and the
// textbook's 0.1675.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNone } from "./browser.mjs";
import { opener, readable } from "./widgets.mjs";

const opened = opener("liar", "exact.html", "spot-the-liar");

for (const [width, guess, right] of [
  [390, "A, the upper one", ", and that is right."],
  [1280, "B, the lower one", ". B would be right if all filters were equally full."],
  [390, "Neither of them", ". The mean of a few filters may be near neither line; the mean of 10,000 is 0.4 % from A."],
]) test(`by mouse at ${width} px, after ${guess}, the mean of 10,000 filters lands on the exact rate`, async () => {
  const { wrong, close, widget, says } = await opened("", { width });
  assert.doesNotMatch(await widget.locator(".live-chart").innerHTML(), /exact|textbook/);
  assert.equal(await widget.getByRole("button", { name: "Run 10,000 filters" }).isVisible(), false);
  await widget.getByRole("button", { name: guess }).click();
  await says(`You said: ${guess}. Now run them.`);
  assert(!(await widget.locator(".live-lesson").isVisible()));
  const height = async () => (await widget.boundingBox()).height;
  const before = await height();
  await widget.getByRole("button", { name: "Run 10,000 filters" }).click();
  await says(`You said: ${guess}${right} The mean follows A, the exact rate; B, the textbook’s, is 9.3 % too low.`);
  await says("Mean of 10,000 rates: 0.1853 measured. A is at 0.1846, B at 0.1675.");
  assert.match(await widget.locator(".live-chart").innerHTML(), /A: exact, 0\.1846.*B: textbook, 0\.1675/);
  assert(await widget.locator(".live-lesson").isVisible());
  assert.equal(await height(), before, "the page moved");
  assertNone(wrong, "what went wrong");
  await close();
});

test("by keyboard alone, at once where motion is unwelcome", async () => {
  const { page, wrong, close, widget, says } = await opened("", { reducedMotion: "reduce" });
  await widget.getByRole("radio", { name: "2 items, 8 bits, 3 hashes" }).focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await says("You said: A, the upper one. Now run them.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  // The chapter counts the cases for this filter: the exact rate is 13/64, the textbook's 49/256.
  await says(/^Mean of 10,000 rates: 0\.20\d+ measured. A is at 0\.2031, B at 0\.1914\.$/);
  await page.waitForFunction(() => /Mean of 10,000/.test(document.querySelector("live-liar [role=status]").textContent));
  assertNone(wrong, "what went wrong");
  await close();
});

test("a link shows the same filter and the same mean", async () => {
  const query = "?liar.guess=0&liar.shape=8-64-5&liar.run=100";
  const { close, widget, says, shown } = await opened(query);
  await says("You said: A, the upper one. Now run them.");
  const text = await shown();
  const set = await widget.locator(".live-bits > .set").count();
  await says(`Filter 100: ${set} of 64 bits set`);
  const again = await opened(query);
  assert.equal(await again.shown(), text);
  await again.close();
  await widget.getByRole("button", { name: "One more" }).click();
  await says("Mean of 101 rates");
  await widget.getByRole("button", { name: "100 more" }).click();
  await says("Mean of 201 rates");
  await widget.getByRole("button", { name: "Start again" }).click();
  await says("The mean is not known yet.");
  await close();
  const odd = await opened("?liar.guess=9&liar.shape=0-0-0&liar.run=1e99");
  await odd.says("Mean of 10,000 rates: 0.1853 measured.");
  assertNone(odd.wrong, "what went wrong");
  await odd.close();
});

test("the line of the mean is within its frame for each filter, and so is its dot", async () => {
  for (const width of [390, 1280]) {
    const { close, widget } = await opened("?liar.guess=none", { width });
    const beyond = await widget.evaluate((one) => {
      const found = [];
      for (const [shape] of one.constructor.shapes) for (const run of [1, 2, 3, 5, 10, 20, 50, 100, 1000, 10_000]) {
        one.set({ shape, run });
        const chart = one.querySelector(".live-chart");
        const [, top, , height] = chart.querySelector("svg").getAttribute("viewBox").split(" ").map(Number);
        const dot = Number(chart.querySelector(".dot").getAttribute("cy"));
        const ys = [...chart.querySelectorAll(".line")].map((line) => line.getAttribute("points").split(" ").map((at) => Number(at.split(",")[1])));
        // The frame leaves 3 px on each side of what is drawn.
        const wrong = ys.flat().filter((y) => y < top + 3 || y > top + height - 3);
        if (wrong.length > 0) found.push(`${shape}, ${run}: ${wrong.length} points`);
        if (ys.length < 3) found.push(`${shape}, ${run}: only ${ys.length} of 3 lines`);
        else if (Math.abs(ys[0].at(-1) - dot) > 0.1) found.push(`${shape}, ${run}: the dot is beside the line`);
        // The two lines can be told apart.
        else if (ys[2][0] - ys[1][0] < 12) found.push(`${shape}: A and B are ${ys[2][0] - ys[1][0]} px apart`);
      }
      return found;
    });
    assertNone(beyond, `${width} px`);
    await close();
  }
});

readable(opened, "liar", "?liar.guess=none&liar.shape=5-100-14&liar.run=10000");
