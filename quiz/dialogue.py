"""What a page says and what it is told: plain messages in, plain messages out.

The page sends `{"kind": "ready"}`, or `{"kind": "answer" | "hint" | "reveal", "question": key}`, an answer with its
`value` and its `confidence`. It gets `progress` (see `view.progress`), a `notice`, a sentence about what it sent, or,
when it is ready, the `state`: all progress there is. `unsaved` says why something is in memory only.
"""

from typing import get_args

from quiz.errors import QuizError
from quiz.event import Confidence
from quiz.exchange import from_page
from quiz.session import Session, State
from quiz.view import progress

CONFIDENCES = get_args(Confidence)


def replies(session: Session, message: dict) -> list[dict]:
    """The messages to send back. A message that makes no sense gets a notice, never an exception."""
    kind = str(message.get("kind")) if isinstance(message, dict) else ""
    if kind not in ACTIONS:
        return [_notice("", "The page and the quiz do not understand each other: run the cell again.")]
    if kind == "ready":
        known = [_progress(session, key) for key in session.keys if session.state(key) != State()]
        return [{"kind": "state", "questions": known, "unsaved": session.unsaved or ""}]
    key = str(message.get("question", ""))
    try:
        ACTIONS[kind](session, key, message)
        return [{**_progress(session, key), "unsaved": session.unsaved or ""}]
    except QuizError as error:
        return [_notice(key, str(error))]


def _answer(session: Session, key: str, message: dict) -> None:
    confidence = message.get("confidence")
    answer = from_page(session.variant(key), message.get("value", ""))
    session.answer(key, answer, confidence if confidence in CONFIDENCES else None)


ACTIONS = {
    "ready": None,
    "answer": _answer,
    "hint": lambda session, key, _: session.hint(key),
    "reveal": lambda session, key, _: session.reveal(key),
}


def _progress(session: Session, key: str) -> dict:
    return {"kind": "progress", **progress(session, key)}


def _notice(key: str, text: str) -> dict:
    return {"kind": "notice", "question": key, "text": text}
