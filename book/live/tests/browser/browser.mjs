// Functions that the tests of the book in a real browser share: they start Chromium without a network, open pages from disk and
// from a local server, and record what goes wrong on a page. The book is in the folder of the variable BOOK, or else in
// book/book.
import { createReadStream, readFileSync, realpathSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { after, before } from "node:test";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { exceptions } from "./exceptions.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const here = fileURLToPath(new URL(".", import.meta.url));
export const book = realpathSync(process.env.BOOK ?? join(here, "../../../book"));
export const fixtures = join(here, "fixtures");

// How many milliseconds a test waits for a widget. For everything else, Playwright waits three times as long.
export const patience = Number(process.env.PATIENCE ?? 10) * 1000;

// Chromium runs without its sandbox, which it does not support for root, the user of CI. No name of another machine is
// resolved.
export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });

// Gives the tests of a file, or of a `describe` block, a browser, a folder on disk, and with `served` a server of this folder.
// The browser and the server start before the first test and end after the last test.
export function setUp({ folder = book, served = false } = {}) {
  const held = { disk: fromDisk(folder) };
  before(async () => {
    held.browser = await launch();
    if (served) held.server = await fromServer(folder);
  });
  after(async () => {
    await held.browser.close();
    held.server?.close();
  });
  return held;
}

const types = {
  ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json",
  ".png": "image/png", ".svg": "image/svg+xml", ".woff2": "font/woff2",
};

