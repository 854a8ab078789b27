"""The verdicts that a judged notebook holds."""

import json
from dataclasses import dataclass

from grader.judge import VERDICT_MIME, Verdict


@dataclass(frozen=True)
class Graded:
    """One student's verdicts on a lesson, or a sentence (`problem`) that says why there are none."""

    student: str
    verdicts: tuple[Verdict, ...] = ()
    problem: str | None = None
    run: dict | None = None
    note: str | None = None

    @property
    def score(self) -> int:
        return sum(verdict.score for verdict in self.verdicts)

    @property
    def points(self) -> int:
        return sum(verdict.points for verdict in self.verdicts)

    @property
    def sandboxed(self) -> bool | None:
        """Whether the student's code ran behind a wall; None if none of it ran."""
        return (self.run or {}).get("sandboxed")

    def to_json(self) -> dict:
        verdicts = [verdict.to_json() for verdict in self.verdicts]
        facts = {"student": self.student, "score": self.score, "points": self.points, "verdicts": verdicts}
        return facts | {"problem": self.problem, "note": self.note, "sandboxed": self.sandboxed}


def read_graded(student: str, judged: bytes, note: str | None = None) -> Graded:
    """The verdicts in a judged notebook, in its order."""
    notebook = json.loads(judged)
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    found = [output["data"][VERDICT_MIME] for output in outputs if VERDICT_MIME in output.get("data", {})]
    return Graded(student, tuple(map(Verdict.from_json, found)), None, notebook["metadata"].get("run"), note)
