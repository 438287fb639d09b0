// Tests the weight of the pages: what a first visit transfers from a server that compresses, and how far the content of a page
// moves by itself. The figures are printed as a table.
// A book that `mdbook build` alone has built fails all of these tests, except those on the height of widgets: see
// book/build.sh. plants.mjs has for each test a defect that it must notice.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import assert from "node:assert/strict";
import { assertNone, book, fromDisk, fromServer, open, setUp } from "./browser.mjs";
import { note, phone, printFigures, soonest, visit, visits } from "./visit.mjs";

const maxMoved = 1;

const held = setUp();
after(printFigures);

for (const { name, kilobytes, requests, usable } of visits) {
  test(`a first visit of ${name} is light`, async () => {
    const first = await visit(held.browser, name, { usable });
    note(name, { kilobytes: first.kilobytes, requests: first.requests });
    const list = first.sent.map(({ path, bytes }) => `${bytes} ${path}`).join("\n");
    assert(first.kilobytes <= kilobytes, `${name} has ${first.kilobytes} KB:\n${list}`);
    assert(first.requests <= requests, `${name} takes ${first.requests} requests:\n${list}`);
    assertNone(first.sent.filter(({ path }) => /all-charsets|searchindex/.test(path)).map(({ path }) => path), "loaded though not needed");
  });
}

const apart = ["introduction.html", "toc.html", "print.html"];
const pages = readdirSync(book).filter((name) => name.endsWith(".html") && !apart.includes(name));
describe("over a slow connection no page moves by itself", { concurrency: 2 }, () => {
  for (const name of pages) {
    test(name, async () => {
      const { moved, moves, kilobytes, requests, painted, load } = await soonest(held.browser, name, { read: true });
      note(name, { kilobytes, requests, painted, load, moved });
      assert(moved <= maxMoved, `${name} moves by ${moved.toFixed(1)} px:\n${moves.map(({ at, text }) => `${Math.round(at)} ms ${text}`).join("\n")}`);
    });
  }
});

// In the page: the distance between the element before a widget and the element after it.
const between = ({ previousElementSibling: before, nextElementSibling: behind }) =>
  behind.getBoundingClientRect().top - before.getBoundingClientRect().bottom;

describe("the room that is kept for a widget is what it takes", { concurrency: 2 }, () => {
  for (const name of pages) {
    const widgets = new Set(readFileSync(join(book, name), "utf8").match(/(?<=<)live-(?!box)\w+/g));
    for (const widget of widgets) {
      test(`${widget} in ${name}`, async () => {
        for (const width of [390, 1280]) {
          const context = await held.browser.newContext({ viewport: { width, height: 844 } });
          const page = await context.newPage();
          let letGo;
          const gate = new Promise((open) => (letGo = open));
          await page.route(/(filters|calculator)\.js$/, (route) => gate.then(() => route.continue()));
          await page.goto(`${fromDisk(book).at}${name}`, { waitUntil: "domcontentloaded" });
          await page.evaluate(() => document.fonts.ready.then(() => undefined));
          const element = page.locator(widget).first();
          const room = await element.evaluate(between);
          letGo();
          await element.scrollIntoViewIfNeeded();
          await element.locator(".live").first().waitFor();
          await page.waitForTimeout(200);
          const taken = await element.evaluate(between);
          assert(Math.abs(room - taken) <= 2, `${width} px: it takes ${taken - room} px more`);
          await context.close();
        }
      });
    }
  }
});

describe("the search is loaded when somebody searches", () => {
  const searches = {
    "by its button": (page) => page.getByRole("button", { name: "Toggle Searchbar" }).click(),
    "by its key": (page) => page.keyboard.press("s"),
    "by an address": (page) => page.goto(`${page.url()}?search=scalable`),
  };
  for (const [by, start] of Object.entries(searches)) {
    test(by, async () => {
      const { page, wrong, close } = await open(held.browser, fromDisk(book), "index.html");
      const loaded = () => page.evaluate(() => Boolean(globalThis.elasticlunr));
      assert.equal(await loaded(), false);
      await start(page);
      const field = page.locator("#mdbook-searchbar");
      await field.waitFor();
      if (!by.includes("address")) {
        await page.waitForFunction(() => document.activeElement.id === "mdbook-searchbar");
        await page.keyboard.type("scalable");
      }
      await page.locator("#mdbook-searchresults a").first().waitFor();
      assert(await page.locator("#mdbook-searchresults a[href^='growing.html']").count() > 0);
      assertNone(wrong, "what went wrong");
      await close();
    });
  }
});

test("a character that is not in the book comes from the whole font", async (t) => {
  const server = await fromServer(book, { gzip: true });
  const context = await held.browser.newContext(phone);
  // A server that is left open keeps a test that has failed from ending.
  t.after(async () => {
    await context.close();
    server.close();
  });
  const page = await context.newPage();
  const fonts = () => server.sent.filter(({ path }) => /open-sans.*regular/.test(path)).length;
  await page.goto(`${server.at}glossary.html`, { waitUntil: "networkidle" });
  assert.equal(fonts(), 0);
  const font = page.waitForResponse(/open-sans.*regular/);
  await page.evaluate(() => document.querySelector("main p").append("Блум"));
  await font;
  await page.waitForLoadState("networkidle");
  assert.equal(fonts(), 1);
});
