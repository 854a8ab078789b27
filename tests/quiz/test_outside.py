"""`python -m quiz validate` looks up what a question names outside the bank, and says what it needs to run."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import quiz
from quiz import outside
from quiz.bank import FOLDER
from quiz.cli import main
from tests.quiz.make import LESSON

FILE = f"{LESSON}.yaml"
# what stands in the bank, what the author wrote in its place, what is said
SLIPS = [
    (
        "mistake: rms_norm/no_keepdim",
        "mistake: rms_norm/no_keepdi",
        "the exercise 'rms_norm' has no mistake 'no_keepdi'; did you mean 'no_keepdim'?",
    ),
    (
        "mistake: rms_norm/no_keepdim",
        "mistake: rms_nrm/no_keepdim",
        "There is no exercise 'rms_nrm'. Did you mean 'rms_norm'?",
    ),
    (
        "heading: The mathematics",
        "heading: The mathematic",
        "heading: 'The mathematic' is no heading of the lesson; did you mean 'The mathematics'?",
    ),
]


@pytest.fixture(autouse=True)
def looked_up_anew():
    outside._wrong_with.cache_clear()
    yield
    outside._wrong_with.cache_clear()


@pytest.fixture
def validate(tmp_path, capsys):
    """validate(old, new): the lesson's bank with one change -> (status, what was printed)."""

    def call(old: str, new: str) -> tuple[int, str]:
        shutil.copy(FOLDER / FILE, tmp_path)
        text = (tmp_path / FILE).read_text(encoding="utf-8")
        assert old in text
        (tmp_path / FILE).write_text(text.replace(old, new, 1), encoding="utf-8")
        return main(["validate", "--bank", str(tmp_path)]), capsys.readouterr().out

    return call


@pytest.mark.parametrize(("old", "new", "says"), SLIPS)
def test_what_is_not_there_is_named(validate, old, new, says):
    status, text = validate(old, new)
    assert status == 1 and says in text and "1 problem\n" in text
    assert f"{FILE}, question " in text


def test_a_class_has_no_answers_and_nothing_is_said(validate, monkeypatch):
    monkeypatch.setitem(sys.modules, "grader.answers", None)
    assert validate(*SLIPS[0][:2])[0] == 0


def test_a_bank_may_come_before_its_lesson(validate, monkeypatch, tmp_path):
    monkeypatch.setattr(outside.unknown, "__defaults__", (tmp_path / "nowhere",))
    assert validate(*SLIPS[2][:2])[0] == 0


def test_a_python_without_the_packages_is_told_what_to_do():
    command = [sys.executable, "-S", "-E", "-m", "quiz", "validate"]
    done = subprocess.run(command, cwd=Path(quiz.__file__).parents[1], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {sys.executable} has no ") and "Traceback" not in done.stderr
    assert "`python3 start.py setup` makes it." in done.stderr
