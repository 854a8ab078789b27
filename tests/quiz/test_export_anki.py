"""The Anki export: read by Anki's own library, which also says what a newer file does to an older collection."""

import io
import os
import shutil
import zipfile
from pathlib import Path

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

from quiz.bank import FOLDER
from quiz.engine import solution
from quiz.export import Batch, export, gather
from quiz.export.anki_card import FIELDS
from quiz.formula import show
from quiz.schema import Bank
from tests.quiz.export_banks import batch, code_in, every_type, seen, tex_in, variants
from tests.quiz.export_texts import plain, stands_in
from tests.quiz.make import numeric

TEXT = "with $a < b$, `x[:, 1]` & more"
BATCHES = {"course": gather(), "all types": batch(every_type(TEXT))}
CASES = [(name, key) for name in BATCHES for key in variants(BATCHES[name])]
of_all = pytest.mark.parametrize(("name", "key"), CASES)


@pytest.fixture
def collection(tmp_path):
    made = Collection(str(tmp_path / "collection.anki2"))
    yield made
    made.close()


def take(collection: Collection, batch: Batch, folder: Path):
    """Imports the batch as Anki's window does by default; what it says it did."""
    file = folder / "quiz.apkg"
    file.write_bytes(export("anki", batch).data)
    request = ImportAnkiPackageRequest(package_path=str(file), options=ImportAnkiPackageOptions())
    return collection.import_anki_package(request).log


def notes(collection: Collection) -> dict:
    found = [collection.get_note(number) for number in collection.find_notes("")]
    return {note["Key"]: note for note in found}


@pytest.fixture(scope="module")
def read(tmp_path_factory) -> dict:
    """Every note of the batches, as a dictionary of its fields."""
    every = {}
    for name in BATCHES:
        folder = tmp_path_factory.mktemp("anki")
        collection = Collection(str(folder / "collection.anki2"))
        take(collection, BATCHES[name], folder)
        every[name] = {key: dict(note.items()) for key, note in notes(collection).items()}
        collection.close()
    return every


@pytest.mark.parametrize("name", BATCHES)
def test_anki_takes_every_question_as_a_note_with_a_card_in_its_lessons_deck(name, collection, tmp_path):
    log = take(collection, BATCHES[name], tmp_path)
    wanted = variants(BATCHES[name])
    assert len(log.new) == log.found_notes == len(wanted) == collection.card_count()
    for key, note in notes(collection).items():
        (card,) = note.cards()
        asked = wanted[key].question
        assert collection.decks.name(card.did) == f"Transformer internals::{key.split('/')[0]}"
        assert {"transformer-internals", key.split("/")[0], asked.type, asked.difficulty} <= set(note.tags)
        assert tuple(note.keys()) == FIELDS


@of_all
def test_the_front_asks_and_the_back_explains(name, key, read):
    fields, variant = read[name][key], variants(BATCHES[name])[key]
    asked = variant.question
    assert stands_in(fields["Question"], *(variant.before(t) for t in (asked.setting, asked.prompt) if t))
    assert stands_in(fields["Options"], *(variant.before(option.text) for option in variant.options))
    assert stands_in(fields["Hints"], *(variant.before(hint) for hint in asked.hints))
    assert stands_in(fields["Explanation"], variant.after(asked.explanation))
    assert stands_in(fields["Source"], variant.after(asked.source))
    kinds = (getattr(asked, kind, []) for kind in ("options", "traps", "swaps", "confusions"))
    for wrong in (found for group in kinds for found in group if found.misconception):
        assert stands_in(fields["Misconceptions"], variant.before(wrong.feedback), variant.before(wrong.misconception))


@of_all
def test_the_back_shows_the_right_answer_and_the_front_does_not_mark_it(name, key, read):
    fields, variant = read[name][key], variants(BATCHES[name])[key]
    asked, right = variant.question, solution(variant)
    if asked.type in ("single", "multi"):
        texts = [variant.before(option.text) for option in variant.options if option.id in right]
        wrong = [variant.before(option.text) for option in variant.options if option.id not in right]
        assert stands_in(fields["Answer"], *texts)
        assert not any(
            stands_in(fields["Answer"], text) for text in wrong if plain(text) not in "".join(map(plain, texts))
        )
    elif asked.type == "order":
        assert stands_in(fields["Answer"], *(step.text for step in asked.steps))
        assert not stands_in(fields["Options"], *(step.text for step in asked.steps))
    elif asked.type == "match":
        texts = {target.id: target.text for target in asked.targets}
        assert stands_in(fields["Answer"], *(t for item in asked.items for t in (item.text, texts[item.target])))
    else:
        wanted = [show(variant.secrets["answer"])] if asked.type == "numeric" else asked.accept
        assert all(text in seen(fields["Answer"]) for text in wanted)
        assert fields["Options"] == ""


