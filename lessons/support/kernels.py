"""The contenders of lesson 12: the same three operations, each run in several ways, with the same arguments.

An operation is a norm, or SwiGLU's pointwise part between its matrix products. Every way of running it is a function
of the same tensors that autograd can differentiate. Which are there depends on the machine.
"""

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.support.timing import compile_or_reason
from lessons.support.triton_here import triton_missing
from lessons.support.triton_kernels import rms_norm_by_triton, swiglu_by_triton

EPS = 1e-6


def spelled_out_rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """RMSNorm step by step, statistics in at least float32: Llama's order (lesson 04)."""
    wide = x.float()
    return weight * (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)).to(x.dtype)


def spelled_out_layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
    """LayerNorm in the same manner."""
    wide = x.float()
    centred = wide - wide.mean(-1, keepdim=True)
    inverse = torch.rsqrt(centred.square().mean(-1, keepdim=True) + eps)
    return weight * (centred * inverse).to(x.dtype) + bias


def spelled_out_swiglu(gate: Tensor, up: Tensor) -> Tensor:
    """SiLU(gate) ⊙ up in two steps."""
    return F.silu(gate) * up


@dataclass(frozen=True)
class Operation:
    """One of the three. Its first `wide` arguments are [rows, dim]; then come `narrow` of [dim]; then eps, for a norm.

    forward, backward   how many tensors of [rows, dim] a fused kernel has to read and write, at the least
    flops               operations of the forward pass for each element, about
    """

    name: str
    spelled_out: Callable
    built_in: Callable | None
    wide: int
    narrow: int
    forward: int
    backward: int
    flops: int

    def arguments(self, rows: int, dim: int, dtype: torch.dtype, device: torch.device) -> tuple:
        """Leaves of a graph. Rows may differ from call to call without compiling again."""
        tensors = [torch.randn(rows, dim, device=device) for _ in range(self.wide)]
        tensors += [torch.ones(dim, device=device) for _ in range(self.narrow)]
        leaves = tuple(tensor.to(dtype).requires_grad_() for tensor in tensors)
        for leaf in leaves[: self.wide]:
            torch._dynamo.mark_dynamic(leaf, 0)
        return (*leaves, EPS) if self.narrow else leaves


def _built_in_rms(x, weight, eps):
    return F.rms_norm(x, x.shape[-1:], weight, eps)


def _built_in_layer(x, weight, bias, eps):
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)


RMS = Operation("RMSNorm", spelled_out_rms_norm, _built_in_rms, 1, 1, forward=2, backward=3, flops=4)
LAYER = Operation("LayerNorm", spelled_out_layer_norm, _built_in_layer, 1, 2, forward=2, backward=3, flops=7)
SWIGLU = Operation("SwiGLU", spelled_out_swiglu, None, 2, 0, forward=3, backward=5, flops=5)
OPERATIONS = {operation.name: operation for operation in (RMS, LAYER, SWIGLU)}
_TRITON = {"RMSNorm": rms_norm_by_triton, "SwiGLU": swiglu_by_triton}


def ways(operation: Operation, device: torch.device, example: tuple) -> tuple[dict[str, Callable], str]:
    """How this operation can be run here: name -> function; and, where nothing can be compiled, why ("" otherwise).

    example   arguments to compile for; with those of `Operation.arguments` the number of rows is left open
    """
    found = {"spelled out": operation.spelled_out}
    if operation.built_in:
        found["built in"] = operation.built_in
    compiled, reason = compile_or_reason(operation.spelled_out, *example, dynamic=None)
    if compiled:
        found["compiled"] = compiled
    if device.type == "cuda":
        found |= _on_a_gpu(operation)
    return found, reason


def _on_a_gpu(operation: Operation) -> dict[str, Callable]:
    """Triton's kernels, and Liger's where they are installed. In the interpreter a time would say nothing."""
    found = {} if triton_missing() or operation.name not in _TRITON else {"Triton": _TRITON[operation.name]}
    liger = _liger()
    if liger and operation is RMS:
        # Not in place, like all the others: the gradient that arrives is used again.
        found["Liger"] = lambda x, weight, eps: liger.liger_rms_norm(x, weight, eps, in_place=False)
    if liger and operation is SWIGLU:
        found["Liger"] = liger.liger_swiglu
    return found


def _liger():
    if importlib.util.find_spec("liger_kernel") is None:
        return None
    try:
        return importlib.import_module("liger_kernel.transformers.functional")
    except (ImportError, OSError, RuntimeError):
        return None


def forward(function: Callable, arguments: tuple) -> Callable[[], Tensor]:
    """The forward pass as training runs it: what the backward pass needs is kept."""
    return lambda: function(*arguments)


def both(function: Callable, arguments: tuple) -> Callable[[], tuple[Tensor, ...]]:
    """Forward and backward pass: the gradients of all tensors among the arguments, for one fixed incoming gradient."""
    leaves = [argument for argument in arguments if isinstance(argument, Tensor)]
    incoming = torch.randn_like(leaves[0])
    return lambda: torch.autograd.grad(function(*arguments), leaves, incoming)


def copy_of(arguments: tuple) -> Callable[[], Tensor]:
    """The floor: reads one tensor of [rows, dim] and writes it, two passes."""
    plain = arguments[0].detach()
    return lambda: plain.clone()
