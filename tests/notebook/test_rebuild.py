"""Whatever was done to the file: the frame's cells are the frame's, the student's work is in its place."""

import json
import random
import re

import pytest

from grader.errors import CourseError
from grader.notebook import rebuild
from grader.notebook.frame import grade_id
from tests.notebook.frames import STUB, code, filled, frame, frame_cells, nbgrader, notebook, seed_for, text

PROBE = 'from grader.exercises.emit import emit\n\nemit("rms_norm", 7)'
MINE = "def rms_norm(x, weight, eps):\n    return helper(x)"


def rebuilt(cells: list[dict], **metadata) -> dict:
    made = rebuild(frame(), notebook(cells, **metadata), "03_rms_norm", seed_for)
    assert made == rebuild(frame(), notebook(cells, **metadata), "03_rms_norm", seed_for), "the same bytes each time"
    return json.loads(made)


def sources(made: dict) -> list[str]:
    return [cell["source"] for cell in made["cells"]]


UNTOUCHED = ["# Lesson", "import torch", "Some prose.", "steps = 3", STUB, PROBE, "YOUR ANSWER HERE"]
FILLED = [*UNTOUCHED[:4], MINE, *UNTOUCHED[5:]]


def test_untouched():
    made = rebuilt(frame_cells())
    assert sources(made) == UNTOUCHED
    assert made["metadata"]["kernelspec"]["name"] == "python3"


def test_work_is_taken():
    made = rebuilt(filled(rms_norm=MINE, written_why="Because.", plain="steps = 5", prose="My prose."))
    want = ["# Lesson", "import torch", "My prose.", "steps = 5", MINE, PROBE, "Because."]
    assert sources(made) == want


def test_locked_cells_are_the_frames():
    cells = filled(rms_norm=MINE, setup="import os", check_rms_norm="pass")
    assert sources(rebuilt(cells)) == FILLED


def test_forged_metadata_vanishes():
    cells = filled(rms_norm=MINE)
    cells[5]["metadata"] = nbgrader("check_rms_norm", grade=False, solution=True, points=99) | {
        "tags": ["skip-execution", "experiment"]
    }
    cells[4]["metadata"] = nbgrader("rms_norm", grade=True, locked=True) | {"tags": ["skip-execution"]}
    made = rebuilt(cells, kernelspec={"name": "bash", "display_name": "x"}, widgets={"a": 1})
    assert sources(made) == FILLED
    assert made["cells"][5]["metadata"] == frame_cells()[5]["metadata"]
    assert made["cells"][4]["metadata"] == frame_cells()[4]["metadata"]
    assert made["metadata"] == json.loads(frame())["metadata"]


def test_moved_and_deleted_checks():
    cells = filled(rms_norm=MINE)
    moved = [cells[5], *cells[:5], *cells[6:]]
    assert sources(rebuilt(moved)) == FILLED
    assert sources(rebuilt(cells[:5] + cells[6:])) == FILLED
    assert sources(rebuilt([cells[4]])) == FILLED


def test_duplicated_check_counts_once():
    cells = filled(rms_norm=MINE)
    made = rebuilt([*cells, cells[5], code("pass", **cells[5]["metadata"])])
    assert [grade_id(cell) for cell in made["cells"]].count("check_rms_norm") == 1
    assert sources(made) == [*FILLED, "pass"]


def test_a_copy_of_a_check_with_a_helper_in_it_is_kept():
    cells = filled(rms_norm=MINE)
    copy = code("def helper(x):\n    return x", **cells[5]["metadata"])
    made = rebuilt([*cells[:4], copy, *cells[4:]])
    assert sources(made) == [*FILLED[:4], copy["source"], *FILLED[4:]]


@pytest.mark.parametrize("cell_ids", [True, False])
def test_added_cells_stay_where_they_stand(cell_ids):
    cells = filled(rms_norm=MINE)
    helper, note = code("def helper(x):\n    return x", tags=["skip-execution"]), text("my note")
    first, last = code("first = 1"), code("last = 1")
    cells = [first, *cells[:4], note, helper, *cells[4:], last]
    if not cell_ids:
        cells = [{key: value for key, value in cell.items() if key != "id"} for cell in cells]
    made = rebuilt(cells)
    want = [first["source"], *FILLED[:4], note["source"], helper["source"], *FILLED[4:], last["source"]]
    assert sources(made) == want
    added = [cell for cell in made["cells"] if cell["id"].startswith("added-")]
    assert len(added) == 4 and all(cell["metadata"] == {} for cell in added)