def test_mathematics_and_code_are_as_anki_wants_them(collection, tmp_path):
    text = "$x < \\frac{1}{2}$\n\n```python\nif a < b and c:\n    print('\\(no math\\)')\n```\n"
    asked = every_type().questions[0].model_copy(update={"setting": text})
    take(collection, batch(every_type().model_copy(update={"questions": [asked]})), tmp_path)
    (note,) = notes(collection).values()
    assert "\\(x &lt; \\frac{1}{2}\\)" in note["Question"]
    assert tex_in(note["Question"].split("<pre>")[0]) == ["x < \\frac{1}{2}"]
    assert code_in(note["Question"]) == ["if a < b and c:\n    print('\\(no math\\)')"]
    assert note["Question"].count("\\(") == 1  # what looks like mathematics in code is parted
    assert '<span class="k">if</span>' in note["Question"]
    (card,) = note.cards()
    assert "pre .k {" in card.question() and ".nightMode pre .k {" in card.question()
    assert "\\frac{1}{2}" in card.answer()


def identity(batch: Batch, folder: Path) -> dict:
    """Of each note: its own and its card's number, its guid, model and deck (Anki numbers decks itself)."""
    folder.mkdir()
    collection = Collection(str(folder / "collection.anki2"))
    take(collection, batch, folder)
    found = {}
    for key, note in notes(collection).items():
        (card,) = note.cards()
        found[key] = (note.id, card.id, note.guid, note.mid, collection.decks.name(card.did))
    collection.close()
    return found


def changed(bank: Bank, **more) -> Bank:
    return bank.model_copy(update={"questions": [numeric(id="more"), *reversed(bank.questions)], **more})


def test_ids_stay_when_texts_change_and_questions_come_and_go(tmp_path):
    old, new = every_type("old"), changed(every_type("quite new"), title="Another title")
    before = identity(batch(old, made=1000), tmp_path / "a")
    after = identity(batch(new, every_type().model_copy(update={"lesson": "98_other"}), seed=3), tmp_path / "b")
    assert {key: after[key] for key in before} == before
    numbers = [number for ids in after.values() for number in ids[:3]]
    assert len(set(numbers)) == len(numbers)
    assert len({ids[4] for ids in after.values()}) == 2


def test_a_newer_file_replaces_texts_and_leaves_the_schedule(collection, tmp_path):
    take(collection, batch(every_type("old"), made=1_700_000_000), tmp_path)
    key = "99_made/single"
    (card,) = notes(collection)[key].cards()
    collection.sched.set_due_date([card.id], "17")
    due = collection.get_card(card.id).due
    log = take(collection, batch(changed(every_type("brand-new")), made=1_700_000_060), tmp_path)
    assert (len(log.new), len(log.updated)) == (1, 6)
    assert "brand-new" in notes(collection)[key]["Question"]
    assert [c.id for c in notes(collection)[key].cards()] == [card.id]
    assert collection.get_card(card.id).due == due


def test_the_same_file_again_changes_nothing(collection, tmp_path):
    take(collection, BATCHES["course"], tmp_path)
    log = take(collection, BATCHES["course"], tmp_path)
    assert (len(log.new), len(log.updated)) == (0, 0)


def test_a_notes_time_is_that_of_its_lessons_file(collection, tmp_path):
    folder = tmp_path / "bank"
    folder.mkdir()
    for lesson, when in (("03_rms_norm", 1_700_000_000), ("07_swiglu", 1_750_000_000)):
        file = shutil.copy(FOLDER / f"{lesson}.yaml", folder)
        os.utime(file, (when, when))
    take(collection, gather(folder=folder), tmp_path)
    times = {(key.split("/")[0], note.mod) for key, note in notes(collection).items()}
    assert times == {("03_rms_norm", 1_700_000_000), ("07_swiglu", 1_750_000_000)}


def test_the_package_is_one_that_older_ankis_read_too():
    with zipfile.ZipFile(io.BytesIO(export("anki", BATCHES["all types"]).data)) as archive:
        assert archive.namelist() == ["collection.anki2", "media"]
        assert archive.read("collection.anki2").startswith(b"SQLite format 3\0")
        assert archive.read("media") == b"{}"
