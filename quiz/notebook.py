"""Shows a quiz in the running notebook. Here the session's clock, person and store are chosen."""

from collections.abc import Callable
from datetime import UTC, datetime

from IPython.display import display

from quiz import static
from quiz.bank import load_all
from quiz.choosing import Choice, by_weakness, of_lesson, whatever_is_due
from quiz.reporting import as_text, of_lessons, of_person, section
from quiz.reporting.overview import weakest
from quiz.session import Session
from quiz.store import FileStore, Store, person, place
from quiz.widget import QuizWidget

_STORES: dict[str, Store] = {}
AGAIN = "Run this cell again for the next ones."


def show(lesson: str | None = None, most: int = 10) -> None:
    """Displays a lesson's first questions, or those that are due. Raises QuizError for an unknown lesson."""
    show_chosen(of_lesson(lesson) if lesson is not None else whatever_is_due(store().events(), most))


def show_round(most: int) -> None:
    """Displays a round over all lessons, by weakness. Raises QuizError for less than one question."""
    show_chosen(by_weakness(store().events(), most))


def show_chosen(chosen: Choice) -> None:
    """Displays the widget, and the form for when it has no kernel."""
    session = Session(chosen.banks, store(), person(), keys=chosen.keys, title=chosen.title)
    widget = QuizWidget(session, chosen.intro, AGAIN if chosen.intro else "")
    display(widget)
    display({"text/html": static.form(widget.title, widget.questions), "text/plain": ""}, raw=True)


def report() -> None:
    """Displays what the log of this place says of the person."""
    _display(of_person)


def overview() -> None:
    """Displays how the person stands with each lesson's questions."""
    _display(of_lessons)


def my_report() -> dict:
    """What the log of this place says of the person: see `quiz.reporting.of_person`."""
    return of_person(store().events(), load_all(), datetime.now(UTC))


def weak_lessons() -> list[str]:
    """The lessons of which this person had something wrong, the weakest first."""
    return weakest(store().events(), load_all(), datetime.now(UTC))


def _display(report: Callable[..., dict]) -> None:
    said = report(store().events(), load_all(), datetime.now(UTC))
    display({"text/html": section(said), "text/plain": as_text(said)}, raw=True)


def store() -> Store:
    """The file of this place; one reader of it a kernel."""
    where = place()
    return _STORES.setdefault(str(where), FileStore(where))
