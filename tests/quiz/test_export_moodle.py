"""The Moodle export: by Moodle's rules, read by a second library, and question by question equal to the bank."""

import html
import itertools
import xml.etree.ElementTree as ET
from functools import cache

import pytest
from moodle_xml_parser import parser

from quiz.engine import Variant, grade, solution
from quiz.engine.numeric import allowed
from quiz.export import export, gather
from quiz.formula import evaluate
from tests.quiz.export_banks import batch, every_type, seen, variants
from tests.quiz.export_texts import plain, stands_in
from tests.quiz.make import choice, numeric
from tests.quiz.moodle_rules import faults, mark

TEXT = "with $a < b$, `x[:, 1]` & more"
BATCHES = {"course": gather(), "all types": batch(every_type(TEXT)), "plain": batch(every_type())}
CASES = [(name, key) for name in BATCHES for key in variants(BATCHES[name])]
of_all = pytest.mark.parametrize(("name", "key"), CASES)


@cache
def file(name: str) -> ET.Element:
    return ET.fromstring(export("moodle", BATCHES[name]).data)


def question(name: str, key: str) -> ET.Element:
    (found,) = (q for q in file(name) if q.findtext("idnumber") == key)
    return found


def shows(element: ET.Element, path: str, variant: Variant, *texts: str) -> bool:
    """Whether the HTML there shows these texts of the bank, in this order, and mathematics by its TeX."""
    return stands_in(element.findtext(path) or "", *map(variant.after, texts))


@pytest.mark.parametrize("name", BATCHES)
def test_moodle_would_take_the_file(name):
    assert faults(file(name)) == []


@pytest.mark.parametrize("name", BATCHES)
def test_every_question_is_there_once_under_its_lesson(name):
    found, category = [], None
    for element in file(name):
        if element.get("type") == "category":
            category = element.findtext("idnumber")
            assert element.findtext("category/text").endswith(f"/{category}")
        else:
            found.append(element.findtext("idnumber"))
            assert found[-1].startswith(f"{category}/") and element.findtext("name/text") == found[-1]
    assert found == list(variants(BATCHES[name]))


@of_all
def test_what_stands_before_and_after_the_answer_is_the_banks(name, key):
    element, variant = question(name, key), variants(BATCHES[name])[key]
    asked = variant.question
    assert shows(element, "questiontext/text", variant, *filter(None, [asked.setting, asked.prompt]))
    closing = [asked.explanation, *filter(None, [asked.heading]), asked.source]
    assert shows(element, "generalfeedback/text", variant, *closing)
    hints = element.findall("hint")
    assert len(hints) == len(asked.hints)
    assert all(shows(hint, "text", variant, text) for hint, text in zip(hints, asked.hints, strict=True))
    assert {asked.type, asked.difficulty} <= {tag.findtext("text") for tag in element.find("tags")}


def of_type(*kinds: str):
    return pytest.mark.parametrize(
        ("name", "key"), [(n, k) for n, k in CASES if variants(BATCHES[n])[k].question.type in kinds]
    )


@of_type("single", "multi")
def test_choices_have_the_banks_texts_key_and_feedback(name, key):
    element, variant = question(name, key), variants(BATCHES[name])[key]
    answers = element.findall("answer")
    assert (element.findtext("single") == "true") == (variant.question.type == "single")
    assert len(answers) == len(variant.options)
    for answer, option in zip(answers, variant.options, strict=True):
        assert shows(answer, "text", variant, option.text)
        assert (float(answer.get("fraction")) > 0) == option.correct
        assert shows(answer, "feedback/text", variant, *filter(None, [option.feedback, option.misconception]))


@of_type("single", "multi")
def test_moodle_gives_the_whole_mark_where_the_quiz_says_right(name, key):
    element, variant = question(name, key), variants(BATCHES[name])[key]
    texts = [answer.findtext("text") for answer in element.findall("answer")]
    most = 1 if variant.question.type == "single" else len(texts)
    for chosen in itertools.chain.from_iterable(itertools.combinations(range(len(texts)), n + 1) for n in range(most)):
        share, _ = mark(element, {texts[i] for i in chosen})
        assert (share > 0.999) == grade(variant, [variant.options[i].id for i in chosen]).right
        if any(not variant.options[i].correct for i in chosen):
            assert share == 0


@of_type("single", "multi")
def test_a_second_library_reads_the_same_choices(name, key):
    every = parser.parse_string(ET.tostring(file(name), encoding="unicode"))["multichoice"]
    (read,) = (q for q in every if q.name == key)
    variant, element = variants(BATCHES[name])[key], question(name, key)
    assert read.single == (variant.question.type == "single")
    assert [option.score_fraction > 0 for option in read.options] == [option.correct for option in variant.options]
    pairs = zip(read.options, element.findall("answer"), strict=True)
    assert all(o.answer == html.unescape(a.findtext("text")) for o, a in pairs)
    assert read.general_feedback == html.unescape(element.findtext("generalfeedback/text"))


