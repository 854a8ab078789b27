"""Verdicts: gates, messages, the number stock nbgrader reads, the card."""

import re

import nbformat
import numpy
import pytest
import torch
import torch.nn.functional as F
from nbformat.v4 import new_code_cell
from nbgrader.utils import determine_grade
from torch import nn

from grader.judge import VERDICT_MIME, Verdict, as_output, forbidden_in_source, unjudged
from grader.judge.compare import difference
from grader.probe import Case
from grader.student.check import check


def verdict(value, exercise_id="rms_norm", name="rms_norm"):
    return check(exercise_id, namespace={name: value})


def right(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight


class NotAModule:
    pass


@pytest.mark.parametrize(
    ("value", "gate", "message"),
    [
        (nn.Linear, "kind", "`rms_norm` should be a function; it is a class."),
        (3.0, "kind", "`rms_norm` should be a function; it is a float."),
        (lambda x: x, "signature", r"called as `rms_norm\(x, weight, eps\)`, but yours is `rms_norm\(x\)`"),
        (lambda x, weight, eps: None, "type", "`y` is None. Does your code end in `return`?"),
        (lambda x, weight, eps: (x, x), "type", "`y` should be a torch.Tensor; it is a tuple of 2."),
        (lambda x, weight, eps: numpy.ones(3), "type", "it is an? ndarray"),
        (lambda x, weight, eps: 1.0, "type", "it is a float"),
        (lambda x, weight, eps: x.float(), "dtype", "dtype torch.float32; it should be torch.float64"),
        (lambda x, weight, eps: x.sum(-1), "shape", r"the shape of `y` is \[\]; it should be \[5\]"),
        (lambda x, weight, eps: x.mul_(2), "inputs", "changed `x` in place"),
        (lambda x, w, e: F.rms_norm(x, x.shape[-1:], w, e), "forbidden", r"Line \d+ of your code uses F.rms_norm"),
    ],
)
def test_a_gate_explains_itself_and_earns_nothing(value, gate, message):
    found = verdict(value)
    assert (found.checks[0].name, found.score) == (gate, 0)
    assert re.search(message, found.checks[0].message), found.checks[0].message
    # What a gate holds back was not judged, so in words it has not failed, either.
    marks = [line.split("  ")[1] for line in str(found).splitlines()[1 : 1 + len(found.checks)]]
    assert marks == ["FAILED"] + ["not judged"] * (len(marks) - 1)


@pytest.mark.parametrize(
    ("value", "message"), [(right, "should be a class; it is a function"), (NotAModule, "nn.Module")]
)
def test_a_module_has_to_be_a_module(value, message):
    found = verdict(value, "rms_norm_module", "RMSNorm")
    assert found.checks[0].name == "kind" and message in found.checks[0].message


def test_a_tuple_is_asked_for_where_a_tuple_is_due():
    found = verdict(lambda grad_out, x, weight, eps: x, "rms_norm_backward", "rms_norm_backward")
    assert found.checks[0].name == "type" and "tuple of 2" in found.checks[0].message


def test_nothing_but_not_implemented_is_not_attempted():
    def stub(x, weight, eps):
        raise NotImplementedError

    assert (verdict(stub).status, verdict(stub).score) == ("not attempted", 0)


def test_what_raises_everywhere_says_what_where_and_for_which_input():
    def wrong(x, weight, eps):
        return x.no_such_method()

    found = verdict(wrong)
    assert found.status == "raised"
    assert re.search(
        r"one vector of 5 numbers, your code on line \d+, `return x.no_such_method\(\)`, raised AttributeError",
        found.checks[0].message,
    )


def test_what_raises_in_one_case_loses_that_check_only():
    def wrong(x, weight, eps):
        if x.numel() == 0:
            raise ValueError("empty")
        return right(x, weight, eps)

    found = verdict(wrong)
    assert [c.passed for c in found.checks] == [False, True, True]
    assert found.status == "partly" and "raised ValueError: empty" in found.checks[0].message


def test_an_unknown_cause_is_not_named_and_the_numbers_are_shown():
    found = verdict(lambda x, weight, eps: right(x, weight, eps) * 1.5)
    assert found.mistake is None
    assert re.search(
        r"expected -?[\d.e-]+ at \[\d\], got -?[\d.e-]+ \(1.5 times that\); 5 of 5", found.checks[0].message
    )


def test_nan_is_wrong_and_said():
    found = verdict(lambda x, weight, eps: right(x, weight, eps) * float("nan"))
    assert found.score == 0 and "got nan" in found.checks[0].message


def test_a_warning_costs_nothing_and_is_shown():
    import warnings

    def loud(x, weight, eps):
        warnings.warn("careful", stacklevel=1)
        return right(x, weight, eps)

    found = verdict(loud)
    assert found.status == "passed" and "UserWarning: careful" in found.notes[0]


def test_repr_is_the_points_and_json_comes_back():
    found = verdict(right)
    assert repr(found) == "6" and Verdict.from_json(found.to_json()) == found


def test_the_output_is_what_stock_nbgrader_reads():
    metadata = {"nbgrader": {"grade": True, "solution": False, "locked": True, "grade_id": "x", "points": 6}}
    for found in (verdict(right), verdict(lambda x, w, e: x / (x.square().mean(-1, keepdim=True).sqrt() + e) * w)):
        output = nbformat.from_dict(as_output(found))
        cell = new_code_cell("check('rms_norm')", metadata=metadata, outputs=[output])
        assert determine_grade(cell) == (found.score, 6)
        assert output.data[VERDICT_MIME]["score"] == found.score


def test_the_card_says_it_in_words_and_escapes_what_is_not_ours():
    def wrong(x, weight, eps):
        raise ValueError("<script>alert(1)</script>")

    html = verdict(wrong)._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html
    assert "failed" in html and "0 of 6 points" in html


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def rms_norm(x, w, e):\n    if 0:\n        return F.rms_norm(x)", [("F.rms_norm", 3)]),
        ("class RMSNorm(nn.RMSNorm):\n    pass", []),
        ("import torch.nn.functional as G\ndef rms_norm(x, w, e):\n    return G.rms_norm(x)", [("F.rms_norm", 3)]),
        ("from torch import rms_norm as r\ndef rms_norm(x, w, e):\n    return r(x)", [("torch.rms_norm", 3)]),
        ("def rms_norm(x, w, e):\n    return x  # F.rms_norm\nF.rms_norm(1)", []),
        ("def rms_norm(x:\n", []),
    ],
)
def test_the_text_is_read_inside_the_definition_only(source, found):
    assert [(f["name"], f["line"]) for f in forbidden_in_source("rms_norm", source)] == found


