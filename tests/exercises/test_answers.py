"""Every exercise's answers: mistakes lose points and are named, right work gets full marks, nothing is free."""

import itertools
import json
from pathlib import Path

import pytest
import torch
from torch import nn

from grader import answers
from grader.exercises import exercise, ids
from grader.judge import expected, judge
from grader.judge.diagnose import same_record
from grader.paths import find_course
from grader.student.check import check

ALL = ids()


def runnable(exercise_id, *more):
    """Skipped, with the reason, where the machine lacks what the exercise needs (extra credit only)."""
    reason = exercise(exercise_id).missing()
    return pytest.param(exercise_id, *more, marks=[pytest.mark.skip(reason=reason)] if reason else [])


RUNNABLE = [runnable(i) for i in ALL]
MISTAKES = [runnable(i, m.key) for i in ALL for m in answers.of(i).mistakes]
VARIANTS = [runnable(i, name) for i in ALL for name in answers.of(i).variants]
# Many seeds take long: one in every run, the others in the slow one. Whole layers and models take longest.
SEEDS = [pytest.param(False, id="1 seed"), pytest.param(True, id="many seeds", marks=pytest.mark.slow)]
over_seeds = pytest.mark.parametrize("many", SEEDS)


def seeds_of(exercise_id, many=True):
    return range(1, 21 if exercise(exercise_id).lesson < "09" else 6) if many else range(1)


def verdicts(exercise_id, implementation, seeds):
    return [check(exercise_id, seed, {exercise(exercise_id).name: implementation}) for seed in seeds]


@pytest.mark.parametrize(("exercise_id", "key"), MISTAKES)
def test_a_mistake_loses_points_and_is_named(exercise_id, key):
    (mistake,) = [m for m in answers.of(exercise_id).mistakes if m.key == key]
    (verdict,) = verdicts(exercise_id, mistake.implementation, [0])
    demand_lost_and_named(verdict, mistake.name)


@pytest.mark.slow
@pytest.mark.parametrize("exercise_id", RUNNABLE)
def test_so_it_is_with_the_inputs_of_many_seeds(exercise_id):
    """The judge's half of a check, of the records that it compares answers with: they are what running gives."""
    for seed in seeds_of(exercise_id):
        wanted = expected(exercise_id, seed)
        for mistake in wanted.mistakes:
            demand_lost_and_named(judge(exercise_id, mistake.record, seed), mistake.name, seed)


def demand_lost_and_named(verdict, name, seed=0):
    assert verdict.score < verdict.points, (name, seed)
    assert verdict.mistake == name, seed
    assert {check.mistake for check in verdict.checks if not check.passed} == {name}, seed


@over_seeds
@pytest.mark.parametrize(("exercise_id", "variant"), VARIANTS)
def test_right_work_gets_full_marks(exercise_id, variant, many):
    for verdict in verdicts(exercise_id, answers.of(exercise_id).variants[variant], seeds_of(exercise_id, many)):
        assert verdict.score == verdict.points, str(verdict)
        assert verdict.status == "passed"


@over_seeds
@pytest.mark.parametrize("exercise_id", RUNNABLE)
def test_mistakes_are_pairwise_distinguishable(exercise_id, many):
    for seed in seeds_of(exercise_id, many):
        wanted = expected(exercise_id, seed)
        for a, b in itertools.combinations(wanted.mistakes, 2):
            assert not same_record(a.record, b.record, wanted.cases), (seed, a.key, b.key)


@over_seeds
@pytest.mark.parametrize("exercise_id", RUNNABLE)
def test_trivial_work_earns_nothing(exercise_id, many):
    """`return x` and the like. A class that returns its input must earn nothing either."""

    class Identity(nn.Module):
        def __init__(self, dim, eps=1e-6):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(dim))

        def forward(self, x):
            return x

    functions = [lambda *a: a[0], lambda *a: a[1], lambda *a: a[0] * 0, lambda *a: (a[0], a[1]), lambda *a: None]
    trivial = [Identity] if exercise(exercise_id).kind == "module" else functions
    seeds = seeds_of(exercise_id, many)
    for implementation in trivial:
        assert [v.score for v in verdicts(exercise_id, implementation, seeds)] == [0] * len(seeds)


@pytest.mark.parametrize("exercise_id", ALL)
def test_points_cases_and_hints_are_in_order(exercise_id):
    chosen = exercise(exercise_id)
    cases = {case.name for case in chosen.cases(0)}
    assert len(cases) == len(chosen.cases(0))
    assert all(isinstance(c.points, int) and c.points > 0 and set(c.cases) <= cases for c in chosen.checks)
    assert set().union(*(c.cases for c in chosen.checks)) == cases, "a case that no check reads proves nothing"
    assert len(chosen.hints) >= 3


def test_the_issue_asks_for_this_many():
    """Lesson 03: at least 18 mistakes and 12 unusual right answers over its exercises."""
    of_lesson = [answers.of(i) for i in ALL if exercise(i).lesson == "03_rms_norm"]
    assert sum(len(a.mistakes) for a in of_lesson) >= 18
    assert sum(len(a.variants) for a in of_lesson) >= 12


def test_what_cannot_be_run_everywhere_is_extra_credit():
    assert all(exercise(i).extra for i in ALL if exercise(i).missing is not str)


@pytest.mark.parametrize("exercise_id", RUNNABLE)
def test_what_reveal_shows_stands_on_its_own(exercise_id):
    """The reference's text, pasted into the lesson below its setup cell, gets full marks."""
    known, lesson = answers.of(exercise_id), exercise(exercise_id).lesson
    release = json.loads(find_course(Path(__file__).parent).release(lesson).read_text(encoding="utf-8"))
    (setup,) = ("".join(cell["source"]) for cell in release["cells"] if cell["id"] == "setup")
    names: dict[str, object] = {}
    exec(setup, names)
    exec(known.source(known.reference), names)
    verdict = check(exercise_id, namespace=names)
    assert verdict.status == "passed", f"{known.source(known.reference)}\n{verdict}"
