"""The JSON export: everything of the bank, back again."""

import json

import pytest

from quiz.engine import grade, vary
from quiz.errors import QuizError
from quiz.export import export, gather
from quiz.export.json import read
from tests.quiz.export_banks import batch, every_type

BATCHES = {"course": gather(), "all types": batch(every_type("$x < 1$ & `a\\b`"))}


@pytest.mark.parametrize("name", BATCHES)
def test_what_is_read_back_equals_the_bank(name):
    assert read(export("json", BATCHES[name]).data) == list(BATCHES[name].banks)


@pytest.mark.parametrize("name", BATCHES)
def test_its_variants_are_those_of_the_engine_and_its_answers_are_right(name):
    form = json.loads(export("json", BATCHES[name]).data)
    for bank, lesson in zip(BATCHES[name].banks, form["lessons"], strict=True):
        for question, entry in zip(bank.questions, lesson["questions"], strict=True):
            variant = vary(question, form["seed"])
            assert entry["key"] == f"{bank.lesson}/{question.id}"
            assert entry["variant"]["options"] == [o.id for o in variant.options]
            assert entry["variant"]["values"] == variant.values
            assert grade(variant, entry["variant"]["answer"]).right


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"format": "other", "version": 1, "lessons": []}',
        b'{"format": "transformer-internals-quiz", "version": 2, "lessons": []}',
        b'{"format": "transformer-internals-quiz", "version": 1, "lessons": [{"lesson": "x"}]}',
        b'{"format": "transformer-internals-quiz", "version": 1, "lessons": [{"lesson": "99_x", "title": "t", "questions": []}]}',  # noqa: E501
    ],
)
def test_what_is_no_export_is_refused(data):
    with pytest.raises(QuizError, match=r"This is (no JSON export|not version 1)"):
        read(data)
