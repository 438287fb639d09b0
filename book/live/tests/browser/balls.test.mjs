// Tests the widget Ball drop, in which balls fall into bins: its first game is the game in the sample of the chapter on the
// rate. The expected share of m bins that n balls hit is 1 - (1 - 1/m)^n.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener, widget } from "./widgets.mjs";

widget("balls", "rate.html#ball-drop", async ({ activate, select, text, element, page }) => {
  const numbers = (words) => element.locator(".live-numbers", { hasText: words }).waitFor();
  await numbers("0 balls: 0 of 100 bins hit");
  assert(!(await text()).includes("63.4"));
  await activate("button:has-text('86')");
  await numbers("100 balls: 64 of 100 bins hit, 64 %. Expected: 63.4 %.");
  assert((await text()).includes("You said: 86. 86.6 are expected to be hit by 200 balls. Of 100 bins, 63.4 are expected to be hit."));
  // The balls lie in 64 of the bins, one on top of another; the other bins are drawn as empty.
  const balls = await element.locator(".live .live-drop .ball").evaluateAll((all) => all.map(({ cx, cy }) => [cx.baseVal.value, cy.baseVal.value]));
  assert.equal(new Set(balls.map(String)).size, 100);
  assert.equal(new Set(balls.map(([x, y]) => `${x} ${Math.floor(y / 80)}`)).size, 64);
  assert.equal(await element.locator(".live .live-drop .floor.empty").count(), 36);
  await activate("button:has-text('Drop one')");
  await numbers("101 balls: ");
  await select("input[name=balls-bins]", "1000");
  await activate("button:has-text('Drop all')");
  const all = "3,000 balls: 951 of 1,000 bins hit, 95.1 %. Expected: 95 %.";
  await numbers(all);
  await element.locator(".live-status", { hasText: all }).waitFor({ state: "attached" });
  assert.equal(await element.locator(".live-bits .set").count(), 951);
  await activate("button:has-text('Another game')");
  await numbers("3,000 balls: 947 of 1,000 bins hit");
  // A click that interrupts falling balls leaves no ball in the air. While balls fall into 1,000 bins, the choice of 100 bins
  // ends the fall.
  await activate("button:has-text('Drop all')");
  await select("input[name=balls-bins]", "100");
  await activate("button:has-text('Drop all')");
  await activate("button:has-text('Start again')");
  await numbers("0 balls: 0 of 100 bins hit");
  await page.waitForTimeout(600);
  assert.equal(await element.locator(".live .live-drop .ball").count(), 0);
});

const opened = opener("balls", "rate.html", "ball-drop", { reducedMotion: "reduce" });

test("the balls of a link do not give the answer away, and a guess drops as many balls as it asks about", async () => {
  const { widget: element, close } = await opened("?balls.thrown=100&balls.bins=1000");
  await element.locator(".live-numbers", { hasText: "0 balls: 0 of 1,000 bins hit, 0 %. Expected: 0 %." }).waitFor();
  await element.getByRole("button", { name: "50", exact: true }).click();
  assert.match(await element.locator(".live-numbers").innerText(), /^100 balls: 64 of 100 bins hit/);
  await close();
});
