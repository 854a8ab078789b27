"""How a person stands with each lesson's questions: what is due, what was wrong, what nobody has asked yet."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from quiz import schedule
from quiz.event import Event
from quiz.reporting.data import questions_of, reviews_of
from quiz.schema import Bank


def of_lessons(log: Sequence[Event], banks: Sequence[Bank], now: datetime) -> dict:
    """Plain data: for each lesson its number of `questions`, how many are `due`, `weak` and `unseen`.

    Weak: wrong at the first try of its last round.
    """
    due, unseen = (Counter(map(_lesson, keys(log, banks, now))) for keys in (schedule.due, schedule.unseen))
    questions = questions_of(banks)
    last = {event.key: event for event in reviews_of(log) if event.key in questions}
    weak = Counter(event.lesson for event in last.values() if not event.right)
    rows = [
        {
            "lesson": bank.lesson,
            "title": bank.title,
            "questions": len(bank.questions),
            "due": due[bank.lesson],
            "weak": weak[bank.lesson],
            "unseen": unseen[bank.lesson],
        }
        for bank in banks
    ]
    return {"kind": "lessons", "lessons": rows, "removed": 0}


def weakest(log: Sequence[Event], banks: Sequence[Bank], now: datetime) -> list[str]:
    """The lessons of which something was wrong, the largest share of the answers first."""
    rows = of_lessons(log, banks, now)["lessons"]
    share = {row["lesson"]: row["weak"] / max(1, row["questions"] - row["unseen"]) for row in rows if row["weak"]}
    return sorted(share, key=share.get, reverse=True)


def _lesson(key: str) -> str:
    return key.partition("/")[0]
