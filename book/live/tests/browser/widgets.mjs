// Tests a widget, which is an element `<live-NAME>` of a page, as a reader would use it:
//
//   import { widget } from "./widgets.mjs";
//
//   widget("worth", "yes.html", async ({ activate, slide, text, announced }) => {
//     await activate("button:has-text('Guess')");
//     await slide("input[type=range]", 20);
//     assert.match(await text(), /1 in 5/);
//     assert.match((await announced()).at(-1), /…/);
//   });
//
// The body (the function above) runs once from a server at 1280 px. From disk there are eight ways: by mouse or by keyboard, at
// 390 or at 1280 px, in the theme light or navy. EVERY_WAY=1 runs the body in all eight ways; otherwise it runs in two, which
// differ in input and theme. After the body the console must be silent, and no request may have left the book. Nothing may have
// moved up or down during an animation. No number may break before its percent sign, and axe must find nothing in the widget.
// The page must not scroll sideways at 320 px. The page's address, opened in a new tab, must show the same widget, and paper
// must show what the widget replaced.
//
// By keyboard a control is reached by Tab from the beginning of the widget and has to show that it has the focus, and
// motion is reduced. The body's tools:
//
//   by               "mouse" or "keyboard"
//   page, element    Playwright's page, and the locator of the widget
//   activate(what)   clicks a button or link, or ticks a box; by keyboard with Space, on a link with Enter
//   type(what, text) replaces the text of a field
//   slide(what, to)  moves a slider to a value, and returns its value: by mouse it may be a pixel or two off
//   select(what, to) chooses an option of a <select> or of radio buttons, by its value
//   press(keys...)   presses keys where the focus is
//   click(what)      clicks by mouse in every run, for actions that the keyboard does in another way
//   text()           what the widget shows: its text and the values of its fields
//   announced()      the texts that its live regions have had, in order
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { assertNone, book, breaking, choose, narrow, open, patience, setUp, sideways, tab, violations } from "./browser.mjs";

// harness.test.mjs, which tests these checks, passes another `folder` than the book.
export function widget(name, page, body, { folder = book } = {}) {
  describe(`live-${name} in ${page}`, () => {
    const held = setUp({ folder, served: true });
    for (const width of [390, 1280]) {
      for (const theme of ["light", "navy"]) {
        for (const by of ["mouse", "keyboard"]) {
          const chosen = width === 390 && (theme === "light") === (by === "mouse");
          if (!chosen && !process.env.EVERY_WAY) continue;
          test(`${width} px, ${theme}, by ${by}`, () => operate(held.browser, held.disk, name, page, body, { width, theme, by }));
        }
      }
    }
    test("from a server", () => operate(held.browser, held.server, name, page, body, { width: 1280, theme: "light", by: "mouse" }));
  });
}

// Returns a function that opens the widget of a chapter by a link with a query, for tests that need more than one page. The
// result of this function has, beside the page:
//
//   widget      its locator
//   says(text)  waits until it shows a text
//   shown()     what it shows, except the text that a screen reader gets a moment later
export function opener(name, page, anchor, look = {}) {
  const held = setUp();
  return async (query = "", options) => {
    const opened = await open(held.browser, held.disk, `${page}${query}#${anchor}`, { ...look, ...options });
    const widget = opened.page.locator(`live-${name}`);
    await widget.locator(".live").waitFor();
    const says = (text) => widget.getByText(text).first().waitFor();
    const shown = () => widget.locator(".live").evaluate((live) =>
      [...live.children].filter((part) => part.role !== "status").map((part) => part.outerHTML).join());
    return { ...opened, widget, says, shown };
  };
}

// Tests that a widget, opened by a link with this query, can be read in every theme and fits 320 px.
export function readable(opened, name, query) {
  test("it can be read in every theme and fits 320 px", async () => {
    const { page, close } = await opened(query, { width: 320 });
    assertNone(await sideways(page), "wider than 320 px");
    for (const theme of ["light", "rust", "coal", "navy", "ayu"]) {
      await choose(page, theme);
      assertNone(await violations(page, { within: `live-${name}` }), theme);
    }
    await close();
  });
}

// Checks what a widget says to each guess: the pairs are the guess and what comes after "You said: ".
export async function verdicts(opened, name, pairs) {
  for (const [guess, says] of pairs) {
    const { widget, close } = await opened(`?${name}.guess=${guess}`);
    await widget.locator(".live-verdict", { hasText: `You said: ${says}` }).waitFor();
    await close();
  }
}

