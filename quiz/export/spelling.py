"""Other programs compare a typed answer letter by letter; the engine does not. So its spellings are written out."""

import re
from collections.abc import Iterable

from quiz.engine.short import normal

GAP = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011\u2013\s]+(?=[^\W\d_])")  # within and between words
ARTICLE = re.compile(r"^(the|an?)\s+", re.IGNORECASE)


def spellings(texts: Iterable[str]) -> list[str]:
    """The answers, each with and without its hyphens, spaces, quotes and article; letter case is left to the reader."""
    found: dict[str, str] = {}
    for text in texts:
        bare = text.strip("`'\"\u2018\u2019\u201c\u201d ")
        for form in [text, *_forms(bare), *_forms(ARTICLE.sub("", bare))]:
            if normal(form) == normal(text):
                found.setdefault(form.casefold(), form)
    return list(found.values())


def _forms(text: str) -> list[str]:
    return [text, *(GAP.sub(mark, text) for mark in ("-", " ", "")), re.sub(r"\s+", "", text)]
