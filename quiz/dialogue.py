"""What a page says and what it is told: plain messages in, plain messages out.

The page sends `{"kind": "ready"}`, or `{"kind": "answer" | "hint" | "reveal", "question": key}`, an answer with its
`value`. It gets `progress` (see `view.progress`) or a `notice`, a sentence about what it sent.
"""

from quiz.errors import QuizError
from quiz.session import Session, State
from quiz.view import answer_from, progress


def replies(session: Session, message: dict) -> list[dict]:
    """The messages to send back. A message that makes no sense gets a notice, never an exception."""
    kind = str(message.get("kind")) if isinstance(message, dict) else ""
    if kind not in ACTIONS:
        return [_notice("", "The page and the quiz do not understand each other: run the cell again.")]
    if kind == "ready":
        return [_progress(session, n) for n in session.keys if session.state(n) != State()]
    name = str(message.get("question", ""))
    try:
        ACTIONS[kind](session, name, message.get("value", ""))
        return [_progress(session, name)]
    except QuizError as error:
        return [_notice(name, str(error))]


def _answer(session: Session, name: str, value) -> None:
    session.answer(name, answer_from(session.variant(name), value))


ACTIONS = {
    "ready": None,
    "answer": _answer,
    "hint": lambda session, name, _: session.hint(name),
    "reveal": lambda session, name, _: session.reveal(name),
}


def _progress(session: Session, name: str) -> dict:
    return {"kind": "progress", **progress(session, name)}


def _notice(name: str, text: str) -> dict:
    return {"kind": "notice", "question": name, "text": text}
