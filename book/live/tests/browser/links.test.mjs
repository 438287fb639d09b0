// Tests the states of widgets, which are in the query of a page's address: whatever a link has there, a widget shows something
// true, and a widget does not remove the state of another widget on the page from the address.
import { test } from "node:test";
import assert from "node:assert/strict";
import { assertNone, open, setUp } from "./browser.mjs";

const held = setUp();

// Opens a page whose widgets of these names have started.
async function started(address, ...names) {
  const opened = await open(held.browser, held.disk, address, { reducedMotion: "reduce" });
  for (const name of names) {
    await opened.page.locator(`live-${name}`).scrollIntoViewIfNeeded();
    await opened.page.locator(`live-${name} .live`).waitFor();
  }
  return opened;
}
const numbers = (page, name) => page.locator(`live-${name} .live-numbers`).textContent();

test("a number that no slider has becomes the nearest one, and a choice that does not exist the default", async () => {
  const { page, wrong, close } = await started(
    "rate.html?balls.guess=none&balls.bins=7&balls.thrown=-7.5&balls.game=1e300"
    + "&sliders.guess=9&sliders.n=99999&sliders.m=-1&sliders.k=3.7&sliders.round=-2.5&sliders.stopped=1e15", "balls", "sliders");
  assert.match(await numbers(page, "balls"), /^0 balls: 0 of 100 bins hit/);
  assert.match(await numbers(page, "sliders"), /^1,000 items: /);
  assert.deepEqual(await page.locator("live-sliders output").allTextContents(), ["1,000", "200", "3"]);
  assertNone(wrong, "what went wrong");
  await close();
  const sizes = await started("idea.html?memory.items=-1&memory.length=1e9&memory.rate=2", "memory");
  assert.match(await numbers(sizes.page, "memory"), /^For 1,000 URLs of 200 characters/);
  assertNone(sizes.wrong, "what went wrong");
  await sizes.close();
  // Names that every array or object of JavaScript has, such as `map` or `constructor`, are not options.
  const inherited = await started("rate.html?balls.guess=map", "balls");
  assert.match(await inherited.page.locator("live-balls .live-verdict").textContent(), /^Of 100 bins/);
  assertNone(inherited.wrong, "what went wrong");
  await inherited.close();
  const library = await started("calculator.html?n=2000&p=1%25&like=constructor&as=constructor", "solver");
  await library.page.getByText("constructor").first().waitFor();
  assertNone(library.wrong, "what went wrong");
  await library.close();
});

test("two widgets that change in the same moment are both in the address", async () => {
  const { page, wrong, close } = await started("rate.html", "balls", "sliders");
  await page.evaluate(() => {
    document.querySelector("live-balls").set({ thrown: 7 });
    document.querySelector("live-sliders").set({ n: 9 });
  });
  await page.waitForURL(/balls\.thrown=7&sliders\.n=9/);
  const links = await page.locator(".live-foot a").evaluateAll((all) => all.map((link) => link.href.split("?")[1]));
  assert.deepEqual(links, ["balls.thrown=7&sliders.n=9#ball-drop", "balls.thrown=7&sliders.n=9#three-sliders"]);
  assertNone(wrong, "what went wrong");
  await close();
});

test("a word with a comma, which no field accepts, is one word without it", async () => {
  const { page, wrong, close } = await started("index.html?type.word=x,y", "type");
  await page.getByRole("button", { name: "Find a false positive for my word" }).click();
  assert.match(await page.locator("live-type .live-verdict").first().textContent(), /It was not: a false positive/);
  assert.match(await page.locator("live-type").innerText(), /Added: ant \(.*\), bee \(.*\), cat \(.*\), x y \(/);
  assertNone(wrong, "what went wrong");
  await close();
});

test("a widget says nothing before somebody uses it", async () => {
  const { page, wrong, close } = await started("rate.html?balls.guess=none", "balls");
  const status = page.locator("live-balls .live-status");
  await page.waitForTimeout(800);
  assert.equal(await status.textContent(), "");
  await page.getByRole("button", { name: "Drop one", exact: true }).click();
  await page.waitForFunction(() => /1 ball:/.test(document.querySelector("live-balls .live-status").textContent));
  assertNone(wrong, "what went wrong");
  await close();
});
