"""What gives a question away before its answer: for tests that look for it where it must not be."""

import json

from quiz.render import block
from quiz.view import public

PARTS = ("options", "steps", "items", "targets", "traps", "swaps", "confusions")


def secrets_of(variant) -> list[str]:
    """Texts shown after the answer only, names of options and other parts, the words themselves.

    Not the number, which may stand in a page by chance: that nothing follows from it is tested on its own.
    """
    question = variant.question
    parts = [part for name in PARTS for part in getattr(question, name, [])]
    told = [getattr(p, name, None) for p in parts for name in ("feedback", "misconception", "mistake")]
    shown = " ".join([question.prompt, question.setting or "", *(getattr(p, "text", "") for p in parts)])
    ids = [p.id for p in parts if p.id not in shown and p.id not in public("", variant)]  # a field may be called so
    words = [f'"{text}"' for text in getattr(question, "accept", [])]
    long = [question.explanation, question.source, *question.hints, *filter(None, told)]
    pieces = [piece for text in long for piece in _pieces(variant, text)]
    return [*(f'"{name}"' for name in ids), *words, *pieces]


def _pieces(variant, text: str) -> list[str]:
    """The text as written and as shown, each cut to its first words, so that no mark-up hides it."""
    return [part for part in (text[:30], json.dumps(block(variant.after(text)), ensure_ascii=False)[1:31]) if part]
