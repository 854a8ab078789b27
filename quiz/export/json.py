"""JSON: the whole bank, for programs. Version 1 of the form:

    {"format": "transformer-internals-quiz", "version": 1, "seed": 0,
     "lessons": [{"lesson": "03_rms_norm", "title": "...", "questions": [
       {"key": "03_rms_norm/which_formula",       the same for as long as the question lives
        "uuid": "...",                            made from the key
        "question": {...},                        every field of the bank's file, defaults too; texts are Markdown
        "variant": {"values": {"dim": 4096},      what the seed drew
                    "options": ["a", "b"],        ids of options, steps or targets in the seed's order
                    "answer": ...}}]}]}           ids, "item=target" strings, or text: a right answer

`read` gives back banks equal to those that were exported.
"""

import json
from collections import Counter

from pydantic import ValidationError

from quiz.engine import Variant, solution
from quiz.errors import QuizError
from quiz.export.batch import Batch
from quiz.export.ids import stable_uuid
from quiz.schema import TYPE_NAMES, Bank

FORMAT, VERSION = "transformer-internals-quiz", 1
FILE = "quiz.json"
HOW = dict.fromkeys(TYPE_NAMES, "every field of the bank, and what the seed makes of it")
LOST = ()


def export(batch: Batch) -> tuple[bytes, Counter]:
    """The file's content, and how many questions of each type it has."""
    lessons = [_lesson(batch, bank) for bank in batch.banks]
    form = {"format": FORMAT, "version": VERSION, "seed": batch.seed, "lessons": lessons}
    made = Counter(question.type for bank in batch.banks for question in bank.questions)
    return (json.dumps(form, ensure_ascii=False, indent=1) + "\n").encode(), made


def read(data: bytes) -> list[Bank]:
    """The banks in an export. Raises QuizError when it is none, or one of a newer version."""
    try:
        form = json.loads(data)
        if form["format"] != FORMAT or form["version"] != VERSION:
            raise QuizError(f"This is not version {VERSION} of the form {FORMAT!r}.")
        return [_bank(lesson) for lesson in form["lessons"]]
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise QuizError(f"This is no JSON export of the quiz: {error}") from None


def _lesson(batch: Batch, bank: Bank) -> dict:
    questions = [_question(bank, variant) for variant in batch.variants(bank)]
    return {"lesson": bank.lesson, "title": bank.title, "questions": questions}


def _question(bank: Bank, variant: Variant) -> dict:
    key = f"{bank.lesson}/{variant.question.id}"
    options = [option.id for option in variant.options]
    shown = {"values": dict(variant.values), "options": options, "answer": solution(variant)}
    question = variant.question.model_dump(mode="json")
    return {"key": key, "uuid": str(stable_uuid(key)), "question": question, "variant": shown}


def _bank(lesson: dict) -> Bank:
    questions = [entry["question"] for entry in lesson["questions"]]
    return Bank.model_validate({"lesson": lesson["lesson"], "title": lesson["title"], "questions": questions})
