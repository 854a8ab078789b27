"""What both reports ask of a bank and of a log."""

from collections.abc import Iterable, Sequence

from quiz.event import Event
from quiz.schema import Bank, Question


def questions_of(banks: Sequence[Bank]) -> dict[str, Question]:
    """Every question by its key."""
    return {f"{bank.lesson}/{q.id}": q for bank in banks for q in bank.questions}


def misconceptions_of(question: Question) -> dict[str, str]:
    """What each of its distractors, traps, swaps or confusions stands for, by the id that logs use."""
    parts = [p for name in ("options", "traps", "swaps", "confusions") for p in getattr(question, name, [])]
    return {part.id: part.misconception for part in parts if part.misconception}


def reviews_of(events: Iterable[Event]) -> list[Event]:
    """The first answer of each round: later ones had feedback."""
    first: dict[tuple, Event] = {}
    for event in events:
        if event.kind == "answered":
            first.setdefault((event.key, event.round), event)
    return list(first.values())


def share(right: int, n: int) -> float | None:
    """The part that is right, from 0 to 1; None of nothing."""
    return round(right / n, 3) if n else None
