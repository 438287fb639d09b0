// Shows that every kind of check of these tests can fail. Each plant below puts one defect into a copy of the built book, runs
// the test that has to notice the defect, and expects that test to fail with a message of its own. A plant whose place is no
// longer in the book fails, too. A run on the book without plants shows that the same tests pass there.
//
//   bash run.sh --plants              all of them, in at most 5 minutes on two idle cores
//   bash run.sh --plants overfill     the plants whose kind, test or defect has this word
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const book = process.env.BOOK ?? join(here, "../../../book");
const [main, css, widgets] = ["<main>", "theme/live-*.css", "live/widgets.js"];
const mouse = "390 px, light, by mouse";
const keyboard = "390 px, light, by keyboard";
const [page1280, page768, page390, plain] = [
  "1280 px, from disk, light and other themes", "768 px, from a server, coal", "390 px, from disk, navy, and no wider than 320 px",
  "without JavaScript every text and image is there",
];
const inPage = (kind, test, text, says, page = "try.html") => [kind, "pages", [page, test], page, main, `${main}${text}`, says];

const first = (name) => `a first visit of ${name} is light`;
const soon = (name) => `over a slow connection ${name} can soon be used`;
const busy = (ms) => `<script>for (const end = performance.now() + ${ms}; performance.now() < end; );</script>`;
const images = Array.from({ length: 9 }, (_, at) => `<img alt="" src="index.html?${at}">`).join("");
const late = (px) =>
  `<div id="planted"></div><script>addEventListener("load", () => setTimeout(() => (planted.style.height = "${px}px"), 100))</script>`;

