"""The verdict on one exercise: what a student reads, and what stock nbgrader takes as a number."""

from dataclasses import asdict, dataclass, field

from grader.judge.card import card

# Who decided. A plain test runs in the process of the student's code, which can change what it finds.
OUTSIDE, INSIDE = "outside", "in the student's process"
STATUSES = (
    "passed",
    "partly",
    "wrong",
    "not attempted",
    "raised",
    "timed out",
    "out of memory",
    "died",
    "tampered",
    "unreadable",
)


@dataclass(frozen=True)
class CheckResult:
    """One line of a verdict. A gate has no points of its own: it decides whether any can be earned."""

    name: str
    passed: bool
    score: float
    points: float
    message: str
    mistake: str | None = None


@dataclass(frozen=True)
class Verdict:
    """What was found, in words and points. (Only plain tests, see `judged`, have points that are not whole.)

    `repr` is the score as a plain number, so that stock nbgrader reads the cell as partial credit; `str` is
    for a terminal; `_repr_html_` is the card a notebook shows.
    """

    exercise: str
    score: float
    points: float
    status: str
    checks: tuple[CheckResult, ...] = ()
    mistake: str | None = None
    hint: str | None = None
    notes: tuple[str, ...] = field(default=())
    judged: str = OUTSIDE

    def __repr__(self) -> str:
        return str(self.score)

    def __str__(self) -> str:
        lines = [f"{self.exercise}: {self.score} of {self.points} points, {self.status}."]
        if self.mistake:
            lines.append(f"  Mistake: {self.mistake}. {self.hint}")
        for check in self.checks:
            earned = f" ({check.score} of {check.points})" if check.points else ""
            lines.append(f"  {self._word(check)}  {check.name}{earned}: {check.message}")
        return "\n".join([*lines, *(f"  Note: {note}" for note in self.notes)])

    def _word(self, check: "CheckResult") -> str:
        # A failed check without points comes first and alone: what it holds back has not failed itself.
        held_back = check.points and not self.checks[0].points
        return "passed" if check.passed else "not judged" if held_back else "FAILED"

    def _repr_html_(self) -> str:
        return card(self)

    def to_json(self) -> dict:
        return asdict(self) | {"checks": [asdict(check) for check in self.checks], "notes": list(self.notes)}

    @classmethod
    def from_json(cls, data: dict) -> "Verdict":
        checks = tuple(CheckResult(**check) for check in data["checks"])
        return cls(**{**data, "checks": checks, "notes": tuple(data["notes"])})
