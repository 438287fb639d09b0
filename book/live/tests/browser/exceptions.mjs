// Reports of axe to ignore: { rule, selector, why }. What they report is no fault, or cannot be mended here. An exception that no
// page needs any more fails pages.test.mjs.
export const exceptions = [
  {
    rule: "empty-table-header",
    selector: "th:has(math)",
    why: "the header is MathML, which screen readers read and axe does not count as text",
  },
];
