// The widget "Twins" of hashing.html, by mouse, by keyboard and by link. The positions are those of
// `Scheme::positions`, whose tests are in bloom-core; those of a + ib can be checked by hand.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertNone, book, choose, fromDisk, launch, open, sideways, violations } from "./browser.mjs";

let browser, disk;
before(async () => {
  browser = await launch();
  disk = fromDisk(book);
});
after(() => browser.close());

const opened = async (query = "", options) => {
  const { page, wrong, close } = await open(browser, disk, `hashing.html${query}#twins`, options);
  const widget = page.locator("live-twins");
  await widget.locator(".live").waitFor();
  const ring = (number) => widget.locator(".live-rings .live-numbers").nth(number).innerText();
  const pairs = () => widget.locator(".live-numbers").nth(2).innerText();
  const star = () => widget.locator(".star").first().getAttribute("points");
  return { page, wrong, close, widget, ring, pairs, star };
};

test("by mouse, half way round leaves two positions, and a twin has the same star", async () => {
  const { wrong, close, widget, ring, star } = await opened();
  const first = await star();
  assert.equal(await widget.getByLabel("Step b").isVisible(), false);
  await widget.getByRole("button", { name: "6", exact: true }).click();
  assert.equal(await widget.locator(".live-verdict").innerText(),
    "You said: 6. Only 2: the positions from a = 5 on are 5, 13, 5, 13, 5, 13. Try other steps.");
  assert.equal(await ring(0), "2 different positions: 5, 13, 5, 13, 5, 13. 1 other pair (a, b) sets the same: (13, 8).");
  await widget.getByLabel("Step b").fill("3");
  assert.equal(await star(), first);
  assert.equal(await ring(0), "6 different positions: 5, 8, 11, 14, 1, 4. 1 other pair (a, b) sets the same: (4, 13). 4 pairs have all but one of them.");
  await widget.getByRole("button", { name: "Show the twin" }).click();
  assert.match(await ring(0), /^6 different positions: 4, 1, 14, 11, 8, 5\. .* the same: \(5, 3\)/);
  assert.equal(await star(), first.split(" ").reverse().join(" "));
  await widget.getByRole("button", { name: "Show the twin" }).click();
  assert.equal(await star(), first);
  await widget.getByRole("button", { name: "Step 0" }).click();
  assert.equal(await ring(0), "1 different position: 5, 5, 5, 5, 5, 5. No other pair (a, b) sets the same.");
  await widget.getByLabel("12 = 2·2·3").check();
  await widget.getByRole("button", { name: "Half way round" }).click();
  assert.match(await ring(0), /^2 different positions: 5, 11, 5, 11, 5, 11\./);
  assertNone(wrong, "what went wrong");
  await close();
});

test("by keyboard alone, the cubic term breaks the mirror from four hashes on", async () => {
  const { page, wrong, close, widget, pairs } = await opened();
  await widget.getByRole("button", { name: "2", exact: true }).focus();
  await page.keyboard.press("Enter");
  assert.equal(await pairs(), "Pairs (a, b) that share all their positions with another one: 240 of all 256 with double hashing, 0 of all 256 with enhanced double hashing.");
  await page.keyboard.press("Tab"); // positions m
  for (const _ of "123") await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight"); // k = 3
  assert.match(await pairs(), /256 of all 256 with enhanced/);
  await page.keyboard.press("ArrowRight");
  assert.match(await pairs(), /: 240 of all 256 .* 32 of all 256/);
  await page.waitForFunction((text) => document.querySelector("live-twins [role=status]").textContent.endsWith(text), await pairs());
  assertNone(wrong, "what went wrong");
  await close();
});

test("with a prime number of positions only a step of 0 repeats one, and a link may say anything", async () => {
  const { page, wrong, close, widget, ring, star } = await opened("?twins.guess=2&twins.m=13&twins.a=99&twins.b=15&twins.k=-1");
  assert.match(await ring(0), /^2 different positions: 12, 11\./);
  for (let b = 0; b < 13; b += 1) {
    await widget.evaluate((element, step) => element.set({ b: step, k: 7 }), b);
    assert.match(await ring(0), b === 0 ? /^1 different position:/ : /^7 different positions:/, `b = ${b}`);
  }
  await page.waitForURL(({ searchParams }) => searchParams.get("twins.b") === "12" && searchParams.get("twins.k") === "7");
  const again = await opened(new URL(page.url()).search);
  assert.deepEqual([await again.star(), await again.ring(0), await again.ring(1)], [await star(), await ring(0), await ring(1)]);
  assertNone([...wrong, ...again.wrong], "what went wrong");
  await again.close();
  await close();
});

test("it can be read in every theme and fits 320 px", async () => {
  const { page, close } = await opened("?twins.guess=none&twins.b=8", { width: 320 });
  assert.equal(await sideways(page), 0);
  for (const theme of ["light", "navy", "coal"]) {
    await choose(page, theme);
    assertNone(await violations(page, { within: "live-twins" }), theme);
  }
  await close();
});
