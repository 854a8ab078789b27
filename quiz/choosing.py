"""Which questions a quiz asks: a lesson's first ones, or what is due and then what is new."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import zip_longest
from pathlib import Path

from quiz import schedule
from quiz.bank import FOLDER, load, load_all
from quiz.errors import QuizError
from quiz.event import Event
from quiz.reporting.overview import weakest
from quiz.schema import Bank

ON_THE_SPOT = 3  # a lesson shows the first three questions of its bank; the others are for the quiz as a whole


@dataclass(frozen=True)
class Choice:
    """Questions to ask: their banks and keys, a title, and a line about them (or none)."""

    banks: Sequence[Bank]
    keys: Sequence[str]
    title: str
    intro: str = ""


def of_lesson(lesson: str, most: int = ON_THE_SPOT, folder: Path = FOLDER) -> Choice:
    """A lesson's first questions. Raises QuizError for an unknown lesson or a bank with errors."""
    _check(most)
    bank = load(lesson, folder)
    return Choice([bank], [f"{lesson}/{q.id}" for q in bank.questions[:most]], bank.title)


def whatever_is_due(log: Sequence[Event], most: int, now: datetime | None = None, folder: Path = FOLDER) -> Choice:
    """What is due, weakest first, then what is new, up to `most` questions. Raises QuizError for less than one."""
    _check(most)
    now = now or datetime.now(UTC)
    banks = load_all(folder)
    due, new = schedule.due(log, banks, now), schedule.unseen(log, banks, now)
    keys = [*due, *new][:most]
    return Choice(banks, keys, "Your quiz", intro(len(due), len(new), schedule.next_due(log, banks, now), len(keys)))


def by_weakness(log: Sequence[Event], most: int, now: datetime | None = None, folder: Path = FOLDER) -> Choice:
    """A round over all lessons: what is due, weakest first, then one new question a lesson in turn, weak lessons first.

    Raises QuizError for less than one question.
    """
    _check(most)
    now = now or datetime.now(UTC)
    banks = load_all(folder)
    due, new = schedule.due(log, banks, now), schedule.unseen(log, banks, now)
    weak = weakest(log, banks, now)
    keys = [*due, *_in_turn(new, [*weak, *(bank.lesson for bank in banks if bank.lesson not in weak)])][:most]
    said = intro(len(due), len(new), schedule.next_due(log, banks, now), len(keys))
    return Choice(banks, keys, "A round by weakness", said)


def _in_turn(keys: Sequence[str], lessons: Sequence[str]) -> list[str]:
    """The first key of each lesson, then the second of each, and so on."""
    piles = [[key for key in keys if key.startswith(f"{lesson}/")] for lesson in lessons]
    return [key for layer in zip_longest(*piles) for key in layer if key]


def intro(due: int, new: int, later: date | None, asked: int) -> str:
    """How things stand, in a sentence or two."""
    counts = f"{due} due today, {new} new"
    here = f"; here {'is' if asked == 1 else 'are'} {asked}" if asked < due + new else ""
    then = f" The next one is due on {later.day} {later:%B}." if later else ""
    return f"{counts}{here}.{then}" if asked else f"Nothing is due today, and nothing is new.{then}"


def _check(most: int) -> None:
    if most < 1:
        raise QuizError(f"`most` is the number of questions, 1 or more; {most!r} asks for none.")
