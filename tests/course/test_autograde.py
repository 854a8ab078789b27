"""A class with everything that can be wrong: one sentence and a verdict for each, and the batch goes on."""

import json
import re
import stat

import pytest
from nbgrader.api import Gradebook

from grader.cli import main
from grader.course.autograde import Settings, autograde
from grader.course.gradebook import Book
from grader.course.report import in_words
from grader.errors import CourseError
from tests.course.classroom import LESSON, LIMITS, NAME, PIPES, Classroom, as_notebook, built, half


def forbidden_pool(workers):
    raise AssertionError("nothing should be run")


EXPECTED = {
    "accidents": (0, ["`rms_norm` is not defined", "SyntaxError", "on line 2", "rms_norm_module timed out", "died"]),
    "blank": (0, ["not attempted"]),
    "half": (6, ["rms_norm partly (eps outside the root)", "rms_norm_backward not attempted"]),
    "hostile": (20, ["passed", "does not say when: taken as in time"]),
    "moved": (20, ["passed"]),
    "empty-file": (0, ["unreadable (The notebook file is empty)"]),
    "broken": (0, ["unreadable (The notebook file is not valid JSON"]),
    "not-utf8": (0, ["unreadable (The notebook file is not UTF-8"]),
    "empty-folder": (0, ["There is no submitted/empty-folder/03_rms_norm/rms_norm.ipynb. The folder is empty"]),
    "renamed": (0, ["In its place there is: RMSNorm final (2).ipynb"]),
    "link": (0, ["is a link to another file"]),
    "linked-folder": (0, ["is not a folder of its own"]),
}
if PIPES:
    EXPECTED["pipe"] = (0, ["is not a regular file"])


@pytest.mark.parametrize("student", EXPECTED)
def test_verdict(graded, student):
    score, said = EXPECTED[student]
    assert graded[student].score == score
    assert (graded[student].points, graded[student].problem) == (20, None)
    for words in said:
        assert words in in_words(graded[student])


def test_a_folder_that_is_no_student(graded):
    assert graded.keys() == EXPECTED.keys() | {"-rf *"}
    assert "rename it" in graded["-rf *"].problem


def test_results_say_whether_there_was_a_sandbox(graded):
    assert graded["half"].sandboxed is True
    assert graded["broken"].sandboxed is None, "nothing of it ran"


def test_without_a_sandbox_only_when_asked_for_and_stamped(course, monkeypatch, capsys):
    Classroom(course).hand_in("half", as_notebook(half()))
    monkeypatch.chdir(course.root)
    assert main(["autograde", LESSON, "--json", "--jobs", "1"]) == 0
    assert main(["autograde", LESSON, "--json", "--jobs", "1", "--unsafe-no-sandbox"]) == 0
    walled, unsafe = re.findall(r'"sandboxed": (true|false)', capsys.readouterr().out)
    assert (walled, unsafe) == ("true", "false"), "neither result is taken for the other"
    judged = json.loads((course.autograded / "half" / LESSON / NAME).read_bytes())
    assert judged["metadata"]["run"]["sandboxed"] is False
    assert main(["autograde", LESSON, "--unsafe-no-sandbox"]) == 0
    assert "ran without a sandbox" in capsys.readouterr().out


def test_without_bubblewrap_grading_refuses(course, no_bubblewrap, monkeypatch, capsys):
    Classroom(course).hand_in("ada", built())
    monkeypatch.chdir(course.root)
    assert main(["autograde", LESSON]) == 2
    said = capsys.readouterr().err
    for words in ("bubblewrap is not installed", "apt install bubblewrap", "--unsafe-no-sandbox"):
        assert words in said
    assert not course.autograded.exists()


def test_gradebook(classroom, graded):
    with Book(classroom.course, LESSON).open() as book:
        submissions = {s.student.id: s for s in book.assignment_submissions(LESSON)}
        assert {name: s.score for name, s in submissions.items()} == {n: score for n, (score, _) in EXPECTED.items()}
        assert all(s.max_score == 25 for s in submissions.values())
        assert str(submissions["half"].timestamp) == "2026-01-31 13:00:00"
        assert submissions["hostile"].timestamp is None
        comments = {c.name: c.comment for c in submissions["blank"].notebooks[0].comments}
        assert comments == dict.fromkeys(comments, "No response.") and "written_speed" in comments
        waits = {name: s.needs_manual_grade for name, s in submissions.items()}
        assert [name for name, waiting in waits.items() if waiting] == ["half", "hostile"]


def test_autograded_files(classroom, graded):
    for name in EXPECTED:
        path = classroom.course.autograded / name / LESSON / NAME
        assert stat.S_IMODE(path.stat().st_mode) == 0o444
    files = {path.name for path in classroom.course.autograded.rglob("*") if path.is_file()}
    assert files == {NAME, "timestamp.txt", "submission_secret.txt"}


