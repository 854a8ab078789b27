"""Every lesson's source: well headed, its cells as the course names them, no solution line anywhere else.

That JupyterLab leaves its bytes alone is tested in tests/author.
"""

import re
from itertools import pairwise
from pathlib import Path

import jupytext
import pytest

from grader.exercises import of_lesson
from grader.paths import find_course

COURSE = find_course(Path(__file__).parent)
LESSONS = COURSE.lesson_names()
REGION = re.compile(r"^ *### BEGIN SOLUTION\n(.*?)^ *### END SOLUTION$", re.MULTILINE | re.DOTALL)


@pytest.fixture(params=LESSONS)
def lesson(request) -> str:
    return request.param


@pytest.fixture
def source(lesson) -> str:
    return COURSE.source(lesson).read_text(encoding="utf-8")


@pytest.fixture
def cells(source) -> list:
    return jupytext.reads(source, fmt="py:percent").cells


def test_text_notebook_text_is_the_same_bytes(source):
    assert jupytext.writes(jupytext.reads(source, fmt="py:percent"), fmt="py:percent") == source


def test_no_version_of_a_tool_in_the_source(source):
    assert "jupytext_version:" not in source


def test_one_first_heading_and_no_level_left_out(cells):
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    levels = [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(deeper - level <= 1 for level, deeper in pairwise(levels))


def test_minutes_add_up(cells):
    rows = re.findall(r"^\|[^|]+\| (\d+) \|", cells[0].source, re.MULTILINE)
    assert rows and f"{sum(map(int, rows))} minutes" in cells[0].source


def test_graded_cells_are_those_of_the_exercises(cells, lesson):
    graded = {cell.metadata.nbgrader.grade_id: cell for cell in cells if "nbgrader" in cell.metadata}
    assert graded["setup"].metadata.nbgrader.locked
    for exercise in of_lesson(lesson):
        answer, check = graded[exercise.id].metadata.nbgrader, graded[f"check_{exercise.id}"]
        assert answer.solution and not answer.grade and not answer.locked
        assert check.metadata.nbgrader.locked
        assert check.source.splitlines()[0] == f'check("{exercise.id}")'
        assert check.metadata.nbgrader.grade != exercise.extra
        if exercise.extra:
            continue
        assert check.metadata.nbgrader.points == exercise.points
        assert f'check("{exercise.id}", seed="held-out")' in check.source


def test_an_answer_may_use_what_users_of_pytorch_write(cells, lesson):
    """Of the answers that are known to be right some build layers where the lesson's own does not."""
    (setup,) = [cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "setup"]
    there = {one.strip() for one in setup.splitlines()}
    if of_lesson(lesson):
        assert {"import torch", "import torch.nn.functional as F", "from torch import nn"} <= there


def test_all_metadata_is_in_one_order(cells):
    for cell in cells:
        found = cell.metadata.get("nbgrader", {})
        assert list(found) == sorted(found), "another order would change when JupyterLab saves the cell"
        assert not found or found["schema_version"] == 3


def test_every_experiment_is_left_out_when_grading(cells):
    plotting = [cell for cell in cells if cell.cell_type == "code" and "plots.show" in cell.source]
    assert plotting and all("experiment" in cell.metadata.tags for cell in plotting)


def test_no_solution_line_stands_anywhere_else(source, lesson):
    lines = {line.strip() for region in REGION.findall(source) for line in region.splitlines() if line.strip()}
    support = "".join(file.read_text(encoding="utf-8") for file in (COURSE.lessons / "support").glob("*.py"))
    elsewhere = REGION.sub("", source) + support
    assert bool(lines) == bool(of_lesson(lesson))
    assert [line for line in lines if line in elsewhere] == []
