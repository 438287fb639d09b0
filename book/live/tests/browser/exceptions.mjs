// What axe reports in the book and is no fault, or nobody can mend here: { rule, selector, why }. An exception that no
// page needs any more fails pages.test.mjs.
export const exceptions = [
  {
    rule: "empty-table-header",
    selector: "th:has(math)",
    why: "the header is a formula, whose MathML screen readers read and axe does not count as text",
  },
];