def test_a_subclass_of_the_built_in_is_named_with_its_line():
    found = forbidden_in_source("rms_norm_module", "\nclass RMSNorm(nn.RMSNorm):\n    pass")
    assert [(f["name"], f["line"]) for f in found] == [("nn.RMSNorm", 2)]


def test_unjudged_work_has_its_reason_and_no_points():
    found = unjudged("rms_norm", "timed out", "It took too long.")
    assert (found.score, found.points, found.status) == (0, 6, "timed out")
    assert "took too long" in found._repr_html_()


def test_torch_is_left_as_it_was():
    verdict(right)
    assert torch.get_default_dtype() == torch.float32


@pytest.mark.parametrize(
    ("want", "got", "text"),
    [
        (2099712.0, 2101248.0, "expected 2099712 at [0], got 2101248 (1.001 times that); 1 of 1 numbers differ"),
        (34130.0, 34131.0, "expected 34130 at [0], got 34131; 1 of 1 numbers differ"),
        (0.123456789, 0.123456999, "expected 0.123456789 at [0], got 0.123456999; 1 of 1 numbers differ"),
        (1.0, float("nan"), "expected 1 at [0], got nan; 1 of 1 numbers differ"),
    ],
)
def test_numbers_are_shown_with_the_digits_that_tell_them_apart(want, got, text):
    case = Case("c", "a number", {}, rtol=1e-9, atol=0.0)
    found = difference(torch.tensor([got], dtype=torch.float64), torch.tensor([want], dtype=torch.float64), case)
    assert found == text


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (MemoryError(), "out of memory"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes."), "out of memory"),
        (RuntimeError("shapes do not fit"), "raised"),
    ],
)
def test_a_lack_of_memory_is_told_from_other_errors(error, status):
    def greedy(x, weight, eps):
        raise error

    found = verdict(greedy)
    assert (found.status, found.score) == (status, 0)
    assert type(error).__name__ in found.checks[0].message and not found.checks[0].message.endswith(": .")
