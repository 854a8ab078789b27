"""A lesson that is changed after it was graded: the gradebook follows, or says whose grades cannot."""

import re

import pytest

from grader.course.gradebook import Book
from grader.errors import CourseError
from tests.course.classroom import LESSON, RIGHT, Classroom, as_notebook, cells_with
from tests.course.quick import Quick

READ_ONLY = (
    '# %% [markdown] nbgrader={"grade": false, "grade_id": "advice", "locked": true, "schema_version": 3, '
    '"solution": false, "task": false}\n# Take your time.\n\n'
)
ANSWER = (
    '# %% [markdown] nbgrader={"grade": true, "grade_id": "written_more", "locked": false, "points": 2, '
    '"schema_version": 3, "solution": true, "task": false}\n# Your answer.\n\n'
)


@pytest.fixture
def quick(course, monkeypatch) -> Quick:
    room = Classroom(course)
    for name in ("ada", "ben"):
        room.hand_in(name, as_notebook(cells_with(**RIGHT, written_speed=f"Says {name}.")))
    made = Quick(course, monkeypatch)
    made.autograde()
    return made


def change(quick: Quick, old: str, new: str, count: int = 1) -> None:
    path = quick.course.source(LESSON)
    text = path.read_text()
    assert re.search(old, text)
    path.write_text(re.sub(old, lambda found: new, text, count=count))


def give(quick: Quick, student: str, score: float) -> None:
    with Book(quick.course, LESSON).open() as book:
        book.find_grade("written_speed", "rms_norm", LESSON, student).manual_score = score
        book.db.commit()


def announce(quick: Quick) -> list[str]:
    return Book(quick.course, LESSON).announce()


def cells(quick: Quick, kind: str) -> dict:
    with Book(quick.course, LESSON).open() as book:
        return {cell.name: cell.to_dict() for cell in getattr(book.find_notebook("rms_norm", LESSON), f"{kind}_cells")}


WRITTEN_POINTS = r'(?<="grade_id": "written_speed", "locked": false, "points": )5'


def test_nothing_changed(quick):
    assert announce(quick) == []


def test_points(quick):
    give(quick, "ada", 3)
    change(quick, WRITTEN_POINTS, "4")
    (said,) = announce(quick)
    assert said.startswith("written_speed now has 4 points, it had 5:")
    assert cells(quick, "grade")["written_speed"]["max_score"] == 4
    assert announce(quick) == []
    with Book(quick.course, LESSON).open() as book:
        assert book.find_submission(LESSON, "ada").score == 20 + 3


def test_points_below_a_grade_that_was_given_by_hand(quick):
    give(quick, "ada", 5)
    change(quick, WRITTEN_POINTS, "4")
    with pytest.raises(CourseError, match="grades given by hand are higher: ada"):
        announce(quick)
    assert cells(quick, "grade")["written_speed"]["max_score"] == 5, "nothing is changed"


def test_text_and_read_only_cells(quick):
    change(quick, r"# %% \[markdown\]", READ_ONLY + "# %% [markdown]")
    assert announce(quick) == []
    assert "Take your time." in cells(quick, "source")["advice"]["source"]
    change(quick, "Take your time.", "Take all the time.")
    assert announce(quick) == []
    assert "Take all the time." in cells(quick, "source")["advice"]["source"]
    change(quick, re.escape(READ_ONLY.replace("your", "all the")), "")
    assert announce(quick) == []
    assert "advice" not in cells(quick, "source")
    assert {name: one.score for name, one in quick.autograde().items()} == {"ada": 20, "ben": 20}


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("written_speed", "written_other", "written_speed gone; written_other new"),
        (r"# %% \[markdown\]", ANSWER + "# %% [markdown]", "written_more new"),
    ],
)
def test_cells_that_are_graded(quick, old, new, said):
    give(quick, "ben", 1)
    change(quick, old, new, count=1 if new.startswith("#") else 0)
    with pytest.raises(CourseError) as refused:
        announce(quick)
    for words in (said, "ada, ben", "take the change back", f"db assignment remove {LESSON} --force", "those of ben)"):
        assert words in str(refused.value)
    assert "written_speed" in cells(quick, "grade") and "written_more" not in cells(quick, "grade")


def test_before_anyone_is_graded_everything_may_change(course, monkeypatch):
    made = Quick(course, monkeypatch)
    announce(made)
    change(made, "written_speed", "written_other", count=0)
    assert announce(made) == []
    assert "written_other" in cells(made, "grade") and "written_speed" not in cells(made, "grade")
