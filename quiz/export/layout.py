"""Lists whose letters people answer with: written as text, since a program may number a list as it likes."""

import string
from collections.abc import Container

from quiz.engine import Variant
from quiz.errors import QuizError
from quiz.export.html import Html


def letters(count: int) -> str:
    """As many letters, from A. Raises QuizError for more than there are."""
    if count > len(string.ascii_uppercase):
        raise QuizError(f"There are not letters enough for {count} parts of one question.")
    return string.ascii_uppercase[:count]


def lettered(variant: Variant, html: Html, only: Container[str] | None = None) -> str:
    """The options, steps or targets in the order shown, each after its letter; all, or those with the ids named."""
    rows = zip(letters(len(variant.options)), variant.options, strict=True)
    wanted = ((letter, option) for letter, option in rows if only is None or option.id in only)
    return "".join(row(letter, html(variant.before(option.text))) for letter, option in wanted)


def row(letter: str, html: str) -> str:
    """A letter and what it stands for, on one line if that is one paragraph."""
    mark = f"<strong>{letter}.</strong>"
    return f"<p>{mark} {html.removeprefix('<p>')}" if html.startswith("<p>") else f"<p>{mark}</p>{html}"
