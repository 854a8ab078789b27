// Items to match with targets. Each target stands once, with its letter; each item has radios with the letters.
// A select could not show mathematics, and all texts beside all items could not be read.

import { fromHtml, h, letter } from "./dom.js";

export function matchField(question, uid) {
  const targets = h("ul", { class: "quiz-targets" }, ...question.options.map((html, i) =>
    h("li", {}, h("span", { class: "quiz-letter", id: `${uid}-letter-${i}` }, letter(i)),
      fromHtml("span", { class: "quiz-text", id: `${uid}-target-${i}` }, html))));
  const rows = question.items.map((html, i) => new Row(html, i, uid, question.options));
  return {
    nodes: [targets, h("div", { class: "quiz-items" }, ...rows.map((row) => row.node))],
    first: rows[0].inputs[0],
    value: () => rows.map((row) => row.inputs.findIndex((input) => input.checked)),
    restore: (value) => rows.forEach((row, i) => row.choose(value[i])),
    solve: (solution) => {
      rows.forEach((row, i) => row.solve(solution[i]));
      return null;
    },
  };
}

class Row {
  constructor(html, i, uid, options) {
    this.options = options;
    this.inputs = options.map((_, t) => h("input", {
      type: "radio", name: `${uid}-item-${i}`, "aria-labelledby": `${uid}-letter-${t} ${uid}-target-${t}`,
    }));
    this.mark = h("span", { class: "quiz-mark" });
    this.chosen = h("span", { class: "quiz-chosen", "aria-hidden": "true" }); // the radio's name says it
    const letters = this.inputs.map((input, t) => h("label", { class: "quiz-pick" }, input, letter(t)));
    this.node = h("div", { role: "radiogroup", "aria-labelledby": `${uid}-item-${i}`, class: "quiz-item" },
      fromHtml("span", { class: "quiz-text", id: `${uid}-item-${i}` }, html),
      h("span", { class: "quiz-picks" }, ...letters), this.mark, this.chosen);
    this.inputs.forEach((input, t) => input.addEventListener("change", () => this.choose(t)));
  }

  choose(t) {
    this.inputs.forEach((input, i) => { input.checked = i === t; });
    this.chosen.innerHTML = t >= 0 ? `${letter(t)}: ${this.options[t]}` : "";
  }

  solve(t) {
    this.mark.textContent = `✓ ${letter(t)} is right`;
  }
}
