"""Editing a lesson's .py as a notebook in JupyterLab and saving leaves the bytes of unchanged cells alone.

Lab reads and writes a .py through jupytext's contents manager. The fast tests talk to that directly, the slow
one clicks in the real page.
"""

import difflib
import shutil
from pathlib import Path

import pytest
from jupytext import TextFileContentsManager

from grader.paths import Course
from tests.author.conftest import LESSON, PROJECT
from tests.browser import lab

FIXTURE = Path(__file__).parent / "fixture" / LESSON / "rms_norm.py"
REAL = [Course(PROJECT).source(lesson) for lesson in Course(PROJECT).lesson_names()]


@pytest.fixture(params=[FIXTURE, *REAL], ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def lesson(request, tmp_path) -> Path:
    return Path(shutil.copy(request.param, tmp_path))


def open_in_lab(lesson: Path):
    manager = TextFileContentsManager(root_dir=str(lesson.parent))
    return manager, manager.get(lesson.name)["content"]


def save_in_lab(manager, lesson: Path, notebook) -> list[str]:
    """Save and say which lines differ, those taken out with "-" and those put in with "+" before them."""
    before = lesson.read_bytes().decode()
    notebook["metadata"]["language_info"] = {"name": "python", "version": "3.99", "pygments_lexer": "ipython3"}
    manager.save({"type": "notebook", "format": "json", "content": notebook}, lesson.name)
    changed = difflib.ndiff(before.splitlines(), lesson.read_bytes().decode().splitlines())
    return [line for line in changed if line[0] in "+-"]


def as_the_panel_writes(meta: dict) -> dict:
    """nbgrader's Create Assignment panel replaces a cell's nbgrader metadata: these keys, in this order."""
    keys = ("grade", "grade_id", "locked", "points", "schema_version", "solution", "task")
    return {key: meta.get(key, False) for key in keys if key != "points" or "points" in meta}


def test_opening_and_saving_changes_nothing(lesson):
    manager, notebook = open_in_lab(lesson)
    for cell in notebook["cells"]:
        cell["metadata"]["trusted"] = True
        if cell["cell_type"] == "code":
            cell["execution_count"] = 7
    assert save_in_lab(manager, lesson, notebook) == []


def test_selecting_every_cell_in_the_create_assignment_panel_changes_nothing(lesson):
    manager, notebook = open_in_lab(lesson)
    for cell in notebook["cells"]:
        if meta := cell["metadata"].get("nbgrader"):
            cell["metadata"]["nbgrader"] = as_the_panel_writes(meta)
    assert save_in_lab(manager, lesson, notebook) == []


def test_new_points_change_one_line(lesson):
    manager, notebook = open_in_lab(lesson)
    check = next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade"))
    check["metadata"]["nbgrader"] = as_the_panel_writes({**check["metadata"]["nbgrader"], "points": 77})
    removed, added = save_in_lab(manager, lesson, notebook)
    assert removed.startswith("- # %% ") and added.startswith("+ # %% ") and "nbgrader=" in added
    assert '"points": 77' in added


def test_new_text_changes_its_own_lines(lesson):
    manager, notebook = open_in_lab(lesson)
    next(c for c in notebook["cells"] if c["cell_type"] == "markdown")["source"] += "\nA new line."
    assert save_in_lab(manager, lesson, notebook) == ["+ # A new line."]


def test_what_labs_property_inspector_remembers_stays_out_of_the_source(tmp_path):
    lesson = Path(shutil.copy(FIXTURE, tmp_path))
    manager, notebook = open_in_lab(lesson)
    for cell in notebook["cells"]:
        cell["metadata"] |= {"editable": True, "slideshow": {"slide_type": ""}, "jp-MarkdownHeadingCollapsed": True}
    assert save_in_lab(manager, lesson, notebook) == []


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(lab.missing() is not None, reason=str(lab.missing()))
def test_points_changed_in_the_real_panel_change_one_line(course):
    source = course.source(LESSON)
    before = source.read_bytes().decode()
    with lab.lab_server(course.root) as url, lab.chromium() as page:
        page.goto(url)
        page.wait_for_function("window.jupyterapp", timeout=60_000)
        page.evaluate("window.jupyterapp.restored.then(() => 0)")
        where = {"path": f"solutions/{LESSON}/rms_norm.py", "factory": "Jupytext Notebook"}
        lab.command(page, "docmanager:open", **where)
        page.wait_for_selector(".jp-Notebook .jp-Cell", state="attached", timeout=60_000)

        lab.command(page, "nbgrader:open-create-assignment")
        points = page.locator(".nbgrader-CellPoints input:visible").first
        points.wait_for()
        assert points.input_value() == "6"
        points.fill("7")
        points.press("Tab")
        lab.command(page, "docmanager:save")
        page.wait_for_timeout(1000)
    after = source.read_bytes().decode()
    assert after == before.replace('"points": 6', '"points": 7') != before