def test_again_nothing_is_run(classroom, graded):
    found = autograde(classroom.course, LESSON, Settings(limits=LIMITS, pool=forbidden_pool))
    assert {one.student: without_seconds(one) for one in found} == {n: without_seconds(o) for n, o in graded.items()}


def without_seconds(one) -> tuple:
    return one.verdicts, one.problem, one.note


def test_manual_grades_survive(classroom, graded):
    """Graded again, also where the result is another one."""
    course = classroom.course
    with Book(course, LESSON).open() as book:
        _give(book, "half", 4, "Nearly.")
    autograde(course, LESSON, Settings(limits=LIMITS, pool=forbidden_pool))
    with Book(course, LESSON).open() as book:
        grade, comment = _written(book, "half")
        assert (grade.score, grade.needs_manual_grade, comment.comment) == (4, False, "Nearly.")
    judged = (course.autograded / "half" / LESSON / NAME).read_bytes()
    Book(course, LESSON).save("half", judged, "another-key", None)
    with Book(course, LESSON).open() as book:
        grade, comment = _written(book, "half")
        assert (grade.score, grade.needs_manual_grade, comment.comment) == (4, False, "Nearly."), "the same answer"
        assert book.find_submission(LESSON, "half").score == 6 + 4
        _give(book, "half", None, None)
    autograde(course, LESSON, Settings(limits=LIMITS, pool=forbidden_pool))


def _written(book: Gradebook, student: str):
    name = ("written_speed", NAME.removesuffix(".ipynb"), LESSON, student)
    return book.find_grade(*name), book.find_comment(*name)


def _give(book: Gradebook, student: str, score: float | None, words: str | None) -> None:
    grade, comment = _written(book, student)
    grade.manual_score, grade.needs_manual_grade, comment.manual_comment = score, False, words
    book.db.commit()


def test_late_penalties_follow_the_due_date(classroom, graded):
    course = classroom.course
    with Book(course, LESSON).open() as book:
        book.update_or_create_assignment(LESSON, duedate="2026-01-31 12:00:00 UTC")
        assert book.find_submission(LESSON, "half").total_seconds_late == 3600
        assert book.find_submission(LESSON, "blank").total_seconds_late == 0


def test_one_student(classroom, graded):
    (one,) = autograde(classroom.course, LESSON, Settings(limits=LIMITS, pool=forbidden_pool), student="blank")
    assert without_seconds(one) == without_seconds(graded["blank"])
    with pytest.raises(CourseError, match="nobody has not submitted"):
        autograde(classroom.course, LESSON, Settings(), student="nobody")


def test_command(classroom, graded, monkeypatch, capsys):
    monkeypatch.chdir(classroom.course.root)
    limits = ["--cell-seconds", "20", "--notebook-seconds", "200"]
    assert main(["autograde", LESSON, "--student", "half", "--json", *limits]) == 0
    said = json.loads(capsys.readouterr().out)
    (half,) = said["submissions"]
    assert (half["student"], half["score"], half["sandboxed"]) == ("half", 6, True)
    assert main(["autograde", LESSON, *limits]) == 1, "one folder has no verdict"
    said = capsys.readouterr().out
    assert "eps outside the root" in said and "without a sandbox" not in said and "rename it" in said
    assert main(["autograde", LESSON, "--quiet", *limits]) == 1
    said = capsys.readouterr().out
    assert "rename it" in said and "half" not in said and "Grades changed: none" in said


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["autograde", "99_nothing"], "There is no solutions/99_nothing/nothing.py: known lessons: 03_rms_norm"),
        (["autograde", LESSON], "No one has submitted 03_rms_norm"),
        (["report", "99_nothing"], "There is no solutions/99_nothing"),
        (["report", LESSON], "Nothing of 03_rms_norm is graded yet"),
    ],
)
def test_nothing_to_do(course, monkeypatch, capsys, arguments, sentence):
    monkeypatch.chdir(course.root)
    assert main(arguments) == 2
    assert sentence in capsys.readouterr().err


def test_a_lesson_that_is_not_released(course, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    course.release(LESSON).unlink()
    assert main(["autograde", LESSON]) == 2
    assert "python -m grader build" in capsys.readouterr().err


def test_cells_changed_after_grading(classroom, graded, tmp_path):
    """A graded cell cannot go once there are grades; that is said in a sentence."""
    source = classroom.course.source(LESSON)
    text = source.read_text()
    try:
        source.write_text(text.replace("written_speed", "written_other"))
        with pytest.raises(CourseError, match=r"were added or removed.*accidents, blank"):
            autograde(classroom.course, LESSON, Settings(limits=LIMITS, pool=forbidden_pool))
    finally:
        source.write_text(text)


def test_blank_is_the_release(classroom):
    assert (classroom.folder("blank") / NAME).read_bytes() == built()
