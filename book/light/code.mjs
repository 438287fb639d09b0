// Colours the code of the pages when the book is built. It uses the highlighter (highlight.js) that every page of mdBook would
// otherwise load.
import { readFileSync } from "node:fs";
import vm from "node:vm";

export function highlighter(file) {
  const hljs = vm.runInNewContext(`${readFileSync(file, "utf8")}; hljs`, { console });

  // Does what mdBook's book.js does: colours a block in the language that its class names, and gives other code only the
  // class "hljs".
  return (page) =>
    page.replace(/<code(?: class="([^"]*)")?>([^]*?)<\/code>/g, (whole, classes, inner, at) => {
      if (page.lastIndexOf('class="header"', at) > page.lastIndexOf("</a>", at)) return whole;
      const language = /\blang(?:uage)?-([\w-]+)\b/.exec(classes)?.[1];
      const name = language && hljs.getLanguage(language) ? language : undefined;
      const coloured = name ? colour(hljs, name, inner) : inner;
      return `<code class="${[classes, "hljs"].filter(Boolean).join(" ")}">${coloured}</code>`;
    });
}

const entities = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'", "&#x27;": "'" };
const plain = (text) => text.replace(/&(?:lt|gt|amp|quot|#39|#x27);/g, (one) => entities[one]);
const escaped = (text) => text.replace(/[<>&"']/g, (one) => ({ "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;", "'": "&#x27;" })[one]);

// Splits HTML into tags, entities, and single characters.
const pieces = (html) => html.match(/<[^>]*>|&[#\w]+;|[^]/gu) ?? [];
const isTag = (piece) => piece.startsWith("<") && piece.length > 1;

// Colours a block of code. The block may have spans of mdBook around lines that are hidden. Where such a span begins or
// ends, the spans of colours are closed, and opened again behind that place.
function colour(hljs, language, html) {
  const text = plain(html.replace(/<[^>]*>/g, ""));
  const unknown = html.match(/&(?!(?:lt|gt|amp|quot|#39|#x27);)[#\w]+;/);
  if (unknown) throw new Error(`code has ${unknown[0]}, which is not known here`);
  const coloured = hljs.highlight(language, text, true).value;
  const own = new Map(); // tags by the number of characters before them
  let count = 0;
  for (const piece of pieces(html)) {
    if (isTag(piece)) own.set(count, (own.get(count) ?? "") + piece);
    else count += 1;
  }
  const [open, result] = [[], []];
  let done = 0;
  const mark = () => {
    const tags = own.get(done);
    if (tags === undefined) return;
    own.delete(done);
    result.push("</span>".repeat(open.length), tags, ...open);
  };
  for (const piece of pieces(coloured)) {
    if (!isTag(piece)) {
      mark();
      done += 1;
      result.push(piece);
      continue;
    }
    if (piece === "</span>") open.pop();
    else {
      mark();
      open.push(piece);
    }
    result.push(piece);
  }
  mark();
  const made = result.join("");
  // Colouring must not change a character of the text.
  if (plain(made.replace(/<[^>]*>/g, "")) !== text || own.size > 0) throw new Error(`code is changed: ${escaped(text).slice(0, 80)}`);
  return made;
}
