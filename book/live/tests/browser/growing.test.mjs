// The widget "Growing" of growing.html, by mouse, by keyboard and by link. The stages are those that bloom-params
// prints on the same page.
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
  const { page, wrong, close } = await open(browser, disk, `growing.html${query}#growing-stages`, options);
  const widget = page.locator("live-growing");
  await widget.locator(".live").waitFor();
  const numbers = () => widget.locator(".live-numbers").innerText();
  const items = async () => Number((await numbers()).match(/^[\d,]+/)[0].replaceAll(",", ""));
  const rows = () => widget.locator(".live-stages tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  return { page, wrong, close, widget, numbers, items, rows };
};

test("by mouse, doubling adds the stages that bloom-params prints, and only tightened ones keep the promise", async () => {
  const { page, wrong, close, widget, numbers, rows } = await opened();
  assert.equal(await widget.getByRole("button", { name: "Twice as many" }).isVisible(), false);
  await widget.getByRole("button", { name: "1 %", exact: true }).click();
  // 1 - 0.99^8 = 0.07726
  assert.match(await widget.locator(".live-verdict").innerText(), /^You said: 1 %\. All eight together find 7\.73 % of all strangers/);
  assert.match(await numbers(), /^Nothing is inserted yet/);
  for (let n = 1000; n <= 512_000; n *= 2) {
    await widget.getByRole("button", { name: "Twice as many" }).click();
    assert((await numbers()).startsWith(`${Math.min(n, 255_000).toLocaleString("en")} items, `), await numbers());
  }
  assert.match(await numbers(), /finds 0\.7 % of strangers by mistake, that with the same rate for all 7\.69 %; promised: 1 %\.$/);
  // The bits of eight stages: bloom-params --filter scalable --initial 1000 --n 255000 --p 1%
  assert.deepEqual((await widget.locator("tfoot td").allInnerTexts()).slice(1), ["1 %", "3,971,827", "2,446,222"]);
  const printed = await page.locator("pre", { hasText: "--filter scalable --n 1M" }).first().innerText();
  const stages = printed.match(/^ +\d+ +[\d,]+ +[\d,]+ +\d+ +0\.\d+$/gm).map((line) => line.trim().split(/ +/));
  const shown = await rows();
  assert.equal(shown.length, 8);
  for (const [at, [stage, , rate, bits]] of shown.entries()) {
    const [number, , m, , p] = stages[at];
    assert.deepEqual([stage, bits], [number, m]);
    assert(Math.abs(parseFloat(rate) / 100 - Number(p)) < 0.005 * Number(p), `${rate} ${p}`);
  }
  await widget.getByRole("button", { name: "Empty it" }).click();
  assert.deepEqual((await rows())[0], ["1", "", "", "", ""]);
  assertNone(wrong, "what went wrong");
  await close();
});

test("by keyboard alone, items go in as long as a key is held", async () => {
  const { page, wrong, close, widget, items, numbers } = await opened();
  await widget.getByRole("button", { name: "About 8 %" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  let before = 0;
  for (const key of ["Space", "Enter"]) {
    await page.keyboard.down(key);
    await page.waitForFunction((least) => parseInt(document.querySelector("live-growing .live-numbers").textContent.replaceAll(",", ""), 10) > least, before + 300);
    await page.keyboard.up(key);
    before = await items();
    await page.waitForTimeout(200);
    assert.equal(await items(), before, key);
  }
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await items(), Math.max(2 * before, 1000));
  await page.waitForFunction((text) => document.querySelector("live-growing [role=status]").textContent === text, await numbers());
  assertNone(wrong, "what went wrong");
  await close();
});

test("a link shows the same moment as the way there, whatever it says", async () => {
  const there = await opened("?growing.guess=none");
  for (const items of [700, 5000, 3000, 20_000]) await there.widget.evaluate((element, n) => element.set({ items: n }), items);
  const linked = await opened("?growing.guess=none&growing.items=20000");
  const shown = ({ widget }) => widget.locator(".live").evaluate((live) => [...live.querySelectorAll("table, svg, .live-numbers")].map((part) => part.outerHTML));
  assert.deepEqual(await shown(linked), await shown(there));
  const odd = await opened("?growing.guess=5&growing.items=1e99");
  assert.equal(await odd.items(), 255_000);
  const none = await opened("?growing.guess=5&growing.items=-3.5");
  assert.match(await none.numbers(), /^Nothing is inserted/);
  for (const { wrong, close } of [there, linked, odd, none]) {
    assertNone(wrong, "what went wrong");
    await close();
  }
});

test("with reduced motion a press inserts once", async () => {
  const { close, widget, items } = await opened("?growing.guess=none", { reducedMotion: "reduce" });
  await widget.getByRole("button", { name: "Hold to insert" }).click();
  assert.equal(await items(), 50);
  await widget.getByRole("button", { name: "Hold to insert" }).press("Space");
  assert.equal(await items(), 100);
  await close();
});

test("it can be read in every theme and fits 320 px", async () => {
  const { page, close } = await opened("?growing.guess=none&growing.items=255000", { width: 320 });
  assert.equal(await sideways(page), 0);
  const [table, room] = await page.locator(".live-stages").evaluate((one) => [one.scrollWidth, one.parentElement.clientWidth]);
  assert(table <= room, `${table} px in ${room}`);
  for (const theme of ["light", "navy", "coal"]) {
    await choose(page, theme);
    assertNone(await violations(page, { within: "live-growing" }), theme);
  }
  await close();
});
