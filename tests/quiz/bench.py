"""How fast the page is: from running the cell to 80 questions on the screen, and from a click to its mark.

python -m tests.quiz.bench

Measured by the browser's own clock, in JupyterLab; the first run in a new kernel pays for the imports.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from quiz import notebook
from quiz.bank import load_all
from quiz.choosing import Choice, whatever_is_due

QUESTIONS, CLICKS = 80, 12
CELL = "from tests.quiz.bench import show\nshow()"
# Times the run of the active cell until its forms are there, laid out and painted.
RUN = """async count => {
  const panel = window.jupyterapp.shell.currentWidget.node;
  const start = performance.now();
  const old = new Set(panel.querySelectorAll('form.quiz-question'));
  window.jupyterapp.commands.execute('notebook:run-cell');
  const fresh = () => [...panel.querySelectorAll('form.quiz-question')].filter(form => !old.has(form));
  while (fresh().length < count) await new Promise(done => setTimeout(done, 2));
  fresh()[count - 1].getBoundingClientRect();
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
}"""
MARK = """async form => {
  form.querySelectorAll('input[type=radio]')[0].checked = true;
  const start = performance.now();
  form.querySelector('button[type=submit]').click();
  while (!['right', 'wrong'].includes(form.dataset.state)) await new Promise(done => setTimeout(done, 1));
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
}"""


def show() -> None:
    """Displays 80 questions as `quiz` does; copies of the bank's where it has fewer."""
    banks = load_all()
    whatever_is_due(notebook.store().events(), QUESTIONS)
    copied, number = list(banks), 0
    while sum(len(bank.questions) for bank in copied) < QUESTIONS:
        number += 1
        copied += [_copy(bank, number) for bank in banks]
    keys = [f"{bank.lesson}/{question.id}" for bank in copied for question in bank.questions]
    notebook.show_chosen(Choice(copied, keys[:QUESTIONS], "Eighty"))


def _copy(bank, number: int):
    questions = [question.model_copy(update={"id": f"{question.id}_{number}"}) for question in bank.questions]
    return bank.model_copy(update={"questions": questions})


def main() -> int:
    from tests.quiz.page import quiz_page

    with tempfile.TemporaryDirectory() as folder, quiz_page(Path(folder), CELL, run=False) as page:
        first, *again = (page.evaluate(RUN, QUESTIONS) for _ in range(4))
        forms = page.locator('form.quiz-question[data-type="single"]').all()[:CLICKS]
        marked = [page.evaluate(MARK, form.element_handle()) for form in forms]
    print(f"{QUESTIONS} questions, first run in a new kernel: {first:.0f} ms")
    print(f"{QUESTIONS} questions, cell run again, median of {len(again)}: {statistics.median(again):.0f} ms")
    print(f"click to mark, median of {len(marked)}: {statistics.median(marked):.0f} ms, worst {max(marked):.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
