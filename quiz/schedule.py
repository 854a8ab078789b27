"""When a question comes back: FSRS, replayed from the log each time, never stored.

The first answer of a round is the review; later ones in the round are practice. FSRS counts in whole days, and
so does this: a day begins at four in the morning, local time, and what is due today is due all day.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from fsrs import Card, Rating, Scheduler

from quiz.event import Event, by_key, form_of
from quiz.schema import Bank

# Without steps within a day, what was missed is due the next day.
_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
_DAY_BEGINS = timedelta(hours=4)
_SURELY_WRONG = timedelta(days=1)  # a review later than now by more than this: the clock was wrong


@dataclass(frozen=True)
class Standing:
    """What the log says of one question that has been reviewed."""

    card: Card
    last: Event  # the last review

    @property
    def due(self) -> date:
        """The day on which it comes back."""
        return self.card.due.date()

    @property
    def surely_wrong(self) -> bool:
        """The last review was wrong, and given as certain."""
        return self.last.right is False and self.last.confidence == "certain"

    def is_due(self, now: datetime) -> bool:
        """Whether it comes back today. So it does when its review lies in the future: the clock was wrong."""
        today = study_day(now)
        return self.card.due <= today or self.card.last_review > today + _SURELY_WRONG

    def retrievability(self, now: datetime) -> float:
        """The chance that the person still knows it, from 0 to 1, as FSRS has it."""
        return float(_SCHEDULER.get_card_retrievability(self.card, study_day(now)))


def card(events: Iterable[Event], key: str) -> Standing | None:
    """Where a question stands; None if it has not been answered."""
    return standing([event for event in events if event.key == key])


def due(log: Iterable[Event], banks: Sequence[Bank], now: datetime) -> list[str]:
    """The keys that are due, weakest first: what the person was sure of and had wrong, then what fades most."""
    standings = _standings(log, banks)
    waiting = [key for key, one in standings.items() if one.is_due(now)]
    return sorted(waiting, key=lambda key: (not standings[key].surely_wrong, standings[key].retrievability(now)))


def unseen(log: Iterable[Event], banks: Sequence[Bank], now: datetime) -> list[str]:
    """The keys that have no answer in their present form and are not due, in the banks' order."""
    log = list(log)
    answered = {(e.key, e.form) for e in log if e.kind == "answered"}
    fresh = [(f"{bank.lesson}/{q.id}", form_of(q)) for bank in banks for q in bank.questions]
    waiting = set(due(log, banks, now))
    return [key for key, form in fresh if (key, form) not in answered and key not in waiting]


def next_due(log: Iterable[Event], banks: Sequence[Bank], now: datetime) -> date | None:
    """The first day after today on which a question is due; None if no question waits."""
    days = [one.due for one in _standings(log, banks).values() if not one.is_due(now)]
    return min(days, default=None)


def standing(events: Sequence[Event]) -> Standing | None:
    """Where one question stands after its events; None if it has not been answered."""
    now, last = Card(card_id=0, due=datetime(2000, 1, 1, tzinfo=UTC)), None
    for review, hinted in _reviews(events):
        # Where the clock went back, FSRS takes it that no day has passed.
        now, _ = _SCHEDULER.review_card(now, rating(review, hinted), study_day(review.at))
        last = review
    return Standing(now, last) if last else None


def rating(review: Event, hinted: bool) -> Rating:
    """A review in FSRS's words."""
    if not review.right:
        return Rating.Again
    if hinted or review.confidence == "guess":
        return Rating.Hard
    return Rating.Easy if review.confidence == "certain" else Rating.Good


def study_day(at: datetime) -> datetime:
    """The day to which a time belongs, as midnight UTC, which is how FSRS wants its days."""
    local = at.astimezone() - _DAY_BEGINS
    return datetime(local.year, local.month, local.day, tzinfo=UTC)


def _reviews(events: Sequence[Event]) -> Iterable[tuple[Event, bool]]:
    """Each round's first answer, and whether a hint was taken before it."""
    done, hinted = set(), set()
    for event in sorted(events, key=lambda e: e.round):  # an imported log may have put earlier rounds last
        if event.kind == "hinted":
            hinted.add(event.round)
        elif event.kind == "answered" and event.round not in done:
            done.add(event.round)
            yield event, event.round in hinted


def _standings(log: Iterable[Event], banks: Sequence[Bank]) -> dict[str, Standing]:
    events = by_key(log)
    keys = [f"{bank.lesson}/{q.id}" for bank in banks for q in bank.questions]
    found = {key: standing(events[key]) for key in keys if key in events}
    return {key: one for key, one in found.items() if one}
