"""The check of an exercise for extra credit is not graded, so that its points are nobody's to lose."""

import nbformat
import pytest

from grader.author import cells
from grader.exercises import exercise

EXTRA = {"triton_rms_norm": exercise("triton_rms_norm"), "bytes_moved": exercise("bytes_moved")}


def cell(name, source=None, **changed):
    meta = {"grade_id": f"check_{name}", "grade": False, "locked": True, "solution": False, "schema_version": 3}
    return nbformat.v4.new_code_cell(source or f'check("{name}")', metadata={"nbgrader": meta | changed})


def test_a_locked_cell_with_nothing_but_the_call_is_right():
    assert list(cells.extra_check(cell("triton_rms_norm"), EXTRA)) == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (cell("bytes_moved"), "grade: only the check of an exercise for extra credit is not graded"),
        (cell("nothing"), "grade: only the check of an exercise for extra credit is not graded"),
        (cell("triton_rms_norm", locked=False), "locked: a check cell must be locked"),
        (cell("triton_rms_norm", "5"), 'source: a check cell of extra credit is exactly\ncheck("triton_rms_norm")'),
    ],
)
def test_anything_else_is_named(wrong, said):
    (found,) = cells.extra_check(wrong, EXTRA)
    assert found.startswith(said)


def test_a_graded_check_of_extra_credit_is_refused():
    graded = cell("triton_rms_norm", cells.check_source("triton_rms_norm"), grade=True, points=5)
    (found,) = cells.check(graded, EXTRA)
    assert found.startswith("grade: triton_rms_norm is extra credit, so the cell must not be graded")
