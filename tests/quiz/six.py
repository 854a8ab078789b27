"""A bank with one question of each type, and its quiz in a notebook."""

from pathlib import Path

import yaml

from quiz import notebook
from quiz.choosing import Choice
from quiz.engine import Variant
from quiz.schema import Bank
from quiz.session import Session
from quiz.store import MemoryStore, person

FILE = Path(__file__).with_name("six.yaml")
TYPES = ("single", "multi", "numeric", "order", "match", "short")
CELL = "from tests.quiz.six import show\nshow()"


def bank() -> Bank:
    """The bank; its name is a lesson's, so that there is a notebook to link to."""
    return Bank.model_validate(yaml.safe_load(FILE.read_text(encoding="utf-8")))


def show() -> None:
    """Displays it as `quiz` displays a bank, with progress in the same file."""
    notebook.show_chosen(Choice([bank()], None, ""))


def variants() -> dict[str, Variant]:
    """Each type's question as this person is shown it first."""
    session = Session([bank()], MemoryStore(), person())
    return {session.variant(key).question.type: session.variant(key) for key in session.keys}
