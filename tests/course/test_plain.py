"""Anyone's assignment: stock nbgrader's scores, behind the wall, with a stamp: a plain test can be fooled."""

import json
import re
import subprocess
import sys

import nbformat
import pytest
from bs4 import BeautifulSoup

from grader.cli import main
from grader.cli._progress import Progress
from grader.course.autograde import Settings, autograde
from grader.course.gradebook import Book
from grader.course.replay import replay
from grader.course.report import as_json, graded_class, in_words
from grader.course.stock import use_nbgraders_own
from grader.notebook.graded import Graded
from grader.paths import Course
from tests.course.plain_attacks import ATTACKS, attacked
from tests.course.plain_class import (
    HIDDEN,
    HONEST,
    NAME,
    POINTS,
    RIGHT,
    answered,
    hand_in,
    nbgrader,
    new_assignment,
    released,
)
from tests.course.test_feedback import demand_harmless, parsed

STAMP = "in the student's process"
MANUAL = {"application", "why", "task"}


def scores(course: Course) -> dict:
    """Per student and graded cell: score and whether a person has to look."""
    with Book(course, NAME).open() as book:
        return {
            submission.student.id: {
                grade.name: (grade.auto_score, grade.needs_manual_grade)
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in book.assignment_submissions(NAME)
        }


def a_class(root, *students: str) -> Course:
    course = new_assignment(root)
    for student in students or HONEST:
        hand_in(course, student, answered(course, **HONEST[student]))
    return course


@pytest.fixture(scope="module")
def stock(tmp_path_factory) -> dict:
    """The scores that nbgrader gives without us."""
    course = a_class(tmp_path_factory.mktemp("stock"))
    use_nbgraders_own(course)
    nbgrader(course, "autograde", NAME)
    return scores(course)


@pytest.fixture(scope="module")
def ours(tmp_path_factory) -> Course:
    """The same class and the attackers, graded by our command."""
    course = a_class(tmp_path_factory.mktemp("ours"))
    for student in ATTACKS:
        hand_in(course, student, attacked(course, student))
    command = [sys.executable, "-m", "grader", "autograde", NAME, "--jobs", "2", "--json", "--cell-seconds", "15"]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (course.root / "graded.json").write_text(done.stdout)
    return course


@pytest.fixture(scope="module")
def graded(ours) -> dict[str, Graded]:
    return {one.student: one for one in graded_class(ours, NAME)}


def points(one: Graded) -> dict[str, float]:
    return {verdict.exercise.split("/")[1]: verdict.score for verdict in one.verdicts}


@pytest.mark.slow
def test_stock_nbgraders_scores(stock, ours):
    found = scores(ours)
    assert {name: found[name] for name in HONEST} == stock


@pytest.mark.slow
def test_the_scores_that_were_meant(stock):
    full = {name: (points, False) for name, points in POINTS.items()}
    assert {name: stock["right"][name] for name in POINTS} == full
    assert stock["equals-all"] == stock["right"] and stock["warns"] == stock["right"]
    assert stock["half"]["partly_squares"] == (1.5, False) and stock["loud"]["correct_mean"] == (0, False)
    assert {name: stock["right"][name] for name in MANUAL} == dict.fromkeys(MANUAL, (None, True))
    assert stock["blank"]["application"] == (0, False), "no response"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_plain_nbgrader_gives_the_same(stock, tmp_path):
    """Through the same wall, serially; what a few of the class handed in."""
    some = ("right", "half", "no-error", "silent-error")
    course = a_class(tmp_path, *some)
    nbgrader(course, "autograde", NAME)
    assert scores(course) == {name: stock[name] for name in some}
    page = nbformat.read(course.autograded / "half" / NAME / "problem1.ipynb", as_version=4)
    assert page.metadata.run.sandboxed is True
    assert {one.student: one.inside for one in graded_class(course, NAME)}["half"]


@pytest.mark.parametrize("student", HONEST)
def test_every_plain_test_is_stamped(graded, student):
    one = graded[student]
    assert one.sandboxed is True
    assert [name.split("/")[1] for name in one.inside] == list(POINTS)
    assert f"judged {STAMP}" in in_words(one)


def test_the_stamp_is_everywhere(ours, graded, monkeypatch, capsys):
    said = json.loads((ours.root / "graded.json").read_text())
    assert {v["judged"] for one in said["submissions"] for v in one["verdicts"]} == {STAMP}
    assert as_json(NAME, [graded["right"]])["students"][0]["verdicts"][0]["judged"] == STAMP
    monkeypatch.chdir(ours.root)
    assert main(["report", NAME, "--csv", "report.csv"]) == 0
    assert f"Judged {STAMP}, where code of the notebook can change the result" in capsys.readouterr().out
    assert f"right,problem1/correct_squares,1,1,passed,,,{STAMP}" in (ours.root / "report.csv").read_text()


@pytest.mark.parametrize(
    "student, said",
    [
        ("blank", "not attempted"),
        ("half", "problem1/invalid_squares wrong; problem1/partly_squares partly"),
        ("syntax", "NameError: name 'squares' is not defined, on line 1 (`assert squares(1) == [1]`)"),
        ("exits", "raised (SystemExit: 0)"),
        ("loud", "IgnorePattern can allow it"),
    ],
)
def test_words(graded, student, said):
    assert said in in_words(graded[student])


@pytest.mark.parametrize("student", ATTACKS)
def test_attacks(graded, student):
    _, wanted, said = ATTACKS[student]
    assert points(graded[student]) == dict(zip(POINTS, wanted, strict=True))
    assert said in in_words(graded[student])


def test_what_the_wall_keeps_away(ours, graded):
    """Files of the course and the network, tried by a submission; `walled` earns its honest points."""
    page = json.loads((ours.autograded / "walled" / NAME / "problem1.ipynb").read_text())
    printed = "".join("".join(o.get("text", "")) for c in page["cells"] for o in c.get("outputs", ()))
    assert "seen: []" in printed and "reached: False" in printed
    assert points(graded["walled"]) == POINTS


@pytest.fixture(scope="module")
def pages(ours) -> Course:
    nbgrader(ours, "generate_feedback", NAME)
    return ours


def test_feedback_has_the_tests_and_not_the_hidden_ones(pages):
    for student in [*HONEST, *ATTACKS]:
        for folder in (pages.root / "feedback", pages.autograded):
            for path in (folder / student / NAME).iterdir():
                text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
                assert not [number for number in HIDDEN if number in text], (student, path.name)
                assert "HIDDEN TESTS" not in text
    source = (pages.solutions / NAME / "problem1.ipynb").read_text()
    assert all(number in source for number in HIDDEN), "they would be found"


def test_nothing_of_the_students_can_run_in_feedback(pages):
    def page(student: str) -> BeautifulSoup:
        return parsed(pages.root / "feedback" / student / NAME / "problem1.html")

    demand_harmless(page("scripts"), page("blank"))
    assert "hackpara" in page("scripts").text, "what the test showed is there"


def test_feedback_says_what_happened(pages):
    def cards(student: str) -> list[str]:
        html = (pages.root / "feedback" / student / NAME / "problem1.html").read_text(encoding="utf-8")
        found = BeautifulSoup(html, "html.parser").select('div[role="group"]')
        assert len(found) == len(POINTS) and all("border-left" in card["style"] for card in found)
        return [re.sub(r"\s+", " ", card.text) for card in found]

    assert "correct_squares: 1 of 1 points" in cards("right")[0] and "student's process" in cards("right")[0]
    assert "What you see of this test passes; a hidden part of it does not." in cards("no-error")[1]
    assert "The test gave 1.5 of 3 points" in cards("half")[2]
    assert "AssertionError, on line 1 (assert squares(1) == [1])" in cards("wrong-sum")[0]


def test_a_missing_notebook_of_two(tmp_path):
    course = new_assignment(tmp_path)
    hand_in(course, "ada", answered(course, **RIGHT), why=None)
    (one,) = autograde(course, NAME, Settings())
    assert one.score == sum(POINTS.values()) and one.problem is None
    with Book(course, NAME).open() as book:
        assert book.find_submission(NAME, "ada").score == 6.5
    page = (course.autograded / "ada" / NAME / "problem2.ipynb").read_text()
    assert "There is no submitted/ada/ps1/problem2.ipynb" in page


@pytest.mark.slow
def test_a_test_mended_after_the_release(tmp_path):
    """As with stock nbgrader the instructor's present test counts, hidden part and all."""
    course = new_assignment(tmp_path)
    hand_in(course, "ada", answered(course, **RIGHT))
    path, told = course.source(NAME, "problem1"), Progress(NAME, shown=False)
    path.write_text(path.read_text().replace("[-1] == 100", "[-1] == 101"))
    (one,) = autograde(course, NAME, Settings(), listener=told)
    assert told.changed() is None, "of two notebooks neither was graded before"
    assert points(one)["invalid_squares"] == 0
    path.write_text(path.read_text().replace("[-1] == 101", "[-1] == 100"))
    told = Progress(NAME, shown=False)
    (one,) = autograde(course, NAME, Settings(), exercise="invalid_squares", listener=told)
    assert points(one) == POINTS and "ada (invalid_squares 0 → 2)" in told.changed()
    found = replay(course, NAME, "ada")
    assert found.same and len(found.journal) == 2
    assert [one.exercise for one in found.exercises] == [f"problem1/{test}" for test in POINTS]


@pytest.mark.parametrize(
    "change, sentence",
    [
        (lambda c: (c.lessons / NAME / "problem2.ipynb").unlink(), "`nbgrader generate_assignment ps1`"),
        (lambda c: _set(c, "language", "R"), "is a notebook in R; only Python runs behind the wall"),
        (lambda c: (c.lessons / NAME / "big.bin").write_bytes(bytes(17 * 2**20)), "17 MiB, more than the 16"),
    ],
)
def test_what_cannot_be_graded_is_said(tmp_path, monkeypatch, capsys, change, sentence):
    course = new_assignment(tmp_path)
    hand_in(course, "ada", released(course))
    change(course)
    monkeypatch.chdir(course.root)
    assert main(["autograde", NAME]) == 2
    assert sentence in capsys.readouterr().err


def _set(course: Course, key: str, value: str) -> None:
    path = course.lessons / NAME / "problem1.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.kernelspec[key] = value
    nbformat.write(notebook, path)


@pytest.mark.parametrize("command", ["build", "prove"])
def test_made_by_hand_is_not_built(tmp_path, monkeypatch, capsys, command):
    course = new_assignment(tmp_path)
    monkeypatch.chdir(course.root)
    assert main([command, NAME]) == 2
    assert "is made by hand: `nbgrader generate_assignment ps1` releases it" in capsys.readouterr().err
