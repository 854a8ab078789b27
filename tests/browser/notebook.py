"""What a student's hands do in an open notebook: go to a cell, write, run, look at what appears.

JupyterLab keeps only the visible cells in the page, so a cell is made the active one before it is touched.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.paths import find_course, short_name
from tests.browser import lab
from tests.lab.serving import course_lab

ACTIVE = ".jp-Notebook .jp-Cell.jp-mod-active"
GO_TO = """
(wanted) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  const named = cell => cell.model.getMetadata('nbgrader')?.grade_id === wanted;
  const holding = cell => cell.model.type === 'code' && cell.model.sharedModel.getSource().includes(wanted);
  const cell = notebook.widgets.find(named) ?? notebook.widgets.find(holding);
  if (!cell) throw new Error('no such cell: ' + wanted);
  notebook.activeCellIndex = notebook.widgets.indexOf(cell);
  return notebook.scrollToItem(notebook.activeCellIndex, 'start');
}
"""
COUNT = "() => window.jupyterapp.shell.currentWidget.content.activeCell.model.executionCount"


@contextmanager
def lesson(name: str, workspace: Path, **context) -> Iterator:
    """A lesson, served as `start.py lab` serves it, open and with its setup cell run; the browser's page."""
    course = find_course(Path(__file__)).root
    with course_lab(course, workspace) as url, lab.chromium(**context) as page:
        lab.open_notebook(page, url, f"{name}/{short_name(name)}.ipynb")
        run(page, "setup")
        yield page


def go_to(page, cell: str):
    """Makes a cell, named by its grade_id or by a piece of its code, the active one, in view; its locator."""
    page.evaluate(GO_TO, cell)
    active = page.locator(ACTIVE)
    active.locator(".cm-content").wait_for()
    return active


def write(page, cell: str, text: str) -> None:
    """Replaces what stands in a cell's editor, as pasting over it does."""
    go_to(page, cell).locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)


def run(page, cell: str, seconds: float = 60):
    """Runs a cell and waits until the kernel has answered; the locator of the cell."""
    active = go_to(page, cell)
    before = page.evaluate(COUNT)
    active.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    done = f"before => {{ const now = ({COUNT})(); return now !== null && now !== before; }}"
    page.wait_for_function(done, arg=before, timeout=1000 * seconds)
    return active
