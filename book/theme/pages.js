// Makes the pages of the book usable by the keyboard and with screen readers where mdBook's template does not.
"use strict";

(() => {
  document.getElementById("mdbook-menu-bar").setAttribute("role", "banner");

  // In mdBook a <label> opens the contents, which the keyboard cannot reach. Replaces it by a button that clicks the label.
  const label = document.getElementById("mdbook-sidebar-toggle");
  const button = document.createElement("button");
  for (const name of ["class", "title", "aria-label", "aria-controls"]) button.setAttribute(name, label.getAttribute(name));
  const copy = () => button.setAttribute("aria-expanded", label.getAttribute("aria-expanded"));
  new MutationObserver(copy).observe(label, { attributeFilter: ["aria-expanded"] });
  copy();
  button.type = "button";
  button.append(...label.childNodes);
  button.addEventListener("click", () => label.click());
  label.before(button);
  label.style.display = "none";

  // An empty header cell in the corner of a table becomes an ordinary cell, because it is the header of nothing.
  for (const corner of document.querySelectorAll("main th:empty")) {
    corner.replaceWith(Object.assign(document.createElement("td"), { style: corner.style.cssText }));
  }

  // A checkbox in a list gets the text of its list item as its name.
  for (const box of document.querySelectorAll('main li > input[type="checkbox"]:disabled')) {
    box.setAttribute("aria-label", box.parentElement.textContent.trim());
  }

  // Keeps arrow keys and swipes in a widget or in a box that scrolls from mdBook, which would turn the page or open the
  // contents.
  const main = document.querySelector("main");
  const stay = (event) => {
    const isOwn = event.type !== "keydown" || event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (isOwn && event.target.closest("main .live, main [tabindex]")) event.stopPropagation();
  };
  for (const type of ["keydown", "touchstart"]) main.addEventListener(type, stay, { passive: true });

  // Lets the keyboard reach boxes that scroll sideways, and no others.
  const wide = document.querySelectorAll("main :is(.table-wrapper, pre > code, .katex-display, .stacked td)");
  const reach = (one) => {
    if (one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== "visible") one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  };
  const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => reach(target)));
  wide.forEach((one) => resized.observe(one));
  // A font that arrives late changes the width of the content, but not the size of the box, so no resize is noticed.
  document.fonts.ready.then(() => wide.forEach(reach));
})();
