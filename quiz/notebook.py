"""Shows a quiz in the running notebook. Here the session's clock, person and store are chosen."""

from IPython.display import display

from quiz import static
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
    display(QuizWidget(session, chosen.intro, AGAIN if chosen.intro else ""))
    display({"text/html": static.form(session), "text/plain": ""}, raw=True)


def store() -> Store:
    """The file of this place; one reader of it a kernel."""
    where = place()
    return _STORES.setdefault(str(where), FileStore(where))
