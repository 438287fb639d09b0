// Functions that the tests of the calculator's page share: they return the answer of the command bloom-params (the program in
// the variable COMMAND, or else target/release/bloom-params) and what the page shows, and compare the two.
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import { assertNone, open, setUp } from "./browser.mjs";

export const command = process.env.COMMAND ?? new URL("../../../../target/release/bloom-params", import.meta.url).pathname;
const bare = ["spread", "overfill", "explain"];
export const line = (flags) =>
  Object.entries(flags).map(([name, text]) => `--${name.replaceAll("_", "-")}${bare.includes(name) ? "" : `=${text}`}`);
export function asked(flags) {
  const { status, stdout, stderr } = spawnSync(command, [...line(flags), "--json"], { encoding: "utf8" });
  return status === 2 ? { refused: stderr.trim().replace("error: ", "").replace("\nhint: ", "; ") } : JSON.parse(stdout);
}
// Waits until the page has the code that it offers for copying and the line that says what this code builds; returns both.
export async function copied(page) {
  await page.waitForFunction(() => !document.querySelector(".live-builds").textContent.startsWith("Computing"));
  return [await page.textContent(".live-copy code"), await page.textContent(".live-builds")];
}
export const link = (flags) => `calculator.html?${new URLSearchParams(flags)}`;
export const words = (text) => text.replaceAll(/\s+/g, " ").trim();

// Returns a text of the command as the page shows it, with the labels of fields in place of flags.
const worded = (text, labels) => text.replace(/(^|; )bloom-params /, "$1for example ").replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (flag, name) =>
  name === "overfill" ? flag : `“${labels[name.replaceAll("-", "_")]}”`);

// Returns what the page shows: the lines of the answer or the refusal, the sections, and the remarks.
export async function shown(page) {
  await page.waitForSelector(".live-answer dt, .live-error:not([hidden])");
  return page.evaluate(() => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent);
    const [names, values] = [texts(".live-answer dt"), texts(".live-answer dd")];
    const fields = [...document.querySelectorAll("input[aria-describedby^=refused-], select[aria-describedby^=refused-]")];
    const labels = fields.map((field) => [field.getAttribute("aria-describedby").slice(8),
      field.parentElement.querySelector("span").firstChild.textContent]);
    // All titles, lines of tables, and lines below tables.
    const sections = [...document.querySelectorAll("live-solver section")].filter((one) => one.checkVisibility())
      .map((one) => [...one.querySelectorAll("h2, tr, p")].map((line) =>
        line.matches("tr") ? [...line.children].map((cell) => cell.textContent).join(" ") : line.textContent));
    return {
      labels: { ...Object.fromEntries(labels), filter: "Kind of filter", like: "Library" },
      sections,
      lines: names.map((name, at) => `${name} ${values[at]}`),
      notes: texts(".live-notes li"),
      refused: texts(".live-error:not([hidden])").join(),
    };
  });
}

export async function same(page, flags) {
  const [answer, seen] = [asked(flags), await shown(page)];
  const what = JSON.stringify(flags);
  if (answer.refused) {
    assert.equal(seen.refused, worded(answer.refused, seen.labels), what);
    return;
  }
  assert.deepEqual(seen.lines.map(words), answer.shown.map(words), what);
  assert.deepEqual(seen.notes, answer.notes.map((note) => worded(note, seen.labels)), what);
  // The page shows the section of --overfill, if there is one, even if the question does not ask for it.
  const beyond = asked({ ...flags, overfill: "true" });
  const titles = { stages: "The bits, to scale", overfill: "With more items than expected" };
  const sections = beyond.refused ? answer.sections : beyond.sections;
  for (const { name, title, lines } of sections) {
    const [, ...found] = seen.sections.find(([heading]) => heading === (titles[name] ?? title)) ?? [];
    const own = name === "stages" ? found.slice(-lines.length) : found;
    assert.deepEqual(own.map(words), lines.map(words), what);
  }
  const ours = ["The rate over the number of items", "The bits, to scale", "With more items than expected", "Why: the derivation, line by line"];
  const others = seen.sections.map(([title]) => title).filter((title) => !ours.includes(title));
  assert.deepEqual(others, answer.sections.filter(({ name }) => name !== "stages").map(({ title }) => title), what);
}

export const held = setUp({ served: true });
export const { disk } = held;

// Opens the calculator, lets `act` use it, and checks that nothing went wrong on the page. With `leaves`, `act` leaves the
// page, which stops its requests; stopped requests do not count as failures.
export async function calculator(name, options, act) {
  const place = options.place ?? disk;
  const { page, wrong, close } = await open(held.browser, place, name, options);
  await act(page, place);
  assertNone(wrong.filter((what) => !options.leaves || !what.startsWith("request failed")), name);
  await close();
}
