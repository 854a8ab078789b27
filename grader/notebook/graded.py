"""The verdicts that a judged notebook holds."""

import json
from dataclasses import dataclass, replace

from grader.judge import INSIDE, VERDICT_MIME, Verdict


@dataclass(frozen=True)
class Graded:
    """One student's verdicts on a lesson, or a sentence (`problem`) that says why there are none."""

    student: str
    verdicts: tuple[Verdict, ...] = ()
    problem: str | None = None
    run: dict | None = None
    note: str | None = None

    @property
    def score(self) -> float:
        return sum(verdict.score for verdict in self.verdicts)

    @property
    def points(self) -> float:
        return sum(verdict.points for verdict in self.verdicts)

    @property
    def sandboxed(self) -> bool | None:
        """Whether the student's code ran behind a wall; None if none of it ran."""
        return (self.run or {}).get("sandboxed")

    @property
    def steps(self) -> dict[str, float]:
        """Seconds that each step took: rebuild, kernel, run, judge, save."""
        return (self.run or {}).get("steps", {})

    @property
    def inside(self) -> list[str]:
        """The tests that the student's own process has decided."""
        return [verdict.exercise for verdict in self.verdicts if verdict.judged == INSIDE]

    def to_json(self) -> dict:
        verdicts = [verdict.to_json() for verdict in self.verdicts]
        facts = {"student": self.student, "score": self.score, "points": self.points, "verdicts": verdicts}
        return facts | {"problem": self.problem, "note": self.note, "sandboxed": self.sandboxed, "steps": self.steps}


def read_graded(student: str, judged: bytes, note: str | None = None) -> Graded:
    """The verdicts in a judged notebook, in its order."""
    notebook = json.loads(judged)
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    found = [output["data"][VERDICT_MIME] for output in outputs if VERDICT_MIME in output.get("data", {})]
    return Graded(student, tuple(map(Verdict.from_json, found)), None, notebook["metadata"].get("run"), note)


def together(parts: dict[str, Graded], several: bool) -> Graded:
    """A student's notebooks of an assignment, by name, as one. Of several, verdicts are named NOTEBOOK/TEST."""
    first, *_ = parts.values()
    if not several:
        return first
    verdicts = [replace(v, exercise=f"{name}/{v.exercise}") for name, part in parts.items() for v in part.verdicts]
    problems = [f"{name}: {part.problem}" for name, part in parts.items() if part.problem]
    runs = [part.run for part in parts.values() if part.run]
    return Graded(first.student, tuple(verdicts), " ".join(problems) or None, _of_all(runs), first.note)


def _of_all(runs: list[dict]) -> dict | None:
    """Walled if all were; the seconds of each step added up."""
    steps: dict[str, float] = {}
    for run in runs:
        for step, seconds in run.get("steps", {}).items():
            steps[step] = round(steps.get(step, 0.0) + seconds, 3)
    return {"sandboxed": all(run.get("sandboxed") for run in runs), "steps": steps} if runs else None
