"""`find_the_bug()`: a program that is wrong in one place. Find the line, mend it; `check` judges what was mended."""

from collections.abc import MutableMapping
from dataclasses import replace

from grader.errors import CourseError
from grader.exercises import exercise
from grader.judge import KnownMistake, Verdict, expected
from grader.student.check import PUBLIC_SEED, check
from grader.student.page import Page
from grader.student.rounds.bugs import Bug, bugs
from grader.student.rounds.choosing import weakest_first
from grader.student.rounds.desk import Desk, NoRound, offer
from grader.student.rounds.released import given, purpose

found: dict[int, bool] = {}  # number of each bug met in this session -> whether it was mended


class BugRound:
    """One bug. What is wrong has a name, which is told when it is mended or given up."""

    def __init__(self, number: int, names: MutableMapping[str, object] | None = None):
        if number not in range(1, len(bugs()) + 1):
            raise CourseError(f"There is no bug {number!r}: they are numbered from 1 to {len(bugs())}.")
        self.number, self.bug = number, bugs()[number - 1]
        self._desk = Desk(self.bug.exercise, names)
        found.setdefault(number, False)

    @property
    def exercise(self) -> str:
        """The id of the exercise that the program is a wrong answer to."""
        return self.bug.exercise

    def line(self, number: int) -> Page:
        """Whether this line is where it goes wrong."""
        if number in self.bug.lines:
            found_it = f"Bug {self.number} goes wrong in line {number}. Now `bug.mend()` gives you the program to mend."
            return Page("Found.", found_it)
        if number not in range(1, (last := len(self.bug.code.splitlines())) + 1):
            return Page("No such line.", f"The lines of bug {self.number} are 1 to {last}, and not {number!r}.")
        text = f"Line {number} of bug {self.number} can stay as it is. `bug.hint()` shows what `check` sees."
        return Page("Not this one.", text)

    def hint(self) -> Verdict:
        """What `check` says of the program as it is, without the name of what is wrong."""
        names = given(self._desk.chosen)
        exec(self.bug.code, names)
        return _unnamed(check(self.exercise, namespace=names))

    def mend(self) -> Page:
        """Puts the program into a new cell below."""
        offer(self.bug.code)
        return Page(
            f"Mend bug {self.number}",
            "in the new cell below, run that cell, then `bug.mended()`. Where no cell has appeared, copy this one:",
            self.bug.code,
        )

    def mended(self) -> Verdict | Page:
        """What `check` says of what the notebook now defines. With all points: what the bug was."""
        verdict = self._desk.check(kept=False)
        if isinstance(verdict, Page):
            return verdict
        if verdict.score == verdict.points:
            found[self.number] = True
            return replace(verdict, notes=(*verdict.notes, f"You mended bug {self.number}. {self._what_it_was()}"))
        if verdict.mistake == self._mistake.name:
            return replace(_unnamed(verdict), notes=(*verdict.notes, "The bug is still in it."))
        return verdict

    def give_up(self) -> Page:
        """Where the bug is and what it is called. Mend it all the same."""
        return Page(f"Bug {self.number}, given up.", self._what_it_was())

    @property
    def _mistake(self) -> KnownMistake:
        known = expected(self.exercise, PUBLIC_SEED).mistakes
        return next(mistake for mistake in known if mistake.key == self.bug.mistake)

    def _what_it_was(self) -> str:
        return f"In line {self.bug.lines[0]}: {self._mistake.name}. {self._mistake.hint}"

    def _page(self) -> Page:
        text = f"A colleague's answer to `{self.exercise}`, wrong in one place.\n{purpose(self._desk.chosen)}"
        return Page(f"Bug {self.number} of {len(bugs())}.", text, self.bug.numbered)

    def __repr__(self) -> str:
        return repr(self._page())

    def _repr_html_(self) -> str:
        return self._page()._repr_html_()


def find_the_bug(
    number: int | None = None, *, seed: int | None = None, names: MutableMapping[str, object] | None = None
) -> BugRound | NoRound:
    """Shows a program with one bug.

    number  which one, from 1; without it one that you have not met in this session, of a weak lesson first
    seed    which of several equally weak ones; the same seed gives the same
    names   where to look for what was mended; default: the notebook
    """
    try:
        return BugRound(_next(seed) if number is None else number, names)
    except CourseError as error:
        return NoRound("No bug.", str(error))


def _next(seed: int | None) -> int:
    every = dict(enumerate(bugs(), 1))
    left = [number for number in every if number not in found] or [n for n in every if not found[n]] or list(every)
    return weakest_first(left, lambda number: _lesson(every[number]), seed)[0]


def _lesson(bug: Bug) -> str:
    return exercise(bug.exercise).lesson


def _unnamed(verdict: Verdict) -> Verdict:
    checks = tuple(replace(one, mistake=None) for one in verdict.checks)
    return replace(verdict, mistake=None, hint=None, checks=checks)
