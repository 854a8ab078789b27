"""Extensions and penalties for lateness: the same from this grader and from nbgrader, shown in the report."""

import json
import subprocess
import sys
from datetime import datetime, timedelta

import pytest

from grader.cli import main
from grader.course.extensions import Extension, Extensions, read_amount
from grader.course.gradebook import Book
from grader.course.late import LatePenalty, _hours, lateness
from grader.errors import CourseError
from grader.paths import CONFIG
from tests.course.classroom import LESSON, RIGHT, Classroom, as_notebook, cells_with
from tests.course.quick import Quick

DUE = "2026-01-31 12:00:00 UTC"
HOUR = 3600.0


def penalty(seconds: float, score: float = 20.0, **settings) -> float | None:
    return LatePenalty(**settings).late_submission_penalty("ada", score, seconds)


def test_penalty():
    assert penalty(HOUR) is None, "off, unless it is set"
    assert penalty(HOUR, percent_per_day=10) == 2 and penalty(25 * HOUR, percent_per_day=10) == 4
    assert penalty(24 * HOUR, percent_per_day=10) == 2
    assert penalty(HOUR, percent_per_day=10, grace_hours=1) is None
    assert penalty(HOUR + 1, percent_per_day=10, grace_hours=1) == 2
    assert penalty(50 * HOUR, points_per_day=1) == 3
    assert penalty(HOUR, points_per_day=1, percent_per_day=10) == 3
    assert penalty(30 * 24 * HOUR, percent_per_day=10, most_percent=50) == 10
    assert penalty(30 * 24 * HOUR, points_per_day=5) == 20, "never more than there is"
    assert penalty(HOUR, penalty_method="zero", percent_per_day=10) == 20, "nbgrader's own goes before"
    assert penalty(HOUR, score=0.0, points_per_day=3) is None


@pytest.mark.parametrize(
    ("text", "hours"), [("3d", 72), ("12h", 12), ("1d12h", 36), ("1w", 168), ("1w1d1h", 193), ("366d", 8784)]
)
def test_amounts(text, hours):
    assert read_amount(text) == Extension(hours=hours)


@pytest.mark.parametrize("text", ["", "3", "d", "0d", "-3d", "3 days", "367d", "2026-13-01", "tomorrow", "2026-01-xx"])
def test_no_amounts(text):
    with pytest.raises(CourseError, match="is no extension"):
        read_amount(text)


