"""`blank_page()`: an exercise from memory, with nothing but its contract and a clock. `check` judges it as always."""

from collections.abc import MutableMapping
from dataclasses import replace

from grader.errors import CourseError
from grader.exercises import exercise, ids
from grader.judge import Verdict
from grader.probe.watch import short
from grader.student.page import Page
from grader.student.rounds.choosing import weakest_first
from grader.student.rounds.clock import Clock, in_words
from grader.student.rounds.desk import Desk, NoRound, offer
from grader.student.rounds.released import minutes, stub, title

_written: set[str] = set()  # exercises that got all points on a blank page in this session


class BlankPage:
    """An exercise to be written from memory. As a cell's last line it shows the contract and the clock."""

    def __init__(self, exercise_id: str, names: MutableMapping[str, object] | None = None):
        self._desk = Desk(exercise_id, names)
        self.exercise = exercise_id
        self.stub = stub(self._desk.chosen)
        self.clock = Clock()

    def check(self) -> Verdict | Page:
        """What `check` says of what you have written, and how long you have been at it."""
        verdict = self._desk.check(kept=True)
        if isinstance(verdict, Page):
            return verdict
        done = verdict.score == verdict.points
        note = f"On the clock: {in_words(self.clock.stop() if done else self.clock.seconds)}. It is not judged."
        if done:
            _written.add(self.exercise)
        return replace(verdict, notes=(*verdict.notes, note))

    def __repr__(self) -> str:
        return repr(self._page())

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(self._page())
        display(self.clock)

    def _page(self) -> Page:
        chosen = self._desk.chosen
        lesson = f"Lesson {chosen.lesson[:2]}, “{title(chosen.lesson)}”"
        usual = f", calls it {expected} minutes of work" if (expected := minutes(chosen)) else " teaches it"
        names = ", ".join(f"`{short(name)}`" for name in chosen.forbidden)
        rule = f" Forbidden: {names}." if names else ""
        text = (
            f"{chosen.points} points. {lesson}{usual}.{rule} What that lesson imports is imported here, too. Write in "
            "the new cell below; where none has appeared, copy this into an empty one."
        )
        return Page(f"Blank page: `{self.exercise}`.", text, self.stub)


def blank_page(
    exercise_id: str | None = None, *, seed: int | None = None, names: MutableMapping[str, object] | None = None
) -> BlankPage | NoRound:
    """Opens a blank page, puts its stub into a new cell and starts the clock.

    exercise_id  as its lesson writes it, "rms_norm"; without one, an exercise of a lesson that the quiz says is weak,
                 or any; not one that got all points on a page of this session
    seed         which of several equally weak ones; the same seed gives the same
    names        where to write; default: the notebook
    """
    try:
        page = BlankPage(exercise_id or _next(seed), names)
    except CourseError as error:
        return NoRound("No blank page.", str(error))
    offer(page.stub)
    return page


def _next(seed: int | None) -> str:
    able = [name for name in ids() if not exercise(name).missing()]
    left = [name for name in able if name not in _written] or able
    return weakest_first(left, lambda name: exercise(name).lesson, seed)[0]
