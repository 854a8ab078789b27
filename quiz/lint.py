"""Rules for good questions, beyond their form (which the schema checks). A new rule is one function in RULES.

A rule takes a question and yields (field, message) for what is wrong with it.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from quiz.bank import Problem
from quiz.engine import vary
from quiz.engine.base import Variant
from quiz.engine.numeric import close, with_values
from quiz.errors import QuizError
from quiz.formula import PLACEHOLDER, evaluate, names, show
from quiz.render import block, phrasing
from quiz.schema import Bank, Numeric, Question, Single

Found = Iterator[tuple[str, str]]
TEXT_VARIANTS = 25  # rendering is slow, and values hardly change whether a text renders
ENOUGH_TO_TELL = 4  # with fewer `single` questions, the longest option being right proves nothing


def lint(bank: Bank) -> list[Problem]:
    """Everything the rules find in a bank, file, question and field named."""
    found = [(q.id, *problem) for q in bank.questions for problem in _of_question(q)]
    found += [("", *problem) for problem in longest_is_right(bank)]
    return [Problem(f"{bank.lesson}.yaml", *problem) for problem in found]


def longest_is_right(bank: Bank) -> Found:
    """A reader who picks the longest option must not do well."""
    singles = [q for q in bank.questions if isinstance(q, Single)]
    given_away = [q.id for q in singles if max(q.options, key=lambda o: len(o.text)).correct]
    if len(singles) >= ENOUGH_TO_TELL and 2 * len(given_away) > len(singles):
        yield "questions", f"the longest option is the right one in {', '.join(given_away)}"


def equal_options(question: Question) -> Found:
    """Options that say the same."""
    seen: dict[str, str] = {}
    for i, option in enumerate(getattr(question, "options", [])):
        said = " ".join(option.text.split()).casefold()
        if said in seen:
            yield f"options[{i}].text", f"says the same as option {seen[said]}"
        seen[said] = option.id


def formulas_without_value(question: Question) -> Found:
    """A formula that fails, or gives no finite number, under some values a seed can draw."""
    for values in question.variants() if isinstance(question, Numeric) else ():
        for field, formula in _formulas(question):
            try:
                evaluate(formula, values)
            except QuizError as error:
                yield field, str(error)


def unused_parameter(question: Question) -> Found:
    """A parameter in no formula and no text: most likely a misspelt one."""
    if isinstance(question, Numeric):
        shown = PLACEHOLDER.findall(f"{question.setting} {question.prompt}")
        used = set().union(*map(names, [question.formula, *shown]))
        for name in set(question.params) - used:
            yield f"params.{name}", "is used in no formula and no text"


def traps_that_do_not_trap(question: Question) -> Found:
    """A trap that passes for the key, or for another trap, under some values a seed can draw."""
    for values in question.variants() if isinstance(question, Numeric) else ():
        known: list[tuple[str, float]] = []
        for field, formula in _formulas(question):
            value = evaluate(formula, values)
            for other, near in known:
                if close(value, near, question.tolerance):
                    yield field, f"{show(value)} is within the tolerance of `{other}`, for {values}"
            known.append((field, value))


def texts_that_do_not_render(question: Question) -> Found:
    """TeX that does not convert, blocks where there is no room for them, placeholders without a value."""
    for variant in _variants(question):
        for field, text, render, fill in _texts(question):
            try:
                render(fill(variant, text or ""))
            except QuizError as error:
                yield field, str(error)


RULES = (equal_options, unused_parameter, traps_that_do_not_trap, texts_that_do_not_render)


def _of_question(question: Question) -> list[tuple[str, str]]:
    # The other rules evaluate formulas, and would only stumble over the same one.
    found = list(formulas_without_value(question)) or [p for rule in RULES for p in rule(question)]
    first: dict[str, str] = {}
    for field, message in found:
        first.setdefault(field, message)  # the same complaint under every value helps nobody
    return list(first.items())


def _formulas(question: Numeric) -> Iterator[tuple[str, str]]:
    yield "formula", question.formula
    yield from ((f"traps[{i}].formula", trap.formula) for i, trap in enumerate(question.traps))


def _variants(question: Question) -> Iterable[Variant]:
    if isinstance(question, Numeric):
        return (with_values(question, values) for values in islice(question.variants(), TEXT_VARIANTS))
    return [vary(question, 0)]


def _texts(question: Question) -> Iterator[tuple]:
    """Every text: its field, itself or None, how it is rendered, how its parameters are filled in."""
    yield "prompt", question.prompt, phrasing, Variant.before
    yield "setting", question.setting, block, Variant.before
    yield from ((f"hints[{i}]", hint, block, Variant.before) for i, hint in enumerate(question.hints))
    yield "explanation", question.explanation, block, Variant.after
    yield "source", question.source, block, Variant.after
    for i, option in enumerate(getattr(question, "options", [])):
        yield f"options[{i}].text", option.text, phrasing, Variant.before
        yield f"options[{i}].feedback", option.feedback, block, Variant.before
    for i, trap in enumerate(getattr(question, "traps", [])):
        yield f"traps[{i}].feedback", trap.feedback, block, Variant.before
