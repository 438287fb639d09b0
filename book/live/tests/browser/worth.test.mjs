// Tests the widget What a yes is worth, which counts how many positive answers of a filter are true. The expected numbers are
// in the table that the widget replaces, which a test of the book computes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNone } from "./browser.mjs";
import { opener, verdicts, widget, wordsOf } from "./widgets.mjs";

const numbersOf = (element) => wordsOf(element.locator(".live-numbers"));
const marksOf = (element) =>
  Promise.all(["yes", "wrong", "no"].map((kind) => element.locator(`.live path.${kind}`).count()));

widget("worth", "yes.html#worth", async ({ activate, slide, element }) => {
  assert.equal(await element.getByLabel("Queries for members").isVisible(), false);
  assert.deepEqual(await marksOf(element), [0, 0, 1000]);
  await activate("button:has-text('99 %')");
  // bloom-params --n 10000 --p 1% --lookups 100000 --prevalence 0.1%: worth 0.091, 999.0 false positives
  assert.equal(await wordsOf(element.locator(".live-verdict")),
    "You said: 99 %. 99 % would be right if 1 yes in 100 were false; but it is 1 stranger in 100, and 999 of 1,000 queries are for strangers. A yes is worth 9.1 %. Of 100,000 queries, 100 are for members; about 999 of the others get a yes, too.");
  assert.deepEqual(await marksOf(element), [1, 8, 991]);
  assert.match(await numbersOf(element), /^Here 1 of 9 yeses is true, and all of 991 noes\./);

  await activate("button:has-text('100,000')");
  const [, share, right, all] = (await numbersOf(element)).match(/in 101,000 queries: ([\d.]+) %, (\d+) of ([\d,]+) yeses/);
  assert.equal(right, "101");
  const yeses = Number(all.replace(",", ""));
  assert.equal(Number(share).toFixed(1), ((100 * 101) / yeses).toFixed(1));
  // Besides 101 true yeses, 1,009 false yeses are expected; 120 is 3.8 standard deviations of such a count.
  assert(Math.abs(yeses - 101 - 1009) < 120, all);

  await activate("button:has-text('Start again')");
  assert.deepEqual(await marksOf(element), [0, 0, 1000]);
  await activate("button:has-text('Just show me')");
  await slide("label:has-text('members') input", 3);
  assert.match(await numbersOf(element), /^Here 10 of 18 yeses are true, and all of 982 noes\. A yes is worth 50\.3 % \(expected\)/);
  await slide("label:has-text('False-positive rate') input", 0);
  const said = await numbersOf(element);
  assert.match(said, /A yes is worth 99 % \(expected\)/);
  await element.locator(".live-status", { hasText: said }).waitFor({ state: "attached" });
});

const opened = opener("worth", "yes.html", "worth");

test("what is expected is what the table has", async () => {
  const { widget: element, close } = await opened("?worth.guess=none");
  const rows = await element.locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.equal(rows.length, 5);
  let cells = 0;
  // The slider ends at 0.1 %.
  for (const [members, ...shares] of rows.slice(0, 4)) {
    for (const [power, share] of shares.entries()) {
      const rate = [0.1, 0.01, 0.001, 0.0001][power];
      await element.evaluate((one, state) => one.set(state), { members: parseFloat(members) / 100, rate });
      const shown = (await numbersOf(element)).match(/worth (above )?([\d.]+) %/);
      // A filter sized for a rate has a rate a little below it.
      if (shown[1]) assert(parseFloat(share) >= 99.9, `${members} ${rate}: ${share}`);
      else assert(Math.abs(Number(shown[2]) - parseFloat(share)) < 0.1, `${members} ${rate}: ${share} ${shown[2]}`);
      cells += 1;
    }
  }
  assert.equal(cells, 16);
  await close();
});

test("why a wrong guess is tempting, and what would make it right", async () => {
  await verdicts(opened, "worth", [
    [1, "50 %. 50 % would be right if 1 query in 100 were for a member: then 50.3 % of yeses are true. A yes is worth 9.1 %."],
    [2, "9 %, and that is right. A yes is worth 9.1 %."],
  ]);
  const { widget: element, close } = await opened("?worth.guess=1&worth.members=0.01");
  assert.match(await numbersOf(element), /A yes is worth 50\.3 % \(expected\)/);
  await close();
});

test("the queries of a link are those of the guess, too", async () => {
  const { widget: element, close } = await opened("?worth.queries=10000");
  await element.getByRole("button", { name: "50 %" }).click();
  assert.match(await numbersOf(element), /Measured in 10,000 queries/);
  await element.getByLabel("Queries for members").press("ArrowRight");
  assert.match(await numbersOf(element), /Measured in 1,000 queries/);
  await close();
});

test("a link may say anything", async () => {
  const { widget: element, wrong, close } = await opened("?worth.guess=9&worth.members=7&worth.rate=-1&worth.queries=1e99");
  assert.match(await numbersOf(element), /^Here 500 of 500 yeses are true.* Measured in 1,000,000 queries/);
  assertNone(wrong, "what went wrong");
  await close();
});

test("the dots move to their places after a guess, unless motion is unwelcome", async () => {
  for (const [reducedMotion, lasts] of [["no-preference", "0.7s"], ["reduce", "0s"]]) {
    const { widget: element, close } = await opened("", { reducedMotion });
    const duration = () => element.locator("path").first().evaluate((dot) => getComputedStyle(dot).transitionDuration);
    assert.equal(await duration(), "0s");
    // Reads the places of the dots at once, before their animation ends.
    const moving = await element.evaluate((one) => {
      [...one.querySelectorAll("button")].find((button) => button.textContent === "50\u00a0%").click();
      return getComputedStyle(one.querySelector("path")).transitionDuration;
    });
    assert.equal(moving, lasts);
    await close();
  }
});
