// Tests what all widgets share, each feature on one widget: keys and swipes, to which mdBook reacts too; the link to a state;
// the button "Start again"; and the colours that the reader's system chooses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNone, open, setUp } from "./browser.mjs";

const held = setUp();

async function opened(name, path, options) {
  const { page, wrong, close } = await open(held.browser, held.disk, path, options);
  const widget = page.locator(`live-${name}`);
  await widget.scrollIntoViewIfNeeded();
  await widget.locator(".live").waitFor();
  return { page, wrong, close, widget };
}

test("arrows in a widget do not turn the page, and elsewhere they do", async () => {
  const { page, close, widget } = await opened("worth", "yes.html#worth");
  await widget.getByRole("button", { name: "50 %" }).press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.className), "live-verdict after");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await page.waitForTimeout(300);
  assert.match(page.url(), /yes\.html/);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/practice\.html/);
  await close();
});

test("a finger that drags a slider does not open the contents, and elsewhere it does", async () => {
  const phone = { width: 390, hasTouch: true, isMobile: true };
  const { page, close, widget } = await opened("worth", "yes.html?worth.guess=2#worth", phone);
  // Stops the clock of the page, so that the swipe counts as a fast one even on a slow machine.
  await page.evaluate(() => (Date.now = () => 0));
  const session = await page.context().newCDPSession(page);
  const swipe = async (x, y) => {
    const touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", { x, y });
    await touch("touchMove", { x: x + 180, y });
    await touch("touchCancel"); // an end might be a tap on the contents
    await page.waitForTimeout(300);
  };
  const isOpen = () => page.evaluate(() => document.documentElement.classList.contains("sidebar-visible"));
  const slider = await widget.locator("input[type=range]").first().boundingBox();
  assert.equal(await isOpen(), false);
  await swipe(slider.x + 10, slider.y + slider.height / 2);
  assert.notEqual(await widget.evaluate((one) => one.state.members), 0.001, "the slider did not move");
  assert.equal(await isOpen(), false);
  const text = page.locator("main > p").first();
  await text.scrollIntoViewIfNeeded();
  const { x, y } = await text.boundingBox();
  await swipe(x + 5, y + 5);
  assert.equal(await isOpen(), true);
  await close();
});

test("the link of a moment is copied", async () => {
  const { page, wrong, close, widget } = await opened("memory", "idea.html?memory.guess=2&memory.length=100#memory-race");
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { globalThis.copied = text; } } }));
  await widget.getByRole("link", { name: "Copy a link" }).click();
  await widget.locator(".live-status", { hasText: "The link is copied." }).waitFor({ state: "attached" });
  assert.match(await page.evaluate(() => globalThis.copied), /^file:.*idea\.html\?memory\.guess=2&memory\.length=100#memory-race$/);
  await widget.getByRole("link", { name: "Copy a link" }).waitFor();
  assertNone(wrong, "what went wrong");
  await close();
});

test("after starting again the focus is at the question, and nothing earlier is announced", async () => {
  const { page, close, widget } = await opened("balls", "rate.html?balls.guess=1#ball-drop");
  await widget.getByRole("button", { name: "Drop one" }).press("Enter");
  const status = widget.locator(".live-status");
  await status.filter({ hasText: "1 ball" }).waitFor({ state: "attached" });
  await widget.getByRole("button", { name: "Start again" }).press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "50");
  await page.waitForTimeout(700);
  assert.equal(await status.textContent(), "");
  await close();
});

test("where the system chooses the colours, set bits differ from others, and only the word's are framed", async () => {
  const { close, widget } = await opened("type", "index.html?type.word=ant", { forcedColors: "active" });
  const looks = (name, property) => widget.locator(`.live-bits > ${name}`).first()
    .evaluate((one, of) => getComputedStyle(one)[of], property);
  assert.notEqual(await looks(".set", "backgroundColor"), await looks(":not(.set)", "backgroundColor"));
  assert.deepEqual([await looks(".marked", "outlineStyle"), await looks(":not(.marked)", "outlineStyle")], ["solid", "none"]);
  await close();
});
