"""Shows a quiz in the running notebook. Here the session's clock, person and store are chosen."""

from datetime import UTC, datetime

from IPython.display import display

from quiz import static
from quiz.bank import load_all
from quiz.choosing import Choice, of_lesson, whatever_is_due
from quiz.session import Session
from quiz.store import FileStore, Store, person, place
from quiz.widget import QuizWidget

_STORES: dict[str, Store] = {}
AGAIN = "Run this cell again for the next ones."


def show(lesson: str | None = None, most: int = 10) -> None:
    """Displays a lesson's first questions, or those that are due. Raises QuizError for an unknown lesson."""
    show_chosen(of_lesson(lesson) if lesson is not None else whatever_is_due(store().events(), most))


def show_chosen(chosen: Choice) -> None:
    """Displays the widget, and the form for when it has no kernel."""
    session = Session(chosen.banks, store(), person(), keys=chosen.keys, title=chosen.title)
    widget = QuizWidget(session, chosen.intro, AGAIN if chosen.intro else "")
    display(widget)
    display({"text/html": static.form(widget.title, widget.questions), "text/plain": ""}, raw=True)


def report() -> None:
    """Displays what the log of this place says of the person."""
    from quiz import reporting  # only when it is asked for

    said = reporting.of_person(store().events(), load_all(), datetime.now(UTC))
    display({"text/html": reporting.section(said), "text/plain": reporting.as_text(said)}, raw=True)


def store() -> Store:
    """The file of this place; one reader of it a kernel."""
    where = place()
    return _STORES.setdefault(str(where), FileStore(where))
