"""Answers as a page has them (positions, text) and as the engine has them (ids, text).

A page knows no ids before an answer: an id may say too much. Choices and steps are positions among what is shown;
a match is, item by item, the position of its target, or -1.
"""

from quiz.engine import Answer, Variant, solution
from quiz.formula import show
from quiz.schema import Match


def from_page(variant: Variant, value) -> list[str] | str:
    """A page's answer as the engine's. What makes no sense is left out, and the engine asks again."""
    if not isinstance(value, list):
        return value if isinstance(value, str) else ""
    ids = [_id_at(variant, position) for position in value]
    if isinstance(variant.question, Match):
        return [f"{item.id}={target}" for item, target in zip(variant.question.items, ids, strict=False) if target]
    return [name for name in ids if name]


def to_page(variant: Variant, answer: Answer) -> list[int] | str:
    """An answer as the page shows it."""
    if isinstance(answer, str):
        return answer
    places = {option.id: i for i, option in enumerate(variant.options)}
    if isinstance(variant.question, Match):
        given = dict(pair.split("=", 1) for pair in answer)
        return [places.get(given.get(item.id, ""), -1) for item in variant.question.items]
    return [places[name] for name in answer if name in places]


def right_answer(variant: Variant) -> list[int] | str:
    """The right answer as the page shows it: a number as people write it."""
    return show(variant.secrets["answer"]) if variant.secrets else to_page(variant, solution(variant))


def _id_at(variant: Variant, position) -> str:
    known = isinstance(position, int) and 0 <= position < len(variant.options)
    return variant.options[position].id if known else ""
