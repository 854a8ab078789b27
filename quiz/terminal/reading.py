"""What is typed, as the engine's answer: letters for choices and steps, a letter a line for a match, text as it is."""

import re
from string import ascii_uppercase

from quiz.engine import Answer, Unreadable, Variant

ASK = {
    "single": "Your letter",
    "multi": "Your letters, as in: a c",
    "order": "All letters, the first step first, as in: b a c",
    "match": "A letter for each line, as in: 1b 2a 3c",
    "numeric": "Your number",
    "short": "Your answer",
}


def answer_of(variant: Variant, typed: str) -> Answer:
    """The answer that was typed. Raises Unreadable for letters that are not there, or too few of them."""
    kind = variant.question.type
    if kind in ("numeric", "short"):
        return typed
    if kind == "match":
        return _pairs(variant, typed)
    return [_option(variant, letter) for letter in _letters(typed)]


def _pairs(variant: Variant, typed: str) -> list[str]:
    items = variant.question.items
    pairs = re.findall(r"(\d+)\W*([a-z])", typed, re.IGNORECASE)
    if not pairs:
        pairs = [(str(i), letter) for i, letter in enumerate(_letters(typed), 1)]
    if wrong := [number for number, _ in pairs if not 1 <= int(number) <= len(items)]:
        raise Unreadable(f"There is no line {wrong[0]}: they go from 1 to {len(items)}.")
    return [f"{items[int(number) - 1].id}={_option(variant, letter)}" for number, letter in pairs]


def _letters(typed: str) -> list[str]:
    return re.findall(r"[^\s,;.]", typed)


def _option(variant: Variant, letter: str) -> str:
    place = ascii_uppercase.find(letter.upper())
    if not 0 <= place < len(variant.options):
        raise Unreadable(
            f"There is no {letter} here: the letters go from A to {ascii_uppercase[len(variant.options) - 1]}."
        )
    return variant.options[place].id
