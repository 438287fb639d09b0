// Adds what mdBook's template leaves out for the keyboard and for screen readers.
"use strict";

(() => {
  document.getElementById("mdbook-menu-bar").setAttribute("role", "banner");

  // A label opens the contents, and the keyboard cannot reach it. A button takes its place, and clicks it.
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

  // The empty corner of a table is no header.
  for (const corner of document.querySelectorAll("main th:empty")) {
    corner.replaceWith(Object.assign(document.createElement("td"), { style: corner.style.cssText }));
  }

  // A checkbox gets the text of its line as its name.
  for (const box of document.querySelectorAll('main li > input[type="checkbox"]:disabled')) {
    box.setAttribute("aria-label", box.parentElement.textContent.trim());
  }

  // Arrow keys and swipes in a widget or a box that scrolls stay there: mdBook would turn the page or open the contents.
  const main = document.querySelector("main");
  const stay = (event) => {
    const isOwn = event.type !== "keydown" || event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (isOwn && event.target.closest("main .live, main [tabindex]")) event.stopPropagation();
  };
  for (const type of ["keydown", "touchstart"]) main.addEventListener(type, stay, { passive: true });

  // Only boxes that scroll sideways can be reached by the keyboard.
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
