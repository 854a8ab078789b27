"""One person at some questions: an append-only log of what they did, and the state that follows from it.

Clock, person and store come from outside. The state is read from the log each time, so that replaying a log
gives the same state, and what another notebook logs is seen here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from quiz.engine import Answer, Grade, Unreadable, Variant, grade
from quiz.errors import QuizError
from quiz.event import Confidence, Event, by_key
from quiz.rounds import Asked, asked, was_another
from quiz.schema import Bank
from quiz.store import MemoryStore, Store, StoreError

__all__ = ["Event", "MemoryStore", "Session", "State", "Store"]

MOST_LETTERS = 1000  # of a typed answer


@dataclass(frozen=True)
class State:
    """Where a person stands with one question in its present round."""

    answer: Answer | None = None  # the last one
    grade: Grade | None = None
    confidence: Confidence | None = None  # of the last answer
    hints: int = 0
    revealed: bool = False
    changed: bool = False  # it was answered before, but was another question then


class Session:
    """What a widget, a terminal or a test talks to. Questions go by their keys, "lesson/question"."""

    def __init__(
        self,
        banks: Sequence[Bank],
        store: Store,
        person: int,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        keys: Sequence[str] | None = None,
        title: str | None = None,
    ):
        """Asks the questions `keys`, or all of `banks`. Raises QuizError for a key that no bank has."""
        self._store, self._clock, self._log = store, clock, ((), {})
        self.title = title or (banks[0].title if len(banks) == 1 else "Quiz")
        self._failed: str | None = None
        known = {f"{bank.lesson}/{q.id}": (bank.lesson, q) for bank in banks for q in bank.questions}
        self.keys = tuple(known if keys is None else keys)
        if strangers := [key for key in self.keys if key not in known]:
            raise QuizError(f"There is no question {', '.join(map(repr, strangers))} in this quiz.")
        now = clock()
        self._asked = {key: asked(*known[key], self._events(key), person, now) for key in self.keys}

    @property
    def unsaved(self) -> str | None:
        """Why the last event is in memory only; None when all is kept."""
        return getattr(self._store, "trouble", self._failed)  # a store that tries again by itself knows better

    def variant(self, key: str) -> Variant:
        """The question as this session shows it. Raises QuizError for one that the session does not have."""
        return self._ask(key).variant

    def answer(self, key: str, answer: Answer, confidence: Confidence | None = None) -> Grade:
        """Marks and logs an answer. Raises Unreadable, and logs nothing, when it says nothing."""
        if isinstance(answer, str) and len(answer) > MOST_LETTERS:
            raise Unreadable("That is too long for an answer.")
        result = grade(self.variant(key), answer)
        given = answer if isinstance(answer, str) else tuple(answer)
        marks = {"right": result.right, "misconceptions": result.misconceptions}
        self._append(key, "answered", answer=given, confidence=confidence, **marks)
        return result

    def hint(self, key: str) -> None:
        """Takes the next hint, if there is one left."""
        if self.state(key).hints < len(self.variant(key).question.hints):
            self._append(key, "hinted")

    def reveal(self, key: str) -> None:
        """Gives the solution up, after an attempt. Raises QuizError before one."""
        if self.state(key).grade is None:
            raise QuizError("Answer first: the solution is shown after an attempt.")
        self._append(key, "revealed")

    def state(self, key: str) -> State:
        """Follows from the log alone. Raises QuizError for a question that the session does not have."""
        ask, events = self._ask(key), self._events(key)
        mine = [e for e in events if (e.round, e.form, e.seed) == (ask.round, ask.form, ask.seed)]
        marked = [(e, result) for e in mine if e.kind == "answered" and (result := _marked(ask.variant, e))]
        last, result = marked[-1] if marked else (None, None)
        kinds = [e.kind for e in mine]
        hints = min(kinds.count("hinted"), len(ask.variant.question.hints))
        if last is None:
            return State(hints=hints, changed=was_another(events, ask))
        return State(last.answer, result, last.confidence, hints, "revealed" in kinds)

    def _ask(self, key: str) -> Asked:
        if key not in self._asked:
            raise QuizError(f"This quiz has no question {key!r}.")
        return self._asked[key]

    def _events(self, key: str) -> list[Event]:
        events = self._store.events()
        if events is not self._log[0]:
            self._log = events, by_key(events)
        return self._log[1].get(key, [])

    def _append(self, key: str, kind: str, **more) -> None:
        ask = self._ask(key)
        name = ask.variant.question.id
        event = Event(self._clock(), ask.lesson, name, ask.round, ask.seed, kind, ask.form, **more)
        try:
            self._store.append(event)
            self._failed = None
        except StoreError as error:
            self._failed = str(error)


def _marked(variant: Variant, event: Event) -> Grade | None:
    try:
        return grade(variant, event.answer)
    except QuizError:  # a log that somebody wrote by hand
        return None
