"""Moodle XML: a category for each lesson, all six types as Moodle's own.

single, multi: `multichoice`, each option with its feedback. Moodle has no all-or-nothing in its core: with several
right options one gets a part of the mark for each, and a wrong one takes the whole mark away.
numeric: `numerical`, the tolerance in absolute terms, each trap an answer worth 0 with its feedback.
short: `shortanswer`, all spellings that the quiz takes, each trap an answer worth 0 with its feedback.
order: `ordering` (in Moodle's core since 4.4), all or nothing. match: `matching`; Moodle's menus show plain text only,
so targets with mathematics or code are lettered in the question, and the menus hold the letters. Neither can tell
which wrong answer was given: what the bank says of them all is the feedback for any that is not right.
"""

import xml.etree.ElementTree as ET
from collections import Counter

from quiz.engine import Variant
from quiz.export.batch import Batch
from quiz.export.html import Html, legal
from quiz.export.moodle_types import TYPES
from quiz.export.parts import Parts, parts, tags, title
from quiz.export.xml import add, add_text
from quiz.schema import Bank

FILE = "quiz.xml"
TOP = "top/Transformer internals"  # under which the lessons' categories come
HOW = {
    "single": "multichoice, feedback with each option",
    "multi": "multichoice with several answers, feedback with each option; a part of the mark for a part of the answer",
    "numeric": "numerical, with tolerance, and feedback for each trap",
    "order": "ordering, all or nothing; the swaps' feedback together",
    "match": "matching, a part of the mark for a part of the answer; the confusions' feedback together",
    "short": "shortanswer in all its spellings, and feedback for each trap",
}
LOST = (
    "formulas and the other values of parameters (the seed's are filled in)",
    "confidence",
    "nearly-right spellings",
)


def export(batch: Batch) -> tuple[bytes, Counter]:
    """The file's content, and how many questions of each type it has."""
    quiz, html, made = ET.Element("quiz"), Html(), Counter()
    for bank in batch.banks:
        _category(quiz, bank)
        for variant in batch.variants(bank):
            _question(quiz, bank, variant, html)
            made[variant.question.type] += 1
    ET.indent(quiz)
    return ET.tostring(quiz, encoding="utf-8", xml_declaration=True) + b"\n", made


def _category(quiz: ET.Element, bank: Bank) -> None:
    category = add(quiz, "question", type="category")
    add(add(category, "category"), "text", f"{TOP}/{bank.lesson}")
    add_text(category, "info", title(bank), format="plain_text")
    add(category, "idnumber", bank.lesson)


def _question(quiz: ET.Element, bank: Bank, variant: Variant, html: Html) -> None:
    pieces, (kind, body) = parts(bank, variant, html), TYPES[variant.question.type]
    question = add(quiz, "question", type=kind)
    _head(question, pieces)
    body(question, variant, pieces, html)
    for hint in pieces.hints:
        add_text(question, "hint", hint, format="html")
    labels = add(question, "tags")
    for tag in tags(bank, variant.question):
        add_text(labels, "tag", legal(tag))


def _head(question: ET.Element, pieces: Parts) -> None:
    add_text(question, "name", pieces.key)
    add_text(question, "questiontext", pieces.question, format="html")
    add_text(question, "generalfeedback", pieces.closing, format="html")
    for name, value in (("defaultgrade", "1"), ("penalty", "0.3333333"), ("hidden", "0"), ("idnumber", pieces.key)):
        add(question, name, value)
