// Makes the style sheets that define the fonts of the book, with fonts reduced to the characters that the pages show. Most
// fonts are embedded in the sheets, so that the browser has them before it paints the first text. If a font came later, the
// browser would lay out the text a second time, and move what is below it.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { subsetter } from "./subset.mjs";

const entities = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&nbsp;": "\u00a0" };
// The text of HTML: without tags, scripts and styles.
export const textOf = (html) =>
  html.replace(/<(script|style)\b[^]*?<\/\1>|<[^>]*>/g, " ")
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCodePoint(parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, number) => String.fromCodePoint(Number(number)))
    .replace(/&[a-z]+;/g, (one) => entities[one] ?? one);
const charactersOf = (text) => new Set([...text].filter((one) => one >= " "));
const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("");

const facesOf = (sheet) => sheet.match(/@font-face \{[^}]*\}/g);
const property = (face, name) => new RegExp(`${name}:\\s*'?([^;']*)'?;`).exec(face)[1];
const addressOf = (face) => /url\('?([^')]*)'?\)/.exec(face)[1];
const inSheet = (font) => `url(data:font/woff2;base64,${font.toString("base64")}) format('woff2')`;

// Returns two functions, `text` and `formulas`, that rewrite the sheets of mdBook's fonts and of KaTeX. `html` is the HTML of
// all pages. `scripts` is the text of the scripts, any character of which may be shown. `write` writes a file and returns its
// name. Without the packages that subset.mjs needs, both functions return a sheet as it is. The third result,
// `embedded`, lists the fonts that are embedded in each sheet, in the form that FontFaceSet.load() takes.
export async function fontSheets({ book, html, scripts, write }) {
  const subset = await subsetter().catch((error) => {
    console.error(`!!! SKIPPED: the fonts of the book keep all their characters, some 40 KB each: ${error.message.split("\n")[0]}`);
  });
  const embedded = { text: [], formulas: [] };
  if (!subset) return { text: (sheet) => sheet, formulas: (sheet) => sheet, embedded };
  const characters = charactersOf(ascii + textOf(html) + scripts);
  // The title of the book has a font of its own. A title that is too long for the window ends in an ellipsis.
  const title = charactersOf(`${textOf(/<h1 class="menu-title">([^<]*)</.exec(html)[1])}…`);

  // Rewrites the sheet of mdBook's fonts, whose files are in `folder`. Fonts that most pages use are embedded, others become
  // small files. For a character that is nowhere in the book, such as one that a reader types, the browser loads the whole
  // font. It uses no font of the reader's system, because that font may have other widths.
  async function text(sheet, folder) {
    const faces = [];
    for (const face of facesOf(sheet)) {
      const [family, style, weight] = ["font-family", "font-style", "font-weight"].map((name) => property(face, name));
      const address = addressOf(face);
      const isTitle = weight === "300" && style === "normal";
      const kept = isTitle ? title : characters;
      const small = await subset(readFileSync(join(book, folder, address)), kept);
      const name = posix.join(folder, address.replace(/-[0-9a-f]{8}\./, "."));
      const isRare = ["300", "600", "800"].includes(weight) && !isTitle;
      const src = isRare ? `url('../${write(name, small)}') format('woff2')` : inSheet(small);
      if (!isRare) embedded.text.push(`${style} ${weight} 1em ${family}`);
      const codes = [...kept].map((one) => one.codePointAt(0));
      const common = `font-family: '${family}'; font-style: ${style}; font-weight: ${weight}; font-display: swap`;
      faces.push(`@font-face { ${common}; src: ${src}; unicode-range: ${ranges(codes)} }`);
      faces.push(`@font-face { ${common}; src: url('${address}') format('woff2'); unicode-range: ${ranges(codes, { others: true })} }`);
    }
    return [...sheet.match(/^\/\*.*(?:licensed|is) under.*\*\/$/gm), ...faces].join("\n");
  }

  // Rewrites the sheet of KaTeX. Keeps the fonts that formulas of the book use, each with the characters that it has to show,
  // and leaves out all other fonts.
  async function formulas(sheet, folder) {
    const made = [...html.matchAll(/<span class="katex-html"/g)].map(({ index }) => span(html, index)).join("");
    const tag = (name) => `class="[^"]*(?<![\\w-])${name}(?![\\w-])[^"]*"[^>]*>`;
    // Text for which no rule below sets a font has the font of the class katex.
    const shown = new Map([["KaTeX_Main normal normal", made.replace(new RegExp(`${tag("mathnormal")}[^<]*`, "g"), ">")]]);
    for (const [rule, selectors, family] of sheet.matchAll(/^(\.katex [^{}]*)\{[^}]*font-family: (KaTeX_\w+)[^}]*\}/gm)) {
      const [weight, style] = ["weight", "style"].map((name) => new RegExp(`font-${name}: (\\w+)`).exec(rule)?.[1] ?? "normal");
      const font = `${family} ${weight} ${style}`;
      for (const selector of selectors.split(",")) {
        const classes = selector.match(/\.[\w-]+/g).map((name) => name.slice(1)).filter((name) => name !== "katex");
        if (!classes.every((name) => new RegExp(tag(name)).test(made))) continue;
        // If elements of the class hold only text, the font keeps the characters of that text. If they hold other elements, the
        // font keeps the characters of all formulas.
        const last = tag(classes.at(-1));
        const isLeaf = !new RegExp(`${last}<`).test(made);
        const inside = isLeaf ? [...made.matchAll(new RegExp(`${last}([^<]*)`, "g"))].map(([, one]) => one).join("") : made;
        shown.set(font, (shown.get(font) ?? "") + inside);
      }
    }
    let light = sheet;
    for (const face of facesOf(sheet)) {
      const inside = shown.get(["font-family", "font-weight", "font-style"].map((name) => property(face, name)).join(" "));
      const small = inside && (await subset(readFileSync(join(book, folder, addressOf(face))), charactersOf(textOf(inside))));
      light = light.replace(face, () => (small ? face.replace(/src: [^;]*;/, () => `src: ${inSheet(small)};`) : ""));
      if (small) embedded.formulas.push(["font-style", "font-weight"].map((name) => property(face, name)).join(" ") + ` 1em ${property(face, "font-family")}`);
    }
    return light;
  }

  return { text, formulas, embedded };
}

// Returns the HTML of the span that begins at `start`, with its end tag.
function span(page, start) {
  const tags = /<span\b|<\/span>/g;
  tags.lastIndex = start;
  for (let depth = 0; ; ) {
    depth += tags.exec(page)[0] === "</span>" ? -1 : 1;
    if (depth === 0) return page.slice(start, tags.lastIndex);
  }
}

// Returns the value of the property `unicode-range` for these code points. With `others`, returns it for all other code points
// from U+0020 up to U+1FFF, among them the letters of Latin, Greek and Cyrillic. The range ends before the symbols, such as the
// triangle of a <details>: the whole font may lack them, and would be loaded in vain.
function ranges(codes, { others = false } = {}) {
  const runs = [];
  for (const code of [...codes].sort((a, b) => a - b)) {
    if (runs.at(-1)?.[1] === code - 1) runs.at(-1)[1] = code;
    else runs.push([code, code]);
  }
  const ends = [0x1f, ...runs.map(([, last]) => last)];
  const gaps = ends.map((end, at) => [end + 1, Math.min(runs[at]?.[0] ?? 0x2000, 0x2000) - 1]).filter(([from, to]) => from <= to);
  const hex = (code) => code.toString(16).toUpperCase();
  return (others ? gaps : runs).map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(", ");
}
