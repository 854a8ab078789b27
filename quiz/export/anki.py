"""An Anki package, made by genanki: a note with one card for each question, a deck for each lesson.

Anki marks nothing: every type becomes a card that asks on its front and shows on its back the right answer, the
explanation and all misconceptions; nothing is lost but the marking. Hints open on the front when asked for.
A note's guid comes from lesson and question, so a newer export replaces texts and leaves the schedule alone. Anki
replaces a note only if the file's is newer: its time is that of the lesson's bank file.
"""

import io
import zipfile
from collections import Counter

from quiz.engine import Variant
from quiz.export.anki_card import FIELDS, MODEL_CSS, TEMPLATE, fields
from quiz.export.batch import Batch
from quiz.export.files import optional, zipped
from quiz.export.html import Html, coloured_code
from quiz.export.ids import stable_int, stable_uuid
from quiz.export.parts import parts, tags
from quiz.schema import TYPE_NAMES, Bank

FILE = "quiz.apkg"
DECK = "Transformer internals"
HOW = dict.fromkeys(TYPE_NAMES, "a card: the question in front; answer, explanation and misconceptions behind")
LOST = (
    "the marking of answers: on a card one judges oneself",
    "formulas and the other values of parameters (the seed's are filled in)",
    "confidence",
)
LONG_AGO = 1_000_000_000  # when nobody says when a bank was changed


def export(batch: Batch) -> tuple[bytes, Counter]:
    """The package, and how many cards were made of the questions of each type."""
    genanki = optional("genanki")
    html, model = Html(code=coloured_code), _model(genanki)
    decks = [_deck(genanki, model, bank, batch, html) for bank in batch.banks]
    made = Counter(question.type for bank in batch.banks for question in bank.questions)
    stream = io.BytesIO()
    newest = max(batch.changed.values(), default=LONG_AGO)
    genanki.Package(decks).write_to_file(stream, timestamp=newest)
    with zipfile.ZipFile(stream) as archive:
        return zipped({name: archive.read(name) for name in archive.namelist()}), made


def _model(genanki):
    return genanki.Model(
        stable_int("anki model 1", 1 << 30, 1 << 31),  # another one when FIELDS change
        "Transformer internals question",
        fields=[{"name": name} for name in FIELDS],
        templates=[TEMPLATE],
        css=MODEL_CSS,
    )


def _deck(genanki, model, bank: Bank, batch: Batch, html: Html):
    deck = genanki.Deck(stable_int(f"anki deck {bank.lesson}", 1 << 30, 1 << 31), f"{DECK}::{bank.lesson}")
    for variant in batch.variants(bank):
        deck.add_note(_note(genanki, model, bank, variant, html, batch.changed.get(bank.lesson, LONG_AGO)))
    return deck


def _note(genanki, model, bank: Bank, variant: Variant, html: Html, changed: int):
    pieces = parts(bank, variant, html)
    # In Anki an id is a time in milliseconds; genanki would count on from the time of making.
    numbers = [stable_int(f"anki {kind} {pieces.key}", 10**12, 15 * 10**11) for kind in ("note", "card")]

    class Note(genanki.Note):
        def write_to_db(self, cursor, timestamp, deck_id, id_gen):
            super().write_to_db(cursor, changed, deck_id, iter(numbers))

    labels = ["transformer-internals", *tags(bank, variant.question)]
    texts = fields(bank, variant, pieces, html)
    return Note(model, texts, tags=labels, guid=stable_uuid(pieces.key).hex)
