"""What stands on an Anki card."""

from collections.abc import Callable

from pygments.formatters import HtmlFormatter

from quiz.engine import Variant, solution
from quiz.engine.numeric import allowed
from quiz.export.html import Html, verbatim
from quiz.export.layout import lettered
from quiz.export.parts import Parts, title
from quiz.formula import show
from quiz.schema import Bank

FIELDS = ("Key", "Lesson", "Question", "Options", "Hints", "Answer", "Explanation", "Misconceptions", "Source")
TEMPLATE = {
    "name": "Question",
    "qfmt": "<p class=lesson>{{Lesson}}</p>{{Question}}{{Options}}<div class=hints>{{Hints}}</div>",
    "afmt": "{{FrontSide}}<hr id=answer>{{Answer}}{{Explanation}}<h3>Misconceptions</h3>{{Misconceptions}}{{Source}}",
}
MODEL_CSS = "\n".join([
    ".card { font-family: sans-serif; font-size: 18px; line-height: 1.4; max-width: 46em; margin: auto; }",
    ".lesson, .hints { color: #666; font-size: 85%; }",
    ".nightMode .lesson, .nightMode .hints { color: #aaa; }",
    ".nightMode a { color: #8ab4f8; }",
    "pre { overflow-x: auto; padding: .5em; background: #f6f6f6; text-align: left; }",
    ".nightMode pre { background: #2b2b2b; }",
    "td, th { padding: .2em .6em; text-align: left; }",
    HtmlFormatter(style="default").get_style_defs("pre"),
    HtmlFormatter(style="github-dark").get_style_defs(".nightMode pre"),
])  # fmt: skip


def fields(bank: Bank, variant: Variant, pieces: Parts, html: Html) -> list[str]:
    """The note's fields, in FIELDS' order."""
    front, back = TYPES[variant.question.type](variant, pieces, html)
    hints = "".join(f"<details><summary>Hint {i}</summary>{hint}</details>" for i, hint in enumerate(pieces.hints, 1))
    lesson = f"{bank.lesson} · {verbatim(title(bank))}"
    after = [pieces.explanation, pieces.told, pieces.source]
    return [pieces.key, lesson, pieces.question, front, hints, back, *after]


def _choice(variant: Variant, pieces: Parts, html: Html) -> tuple[str, str]:
    how = "Tick all that hold." if variant.question.type == "multi" else "Choose one."
    right = lettered(variant, html, solution(variant)) + "".join(pieces.praise.values())
    return f"{lettered(variant, html)}<p><em>{how}</em></p>", right


def _number(variant: Variant, pieces: Parts, html: Html) -> tuple[str, str]:
    key, unit = variant.secrets["answer"], variant.question.unit
    slack = allowed(key, variant.question.tolerance)
    named = f" {verbatim(unit)}" if unit else ""
    return "", f"<p><strong>{show(key)}</strong>{named} (right within {show(slack)})</p>"


def _steps(variant: Variant, pieces: Parts, html: Html) -> tuple[str, str]:
    right = "".join(f"<li>{html(variant.before(step.text))}</li>" for step in variant.question.steps)
    return f"{lettered(variant, html)}<p><em>Put them in order.</em></p>", f"<ol>{right}</ol>"


def _pairs(variant: Variant, pieces: Parts, html: Html) -> tuple[str, str]:
    items, aims = variant.question.items, {t.id: html(variant.before(t.text)) for t in variant.options}
    asked = "".join(f"<li>{html(variant.before(item.text))}</li>" for item in items)
    rows = "".join(f"<tr><td>{html(variant.before(i.text))}</td><td>{aims[i.target]}</td></tr>" for i in items)
    how = "<p><em>Match each with one of these.</em></p>"
    return f"<ul>{asked}</ul>{how}{lettered(variant, html)}", f"<table>{rows}</table>"


def _words(variant: Variant, pieces: Parts, html: Html) -> tuple[str, str]:
    accepted = [f"<strong>{verbatim(variant.before(text))}</strong>" for text in variant.question.accept]
    return "", f"<p>{' or '.join(accepted)}</p>"


TYPES: dict[str, Callable[[Variant, Parts, Html], tuple[str, str]]] = {
    "single": _choice,
    "multi": _choice,
    "numeric": _number,
    "order": _steps,
    "match": _pairs,
    "short": _words,
}
