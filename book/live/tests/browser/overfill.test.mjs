// Tests the widget Overfill of sizes.html, in which a filter takes more items than it is sized for, by mouse, by keyboard and
// by link. The expected rate at 4,000 items is 0.157: the chapter's table has it, and `bloom-params --n 2000 --p 1%` prints it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNone } from "./browser.mjs";
import { opener, readable } from "./widgets.mjs";

const open = opener("overfill", "sizes.html", "overfill");
const opened = async (query, options) => {
  const one = await open(query, options);
  const items = async () => Number((await one.widget.getByText(/items? in \(/).innerText()).match(/[\d,]+/)[0].replaceAll(",", ""));
  return { ...one, items };
};

for (const [width, guess, right] of [
  [390, "16 times in 100", ", and that is right."],
  [1280, "5 times in 100", ". 5 times would be right with 2,892 items; from there to 4,000, each item adds more than the item before."],
  [390, "Twice in 100", ". Twice would be right if false positives grew as the items do. But each needs 7 set bits at once."],
]) test(`by mouse at ${width} px, after ${guess}, a held button inserts until it is released`, async () => {
  const { page, wrong, close, widget, says, items } = await opened("", { width });
  assert.equal(await widget.getByRole("button", { name: "Hold to insert" }).isVisible(), false);
  await says("2,000 items in (1.00 × 2,000)");
  await widget.getByRole("button", { name: guess }).click();
  await says(`You said: ${guess}. Hold`);
  const points = (await widget.locator(".live .line").first().getAttribute("points")).split(/[ ,]/);
  const dot = Number(await widget.locator(".live .dot").getAttribute("cx"));
  assert(Math.abs(points.at(-2) - dot) < 1, "the curve gives the answer away");
  const hold = widget.getByRole("button", { name: "Hold to insert" });
  await hold.hover();
  const { height } = await widget.boundingBox();
  await page.mouse.down();
  await page.waitForTimeout(500);
  assert(!(await widget.locator(".live-lesson").isVisible()));
  await says(`You said: ${guess}${right} With 4,000 items it is wrong 15.7 times in 100: once in 6.37.`);
  await page.mouse.up();
  assert.equal((await widget.boundingBox()).height, height, "the page moved");
  const then = await items();
  assert(then >= 4000 && then < 8000, String(then));
  await page.waitForTimeout(300);
  assert.equal(await items(), then);
  assert(await widget.locator(".live-lesson").isVisible());
  await widget.getByRole("button", { name: "Insert 500" }).click();
  assert.equal(await items(), then + 500);
  await widget.getByRole("button", { name: "Empty it" }).click();
  await says("Of 10,000 strangers: 0 % measured, 0 % expected, 1 % promised.");
  await widget.getByRole("button", { name: "Start again" }).click();
  await says("2,000 items in (1.00 × 2,000)");
  assertNone(wrong, "what went wrong");
  await close();
});

test("from 2,000 to 4,000 items each adds more false positives than the one before", async () => {
  const { close, widget } = await opened("?overfill.guess=1&overfill.items=4000");
  const rates = await widget.evaluate((one) => one.crates.curve("exact", 4000, 4000, ...one.size()).map(([, rate]) => rate));
  for (let n = 2001; n < 4000; n += 1) assert(rates[n + 1] - rates[n] > rates[n] - rates[n - 1], String(n));
  assert(rates[2891] < 0.05 && rates[2892] >= 0.05);
  await close();
});

test("by keyboard alone, Space and Enter are held", async () => {
  const { page, wrong, close, widget, says, items } = await opened();
  const to = async (name) => {
    for (let tabs = 0; tabs < 30; tabs += 1) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => document.activeElement.textContent || document.activeElement.value);
      if (at === name) return;
    }
    assert.fail(`Tab does not reach ${name}`);
  };
  await widget.getByRole("button", { name: "Twice in 100" }).focus();
  await to("16 times in 100");
  await page.keyboard.press("Enter");
  await to("Hold to insert");
  let before = await items();
  for (const key of ["Space", "Enter"]) {
    await page.keyboard.down(key);
    await page.keyboard.down(key); // as the keyboard repeats it
    await page.waitForTimeout(400);
    await page.keyboard.up(key);
    const then = await items();
    assert(then > before + 30, `${key}: ${before} ${then}`);
    await page.waitForTimeout(200);
    assert.equal(await items(), then, key);
    before = then;
  }
  await to("1in100");
  await page.keyboard.press("ArrowRight");
  await says(/0\.1\s% promised/);
  assertNone(wrong, "what went wrong");
  await close();
});

test("a link shows the same strangers, and a crossed square is more than red", async () => {
  const query = "?overfill.guess=2&overfill.items=4000&overfill.asked=50";
  const { page, close, widget, says, shown } = await opened(query);
  await says("Of 10,000 strangers: 15.4 % measured, 15.7 % expected, 1 % promised.");
  const crossed = widget.locator(".live-dots > .wrong");
  const said = await widget.getByText(/Of these 200 strangers/).innerText();
  assert.equal(said, `4,000 items in (2.00 × 2,000). Of these 200 strangers, ${await crossed.count()} are false positives.`);
  assert.match(await crossed.first().evaluate((dot) => getComputedStyle(dot).backgroundImage), /gradient/);
  assert.equal(await widget.locator(".live-dots").getAttribute("aria-label"), said);
  const again = await opened(query);
  assert.equal(await again.shown(), await shown());
  await again.close();
  await widget.getByRole("button", { name: "Insert 500" }).click();
  await page.waitForFunction(() => /^4,500 items in\. .*measured/.test(document.querySelector("live-overfill [role=status]").textContent));
  // A link may have any text as a state.
  const odd = await opened("?overfill.guess=2&overfill.items=-1e99&overfill.asked=1e99&overfill.promise=never");
  await odd.says("0 items in (0.00 × 2,000)");
  assertNone(odd.wrong, "what went wrong");
  await odd.close();
  await close();
});

test("the items of a link do not give the answer away, and are inserted after the guess", async () => {
  const { close, widget, says } = await opened("?overfill.items=4000");
  await says("2,000 items in (1.00 × 2,000)");
  await says("% measured, 1 % expected, 1 % promised.");
  await widget.getByRole("button", { name: "Twice in 100" }).click();
  await says("4,000 items in (2.00 × 2,000)");
  await says("With 4,000 items it is wrong 15.7 times in 100");
  await close();
});

test("with reduced motion a press inserts 100", async () => {
  const { close, widget, items } = await opened("?overfill.guess=none", { reducedMotion: "reduce" });
  await widget.getByRole("button", { name: "Hold to insert" }).click();
  assert.equal(await items(), 2100);
  await widget.getByRole("button", { name: "Hold to insert" }).press("Enter");
  assert.equal(await items(), 2200);
  await close();
});

test("a rate that is too small to read is bounded", async () => {
  const { close, says } = await opened("?overfill.guess=none&overfill.promise=1in1000&overfill.items=3");
  await says("Of 10,000 strangers: 0 % measured, under 1 in a billion expected, 0.1 % promised.");
  await close();
});

readable(opened, "overfill", "?overfill.guess=none&overfill.items=4000");
