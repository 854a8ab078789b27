"""A question, parameters filled in, as the pieces of HTML that the formats put together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from quiz.engine import Variant
from quiz.export.html import Html, legal, verbatim
from quiz.export.layout import letters
from quiz.formula import evaluate, show
from quiz.schema import Bank, Numeric


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that the bank knows, what is behind it, and what to say of it."""

    answer: str
    misconception: str
    feedback: str

    @property
    def told(self) -> str:
        """Feedback and misconception."""
        return f"{self.feedback}<p><em>Misconception:</em> {self.misconception}</p>"


@dataclass(frozen=True)
class Parts:
    """All but the option texts, steps and targets, which each format lays out for itself."""

    key: str  # "03_rms_norm/which_formula"
    question: str  # setting and prompt
    hints: tuple[str, ...]
    explanation: str
    source: str  # and where the lesson teaches it
    wrongs: dict[str, Wrong]  # by the id of an option, trap, swap or confusion
    praise: dict[str, str]  # what to say of right options, by id

    def told_of(self, name: str) -> str:
        """What to say of an option, right or wrong, or of a trap, swap or confusion."""
        return self.wrongs[name].told if name in self.wrongs else self.praise.get(name, "")

    @property
    def closing(self) -> str:
        """What is shown after the answer, whatever it was."""
        return self.explanation + self.source

    @property
    def told(self) -> str:
        """Everything to say of the wrong answers, for formats that cannot tell which one was given."""
        return "".join(f"<p><strong>{w.answer}</strong></p>{w.told}" for w in self.wrongs.values())


def parts(bank: Bank, variant: Variant, html: Html) -> Parts:
    """The pieces of a question."""
    question = variant.question
    before = [text for text in (question.setting, question.prompt) if text]
    taught = f"<p><em>Taught in</em> {bank.lesson}"
    taught += f", “{html.line(variant.before(question.heading))}”</p>" if question.heading else "</p>"
    wrongs = WRONGS[question.type](variant, html)
    return Parts(
        f"{bank.lesson}/{question.id}",
        "".join(html(variant.before(text)) for text in before) + unit(question),
        tuple(html(variant.before(hint)) for hint in question.hints),
        html(variant.after(question.explanation)),
        taught + html(f"*Source:* {variant.after(question.source)}"),
        {found.id: _wrong(variant, answer, found, html) for answer, found in wrongs},
        _praise(variant, html),
    )


def _praise(variant: Variant, html: Html) -> dict[str, str]:
    right = [option for option in variant.options if getattr(option, "correct", False) and option.feedback]
    return {option.id: html(variant.before(option.feedback)) for option in right}


def unit(question) -> str:
    """The line that names a number's unit."""
    named = isinstance(question, Numeric) and question.unit
    return f"<p><em>Unit:</em> {verbatim(question.unit)}</p>" if named else ""


def tags(bank: Bank, question) -> list[str]:
    """Lesson, type, difficulty, and the exercises' mistakes that the question is about; no spaces."""
    every = [getattr(question, name, []) for name in ("options", "traps", "swaps", "confusions")]
    mistakes = sorted({d.mistake for found in every for d in found if d.mistake})
    return [bank.lesson, question.type, question.difficulty, *(f"mistake:{name}" for name in mistakes)]


def title(bank: Bank) -> str:
    """A bank's title on one line of plain text."""
    return " ".join(legal(bank.title).split())


def _wrong(variant: Variant, answer: str, found, html: Html) -> Wrong:
    told = html(variant.before(found.feedback))
    return Wrong(answer, html.line(variant.before(found.misconception)), told)


def _options(variant: Variant, html: Html) -> Iterator[tuple]:
    for letter, option in zip(letters(len(variant.options)), variant.options, strict=True):
        if not option.correct:
            yield f"{letter}. {html.line(variant.before(option.text))}", option


def _numbers(variant: Variant, html: Html) -> Iterator[tuple]:
    for trap in variant.question.traps:
        yield show(evaluate(trap.formula, variant.values)), trap


def _words(variant: Variant, html: Html) -> Iterator[tuple]:
    for trap in variant.question.traps:
        yield ", ".join(verbatim(variant.before(text)) for text in trap.accept), trap


def _swaps(variant: Variant, html: Html) -> Iterator[tuple]:
    said = {step.id: html.line(variant.before(step.text)) for step in variant.options}
    for swap in variant.question.swaps:
        yield f"{said[swap.first]} <em>before</em> {said[swap.then]}", swap


def _confusions(variant: Variant, html: Html) -> Iterator[tuple]:
    said = {part.id: html.line(variant.before(part.text)) for part in variant.question.items}
    aims = {target.id: html.line(variant.before(target.text)) for target in variant.options}
    for confusion in variant.question.confusions:
        yield f"{said[confusion.item]} <em>with</em> {aims[confusion.target]}", confusion


WRONGS: dict[str, Callable[[Variant, Html], Iterator[tuple]]] = {
    "single": _options,
    "multi": _options,
    "numeric": _numbers,
    "order": _swaps,
    "match": _confusions,
    "short": _words,
}
