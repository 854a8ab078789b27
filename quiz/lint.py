"""Everything that is wrong with a bank beyond its form (which the schema checks): the rules of `quiz.rules`."""

from quiz import rules
from quiz.bank import Problem
from quiz.rules import Found
from quiz.schema import Bank, Question, Single

ENOUGH_TO_TELL = 4  # with fewer `single` questions, the longest option being right proves nothing
# When one of these finds something, the other rules would only stumble over the same.
FIRST = (rules.formulas_without_value, rules.texts_without_value)
RULES = (
    rules.equal_texts,
    rules.unused_parameter,
    rules.traps_that_do_not_trap,
    rules.words_that_mean_two_things,
    rules.answer_in_the_prompt,
    rules.misconception_with_values,
    rules.texts_that_do_not_render,
)


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


def _of_question(question: Question) -> list[tuple[str, str]]:
    found = next(filter(None, (list(rule(question)) for rule in FIRST)), None)
    first: dict[str, str] = {}
    for field, message in found or (p for rule in RULES for p in rule(question)):
        first.setdefault(field, message)  # the same complaint under every value helps nobody
    return list(first.items())
