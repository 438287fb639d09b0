// Tests the sentences in which a reader can move some numbers ("handles"). At first the widget must compute the numbers that
// the page has. After a handle is moved, the widget must show the numbers that bloom-params prints.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertNone, narrow, open, setUp, sideways, violations } from "./browser.mjs";

const held = setUp();

const sentences = [
  {
    page: "sizes.html", id: "say-size",
    printed: "With 100 million pages and one new page in 100 missed, the filter takes 0.12 GB: 9.593 bits for each page, and 7 hashes.",
    // bloom-params --n 100M --p 1/1000: 14.38 bits per item, 10 hashes, 179,720,493 bytes.
    handle: "often", steps: 10, moved: "With 100 million pages and one new page in 1,000 missed, the filter takes 0.18 GB: 14.38 bits for each page, and 10 hashes.",
    picture: (element) => element.locator(".bar").evaluate((bar) => Math.round((1000 * bar.offsetWidth) / bar.parentElement.offsetWidth) / 1000), was: 0.3, is: 0.449,
  },
  {
    page: "rate.html", id: "say-rate",
    printed: "A filter of 20,000 bits with 5 hashes that holds 2,000 pages has 39.3 % of its bits set, and misses one new page in 106.",
    // bloom-params --n 3000 --m 20000 --k 5: fill 0.528, 1 in 24.4.
    handle: "items", steps: 10, moved: "A filter of 20,000 bits with 5 hashes that holds 3,000 pages has 52.8 % of its bits set, and misses one new page in 24.4.",
    picture: (element) => element.locator(".live-dots .wrong").count(), was: 2, is: 8,
  },
];

for (const { page: name, id, printed, handle, steps, moved, picture, was, is } of sentences) {
  describe(id, () => {
    for (const by of ["mouse", "keyboard"]) {
      for (const width of [390, 1280]) {
        test(`by ${by} at ${width} px`, async () => {
          const { page, wrong, close } = await open(held.browser, held.disk, name, { width, theme: width === 390 ? "light" : "navy" });
          const element = page.locator(`#${id}`);
          const sentence = async () => (await element.locator("p").first().textContent()).replaceAll(/\s+/g, " ").trim();
          const printedFirst = await sentence();
          assert.equal(printedFirst, printed);
          await element.scrollIntoViewIfNeeded();
          await element.locator(".live").waitFor();
          assert.equal(await sentence(), printed);
          const close_ = (value, to) => assert(Math.abs(value - to) <= 0.01, `${value} is not ${to}`);
          close_(await picture(element), was);
          const grip = element.locator(`[data-name=${handle}]`);
          if (by === "mouse") {
            await grip.scrollIntoViewIfNeeded();
            const { x, y, height } = await grip.boundingBox();
            await page.mouse.move(x + 5, y + height / 2);
            await page.mouse.down();
            await page.mouse.move(x + 5 + 8 * steps, y + height / 2, { steps: 5 });
            await page.mouse.up();
            await page.mouse.move(x, y); // a handle that is let go does not follow
          } else {
            await grip.focus();
            assert.notEqual(await grip.evaluate((one) => getComputedStyle(one).outlineStyle), "none");
            for (let step = 0; step < steps; step += 1) await page.keyboard.press("ArrowRight");
          }
          assert.equal(await sentence(), moved);
          close_(await picture(element), is);
          await page.waitForURL(new RegExp(`${id}\\.${handle}=`));
          assertNone(await violations(page, { within: `#${id}` }), "axe");
          await page.reload();
          await element.locator(".live").waitFor();
          assert.equal(await sentence(), moved);
          await narrow(page);
          assertNone(await sideways(page), "the page is wider than 320 px");
          assertNone(wrong, "what went wrong");
          await close();
        });
      }
    }
  });
}
