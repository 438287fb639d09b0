// Puts a no-break space (U+00A0) between each number of a page and its percent sign, so that both stay in one line. The
// sources of the pages have a plain space there, which is what people type and search for. Tags, whose attributes tools read,
// and code, which readers copy, keep the plain space.
const apart = /<(script|style|pre|code|textarea)\b[^]*?<\/\1>|<!--[^]*?-->|<(?:"[^"]*"|'[^']*'|[^'">])*>/g;
const joined = (text) => text.replace(/(\d|^)\s%/g, "$1\u00a0%");

export function unbroken(html) {
  let [result, from] = ["", 0];
  for (const { 0: part, index } of html.matchAll(apart)) {
    result += joined(html.slice(from, index)) + part;
    from = index + part.length;
  }
  return result + joined(html.slice(from));
}
