"""check, hint and reveal as a student meets them, in a real IPython and in plain Python."""

import os
import subprocess
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell

import grader
from grader.student import check as check_module
from grader.student import hint as hint_module
from grader.student.check import check
from grader.student.hint import hint
from grader.student.reveal import reveal

RIGHT = "def rms_norm(x, weight, eps):\n    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight\n"


@pytest.fixture
def shell():
    shell = InteractiveShell.instance()
    shell.run_cell(
        "import torch\nfrom torch import nn\nimport torch.nn.functional as F\nfrom grader import check, hint"
    )
    yield shell
    InteractiveShell.clear_instance()


@pytest.fixture(autouse=True)
def fresh():
    check_module.attempts.clear()
    hint_module._shown.clear()


def run(shell, source):
    result = shell.run_cell(source)
    result.raise_error()
    return result.result


def test_check_finds_the_notebooks_object(shell):
    run(shell, RIGHT)
    assert run(shell, 'check("rms_norm")').score == 6


def test_an_undefined_name_is_one_sentence(shell):
    shell.user_ns.pop("rms_norm", None)
    verdict = run(shell, 'check("rms_norm")')
    assert verdict.status == "not attempted" and repr(verdict) == "0"
    assert "`rms_norm` is not defined here. Run the cell that defines it" in str(verdict)


def test_an_unknown_id_is_guessed_and_worth_nothing(shell):
    verdict = run(shell, 'check("rms_nrom")')
    assert repr(verdict) == "0" and "Did you mean 'rms_norm'?" in str(verdict)
    assert "Did you mean 'rms_norm'?" in repr(hint("rms_nrom"))
    assert "Did you mean 'rms_norm'?" in repr(reveal("rms_nrom"))


def test_lines_are_those_of_the_cell(shell):
    run(shell, "# first\ndef rms_norm(x, weight, eps):\n    y = x\n    return y.nothing\n")
    assert "on line 4, `return y.nothing`, raised AttributeError" in str(run(shell, 'check("rms_norm")'))


def test_a_class_of_the_notebook_is_read_too(shell):
    run(shell, "class RMSNorm(nn.RMSNorm):\n    def __init__(self, dim, eps=1e-6):\n        super().__init__(dim, eps)")
    assert "Line 1 of your code uses nn.RMSNorm" in str(run(shell, 'check("rms_norm_module")'))


def test_hints_go_from_nudge_to_nearly_the_answer_and_stay_there():
    texts = [repr(hint("rms_norm")) for _ in range(4)]
    assert [text[:12] for text in texts] == ["Hint 1 of 3.", "Hint 2 of 3.", "Hint 3 of 3.", "Hint 3 of 3."]
    assert len(set(texts)) == 3


def test_reveal_comes_after_an_attempt():
    assert repr(reveal("rms_norm")).startswith("Not yet.")
    check("rms_norm", namespace={"rms_norm": lambda x, weight, eps: x})
    shown = repr(reveal("rms_norm"))
    assert "def rms_norm(x, weight, eps):" in shown and "keepdim=True" in shown
    assert "<pre" in reveal("rms_norm")._repr_html_()


def test_the_held_out_inputs_are_others_and_the_same_each_time():
    names = {"rms_norm": lambda x, weight, eps: x}
    public, held_out = check("rms_norm", namespace=names), check("rms_norm", "held-out", names)
    assert str(public) != str(held_out) == str(check("rms_norm", "held-out", names))


def test_check_is_inert_while_a_submission_is_graded():
    code = "from grader import check, hint; print(check('rms_norm'), hint('rms_norm'))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "COURSE_GRADING": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "None None"


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        grader.nothing  # noqa: B018
