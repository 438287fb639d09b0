// Makes the pages of the built book load less. This is a step of book/build.sh, after `mdbook build`. A page of mdBook loads
// some forty files, among them eleven style sheets, thirteen scripts, and nine fonts with the letters of many languages.
// After this step a page loads
//
// - one style sheet with fonts that are reduced to the characters of the book, and a second sheet if the page has formulas;
// - one script, deferred. The search is loaded when somebody searches. The highlighter is never loaded, because this step
//   colours the code;
// - the scripts of the widget at the top of the page, if there is one, before the widget asks for them.
//
// This step also keeps each number in one line with its percent sign.
//
//   node book/light/light.mjs book/book
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { highlighter } from "./code.mjs";
import { fontSheets } from "./fonts.mjs";
import { unbroken } from "./percent.mjs";

const book = process.argv[2];
const read = (file) => readFileSync(join(book, file), "utf8");
const files = (folder, name) => readdirSync(join(book, folder)).filter((file) => name.test(file));
const attribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

// Writes a file and returns its name, which has a hash of the content, as names of mdBook have.
function write(name, content) {
  const [, stem, type] = /^(.*)(\.\w+)$/.exec(name);
  const file = `${stem}-${createHash("sha256").update(content).digest("hex").slice(0, 8)}${type}`;
  writeFileSync(join(book, file), content);
  return file;
}

const pages = new Map(files("", /\.html$/).map((name) => [name, unbroken(read(name))]));
// print.html repeats the other pages.
const html = [...pages].filter(([name]) => name !== "print.html").map(([, page]) => page).join("");
const katex = /<link [^>]*href="katex\/katex\.css"[^>]*>/.exec(html)?.[0];
const code = files("", /^highlight-.*\.js$/)[0];
if (!katex || !code) throw new Error(`${book} is not as mdBook builds it: is this another version, or has this step been run?`);

const scripts = files("live", /\.js$/).filter((name) => !/^(filters|calculator)\.js$/.test(name));
const fonts = await fontSheets({ book, html, write, scripts: scripts.map((name) => read(`live/${name}`)).join("") });

// mdBook switches between three style sheets for the colours of code. Here all three are in one sheet, each under a selector
// for the themes of the page that use it.
const themes = {
  "mdbook-highlight-css": "html:is(.light, .rust)",
  "mdbook-tomorrow-night-css": "html:is(.coal, .navy)",
  "mdbook-ayu-highlight-css": "html.ayu",
};
const merged = new Map();
async function once(key, make) {
  if (!merged.has(key)) merged.set(key, await make());
  return merged.get(key);
}