def test_dates(monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    __import__("time").tzset()
    try:
        assert read_amount("2026-02-03").until == datetime(2026, 2, 3, 22, 59, 59)
        assert read_amount("2026-02-03 18:00").until == datetime(2026, 2, 3, 17, 0)
        assert read_amount("2026-02-03 18:00 UTC").until == datetime(2026, 2, 3, 18, 0)
    finally:
        monkeypatch.undo()
        __import__("time").tzset()
    until = Extension(until=datetime(2026, 2, 3))
    assert until.after(datetime(2026, 2, 1)) == timedelta(days=2)
    assert until.after(datetime(2026, 2, 5)) == timedelta() and until.after(None) is None
    assert (str(Extension(hours=25)), str(Extension(hours=48))) == ("1 day 1 hour", "2 days")


@pytest.fixture
def quick(with_gradebook, monkeypatch) -> Quick:
    """ada is 30 hours late, ben in time; a day costs a tenth. Nothing is graded yet."""
    course = with_gradebook
    with (course.root / CONFIG).open("a") as config:
        config.write("\nc.LatePenalty.percent_per_day = 10\n")
    room = Classroom(course)
    room.hand_in("ada", as_notebook(cells_with(**RIGHT)), "2026-02-01 18:00:00 UTC")
    room.hand_in("ben", as_notebook(cells_with(**RIGHT)), "2026-01-31 11:00:00 UTC")
    with Book(course, LESSON).open() as opened:
        opened.update_or_create_assignment(LESSON, duedate=DUE)
    return Quick(course, monkeypatch)


@pytest.fixture
def extend(quick, monkeypatch, capsys):
    """`python -m grader extend`: what it says."""
    monkeypatch.chdir(quick.course.root)

    def extending(*words: str, status: int = 0) -> str:
        assert main(["extend", *words]) == status
        said = capsys.readouterr()
        return said.out + said.err

    return extending


def test_lengths():
    said = [_hours(timedelta(minutes=minutes)) for minutes in (0, 5, 90, 120, 24 * 60 + 61, 3 * 24 * 60)]
    assert said == ["", "5 min", "1 h 30 min", "2 h", "1 day 1 h", "3 days"]


def late(quick: Quick) -> dict[str, tuple[float, float]]:
    with Book(quick.course, LESSON).open() as book:
        return {
            one.student.id: (one.total_seconds_late, one.late_submission_penalty)
            for one in book.assignment_submissions(LESSON)
        }


def test_after_grading_it_counts_at_once(quick, extend):
    quick.autograde()
    assert late(quick) == {"ada": (30 * HOUR, 4), "ben": (0, 0)}
    said = extend("ada", LESSON, "1d")
    assert said == "ada, 03_rms_norm: 1 day. Penalty for lateness: 2 points (it was 4).\n"
    assert late(quick)["ada"] == (6 * HOUR, 2)
    assert "Penalty for lateness: 0 points (it was 2)" in extend("ada", LESSON, "2026-02-01 18:00 UTC")
    assert late(quick)["ada"] == (0, 0)
    quick.autograde()
    assert late(quick)["ada"] == (0, 0)
    assert "ada, 03_rms_norm: no extension. Penalty for lateness: 4" in extend("ada", LESSON, "--remove")
    assert extend("--list") == "Nobody has an extension.\n"


def test_before_anything_is_handed_in(quick, extend):
    assert "Nothing is graded yet; it will count then.\n" in extend("ada", LESSON, "1d")
    assert "Nobody of the id aba is known so far" in extend("aba", LESSON, "1d")
    assert "aba      1 day" in extend("--list")
    extend("aba", LESSON, "--remove")
    quick.autograde()
    assert late(quick) == {"ada": (6 * HOUR, 2), "ben": (0, 0)}


def test_a_date_holds_when_the_due_date_moves(quick, extend):
    extend("ada", LESSON, "2026-02-01 17:00 UTC")
    quick.autograde()
    assert late(quick)["ada"] == (HOUR, 2)
    with Book(quick.course, LESSON).open() as book:
        book.update_or_create_assignment(LESSON, duedate="2026-01-30 12:00:00 UTC")
    quick.autograde()
    assert late(quick)["ada"] == (HOUR, 2) and late(quick)["ben"] == (23 * HOUR, 2)


def test_it_is_in_the_report(quick, extend, capsys, tmp_path):
    extend("ada", LESSON, "1d")
    extend("cy", LESSON, "2d")
    quick.autograde()
    ada, cy = lateness(quick.course, LESSON)
    assert ada.row() == ["ada", "2026-02-01 18:00 UTC", "2026-02-01 12:00 UTC", "1 day", "6 h", "2"]
    assert cy.row() == ["cy", "not yet", "", "2 days", "", ""]
    assert main(["report", LESSON, "--html", str(tmp_path / "page.html")]) == 0
    assert "Late, or with an extension" in (said := capsys.readouterr().out) and "1 day      6 h" in said
    page = (tmp_path / "page.html").read_text()
    assert 'href="#late"' in page and "<td>1 day</td><td>6 h</td>" in page
    assert main(["report", LESSON, "--json"]) == 0
    assert [one["student"] for one in json.loads(capsys.readouterr().out)["late"]] == ["ada", "cy"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["ada", LESSON], "Say who, which lesson, and either how long or --remove"),
        (["ada", LESSON, "3x"], "'3x' is no extension"),
        (["ada", "77_no", "3d"], "There is no solutions/77_no"),
        (["a/../b", LESSON, "3d"], "is no student's id"),
        (["ben", LESSON, "--remove"], "ben has no extension in 03_rms_norm"),
        (["ben", LESSON, "2026-01-01"], "so until 2026-01-01 23:59:59 UTC is no more time"),
    ],
)
def test_sentences(extend, words, sentence):
    assert sentence in extend(*words, status=2)


def test_without_a_due_date(quick, extend):
    with Book(quick.course, LESSON).open() as book:
        book.update_or_create_assignment(LESSON, duedate=None)
    assert f"no due date yet: nbgrader db assignment add {LESSON} --duedate=DATE" in extend("ada", LESSON, "1d")


def test_a_damaged_file_is_a_sentence(quick, extend):
    extend("ada", LESSON, "1d")
    Extensions(quick.course).path.write_text("{")
    assert "extensions.json is damaged" in extend("--list", status=2)


@pytest.mark.timeout(1800)
def test_plain_nbgrader_gives_the_same_penalty(quick, extend):
    """The whole of `nbgrader autograde`, wall and all."""
    extend("ada", LESSON, "1d")
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "autograde", LESSON], cwd=quick.course.root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    theirs = late(quick)
    quick.autograde()
    assert late(quick) == theirs == {"ada": (6 * HOUR, 2), "ben": (0, 0)}
