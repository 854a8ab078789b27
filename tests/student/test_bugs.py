"""Every program of the round has the bug that it is listed with, and no other; none gives a solution away."""

from pathlib import Path

import pytest
import yaml

from grader import answers
from grader.author.solution_text import found_in_folder, solution_lines
from grader.exercises import exercise
from grader.paths import find_course
from grader.student import rounds
from grader.student.check import HELD_OUT, check
from grader.student.rounds.bugs import Bug, bugs
from grader.student.rounds.released import given

COURSE = find_course(Path(__file__).parent)
MENDED = yaml.safe_load(Path(__file__).with_name("mended.yaml").read_text(encoding="utf-8"))
every_bug = pytest.mark.parametrize("bug", bugs(), ids=lambda bug: f"{bug.exercise}-{bug.mistake}")


def mended(bug: Bug) -> str:
    """The program with nothing changed but lines that are said to be wrong."""
    lines = bug.code.split("\n")
    for number, text in MENDED[f"{bug.exercise}/{bug.mistake}"].items():
        assert number in bug.lines
        lines[number - 1] = text
    return "\n".join(lines)


def judged(bug: Bug, code: str, seed: int | str):
    names = given(exercise(bug.exercise))
    exec(code, names)
    return check(bug.exercise, seed, names)


def test_there_are_enough_and_no_two_are_alike():
    assert len(bugs()) >= 20 and len({bug.exercise for bug in bugs()}) >= 8
    assert len({exercise(bug.exercise).lesson for bug in bugs()}) >= 8
    assert len({(bug.exercise, bug.mistake) for bug in bugs()}) == len({bug.code for bug in bugs()}) == len(bugs())


@every_bug
@pytest.mark.parametrize("seed", [0, HELD_OUT])
def test_it_is_judged_as_the_mistake_it_is_listed_with(bug, seed):
    (known,) = [m for m in answers.of(bug.exercise).mistakes if m.key == bug.mistake]
    verdict = judged(bug, bug.code, seed)
    assert verdict.mistake == known.name and verdict.score < verdict.points


@every_bug
def test_mending_the_lines_that_are_wrong_is_enough_and_needed(bug):
    for seed in (0, HELD_OUT):
        verdict = judged(bug, mended(bug), seed)
        assert verdict.score == verdict.points, str(verdict)
    assert bug.lines[0] in MENDED[f"{bug.exercise}/{bug.mistake}"]


@every_bug
def test_its_numbered_lines_are_its_lines(bug):
    shown = bug.numbered.split("\n")
    assert [line[4:] for line in shown] == bug.code.split("\n")
    assert [int(line[:2]) for line in shown] == list(range(1, len(shown) + 1))


def test_no_line_of_a_solution_is_in_what_the_rounds_bring_along():
    folder = Path(rounds.__file__).parent
    for lesson in COURSE.lesson_names():
        assert found_in_folder(solution_lines(COURSE, lesson), folder) == []
