"""Lesson 13 in a class: nothing is checked, people mark the written answers, and cells that rounds leave do no harm."""

import json
import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from grader.author.build import build
from grader.cli import main
from grader.course.autograde import Settings, autograde
from grader.course.page import page
from grader.course.report import as_text
from grader.paths import CONFIG, Course, find_course
from tests.course.classroom import LIMITS, plain

LESSON, NAME = "13_interview", "interview.ipynb"
WRITTEN = ["written_whiteboard", "written_leak", "written_claims"]
# What the rounds put into a notebook: cells that run without what the rounds had imported.
LEFT = ("class Block(nn.Module):\n    pass", "bug = find_the_bug(3)\nbug.line(3)", "page.check()")


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    here, course = find_course(Path(__file__).parent), Course(tmp_path_factory.mktemp("course"))
    shutil.copy(here.root / CONFIG, course.root)
    shutil.copytree(here.source(LESSON).parent, course.solutions / LESSON)
    release = build(here, LESSON).release
    notebook = json.loads(release)
    for cell in notebook["cells"]:
        if cell["id"] in WRITTEN:
            cell["source"] = "What I know of it."
    notebook["cells"] += [plain(source) for source in LEFT]
    hand_ins = {"blank": release, "anna": json.dumps(notebook).encode()}
    for path, content in {
        course.lessons / LESSON: release,
        **{course.submitted / who / LESSON: text for who, text in hand_ins.items()},
    }.items():
        path.mkdir(parents=True)
        (path / NAME).write_bytes(content)
    return course


@pytest.fixture(scope="module")
def graded(course) -> list:
    return autograde(course, LESSON, Settings(workers=2, limits=LIMITS))


def test_an_untouched_copy_gets_0_and_an_answer_waits_for_a_person(course, graded):
    assert [(one.student, one.problem, one.verdicts) for one in graded] == [("anna", None, ()), ("blank", None, ())]
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as book:
        marks = {who: book.find_submission_notebook(NAME[:-6], LESSON, who) for who in ("anna", "blank")}
        assert {who: (one.score, one.max_score) for who, one in marks.items()} == {"anna": (0, 15), "blank": (0, 15)}
        waiting = {who: [grade.name for grade in one.grades if grade.needs_manual_grade] for who, one in marks.items()}
        assert waiting == {"anna": WRITTEN, "blank": []}
        assert [grade.auto_score for grade in marks["blank"].grades] == [0, 0, 0]


def test_the_reports_say_that_nothing_is_checked(graded):
    said = as_text(LESSON, graded)
    assert said.count("nothing to check: people give the points") == 2 and "Verdicts:" not in said
    html = page(LESSON, graded, [])
    assert "2 submissions. Points of written answers" in html and "Without a verdict" not in html


@pytest.mark.parametrize("command", [["demo", LESSON], ["bench", "--students", "2", "--lesson", LESSON]])
def test_what_needs_exercises_says_so(command, tmp_path, capsys):
    keep = ["--keep", str(tmp_path / "demo")] if command[0] == "demo" else []
    assert main([*command, *keep]) == 2
    assert f"{LESSON} has no exercise that `check` judges" in capsys.readouterr().err
