// Tests the widget Three sliders, which shows the fill and the rate of a filter with n items, m bits and k hashes. The expected
// numbers are those that bloom-params prints for the same n, m and k.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener, widget } from "./widgets.mjs";

widget("sliders", "rate.html#three-sliders", async ({ activate, slide, press, text, element }) => {
  assert.doesNotMatch(await text(), /% of the bits are set/);
  await activate("button:has-text('346')");
  // bloom-params --n 277 --m 2000 --k 5: p 0.031224, fill 0.5.
  assert.match(await text(), /You said: 346\. 346 items throw 1,730 balls, .* With 5 hashes, half full is expected at 277 items: 1,385 balls in 2,000 bins/);
  assert.match(await text(), / 277 items: 50\.7 % of the bits are set, 50 % expected\. Rate: 3\.37 % of this filter, 3\.12 % expected\./);
  assert.equal(await element.locator(".live-bits .set").count(), 1015);
  // The bits, the curve and the sliders fit together into the window.
  const { top, bottom } = await element.evaluate((one) => ({
    top: one.querySelector(".live-bits").getBoundingClientRect().top,
    bottom: [...one.querySelectorAll(".live-slider")].at(-1).getBoundingClientRect().bottom,
  }));
  assert(bottom - top <= 600, `bits, curve and sliders take ${bottom - top} px`);

  await activate("button:has-text('Find half full with the fill hidden')");
  assert.equal(await element.locator(".live-bits").isVisible(), false);
  assert(await element.locator("label:has-text('Bits m') input").isDisabled());
  await slide("label:has-text('Items n') input", 500);
  assert.doesNotMatch(await text(), /% of the bits are set/);
  await press("Home", "PageUp", "PageUp", "PageUp");
  await activate("button:has-text('Reveal')");
  const said = "You stopped at 300 items, with 36.9 % of 2,000 bits set by 3 hashes. Half full is expected at 462.";
  assert((await text()).includes(said));
  // bloom-params --n 300 --m 2000 --k 3: p 0.047639, fill 0.362.
  assert((await text()).includes("36.2 % expected. Rate: 5 % of this filter, 4.76 % expected."));
  await element.locator(".live-status", { hasText: said }).waitFor({ state: "attached" });
  await slide("label:has-text('Hashes k') input", 16);
  assert.match(await text(), /300 items: 9[12]\.\d % of the bits are set/);
});

const opened = opener("sliders", "rate.html", "three-sliders");

test("after the answer the filter of the question is shown, whatever the link had", async () => {
  const { widget: element, close } = await opened("?sliders.k=3&sliders.m=600");
  await element.getByRole("button", { name: "346" }).click();
  await element.getByText("277 items: 50.7 % of the bits are set, 50 % expected.").waitFor();
  assert.deepEqual(await element.locator("output").allTextContents(), ["277", "2,000", "5"]);
  await close();
});
