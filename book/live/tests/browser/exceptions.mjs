// Lists reports of axe to ignore: { rule, selector, why }. Such a report is no fault of the book, or cannot be mended here.
// pages.test.mjs fails if no page needs an exception any more.
export const exceptions = [
  {
    rule: "empty-table-header",
    selector: "th:has(math)",
    why: "the header is MathML, which screen readers read and axe does not count as text",
  },
];
