"""What stands in a Moodle question of each type, after the head that all share."""

import re
import xml.etree.ElementTree as ET

from quiz.engine import Variant
from quiz.engine.numeric import allowed
from quiz.export.html import Html, legal
from quiz.export.layout import lettered, letters
from quiz.export.parts import Parts
from quiz.export.spelling import spellings
from quiz.export.xml import add, add_text
from quiz.formula import evaluate

MENU = re.compile(r"[^<>&$`*_\\\[\]{}|~!]*")  # what Moodle's menus show as it is


def multichoice(element: ET.Element, variant: Variant, pieces: Parts, html: Html) -> None:
    """The right options share the mark; where there are several, a wrong one takes it away."""
    right = sum(option.correct for option in variant.options)
    several = variant.question.type == "multi"
    add(element, "single", "false" if several else "true")
    add(element, "shuffleanswers", "false" if any(o.pinned for o in variant.options) else "true")
    add(element, "answernumbering", "abc")
    _combined(element, "")
    for option in variant.options:
        fraction = f"{100 / right:.7g}" if option.correct else "-100" if several else "0"
        answer = add_text(element, "answer", html(variant.before(option.text)), fraction=fraction, format="html")
        add_text(answer, "feedback", pieces.told_of(option.id), format="html")


def numerical(element: ET.Element, variant: Variant, pieces: Parts, html: Html) -> None:
    """The key first: Moodle takes the first answer that fits."""
    tolerance = variant.question.tolerance
    values = [("100", variant.secrets["answer"], "<p>Right.</p>")]
    traps = variant.question.traps
    values += [("0", evaluate(t.formula, variant.values), pieces.wrongs[t.id].told) for t in traps]
    for fraction, value, told in values:
        answer = add_text(element, "answer", repr(value), fraction=fraction, format="moodle_auto_format")
        add_text(answer, "feedback", told, format="html")
        add(answer, "tolerance", repr(allowed(value, tolerance)))
    for name, value in (("unitgradingtype", "0"), ("unitpenalty", "0.1"), ("showunits", "3"), ("unitsleft", "0")):
        add(element, name, value)


def shortanswer(element: ET.Element, variant: Variant, pieces: Parts, html: Html) -> None:
    """Letter case does not count. A star would stand for anything, so it is escaped."""
    add(element, "usecase", "0")
    groups = [("100", variant.question.accept, "<p>Right.</p>")]
    groups += [("0", trap.accept, pieces.wrongs[trap.id].told) for trap in variant.question.traps]
    for fraction, texts, told in groups:
        for form in spellings(variant.before(text) for text in texts):
            starless = legal(form).replace("*", r"\*")
            answer = add_text(element, "answer", starless, fraction=fraction, format="moodle_auto_format")
            add_text(answer, "feedback", told, format="html")


def ordering(element: ET.Element, variant: Variant, pieces: Parts, html: Html) -> None:
    """The steps in the right order; Moodle shuffles them."""
    steps = variant.question.steps
    settings = {"layouttype": "VERTICAL", "selecttype": "ALL", "selectcount": str(len(steps))}
    settings |= {"gradingtype": "ALL_OR_NOTHING", "showgrading": "HIDE", "numberingstyle": "none"}
    for name, value in settings.items():
        add(element, name, value)
    _combined(element, pieces.told)
    add(element, "shownumcorrect", "1")
    for place, step in enumerate(steps, 1):
        add_text(element, "answer", html(variant.before(step.text)), fraction=str(place), format="html")


def matching(element: ET.Element, variant: Variant, pieces: Parts, html: Html) -> None:
    """An item for each target; targets without an item are further choices in the menus."""
    said = {target.id: " ".join(legal(variant.before(target.text)).split()) for target in variant.options}
    if not all(MENU.fullmatch(text) for text in said.values()):
        element.find("questiontext/text").text += lettered(variant, html)
        said = dict(zip(said, letters(len(said)), strict=True))
    add(element, "shuffleanswers", "true")
    _combined(element, pieces.told)
    pairs = [(html(variant.before(item.text)), said[item.target]) for item in variant.question.items]
    taken = {item.target for item in variant.question.items}
    pairs += [("", text) for target, text in said.items() if target not in taken]
    for text, target in pairs:
        add(add(add_text(element, "subquestion", text, format="html"), "answer"), "text", target)


def _combined(element: ET.Element, told: str) -> None:
    """Feedback for the answer as a whole."""
    add_text(element, "correctfeedback", "<p>Right.</p>", format="html")
    add_text(element, "partiallycorrectfeedback", f"<p>Not yet: a part is right.</p>{told}", format="html")
    add_text(element, "incorrectfeedback", f"<p>Not yet.</p>{told}", format="html")


TYPES = {
    "single": ("multichoice", multichoice),
    "multi": ("multichoice", multichoice),
    "numeric": ("numerical", numerical),
    "order": ("ordering", ordering),
    "match": ("matching", matching),
    "short": ("shortanswer", shortanswer),
}
