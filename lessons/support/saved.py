"""What autograd keeps for the backward pass: the tensors themselves, or their bytes."""

from collections.abc import Callable

import torch
from torch import Tensor


def kept_bytes(call: Callable[[], Tensor]) -> int:
    """Bytes of all memory that autograd holds on to after `call()`, each piece once. Inputs that are kept count."""
    pieces: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        pieces[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = call()
    del result  # until here it keeps the pieces alive, so that no two of them have one address
    return sum(pieces.values())


class _LeanRMSNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        reciprocal = (x.float().square().mean(-1, keepdim=True) + eps).rsqrt()
        ctx.save_for_backward(x, weight, reciprocal)
        return (x * reciprocal).to(x.dtype) * weight

    @staticmethod
    def backward(ctx, grad):
        x, weight, reciprocal = ctx.saved_tensors
        unit, scaled = x * reciprocal, grad * weight
        grad_x = (scaled - unit * (scaled * unit).mean(-1, keepdim=True)) * reciprocal
        return grad_x.to(x.dtype), (grad * unit).flatten(0, -2).sum(0).to(weight.dtype), None


def given_lean_rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """A norm as exercise 2 asks for it, for whoever has not written one. x: at least two axes."""
    return _LeanRMSNorm.apply(x, weight, eps)


class _LeanSwiGLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, gate, up):
        ctx.save_for_backward(gate, up)
        return torch.nn.functional.silu(gate) * up

    @staticmethod
    def backward(ctx, grad):
        gate, up = ctx.saved_tensors
        share = gate.sigmoid()
        return grad * up * share * (1 + gate * (1 - share)), grad * gate * share


def given_lean_swiglu(gate: Tensor, up: Tensor) -> Tensor:
    """SiLU(gate) ⊙ up that keeps gate and up, and computes SiLU again."""
    return _LeanSwiGLU.apply(gate, up)
