// Steps to put in order: a list whose rows move up and down. The order of the page is the order shown.

import { fromHtml, h } from "./dom.js";

export function orderField(question, uid) {
  const list = h("ol", { class: "quiz-order" });
  const moved = h("p", { class: "quiz-unseen", role: "status" });
  const rows = question.options.map((html, i) => row(html, i, uid));
  list.append(...rows);

  const renumber = () => [...list.children].forEach((one, i, all) => {
    one.querySelector(".quiz-letter").textContent = `${i + 1}.`;
    const [up, down] = one.querySelectorAll("button");
    up.setAttribute("aria-disabled", String(i === 0)); // not `disabled`: the focus would be lost at the ends
    down.setAttribute("aria-disabled", String(i === all.length - 1));
  });

  const move = (one, button) => {
    const down = button.dataset.move === "down";
    const other = down ? one.nextElementSibling : one.previousElementSibling;
    if (!other) return;
    if (down) other.after(one);
    else other.before(one);
    renumber();
    button.focus(); // moving a node takes its focus away
    const place = [...list.children].indexOf(one) + 1;
    moved.textContent = `${one.querySelector(".quiz-text").textContent}: now ${place} of ${list.children.length}.`;
    list.dispatchEvent(new Event("input", { bubbles: true }));
  };

  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) move(button.closest("li"), button);
  });
  list.addEventListener("keydown", (event) => {
    const one = event.target.closest("li");
    const which = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (!one || !which || !event.altKey) return;
    event.preventDefault();
    move(one, one.querySelector(`[data-move=${which}]`));
  });
  renumber();
  return {
    nodes: [list, moved],
    first: rows[0].querySelector("button"),
    value: () => [...list.children].map((one) => Number(one.dataset.step)),
    restore: (value) => { list.append(...value.map((i) => rows[i])); renumber(); },
    solve: (solution) => h("ol", { class: "quiz-solved" },
      ...solution.map((i) => fromHtml("li", {}, question.options[i]))),
  };
}

function row(html, i, uid) {
  const text = fromHtml("span", { class: "quiz-text", id: `${uid}-step-${i}` }, html);
  const button = (way, sign, name) => h("button", {
    type: "button", "data-move": way, id: `${uid}-${way}-${i}`, "aria-label": name, title: `${name} (Alt+${sign})`,
    // Its own name and the step's: a label of text could not say mathematics.
    "aria-labelledby": `${uid}-${way}-${i} ${uid}-step-${i}`,
  }, sign);
  return h("li", { "data-step": i }, h("span", { class: "quiz-letter", "aria-hidden": "true" }), text,
    h("span", { class: "quiz-moves" }, button("up", "↑", "Move up"), button("down", "↓", "Move down")));
}
