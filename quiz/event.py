"""What a person did with a question, as the log keeps it: one `Event`, one line of JSON."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Literal
from uuid import uuid4

from pydantic import AwareDatetime, Field, TypeAdapter, ValidationError
from pydantic.functional_validators import AfterValidator

from quiz.schema import Question

Confidence = Literal["guess", "fairly", "certain"]
YEARS = range(2000, 2200)  # a date outside of them is a broken one, and dates are added to


def _in_utc(at: datetime) -> datetime:
    if at.year not in YEARS:
        raise ValueError("no such time")
    return at.astimezone(UTC)


@dataclass(frozen=True)
class Event:
    """One thing a person did. Answers are ids or typed text, never positions; `at` is in UTC.

    `right`, `confidence` and `misconceptions` (ids of the distractors met) belong to `answered` alone.
    """

    at: Annotated[AwareDatetime, AfterValidator(_in_utc)]
    lesson: str
    question: str
    round: Annotated[int, Field(ge=0, lt=10**6)]
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    kind: Literal["answered", "hinted", "revealed"]
    form: str  # of the question that was asked: see `form_of`
    answer: tuple[str, ...] | str = ()
    right: bool | None = None
    confidence: Confidence | None = None
    misconceptions: tuple[str, ...] = ()
    id: str = field(default_factory=lambda: uuid4().hex)

    @property
    def key(self) -> str:
        """The question's name among those of all banks."""
        return f"{self.lesson}/{self.question}"

    def to_json(self) -> str:
        """One line of ASCII: an editor that saves in another encoding does no harm."""
        fields = {name: value for name, value in vars(self).items() if name != "at"}
        return json.dumps({"id": self.id, "at": self.at.isoformat(), **fields})


def from_json(line: str | bytes) -> Event | None:
    """The event of a line. None for what this version does not know; a field it does not know is left out."""
    try:
        return _events().validate_json(line)
    except ValidationError:
        return None


def by_key(events: Iterable[Event]) -> dict[str, list[Event]]:
    """The events of each question, in the order in which they were logged."""
    found: dict[str, list[Event]] = {}
    for event in events:
        found.setdefault(event.key, []).append(event)
    return found


_EXPLAINS = {"feedback", "misconception", "mistake", "pinned"}
_NOT_ASKED = {"id", "difficulty", "heading", "hints", "explanation", "source", "traps", "swaps", "confusions"}
_EXCLUDED = dict.fromkeys(_NOT_ASKED, True) | {"options": {"__all__": _EXPLAINS}}


def form_of(question: Question) -> str:
    """A short hash of what is asked and of its key: with another form, an earlier answer is to another question."""
    # Without defaults, so that a field added to the schema changes no form.
    asked = _squeezed(question.model_dump(exclude=_EXCLUDED, exclude_defaults=True))
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:12]


def _squeezed(part):
    """Without the line breaks of the YAML file, which nobody sees."""
    if isinstance(part, dict):
        return [[name, _squeezed(value)] for name, value in part.items()]
    if isinstance(part, list):
        return [_squeezed(one) for one in part]
    return " ".join(part.split()) if isinstance(part, str) else part


@cache
def _events() -> TypeAdapter:
    return TypeAdapter(Event)
