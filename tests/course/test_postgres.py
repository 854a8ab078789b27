"""The whole path with the gradebook on a real PostgreSQL server, chosen by nbgrader's `db_url` alone."""

import csv
import subprocess
import sys
from random import Random

import pytest

from grader.course.database import opened
from grader.course.gradebook import Book
from grader.errors import CourseError
from grader.paths import CONFIG, Course
from tests.course.classroom import LESSON, new_course
from tests.course.contents import files, gradebook
from tests.course.cut_short import BEFORE, NEW, autograde, begun_in, environment, killed
from tests.course.postgres import server

pytestmark = [
    pytest.mark.slow,  # a server to be set up and started
    pytest.mark.other_os,
    pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux"),
]


@pytest.fixture(scope="module")
def postgres():
    with server() as running:
        yield running


@pytest.fixture(scope="module")
def on_postgres(postgres, tmp_path_factory) -> Course:
    """The class of `begun`, half graded and marked by hand, on the server; its second batch killed half-way."""
    course = new_course(tmp_path_factory.mktemp("postgres"))
    with (course.root / CONFIG).open("a") as config:
        config.write(f"\nc.CourseDirectory.db_url = {postgres.database('course')!r}\n")
    begun_in(course)
    killed(course, Random(2))
    autograde(course)
    return course


def run(course: Course, module: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=course.root, env=environment(course), capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return done.stdout.decode()


def test_the_same_gradebook_as_with_sqlite(on_postgres, uninterrupted):
    assert not (on_postgres.root / "gradebook.db").exists()
    assert gradebook(on_postgres) == gradebook(uninterrupted)
    assert set(files(on_postgres)) == set(files(uninterrupted))  # their contents have another course's seeds


def test_grading_again_changes_nothing(on_postgres):
    before = gradebook(on_postgres)
    autograde(on_postgres)
    assert gradebook(on_postgres) == before


def test_feedback_report_and_export(on_postgres):
    run(on_postgres, "nbgrader", "generate_feedback", LESSON)
    assert all(list((on_postgres.root / "feedback" / name / LESSON).glob("*.html")) for name in (*BEFORE, *NEW))
    assert "ada" in run(on_postgres, "grader", "report", LESSON)
    run(on_postgres, "nbgrader", "export", "--to", "grades.csv")
    with (on_postgres.root / "grades.csv").open() as file:
        scores = {row["student_id"]: float(row["raw_score"]) for row in csv.DictReader(file)}
    expected = gradebook(on_postgres)["submissions"]
    assert scores == pytest.approx({name: one["score"] for name, one in expected.items()})


def test_no_server(on_postgres, tmp_path):
    """One sentence, which does not show the password."""
    course = new_course(tmp_path)
    with (course.root / CONFIG).open("a") as config:
        config.write("\nc.CourseDirectory.db_url = 'postgresql://me:secret@127.0.0.1:1/course'\n")
    folder = course.submitted / "ada" / LESSON
    folder.mkdir(parents=True)
    done = subprocess.run(
        [sys.executable, "-m", "grader", "autograde", LESSON],
        cwd=course.root,
        env=environment(course),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "cannot be used" in done.stderr
    assert "Traceback" not in done.stderr and "secret" not in done.stderr


def test_a_course_without_a_name(postgres):
    with pytest.raises(CourseError, match="course_id"):
        opened(postgres.database("nameless"), "")


def test_the_books_own_connection_is_the_servers(on_postgres):
    with Book(on_postgres, LESSON).open() as book:
        assert book.engine.dialect.name == "postgresql"
