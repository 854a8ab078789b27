"""What every store does, and the one that keeps nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from quiz.errors import QuizError
from quiz.event import Event


class StoreError(QuizError):
    """Events could not be kept; they are still in memory, and the session goes on."""


class Store(Protocol):
    """Keeps events in the order in which they came."""

    def append(self, event: Event) -> None:
        """Keeps an event. Raises StoreError when it is in memory only; a later call tries again."""

    def events(self) -> Sequence[Event]:
        """All of them, those in memory included. Never raises; the same object while there is nothing new."""


@dataclass
class MemoryStore:
    """Keeps events as long as the process lives."""

    kept: list[Event] = field(default_factory=list)

    def append(self, event: Event) -> None:
        """Keeps an event."""
        self.kept.append(event)

    def events(self) -> Sequence[Event]:
        """All of them."""
        return tuple(self.kept)