// The text of an element, with plain spaces before percent signs.
export const wordsOf = async (element) => (await element.innerText()).replaceAll(/\s+/g, " ");

// Runs a body once, and then makes the checks that follow every body. Fails if a check fails.
export async function operate(browser, place, name, page, body, { by, ...look }) {
  const options = { ...look, reducedMotion: by === "keyboard" ? "reduce" : "no-preference" };
  const opened = await open(browser, place, page, options);
  try {
    const element = await started(opened.page, name);
    await element.evaluate(listen);
    await element.evaluate(watch);
    await body(tools(opened.page, element, by));
    assertNone(await element.evaluate(({ moved }) => moved), "moved while the scene played");
    assertNone(await violations(opened.page, { within: `live-${name}` }), "axe");
    // Texts of the calculator are left out: the reader copies them, so they are exactly those of the command bloom-params.
    if (name !== "solver") assertNone(await breaking(opened.page, `live-${name}`), "breaks before %");

    const shown = await textOf(element);
    const other = await tab(opened.page.context(), place, opened.page.url());
    const again = await started(other.page, name);
    await settled(async () => assert.equal(await textOf(again), shown, `at ${opened.page.url()}`));
    await other.page.close();

    await narrow(opened.page);
    assertNone(await sideways(opened.page), "the page is wider than 320 px");

    await opened.page.emulateMedia({ media: "print" });
    assertNone(await element.evaluate(offPaper), "not on paper, or there by mistake");
    assertNone([...opened.wrong, ...other.wrong], "what went wrong");
  } finally {
    await opened.close();
  }
}

// Returns the widget as soon as its interface, of class "live", is there.
async function started(page, name) {
  const element = page.locator(`live-${name}`).first();
  // A widget starts when it comes near the window.
  await element.scrollIntoViewIfNeeded();
  await element.and(page.locator(".live")).or(element.locator(".live").first()).first().waitFor({ timeout: patience });
  return element;
}

