"""`single` and `multi`: shuffled, and marked by option ids."""

from random import Random

from quiz.engine.base import Answer, Grade, Unreadable, Variant
from quiz.schema.choice import Choice, Multi


def vary(question: Choice, random: Random, values: dict[str, float]) -> Variant:
    """The options in the order that `random` gives; pinned ones stay where the bank has them."""
    loose = [o for o in question.options if not o.pinned]
    random.shuffle(loose)
    return Variant(question, tuple(o if o.pinned else loose.pop() for o in question.options), values)


def grade(variant: Variant, answer: Answer) -> Grade:
    """Right when exactly the right options are chosen. A wrong answer is told about its own choices only."""
    chosen = _chosen(variant, answer)
    wrong = [o for o in variant.options if o.id in chosen and not o.correct]
    missing = [o for o in variant.options if o.id not in chosen and o.correct]
    if wrong or missing:
        counts = ((len(wrong), "ticked wrongly"), (len(missing), "missing"))
        told = ", ".join(f"{n} {what}" for n, what in counts if n) if isinstance(variant.question, Multi) else ""
        verdict = f"Not yet: {told}." if told else "Not yet."
        return Grade(False, verdict, _feedback(variant, wrong), tuple(o.id for o in wrong))
    return Grade(True, "Right.", _feedback(variant, [o for o in variant.options if o.correct]))


def solution(variant: Variant) -> list[str]:
    """The ids of the right options, in the order shown."""
    return [o.id for o in variant.options if o.correct]


def _chosen(variant: Variant, answer: Answer) -> set[str]:
    chosen = ({answer} if isinstance(answer, str) else set(answer)) - {""}
    if strangers := chosen - {o.id for o in variant.options}:
        raise Unreadable(f"This question has no option {', '.join(sorted(strangers))}.")
    if not chosen:
        raise Unreadable("Choose an answer first.")
    if len(chosen) > 1 and not isinstance(variant.question, Multi):
        raise Unreadable("Choose one answer only.")
    return chosen


def _feedback(variant: Variant, options: list) -> tuple[str, ...]:
    return tuple(variant.before(o.feedback) for o in options if o.feedback)
