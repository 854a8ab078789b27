"""One person at one bank: an append-only log of what they did, and the state that follows from it.

Clock, seed and store come from outside. The state is read from the log each time, so that replaying a log
gives the same state.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, Protocol

from quiz.engine import Answer, Grade, Variant, grade, vary
from quiz.errors import QuizError
from quiz.schema import Bank


@dataclass(frozen=True)
class Event:
    """Something a person did with a question. Answers are option ids or typed text, never positions."""

    at: datetime
    lesson: str
    question: str
    seed: int
    kind: Literal["answered", "hinted", "revealed"]
    answer: Answer = ()
    right: bool | None = None


class Store(Protocol):
    """Where events are kept, in the order in which they came."""

    def append(self, event: Event) -> None: ...

    def events(self) -> Sequence[Event]: ...


@dataclass
class MemoryStore:
    """Keeps events as long as the kernel lives."""

    kept: list[Event] = field(default_factory=list)

    def append(self, event: Event) -> None:
        self.kept.append(event)

    def events(self) -> Sequence[Event]:
        return tuple(self.kept)


@dataclass(frozen=True)
class State:
    """Where a person stands with one question."""

    answer: Answer | None = None  # the last one
    grade: Grade | None = None
    hints: int = 0
    revealed: bool = False


class Session:
    """What a widget, a terminal or a test talks to."""

    def __init__(self, bank: Bank, store: Store, seed: int, clock: Callable[[], datetime] = lambda: datetime.now(UTC)):
        self.bank, self._store, self._seed, self._clock = bank, store, seed, clock
        self.variants = {q.id: vary(q, seed) for q in bank.questions}

    def variant(self, question: str) -> Variant:
        """The question as this session shows it. Raises QuizError for one that the bank does not have."""
        if question not in self.variants:
            raise QuizError(f"The quiz {self.bank.lesson} has no question {question!r}.")
        return self.variants[question]

    def answer(self, question: str, answer: Answer) -> Grade:
        """Marks and logs an answer. Raises Unreadable, and logs nothing, when it says nothing."""
        result = grade(self.variant(question), answer)
        self._log(question, "answered", answer, result.right)
        return result

    def hint(self, question: str) -> None:
        """Takes the next hint, if there is one left."""
        if self.state(question).hints < len(self.variant(question).question.hints):
            self._log(question, "hinted")

    def reveal(self, question: str) -> None:
        """Gives the solution up, after an attempt. Raises QuizError before one."""
        if self.state(question).grade is None:
            raise QuizError("Answer first: the solution is shown after an attempt.")
        self._log(question, "revealed")

    def state(self, question: str) -> State:
        """Follows from the log alone. Raises QuizError for a question that the bank does not have."""
        variant = self.variant(question)
        mine = [e for e in self._store.events() if (e.lesson, e.question) == (self.bank.lesson, question)]
        answers = [e.answer for e in mine if e.kind == "answered" and e.seed == self._seed]
        kinds = [e.kind for e in mine]
        last = answers[-1] if answers else None
        return State(last, grade(variant, last) if answers else None, kinds.count("hinted"), "revealed" in kinds)

    def _log(self, question: str, kind, answer: Answer = (), right: bool | None = None) -> None:
        self._store.append(Event(self._clock(), self.bank.lesson, question, self._seed, kind, answer, right))
