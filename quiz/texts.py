"""Every text of a question, with the field it stands in: for what has to look at all of them, such as the linter."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from quiz.engine.base import Variant
from quiz.render import block, phrasing
from quiz.schema import Question

# The parts of a question that have texts of their own, and which of their fields are shown.
_PARTS = ("options", "steps", "swaps", "items", "targets", "confusions", "traps")
_SHOWN = {"text": phrasing, "misconception": phrasing, "feedback": block}


@dataclass(frozen=True)
class Place:
    """A text, its field, how it becomes HTML, and how its parameters are filled in."""

    field: str
    text: str
    render: Callable[[str], str]
    fill: Callable[[Variant, str], str] = Variant.before


def texts(question: Question) -> Iterator[Place]:
    """All texts that somebody may see, in the order of the file."""
    yield from _common(question)
    yield from (Place(f"accept[{i}]", text, str) for i, text in enumerate(getattr(question, "accept", [])))
    for part in _PARTS:
        for i, one in enumerate(getattr(question, part, [])):
            yield from _of_part(one, f"{part}[{i}]")


def _common(question: Question) -> Iterator[Place]:
    yield Place("prompt", question.prompt, phrasing)
    if question.setting:
        yield Place("setting", question.setting, block)
    yield from (Place(f"hints[{i}]", hint, block) for i, hint in enumerate(question.hints))
    yield Place("explanation", question.explanation, block, Variant.after)
    yield Place("source", question.source, block, Variant.after)


def _of_part(part, field: str) -> Iterator[Place]:
    for name, render in _SHOWN.items():
        if text := getattr(part, name, None):
            yield Place(f"{field}.{name}", text, render)
    yield from (Place(f"{field}.accept[{i}]", text, str) for i, text in enumerate(getattr(part, "accept", [])))
