"""A question, its solution and what was said to an answer, as lines for a terminal."""

from collections.abc import Iterator
from string import ascii_uppercase

from quiz import teaching
from quiz.engine import Variant
from quiz.exchange import right_answer
from quiz.session import Session
from quiz.terminal.plain import plain
from quiz.view import HOW, after, feedback, may_be_told_where

CHANGED = "(This question was changed since you answered it: it is asked anew.)"


def question(session: Session, key: str, width: int) -> str:
    """All that one needs to answer."""
    variant, state = session.variant(key), session.state(key)
    asked = variant.question
    parts = [plain(variant.before(asked.setting), width)] if asked.setting else []
    parts += [plain(variant.before(asked.prompt), width), "\n".join(_rows(variant, width))]
    unit = f" ({asked.unit})" if getattr(asked, "unit", None) else ""
    return "\n\n".join(filter(None, [CHANGED if state.changed else "", *parts, HOW[asked.type] + unit]))


def verdict(session: Session, key: str, width: int) -> str:
    """What is said to the last answer."""
    variant, state = session.variant(key), session.state(key)
    sign = "✓" if state.grade.right else "✗"
    return "\n\n".join([f"{sign} {state.grade.verdict}", *(plain(t, width) for t in feedback(variant, state))])


def hint(session: Session, key: str, width: int) -> str:
    """The last hint that was taken."""
    variant, state = session.variant(key), session.state(key)
    total = len(variant.question.hints)
    return plain(f"Hint {state.hints} of {total}: {variant.before(variant.question.hints[state.hints - 1])}", width)


def explained(variant: Variant, width: int) -> str:
    """The right answer and why it is right."""
    return f"The answer: {_right(variant)}\n\n{plain(after(variant), width)}"


def taught(session: Session, key: str) -> str:
    """Where the lesson teaches it, once that may be said; "" where there is no notebook."""
    variant = session.variant(key)
    where = may_be_told_where(variant, session.state(key)) and teaching.link(key, variant.question)
    if not where:
        return ""
    heading = f", “{where['heading']}”" if where["heading"] else ""
    return f"This is taught in {where['shown']}{heading}."


def _rows(variant: Variant, width: int) -> Iterator[str]:
    for i, item in enumerate(getattr(variant.question, "items", []), 1):
        yield _row(f"  {i}  ", variant.before(item.text), width)
    for letter, option in zip(ascii_uppercase, variant.options, strict=False):
        yield _row(f"  {letter}  ", variant.before(option.text), width)


def _row(mark: str, markdown: str, width: int) -> str:
    return mark + plain(markdown, width, " " * len(mark)).lstrip()


def _right(variant: Variant) -> str:
    right = right_answer(variant)
    if isinstance(right, str):
        return right
    letters = [ascii_uppercase[i] for i in right]
    if variant.question.type == "match":
        return " ".join(f"{i}{letter}" for i, letter in enumerate(letters, 1))
    return " ".join(letters)
