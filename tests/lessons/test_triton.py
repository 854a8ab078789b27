"""Triton: kernels give the right numbers, compile for a GPU without one, and are not missed where it is missing."""

import importlib.util
import json
import os
import subprocess
import sys

import pytest
import torch

from grader.cli import check as cli_check
from grader.exercises import exercise
from grader.student.check import check
from lessons.support import triton_here
from lessons.support.kernels import OPERATIONS, both
from lessons.support.triton_here import StandIn, find_triton, launches, triton_device, triton_missing
from lessons.support.triton_kernels import rms_norm_by_triton, swiglu_by_triton

KERNELS = {"RMSNorm": rms_norm_by_triton, "SwiGLU": swiglu_by_triton}
needs_triton = pytest.mark.skipif(bool(triton_missing()), reason=triton_missing())


@needs_triton
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.bfloat16, 1e-2)])
def test_the_given_kernels_are_right_forward_and_backward(name, dtype, tolerance):
    arguments = OPERATIONS[name].arguments(11, 37, dtype, triton_device())
    wide = tuple(a.detach().double().requires_grad_() if torch.is_tensor(a) else a for a in arguments)
    torch.testing.assert_close(
        KERNELS[name](*arguments).double(), OPERATIONS[name].spelled_out(*wide), rtol=tolerance, atol=tolerance
    )
    incoming = torch.randn_like(arguments[0])
    leaves = [[a for a in some if torch.is_tensor(a)] for some in (arguments, wide)]
    mine = torch.autograd.grad(KERNELS[name](*arguments), leaves[0], incoming)
    right = torch.autograd.grad(OPERATIONS[name].spelled_out(*wide), leaves[1], incoming.double())
    for a, b in zip(mine, right, strict=True):
        assert (a.double() - b).norm() < tolerance * b.norm()


@needs_triton
def test_launches_are_counted():
    arguments = OPERATIONS["RMSNorm"].arguments(3, 8, torch.float32, triton_device())
    with launches() as count:
        both(rms_norm_by_triton, arguments)()
    assert count == [2]


TO_CUBIN = """
import json, triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from lessons.support import triton_here
triton_here.find_triton = lambda: (triton, triton.language, "")  # here it is to compile, without a GPU
from lessons.support import triton_kernels as kernels
sizes = {}
for name in ("rms_forward", "rms_backward", "swiglu_forward", "swiglu_backward"):
    jitted = kernels._jit(getattr(kernels, name))
    kind = lambda a: "*fp32" if a in ("inverse_ptr", "partial_ptr") else "*bf16" if a.endswith("_ptr") else "i32"
    kinds = {a: "constexpr" if a == "BLOCK" else "fp32" if a == "eps" else kind(a) for a in jitted.arg_names}
    made = triton.compile(ASTSource(jitted, kinds, {"BLOCK": 1024}), target=GPUTarget("cuda", 90, 32))
    sizes[name] = len(made.asm["cubin"])
print(json.dumps(sizes))
"""


@needs_triton
@pytest.mark.slow
def test_the_given_kernels_compile_for_an_nvidia_gpu(tmp_path):
    """The interpreter lets pass what the compiler does not. Compiling needs no GPU."""
    environment = os.environ | {"TRITON_INTERPRET": "0", "TRITON_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", TO_CUBIN], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    sizes = json.loads(done.stdout)
    assert len(sizes) == 4 and all(sizes.values())


@pytest.fixture
def no_triton(monkeypatch):
    plain = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "triton" else plain(name, *a))
    find_triton.cache_clear()
    yield
    find_triton.cache_clear()


def test_without_triton_a_kernel_can_still_be_written(no_triton):
    triton, tl, reason = find_triton()
    assert reason.startswith("Triton is not installed here") and reason.endswith("costs nothing.")

    @triton.jit
    def kernel(x_ptr, BLOCK: tl.constexpr):
        raise AssertionError("never run")

    assert isinstance(kernel, StandIn)
    with pytest.raises(NotImplementedError, match="Triton is not installed here"):
        kernel[(1,)](torch.ones(1), BLOCK=1)


def test_without_triton_the_check_says_so_and_costs_nothing(no_triton, tmp_path, capsys):
    verdict = check("triton_rms_norm", namespace={"triton_rms_norm": lambda x, weight, eps: x})
    assert (verdict.score, verdict.points, verdict.status) == (0, 0, "not attempted")
    assert "costs nothing" in str(verdict)
    assert exercise("triton_rms_norm").extra


def test_without_triton_a_file_cannot_be_graded_and_is_not_even_run(no_triton, tmp_path):
    import argparse

    from grader.errors import CourseError

    options = argparse.Namespace(exercise="triton_rms_norm", file=tmp_path / "none.py", json=False, seed=0)
    with pytest.raises(CourseError, match="Triton is not installed here"):
        cli_check.run(options)


@needs_triton
@pytest.mark.skipif(triton_here.HAS_GPU, reason="a GPU needs no interpreter")
def test_triton_imported_too_early_is_told():
    code = "import triton.language; from lessons.support.triton_here import triton_missing; print(triton_missing())"
    clean = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    done = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, text=True)
    assert done.stdout.startswith("Something imported Triton before its interpreter was chosen: restart")


def test_where_notebooks_are_graded_triton_is_not_imported(monkeypatch):
    monkeypatch.setenv("COURSE_GRADING", "1")
    assert triton_here._reason().startswith("Triton is not used where notebooks are graded")
