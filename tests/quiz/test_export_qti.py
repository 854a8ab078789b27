"""The QTI export: valid by IMS's definition, and marked as the quiz marks it, question by question."""

import io
import itertools
import math
import re
import xml.etree.ElementTree as ET
import zipfile
from functools import cache

import pytest

from quiz.engine import Variant, grade, solution
from quiz.engine.numeric import allowed
from quiz.errors import QuizError
from quiz.export import Batch, export, gather
from quiz.formula import evaluate, show
from tests.quiz import qti_dtd
from tests.quiz.export_banks import batch, every_type, seen, variants
from tests.quiz.export_texts import plain, stands_in
from tests.quiz.make import numeric
from tests.quiz.qti_dtd import mark

TEXT = "with $a < b$, `x[:, 1]` & more"
BATCHES = {"course": gather(), "all types": batch(every_type(TEXT)), "other seed": batch(every_type(), seed=5)}


def assessments(members: dict[str, bytes]) -> list[bytes]:
    """The assessments' files among a package's."""
    return [data for name, data in members.items() if re.fullmatch(r"([^/]+)/\1\.xml", name)]


def unzipped(batch: Batch) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(export("qti", batch).data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@cache
def package(name: str) -> dict[str, bytes]:
    return unzipped(BATCHES[name])


@cache
def items(name: str) -> dict[str, ET.Element]:
    """Every item of a batch's package, by its title."""
    every = (item for data in assessments(package(name)) for item in qti_dtd.plain(data).iter("item"))
    return {item.get("title"): item for item in every}


CASES = [(name, key) for name in BATCHES for key in variants(BATCHES[name])]


def of_type(*kinds: str):
    chosen = [(n, k) for n, k in CASES if variants(BATCHES[n])[k].question.type in kinds]
    return pytest.mark.parametrize(("name", "key"), chosen)


def both(name: str, key: str) -> tuple[ET.Element, Variant]:
    return items(name)[key], variants(BATCHES[name])[key]


def options(item: ET.Element) -> dict[str, str]:
    """The options' HTML by their identifiers."""
    labels = {label.get("ident"): label.findtext(".//mattext") for label in item.iter("response_label")}
    return {ident: html for ident, html in labels.items() if html is not None}  # not the place to type at


def shows(html: str, variant: Variant, *texts: str | None) -> bool:
    return stands_in(html, *(variant.after(text) for text in texts if text))


@pytest.mark.parametrize("name", BATCHES)
def test_each_assessment_is_valid_by_imss_definition(name):
    files = assessments(package(name))
    assert len(files) == len(BATCHES[name].banks)
    assert [qti_dtd.faults(data) for data in files] == [[]] * len(files)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (b"render_choice", b"render_chose", "render_chose"),
        (b'rcardinality="Single"', b'rcardinality="One"', "rcardinality"),
        (b"<resprocessing>", b"<resprocessing><hint/>", "resprocessing"),
        (b"<presentation>", b"<presentation/><presentation>", "item"),
        (b'<item ident="', b'<item id="', "ident"),
    ],
)
def test_the_definition_finds_what_is_not_valid(old, new, fault):
    (data,) = assessments(package("all types"))
    assert old in data
    assert any(fault in found for found in qti_dtd.faults(data.replace(old, new)))


@pytest.mark.parametrize("name", BATCHES)
def test_the_manifest_names_every_file_and_nothing_else(name):
    root = ET.fromstring(package(name)["imsmanifest.xml"])
    resources = [e for e in root.iter() if e.tag.endswith("}resource")]
    ids = [resource.get("identifier") for resource in resources]
    needed = [e.get("identifierref") for e in root.iter() if e.tag.endswith("}dependency")]
    files = {e.get("href") for e in root.iter() if e.tag.endswith("}file")}
    assert len(set(ids)) == len(ids) == 2 * len(BATCHES[name].banks)
    assert set(needed) <= set(ids)
    assert files == {member for member in package(name) if not member.endswith("/")} - {"imsmanifest.xml"}


