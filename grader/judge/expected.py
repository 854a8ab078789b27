"""What the right answer and the known mistakes look like on given cases: records, no code.

With the whole course installed they are computed from `grader.answers`; a class's edition has them recorded
for some fixed seeds, as data.
"""

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from grader.errors import CourseError
from grader.exercises import exercise
from grader.probe import Case, Record
from grader.probe.run import run_cases


@dataclass(frozen=True)
class KnownMistake:
    """What one mistake looks like. `key` is unique in its exercise; `name` and `hint` are for people.

    run   its record on some of the cases. It is run when it is asked for: a right answer needs no mistake, and of
          the many that a wrong answer is not, the first case tells nearly all.
    """

    key: str
    name: str
    hint: str
    cases: tuple[Case, ...]
    run: Callable[[tuple[Case, ...]], Record]

    @functools.cached_property
    def start(self) -> Record:
        """On the first case alone, where it has not been run on all of them yet."""
        return self.__dict__.get("record") or self.run(self.cases[:1])

    @functools.cached_property
    def record(self) -> Record:
        return self.run(self.cases)


@dataclass(frozen=True)
class Expected:
    """Everything a record is compared with: the cases, the right record, the mistakes."""

    cases: tuple[Case, ...]
    reference: Record
    mistakes: tuple[KnownMistake, ...]


@functools.lru_cache(maxsize=512)  # a proof goes over many seeds of every exercise several times
def expected(exercise_id: str, seed: int) -> Expected:
    """What to compare with. Raises CourseError where only recorded answers exist and not for this seed."""
    answers = _answers()
    if answers is None:
        from grader.judge.recorded import load

        return load(exercise_id, seed)
    return compute(exercise_id, seed, answers.of(exercise_id))


def _answers():
    """The package of references and mistakes; None in a class's edition, which does not have it."""
    try:
        return importlib.import_module("grader.answers")
    except ModuleNotFoundError as error:
        if error.name != "grader.answers":
            raise
        return None


def compute(exercise_id: str, seed: int, answers) -> Expected:
    """Runs reference and mistakes through the exercise's own probe."""
    chosen = exercise(exercise_id)
    cases = tuple(chosen.drawn(seed))
    mistakes = tuple(
        KnownMistake(m.key, m.name, m.hint, cases, partial(run_cases, chosen, m.implementation))
        for m in answers.mistakes
    )
    return Expected(cases, _reference(chosen, answers.reference, cases), mistakes)


def _reference(chosen, implementation, cases: tuple[Case, ...]) -> Record:
    """The right record: types and dtypes as the case's own dtype gives them, values computed in float64."""
    record = run_cases(chosen, implementation, cases)
    if record.problem:
        raise CourseError(f"The reference of {chosen.id!r} cannot be called: {record.problem[1]}")
    exact = run_cases(chosen, implementation, [case.double() for case in cases])
    for name, case in record.cases.items():
        if raised := case.facts.get("raised"):
            says = f"{raised['type']}: {raised['message']}"
            raise CourseError(f"The reference of {chosen.id!r}, or its probe, fails on case {name!r}: {says}.")
        dtypes = {key: str(tensor.dtype) for key, tensor in case.tensors.items()}
        case.facts = {**case.facts, "dtypes": dtypes}
        record.cases[name] = replace(case, tensors=exact.cases[name].tensors)
    _demand_compared(chosen, record)
    return record


def _demand_compared(chosen, record: Record) -> None:
    """Raises CourseError where a check would have nothing to compare: everyone would have its points."""
    for check in chosen.checks:
        for name in check.cases:
            there = record.cases[name].tensors
            if not any(output in there for output in check.outputs):
                raise CourseError(
                    f"{chosen.file}: the Check {check.name!r} compares {', '.join(check.outputs) or 'nothing'} on the "
                    f"case {name!r}, where the probe records {', '.join(there) or 'nothing'}."
                )
