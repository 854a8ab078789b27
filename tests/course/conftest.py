"""One graded class for all tests here: every case of bad input as a real submission, graded once."""

import shutil
from pathlib import Path

import pytest

from grader.course.autograde import Settings, autograde
from grader.course.gradebook import Book
from grader.paths import Course
from tests.course import cut_short
from tests.course.classroom import LESSON, LIMITS, Classroom, new_course
from tests.course.cut_short import begun_in, copied


@pytest.fixture(scope="session")
def classroom(tmp_path_factory) -> Classroom:
    """A course with a class that has handed in, nothing graded yet. Not to be changed by a test."""
    room = Classroom(new_course(tmp_path_factory.mktemp("course")))
    room.hand_in_everything()
    return room


@pytest.fixture(scope="session")
def graded(classroom) -> dict:
    """The class, graded: student -> Graded."""
    found = autograde(classroom.course, LESSON, Settings(workers=2, limits=LIMITS))
    return {one.student: one for one in found}


@pytest.fixture(scope="session")
def announced(tmp_path_factory) -> Course:
    """A course whose gradebook is made, which takes nbgrader a while. Not to be changed by a test."""
    course = new_course(tmp_path_factory.mktemp("announced"))
    Book(course, LESSON).announce()
    return course


@pytest.fixture
def with_gradebook(announced, tmp_path) -> Course:
    """A course of one's own, in which nobody has handed in anything, with its gradebook."""
    return Course(Path(shutil.copytree(announced.root, tmp_path / "course")))


@pytest.fixture
def course(tmp_path):
    """A course in which nobody has handed in anything."""
    return new_course(tmp_path)


@pytest.fixture(scope="session")
def begun(tmp_path_factory):
    """A course with graded and marked students, some of whom have handed in again, and new ones."""
    return begun_in(new_course(tmp_path_factory.mktemp("begun")))


@pytest.fixture(scope="session")
def uninterrupted(begun, tmp_path_factory):
    """The same, graded at one go."""
    course = copied(begun, tmp_path_factory.mktemp("uninterrupted") / "course")
    cut_short.autograde(course)
    return course
