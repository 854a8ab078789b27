"""QTI 1.2 for Canvas and what reads its packages, made by text2qti: one assessment for each lesson in one package.

single: multiple choice; multi: multiple answers, all or nothing; both with feedback for each option. numeric:
numerical; text2qti writes four decimals, so a small number is asked for times a power of 1000 (the question says so).
short: fill in the blank, all spellings that the quiz takes. text2qti has no type for the other two:
order: the steps are lettered and the letters are typed in order, so nothing is given away.
match: one multiple-choice question for each item, with all targets as its options and the confusions as feedback.
QTI has no feedback for typed wrong answers in text2qti: traps and swaps are explained together after any wrong answer,
and so are the hints. Mathematics are Canvas's equation pictures, with the TeX as their text.
"""

from collections import Counter
from xml.dom import minidom

from quiz.errors import QuizError
from quiz.export.batch import Batch
from quiz.export.files import optional, zipped
from quiz.export.html import Html
from quiz.export.ids import stable_uuid
from quiz.export.parts import parts, title
from quiz.export.qti_source import Source
from quiz.export.qti_types import TYPES
from quiz.schema import Bank

FILE = "quiz.zip"
DAY = "1980-01-01"  # text2qti would write today, and the same export would differ tomorrow
HOW = {
    "single": "multiple choice, feedback with each option",
    "multi": "multiple answers, feedback with each option",
    "numeric": "numerical, with tolerance; the traps' feedback together",
    "order": "fill in the blank: the letters of the steps, typed in order; the swaps' feedback together",
    "match": "one multiple-choice question for each item; the confusions' feedback with the options",
    "short": "fill in the blank, in all its spellings; the traps' feedback together",
}
LOST = (
    "formulas and the other values of parameters (the seed's are filled in)",
    "confidence",
    "nearly-right spellings",
    "difficulty and the names of the exercises' mistakes",
)


def export(batch: Batch) -> tuple[bytes, Counter]:
    """The package, and how many questions were made of those of each type."""
    made: Counter = Counter()
    members: dict[str, bytes] = {"imsmanifest.xml": b"", "non_cc_assessments/": b""}
    manifests = []
    for bank in batch.banks:
        source = _source(bank, batch, made)
        package = _package(bank, source)
        manifests.append(_manifest(package))
        for name in ("assessment_meta", package.assessment_identifier):
            text = package.assessment_meta if name == "assessment_meta" else package.assessment
            members[f"{package.assessment_identifier}/{name}.xml"] = source.fill(text).encode()
    members["imsmanifest.xml"] = _together(manifests)
    return zipped(members), made


def _source(bank: Bank, batch: Batch, made: Counter) -> Source:
    html, source = Html(_equation()), Source()
    source.head(bank.lesson, title(bank))
    for variant in batch.variants(bank):
        made[variant.question.type] += TYPES[variant.question.type](source, variant, parts(bank, variant, html), html)
    return source


def _equation():
    markdown, config = optional("text2qti.markdown"), optional("text2qti.config")
    converter = markdown.Markdown(config.Config())
    return lambda tex, display: converter.latex_to_canvas_img(" ".join(tex.split()))


def _package(bank: Bank, source: Source):
    reader, config, qti = (optional(f"text2qti.{name}") for name in ("quiz", "config", "qti"))
    try:
        quiz = reader.Quiz(source.text, config=config.Config())
    except optional("text2qti.err").Text2qtiError as error:
        raise QuizError(f"text2qti does not take {bank.lesson}: {error}") from None
    quiz.id = stable_uuid(bank.lesson).hex  # its own comes from all questions, and changes with every new one
    return qti.QTI(quiz)


def _manifest(package) -> str:
    names = ("manifest_identifier", "assessment_identifier", "dependency_identifier")
    known = {name: getattr(package, name) for name in names}
    return optional("text2qti.xml_imsmanifest").imsmanifest(**known, images={}, date=DAY)


def _together(manifests: list[str]) -> bytes:
    """One manifest with the resources of all."""
    first, *others = map(minidom.parseString, manifests)
    first.documentElement.setAttribute("identifier", "transformer_internals_quiz")
    (resources,) = first.getElementsByTagName("resources")
    for other in others:
        for resource in other.getElementsByTagName("resource"):
            resources.appendChild(first.importNode(resource, True))
    return first.toxml(encoding="UTF-8")
