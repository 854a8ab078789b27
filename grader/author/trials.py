"""Try what is known to be right and wrong of an exercise, over many seeds."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader import answers
from grader.exercises import exercise
from grader.judge import Verdict, expected
from grader.judge.diagnose import same_record
from grader.student.check import check


@dataclass(frozen=True)
class Trial:
    """What one known implementation got: a verdict for each seed. `mistake` is None for right work."""

    name: str
    mistake: str | None
    verdicts: tuple[Verdict, ...]

    @property
    def full(self) -> int:
        """For how many seeds it got full marks."""
        return sum(verdict.score == verdict.points for verdict in self.verdicts)

    @property
    def named(self) -> int:
        """For how many seeds the verdict named this mistake."""
        return sum(verdict.mistake == self.mistake for verdict in self.verdicts)

    @property
    def scores(self) -> str:
        low, high = (pick(verdict.score for verdict in self.verdicts) for pick in (min, max))
        return str(low) if low == high else f"{low} to {high}"


def mistakes(exercise_id: str, seeds: Sequence[int]) -> list[Trial]:
    known = answers.of(exercise_id).mistakes
    return [Trial(m.key, m.name, _verdicts(exercise_id, m.implementation, seeds)) for m in known]


def variants(exercise_id: str, seeds: Sequence[int]) -> list[Trial]:
    known = answers.of(exercise_id).variants
    return [Trial(name, None, _verdicts(exercise_id, variant, seeds)) for name, variant in known.items()]


def alike(exercise_id: str, seeds: Sequence[int]) -> list[tuple[str, str]]:
    """Pairs of mistakes that no case tells apart, for some seed."""
    found = {}
    for seed in seeds:
        wanted = expected(exercise_id, seed)
        for a, b in itertools.combinations(wanted.mistakes, 2):
            if same_record(a.record, b.record, wanted.cases):
                found[a.key, b.key] = True
    return list(found)


def _verdicts(exercise_id: str, implementation: Callable, seeds: Sequence[int]) -> tuple[Verdict, ...]:
    name = exercise(exercise_id).name
    return tuple(check(exercise_id, seed, {name: implementation}) for seed in seeds)
