// Measures first visits of the pages on a phone, from a server that compresses, for the tests of weight and of pace.
import { book, fromServer, patience } from "./browser.mjs";

// The limits. Kilobytes are 1,000 bytes, compressed; requests are all requests of a visit, with the icon's; seconds are the
// time until the element of the selector `usable` can be used. Of the time of calculator.html, 0.85 s are for loading the
// calculator's module.
export const visits = [
  { name: "index.html", kilobytes: 250, requests: 15, usable: "live-type .live", seconds: 1.5 },
  { name: "calculator.html", kilobytes: 400, requests: 15, usable: "live-solver .live-answer", seconds: 2.5 },
  { name: "exact.html", kilobytes: 250, requests: 15 },
];
// A phone, and the slow connection of Lighthouse: 1.6 Mb/s and a round trip of 150 ms.
export const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const slow = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };

// The measurements that the tests of a file make; `printFigures` prints them as a table.
const figures = new Map();
export const note = (name, values) => figures.set(name, { ...figures.get(name), ...values });
export function printFigures() {
  const row = ({ name, kilobytes, requests, painted, usable, load, moved }) => {
    const [seconds, digits] = [(time) => (time ? (time / 1000).toFixed(2) : ""), (number, count) => number?.toFixed(count) ?? ""];
    return `| ${name} | ${digits(kilobytes, 0)} | ${requests ?? ""} | ${seconds(painted)} | ${seconds(usable)} | ${seconds(load)} | ${digits(moved, 0)} |`;
  };
  const head = "| page | KB | requests | painted, s | usable, s | loaded, s | moved, px |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |";
  console.log([head, ...[...figures].map(([name, values]) => row({ name, ...values }))].join("\n"));
}

// Runs in the page before its own scripts. Notes when the element of `usable` is there, and with `read` by how many pixels the
// parts in view move by themselves. Chromium's own score misses some moves: for a move of 200 px it was 0, 0.01, or 0.2.
function watch([usable, read]) {
  globalThis.noted = { moves: [] };
  let places = new Map();
  // A box of one pixel is for screen readers.
  const inView = ({ top, bottom, width }) => width > 1 && bottom > 0 && top < innerHeight;
  const look = () => {
    const parts = [...document.querySelectorAll("main :is(h1, h2, h3, p, li, dt, dd, pre, table, figure, details)")]
      .filter((part) => part.checkVisibility({ visibilityProperty: true }));
    places = new Map(parts.map((part) => [part, part.getBoundingClientRect()]));
  };
  const compare = () => {
    const before = places;
    look();
    const moves = [...places].filter(([part, to]) => before.has(part) && (inView(before.get(part)) || inView(to)))
      .map(([part, to]) => ({ part, from: before.get(part).top, to: to.top, by: Math.abs(to.top - before.get(part).top) }));
    const { part, from, to, by } = moves.reduce((most, move) => move.by > most.by ? move : most, { by: 0 });
    if (by) noted.moves.push({ at: performance.now(), by, text: `from ${from} to ${to}: ${part.outerHTML.slice(0, 70)}` });
  };
  const frame = () => {
    if (read) compare();
    if (usable && document.querySelector(usable)) noted.usable ??= performance.now();
    requestAnimationFrame(frame);
  };
  // If the reader scrolls, the page does not count as moved.
  noted.scroll = (by) => {
    compare();
    scrollBy({ top: by, behavior: "instant" });
    look();
  };
  frame();
}

// Returns the first of at most five visits whose time `key` is at most `limit`, or else the fastest visit. A single visit would
// not do, because other work of the machine makes a visit over a slow connection slower, and because Chromium lets such a
// connection stand still at times (one page in 160 had not come after a minute).
export async function soonest(browser, name, options, key = "load", limit = Infinity) {
  let fastest, stuck;
  for (let times = 0; times < 5 && !(fastest?.[key] <= limit); times += 1) {
    try {
      const next = await visit(browser, name, { ...options, network: slow });
      if (!(next[key] >= fastest?.[key])) fastest = next;
    } catch (error) {
      if (error.name !== "TimeoutError") throw error;
      stuck = error;
    }
  }
  if (!fastest) throw stuck;
  return fastest;
}

// Makes a first visit on a phone, and returns its times, moves and bytes. With `read` it scrolls fast through the page.
export async function visit(browser, name, { usable, network, read = false } = {}) {
  const server = await fromServer(book, { gzip: true });
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    if (network) {
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", network);
    }
    await page.addInitScript(watch, [usable, read]);
    await page.goto(`${server.at}${name}`, { timeout: 3 * patience });
    if (usable) await page.waitForFunction(() => noted.usable, undefined, { timeout: 3 * patience });
    await page.waitForLoadState("networkidle", { timeout: 3 * patience });
    const sent = [...server.sent];
    if (read) {
      await page.evaluate(async () => {
        const end = () => scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
        for (let steps = 0; steps < 200 && !end(); steps += 1) {
          noted.scroll(400);
          await new Promise((later) => setTimeout(later, 100));
        }
      });
    }
    await page.waitForTimeout(300);
    const times = await page.evaluate(() => ({
      load: performance.getEntriesByType("navigation")[0].loadEventEnd,
      painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
      ...noted,
    }));
    // What moves before the first paint does not count, because nobody sees it.
    const moves = times.moves.filter(({ at }) => at > times.painted);
    const moved = moves.reduce((sum, { by }) => sum + by, 0);
    return { ...times, moves, moved, sent, kilobytes: sent.reduce((sum, { bytes }) => sum + bytes, 0) / 1000, requests: sent.length };
  } finally {
    await context.close();
    server.close();
  }
}
