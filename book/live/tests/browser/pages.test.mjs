// Opens every page of the built book in a real browser, in four ways. axe is a checker of accessibility; light, rust, ayu, coal
// and navy are mdBook's themes of colours.
//
// - From disk, 1280 px wide: checks all rules of axe in light, and the contrasts in rust and ayu.
// - From a server, 768 px wide: checks the contrasts in coal.
// - From disk, 390 px wide: checks all rules in navy, and whether the page fits a window of 320 px.
// - From disk without JavaScript: checks whether every text and image is there.
//
// EVERY_WAY=1 adds all rules at 768 px, and the contrasts of all themes at 1280 px. Without EVERY_WAY=1, formulas that do not
// scroll are checked at 1280 px alone.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { assertNone, book, breaking, choose, met, open, setUp, sideways, violations } from "./browser.mjs";
import { exceptions } from "./exceptions.mjs";

// Pages that are not opened: index.html is the introduction again, toc.html has the contents for pages without JavaScript, and
// print.html has all pages in one and opens the dialog of the printer.
const apart = ["introduction.html", "toc.html", "print.html"];
const pages = readdirSync(book).filter((name) => name.endsWith(".html") && !apart.includes(name));

const held = setUp({ served: true });
const contrasts = { rules: ["color-contrast", "link-in-text-block"] };

test("there are pages, and each has a heading of its own", () => {
  assert(pages.length > 20, `${pages.length} pages`);
});

// Two pages at a time, because the browser does most of the work.
describe("pages", { concurrency: 2 }, () => {
  for (const name of pages) {
    test(name, async (t) => {
      await t.test("1280 px, from disk, light and other themes", async () => {
        const { page, wrong, close } = await open(held.browser, held.disk, name);
        assertNone(await violations(page), "light");
        for (const theme of process.env.EVERY_WAY ? ["navy", "coal", "rust", "ayu"] : ["rust", "ayu"]) {
          await choose(page, theme);
          assertNone(await violations(page, contrasts), theme);
        }
        assertNone(await sideways(page), "wider than 1280 px");
        assertNone(wrong, "what went wrong");
        await close();
      });

      for (const [title, from, theme, width, widths, rules] of [
        ["768 px, from a server, coal", "server", "coal", 768, [], process.env.EVERY_WAY ? {} : contrasts],
        ["390 px, from disk, navy, and no wider than 320 px", "disk", "navy", 390, [320], {}],
      ]) {
        await t.test(title, async () => {
          const { page, wrong, close } = await open(held.browser, held[from], name, { width, theme });
          for (const px of [...widths, width]) {
            await page.setViewportSize({ width: px, height: 700 });
            assertNone(await sideways(page), `wider than ${px} px`);
          }
          if (!process.env.EVERY_WAY) await page.evaluate(leaveOutFormulas);
          assertNone(await violations(page, rules), theme);
          assertNone(wrong, "what went wrong");
          await close();
        });
      }

      await t.test("without JavaScript every text and image is there", async () => {
        const { page, wrong, close } = await open(held.browser, held.disk, name, { javaScriptEnabled: false });
        const { heading, length, missing } = await page.evaluate(seenOrNot);
        assert(heading && length > 500, `the heading is "${heading}", the text has ${length} characters`);
        assertNone(missing, "not to be seen");
        assertNone(wrong, "what went wrong");
        await close();
      });
    });
  }
});

// In the page: removes formulas that do not scroll. Each has about a hundred elements, all in the colour of its sentence.
function leaveOutFormulas() {
  for (const formula of document.querySelectorAll(".katex")) {
    const box = formula.closest(".katex-display");
    if (!box || box.scrollWidth <= box.clientWidth) formula.replaceWith("x");
  }
}

// In the page: returns the heading, the length of the text, and the texts and images that cannot be seen.
function seenOrNot() {
  const main = document.querySelector("main");
  // Some parts may be hidden: the MathML of formulas, which is for screen readers; what a <details> shows after a click; parts
  // that an attribute hides and lists of choices, which are of no use without scripts; the figures for dark themes; lines of
  // samples that mdBook hides; and the command below the figure on the front page.
  const apart = ".katex-mathml, details:not([open]) > :not(summary), [hidden], datalist, script, style, .figure-dark, .boring, .cover .command";
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const missing = [];
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    const text = texts.currentNode.data.trim();
    if (text !== "" && !parent.closest(apart) && !seen(parent)) missing.push(text);
  }
  for (const image of main.querySelectorAll("img")) {
    if (!image.closest(apart) && !(seen(image) && image.naturalWidth > 0)) missing.push(image.src);
  }
  return { heading: main.querySelector("h1")?.innerText, length: main.innerText.length, missing };
}

test("no number is in another line than its percent sign", async () => {
  for (const name of pages) {
    const { page, close } = await open(held.browser, held.disk, name, { javaScriptEnabled: false });
    assertNone(await breaking(page), name);
    await close();
  }
});

test("the book in one page loads without errors", async () => {
  const { page, wrong, close } = await open(held.browser, held.disk, "print.html", { theme: "navy" });
  assert.equal(await page.locator("main h1").count() >= pages.length, true);
  assertNone(wrong, "what went wrong");
  await close();
});

test("on paper every fold is open", async () => {
  for (const name of ["print.html", "rate.html"]) {
    const { page, close } = await open(held.browser, held.disk, name);
    await page.emulateMedia({ media: "print" });
    const folded = await page.evaluate(() => [...document.querySelectorAll("main details:not([open], .live *) > :not(summary)")]
      .map((one) => ({ seen: one.checkVisibility() && one.offsetHeight > 0, text: one.outerHTML.slice(0, 80) })));
    assert(folded.length > 9, `${name}: ${folded.length} folds`);
    assertNone(folded.filter(({ seen }) => !seen).map(({ text }) => text), name);
    await close();
  }
});

test("the keyboard opens the contents", async () => {
  const { page, wrong, close } = await open(held.browser, held.disk, "index.html", { width: 390 });
  const button = page.getByRole("button", { name: "Toggle Table of Contents" });
  for (const expanded of ["true", "false"]) {
    await button.focus();
    await page.keyboard.press("Enter");
    assert.equal(await button.getAttribute("aria-expanded"), expanded);
    assert.equal(await page.locator("html").evaluate((html) => String(html.classList.contains("sidebar-visible"))), expanded);
  }
  assertNone(wrong, "what went wrong");
  await close();
});

test("every exception is still needed", () => {
  assertNone(exceptions.filter((one) => !met.has(one)).map(({ rule, selector }) => `${rule} ${selector}`), "not needed");
});