def test_no_file_says_when_it_was_made():
    with zipfile.ZipFile(io.BytesIO(export("qti", BATCHES["all types"]).data)) as archive:
        assert {member.date_time[:3] for member in archive.infolist()} == {(1980, 1, 1)}
        dates = re.findall(rb"\d{4}-\d\d-\d\d", archive.read("imsmanifest.xml"))
    assert dates == [b"1980-01-01"]


@pytest.mark.parametrize("name", BATCHES)
def test_canvas_is_told_the_title_and_the_points_of_each_assessment(name):
    metas = [ET.fromstring(data) for member, data in package(name).items() if member.endswith("assessment_meta.xml")]
    space = "{http://canvas.instructure.com/xsd/cccv1p0}"
    assert [meta.findtext(f"{space}title") for meta in metas] == [bank.title for bank in BATCHES[name].banks]
    counts = [len(list(qti_dtd.plain(data).iter("item"))) for data in assessments(package(name))]
    assert [float(meta.findtext(f"{space}points_possible")) for meta in metas] == counts


@pytest.mark.parametrize("name", BATCHES)
def test_every_question_is_there_and_a_match_once_for_each_item(name):
    wanted = []
    for key, variant in variants(BATCHES[name]).items():
        matched = [f"{key}/{item.id}" for item in getattr(variant.question, "items", [])]
        wanted += matched or [key]
    assert list(items(name)) == wanted
    assert sum(export("qti", BATCHES[name]).made.values()) == len(wanted)


@of_type("single", "multi", "numeric", "order", "short")
def test_the_question_and_what_follows_any_answer_are_the_banks(name, key):
    item, variant = both(name, key)
    asked = variant.question
    assert shows(item.findtext("presentation/material/mattext"), variant, asked.setting, asked.prompt)
    for given in ("", next(iter(options(item)), "")):
        _, feedback = mark(item, {given} if options(item) else "nothing like it")
        assert shows(feedback[0], variant, asked.explanation, asked.heading, asked.source)
    assert shows(item.findall("itemfeedback")[1].findtext(".//mattext"), variant, *asked.hints)


@of_type("single", "multi")
def test_choices_are_marked_as_the_quiz_marks_them_with_the_feedback_of_each(name, key):
    item, variant = both(name, key)
    labels = options(item)
    assert len(labels) == len(variant.options)
    assert all(shows(h, variant, o.text) for h, o in zip(labels.values(), variant.options, strict=True))
    most = 1 if variant.question.type == "single" else len(labels)
    ids = dict(zip(labels, variant.options, strict=True))
    for chosen in itertools.chain.from_iterable(itertools.combinations(ids, n + 1) for n in range(most)):
        score, feedback = mark(item, set(chosen))
        assert (score == 100) == grade(variant, [ids[i].id for i in chosen]).right
        for option in (ids[i] for i in chosen):
            told = [text for text in (option.feedback, option.misconception) if text]
            assert not told or any(shows(text, variant, *told) for text in feedback)


@of_type("numeric")
def test_numbers_are_marked_as_the_quiz_marks_them(name, key):
    item, variant = both(name, key)
    html = item.findtext("presentation/material/mattext")
    asked = re.search(r"Type the number times ([\d,e+]+)\.", seen(html))
    scale = float(asked[1].replace(",", "")) if asked else 1
    right, traps = variant.secrets["answer"], variant.question.traps
    slack = allowed(right, variant.question.tolerance)
    values = [right + part * slack for part in (0, 0.98, -0.98, 1.02, -1.02)]
    for value in [*values, *(evaluate(trap.formula, variant.values) for trap in traps)]:
        score, feedback = mark(item, repr(value * scale))
        assert (score == 100) == grade(variant, repr(value)).right
        if score < 100:
            told = [text for trap in traps for text in (trap.feedback, trap.misconception)]
            assert any(shows(text, variant, *told) for text in feedback)
    assert all(show(evaluate(t.formula, variant.values) * scale) in seen(feedback[-1]) for t in traps)


