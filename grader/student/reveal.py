"""`reveal("rms_norm")`: a solution and why it is one, for those who learn without an instructor."""

from grader import answers
from grader.errors import CourseError
from grader.exercises import exercise
from grader.student.check import attempts
from grader.student.page import Page


def reveal(exercise_id: str) -> Page:
    """One right answer, once something of your own has been checked in this session."""
    try:
        chosen = exercise(exercise_id)
    except CourseError as error:
        return Page("Nothing to reveal.", str(error))
    if not attempts[chosen.id]:
        return Page("Not yet.", f'Write something, and run `check("{chosen.id}")` on it first. `hint` helps, too.')
    known = answers.of(chosen.id)
    return Page("One solution.", known.why, known.source(known.reference))
