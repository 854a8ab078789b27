"""`match`: targets shuffled; an answer is a list of "item=target"."""

from random import Random

from quiz.engine.base import Answer, Grade, Unreadable, Variant
from quiz.schema import Match


def vary(question: Match, random: Random, values: dict[str, float]) -> Variant:
    """The items as the bank has them, the targets shuffled."""
    targets = list(question.targets)
    random.shuffle(targets)
    return Variant(question, tuple(targets), values)


def grade(variant: Variant, answer: Answer) -> Grade:
    """Right when every item has its target. A wrong match that the bank knows is explained."""
    given = _given(variant, answer)
    wrong = {i.id for i in variant.question.items if given[i.id] != i.target}
    if not wrong:
        return Grade(True, "Right.")
    met = [c for c in variant.question.confusions if c.item in wrong and given[c.item] == c.target]
    verdict = f"Not yet: {len(given) - len(wrong)} of {len(given)} right."
    return Grade(False, verdict, tuple(variant.before(c.feedback) for c in met), tuple(c.id for c in met))


def solution(variant: Variant) -> list[str]:
    """Every item with its target."""
    return [f"{i.id}={i.target}" for i in variant.question.items]


def _given(variant: Variant, answer: Answer) -> dict[str, str]:
    pairs = [answer] if isinstance(answer, str) else list(answer)
    given = dict(str(pair).partition("=")[::2] for pair in pairs)
    items, targets = {i.id for i in variant.question.items}, {t.id for t in variant.options}
    if set(given) - items or set(given.values()) - targets:
        raise Unreadable("This question has no such item or match.")
    if len(given) < len(pairs):
        raise Unreadable("Each item has one match.")
    if missing := items - set(given):
        raise Unreadable(f"Match every line: {len(missing)} left.")
    return given
