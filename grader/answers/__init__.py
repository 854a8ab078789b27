"""What is right and what is wrong, one module an exercise: reference, known mistakes, unusual right answers.

Laid out like `grader/exercises/`. Never shipped to a class: a wheel for students holds their recorded
behaviour instead (`grader/judge/recorded.py`).
"""

from grader.answers._collect import Answers, Mistake
from grader.exercises import PREFIX, exercise, load

__all__ = ["Answers", "Mistake", "of"]


def of(exercise_id: str) -> Answers:
    """The answers of one exercise: those of the module that has the exercise's place and name here."""
    lesson = exercise(exercise_id).lesson
    return load(f"{__name__}.{PREFIX}{lesson}.{exercise_id}").answers
