"""The conversation: asks each question until it is right or left, and remembers nothing but in the session."""

import shutil

from quiz.engine import grade
from quiz.errors import QuizError
from quiz.session import Session
from quiz.terminal import asking
from quiz.terminal.reading import ASK, answer_of

SURE = {"g": "guess", "f": "fairly", "c": "certain"}
HELP = "? gives a hint, Enter goes on to the next question, q ends the quiz."


class Quit(Exception):
    """The person has had enough."""


def take(session: Session) -> None:
    """Asks the session's questions on stdin and stdout. Ends at `q`, at the end of the input, at Ctrl-C."""
    count = f"{len(session.keys)} question{'s' * (len(session.keys) != 1)}"
    print(f"{session.title}: {count}. {HELP}")
    try:
        for number, key in enumerate(session.keys, 1):
            print(f"\n{'─' * _width()}\nQuestion {number} of {len(session.keys)}\n")
            print(asking.question(session, key, _width()))
            _until_done(session, key)
    except (Quit, EOFError, KeyboardInterrupt):
        print()
    answered = [state.grade.right for key in session.keys if (state := session.state(key)).grade]
    print(f"Answered: {len(answered)} of {len(session.keys)}, right: {sum(answered)}.")


def _until_done(session: Session, key: str) -> None:
    variant, tried = session.variant(key), False
    while True:
        more = ", s for the solution" if tried else ""
        typed = _ask(f"\n{ASK[variant.question.type]} (? for a hint{more}): ")
        if typed == "":
            return
        if typed == "?":
            _hint(session, key)
        elif tried and typed.lower() == "s":
            session.reveal(key)
            return _explain(session, key)
        elif _answer(session, key, typed):
            tried = True
            if session.state(key).grade.right:
                return _explain(session, key)


def _answer(session: Session, key: str, typed: str) -> bool:
    variant = session.variant(key)
    try:
        answer = answer_of(variant, typed)
        grade(variant, answer)  # before anybody is asked how sure they are of what cannot be read
        session.answer(key, answer, _how_sure())
    except QuizError as error:
        print(error)
        return False
    _say(session, asking.verdict(session, key, _width()))
    if not session.state(key).grade.right:
        _say(session, asking.taught(session, key))
    return True


def _how_sure() -> str:
    while True:
        typed = _ask("How sure are you? g I am guessing, f fairly sure, c certain: ").lower()
        if typed[:1] in SURE:
            return SURE[typed[0]]


def _hint(session: Session, key: str) -> None:
    before = session.state(key).hints
    session.hint(key)
    if session.state(key).hints == before:
        print("There are no more hints.")
    else:
        _say(session, asking.hint(session, key, _width()))
    _say(session, asking.taught(session, key))


def _explain(session: Session, key: str) -> None:
    _say(session, asking.explained(session.variant(key), _width()))
    _say(session, asking.taught(session, key))
    _ask("\nEnter goes on, q ends. ")


def _say(session: Session, text: str) -> None:
    if text:
        print(f"\n{text}")
    if session.unsaved:
        print(f"\n{session.unsaved}")


def _ask(prompt: str) -> str:
    typed = input(prompt).strip()
    if typed.lower() == "q":
        raise Quit
    return typed


def _width() -> int:
    return min(shutil.get_terminal_size().columns, 100) - 1
