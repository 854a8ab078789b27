"""What a new version of a lesson changed, in words; tried on the lessons themselves."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from grader.lab.changed import NOTHING, listed, what_changed
from grader.paths import find_course

LESSON = find_course(Path(__file__)).lessons / "03_rms_norm" / "rms_norm.ipynb"


@pytest.fixture
def old() -> dict:
    return json.loads(LESSON.read_bytes())


@pytest.fixture
def new(old) -> dict:
    return deepcopy(old)


def said(old: dict, new: dict) -> str:
    return what_changed(json.dumps(old).encode(), json.dumps(new).encode())


def named(notebook: dict, grade_id: str) -> dict:
    return next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def text(notebook: dict, heading: str) -> dict:
    return next(c for c in notebook["cells"] if "".join(c["source"]).startswith(f"## {heading}"))


def test_the_same_lesson_has_no_news(old, new):
    assert said(old, new) == NOTHING
    for number, cell in enumerate(new["cells"]):
        cell["id"] = f"other-{number}"
    assert said(old, new) == NOTHING, "ids move when a cell is put in"


def test_exercises_and_checks_are_named(old, new):
    named(new, "rms_norm")["source"].append("# more\n")
    named(new, "check_rms_norm_module")["metadata"]["nbgrader"]["points"] = 5
    named(new, "setup")["source"].append("\nimport math")
    assert said(old, new) == (
        "Changed: the set-up cell, exercise `rms_norm` and the check of `rms_norm_module` (now 5 points, before 4)."
    )


def test_text_and_code_are_named_by_their_heading(old, new):
    text(new, "The mathematics")["source"].append("\nOne more sentence.")
    new["cells"][0]["source"].append("\nAnd here.")
    assert said(old, new) == "Changed: the introduction and “The mathematics”."


def test_a_cell_put_in_or_taken_out_moves_no_other(old, new):
    new["cells"].insert(5, {"cell_type": "markdown", "metadata": {}, "source": ["## A new part\n", "Text."]})
    assert said(old, new) == said(old, new) == "Changed: “A new part”."
    assert said(new, old) == "Changed: “A new part”."


def test_an_exercise_that_came_or_went(old, new):
    gone = [c for c in new["cells"] if "rms_norm_backward" in c["metadata"].get("nbgrader", {}).get("grade_id", "")]
    assert len(gone) == 2
    new["cells"] = [c for c in new["cells"] if c not in gone]
    assert said(old, new) == "Gone: exercise `rms_norm_backward`."
    assert said(new, old) == "New: exercise `rms_norm_backward`."


def test_many_are_counted_and_no_notebook_has_no_news(old):
    assert listed([str(i) for i in range(9)]) == "0, 1, 2, 3, 4 and 4 more"
    assert what_changed(b"text", json.dumps(old).encode()) == what_changed(b"[]", b"{}") == ""
