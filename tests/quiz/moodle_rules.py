"""What Moodle's importer asks of a question file, written down from its documentation and behaviour.

There is no schema, and no library on PyPI that reads more than `multichoice` and `cloze`; Moodle skips in silence what
it does not know, so here everything that is not known is an error. `mark` is how Moodle then marks.
"""

import math
import re
import xml.etree.ElementTree as ET

HEAD = {"name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden", "idnumber", "hint", "tags"}
COMBINED = {"correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"}
OF_TYPE = {
    "multichoice": COMBINED | {"single", "shuffleanswers", "answernumbering", "answer"},
    "numerical": {"answer", "unitgradingtype", "unitpenalty", "showunits", "unitsleft"},
    "shortanswer": {"usecase", "answer"},
    "matching": COMBINED | {"shuffleanswers", "subquestion"},
    "ordering": COMBINED
    | {"layouttype", "selecttype", "selectcount", "gradingtype", "showgrading", "numberingstyle", "shownumcorrect"}
    | {"answer"},
}
INSIDE = {"answer": {"text", "feedback", "tolerance"}, "subquestion": {"text", "answer"}, "tags": {"tag"}}
MANY = {"hint", "answer", "subquestion"}
FORMATS = {"html", "plain_text", "moodle_auto_format", "markdown", None}
VALUES = {
    "single": {"true", "false"},
    "shuffleanswers": {"true", "false"},
    "answernumbering": {"none", "abc", "ABCD", "123", "iii", "IIII"},
    "usecase": {"0", "1"},
    "layouttype": {"VERTICAL", "HORIZONTAL"},
    "selecttype": {"ALL", "RANDOM", "CONTIGUOUS"},
    "gradingtype": {"ALL_OR_NOTHING", "ABSOLUTE_POSITION", "RELATIVE_TO_CORRECT"},
    "showgrading": {"SHOW", "HIDE"},
    "showunits": {"0", "1", "2", "3"},
}
FRACTIONS = [100, 90, 83.33333, 80, 75, 70, 66.66667, 60, 50, 40, 33.33333, 30, 25, 20, 16.66667, 14.28571, 12.5]
FRACTIONS += [11.11111, 10, 5, 0]


def faults(quiz: ET.Element) -> list[str]:
    """Everything that Moodle would refuse, ignore or read as something else."""
    found = [f"<{e.tag}> in <quiz>" for e in quiz if e.tag != "question"]
    found += [] if quiz[0].get("type") == "category" else ["questions before the first category"]
    for question in quiz:
        kind, name = question.get("type"), question.findtext("name/text") or question.findtext("category/text")
        rules = _category if kind == "category" else _question
        found += [f"{name}: {fault}" for fault in rules(question)]
    return found


def _category(question: ET.Element):
    if {e.tag for e in question} != {"category", "info", "idnumber"}:
        yield "a category has category, info and idnumber"
    if not re.fullmatch(r"top(/[^/]+)+", question.findtext("category/text", "")):
        yield "a category's path starts at top"


def _question(question: ET.Element):
    kind = question.get("type")
    if kind not in OF_TYPE:
        yield f"unknown type {kind}"
        return
    tags = [element.tag for element in question]
    yield from (f"<{tag}> is not known" for tag in set(tags) - HEAD - OF_TYPE[kind])
    yield from (f"<{tag}> is missing" for tag in (HEAD | OF_TYPE[kind]) - set(tags))
    yield from (f"<{tag}> twice" for tag in set(tags) - MANY if tags.count(tag) > 1)
    yield from (f"<{tag}>" for tag, known in VALUES.items() if question.findtext(tag, min(known)) not in known)
    for element in question.iter():
        if element is not question:
            inside = INSIDE.get(element.tag, {"text"})
            yield from (f"<{child.tag}> in <{element.tag}>" for child in element if child.tag not in inside)
        if element.get("format") not in FORMATS or set(element.attrib) - {"format", "fraction", "type"}:
            yield f"<{element.tag}> has attributes {element.attrib}"
        if "format" in element.attrib and len(element.findall("text")) != 1:
            yield f"<{element.tag}> has not one text"
    if len(question.findtext("idnumber", "")) > 100:
        yield "idnumber is too long"
    yield from {"numerical": _numerical, "matching": _matching, "ordering": _ordering}.get(kind, _graded)(question)


def _graded(question: ET.Element):
    fractions = [float(answer.get("fraction")) for answer in question.findall("answer")]
    if any(min(abs(abs(f) - known) for known in FRACTIONS) > 2e-5 for f in fractions):
        yield f"fractions {fractions} are not Moodle's"
    several = question.findtext("single") == "false"
    best = sum(f for f in fractions if f > 0) if several else max(fractions)
    if abs(best - 100) > 0.01:
        yield f"nobody can have the whole mark, but {best}"
    if any(not answer.findtext("text", "").strip() for answer in question.findall("answer")):
        yield "an answer is empty"


def _numerical(question: ET.Element):
    yield from _graded(question)
    for answer in question.findall("answer"):
        value, slack = float(answer.findtext("text")), float(answer.findtext("tolerance"))
        if not (math.isfinite(value) and slack >= 0):
            yield f"{value} within {slack}"


def _matching(question: ET.Element):
    pairs = [(s.findtext("text") or "", s.findtext("answer/text") or "") for s in question.findall("subquestion")]
    if sum(bool(text.strip()) for text, _ in pairs) < 2 or len(pairs) < 3:
        yield "matching needs two questions and three answers"  # which may be equal
    for _, answer in pairs:
        if not answer.strip() or re.search(r"[<>&]|\\\(", answer):
            yield f"{answer!r} does not show in a menu as it is"


def _ordering(question: ET.Element):
    answers = question.findall("answer")
    if len(answers) < 2 or int(question.findtext("selectcount")) != len(answers):
        yield "ordering needs two answers, and all of them"


def mark(question: ET.Element, given) -> tuple[float, list[str]]:
    """The share of the mark (0 to 1), and the feedback of the answers met."""
    answers = question.findall("answer")
    if question.get("type") == "multichoice":
        met = [answer for answer in answers if answer.findtext("text") in given]
    else:
        fits = _fits_number if question.get("type") == "numerical" else _fits_words
        met = [answer for answer in answers if fits(answer, given)][:1]
    share = sum(float(answer.get("fraction")) for answer in met) / 100
    return max(0.0, share), [answer.findtext("feedback/text") or "" for answer in met]


def _fits_number(answer: ET.Element, given: float) -> bool:
    return abs(given - float(answer.findtext("text"))) <= float(answer.findtext("tolerance"))


def _fits_words(answer: ET.Element, given: str) -> bool:
    parts = re.split(r"(?<!\\)\*", answer.findtext("text"))
    pattern = ".*".join(re.escape(part.replace(r"\*", "*")) for part in parts)
    return re.fullmatch(pattern, given.strip(), re.IGNORECASE) is not None
