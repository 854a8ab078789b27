"""Recorded answers: what a class's edition checks with gives the same verdicts, and holds no code."""

import gzip

import pytest

from grader import answers
from grader.author.wheel import recordable
from grader.errors import CourseError
from grader.exercises import exercise
from grader.judge import expected, judge_against, recorded
from grader.probe import run
from grader.student.check import PUBLIC_SEED


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recorded")
    for exercise_id in recordable():
        recorded.write(folder, exercise_id, (PUBLIC_SEED,))
    return folder


@pytest.mark.parametrize("exercise_id", recordable())
def test_the_verdicts_are_the_same(folder, exercise_id):
    chosen, known = exercise(exercise_id), answers.of(exercise_id)
    computed, loaded = expected(exercise_id, PUBLIC_SEED), recorded.load(exercise_id, PUBLIC_SEED, folder)
    for implementation in (known.reference, *(m.implementation for m in known.mistakes)):
        record = run(chosen, implementation, PUBLIC_SEED)
        assert judge_against(chosen, record, loaded) == judge_against(chosen, record, computed)
    for ours, theirs in zip(computed.cases, loaded.cases, strict=True):
        assert ours.data.keys() == theirs.data.keys()


@pytest.mark.parametrize("exercise_id", recordable())
def test_the_bytes_are_the_same_each_time_and_hold_no_code(folder, exercise_id, tmp_path):
    path = recorded.write(tmp_path, exercise_id, (PUBLIC_SEED,))
    assert path.read_bytes() == (folder / path.name).read_bytes()
    text = gzip.decompress(path.read_bytes()).decode()
    assert "def " not in text and "import " not in text


def test_another_seed_is_refused_in_words(folder):
    with pytest.raises(CourseError, match="seeds 0 only, not for 7"):
        recorded.load("rms_norm", 7, folder)
    with pytest.raises(CourseError, match="install it again"):
        recorded.load("nothing", 0, folder)
