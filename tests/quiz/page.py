"""A quiz in a notebook in JupyterLab in Chromium, and the hands of the person who answers it, by keyboard alone."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat

from quiz.bank import FOLDER
from quiz.engine import solution
from quiz.exchange import to_page
from tests.browser import lab

ROOT = FOLDER.parents[1]
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
MARKED = "form => ['right', 'wrong'].includes(form.dataset.state)"


@contextmanager
def quiz_page(folder: Path, *cells: str, run: bool = True, **context) -> Iterator:
    """The page of a notebook in `folder`/03_rms_norm with these cells, run if so wished; the lesson lies beside it."""
    lesson = folder / "03_rms_norm"
    shutil.copytree(ROOT / "lessons" / "03_rms_norm", lesson, dirs_exist_ok=True)
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    notebook.metadata["kernelspec"] = KERNEL
    nbformat.write(notebook, lesson / "quiz.ipynb")
    env = {"PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))}
    with lab.lab_server(folder, env=env) as url, lab.chromium(**context) as page:
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        lab.open_notebook(page, url, "03_rms_norm/quiz.ipynb")
        if run:
            lab.command(page, "notebook:run-all-cells")
            page.locator("form.quiz-question").first.wait_for()
        yield page


def form_of(page, kind: str):
    """The first question of a type."""
    return page.locator(f'form[data-type="{kind}"]').first


def fill_in(page, form, variant, answer) -> None:
    """Gives an answer (the engine's) to a question by keyboard alone, and leaves it unsent."""
    value, kind = to_page(variant, answer), variant.question.type
    if kind == "order":
        _sort(page, form, value)
    elif kind == "match":
        for item, target in enumerate(value):
            _choose(page, form.get_by_role("radiogroup").nth(item).get_by_role("radio"), target)
    elif kind == "single":
        _choose(page, form.get_by_role("radio"), value[0])
    elif kind == "multi":
        for i in value:
            form.get_by_role("checkbox").nth(i).focus()
            page.keyboard.press("Space")
    else:
        form.get_by_role("textbox").focus()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(str(value))


def send(page, form, sure: str = "fairly sure") -> str:
    """Presses one of the three buttons by keyboard; what the page says to the answer."""
    form.evaluate("form => { form.dataset.state = 'none' }")
    form.get_by_role("button", name=sure).focus()
    page.keyboard.press("Enter")
    page.wait_for_function(MARKED, arg=form.element_handle())
    return form.locator(".quiz-status").inner_text()


def answer_right(page, form, variant) -> str:
    """Answers a question rightly, by keyboard alone."""
    fill_in(page, form, variant, solution(variant))
    return send(page, form)


def _choose(page, radios, wanted: int) -> None:
    radios.first.focus()
    page.keyboard.press("Space")
    for _ in range(wanted):
        page.keyboard.press("ArrowDown")
    assert radios.nth(wanted).is_checked()


def _sort(page, form, wanted: list[int]) -> None:
    for place, step in enumerate(wanted):
        row = form.locator(f'li[data-step="{step}"]')
        row.get_by_role("button").first.focus()
        while row.evaluate("li => [...li.parentNode.children].indexOf(li)") > place:
            page.keyboard.press("Alt+ArrowUp")
