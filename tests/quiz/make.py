"""Questions and sessions for tests, small and whole."""

from datetime import UTC, datetime

import yaml
from hypothesis import settings

from quiz.bank import FOLDER, load
from quiz.schema import Bank, Multi, Numeric, Single
from quiz.session import Event, MemoryStore, Session

LESSON = "03_rms_norm"
# No test here fails on a time, however busy the machine.
untimed = settings(deadline=None, max_examples=60)
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
COMMON = {
    "id": "q",
    "difficulty": "easy",
    "prompt": "Which?",
    "hints": ["Look.", "Look again."],
    "explanation": "It is. It was. It will be.",
    "source": "A book.",
}


def option(name: str, correct: bool = False, **more) -> dict:
    wrong = {} if correct else {"misconception": f"believes {name}", "feedback": f"Not {name}."}
    return {"id": name, "text": f"Says {name}.", "correct": correct, **wrong, **more}


def choice(right: list[bool], pinned: list[bool] | None = None, type: str = "multi") -> Single | Multi:
    flags = zip(right, pinned or [False] * len(right), strict=True)
    options = [option(f"o{i}", correct, pinned=pin) for i, (correct, pin) in enumerate(flags)]
    model = Multi if type == "multi" else Single
    return model.model_validate({**COMMON, "type": type, "options": options})


def numeric(**changes) -> Numeric:
    trap = {"id": "sum", "formula": "a + b", "misconception": "adds", "feedback": "You added {{ a }}."}
    fields = {"params": {"a": [3, 5, 7], "b": [11, 13]}, "formula": "a * b", "tolerance": {"abs": 0.5}, "traps": [trap]}
    return Numeric.model_validate({**COMMON, "type": "numeric", **fields, **changes})


def raw_bank() -> dict:
    """The real bank as its file holds it, to be damaged."""
    return yaml.safe_load((FOLDER / f"{LESSON}.yaml").read_text(encoding="utf-8"))


def first_three() -> Bank:
    """What the lesson's notebook shows: a single, a multi and a numeric question."""
    bank = load(LESSON)
    return bank.model_copy(update={"questions": bank.questions[:3]})


def session(seed: int = 0, bank: Bank | None = None, store=None) -> Session:
    return Session(bank or first_three(), store or MemoryStore(), seed, clock=lambda: NOON)


def bank_of(*questions) -> Bank:
    return Bank(lesson="99_made", title="Made", questions=list(questions))


def log_of(session: Session) -> list[Event]:
    return list(session._store.events())
