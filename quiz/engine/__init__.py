"""What is shown and what it is worth: pure functions of a question, a seed and an answer.

A new type is a module here with `vary`, `grade` and `solution`, named in `TYPES`.
"""

from random import Random

from quiz.engine import choice, match, numeric, order, short
from quiz.engine.base import Answer, Grade, Unreadable, Variant
from quiz.schema import Question

__all__ = ["TYPES", "Answer", "Grade", "Unreadable", "Variant", "grade", "solution", "vary"]

TYPES = {"single": choice, "multi": choice, "numeric": numeric, "order": order, "match": match, "short": short}


def vary(question: Question, seed: int) -> Variant:
    """The question as `seed` shows it. The same seed gives the same variant, on every machine."""
    random = Random(f"{seed}/{question.id}")
    values = {name: random.choice(drawn) for name, drawn in question.params.items()}
    return TYPES[question.type].vary(question, random, values)


def grade(variant: Variant, answer: Answer) -> Grade:
    """Marks an answer. Raises Unreadable for one that says nothing; asking again costs nothing."""
    return TYPES[variant.question.type].grade(variant, answer)


def solution(variant: Variant) -> Answer:
    """An answer that is right. Never shown before the question has been answered."""
    return TYPES[variant.question.type].solution(variant)
