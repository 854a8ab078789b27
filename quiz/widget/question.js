// One form a question. Knows no key: sends what was chosen to Python, shows what comes back.

import { choiceField, typedField } from "./choice.js";
import { fromHtml, h } from "./dom.js";
import { taughtAt } from "./links.js";
import { matchField } from "./match.js";
import { orderField } from "./order.js";

const PATIENCE = 5000; // milliseconds until the page says that the kernel is busy
const LATE = "Python is busy or was restarted. Busy: your answer is marked when it is free. " +
  "Restarted: run this cell again.";
const FIELDS = {
  single: choiceField, multi: choiceField, numeric: typedField, short: typedField, order: orderField,
  match: matchField,
};
const SURE = { guess: "I am guessing", fairly: "fairly sure", certain: "certain" };

export class QuestionView {
  constructor(question, title, uid, send) {
    this.question = question;
    this.send = (kind, extra) => send({ kind, question: question.id, ...extra });
    this.field = FIELDS[question.type](question, uid);
    this.sure = Object.entries(SURE).map(([value, name]) => h("button", { type: "submit", value }, name));
    this.hint = h("button", { type: "button" });
    this.reveal = h("button", { type: "button", hidden: "" }, "Show the solution");
    this.changed = h("p", { class: "quiz-changed", hidden: "" },
      "This question was changed since you answered it. Your earlier answer stays in your log; it is asked anew.");
    this.status = h("div", { class: "quiz-status", role: "status" });
    this.hints = h("ol", { class: "quiz-hints", "aria-live": "polite", "aria-label": "Hints" });
    this.taught = h("div");
    this.solution = h("div", { class: "quiz-solution", tabindex: "-1", role: "group", "aria-label": "Solution" });
    this.form = this.build(title, uid);
    this.listen();
    this.countHints();
  }

  build(title, uid) {
    return h("form", { class: "quiz-question", "aria-labelledby": `${uid}-title`, "data-type": this.question.type },
      h("p", { class: "quiz-title", id: `${uid}-title` }, title),
      this.changed,
      fromHtml("div", { class: "quiz-setting" }, this.question.setting),
      h("fieldset", { "aria-describedby": `${uid}-how` },
        fromHtml("legend", {}, this.question.prompt),
        h("p", { class: "quiz-how", id: `${uid}-how` }, this.question.how),
        ...this.field.nodes),
      h("div", { class: "quiz-buttons quiz-check", role: "group", "aria-labelledby": `${uid}-check` },
        h("span", { id: `${uid}-check` }, "Check my answer:"), ...this.sure),
      h("div", { class: "quiz-buttons" }, this.hint, this.reveal),
      this.status, this.hints, this.solution, this.taught);
  }

  listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit(event.submitter?.value);
    });
    // Enter would press the first button, "I am guessing", for whoever did not say so.
    this.form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input")) {
        event.preventDefault();
        this.sure[0].focus();
      }
    });
    this.form.addEventListener("input", () => { this.touched = true; });
    this.hint.addEventListener("click", () => this.hintsLeft() && this.send("hint"));
    this.reveal.addEventListener("click", () => this.send("reveal"));
  }

  submit(confidence) {
    this.say("Marking …");
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.say(LATE), PATIENCE);
    this.send("answer", { value: this.field.value(), confidence });
  }

  say(text, right) {
    const state = right === undefined ? "none" : right ? "right" : "wrong";
    this.form.dataset.state = state;
    const sign = { none: "", right: "✓ ", wrong: "✗ " }[state];
    this.status.replaceChildren(h("p", { class: "quiz-verdict" }, sign + text));
  }

  notice(message) {
    clearTimeout(this.waiting);
    this.said = undefined;
    this.say(message.text);
    this.field.first.focus();
  }

  progress(now) {
    clearTimeout(this.waiting);
    this.now = now;
    this.changed.hidden = !now.changed;
    if (now.answer !== null) this.graded(now);
    for (const html of now.hints.slice(this.hints.children.length)) this.hints.append(fromHtml("li", {}, html));
    this.countHints();
    if (now.explanation && !this.solution.hasChildNodes()) this.solve(now);
    if (now.taught && !this.taught.hasChildNodes()) this.taught.append(taughtAt(now.taught));
  }

  graded(now) {
    // After a reload the page is empty and Python still knows the answer.
    if (!this.touched) this.field.restore(now.answer);
    const said = JSON.stringify([now.verdict, now.feedback, now.answer]);
    // A hint or the solution was asked for: what was said before stands, and is not read out again.
    if (this.said !== said || this.form.dataset.state === "none") {
      this.say(now.verdict, now.right);
      this.status.append(...now.feedback.map((html) => fromHtml("div", { class: "quiz-feedback" }, html)));
      this.said = said;
    }
    this.reveal.hidden = this.solution.hasChildNodes() || Boolean(now.explanation);
  }

  solve(now) {
    const focused = this.form.getRootNode().activeElement === this.reveal;
    this.reveal.hidden = true;
    const shown = this.field.solve(now.solution);
    this.solution.append(h("p", { class: "quiz-verdict" }, "Solution"));
    if (shown && !now.right) this.solution.append(shown);
    this.solution.append(fromHtml("div", {}, now.explanation));
    if (focused) this.solution.focus(); // or the focus would be lost with the button
  }

  hintsLeft() { return this.question.hints - this.hints.children.length; }

  countHints() {
    const left = this.hintsLeft();
    this.hint.textContent = left ? `Hint (${left} left)` : "No more hints";
    // Not `disabled`: a disabled button loses the focus.
    this.hint.setAttribute("aria-disabled", String(!left));
  }
}
