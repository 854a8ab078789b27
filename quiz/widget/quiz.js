// The quiz as a whole: the forms, and the messages from and to Python.

import { h } from "./dom.js";
import { QuestionView } from "./question.js";

function render({ model, el }) {
  const uid = `quiz-${Math.random().toString(36).slice(2)}`;
  const questions = model.get("questions");
  const views = new Map(questions.map((question, i) => [question.id, new QuestionView(
    question, `Question ${i + 1} of ${questions.length}`, `${uid}-${i}`, (message) => model.send(message))]));
  const unsaved = h("p", { class: "quiz-unsaved", role: "status" });
  const count = h("p", { class: "quiz-count" });

  el.classList.add("quiz");
  // Lab's shortcuts (a, b, dd, arrows) must not reach the notebook from inside a form.
  el.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const name of ["keydown", "keypress", "keyup"]) el.addEventListener(name, (e) => e.stopPropagation());
  el.append(h("p", { class: "quiz-heading" }, model.get("title")));
  if (model.get("intro")) el.append(h("p", { class: "quiz-intro" }, model.get("intro")));
  el.append(unsaved, ...[...views.values()].map((view) => view.form), count);

  const tell = () => {
    const answered = [...views.values()].filter((view) => view.now?.right !== null && view.now !== undefined);
    const right = answered.filter((view) => view.now.right);
    const more = answered.length === views.size ? ` ${model.get("outro")}` : "";
    count.textContent = `${answered.length} of ${views.size} answered, ${right.length} right.${more}`;
  };
  const receive = (message) => {
    if (message.unsaved !== undefined && message.unsaved !== unsaved.textContent) unsaved.textContent = message.unsaved;
    for (const one of message.kind === "state" ? message.questions : [message]) {
      const view = views.get(one.question) ?? [...views.values()][0];
      view?.[one.kind]?.(one);
    }
    tell();
  };
  tell();
  model.on("msg:custom", receive);
  model.send({ kind: "ready" });
  return () => model.off("msg:custom", receive);
}

export default { render };
