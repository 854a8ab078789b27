"""What one person does not know: what they were sure of and had wrong comes first."""

from collections.abc import Sequence
from datetime import datetime

from quiz import schedule
from quiz.engine import vary
from quiz.event import Event
from quiz.reporting.data import misconceptions_of, questions_of, reviews_of, share
from quiz.schema import Bank, Question

CONFIDENCES = ("certain", "fairly", "guess", None)


def of_person(log: Sequence[Event], banks: Sequence[Bank], now: datetime) -> dict:
    """Plain data: `wrong` (surest first), `calibration`, `lessons`, `due`, `next_due`, `unseen`, `removed`.

    Only the first answer of each round counts. Answers to questions that no bank has any more count in
    `calibration` and in `removed`.
    """
    reviews, questions = reviews_of(log), questions_of(banks)
    last = {event.key: event for event in reviews if event.key in questions}
    next_due = schedule.next_due(log, banks, now)
    return {
        "kind": "person",
        "answers": len(reviews),
        "wrong": _wrong(last, questions),
        "calibration": [row for row in (_calibrated(c, reviews) for c in CONFIDENCES) if row["n"]],
        "lessons": [_lesson(bank, last) for bank in banks],
        "due": schedule.due(log, banks, now),
        "next_due": next_due and next_due.isoformat(),
        "unseen": len(schedule.unseen(log, banks, now)),
        "removed": sum(event.key not in questions for event in reviews),
    }


def _wrong(last: dict[str, Event], questions: dict[str, Question]) -> list[dict]:
    missed = [event for event in last.values() if not event.right]
    missed.sort(key=lambda event: CONFIDENCES.index(event.confidence))
    return [_told(event, questions[event.key]) for event in missed]


def _told(event: Event, question: Question) -> dict:
    words = misconceptions_of(question)
    return {
        "key": event.key,
        "lesson": event.lesson,
        "heading": question.heading,
        "prompt": vary(question, event.seed).before(question.prompt),
        "confidence": event.confidence,
        "misconceptions": [words[name] for name in event.misconceptions if name in words],
    }


def _calibrated(confidence: str | None, reviews: Sequence[Event]) -> dict:
    given = [event for event in reviews if event.confidence == confidence]
    right = sum(bool(event.right) for event in given)
    return {"confidence": confidence, "n": len(given), "right": right, "share": share(right, len(given))}


def _lesson(bank: Bank, last: dict[str, Event]) -> dict:
    mine = [event for event in last.values() if event.lesson == bank.lesson]
    right = sum(bool(event.right) for event in mine)
    count = {"questions": len(bank.questions), "answered": len(mine), "right": right}
    return {"lesson": bank.lesson, "title": bank.title, **count, "share": share(right, len(mine))}
