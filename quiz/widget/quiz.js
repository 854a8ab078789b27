// One form a question. Knows no key: sends what was chosen to Python, shows what comes back.

const PATIENCE = 5000; // milliseconds until the page says that the kernel is busy

function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// `html` comes from the bank, made by Python with raw HTML switched off.
function fromHtml(tag, attributes, html) {
  const node = h(tag, attributes);
  node.innerHTML = html;
  return node;
}

function choices(question, uid) {
  const kind = question.type === "multi" ? "checkbox" : "radio";
  return question.options.map((html, i) =>
    h("label", { class: "quiz-option" },
      h("input", { type: kind, name: uid, value: i }),
      // A letter to speak of; and a name for an option that is nothing but mathematics.
      h("span", { class: "quiz-letter" }, String.fromCharCode(65 + i)),
      fromHtml("span", { class: "quiz-text" }, html),
      h("span", { class: "quiz-mark" })));
}

function numberField(question, uid) {
  const input = { type: "text", inputmode: "decimal", autocomplete: "off", name: uid, class: "quiz-input" };
  return [h("label", { class: "quiz-number" }, "Your number: ", h("input", input), ` ${question.unit}`)];
}

function fieldset(question, uid) {
  const fields = question.type === "numeric" ? numberField(question, uid) : choices(question, uid);
  return h("fieldset", { "aria-describedby": `${uid}-how` },
    fromHtml("legend", {}, question.prompt),
    h("p", { class: "quiz-how", id: `${uid}-how` }, question.how),
    ...fields);
}

class QuestionView {
  constructor(question, title, uid, send) {
    this.question = question;
    this.send = (kind, extra) => send({ kind, question: question.id, ...extra });
    this.check = h("button", { type: "submit", class: "quiz-check" }, "Check my answer");
    this.hint = h("button", { type: "button" });
    this.reveal = h("button", { type: "button", hidden: "" }, "Show the solution");
    this.status = h("div", { class: "quiz-status", role: "status" });
    this.hints = h("ol", { class: "quiz-hints", "aria-live": "polite", "aria-label": "Hints" });
    this.solution = h("div", { class: "quiz-solution", tabindex: "-1", role: "group", "aria-label": "Solution" });
    this.form = this.build(title, uid);
    this.countHints();
  }

  build(title, uid) {
    const form = h("form", { class: "quiz-question", "aria-labelledby": `${uid}-title` },
      h("p", { class: "quiz-title", id: `${uid}-title` }, title),
      fromHtml("div", { class: "quiz-setting" }, this.question.setting),
      fieldset(this.question, uid),
      h("div", { class: "quiz-buttons" }, this.check, this.hint, this.reveal),
      this.status, this.hints, this.solution);
    form.addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
    this.hint.addEventListener("click", () => this.hintsLeft() && this.send("hint"));
    this.reveal.addEventListener("click", () => this.send("reveal"));
    return form;
  }

  inputs() { return [...this.form.querySelectorAll("input")]; }

  value() {
    if (this.question.type === "numeric") return this.inputs()[0].value;
    return this.inputs().filter((i) => i.checked).map((i) => Number(i.value));
  }

  submit() {
    this.say("Marking …");
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.say(
      "Python is busy or was restarted. Busy: your answer is marked when it is free. Restarted: run this cell again."),
    PATIENCE);
    this.send("answer", { value: this.value() });
  }

  say(text, right) {
    const state = right === undefined ? "none" : right ? "right" : "wrong";
    this.form.dataset.state = state;
    const sign = { none: "", right: "✓ ", wrong: "✗ " }[state];
    this.status.replaceChildren(h("p", { class: "quiz-verdict" }, sign + text));
  }

  notice(message) {
    clearTimeout(this.waiting);
    this.say(message.text);
    this.inputs()[0].focus();
  }

  progress(now) {
    clearTimeout(this.waiting);
    if (now.answer !== null) this.graded(now);
    for (const html of now.hints.slice(this.hints.children.length)) this.hints.append(fromHtml("li", {}, html));
    this.countHints();
    if (now.explanation && !this.solution.hasChildNodes()) this.solve(now);
  }

  graded(now) {
    this.restore(now.answer);
    const known = this.status.dataset.said;
    const said = JSON.stringify([now.verdict, now.feedback]);
    // A hint or the solution was asked for: what was said before stands, and is not read out again.
    if (known !== said || this.form.dataset.state === "none") {
      this.say(now.verdict, now.right);
      this.status.append(...now.feedback.map((html) => fromHtml("div", { class: "quiz-feedback" }, html)));
      this.status.dataset.said = said;
    }
    this.reveal.hidden = this.solution.hasChildNodes() || Boolean(now.explanation);
  }

  // After a reload the page is empty and Python still knows the answer.
  restore(answer) {
    if (this.value().length) return;
    if (this.question.type === "numeric") this.inputs()[0].value = answer;
    else for (const i of answer) this.inputs()[i].checked = true;
  }

  solve(now) {
    const focused = this.form.getRootNode().activeElement === this.reveal;
    this.reveal.hidden = true;
    this.solution.append(h("p", { class: "quiz-verdict" }, "Solution"), fromHtml("div", {}, now.explanation));
    if (this.question.type !== "numeric") {
      this.form.querySelectorAll(".quiz-mark").forEach((mark, i) => {
        mark.textContent = now.solution.includes(i) ? "✓ right" : "";
      });
    }
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

function render({ model, el }) {
  const uid = `quiz-${Math.random().toString(36).slice(2)}`;
  const questions = model.get("questions");
  const views = new Map(questions.map((question, i) => [question.id, new QuestionView(
    question, `Question ${i + 1} of ${questions.length}`, `${uid}-${i}`, (message) => model.send(message))]));

  el.classList.add("quiz");
  // Lab's shortcuts (a, b, dd, arrows) must not reach the notebook from inside a form.
  el.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const name of ["keydown", "keypress", "keyup"]) el.addEventListener(name, (e) => e.stopPropagation());
  el.append(h("p", { class: "quiz-heading" }, model.get("title")), ...[...views.values()].map((v) => v.form));

  const receive = (message) => {
    const view = views.get(message.question) ?? [...views.values()][0];
    view[message.kind]?.(message);
  };
  model.on("msg:custom", receive);
  model.send({ kind: "ready" });
  return () => model.off("msg:custom", receive);
}

export default { render };
