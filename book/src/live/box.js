// The widget “box”: the fields n and p with the answer below them. Its button opens the calculator's page with the values of
// the form. When the reader types in the form, the box itself answers; only then are the WebAssembly modules loaded.
"use strict";

live.widget("box", class extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    // mdBook has a listener on the document that cancels every form's submission, so the event must not reach the document.
    form.addEventListener("submit", (event) => event.stopPropagation());
    form.addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.answer(form), 60);
    });
  }

  async answer(form) {
    const texts = [...new FormData(form)].filter(([, text]) => text.trim() !== "");
    const { solve } = await live.calculator();
    // Like the calculator's page, reads an integer p above 1 as a rate: 100 means 1 in 100.
    const inverse = live.inverse(form.elements.p.value);
    const { shown, ...refused } = solve({ ...Object.fromEntries(texts), ...(inverse && { p: inverse.rate }) });
    const rows = (shown ?? []).map((row) => row.split("   "));
    const lines = rows.filter(([name]) => name !== "fill").map(([name, value, remark]) =>
      live.make("span", {}, `${name} = `, live.make("strong", {}, value), remark ? ` (${remark})` : ""));
    if (inverse) lines.push(live.make("span", {}, inverse.remark));
    const [, field] = /^([np]) /.exec(refused.error) ?? [];
    for (const input of form.querySelectorAll("input")) {
      if (input.name === field) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    // Says which field of the box is empty, because the hint of the calculator would list fields that the box does not have.
    const missing = ["Fill in the items n, the rate p, or both.", "Fill in the rate p, too."][texts.length];
    const wrong = (!field && missing) || [refused.error, refused.hint].filter(Boolean).join("; ");
    form.querySelector("output").replaceChildren(...(shown ? lines : [live.make("span", { class: "wrong" }, wrong)]));
  }
});
