// The calculator in a box: a form that opens the page of the calculator. Once something is typed it answers in
// place; the module is not loaded before.
"use strict";

live.widget("box", class extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    this.out = live.make("output", { for: [...form.elements].map(({ id }) => id).filter(Boolean).join(" ") });
    form.append(this.out);
    // mdBook cancels every form that is submitted, on the document.
    form.addEventListener("submit", (event) => event.stopPropagation());
    form.addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.answer(form), 60);
    });
  }

  async answer(form) {
    const texts = [...new FormData(form)].filter(([, text]) => text.trim() !== "");
    const { solve } = await live.calculator();
    const { shown, error, hint } = solve(Object.fromEntries(texts));
    const rows = (shown ?? []).map((row) => row.split("   "));
    const lines = rows.filter(([name]) => name !== "fill").map(([name, value, remark]) =>
      live.make("span", {}, `${name} = `, live.make("strong", {}, value), remark ? ` (${remark})` : ""));
    this.out.replaceChildren(...(error ? [live.make("span", { class: "wrong" }, hint ? `${error}; ${hint}` : error)] : lines));
  }
});
