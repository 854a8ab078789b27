"""In which round a question is, and how that round asks it: follows from the log, the person and the day.

A question is in round 0 until it has been answered and is due again, or has changed: then in round 1, with another
seed, and so on.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from quiz import schedule
from quiz.engine import Variant, vary
from quiz.event import Event, form_of
from quiz.schema import Question


@dataclass(frozen=True)
class Asked:
    """A question as a session asks it: its round is fixed when the session is made."""

    lesson: str
    variant: Variant
    round: int
    seed: int
    form: str


def asked(lesson: str, question: Question, events: Sequence[Event], person: int, now: datetime) -> Asked:
    """The question as a session made `now` asks it."""
    form = form_of(question)
    round = round_of(events, form, now)
    begun = [event.seed for event in events if (event.round, event.form) == (round, form)]
    seed = begun[0] if begun else seed_of(person, f"{lesson}/{question.id}", round)
    return Asked(lesson, vary(question, seed), round, seed, form)


def seed_of(person: int, key: str, round: int) -> int:
    """The seed of a round that nobody has begun: the same on every machine for the same person."""
    return int.from_bytes(hashlib.sha256(f"{person}/{key}/{round}".encode()).digest()[:4])


def round_of(events: Sequence[Event], form: str, now: datetime) -> int:
    """The last round there is, or the next one if that is over: answered and due again, or asked in another form."""
    if not events:
        return 0
    last = max(event.round for event in events)
    begun = [event for event in events if event.round == last]
    reviewed = any(event.kind == "answered" for event in begun)
    over = begun[-1].form != form or (reviewed and schedule.standing(events).is_due(now))
    return last + over


def was_another(events: Sequence[Event], ask: Asked) -> bool:
    """Whether the last answer of an earlier round was to another form of the question."""
    answered = [event for event in events if event.kind == "answered" and event.round < ask.round]
    return bool(answered) and answered[-1].form != ask.form
