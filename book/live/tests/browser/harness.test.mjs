// Tests the checks of widgets.mjs on the page fixtures/good.html: they pass on its widget, and fail if the widget does one of
// the things that a widget must not do.
import { test } from "node:test";
import assert from "node:assert/strict";
import { fixtures, setUp } from "./browser.mjs";
import { operate, widget } from "./widgets.mjs";

async function say({ activate, type, slide, select, text, announced }) {
  await type("[name=word]", "bee");
  const times = await slide("[name=times]", 12);
  await select("select", "there");
  await select("[name=when]", "later");
  await activate("button");
  const said = `bee ${times} there later`;
  assert.equal((await announced()).at(-1), said);
  assert((await text()).includes(said));
}

widget("sample", "good.html", say, { folder: fixtures });

const held = setUp({ folder: fixtures });

const faults = [
  ["console", "mouse", /console: a warning/],
  ["exception", "mouse", /uncaught: an exception/],
  ["request", "mouse", /request outside: https:\/\/example\.org/],
  ["axe", "mouse", /color-contrast/],
  ["sideways", "mouse", /wider than 320 px/],
  ["address", "mouse", /at file:.*break=address/s],
  ["keyboard", "keyboard", /Tab does not reach button/],
  ["focus", "keyboard", /does not show that it has the focus/],
];
for (const [fault, by, message] of faults) {
  test(`a fault is found: ${fault}`, async () => {
    const page = `good.html?break=${fault}`;
    const run = operate(held.browser, held.disk, "sample", page, say, { width: 390, theme: "light", by });
    await assert.rejects(run, (error) => message.test(error.message) || error);
  });
}
