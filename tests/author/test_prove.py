"""`python -m grader prove`: holds for a good lesson, and says what does not hold for a bad one."""

from dataclasses import replace

import pytest

from grader import answers
from grader.answers import Mistake
from grader.author import trials
from grader.author.build import build
from grader.author.proof_text import text
from grader.author.prove import prove, run_notebook
from grader.judge import expected
from tests.author.conftest import LESSON, PROJECT, edit, make_course

SEEDS = (0,)
# The fixture lesson's own cell after the one that defines RMSNorm.
HINT = '# %%\nhint("rms_norm")\n'


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    """A proof of the fixture lesson, made once: it runs two kernels and every known answer."""
    return prove(make_course(tmp_path_factory.mktemp("proof") / "course"), LESSON, SEEDS)


@pytest.fixture
def known(monkeypatch):
    """The answers of rms_norm, free to be changed for one test."""
    known = answers.of("rms_norm")
    monkeypatch.setattr(known, "mistakes", known.mistakes[:2])
    monkeypatch.setattr(known, "variants", dict(known.variants))
    expected.cache_clear()
    yield known
    expected.cache_clear()


def with_trials(proof):
    """The same proof, with what is known of rms_norm tried again."""
    return replace(
        proof,
        mistakes=proof.mistakes | {"rms_norm": trials.mistakes("rms_norm", SEEDS)},
        variants=proof.variants | {"rms_norm": trials.variants("rms_norm", SEEDS)},
        alike=proof.alike | {"rms_norm": trials.alike("rms_norm", SEEDS)},
    )


def test_a_good_lesson_is_proved(proof):
    assert proof.problems() == []
    assert {name: verdict.score for name, verdict in proof.solution.verdicts.items()} == {
        "rms_norm": 6,
        "rms_norm_module": 4,
        "rms_norm_backward": 10,
    }
    assert {verdict.score for verdict in proof.untouched.verdicts.values()} == {0}
    assert {verdict.status for verdict in proof.untouched.verdicts.values()} == {"not attempted"}


def test_every_exercise_and_every_mistake_stands_in_the_table(proof):
    lines = text(proof).splitlines()
    assert any(line.split()[:4] == ["rms_norm_backward", "10", "of", "10"] for line in lines)
    for exercise, found in proof.mistakes.items():
        for trial in found:
            assert any(line.startswith(exercise) and trial.mistake in line for line in lines)
    assert lines[-2:] == ["Survivors: none", "Proved."]


def test_a_student_copy_that_is_out_of_date_is_told_and_no_problem(proof):
    assert f"Note: lessons/{LESSON}/rms_norm.ipynb is missing (`python -m grader build {LESSON}`" in text(proof)


def test_a_mistake_that_is_right_survives(proof, known):
    known.mistakes.append(Mistake("no_mistake", "none at all", "Leave it.", known.reference))
    changed = with_trials(proof)
    assert changed.problems() == ["rms_norm: mistake no_mistake survives: full marks for 1 of 1 seeds"]
    assert "Survivors: no_mistake" in text(changed) and text(changed).endswith("not proved.")


def test_two_mistakes_that_look_the_same_are_not_named(proof, known):
    known.mistakes.append(replace(known.mistakes[0], key="twin", name="a twin"))
    first = known.mistakes[0].key
    problems = with_trials(proof).problems()
    assert f"rms_norm: mistake {first} is named for 0 of 1 seeds only" in problems
    assert f"rms_norm: no case tells twin from {first}: add a case, or make them one mistake" in problems


def test_a_right_variant_that_is_wrong_is_named(proof, known):
    known.variants["odd_one"] = known.mistakes[0].implementation
    (problem,) = with_trials(proof).problems()
    assert problem.startswith("rms_norm: right variant odd_one does not get full marks.")


def test_a_solution_that_is_wrong_is_shown_with_its_verdict(proof, course):
    edit(course.source(LESSON), "mean_square + eps) * weight", "mean_square + eps) * weight * 2")
    built = build(course, LESSON)
    changed = replace(proof, solution=run_notebook(built.release, built.source, LESSON))
    (problem,) = changed.problems()
    assert problem.startswith("rms_norm: the solution does not get full marks. rms_norm: 0 of 6 points")


def test_a_cell_that_raises_is_named(proof, course):
    edit(course.source(LESSON), HINT, f"# %%\n1 / 0\n\n{HINT}")
    built = build(course, LESSON)
    changed = replace(proof, solution=run_notebook(built.release, built.source, LESSON))
    (problem,) = changed.problems()
    assert problem.startswith("solution notebook, cell cell-005: raised ZeroDivisionError")


def test_points_for_nothing_and_a_cell_that_cannot_be_defined_are_named(proof, course):
    """A released notebook whose student cells are already filled in; one of them does not even run."""
    built = build(course, LESSON)
    filled = built.source.replace(b"class RMSNorm(nn.Module):", b"class RMSNorm(nn.Modul):")
    changed = replace(proof, untouched=run_notebook(built.release, filled, LESSON))
    problems = changed.problems()
    assert "rms_norm: the untouched notebook gets 6 points; it must get 0" in problems
    assert any(problem.startswith("rms_norm_module: the untouched cell cannot even be defined") for problem in problems)


def test_no_seeds_prove_nothing(course, run):
    status, said = run("prove", LESSON, "--seeds", "0")
    assert status == 2 and "--seeds must be at least 1" in said


def test_a_lesson_that_cannot_be_built_is_not_proved(course, run):
    edit(course.source(LESSON), '"points": 6', '"points": 5')
    status, said = run("prove", LESSON)
    assert status == 2 and "points: the exercise gives 6, the cell 5" in said


@pytest.mark.slow
def test_the_command_proves_this_course_s_own_lessons(run, monkeypatch):
    monkeypatch.chdir(PROJECT)
    status, said = run("prove", LESSON)
    assert status == 0, said
    assert "Proved." in said


@pytest.mark.slow
def test_the_command_fails_for_a_wrong_solution_and_writes_nothing(course, run):
    edit(course.source(LESSON), "mean_square + eps) * weight", "mean_square + eps) * weight * 2")
    status, said = run("prove", LESSON, "--seeds", "1")
    assert status == 1
    assert "PROBLEM  rms_norm: the solution does not get full marks." in said and "1 problem: not proved." in said
    assert not course.lessons.exists() and not list(course.solutions.rglob("*.ipynb"))