// Each plant is a row: the kind of check; the test's file, and the names of the nested tests down to the one that has to fail;
// the file of the book, the text to replace, and the defect that replaces it; and what the failure says.
const plants = [
  inPage("a page scrolls sideways", page390, '<div style="width:900px;height:1px"></div>', /wider than 320 px:\s*it scrolls: 9\d\d px/),
  inPage("a page scrolls sideways, wide window", page1280, '<div style="width:1900px;height:1px"></div>', /wider than 1280 px:\s*it scrolls: 19\d\d px/),
  inPage("a part is beyond the window", page768, '<div style="position:fixed;left:900px;width:90px">planted</div>', /900 to 990 px of 768: .*planted/),
  ["a number breaks before %", "pages", ["no number is in another line than its percent sign"], "try.html", main, `${main}<p>planted 5 %</p>`, /try\.html:\s*planted 5 %/],
  inPage("console error", page1280, '<script>console.error("planted")</script>', /console: planted/),
  inPage("console warning", page768, '<script>console.warn("planted")</script>', /console: planted/),
  inPage("uncaught exception", page390, '<script>throw new Error("planted")</script>', /uncaught: planted/),
  inPage("request to another machine", page1280, '<img alt="" src="https://example.org/planted.png">', /request outside: https:..example\.org/),
  inPage("request that fails", page390, '<img alt="" src="planted.png">', /request failed: .*planted\.png/),
  inPage("name for screen readers", page390, "<button></button>", /button-name/),
  inPage("picture without a description", page1280, '<img src="favicon.svg">', /image-alt/),
  inPage("text without scripts", plain, '<p style="visibility:hidden">planted</p>', /not to be seen:\s*planted/),
  inPage("image without scripts", plain, '<img alt="" src="planted.png">', /not to be seen:[^]*planted\.png/),
  ["heading without scripts", "pages", ["try.html", plain], "try.html", /<h1 /g, "<h2 ", /the heading is "undefined"/],
  ["contrast in a dark theme", "pages", ["try.html", page1280], "theme/book-*.css", "--links: #57a9d6", "--links: #223344", /navy:\s*color-contrast/],
  ["contrast in a light theme", "pages", ["try.html", page1280], "theme/book-*.css", "--links: #19526f", "--links: #c0b0a0", /rust:\s*color-contrast/],
  ["link in a text told by more than colour", "pages", ["try.html", page768], "theme/book-*.css", "text-decoration: underline 1px", "text-decoration: none", /link-in-text-block/],
  ["list of pages", "pages", ["there are pages, and each has a heading of its own"], "[a-s]*.html", undefined, undefined, /\d pages/],
  ["the book in one page", "pages", ["the book in one page loads without errors"], "print.html", main, `${main}<script>console.error("planted")</script>`, /console: planted/],
  ["contents by keyboard", "pages", ["the keyboard opens the contents"], "theme/pages-*.js", 'button.addEventListener("click", () => label.click());', "", /'false'/],

  ["weight: kilobytes", "weight", [first("index.html")], "index.html", main, `${main}<link rel="preload" as="script" href="live/calculator.js">`, /index\.html has 3\d\d/],
  ["weight: requests", "weight", [first("index.html")], "index.html", main, `${main}${images}`, /takes \d\d requests/],
  ["weight: search index", "weight", [first("exact.html")], "exact.html", main, `${main}<script>document.write(\`<link rel="preload" as="script" href="\${window.path_to_searchindex_js}">\`)</script>`, /has \d+|searchindex/],
  ["pace: until it can be used", "pace", [soon("index.html")], "index.html", main, `${main}${busy(1500)}`, /index\.html can be used after \d+ ms/],
  ["pace: until the calculator can be used", "pace", [soon("calculator.html")], "calculator.html", main, `${main}${busy(2500)}`, /calculator\.html can be used after \d+ ms/],
  ["pace: the book in one page", "pace", ["the book in one page is loaded soon, over a slow connection too"], "print.html", main, `${main}${busy(5000)}`, /print\.html is loaded after \d+ ms/],
  ["weight: a page moves", "weight", ["over a slow connection no page moves by itself", "glossary.html"], "glossary.html", main, `${main}${late(200)}`, /glossary\.html moves by \d+/],
  ["weight: a page moves out of the window", "weight", ["over a slow connection no page moves by itself", "glossary.html"], "glossary.html", main, `${main}${late(900)}`, /glossary\.html moves by \d+/],
  ["weight: room of a widget", "weight", ["the room that is kept for a widget is what it takes", "live-type in index.html"], css, "live-type { --room: 612px", "live-type { --room: 512px", /1280 px: it takes 9\d|1280 px: it takes 10\d/],
  ["weight: search by its key", "weight", ["the search is loaded when somebody searches", "by its key"], "live/page-*.js", '["s", "/"].includes', '["x"].includes', /Timeout|waitFor/],
  ["weight: whole fonts", "weight", ["a character that is not in the book comes from the whole font"], css, /unicode-range: U\+7F[^}]*/g, "unicode-range: U+1", /waitForResponse: Timeout/],

  ["widget: part cut off", "memory", [mouse], css, ".live p {", ".live p { min-width: 500px;", /wider than 320 px/],
  ["widget: a number breaks before %", "balls", [mouse], widgets, "digits(100 * number)}\\u00a0%", "digits(100 * number)} %", /breaks before %:\s*0 balls: 0 of 100 bins hit, 0 %/],
  ["widget: contrast", "memory", [mouse], css, ".live .live-title {", ".live .live-title { color: #999;", /color-contrast/],
  ["widget: Tab reaches all", "memory", [keyboard], widgets, "type: \"range\", min", "type: \"range\", tabindex: -1, min", /Tab does not reach/],
  ["widget: focus is shown", "memory", [keyboard], css, /\.live :is\(button[^{]*:focus-visible \{/, "$& outline: none !important;", /does not show that it has the focus/],
  ["widget: console is silent", "memory", [mouse], widgets, "this.build();", 'this.build(); console.warn("planted");', /console: planted/],
  ["widget: address has the state", "memory", [mouse], widgets, 'history.replaceState(null, "", address + location.hash)', "undefined", /at file:/],
  ["widget: print", "memory", [mouse], css, /@media print \{(?=[^{]*\.live)/, "@media (width < 0) {", /not on paper/],
  ["widget: screen reader is told", "type", [mouse], widgets, "(this.status.textContent = text), 500)", "undefined, 500)", /must be of type string|14 words in/],

  ["numbers: memory", "memory", [mouse], widgets, "digits(size / bits)", "digits(1.1 * size / bits)", /Texts: 400 bits/],
  ["numbers: balls", "balls", [mouse], "live/balls.js", "live.share(measured[thrown])", "live.share(expected[thrown])", /64 of 100 bins hit/],
  ["numbers: sliders", "sliders", [mouse], "live/sliders.js", "Math.abs(fill - 0.5)", "Math.abs(fill - 0.49)", /277 items/],
  ["numbers: type", "type", [mouse], "live/type.js", "rate > 0.1)", "rate > 0.12)", /With 14 words/],
  ["scene: a word's bits", "type", [mouse], "live/type.js", "(quarter * this.bits) / 65536", "(quarter * this.bits) / 90000", /deep-equal/],
  ["scene: a word's moments", "type", [mouse], "live/type.js", "Math.floor(through + 1e-9)", "letters.length", /!== ''|\+ ''|''/],
  ["scene: who set a bit", "field", [mouse], "live/field.js", "this.setters[bit].push(number)", "this.setters[bit].push(number + 1)", /has not set|Cannot read|by $|exec|never inserted/],
  ["scene: who is full first", "memory", [mouse], "live/memory.js", "<= live.memory) low", "<= 1.1 * live.memory) low", /Bloom filter at 167|Timeout/],
  ["scene: bars of one scale", "memory", ["at 1280 px all tracks are equally long, and as long before the race as after it"], css, "grid-template-columns: subgrid", "grid-template-columns: 14em 1fr max-content", /deep-equal/],
  ["scene: one scale while bars grow", "memory", ["at 1280 px all tracks are equally long, and as long before the race as after it"], css, "14em 1fr 10em", "14em 1fr max-content", /deep-equal/],
  ["scene: balls lie on one another", "balls", [mouse], "live/balls.js", "- 4.5 - 7 * level", "- 4.5", /!==/],
  ["scene: in one view", "sliders", [mouse], "live/sliders.js", "isSmall ? 200 : 260", "600", /sliders take \d+/],
  ["scene: a handle follows the mouse", "say", ["say-size", "by mouse at 390 px"], "live/say.js", "(clientX - start) / 8", "(clientX - start) / 16", /one new page in 1,000/],
  ["scene: a printed sentence is true", "say", ["say-rate", "by mouse at 390 px"], "rate.html", '">39.3\u00a0%<', '">39.4\u00a0%<', /39\.3/],
  ["scene: rings side by side", "twins", [mouse], css, /(\.live-rings,\s*\.live-ringed \{\s*)display: grid/, "$1display: block", /\{"x":/],
  ["scene: rings and sliders at once", "twins", [mouse], css, ".live-rings p {", ".live-rings p { height: 400px;", /rings, sliders and texts take [\d.]+ px/],
  ["scene: names within a picture", "twins", ["at 390 px the names of hashes stay within their ring"], "live/twins.js", "isNarrow && here.length", "false && here.length", /beyond its ring:\s*\d+ \+ \d+i/],
  ["scene: a line within its frame", "liar", ["the line of the mean is within its frame for each filter, and so is its dot"], "live/liar.js", "Math.max(this.exact, ...this.means)", "this.exact", /\d+ points/],
  ["scene: something to see at first", "growing", [mouse], "live/growing.js", "defaults = { items: 1000 }", "defaults = { items: 0 }", /1,000 items in 1 stage/],
  ["scene: names beside lines", "growing", ["at 390 px no name lies on a line or on another name, at any stage"], "live/growing.js", '"tightened", beside: true', '"tightened"', /items: *\s*tightened: on a line/],
  ["scene: picture and buttons at once", "deleting", ["by mouse at 390 px, the bits of one word take another along; counters do not"], css, ".live-rows > div {", ".live-rows > div { padding-block: 1em;", /picture, buttons and texts take [\d.]+ px/],
  ["scene: nothing moves while it plays", "memory", [mouse], css, /(live-memory \.live-verdict:not\(\.after\) \{\s*min-height: )7\.5em/, "$10", /moved while the scene played:\s*-?\d+ px/],
  ["scene: the picture stays", "deleting", ["by mouse at 390 px, the bits of one word take another along; counters do not"], css, /(live-deleting \.live-verdict \{\s*min-height: )6em/, "$11em", /the picture moved/],
  ["tempting guess: another deletion", "deleting", ["a wrong guess is a word that another deletion would lose"], "live/deleting.js", "one !== word && this.shared(word, one).length > 0", "one !== word", /You said: cat/],
  ["tempting guess: a rate", "worth", ["why a wrong guess is tempting, and what would make it right"], "live/worth.js", "this.answer(0.01, 0.01)", "this.answer(0.01, 0.02)", /50\.3 %/],
  ["tempting guess: positions", "twins", [mouse], "live/twins.js", 'this.positions("modular", 5, 3, 16, 6)', 'this.positions("modular", 5, 4, 16, 6)', /no position came twice/],
  ["numbers: twins", "twins", [mouse], "live/twins.js", "const at = family.findIndex", "const at = 1 + family.findIndex", /different positions/],
  ["numbers: worth", "worth", ["what is expected is what the table has"], "live/worth.js", "worth: lookups.yes_is_true", "worth: 0.99 * lookups.yes_is_true", /0\.1/],
  ["numbers: liar", "liar", ["by keyboard alone, at once where motion is unwelcome"], "live/liar.js", "live.digits(rate, 4)", "live.digits(1.01 * rate, 4)", /Mean of 10,000 rates/],
  ["numbers: overfill", "overfill", ["a rate that is too small to read is bounded"], widgets, "number < 1e-9", "number < 0", /under 1 in a billion/],
  ["numbers: deleting", "deleting", ["a link replays its steps"], "live/deleting.js", "if (isIn && !found) lost", "if (isIn && found) lost", /is lost/],
  ["numbers: growing", "growing", [mouse], "live/growing.js", "same.expectedRate(0)", "1.1 * same.expectedRate(0)", /You said: 1 %/],
  ["numbers: calculator", "solver", ["links of hur.st are read: empty values, rates like 1.0E-7, and 1 in p"], "live/solver.js", "` ${unit.join(\" \")} `", '" B "', /n=4000&p=1\.0E-7/],
  ["numbers: calculator and command", "questions", ["in a page, too, the calculator and the command do not differ in a digit"], "live/live.js", "textOf(wasm.solve())", 'textOf(wasm.solve()).replace("1", "2")', /Expected values|differ|"/],
  ["numbers: box", "solver", ["the box answers in place, and loads the module when something is typed"], "live/box.js", 'name !== "fill"', 'name !== "m"', /bits: n = /],

  ["link: any number", "links", ["a number that no slider has becomes the nearest one, and a choice that does not exist the default"], "live/balls.js", "Math.min(Math.max(0, Math.floor(this.state.thrown)), this.last())", "this.state.thrown", /0 balls/],
  ["link: two widgets", "links", ["two widgets that change in the same moment are both in the address"], widgets, "const text = query.toString()", "const text = new URLSearchParams([...query].filter(([key]) => key.startsWith(scope))).toString()", /waitForURL|Timeout/],
  ["link: a word with a comma", "links", ["a word with a comma, which no field accepts, is one word without it"], "live/type.js", 'word.replaceAll(",", " ")', "word", /It was not|x y/],
  ["link: calculator", "solver", ["a link with an error shows the fields and the error, and nothing of an answer"], "live/solver.js", 'make("div", { hidden: true }, this.captions', 'make("div", {}, this.captions', /true/],
  ["link is copied", "shared", ["the link of a moment is copied"], widgets, "writeText(this.link.href)", "writeText(location.href.slice(1))", /\^file/],
  ["code is copied", "solver", ["what is copied is the command's own text"], "live/solver.js", '["bloom-params", ...', '["bloom-params", "--n 2", ...', /Expected values|Unexpected|JSON/],
  ["quiet until used", "links", ["a widget says nothing before somebody uses it"], widgets, "clearTimeout(this.speaking); // nobody", "// nobody", /0 balls/],
  ["start again", "shared", ["after starting again the focus is at the question, and nothing earlier is announced"], widgets, 'this.view.querySelector("input, .before button").focus();', "", /'50'/],
  ["arrows stay in a widget", "shared", ["arrows in a widget do not turn the page, and elsewhere they do"], "theme/pages-*.js", '["keydown", "touchstart"]', '["touchstart"]', /yes/],
  ["fingers stay in a widget", "shared", ["a finger that drags a slider does not open the contents, and elsewhere it does"], "theme/pages-*.js", '["keydown", "touchstart"]', '["keydown"]', /true !== false|false/],
  ["colours of the system", "shared", ["where the system chooses the colours, set bits differ from others, and only the word's are framed"], css, "@media (forced-colors: active) {", "@media (width < 0) {", /backgroundColor|rgb|solid/],
  ["motion that is unwelcome", "worth", ["the dots move to their places after a guess, unless motion is unwelcome"], css, "@media (prefers-reduced-motion: no-preference) {", "@media all {", /'0s'/],
  ["motion that is unwelcome, held button", "overfill", ["with reduced motion a press inserts 100"], widgets, "times < 10 && step()", "times < 9 && step()", /2090 !== 2100/],
  ["held button", "overfill", ["by mouse at 1280 px, after 5 times in 100, a held button inserts until it is released"], widgets, "const end = () => (held = false);", "const end = () => {};", /actual: \d+|!==/],
  ["held key", "growing", ["items go in as long as the pointer or a key is down"], widgets, "onkeyup: up,", "", /!==/],
  ["answer before the guess", "overfill", ["by mouse at 1280 px, after 5 times in 100, a held button inserts until it is released"], "live/overfill.js", "known || n <= items", "true", /gives the answer away/],
  ["answer before the guess, line", "growing", [mouse], "live/growing.js", "[Math.max(items, 1), [own", "[Math.max(items, 3000), [own", /gives the answer away/],
  ["layout stands still", "overfill", ["by mouse at 1280 px, after 5 times in 100, a held button inserts until it is released"], "live/overfill.js", 'this.learned.style.visibility = known ? "" : "hidden"', 'this.learned.style.display = known ? "" : "none"', /the page moved/],
  ["theme of a widget", "deleting", ["it can be read in every theme and fits 320 px"], css, "--live-wrong: #ff9c8f", "--live-wrong: #552222", /navy:\s*color-contrast/],
  ["calculator: first screen", "solver", ["without a question there is an answer at once, in the first 664 px of 390"], "calculator.html", main, `${main}<div style="height:400px"></div>`, /the answer ends at/],
  ["calculator: a slow question is ended", "solver", ["a question that takes its time says so, the page goes on, and the next question ends it"], "live/live.js", "if (ended) {", "if (false) {", /1e-60/],
  ["calculator: refusal at its field", "solver", ["a refusal stands under its field, and nothing is lost"], "live/solver.js", 'input.setAttribute("aria-invalid", "true")', "undefined", /'true'/],
  ["calculator: labels for flags", "solver", ["fields and their refusals are named by labels, and examples begin with e.g."], "live/solver.js", "return label ? `“${label}”` : flag;", "return flag;", /Share of filters/],
  ["calculator: wide tables", "solver", ["a table that is too wide scrolls, and nothing is cut off"], css, /(\.live-scroll \{[^}]*overflow-x: )auto/, "$1visible", /n.*1G|1e-9/],
  ["calculator: axis", "solver", ["the axis of p has the decades, the target, and most of the curve"], "live/solver.js", "const least = Number(", "const least = 1e-300 * Number(", /1e-9/],
  ["calculator: focus", "solver", ["at an end of the derivation its buttons are off, and the focus stays among them"], "live/solver.js", "if (ended && [next, all].includes(focus)) back.focus();", "", /Fold up/],
  ["calculator: without scripts", "solver", ["without scripts there is a table of sizes and the command, and the box opens the calculator"], "calculator.html", "1.14 MiB", "1.15 MiB", /1\\.14 MiB/],
];

// The files of a folder that a pattern with stars matches.
const matching = (folder, pattern) => {
  const name = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  const files = readdirSync(folder, { recursive: true });
  return files.filter((file) => name.test(file)).map((file) => join(folder, file));
};

// The sheets and scripts of mdBook and of all widgets are merged by book/light.
const merged = (pattern) => ({ css: "css/book-*.css", js: "live/page-*.js" })[pattern.split(".").at(-1)];

// Plants a defect; returns whether there was a place for it.
function plant(folder, [, , , pattern, from, to]) {
  const files = matching(folder, pattern);
  if (from === undefined) {
    for (const file of files) rmSync(file);
    return files.length > 0;
  }
  let found = false;
  for (const file of [...files, ...matching(folder, merged(pattern) ?? "")]) {
    const before = readFileSync(file, "utf8");
    const after = typeof from === "string" ? before.replace(from, () => to) : before.replace(from, to);
    found ||= after !== before;
    if (after !== before) writeFileSync(file, after);
  }
  return found;
}

const quoted = (text) => `^${text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$`;

// Runs the tests of these names on a book, and returns what they printed.
function run(folder, file, names) {
  const patterns = names.map((name) => `--test-name-pattern=${quoted(name)}`);
  const env = { ...process.env, BOOK: folder, EVERY_WAY: "1", QUESTIONS: "20", PATIENCE: "6" };
  const child = spawn(process.execPath, ["--test", "--test-reporter=tap", ...patterns, join(here, `${file}.test.mjs`)], { env });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += part));
  return new Promise((done) => child.on("close", () => done(text)));
}

async function noticed(one) {
  const [, file, names, , , , says] = one;
  const parent = mkdtempSync(join(tmpdir(), "plant-"));
  const folder = join(parent, "book");
  try {
    cpSync(book, folder, { recursive: true });
    if (!plant(folder, one)) return "NO: its place is not in the book";
    const text = await run(folder, file, names);
    const escaped = names.at(-1).replaceAll("#", "\\#");
    if (!text.split("\n").some((line) => /^ *not ok \d+ - /.test(line) && line.endsWith(` - ${escaped}`))) return "NO: the test did not fail";
    if (says.test(text)) return "yes";
    console.error(text.slice(text.search(/^ *not ok/m)).split("\n").slice(0, 30).join("\n"));
    return `NO: it failed without ${says}`;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

const word = process.argv[2] ?? "";
const chosen = plants.filter((one) => one.some((part) => String(part).includes(word)));
const began = Date.now();
const left = [...chosen];
const short = (text) => String(text).replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 90);
let yes = 0;
console.log("| kind | test | defect | noticed |\n| --- | --- | --- | --- |");
// Two plants run at a time, because each waits for its browser half of the time.
await Promise.all([0, 1].map(async () => {
  for (let one = left.shift(); one; one = left.shift()) {
    const [kind, file, names, pattern, from, to] = one;
    const answer = await noticed(one);
    const defect = from === undefined ? "removed" : `\`${short(from)}\` → \`${short(to)}\``;
    console.log(`| ${kind} | ${file}: ${names.at(-1)} | ${pattern}: ${defect} | ${answer} |`);
    yes += Number(answer === "yes");
  }
}));
console.log(`${yes} of ${chosen.length} defects were noticed, in ${Math.round((Date.now() - began) / 1000)} s`);
process.exitCode = yes < chosen.length || yes === 0 ? 1 : 0;
