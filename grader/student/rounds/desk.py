"""The student's notebook as a round uses it: names are laid out in it, a cell is offered, what was written is found."""

import sys
from collections.abc import MutableMapping

from grader.errors import CourseError
from grader.exercises import exercise
from grader.judge import Verdict
from grader.student.check import check
from grader.student.find import student_namespace
from grader.student.page import Page
from grader.student.rounds.released import given

_LEFT = object()  # what a name that is not defined counts as


class Desk:
    """One exercise's place in the notebook. What was defined before does not count as written now.

    Raises CourseError for an exercise that is not there, or that this machine cannot run.
    """

    def __init__(self, exercise_id: str, names: MutableMapping[str, object] | None):
        self.chosen = exercise(exercise_id)
        if reason := self.chosen.missing():
            raise CourseError(reason)
        self._own = names
        self._names = student_namespace() if names is None else names
        self._names.update(given(self.chosen))
        self._before = self._now()

    def check(self, *, kept: bool) -> Verdict | Page:
        """The verdict on what has been written since; a sentence while nothing has.

        kept    whether it counts as the student's own work, as in the exercise's lesson
        """
        if self._now() is self._before:
            return Page(
                "Not written yet.",
                f"`{self.chosen.name}` is what it was before this round. Write it, run its cell, then this one again.",
            )
        return check(self.chosen.id, namespace=self._own if kept else self._names)

    def _now(self) -> object:
        return self._names.get(self.chosen.name, _LEFT)


def offer(text: str) -> None:
    """Puts a new cell with this text below the one that runs, in a notebook whose page can do that."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if getattr(shell, "kernel", None) is not None:
        shell.set_next_input(text)


class NoRound(Page):
    """In place of a round that there is not: whatever is asked of it says why."""

    def __getattr__(self, name: str):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_: self