// Returns a place to open pages from, as { at, close }: `at` is the address of a folder on disk, or of a server of this folder.
// A server with `gzip` compresses texts, as public servers do, and notes in `sent` the path and the length of each body.
export const fromDisk = (folder) => ({ at: `${pathToFileURL(folder)}/`, close() {} });
export async function fromServer(folder, { gzip = false } = {}) {
  const sent = [];
  const server = createServer((request, response) => {
    const file = join(folder, decodeURIComponent(new URL(request.url, "http://127.0.0.1").pathname));
    if (!file.startsWith(folder) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = { "content-type": types[extname(file)] ?? "application/octet-stream" };
    if (gzip) {
      const isText = /text|json|svg/.test(type["content-type"]);
      const body = isText ? gzipSync(readFileSync(file)) : readFileSync(file);
      sent.push({ path: relative(folder, file), bytes: body.length });
      response.writeHead(200, { ...type, ...(isText && { "content-encoding": "gzip" }) }).end(body);
      return;
    }
    response.writeHead(200, type);
    createReadStream(file).pipe(response);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    at: `http://127.0.0.1:${server.address().port}/`,
    sent,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

// Opens a page from a place (a folder or a server). `wrong` collects what must not happen: warnings and errors on the console,
// exceptions, requests that fail, and requests for anything outside of the place.
export async function open(browser, place, name, { width = 1280, theme = "light", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...options });
  await context.addInitScript((chosen) => localStorage.setItem("mdbook-theme", chosen), theme);
  return { ...(await tab(context, place, `${place.at}${name}`)), close: () => context.close() };
}

// Opens an address in another tab of a context.
export async function tab(context, place, address) {
  const page = await context.newPage();
  page.setDefaultTimeout(3 * patience);
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`uncaught: ${error.message}`));
  page.on("request", (request) => {
    const address = request.url();
    const own = address.startsWith(place.at) || /^(data|blob):/.test(address);
    if (!own) wrong.push(`request outside: ${address}`);
  });
  page.on("requestfailed", (request) => {
    // Requests that failed because the page was left do not count.
    const left = request.failure().errorText === "net::ERR_ABORTED";
    if (!left) wrong.push(`request failed: ${request.url()}`);
  });
  await page.goto(address);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return { page, wrong };
}

// Chooses a theme as the menu of mdBook does, and waits until every style sheet that is switched on has been loaded.
export async function choose(page, theme) {
  await page.evaluate((name) => document.getElementById(`mdbook-theme-${name}`).click(), theme);
  await page.waitForFunction(
    (name) =>
      document.documentElement.classList.contains(name) &&
      [...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.disabled || link.sheet),
    theme,
  );
}

// Returns what axe finds by all its rules or by the given rules, on the page or in the elements that a selector matches.
// Violations that exceptions.mjs lists are left out, and noted in `met`.
export const met = new Set();
export async function violations(page, { rules, within } = {}) {
  if (!(await page.evaluate(() => Boolean(globalThis.axe)))) await page.evaluate(axe);
  const { found, excepted } = await page.evaluate(judge, [rules, within, exceptions]);
  for (const index of excepted) met.add(exceptions[index]);
  return found;
}

// A part of the check by axe, which runs in the page.
async function judge([only, include, exceptions]) {
  // An element whose colour is changing in a transition has no final colour to judge yet.
  for (const moving of document.getAnimations()) {
    if (moving instanceof CSSTransition) moving.finish();
  }
  const options = { elementRef: true, preload: false, resultTypes: ["violations"] };
  if (only) options.runOnly = { type: "rule", values: only };
  const { violations } = await axe.run(include ?? document, options);
  const found = [];
  const excepted = [];
  for (const { id, nodes } of violations) {
    for (const { element, target, failureSummary } of nodes) {
      const index = exceptions.findIndex(({ rule, selector }) => rule === id && element.matches(selector));
      if (index === -1) found.push(`${id}: ${target.join(" ")}: ${failureSummary.replaceAll(/\s+/g, " ")}`);
      else excepted.push(index);
    }
  }
  return { found, excepted };
}

// Makes the window as narrow as a small phone, where the contents are not beside the page.
export async function narrow(page) {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.evaluate(() => {
    if (document.documentElement.classList.contains("sidebar-visible")) document.getElementById("mdbook-sidebar-toggle-anchor").click();
    for (const moving of document.getAnimations()) if (moving instanceof CSSTransition) moving.finish();
  });
}

// Returns the parts of the page that reach beyond the window on the right. The widths of document and body do not show this,
// because mdBook cuts off what is beyond, and scrolls #mdbook-content in place of the document. Leaves out parts of a box that
// scrolls, or that cuts off its content on purpose. A widget is no such box, because it cuts off content only at its round
// corners.
export const sideways = (page) =>
  page.evaluate(() => {
    const content = document.getElementById("mdbook-content");
    const window = document.documentElement.clientWidth;
    const found = [];
    if (content.scrollWidth > content.clientWidth) found.push(`it scrolls: ${content.scrollWidth} px in ${content.clientWidth}`);
    const holds = (one) => !one.matches(".live") && getComputedStyle(one).overflowX !== "visible";
    for (const one of content.querySelectorAll("*")) {
      const { left, right, width } = one.getBoundingClientRect();
      // A box of one pixel is for screen readers.
      if (width <= 1 || (left > -1 && right < window + 1) || !one.checkVisibility()) continue;
      let around = one.parentElement;
      while (around !== content && !holds(around)) around = around.parentElement;
      if (around === content) found.push(`${Math.round(left)} to ${Math.round(right)} px of ${window}: ${one.outerHTML.slice(0, 90)}`);
    }
    return found;
  });

// Returns the places at which the text of the page, or of a part of it, may break between a number and its percent sign. Code
// is left out.
export const breaking = (page, within = "body") =>
  page.locator(within).first().evaluate((root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (!parentElement.closest("code, pre, script, style")) found.push(...(data.match(/.{0,30}\d[ \n]%/g) ?? []));
    }
    return found;
  });

// Returns how high a window has to be to show all the given parts at once.
export async function heightOf(...parts) {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  return Math.max(...boxes.map(({ y, height }) => y + height)) - Math.min(...boxes.map(({ y }) => y));
}
// The height of a page, in pixels, that a phone of 390 × 844 px shows below mdBook's bar.
export const phoneHeight = 794;

export function assertNone(list, what) {
  assert.equal(list.length, 0, `${what}:\n${[...new Set(list)].join("\n")}`);
}
