// Fields of questions answered by choosing or by typing.
//
// Every field has `nodes`, `value()` (what Python is sent), `restore(value)` (the same, back) and `solve(solution)`
// (a node for the solution's box, or null where the field shows it itself).

import { fromHtml, h, letter } from "./dom.js";

export function choiceField(question, uid) {
  const kind = question.type === "multi" ? "checkbox" : "radio";
  const inputs = question.options.map((_, i) => h("input", { type: kind, name: uid, value: i }));
  const marks = inputs.map(() => h("span", { class: "quiz-mark" }));
  const nodes = question.options.map((html, i) =>
    h("label", { class: "quiz-option" }, inputs[i],
      h("span", { class: "quiz-letter" }, letter(i)), fromHtml("span", { class: "quiz-text" }, html), marks[i]));
  return {
    nodes,
    first: inputs[0],
    value: () => inputs.filter((input) => input.checked).map((input) => Number(input.value)),
    restore: (value) => inputs.forEach((input, i) => { input.checked = value.includes(i); }),
    solve: (solution) => {
      marks.forEach((mark, i) => { mark.textContent = solution.includes(i) ? "✓ right" : ""; });
      return null;
    },
  };
}

export function typedField(question, uid) {
  const number = question.type === "numeric";
  const wide = number ? "" : " quiz-wide";
  const input = h("input", { type: "text", autocomplete: "off", name: uid, class: `quiz-input${wide}` });
  input.setAttribute("inputmode", number ? "decimal" : "text");
  input.setAttribute("spellcheck", "false");
  input.setAttribute("autocapitalize", "off");
  const label = h("label", { class: "quiz-typed" }, number ? "Your number: " : "Your answer: ", input);
  if (question.unit) label.append(` ${question.unit}`);
  return {
    nodes: [label],
    first: input,
    value: () => input.value,
    restore: (value) => { input.value = value; },
    solve: (solution) => {
      const shown = number ? solution : h("code", {}, solution);
      return h("p", { class: "quiz-solved" }, "The answer: ", shown, question.unit ? ` ${question.unit}` : "");
    },
  };
}
