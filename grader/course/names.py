"""Names of people as they come in file names: without case and accents, in any order, umlauts in either spelling."""

import functools
import re
import unicodedata

# Letters that Unicode does not take apart, and how people write them without the key for it.
SPELLED = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ı": "i"}
PLAIN = {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ı": "i"}
WORD = re.compile(r"[^\W_]+")
HUMP = re.compile(r"(?<=[a-zß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])")


@functools.cache
def exact(text: str) -> str:
    """Only letters and digits, in one case and one form of Unicode: "Müller, Jürgen" -> "müllerjürgen"."""
    return "".join(WORD.findall(unicodedata.normalize("NFC", text).casefold()))


@functools.cache
def variants(word: str) -> frozenset[str]:
    """Ways in which a word is spelled without accents: "müller" -> "muller", "mueller"."""
    word = unicodedata.normalize("NFC", word).casefold()
    return frozenset({_ascii(word.translate(str.maketrans(SPELLED))), _ascii(word.translate(str.maketrans(PLAIN)))})


def _ascii(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


@functools.cache
def words(text: str) -> tuple[str, ...]:
    """The words of a name or of a file's name; "AdaLovelace" is two."""
    text = unicodedata.normalize("NFC", text)
    return tuple(word.casefold() for word in WORD.findall(HUMP.sub(" ", text)))


def spellings(text: str) -> set[str]:
    """All spellings of all words of a text, and of each run of letters as it stands."""
    runs = WORD.findall(unicodedata.normalize("NFC", text))
    return {spelled for word in [*words(text), *runs] for spelled in variants(word)}


def same_name(one: str, other: str) -> bool:
    """Whether two whole names are the same but for order, case, accents and punctuation."""
    if variants(exact(one)) & variants(exact(other)):
        return True
    theirs = [variants(word) for word in words(other)]
    ours = [variants(word) for word in words(one)]
    return len(ours) == len(theirs) and all(any(a & b for b in theirs) for a in ours) and bool(ours)
