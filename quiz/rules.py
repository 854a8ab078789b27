"""Rules for good questions. A new one is a function here, named in `quiz.lint`.

A rule takes a question and yields (field, message) for what is wrong with it.
"""

import re
from collections.abc import Iterator
from itertools import islice

from quiz.engine.base import Variant
from quiz.engine.numeric import close, with_values
from quiz.engine.short import normal
from quiz.errors import QuizError
from quiz.formula import PLACEHOLDER, evaluate, names, show
from quiz.schema import Numeric, Question, Short
from quiz.texts import texts

Found = Iterator[tuple[str, str]]
TEXT_VARIANTS = 25  # rendering is slow, and values hardly change whether a text renders
A_WORD = 3  # letters: a shorter answer stands in a prompt by chance
_ASKED = re.compile(r"prompt|setting|.*\.text|accept.*")  # the fields that a parameter can make another question


def formulas_without_value(question: Question) -> Found:
    """A formula that fails, or gives no finite number, under some values a seed can draw."""
    for values in question.variants() if isinstance(question, Numeric) else ():
        for field, formula in _formulas(question):
            try:
                evaluate(formula, values)
            except QuizError as error:
                yield field, str(error)


def texts_without_value(question: Question) -> Found:
    """A `{{ formula }}` in a text that fails under some values a seed can draw."""
    for place in texts(question):
        for variant in _variants(question, place.text):
            try:
                place.fill(variant, place.text)
            except QuizError as error:
                yield place.field, str(error)


def texts_that_do_not_render(question: Question) -> Found:
    """TeX that does not convert, blocks where there is no room for them."""
    for place in texts(question):
        for variant in islice(_variants(question, place.text), TEXT_VARIANTS):
            try:
                place.render(place.fill(variant, place.text))
            except QuizError as error:
                yield place.field, str(error)


def equal_texts(question: Question) -> Found:
    """Options, steps, items or targets that say the same, under some values a seed can draw."""
    for part in ("options", "steps", "items", "targets"):
        yield from _doubles(question, part)


def unused_parameter(question: Question) -> Found:
    """A parameter that changes nothing of what is asked: most likely a misspelt one."""
    asked = " ".join(p.text for p in texts(question) if _ASKED.fullmatch(p.field))
    formulas = [*PLACEHOLDER.findall(asked), *([question.formula] if isinstance(question, Numeric) else [])]
    for name in set(question.params) - set().union(*map(names, formulas)):
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


def words_that_mean_two_things(question: Question) -> Found:
    """A trap's words that are accepted, or are another trap's; words of which nothing is left to compare."""
    if isinstance(question, Short):
        spelt = [p for p in texts(question) if "accept[" in p.field]
        for variant in _variants(question, *(p.text for p in spelt)):
            owners: dict[str, str] = {}
            for place in spelt:
                owner, said = place.field.partition("accept")[0], normal(place.fill(variant, place.text))
                if not said:
                    yield place.field, "nothing is left of it when marks, quotes and spaces do not count"
                elif owners.setdefault(said, owner) != owner:
                    yield place.field, f"{place.text!r} is also one of `{owners[said]}accept`"


def answer_in_the_prompt(question: Question) -> Found:
    """A word to be typed that can be read in the prompt."""
    if isinstance(question, Short):
        for variant in _variants(question, question.prompt, *question.accept):
            prompt = variant.before(question.prompt).casefold()
            for word in map(variant.before, question.accept):
                if len(word) >= A_WORD and re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", prompt):
                    yield "prompt", f"holds the answer, {word!r}"


def misconception_with_values(question: Question) -> Found:
    """A misconception is also told in reports, over many variants."""
    for place in texts(question):
        if place.field.endswith(".misconception") and PLACEHOLDER.search(place.text):
            yield place.field, "holds a `{{ formula }}`, and reports tell it without one variant's values"


def _formulas(question: Numeric) -> Iterator[tuple[str, str]]:
    yield "formula", question.formula
    yield from ((f"traps[{i}].formula", trap.formula) for i, trap in enumerate(question.traps))


def _variants(question: Question, *looked_at: str) -> Iterator[Variant]:
    """Every variant in which these texts can differ."""
    drawn = question.variants() if any(map(PLACEHOLDER.search, looked_at)) else islice(question.variants(), 1)
    for values in drawn:
        yield with_values(question, values) if isinstance(question, Numeric) else Variant(question, values=values)


def _doubles(question: Question, part: str) -> Found:
    parts = getattr(question, part, [])
    for variant in _variants(question, *(one.text for one in parts)):
        seen: dict[str, str] = {}
        for i, one in enumerate(parts):
            said = " ".join(variant.before(one.text).split()).casefold()
            if said in seen:
                when = f", for {variant.values}" if variant.values else ""
                yield f"{part}[{i}].text", f"says the same as {part.removesuffix('s')} {seen[said]}{when}"
            seen[said] = one.id
