// Tests how soon a page can be used over a slow mobile connection. If run.sh runs all tests, it runs this file alone and first,
// because the limits here are for an idle machine.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { setUp } from "./browser.mjs";
import { note, printFigures, soonest, visits } from "./visit.mjs";

const maxSecondsOfPrint = 5;

const held = setUp();
after(printFigures);

for (const { name, usable, seconds } of visits.filter(({ seconds }) => seconds)) {
  test(`over a slow connection ${name} can soon be used`, async () => {
    const { painted, usable: time, load } = await soonest(held.browser, name, { usable }, "usable", 1000 * seconds);
    note(name, { painted, usable: time, load });
    assert(time <= 1000 * seconds, `${name} can be used after ${Math.round(time)} ms`);
  });
}

test("the book in one page is loaded soon, over a slow connection too", async () => {
  const { load, kilobytes, requests, painted } = await soonest(held.browser, "print.html", {}, "load", 1000 * maxSecondsOfPrint);
  note("print.html", { load, kilobytes, requests, painted });
  assert(load <= 1000 * maxSecondsOfPrint, `print.html is loaded after ${Math.round(load)} ms`);
});
