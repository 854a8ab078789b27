"""What the probe records, whatever an implementation does."""

import sys
import warnings

import numpy
import pytest
import torch
import torch.nn.functional as F

from grader.exercises import exercise
from grader.probe import Case, Recorder, pack_record, run
from lessons.support.norms import given_rms_norm

RMS = exercise("rms_norm")


def right(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight


def facts(implementation, case="vector"):
    return run(RMS, implementation, 0).cases[case].facts


@pytest.mark.parametrize(
    ("result", "kind"),
    [(None, "NoneType"), (0.5, "float"), ((1, 2), "tuple of 2"), (numpy.ones(3), "ndarray"), ("x", "str")],
)
def test_a_result_that_is_no_tensor_is_recorded_by_its_type(result, kind):
    assert facts(lambda x, weight, eps: result)["types"]["y"] == kind


def test_an_exception_is_recorded_with_the_students_line():
    def wrong(x, weight, eps):
        return x @ torch.ones(99)  # the line

    raised = facts(wrong)["raised"]
    assert raised["type"] == "RuntimeError"
    assert raised["text"] == "return x @ torch.ones(99)  # the line"
    assert raised["line"] == wrong.__code__.co_firstlineno + 1


def test_an_exception_inside_a_given_layer_is_recorded_with_the_students_line_that_called_it():
    def wrong(x, sublayer, norm):
        return norm(x + sublayer(x[..., :3]))  # the line

    raised = run(exercise("post_norm"), wrong, 0).cases["batch"].facts["raised"]
    assert raised["text"] == "return norm(x + sublayer(x[..., :3]))  # the line"
    assert raised["line"] == wrong.__code__.co_firstlineno + 1


@pytest.mark.parametrize("error", [SystemExit(1), RecursionError("deep"), MemoryError(), BaseException("odd")])
def test_whatever_is_raised_is_a_result(error):
    def wrong(x, weight, eps):
        raise error

    assert facts(wrong)["raised"]["type"] == type(error).__name__


def test_an_exception_whose_message_raises_is_still_a_result():
    class Unspeakable(Exception):
        def __str__(self):
            raise ValueError

    def wrong(x, weight, eps):
        raise Unspeakable

    assert "cannot be shown" in facts(wrong)["raised"]["message"]


def test_an_interrupt_is_the_persons():
    def wrong(x, weight, eps):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(RMS, wrong, 0)


def test_stderr_is_caught_from_python_and_from_the_descriptor(capfd):
    def loud(x, weight, eps):
        warnings.warn("careful", stacklevel=1)
        print("spoken", file=sys.stderr)
        import os

        os.write(2, b"written below Python\n")
        return right(x, weight, eps)

    text = run(RMS, loud, 0).stderr
    assert "UserWarning: careful" in text and "spoken" in text and "written below Python" in text
    assert capfd.readouterr().err == ""


def test_the_surroundings_are_the_same_for_everyone_and_given_back():
    def curious(x, weight, eps):
        seen.append((torch.get_default_dtype(), torch.is_grad_enabled(), torch.randn(1).item()))
        return right(x, weight, eps)

    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    seen = []
    run(RMS, curious, 0)
    usual, seen = seen, []
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad():
            run(RMS, curious, 0)
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert seen == usual and seen[0][:2] == (torch.float32, True)


def test_changed_inputs_are_noticed():
    def wrong(x, weight, eps):
        weight.mul_(2)
        return right(x, weight, eps)

    assert facts(wrong)["changed"] == ["weight"]


def helper(x, weight, eps):
    return F.rms_norm(x, x.shape[-1:], weight, eps)


@pytest.mark.parametrize(
    ("implementation", "name"),
    [
        (helper, "F.rms_norm"),
        (lambda x, w, e: given_rms_norm(x, w, e), "given_rms_norm"),
        (lambda x, w, e: torch.rms_norm(x, x.shape[-1:], w, e), "torch.rms_norm"),
        (lambda x, w, e: torch.nn.RMSNorm(x.shape[-1], e).to(x.dtype)(x) * w, "F.rms_norm"),
        (lambda x, w, e: torch.ops.aten.rms_norm(x, x.shape[-1:], w, e), "rms_norm"),
        (lambda x, w, e: torch.ops.aten.rms_norm.default(x, x.shape[-1:], w, e), "rms_norm"),
    ],
)
def test_a_forbidden_built_in_is_seen_with_its_line(implementation, name):
    def outer(x, weight, eps):
        return implementation(x, weight, eps)

    call = run(RMS, outer, 0).forbidden[0]
    assert name in call["name"]
    assert call["line"] == implementation.__code__.co_firstlineno + (implementation is helper)


def forward(x, weight, eps):
    return right(x, weight, eps)


def by_backward(grad_out, x, weight, eps):
    x, weight = x.clone().requires_grad_(), weight.clone().requires_grad_()
    right(x, weight, eps).backward(grad_out)
    return x.grad, weight.grad


def by_grad(grad_out, x, weight, eps):
    x, weight = x.clone().requires_grad_(), weight.clone().requires_grad_()
    return torch.autograd.grad(right(x, weight, eps), (x, weight), grad_out)


def by_vjp(grad_out, x, weight, eps):
    return torch.func.vjp(lambda x, w: right(x, w, eps), x, weight)[1](grad_out)


def by_func_grad(grad_out, x, weight, eps):
    return torch.func.grad(lambda x, w: (right(x, w, eps) * grad_out).sum(), argnums=(0, 1))(x, weight)


@pytest.mark.parametrize("implementation", [by_backward, by_grad, by_vjp, by_func_grad])
def test_autograd_is_seen_where_the_formula_is_asked_for(implementation):
    assert run(exercise("rms_norm_backward"), implementation, 0).forbidden


@pytest.mark.parametrize(
    ("value", "kind", "kept"),
    [
        (3, "int", 3.0),
        (0.5, "float", 0.5),
        (numpy.float64(2), "float", 2.0),
        (True, "bool", None),
        (None, "NoneType", None),
    ],
)
def test_a_number_is_recorded_with_its_type(value, kind, kept):
    recorder = Recorder(Case("one", "one", {}))
    recorder.number("n", value)
    record = recorder.finish()
    assert record.facts["types"] == {"n": kind}
    assert {name: t.item() for name, t in record.tensors.items()} == ({} if kept is None else {"n": kept})


def test_cases_are_drawn_alike_whatever_the_notebook_set():
    before = pack_record(run(exercise("rms_norm"), lambda x, w, e: x + 1, 5))
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    try:
        assert pack_record(run(exercise("rms_norm"), lambda x, w, e: x + 1, 5)) == before
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_default_device(None)


def test_a_default_device_that_an_implementation_sets_ends_with_it():
    def on_meta(x, w, e):
        torch.set_default_device("meta")
        return x + 1

    run(exercise("rms_norm"), on_meta, 5)
    assert torch.ones(1).device.type == "cpu"


@pytest.mark.parametrize("kept", ["parameter", "buffer"])
def test_what_a_module_holds_in_another_dtype_is_cast(kept):
    module = torch.nn.Linear(2, 2)
    module.register_buffer("count", torch.tensor(3))
    held = torch.ones(2, dtype=torch.float64)
    module.own = torch.nn.Parameter(held) if kept == "parameter" else torch.nn.Buffer(held)
    Recorder.cast(module, torch.float32)
    assert module.own.dtype == torch.float32 and module.count.dtype == torch.int64


def test_an_object_that_claims_to_be_a_tensor_is_none():
    class Same:
        __class__ = torch.Tensor
        requires_grad = True

        def __eq__(self, other):
            return True

        def __getattr__(self, name):
            return Same()

    record = run(exercise("rms_norm"), lambda x, w, e: Same(), 5)
    assert record.cases["batch"].facts["types"] == {"y": "Same"} and not record.cases["batch"].tensors
    assert record.cases["batch"].facts["raised"]["message"] == "the result should be a torch.Tensor; it is Same"
