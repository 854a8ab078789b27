"""What is right and what is wrong, one module an exercise: reference, known mistakes, unusual right answers.

Laid out like `grader/exercises/`. Never shipped to a class: a wheel for students holds their recorded
behaviour instead (`grader/judge/recorded.py`).
"""

from grader.answers._collect import Answers, Mistake
from grader.errors import CourseError
from grader.exercises import PREFIX, exercise, load

__all__ = ["Answers", "CourseError", "Mistake", "of"]


def of(exercise_id: str) -> Answers:
    """The answers of one exercise: those of the module that has the exercise's place and name here.

    Raises CourseError where it is not there, or does not say what it should.
    """
    chosen = exercise(exercise_id)
    folder = f"{PREFIX}{chosen.lesson}"
    file = f"grader/answers/{folder}/{exercise_id}.py"
    try:
        found = getattr(load(f"{__name__}.{folder}.{exercise_id}"), "answers", None)
    except ModuleNotFoundError as error:
        raise CourseError(f"There is no {file}: the exercise {exercise_id!r} needs its answers there.") from error
    if not isinstance(found, Answers):
        raise CourseError(f"{file} has no `answers = Answers(...)`: add it.")
    if found.name != chosen.name:
        raise CourseError(f"{file}: it has Answers({found.name!r}), but what the student writes is {chosen.name!r}.")
    if found.reference is None:
        raise CourseError(f"{file} has no right answer: decorate one with `@answers.right`.")
    return found
