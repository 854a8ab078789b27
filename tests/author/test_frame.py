"""A lesson whose frame is wrong is not built; the error names file, cell and field."""

import pytest

from grader.author.cells import with_stubs
from tests.author.conftest import LESSON, edit
from tests.author.wrong_frames import WRONG

SOURCE = f"solutions/{LESSON}/rms_norm.py"


@pytest.mark.parametrize(("old", "new", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_frame_is_named_and_nothing_is_written(course, run, old, new, said):
    edit(course.source(LESSON), old, new)
    status, text = run("build")
    assert status == 2
    assert f"{SOURCE}, " in text and said in text, text
    assert not course.lessons.exists() and not list(course.solutions.rglob("*.ipynb"))


def test_an_exercise_without_a_check_cell_is_named(course, run):
    source = course.source(LESSON)
    text = source.read_text(encoding="utf-8")
    start = text.index('# %% nbgrader={"grade": true, "grade_id": "check_rms_norm",')
    source.write_text(text[:start] + text[text.index("# %%\nhint(") :], encoding="utf-8")
    status, text = run("build")
    assert status == 2
    assert "exercise 'rms_norm': there is no cell with grade_id 'check_rms_norm'" in text


def test_all_that_is_wrong_is_said_at_once(course, run):
    edit(course.source(LESSON), '"points": 6', '"points": 5')
    edit(course.source(LESSON), "# ## Say it", "# # Say it")
    _, text = run("build")
    assert "points: the exercise gives 6" in text and "this one has 2" in text


def test_the_stub_stands_where_the_region_stood():
    source = "def f(x):\n    a = 1\n    ### BEGIN SOLUTION\n    b = 2\n    return a + b\n    ### END SOLUTION"
    assert with_stubs(source) == "def f(x):\n    a = 1\n    raise NotImplementedError()"