// Merges the sheets of these links into one, in their order. The new sheet is in a folder beside `fonts`, so that addresses
// like ../fonts/NAME hold.
const sheetOf = (links) => once(links.join(), async () => {
  const parts = [];
  for (const link of links) {
    const file = attribute(link, "href");
    const css = file.startsWith("fonts/") ? await fonts.text(read(file), "fonts") : read(file);
    const [theme, media] = [themes[attribute(link, "id")], attribute(link, "media")];
    if (theme) parts.push(`:where(${theme}) {\n${css}\n}`);
    else if (media) parts.push(`@media ${media} {\n${css}\n}`);
    else parts.push(css);
  }
  const sheet = parts.join("\n");
  for (const [, address] of sheet.matchAll(/url\(['"]?(?!data:)([^'")]*)/g)) {
    if (!existsSync(join(book, "css", address))) throw new Error(`the sheet of the book has an address without a file: ${address}`);
  }
  return write("css/book.css", sheet);
});
const formulas = write("katex/formulas.css", await fonts.formulas(read("katex/katex.css"), "katex"));

// Merges these scripts into one, in their order. The new script is in the folder of the widgets' scripts, because it loads
// these from its own folder.
const scriptOf = (names) => once(names.join(), async () => {
  const isSearch = (name) => /^(elasticlunr|mark|searcher)-/.test(name);
  const parts = names.filter((name) => !isSearch(name)).map((name) =>
    name === code ? "const hljs = { configure() {}, highlightBlock() {} }; // code is coloured" : read(name));
  const search = names.filter(isSearch);
  if (search.length > 0) {
    const file = write("search.js", search.map(read).join("\n;\n"));
    parts.push(readFileSync(new URL("search.js", import.meta.url), "utf8").replace("SEARCH", file));
  }
  return write("live/page.js", parts.join("\n;\n"));
});

// Returns a tag that preloads the scripts of the widget above the first section of a page, if there is one. Without it the
// browser would find these scripts one after the other. The tag stands before the style sheets, because a script that stands
// behind them waits until they are loaded. It is a script and no <link>, so that nothing is loaded where scripts are off.
function early(page) {
  const [top] = /<main>[^]*?(?=<h2|<\/main>)/.exec(page);
  const name = /<live-(\w+)/.exec(top)?.[1];
  if (!name || !page.includes("live/widgets.js") || !existsSync(join(book, "live/filters.js"))) return [];
  const isCalculator = /static module = "calculator"/.test(read(`live/${name}.js`));
  const names = ["drawing", name, "filters", ...(isCalculator ? ["calculator"] : [])];
  return [`<script>
            for (const name of ${JSON.stringify(names)}) {
                const link = document.createElement("link");
                document.head.append(Object.assign(link, { rel: "preload", as: "script", href: \`live/\${name}.js\` }));
            }
        </script>`];
}

const colour = highlighter(join(book, code));
const loaded = new Set();
for (const [name, before] of pages) {
  const links = before.match(/<link rel="stylesheet"[^>]*>/g);
  const tags = before.match(/<script [^>]*src="[^"]*"[^>]*><\/script>/g) ?? [];
  const sources = [...tags.filter((tag) => !tag.includes(" defer ")), ...tags.filter((tag) => tag.includes(" defer "))]
    .map((tag) => attribute(tag, "src"));
  for (const file of [...links.map((link) => attribute(link, "href")), ...sources]) loaded.add(file);

  const head = [`<link rel="stylesheet" href="${await sheetOf(links.filter((link) => link !== katex))}">`];
  const hasFormulas = before.includes('class="katex"');
  if (hasFormulas) head.unshift(`<link rel="stylesheet" href="${formulas}">`);
  // toc.html, the contents for readers without scripts, has no script.
  if (name !== "toc.html") {
    head.unshift(...early(before));
    head.push(`<script defer src="${await scriptOf(sources)}"></script>`);
    // The browser decodes the fonts while it parses the page. All text is hidden until the fonts are ready and the browser has
    // laid out one frame with them; otherwise the text would move.
    const ready = [...fonts.embedded.text, ...(hasFormulas ? fonts.embedded.formulas : [])];
    if (ready.length > 0) {
      head.push(`<script>
            const fonts = Promise.all(${JSON.stringify(ready)}.map((font) => document.fonts.load(font)));
            document.documentElement.style.visibility = "hidden";
            fonts.finally(() => requestAnimationFrame(() => requestAnimationFrame(() => (document.documentElement.style.visibility = ""))));
        </script>`);
    }
    // Empty style sheets, which mdBook's script switches on and off.
    head.push(Object.keys(themes).map((id) => `<style id="${id}"></style>`).join(""));
  }
  let page = colour(before);
  for (const tag of [...links, ...tags]) page = page.replace(tag, "");
  page = page.replace("</head>", () => `    ${head.join("\n        ")}\n    </head>`);
  writeFileSync(join(book, name), page);
}

// Removes the files that no page loads any more. The fonts with all their characters stay, for characters that the reduced
// fonts lack. The files in live/ stay, because widgets load them.
for (const file of loaded) if (!file.startsWith("live/")) rmSync(join(book, file), { force: true });
