"""What an exercise is: its contract, its points, its cases and its probe."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from grader.errors import CourseError
from grader.probe import blame
from grader.probe.case import Case
from grader.probe.recorder import Recorder


@dataclass(frozen=True)
class Check:
    """Points for what an implementation does on some cases: all of them right, or none of the points.

    outputs    names of what is compared there, as the probe records them
    """

    name: str
    points: int
    about: str
    cases: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Exercise:
    """One exercise. `reference`, `mistakes` and the student's work all go through its one `probe`.

    id          as in `check("id")`
    name        what the student defines
    kind        "function", or "module" for a subclass of torch.nn.Module
    signature   as the contract writes it, for the person who reads an error
    arguments   names of the arguments the probe passes by position; `keywords` those passed by name
    forbidden   dotted names of built-ins that would be the answer itself
    extra       extra credit: checked like any other, but by a cell that is not graded, so that its points are no part
                of the lesson's and nobody loses any
    missing     what this machine lacks to run it, as a sentence; "" where it can be run
    cases       cases(seed) -> list of Case; the same seed gives the same cases
    probe       probe(implementation, recorder): runs it on the recorder's case
    """

    id: str
    lesson: str
    name: str
    kind: Literal["function", "module"]
    signature: str
    arguments: tuple[str, ...]
    checks: tuple[Check, ...]
    cases: Callable[[int], list[Case]] = field(repr=False)
    probe: Callable[[object, Recorder], None] = field(repr=False)
    hints: tuple[str, ...] = field(repr=False)
    keywords: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    extra: bool = False
    missing: Callable[[], str] = field(default=str, repr=False)

    @property
    def points(self) -> int:
        return sum(check.points for check in self.checks)

    def drawn(self, seed: int) -> list[Case]:
        """`cases(seed)`. Raises CourseError, in the author's words, where that fails or does not fit the checks."""
        try:
            found = list(self.cases(seed))
        except Exception as error:
            raise CourseError(f"{blame.sentence(error)}. Without its cases {self.id!r} cannot be checked.") from error
        names = [case.name for case in found]
        for name in (name for check in self.checks for name in check.cases if name not in names):
            check = next(check.name for check in self.checks if name in check.cases)
            raise CourseError(
                f"{self.file}: the Check {check!r} names the case {name!r}, which `cases` does not make. "
                f"It makes: {', '.join(names)}."
            )
        return found

    @property
    def file(self) -> str:
        """Where it is written, from the course's folder."""
        return f"grader/exercises/{blame.LESSON}{self.lesson}/{self.id}.py"