def test_of_several_solutions_the_last_wins_and_the_others_are_plain():
    cells = filled(rms_norm="def rms_norm(x, weight, eps):\n    return 1")
    again = code(MINE, "other-id", **nbgrader("rms_norm", solution=True))
    made = rebuilt([*cells, again])
    assert sources(made) == [*FILLED[:4], cells[4]["source"], *FILLED[4:]]
    assert made["cells"][4]["metadata"] == {} and grade_id(made["cells"][5]) == "rms_norm"


def test_a_solution_without_its_metadata_is_found_by_its_id():
    cells = filled(rms_norm=MINE)
    for metadata in ({}, nbgrader("renamed", solution=True), nbgrader("check_rms_norm", grade=True, points=6)):
        cells[4]["metadata"] = metadata
        assert sources(rebuilt(cells)) == FILLED


def test_missing_solution_stays_the_stub_and_what_replaces_it_comes_after():
    cells = frame_cells()
    assert sources(rebuilt(cells[:4] + cells[5:])) == UNTOUCHED
    replaced = [*cells[:4], code(MINE), *cells[5:]]
    assert sources(rebuilt(replaced)) == [*UNTOUCHED[:5], MINE, *UNTOUCHED[5:]]


def test_a_changed_cell_type_changes_nothing_that_counts():
    cells = filled(rms_norm=MINE, written_why="Because.")
    cells[4] = text(MINE, "rms_norm", **cells[4]["metadata"])
    cells[5] = text("gone", "check_rms_norm", **cells[5]["metadata"])
    cells[7] = code("Because.", "written_why", **cells[7]["metadata"])
    made = rebuilt(cells)
    assert [cell["cell_type"] for cell in made["cells"]] == [
        *["markdown", "code"] * 1,
        "markdown",
        *["code"] * 3,
        "markdown",
    ]
    assert sources(made) == [*FILLED[:-1], "Because."]


def test_experiments_are_left_out_with_copies_of_them():
    cells = filled(rms_norm=MINE)
    cells[6]["source"] = "edited"
    made = rebuilt([*cells, code("slow copy", tags=["experiment"])])
    assert sources(made) == FILLED


def test_outputs_and_attachments_are_left_behind():
    cells = filled(rms_norm=MINE, written_why="see ![it](attachment:it.png)")
    cells[4]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 10**6}]
    cells[7]["attachments"] = {"it.png": {"image/png": "AAAA"}}
    made = rebuilt(cells)
    assert all(not cell.get("outputs") and "attachments" not in cell for cell in made["cells"])
    assert made["cells"][-1]["source"] == "see ![it](left-out:it.png)"


def test_a_lesson_that_got_a_cell_after_its_release():
    """Cell ids by position shift then; sources tell better."""
    cells = filled(rms_norm=MINE)
    for old, new in ((0, "older"), (2, "title"), (3, "prose")):
        cells[old]["id"] = new
    assert sources(rebuilt(cells)) == FILLED


def test_shuffled_cells():
    """Every order of the frame's own cells gives the frame."""
    rng = random.Random(0)
    for _ in range(50):
        cells = filled(rms_norm=MINE)
        rng.shuffle(cells)
        assert sources(rebuilt(cells)) == FILLED


def test_ids_are_unique_even_if_the_student_takes_ours():
    cells = [*filled(rms_norm=MINE), code("a", "added-1"), code("b", "added-1"), code("c", "title")]
    ids = [cell["id"] for cell in rebuilt(cells)["cells"]]
    assert len(set(ids)) == len(ids) == len(FILLED) + 3


@pytest.mark.parametrize(
    "source, grade_id, points, said",
    [
        ('check("nothing")', "check_nothing", 1, "check_nothing checks 'nothing', which is not one of the exercises"),
        ('check("rms_norm")', "test_norm", 6, 'calls check("rms_norm"): such a cell is nothing but that call'),
        ('x = 1\ncheck("rms_norm")', "check_norm", 6, "calls check"),
        ('check("rms_norm", seed=3)', "check_rms_norm2", 6, "calls check"),
        ("assert True", "test_norm", True, "has True points"),
        ("assert True", "test_norm", -1, "has -1 points"),
        ("assert True", "test_norm", None, "has None points"),
    ],
)
def test_a_graded_cell_that_cannot_be_graded_is_the_courses_mistake(source, grade_id, points, said):
    wrong = code(source, "x", **nbgrader(grade_id, grade=True, locked=True, points=points))
    with pytest.raises(CourseError, match=re.escape(said)):
        rebuild(notebook([*frame_cells(), wrong]), frame(), "03_rms_norm", seed_for)


def test_points_that_are_not_the_exercises():
    cells = frame_cells()
    cells[5]["metadata"]["nbgrader"]["points"] = 5
    with pytest.raises(CourseError, match="check_rms_norm has 5 points, and its exercise gives 6"):
        rebuild(notebook(cells), frame(), "03_rms_norm", seed_for)
