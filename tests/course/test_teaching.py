"""A term of teaching: handed in again, graded again, marked by two people at once, without written answers."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import grader.course
from grader.cli import _parser
from grader.course.collect import collect
from grader.course.gradebook import Book
from grader.paths import CONFIG
from tests.course import messy
from tests.course.classroom import HALF, LESSON, RIGHT, as_notebook, cells_with
from tests.course.contents import give
from tests.course.messy import from_canvas
from tests.course.quick import Quick

ROOT = Path(grader.course.__file__).parents[2]
PAGE = Path(grader.course.__file__).with_name("TEACHING.md").read_text(encoding="utf-8")
WRITTEN = {"written_speed": "It depends on what is compared."}
MARK = """
import sys
from pathlib import Path
from grader.course.gradebook import Book
from grader.paths import Course
from tests.course.contents import give
course, who = Course(Path(sys.argv[1])), sys.argv[2:]
for student in who:
    with Book(course, "03_rms_norm").open() as book:
        give(book, student, 3, f"marked by {who[0]}'s assistant")
"""


@pytest.mark.parametrize("words", sorted(set(re.findall(r"python -m grader ([^`\n]+)", PAGE))))
def test_the_page_names_commands_that_are_there(words):
    assert _parser(words.split()[0]).parse_args(shlex.split(words)).run


def test_the_page_names_settings_and_files_that_are_there():
    config = (ROOT / CONFIG).read_text()
    assert [name for name in re.findall(r"`c\.([\w.]+)`", PAGE) if name not in config] == []
    assert [path for path in re.findall(r"`((?:grader|lessons)/[\w./]+)`", PAGE) if not (ROOT / path).exists()] == []
    headings = {re.sub(r"\W+", "-", line[3:].lower()) for line in PAGE.splitlines() if line.startswith("## ")}
    assert set(re.findall(r"\(#([\w-]+)\)", PAGE)) == headings


def half(**more: str) -> bytes:
    return as_notebook(cells_with(**{**RIGHT, "rms_norm": HALF}, **WRITTEN, **more))


@pytest.fixture
def handed_in(with_gradebook, tmp_path):
    """Collects files of the class as Canvas names them."""
    (tmp_path / "canvas.csv").write_bytes(messy.roster("canvas"))

    def handing_in(files: dict[str, bytes]):
        folder = messy.write(tmp_path / f"download{len(list(tmp_path.iterdir()))}", files)
        done = collect(with_gradebook, LESSON, folder, tmp_path / "canvas.csv")
        assert not done.questions
        return done

    return handing_in


@pytest.fixture
def quick(with_gradebook, monkeypatch) -> Quick:
    return Quick(with_gradebook, monkeypatch)


def scores(quick: Quick) -> dict[str, float]:
    with Book(quick.course, LESSON).open() as book:
        return {one.student.id: one.score for one in book.assignment_submissions(LESSON)}


def test_handed_in_again(quick, handed_in):
    """The later file counts; what was given by hand for the same answer stays."""
    handed_in({from_canvas("ada", "rms_norm.ipynb", 100): half()})
    quick.autograde()
    with Book(quick.course, LESSON).open() as book:
        give(book, "ada", 4, "Nearly.")
    assert scores(quick) == {"ada": 20}
    done = handed_in({from_canvas("ada", "rms_norm-1.ipynb", 101): as_notebook(cells_with(**RIGHT, **WRITTEN))})
    assert done.done["replaced"] == ["ada"]
    quick.autograde()
    assert scores(quick) == {"ada": 24}


def test_graded_again_after_a_test_was_mended(quick, handed_in):
    handed_in({from_canvas(one, "rms_norm.ipynb", 100 + n): half() for n, one in enumerate(("ada", "ben"))})
    quick.autograde()
    assert scores(quick) == {"ada": 16, "ben": 16}
    quick.mend()
    quick.autograde()
    assert scores(quick) == {"ada": 20, "ben": 20}


def test_two_assistants_mark_at_the_same_time(quick, handed_in):
    """Each in a process of their own, on one gradebook; and grading again takes nothing back."""
    people = [one for one, *_ in messy.CLASS[:8]]
    handed_in({from_canvas(one, "rms_norm.ipynb", 100 + n): half() for n, one in enumerate(people)})
    quick.autograde()
    groups = people[:4], people[4:]
    command = [sys.executable, "-c", MARK, str(quick.course.root)]
    marking = [subprocess.Popen([*command, *group], stderr=subprocess.PIPE, text=True) for group in groups]
    for one in marking:
        assert one.communicate()[1] == "" and one.returncode == 0
    quick.autograde(again=True)
    assert scores(quick) == dict.fromkeys(people, 19)
    with Book(quick.course, LESSON).open() as book:
        name = "written_speed", LESSON[3:], LESSON
        said = {one: book.find_comment(*name, one).manual_comment for one in people}
    assert said == {one: f"marked by {group[0]}'s assistant" for group in groups for one in group}


def test_without_written_answers(course, monkeypatch):
    """Nothing waits to be marked, and nobody can lose points that nobody gives."""
    from grader.author.build import build

    with (course.root / CONFIG).open("a") as config:
        config.write(f"\nc.WithoutWritten.lessons = ['{LESSON}']\n")
    course.release(LESSON).write_bytes(build(course, LESSON).release)
    messy.write(course.submitted, {f"ada/{LESSON}/rms_norm.ipynb": half()})
    Quick(course, monkeypatch).autograde()
    with Book(course, LESSON).open() as book:
        submission = book.find_submission(LESSON, "ada")
        assert (submission.score, submission.max_score, submission.needs_manual_grade) == (16, 20, False)
