"""Shows a quiz in the running notebook. The one place where the session's clock, person and store are chosen."""

import secrets

from IPython.display import display

from quiz.bank import load
from quiz.session import MemoryStore, Session
from quiz.widget import QuizWidget

# One of each a kernel: running the cell again shows the same questions, and what was answered.
_STORE = MemoryStore()
_PERSON = secrets.randbits(32)
ON_THE_SPOT = 3  # a lesson shows the first three questions of its bank; the others are for the quiz as a whole


def show(lesson: str) -> None:
    """Displays a lesson's first questions. Raises QuizError for an unknown lesson or a bank with errors."""
    bank = load(lesson)
    bank = bank.model_copy(update={"questions": bank.questions[:ON_THE_SPOT]})
    display(QuizWidget(Session([bank], _STORE, _PERSON)))
