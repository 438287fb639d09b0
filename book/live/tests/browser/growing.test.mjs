// Tests the widget Growing, which shows the stages of two growing filters: the stages of the tightened filter are those that
// bloom-params prints on the same page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNone } from "./browser.mjs";
import { opener, verdicts, widget, wordsOf } from "./widgets.mjs";

const numbersOf = (element) => wordsOf(element.locator(".live-numbers"));
const itemsOf = async (element) => Number((await numbersOf(element)).match(/^[\d,]+/)[0].replaceAll(",", ""));
const rowsOf = (element) =>
  element.locator(".live-stages tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));

widget("growing", "growing.html#growing-stages", async ({ by, activate, page, element }) => {
  assert.equal(await element.getByRole("button", { name: "Twice as many" }).isVisible(), false);
  // At first one stage is full, and the widget says nothing about more stages.
  assert.match(await wordsOf(element.locator("p.before")), /^1,000 items in 1 stage: 0\.975 % of strangers are false positives\./);
  const [from, to] = (await element.locator(".live .line.wrong").getAttribute("points")).split(" ").map((at) => at.split(",").map(Number)).filter((_, at, all) => at === 0 || at === all.length - 1);
  assert(to[0] - from[0] > 20 && from[1] - to[1] > 10, "there is nothing to see");
  const stages8 = element.locator(".live .line.upright");
  assert.equal(await stages8.count(), 7);
  assert.equal(to[0], Number((await stages8.first().getAttribute("points")).split(",")[0]), "the line goes on, and gives the answer away");
  await activate("button:has-text('1 %')");
  // With 1 % for each of the eight stages, the rate of the whole filter is 1 - 0.99^8 = 0.07726.
  assert.match(await wordsOf(element.locator(".live-verdict")), /^You said: 1 %\. 1 % is right for one stage, but any of the eight may say yes\. Of all strangers, 7\.73 % are expected to be false positives of all eight together/);
  // After the guess the widget shows what it asked about: eight stages fill.
  await element.locator(".live-numbers", { hasText: "255,000 items, 8 stages." }).waitFor({ timeout: 15_000 });
  await activate("button:has-text('Empty')");
  assert.match(await numbersOf(element), /^Nothing is inserted yet/);
  await activate("button:has-text('Hold')");
  // With reduced motion, a press of the button inserts as much as ten frames of holding it.
  const held = await itemsOf(element);
  assert(by === "keyboard" ? held === 500 : held >= 50, String(held));
  await activate("button:has-text('Empty')");
  assert.deepEqual((await rowsOf(element))[0], ["1", "", "", "", ""]);

  for (let n = 1000; n <= 256_000; n *= 2) {
    await activate("button:has-text('Twice')");
    assert.equal(await itemsOf(element), Math.min(n, 255_000));
  }
  assert.match(await numbersOf(element), / 0\.719 % of strangers are false positives of the tightened filter, and 7\.69 % of the one with the same rate for all stages; promised: 1 %\.$/);
  // The bits of eight stages: bloom-params --filter scalable --initial 1000 --n 255000 --p 1%
  assert.deepEqual((await element.locator("tfoot td").allInnerTexts()).slice(1), ["0.728\u00a0%", "3,971,827", "2,446,222"]);
  const printed = await page.locator("pre", { hasText: "--filter scalable --n 1M" }).first().innerText();
  const stages = printed.match(/^ +\d+ +[\d,]+ +[\d,]+ +\d+ +0\.\d+$/gm).map((line) => line.trim().split(/ +/));
  const shown = await rowsOf(element);
  assert.equal(shown.length, 8);
  for (const [at, [stage, , rate, bits]] of shown.entries()) {
    const [number, , m, , p] = stages[at];
    assert.deepEqual([stage, bits], [number, m]);
    assert(Math.abs(parseFloat(rate) / 100 - Number(p)) < 0.005 * Number(p), `${rate} ${p}`);
  }
  await element.locator(".live-status", { hasText: await numbersOf(element) }).waitFor({ state: "attached" });
});

const opened = opener("growing", "growing.html", "growing-stages", { width: 320 });

test("items go in as long as the pointer or a key is down", async () => {
  const { page, widget: element, close } = await opened("?growing.guess=none");
  const { mouse, keyboard } = page;
  const hold = element.getByRole("button", { name: "Hold to insert" });
  await hold.hover();
  let before = await itemsOf(element);
  for (const [down, up] of [["mouse"], ["Space"], ["Enter"]].map(([by]) => (by === "mouse"
    ? [() => mouse.down(), () => mouse.up()] : [() => keyboard.down(by), () => keyboard.up(by)]))) {
    await down();
    await page.waitForFunction((least) => document.querySelector("live-growing").state.items > least, before + 300);
    await up();
    before = await itemsOf(element);
    await page.waitForTimeout(200);
    assert.equal(await itemsOf(element), before);
  }
  await close();
});

for (const width of [390, 1280]) {
  test(`at ${width} px no name lies on a line or on another name, at any stage`, async () => {
    const { widget, close } = await opened("?growing.guess=none", { width });
    for (const items of [1500, 3000, 5000, 7000, 15_000, 31_000, 60_000, 63_000, 127_000, 200_000, 255_000]) {
      await widget.evaluate((one, n) => one.set({ items: n }), items);
      assertNone(await widget.locator(".live .live-chart").evaluate(covered), `${items} items`);
    }
    await close();
  });
}

// In the page: lists the names of a chart that lie on a line or on another name. Upright lines may cross a name.
function covered(chart) {
  const boxOf = (name) => {
    const { x, y, width, height } = name.getBBox();
    // Takes only the middle of the box, where letters without ascenders and descenders are.
    return { left: x, right: x + width, top: y + 0.25 * height, bottom: y + 0.8 * height };
  };
  const names = [...chart.querySelectorAll("text.name")];
  const lines = [...chart.querySelectorAll("polyline.line:not(.upright)")].map((line) => [...line.points]);
  const isIn = ({ left, right, top, bottom }, x, y) => x > left && x < right && y > top && y < bottom;
  const between = (from, to) => Array.from({ length: 51 }, (_, at) => [from.x + (at * (to.x - from.x)) / 50, from.y + (at * (to.y - from.y)) / 50]);
  return names.flatMap((name, at) => {
    const box = boxOf(name);
    const onLine = lines.some((points) => points.some((to, place) => place > 0 && between(points[place - 1], to).some(([x, y]) => isIn(box, x, y))));
    const onName = names.slice(at + 1).map(boxOf).some((other) =>
      other.left < box.right && other.right > box.left && other.top < box.bottom && other.bottom > box.top);
    return onLine || onName ? [`${name.textContent}: ${onLine ? "on a line" : "on a name"}`] : [];
  });
}

test("why a wrong guess is tempting, and what makes it wrong", async () => {
  await verdicts(opened, "growing", [
    [1, "About 4 %. About 4 % would be right if each false positive came from two stages at once; most come from one. Of all strangers"],
    [2, "About 8 %, and that is right. Of all strangers"],
  ]);
  // 1 - 0.99^8 of strangers are found, and most of them by one stage alone.
  assert(8 * 0.01 * 0.99 ** 7 > 0.95 * (1 - 0.99 ** 8));
});

test("a link shows the same lines as inserting step by step, and may have any number", async () => {
  const there = await opened("?growing.guess=none");
  for (const items of [700, 5000, 3000, 20_000]) await there.widget.evaluate((one, n) => one.set({ items: n }), items);
  const linked = await opened("?growing.guess=none&growing.items=20000");
  const linesOf = ({ widget }) => widget.locator(".live .live-chart").evaluate((svg) => svg.innerHTML);
  assert.equal(await linesOf(linked) === await linesOf(there), true);
  const most = await opened("?growing.guess=5&growing.items=1e99");
  assert.equal(await itemsOf(most.widget), 255_000);
  // The longest numbers fit a small phone.
  const [table, room] = await most.widget.locator(".live-stages").evaluate((one) => [one.scrollWidth, one.parentElement.clientWidth]);
  assert(table <= room, `${table} px in ${room}`);
  const none = await opened("?growing.guess=5&growing.items=-3.5");
  assert.match(await numbersOf(none.widget), /^Nothing is inserted/);
  for (const { wrong, close } of [there, linked, most, none]) {
    assertNone(wrong, "what went wrong");
    await close();
  }
});
