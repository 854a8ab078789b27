"""One graded class for all tests here: every case of bad input as a real submission, graded once."""

import pytest

from grader.course.autograde import Settings, autograde
from tests.course.classroom import LESSON, LIMITS, Classroom, new_course


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


@pytest.fixture
def course(tmp_path):
    """A course in which nobody has handed in anything."""
    return new_course(tmp_path)
