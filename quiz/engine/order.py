"""`order`: steps shuffled, and marked by the ids in the order given."""

from random import Random

from quiz.engine.base import Answer, Grade, Unreadable, Variant
from quiz.schema import Order


def vary(question: Order, random: Random, values: dict[str, float]) -> Variant:
    """The steps in an order that is not the right one."""
    shown = list(question.steps)
    while shown == question.steps:
        random.shuffle(shown)
    return Variant(question, tuple(shown), values)


def grade(variant: Variant, answer: Answer) -> Grade:
    """Right when every step is in its place. A wrong order is told of the bank's swaps that are in it."""
    given, right = _given(variant, answer), solution(variant)
    if given == right:
        return Grade(True, "Right.")
    place = {name: i for i, name in enumerate(given)}
    met = [s for s in variant.question.swaps if place[s.first] < place[s.then]]
    at_home = sum(a == b for a, b in zip(given, right, strict=True))
    verdict = f"Not yet: {at_home} of {len(right)} in place."
    return Grade(False, verdict, tuple(variant.before(s.feedback) for s in met), tuple(s.id for s in met))


def solution(variant: Variant) -> list[str]:
    """The ids of the steps, first to last."""
    return [s.id for s in variant.question.steps]


def _given(variant: Variant, answer: Answer) -> list[str]:
    given = [answer] if isinstance(answer, str) else list(answer)
    known = {s.id for s in variant.options}
    if strangers := [g for g in given if g not in known]:
        raise Unreadable(f"This question has no step {', '.join(sorted(map(str, strangers)))}.")
    if len(set(given)) != len(given):
        raise Unreadable("Each step has one place.")
    if len(given) < len(known):
        raise Unreadable(f"Give every step a place: {len(known) - len(given)} left.")
    return given