@pytest.mark.parametrize("right", [0.000123, 3e-9, 0.5, 7, -0.25, 266_240, 1.5e12])
def test_small_numbers_are_asked_for_times_a_power_of_1000(right):
    question = numeric(formula=f"{right} * a / a", tolerance={"rel": 0.01})
    bank = every_type().model_copy(update={"questions": [question]})
    (data,) = assessments(unzipped(batch(bank)))
    item = next(qti_dtd.plain(data).iter("item"))
    asked = re.search(r"times ([\d,]+)", item.findtext("presentation/material/mattext"))
    scale = int(asked[1].replace(",", "")) if asked else 1
    low, high = (float(item.findtext(f".//{tag}")) / scale for tag in ("vargte", "varlte"))
    assert math.isclose(low, right - abs(right) * 0.01, rel_tol=2e-4)
    assert math.isclose(high, right + abs(right) * 0.01, rel_tol=2e-4)


def test_a_number_that_text2qti_cannot_ask_for_is_an_error_that_names_it():
    question = numeric(formula="a - a", tolerance={"abs": 0})
    bank = every_type().model_copy(update={"questions": [question]})
    with pytest.raises(QuizError, match=r"99_made/q: text2qti cannot ask for 0 with a tolerance of 0"):
        export("qti", batch(bank))


@of_type("short")
def test_words_are_marked_as_the_quiz_marks_them(name, key):
    item, variant = both(name, key)
    forms = [test.text for test in item.iter("varequal")]
    assert all(mark(item, form.upper())[0] == 100 and grade(variant, form).right for form in forms)
    assert {variant.before(text) for text in variant.question.accept} <= set(forms)
    for trap in variant.question.traps:
        for text in trap.accept:
            score, feedback = mark(item, variant.before(text))
            assert score == 0 and any(shows(f, variant, trap.feedback, trap.misconception) for f in feedback)


@of_type("order")
def test_an_order_is_typed_in_letters(name, key):
    item, variant = both(name, key)
    html = item.findtext("presentation/material/mattext")
    letter = dict(zip((step.id for step in variant.options), "ABCDEFGHIJ", strict=False))
    assert stands_in(html, *(f"{letter[step.id]}. {variant.before(step.text)}" for step in variant.options))
    for order in itertools.permutations(letter):
        right = list(order) == solution(variant)
        for mark_between in ("", " ", ", "):
            score, _ = mark(item, mark_between.join(letter[id] for id in order).lower())
            assert (score == 100) == right
    told = [text for swap in variant.question.swaps for text in (swap.feedback, swap.misconception)]
    assert any(shows(text, variant, *told) for text in mark(item, "".join(letter))[1])
    assert "".join(letter.values()) != "".join(letter[id] for id in solution(variant))  # the example given


@of_type("match")
def test_each_item_of_a_match_is_a_choice_among_all_targets(name, key):
    variant = variants(BATCHES[name])[key]
    asked = variant.question
    for part in asked.items:
        item = items(name)[f"{key}/{part.id}"]
        assert shows(item.findtext("presentation/material/mattext"), variant, asked.setting, asked.prompt, part.text)
        for (label, html), target in zip(options(item).items(), variant.options, strict=True):
            assert seen(html) == plain(variant.before(target.text))
            score, feedback = mark(item, {label})
            assert (score == 100) == (target.id == part.target)
            for known in (c for c in asked.confusions if (c.item, c.target) == (part.id, target.id)):
                assert any(shows(text, variant, known.feedback, known.misconception) for text in feedback)


def identifiers(members: dict[str, bytes]) -> dict[str, set[str]]:
    every = [item for data in assessments(members) for item in qti_dtd.plain(data).iter("item")]
    found = {item.get("title"): {item.get("ident"), *options(item)} for item in every}
    return {**found, "package": {name for name in members if "/" in name}}


@pytest.mark.parametrize("seed", [0, 9])
def test_identifiers_stay_when_texts_change_and_questions_come_and_go(seed):
    old, new = every_type("old"), every_type("quite $n < w$")
    turned = new.model_copy(update={"questions": [numeric(id="more"), *reversed(new.questions)]})
    before, after = (identifiers(unzipped(batch(bank, seed=seed))) for bank in (old, turned))
    assert len(set.union(*before.values())) == sum(map(len, before.values()))  # none twice
    assert {key: after[key] for key in before} == before
    assert set(after) - set(before) == {"99_made/more"}
