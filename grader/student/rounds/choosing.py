"""Which exercise a round takes: of the lessons that the quiz says are weak, if it says any, else by chance."""

from collections.abc import Callable, Iterable
from random import Random
from typing import TypeVar

from quiz.notebook import weak_lessons

Thing = TypeVar("Thing")


def weakest_first(things: Iterable[Thing], lesson_of: Callable[[Thing], str], seed: int | None) -> list[Thing]:
    """Shuffled by the seed (None: anew each time), then those of weak lessons first, the weakest lesson at the head."""
    place = {lesson: number for number, lesson in enumerate(weak_lessons())}
    shuffled = list(things)
    Random(seed).shuffle(shuffled)
    return sorted(shuffled, key=lambda thing: place.get(lesson_of(thing), len(place)))
