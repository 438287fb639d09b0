// Tests the widget Twins, which draws the positions a + ib of double hashing and those of enhanced double hashing. The page
// gets them from `Scheme::positions` of bloom-systems, which has its own tests. The positions a + ib can be checked by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNone, heightOf, open, phoneHeight, setUp } from "./browser.mjs";
import { widget } from "./widgets.mjs";

const ringOf = (element, number = 0) => element.locator(".live-ringed .said").nth(number).innerText();
const starOf = (element) => element.locator(".star").first().getAttribute("points");

const held = setUp();

widget("twins", "hashing.html#twins", async ({ page, activate, slide, select, element }) => {
  assert.equal(await starOf(element), "", "the ring gives the answer away");
  assert.equal(await element.getByLabel("Step b").isVisible(), false);
  await activate("button:has-text('6')");
  assert.equal(await element.locator(".live-verdict").innerText(),
    "You said: 6. 6 would be right if no position came twice, as with a step of 3: 5, 8, 11, 14, 1, 4. Only 2: the positions from a = 5 on are 5, 13, 5, 13, 5, 13. Try other steps.");
  assert.equal(await ringOf(element), "2 different positions: 5, 13, 5, 13, 5, 13. 1 other pair (a, b) sets the same: (13, 8).");

  // On a phone, too, both rings are side by side, above their controls.
  const rings = element.locator(".live-rings svg");
  const [one, other] = await Promise.all([0, 1].map((at) => rings.nth(at).boundingBox()));
  assert(one.y === other.y && one.x + one.width <= other.x && other.width >= 150, JSON.stringify([one, other]));
  if (page.viewportSize().width === 390) {
    const high = await heightOf(element.locator(".live-rings"), element.locator(".live-slider").last(), element.locator(".live-ringed"));
    assert(high <= phoneHeight, `rings, sliders and texts take ${high} px`);
  }

  // The twin of a pair (a, b) has the same star, drawn from its other end.
  await slide("label:has-text('Step b') input", 3);
  const first = await starOf(element);
  assert.equal(await ringOf(element), "6 different positions: 5, 8, 11, 14, 1, 4. 1 other pair (a, b) sets the same: (4, 13). 4 pairs have all but one of them.");
  await activate("button:has-text('twin')");
  assert.match(await ringOf(element), /^6 different positions: 4, 1, 14, 11, 8, 5\. .* the same: \(5, 3\)/);
  assert.equal(await starOf(element), first.split(" ").reverse().join(" "));
  await activate("button:has-text('twin')");
  assert.equal(await starOf(element), first);

  await activate("button:has-text('Step 0')");
  assert.equal(await ringOf(element), "1 different position: 5, 5, 5, 5, 5, 5. No other pair (a, b) sets the same.");
  assert(await element.getByRole("button", { name: "twin" }).isDisabled());
  await select("input[type=radio]", "12");
  await activate("button:has-text('Half way')");
  assert.match(await ringOf(element), /^2 different positions: 5, 11, 5, 11, 5, 11\./);

  // With enhanced double hashing, three positions have a twin, too; four positions have none.
  await select("input[type=radio]", "16");
  const said = () => element.locator(".live-ringed > .live-numbers").nth(2).innerText();
  await slide("label:has-text('Hashes') input", 3);
  assert.match(await said(), /256 of all 256 with enhanced double hashing\.$/);
  await slide("label:has-text('Hashes') input", 4);
  assert.match(await said(), /: 240 of all 256 with double hashing, 32 of all 256 with enhanced double hashing\.$/);
  await slide("label:has-text('Hashes') input", 6);
  assert.match(await said(), /: 240 of all 256 with double hashing, 0 of all 256 with enhanced double hashing\.$/);
  await element.locator(".live-status", { hasText: await said() }).waitFor({ state: "attached" });
});

test("a wrong guess is explained, and a right one is only confirmed", async () => {
  for (const [guess, says] of [[1, "You said: 3. 3 is the number of hashes that fall on each position. Only 2:"], [2, "You said: 2, and that is right. Only 2:"]]) {
    const { page, close } = await open(held.browser, held.disk, `hashing.html?twins.guess=${guess}#twins`);
    await page.locator("live-twins .live-verdict", { hasText: says }).waitFor();
    await close();
  }
});

test("more pairs than are listed are counted, and the sentence ends", async () => {
  const { page, close } = await open(held.browser, held.disk, "hashing.html?twins.guess=2&twins.b=4&twins.k=4#twins");
  const element = page.locator("live-twins");
  await element.locator(".live").waitFor();
  assert.match(await ringOf(element), /7 other pairs \(a, b\) set the same: \(1, 4\), \(1, 12\), \(5, 12\) and 4 more\. \d+ pairs have all but one of them\.$/);
  await close();
});

// A name that is longer than its place would lie on the other ring, or be cut off.
test("at 390 px the names of hashes stay within their ring", async () => {
  const { page, close } = await open(held.browser, held.disk, "hashing.html?twins.guess=2#twins", { width: 390 });
  const element = page.locator("live-twins");
  await element.locator(".live").waitFor();
  const beyond = await element.evaluate((one) => {
    const found = [];
    for (let b = 0; b < 16; b += 1) for (let a = 0; a < 16; a += 1) {
      one.set({ a, b, k: 7 });
      for (const ring of one.querySelectorAll(".live-rings svg")) {
        const { left, right, top, bottom } = ring.getBoundingClientRect();
        for (const name of ring.querySelectorAll(".hash")) {
          const box = name.getBoundingClientRect();
          if (box.left < left - 5 || box.right > right + 5 || box.top < top - 2 || box.bottom > bottom + 2) found.push(`${a} + ${b}i: ${name.textContent}`);
        }
      }
    }
    return found;
  });
  assertNone(beyond, "beyond its ring");
  await close();
});

test("with a prime number of positions only a step of 0 repeats one, and a link may say anything", async () => {
  const query = "?twins.guess=2&twins.m=13&twins.a=99&twins.b=15&twins.k=-1";
  const { page, wrong } = await open(held.browser, held.disk, `hashing.html${query}#twins`);
  const element = page.locator("live-twins");
  await element.locator(".live").waitFor();
  assert.match(await ringOf(element), /^2 different positions: 12, 11\./);
  for (let b = 0; b < 13; b += 1) {
    await element.evaluate((one, step) => one.set({ b: step, k: 7 }), b);
    assert.match(await ringOf(element), b === 0 ? /^1 different position:/ : /^7 different positions:/, `b = ${b}`);
  }
  assertNone(wrong, "what went wrong");
});
