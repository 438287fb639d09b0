// The widget "What a yes is worth" of yes.html, by mouse, by keyboard and by link. What is expected is in the table
// that the widget stands around, which a test of the book computes.
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
  const { page, wrong, close } = await open(browser, disk, `yes.html${query}#worth`, options);
  const widget = page.locator("live-worth");
  await widget.locator(".live").waitFor();
  const marks = (kind) => widget.locator(`path.${kind}`).count();
  const numbers = () => widget.locator(".live-numbers").innerText();
  return { page, wrong, close, widget, marks, numbers };
};

test("by mouse, a guess sorts the yeses that all looked alike", async () => {
  const { page, wrong, close, widget, marks, numbers } = await opened();
  assert.equal(await widget.getByLabel("Queries for members").isVisible(), false);
  assert.deepEqual([await marks("yes"), await marks("wrong"), await marks("no")], [9, 0, 991]);
  await widget.getByRole("button", { name: "99 %" }).click();
  // bloom-params --n 10000 --p 1% --lookups 100000 --prevalence 0.1%: worth 0.091, 999.0 false hits
  assert.equal(await widget.locator(".live-verdict").innerText(),
    "You said: 99 %. A yes is worth 9.1 %. Of 100,000 queries, 100 are for members; about 999 of the others are found, too.");
  assert.deepEqual([await marks("yes"), await marks("wrong"), await marks("no")], [1, 8, 991]);
  assert.match(await numbers(), /^Here 1 of 9 yeses is true, and all of 991 noes\./);
  await widget.getByRole("button", { name: "Another 100,000" }).click();
  const [, share, right, all] = (await numbers()).match(/in 101,000 queries: ([\d.]+) %, (\d+) of ([\d,]+) yeses/);
  assert.equal(right, "101");
  const yeses = Number(all.replace(",", ""));
  assert.equal(Number(share).toFixed(1), ((100 * 101) / yeses).toFixed(1));
  // 1,009 false ones are expected; 12 % is 3.8 standard deviations of a count.
  assert(Math.abs(yeses - 101 - 1009) < 120, all);
  await widget.getByRole("button", { name: "Start again" }).click();
  assert.deepEqual([await marks("yes"), await marks("wrong")], [9, 0]);
  assertNone(wrong, "what went wrong");
  await close();
  assert(page.isClosed());
});

test("by keyboard alone, more members make a yes worth more", async () => {
  const { page, wrong, close, widget, numbers } = await opened();
  await widget.getByRole("button", { name: "9 %", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  for (const _ of "123") await page.keyboard.press("ArrowRight");
  assert.match(await numbers(), /^Here 10 of 18 yeses are true, and all of 982 noes\. A yes is worth 50\.3 % \(expected\)/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  assert.match(await numbers(), /A yes is worth 99 % \(expected\)/);
  for (const _ of "12") await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  assert.match(await numbers(), /Measured in 101,000 queries/);
  await page.waitForFunction((text) => document.querySelector("live-worth [role=status]").textContent === text, await numbers());
  assertNone(wrong, "what went wrong");
  await close();
});

test("what is expected is what the table has", async () => {
  const { page, close, widget, numbers } = await opened("?worth.guess=none");
  const rows = await widget.locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.equal(rows.length, 5);
  let cells = 0;
  // The slider ends at 0.1 %.
  for (const [members, ...shares] of rows.slice(0, 4)) {
    for (const [power, share] of shares.entries()) {
      const rate = [0.1, 0.01, 0.001, 0.0001][power];
      await widget.evaluate((element, state) => element.set(state), { members: parseFloat(members) / 100, rate });
      const shown = (await numbers()).match(/worth (above )?([\d.]+) %/);
      // A filter for a rate has one a little below it.
      if (shown[1]) assert(parseFloat(share) >= 99.9, `${members} ${rate}: ${share}`);
      else assert(Math.abs(Number(shown[2]) - parseFloat(share)) < 0.1, `${members} ${rate}: ${share} ${shown[2]}`);
      cells += 1;
    }
  }
  assert.equal(cells, 16);
  await close();
  assert(page.isClosed());
});

test("a link shows the same queries, whatever it says", async () => {
  const query = "?worth.guess=1&worth.members=0.05&worth.rate=0.05&worth.queries=7000";
  const shown = ({ widget }) => widget.locator("svg").evaluate((svg) => svg.outerHTML);
  const [one, other] = [await opened(query), await opened(query)];
  assert.match(await one.numbers(), /Measured in 7,000 queries/);
  assert.deepEqual([await shown(other), await other.numbers()], [await shown(one), await one.numbers()]);
  const odd = await opened("?worth.guess=9&worth.members=7&worth.rate=-1&worth.queries=1e99");
  assert.match(await odd.numbers(), /^Here 500 of 500 yeses are true.* Measured in 1,000,000 queries/);
  assertNone([...one.wrong, ...odd.wrong], "what went wrong");
  for (const { close } of [one, other, odd]) await close();
});

test("the dots move to their places after a guess, unless motion is unwelcome", async () => {
  for (const [reducedMotion, lasts] of [["no-preference", "0.7s"], ["reduce", "0s"]]) {
    const { close, widget } = await opened("", { reducedMotion });
    const duration = () => widget.locator("path").first().evaluate((dot) => getComputedStyle(dot).transitionDuration);
    assert.equal(await duration(), "0s");
    await widget.getByRole("button", { name: "50 %" }).click();
    assert.equal(await duration(), lasts);
    await close();
  }
});

test("it can be read in every theme and fits 320 px", async () => {
  const { page, close } = await opened("?worth.guess=none&worth.members=0.5&worth.rate=0.1", { width: 320 });
  assert.equal(await sideways(page), 0);
  for (const theme of ["light", "navy", "coal"]) {
    await choose(page, theme);
    assertNone(await violations(page, { within: "live-worth" }), theme);
  }
  await close();
});
