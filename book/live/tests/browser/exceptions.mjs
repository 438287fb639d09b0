// The reports of axe, a checker of accessibility, that the tests ignore: { rule, selector, why }. Such a report is no fault of
// the book, or the book cannot mend it. pages.test.mjs fails if an exception here is no longer needed by any page.
export const exceptions = [
  {
    rule: "empty-table-header",
    selector: "th:has(math)",
    why: "the header is MathML, which screen readers read and axe does not count as text",
  },
];
