"""Every lesson runs top to bottom, solved and unsolved; the claims it measures come out as they must anywhere."""

import re

import jupytext
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

from grader.exercises import of_lesson
from lessons.support.claims import read_claims
from tests.lessons.depends import reading_answers
from tests.lessons.executed import COURSE, WithoutExperiments, executed

pytestmark = pytest.mark.slow


def points(notebook) -> dict[str, float]:
    """What each check cell shows as its result: exercise id -> points."""
    checks = [
        cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("check_")
    ]
    results = {cell.metadata.nbgrader.grade_id: cell.outputs[-1].data["text/plain"] for cell in checks}
    return {name.removeprefix("check_"): float(text) for name, text in results.items()}


@pytest.mark.parametrize("lesson", COURSE.lesson_names())
def test_the_solution_runs_and_gets_full_marks(lesson, solved):
    notebook = solved(lesson)
    wanted = {exercise.id: 0 if exercise.missing() else exercise.points for exercise in of_lesson(lesson)}
    assert points(notebook) == wanted
    assert not [
        output for cell in notebook.cells for output in cell.get("outputs", []) if output.get("name") == "stderr"
    ]


@pytest.mark.parametrize("lesson", COURSE.lesson_names())
def test_no_output_is_a_picture_without_words(lesson, solved):
    cells = solved(lesson).cells
    data = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    assert not [kind for one in data for kind in one if kind.startswith("image/")], "shown past plots.show"
    pictures = [tag for one in data for tag in re.findall("<img[^>]*>", one.get("text/html", ""))]
    assert pictures or not any("plots.show(" in cell.source for cell in cells)
    assert all(re.search(r'\balt="[^"]{20,}"', tag) for tag in pictures)


@pytest.mark.parametrize("lesson", COURSE.lesson_names())
def test_experiments_run_with_every_exercise_unsolved(lesson, tmp_path):
    """Where no experiment reads what a student defines, each runs as it did in the solved lesson: once is enough."""
    reading = reading_answers(jupytext.read(COURSE.source(lesson)))
    others = [] if reading else [WithoutExperiments]
    notebook = executed(lesson, tmp_path, ClearSolutions, ClearHiddenTests, *others)
    assert points(notebook) == {exercise.id: 0 for exercise in of_lesson(lesson)}
    assert bool(read_claims(notebook)) == bool(reading)


EXPERIMENT = {"tags": ["experiment"]}
ANSWER = new_code_cell("def f(x):\n    return x", metadata={"nbgrader": {"solution": True}})


@pytest.mark.parametrize(
    ("between", "experiment", "reads"),
    [
        ("y = 1", "print(y)", False),
        ("y = 1", "print(f(y))", True),
        ("def g(x):\n    return [f(a) for a in x]", "g([1])", True),
        ("y = {}\ny['a'] = f(1)", "print(y)", True),
        ("y = []\ny.append(f(1))", "print(y)", True),
        ("y = f(1)\nif y:\n    y = 2", "print(y)", True),
        ("y = f(1)\ny = 2", "print(y)", False),
        ("y = f(1)", "def g(y):\n    return y", False),
        ("%matplotlib inline\ny = f(1)", "y += 1", True),
        ("def f(x):\n    return 2", "f(1)", False),
    ],
)
def test_what_reads_an_answer_is_seen(between, experiment, reads):
    cells = [ANSWER, new_code_cell(between), new_code_cell(experiment, metadata=EXPERIMENT)]
    assert bool(reading_answers(new_notebook(cells=cells))) == reads


def test_what_rms_norm_claims_does_not_depend_on_the_clock(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_COMPILE_DISABLE", "1")
    rows = {(row["says"], row["compared"]): row["verdict"] for row in read_claims(executed("03_rms_norm", tmp_path))}
    assert rows["radius 1.0", "root mean square of a row of y"] == "holds here"
    assert rows["radius 1.0", "length of a row of y"] == "not here: more"
    centring = "centring costs extra memory traffic"
    assert rows[centring, "spelled out: LayerNorm over RMSNorm"] == "holds here"
    assert rows[centring, "built in: LayerNorm over a plain copy"] == "not here: less"
    compiled = rows["RMSNorm is ~15-30 % faster", "both compiled"]
    assert compiled == "not measured (no compiler: torch.compile is switched off here)"
