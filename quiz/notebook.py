"""Shows a quiz in the running notebook. The one place where the session's clock, seed and store are chosen."""

import secrets

from IPython.display import display

from quiz.bank import load
from quiz.session import MemoryStore, Session
from quiz.widget import QuizWidget

# One of each a kernel: running the cell again shows the same questions, and what was answered.
_STORE = MemoryStore()
_SEED = secrets.randbits(32)


def show(lesson: str) -> None:
    """Displays the lesson's questions. Raises QuizError for an unknown lesson or a bank with errors."""
    display(QuizWidget(Session(load(lesson), _STORE, _SEED)))
