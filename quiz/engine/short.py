"""`short`: words compared after everything that does not matter has been taken out of them."""

import re
import unicodedata
from difflib import SequenceMatcher
from random import Random

from quiz.engine.base import Answer, Grade, Unreadable, Variant
from quiz.schema import Short

NEARLY = 0.85  # of the letters in common: a slip of the fingers, if the word is not too short
LONG_ENOUGH = 5
MOST_LETTERS = 200


def vary(question: Short, random: Random, values: dict[str, float]) -> Variant:
    """The question with its parameters."""
    return Variant(question, values=values)


def grade(variant: Variant, answer: Answer) -> Grade:
    """Right when it is one of the accepted answers. What looks misspelt is asked for again, at no cost."""
    typed = normal(str(answer) if isinstance(answer, str) else " ".join(answer))
    if not typed:
        raise Unreadable("Type an answer first: a word or two.")
    if typed in _forms(variant, variant.question.accept):
        return Grade(True, "Right.")
    for trap in variant.question.traps:
        if typed in _forms(variant, trap.accept):
            return Grade(False, "Not yet.", (variant.before(trap.feedback),), (trap.id,))
    if any(_nearly(typed, form) for form in _forms(variant, variant.question.accept)):
        raise Unreadable("Nearly: look at the spelling.")
    return Grade(False, "Not yet: this is none of the answers expected.")


def solution(variant: Variant) -> str:
    """The first of the accepted answers."""
    return variant.before(variant.question.accept[0])


def normal(text: str) -> str:
    """The text without letter case, spaces, quotes, an article, final marks and hyphens within words."""
    text = unicodedata.normalize("NFKC", text[:MOST_LETTERS]).replace("\u2212", "-").casefold().strip()
    text = re.sub(r"^(the|an?)\s+", "", text)
    text = re.sub(r"(?<=[^\W\d_])[-\u2010\u2011\u2013\s]+(?=[^\W\d_])", "", text)
    return re.sub(r"[\s`'\"\u2018\u2019\u201c\u201d]|[.,;:!?]+$", "", text)


def _forms(variant: Variant, texts: list[str]) -> set[str]:
    return {normal(variant.before(text)) for text in texts}


def _nearly(typed: str, form: str) -> bool:
    # Numbers and signs are never slips: `dim=1` is not a misspelt `dim=-1`.
    letters = [re.sub(r"[^\W\d_]", "", text) for text in (typed, form)]
    return (
        letters[0] == letters[1] and len(form) >= LONG_ENOUGH and SequenceMatcher(None, typed, form).ratio() >= NEARLY
    )
