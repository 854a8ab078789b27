"""Questions and sessions for tests, small and whole."""

from datetime import UTC, datetime
from pathlib import Path

import yaml
from hypothesis import settings

from quiz.bank import load
from quiz.event import Event
from quiz.schema import Bank, Match, Multi, Numeric, Order, Short, Single
from quiz.session import MemoryStore, Session

LESSON = "03_rms_norm"
WHOLE = "99_whole"
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


def order(steps: int = 4) -> Order:
    parts = [{"id": f"s{i}", "text": f"Step {i}."} for i in range(steps)]
    swap = {"first": "s1", "then": "s0", "misconception": "starts at one", "feedback": "Start at zero."}
    return Order.model_validate({**COMMON, "type": "order", "steps": parts, "swaps": [swap]})


def match(items: int = 3, targets: int = 3) -> Match:
    """Item i has target i, or the last one there is; every other target is a confusion of the first item."""
    left = [{"id": f"i{i}", "text": f"Item {i}", "target": f"t{min(i, targets - 1)}"} for i in range(items)]
    right = [{"id": f"t{i}", "text": f"Target {i}"} for i in range(targets)]
    wrong = {"item": "i0", "misconception": "mixes up", "feedback": "Not that."}
    confusions = [{**wrong, "target": f"t{i}"} for i in range(1, targets)]
    parts = {"items": left, "targets": right, "confusions": confusions}
    return Match.model_validate({**COMMON, "type": "match", **parts})


def short(**changes) -> Short:
    trap = {"id": "sum", "accept": ["sum"], "misconception": "adds", "feedback": "Not the sum."}
    return Short.model_validate(
        {**COMMON, "type": "short", "accept": ["the mean", "average"], "traps": [trap], **changes}
    )


def whole_bank() -> dict:
    """A sound bank with a question of each type as its file holds it, to be damaged."""
    return yaml.safe_load((Path(__file__).parent / "whole_bank.yaml").read_text(encoding="utf-8"))


def whole() -> Bank:
    return Bank.model_validate(whole_bank())


def event(question: str = "one", kind: str = "answered", **more) -> Event:
    """Something somebody did at noon."""
    fields = {"at": NOON, "lesson": WHOLE, "round": 0, "seed": 1, "form": "f", **more}
    marks = {"answer": ("right",), "right": True} if kind == "answered" else {}
    return Event(question=question, kind=kind, **{**marks, **fields})


def first_three() -> Bank:
    """What the lesson's notebook shows: a single, a multi and a numeric question."""
    bank = load(LESSON)
    return bank.model_copy(update={"questions": bank.questions[:3]})


def session(person: int = 0, bank: Bank | None = None, store=None, now: datetime = NOON, **more) -> Session:
    return Session([bank or first_three()], store or MemoryStore(), person, lambda: now, **more)


def bank_of(*questions) -> Bank:
    return Bank(lesson="99_made", title="Made", questions=list(questions))


def log_of(session: Session) -> list[Event]:
    return list(session._store.events())


# To each question of `whole`, an answer and a wrong one; `number` has another key under each seed.
ANSWERS = {
    "one": (["right"], ["l2"]),
    "some": (["scale"], ["shift", "none"]),
    "number": ("2560", "1"),
    "steps": (["square", "mean", "root"], ["root", "mean", "square"]),
    "pairs": (["llama=rms", "gpt=layer"], ["llama=batch", "gpt=layer"]),
    "word": ("Residual stream", "hidden state"),
}