@of_type("numeric")
def test_numbers_are_marked_as_the_quiz_marks_them(name, key):
    element, variant = question(name, key), variants(BATCHES[name])[key]
    right, asked = variant.secrets["answer"], variant.question
    slack = allowed(right, asked.tolerance)
    values = [right, right + 0.99 * slack, right - 0.99 * slack, right + 1.01 * slack + 1e-12, right * 3 + 1]
    values += [evaluate(trap.formula, variant.values) for trap in asked.traps]
    for value in values:
        share, feedback = mark(element, value)
        given = grade(variant, repr(value))
        assert (share == 1) == given.right
        for trap in asked.traps:
            if trap.id in given.misconceptions:
                assert seen(feedback[0]).startswith(plain(variant.before(trap.feedback)))


@of_type("short")
def test_words_are_marked_as_the_quiz_marks_them(name, key):
    element, variant = question(name, key), variants(BATCHES[name])[key]
    answers = element.findall("answer")
    for answer in answers:
        typed = answer.findtext("text").replace(r"\*", "*")
        share, feedback = mark(element, typed.upper())
        given = grade(variant, typed)
        assert (share == 1) == given.right
        assert seen(feedback[0]).startswith("Right." if given.right else plain(given.feedback[0]))
    forms = {answer.findtext("text").replace(r"\*", "*") for answer in answers}
    every = [*variant.question.accept, *(text for trap in variant.question.traps for text in trap.accept)]
    assert {variant.before(text) for text in every} <= forms
    assert mark(element, "norm and then first") == (0, [])  # the star is a star


@of_type("order")
def test_steps_stand_in_the_right_order_and_swaps_are_explained(name, key):
    element, variant = question(name, key), variants(BATCHES[name])[key]
    steps = element.findall("answer")
    right = [next(s for s in variant.options if s.id == id) for id in solution(variant)]
    assert all(shows(element, "text", variant, step.text) for element, step in zip(steps, right, strict=True))
    told = [text for swap in variant.question.swaps for text in (swap.feedback, swap.misconception)]
    for path in ("partiallycorrectfeedback", "incorrectfeedback"):
        assert shows(element, f"{path}/text", variant, *told)


@of_type("match")
def test_items_have_their_targets_by_text_or_by_letter(name, key):
    element, variant = question(name, key), variants(BATCHES[name])[key]
    pairs = [(s.findtext("text"), s.findtext("answer/text")) for s in element.findall("subquestion")]
    asked, texts = variant.question, {t.id: t.text for t in variant.options}
    letters = dict(zip(texts, "ABCDEFGHIJ", strict=False))
    by_letter = {answer for _, answer in pairs} == {letters[t] for t in texts}
    for item, (text, answer) in zip(asked.items, pairs, strict=False):
        assert seen(text) == plain(variant.before(item.text))
        assert answer == (letters[item.target] if by_letter else variant.before(texts[item.target]))
    assert [text or "" for text, _ in pairs[len(asked.items) :]] == [""] * (len(pairs) - len(asked.items))
    assert len({answer for _, answer in pairs}) == len(texts)
    if by_letter:
        assert shows(element, "questiontext/text", variant, *(f"{letters[t]}. {texts[t]}" for t in texts))
    told = [text for c in asked.confusions for text in (c.feedback, c.misconception)]
    assert shows(element, "incorrectfeedback/text", variant, *told)


def test_menus_show_letters_only_where_a_target_needs_html():
    def answers(name):
        return {s.findtext("answer/text") for s in question(name, "99_made/match").findall("subquestion")}

    assert answers("all types") == set("ABCD")
    assert answers("plain") == {f"target {n} plain" for n in (1, 2, 3, 4)}


def test_pinned_options_are_not_shuffled():
    banks = [every_type().model_copy(update={"questions": [choice([True, False, False], [pin] * 3)]}) for pin in (0, 1)]
    files = [ET.fromstring(export("moodle", batch(bank)).data) for bank in banks]
    assert [made[1].findtext("shuffleanswers") for made in files] == ["true", "false"]


@pytest.mark.parametrize("right", range(1, 11))
def test_any_number_of_right_options_makes_moodles_fractions(right):
    bank = every_type().model_copy(update={"questions": [choice([True] * right + [False, False])]})
    assert faults(ET.fromstring(export("moodle", batch(bank)).data)) == []


def test_a_units_name_is_told():
    bank = every_type().model_copy(update={"questions": [numeric(unit="10⁻⁴ <m>")]})
    made = ET.fromstring(export("moodle", batch(bank)).data)
    assert seen(made[1].findtext("questiontext/text")).endswith("Unit: 10⁻⁴ <m>")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("<single>true</single>", "<single>yes</single>", "<single>"),
        ("hint", "hnt", "<hnt> is not known"),
        ('fraction="100"', 'fraction="98"', "are not Moodle's"),
        ('format="html"', 'format="htm"', "has attributes"),
        ("ALL_OR_NOTHING", "ALL", "<gradingtype>"),
        ("<answer>", "<answer><no/>", "<no> in <answer>"),
        ('type="ordering"', 'type="order"', "unknown type order"),
    ],
)
def test_the_rules_find_what_moodle_would_not_take(old, new, fault):
    text = ET.tostring(file("all types"), encoding="unicode")
    if old == "hint":
        text = text.replace("<hint ", "<hnt ").replace("</hint>", "</hnt>")
    found = faults(ET.fromstring(text.replace(old, new)))
    assert any(fault in f for f in found)