// Tries again until a check holds.
async function settled(check) {
  for (const end = Date.now() + patience; ; await new Promise((later) => setTimeout(later, 50))) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

// In the page: notes what the live regions of a widget say.
function listen(element) {
  const regions = "[aria-live=polite], [aria-live=assertive], [role=status], [role=alert], output";
  const said = (element.announced = []);
  new MutationObserver((changes) => {
    const changed = new Set(changes.map(({ target }) => (target.closest ? target : target.parentElement)?.closest(regions)));
    for (const region of changed) {
      const text = region?.textContent.trim();
      if (text) said.push(text);
    }
  }).observe(element, { subtree: true, childList: true, characterData: true });
}

// In the page: notes which parts of a widget move up or down while it plays and nobody does anything.
function watch(element) {
  const moved = (element.moved = []);
  const topOf = (part) => Math.round(part.getBoundingClientRect().top - element.getBoundingClientRect().top);
  const places = () => new Map([...element.querySelectorAll("button, input, p, svg")].map((part) => [part, topOf(part)]));
  let before;
  const look = () => {
    const plays = element.frame !== undefined;
    const now = plays || before ? places() : undefined;
    for (const [part, top] of before ?? []) {
      const by = part.checkVisibility() ? now.get(part) - top : 0;
      if (by) moved.push(`${by} px: ${part.outerHTML.slice(0, 120)}`);
    }
    before = plays ? now : undefined;
    requestAnimationFrame(look);
  };
  for (const event of ["pointerdown", "keydown", "input", "click"]) element.addEventListener(event, () => (before = undefined), true);
  look();
}

// In the page, shown as on paper: lists what is wrong with a widget that replaced something printed. Each printed part that is
// hidden is wrong, and so is the widget if it is visible.
function offPaper(element) {
  const printed = element.querySelector(".live-printed");
  if (!printed) return [];
  const missing = [...printed.children].filter((one) => one.matches("summary") === one.checkVisibility());
  const shown = [...element.querySelectorAll(".live")].filter((one) => one.checkVisibility());
  return [...missing, ...shown].map((one) => one.outerHTML.slice(0, 80));
}

// Returns the visible text, without texts for screen readers alone, and the values of fields.
const textOf = (element) =>
  element.evaluate((root) => {
    const values = [...root.querySelectorAll("input, select, textarea")]
      .filter((field) => field.checkVisibility())
      .map((field) => (/checkbox|radio/.test(field.type) ? field.checked : field.value));
    const regions = [...root.querySelectorAll("[aria-live], [role=status], [role=alert]")];
    const unseen = regions.filter((region) => region.offsetWidth <= 1 || region.offsetHeight <= 1);
    for (const region of unseen) region.style.display = "none";
    const text = root.innerText;
    for (const region of unseen) region.style.display = "";
    return `${text.replaceAll(/\s+/g, " ").trim()} | ${values.join(", ")}`;
  });

function tools(page, element, by) {
  const keyboard = by === "keyboard";
  const find = (what) => (typeof what === "string" ? element.locator(what).first() : what);
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  // Presses Tab from the beginning of the widget until a control has the focus. Of radio buttons, Tab reaches the checked one.
  async function reach(what) {
    const target = find(what);
    await element.evaluate((root) => {
      root.tabIndex = -1;
      root.focus();
    });
    for (let tabs = 0; tabs < 200; tabs += 1) {
      await press("Tab");
      await element.evaluate((root) => root.removeAttribute("tabindex"));
      const there = await target.evaluate((one) => {
        const focus = document.activeElement;
        return focus === one || (one.type === "radio" && focus.type === "radio" && focus.name === one.name);
      });
      if (!there) continue;
      const visible = await page.evaluate(() => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement);
        return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
      });
      assert(visible, `${what} does not show that it has the focus`);
      return target;
    }
    throw new Error(`Tab does not reach ${what}`);
  }

  async function activate(what) {
    if (!keyboard) return find(what).click();
    const target = await reach(what);
    await press((await target.evaluate((one) => one.matches("a"))) ? "Enter" : "Space");
  }

  async function type(what, text) {
    const target = keyboard ? await reach(what) : find(what);
    if (!keyboard) await target.click();
    await press("ControlOrMeta+A", "Delete");
    await page.keyboard.type(text);
  }

  async function slide(what, to) {
    const target = keyboard ? await reach(what) : find(what);
    const state = () =>
      target.evaluate((one) => ({ at: +one.value, min: +one.min || 0, max: one.max === "" ? 100 : +one.max, step: +one.step || 1 }));
    if (keyboard) {
      for (let strokes = 0; strokes < 400; strokes += 1) {
        const { at, min, max, step } = await state();
        if (Math.abs(to - at) < step / 2) return at;
        const far = Math.abs(to - at) >= Math.max(step, (max - min) / 10);
        if (to > at) await press(far ? "PageUp" : "ArrowRight");
        else await press(far ? "PageDown" : "ArrowLeft");
      }
      throw new Error(`the arrows do not bring ${what} to ${to}`);
    }
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    // Chromium's thumb is 16 px wide and stays within the slider.
    const place = ({ at, min, max }) => box.x + 8 + ((at - min) / (max - min)) * (box.width - 16);
    const before = await state();
    const middle = box.y + box.height / 2;
    await page.mouse.move(place(before), middle);
    await page.mouse.down();
    await page.mouse.move(place({ ...before, at: to }), middle, { steps: 5 });
    await page.mouse.up();
    const { at, min, max, step } = await state();
    assert(Math.abs(at - to) <= Math.max(step, (2 * (max - min)) / (box.width - 16)), `the mouse brings ${what} to ${at}`);
    return at;
  }

  async function select(what, to) {
    const chosen = () => find(what).evaluate((one) => (one.type === "radio" ? document.activeElement : one).value);
    const radio = await find(what).evaluate((one) => one.type === "radio");
    if (!keyboard && radio) return element.locator(`${what}[value="${to}"]`).click();
    if (!keyboard) return find(what).selectOption(to);
    await reach(what);
    // An arrow key chooses the next option. For a <select>, the search begins at the first option.
    if (!radio) await press("Home");
    else await press("Space");
    for (let strokes = 0; strokes < 50; strokes += 1) {
      if ((await chosen()) === to) return undefined;
      await press("ArrowDown");
    }
    throw new Error(`the arrows do not choose ${to} in ${what}`);
  }

  return {
    by, page, element, activate, type, slide, select, press,
    click: (what) => find(what).click(),
    text: () => textOf(element),
    announced: () => element.evaluate((root) => root.announced),
  };
}
