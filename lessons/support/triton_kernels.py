"""RMSNorm and SwiGLU's pointwise part as Triton kernels, forward and backward: one program a row, all in fp32 inside.

Given to lesson 12's measurements. The kernels are plain functions until `_jit` has found Triton.
"""

from __future__ import annotations  # `tl.constexpr` is read before tl is there

import functools

import torch
from torch import Tensor

from lessons.support.triton_here import find_triton

tl = None  # triton.language, once there is one; kernels look it up here


def rms_forward(x_ptr, weight_ptr, y_ptr, inverse_ptr, dim, eps, BLOCK: tl.constexpr):
    row, at = tl.program_id(0).to(tl.int64), tl.arange(0, BLOCK)
    inside = at < dim
    x = tl.load(x_ptr + row * dim + at, mask=inside, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + at, mask=inside, other=0.0).to(tl.float32)
    inverse = 1 / tl.sqrt(tl.sum(x * x, axis=0) / dim + eps)
    tl.store(inverse_ptr + row, inverse)
    tl.store(y_ptr + row * dim + at, (x * inverse * weight).to(y_ptr.dtype.element_ty), mask=inside)


def rms_backward(grad_ptr, x_ptr, weight_ptr, inverse_ptr, grad_x_ptr, partial_ptr, rows, dim, BLOCK: tl.constexpr):
    """Program p takes the rows p, p + P, …, and sums its own share of the weight's gradient in registers."""
    first, step, at = tl.program_id(0), tl.num_programs(0), tl.arange(0, BLOCK)
    inside = at < dim
    weight = tl.load(weight_ptr + at, mask=inside, other=0.0).to(tl.float32)
    share = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(first, rows, step):
        start = tl.cast(row, tl.int64) * dim
        inverse = tl.load(inverse_ptr + row)
        unit = tl.load(x_ptr + start + at, mask=inside, other=0.0).to(tl.float32) * inverse
        grad = tl.load(grad_ptr + start + at, mask=inside, other=0.0).to(tl.float32)
        share += grad * unit
        scaled = grad * weight
        along = tl.sum(scaled * unit, axis=0) / dim
        grad_x = (scaled - unit * along) * inverse
        tl.store(grad_x_ptr + start + at, grad_x.to(grad_x_ptr.dtype.element_ty), mask=inside)
    tl.store(partial_ptr + first * dim + at, share, mask=inside)


def swiglu_forward(gate_ptr, up_ptr, y_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    gate = tl.load(gate_ptr + at, mask=inside, other=0.0).to(tl.float32)
    up = tl.load(up_ptr + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(y_ptr + at, (gate * tl.sigmoid(gate) * up).to(y_ptr.dtype.element_ty), mask=inside)


def swiglu_backward(grad_ptr, gate_ptr, up_ptr, grad_gate_ptr, grad_up_ptr, count, BLOCK: tl.constexpr):
    """SiLU is computed again: nothing but gate and up was kept."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    grad = tl.load(grad_ptr + at, mask=inside, other=0.0).to(tl.float32)
    gate = tl.load(gate_ptr + at, mask=inside, other=0.0).to(tl.float32)
    up = tl.load(up_ptr + at, mask=inside, other=0.0).to(tl.float32)
    share = tl.sigmoid(gate)
    slope = share * (1 + gate * (1 - share))
    tl.store(grad_gate_ptr + at, (grad * up * slope).to(grad_gate_ptr.dtype.element_ty), mask=inside)
    tl.store(grad_up_ptr + at, (grad * gate * share).to(grad_up_ptr.dtype.element_ty), mask=inside)


@functools.cache
def _jit(kernel):
    global tl
    triton, tl, _ = find_triton()
    return triton.jit(kernel)


def _power_of_2(number: int) -> int:
    return 1 << (number - 1).bit_length()


def _programs(device: torch.device) -> int:
    """Enough to fill a GPU. Each sums its own rows' share of the weight's gradient, so more is more to add up."""
    return 4 * torch.cuda.get_device_properties(device).multi_processor_count if device.type == "cuda" else 4


class _RMSNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        flat = x.contiguous().flatten(0, -2)
        y, inverse = torch.empty_like(flat), torch.empty(len(flat), dtype=torch.float32, device=x.device)
        block = _power_of_2(flat.shape[1])
        _jit(rms_forward)[(len(flat),)](flat, weight, y, inverse, flat.shape[1], eps, BLOCK=block)
        ctx.save_for_backward(flat, weight, inverse)
        return y.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        flat, weight, inverse = ctx.saved_tensors
        (count, dim), block = flat.shape, _power_of_2(flat.shape[1])
        programs = min(count, _programs(flat.device))
        grad_x, partial = torch.empty_like(flat), flat.new_empty(programs, dim, dtype=torch.float32)
        arguments = (grad.contiguous(), flat, weight, inverse, grad_x, partial, count, dim)
        _jit(rms_backward)[(programs,)](*arguments, BLOCK=block)
        return grad_x.view(grad.shape), partial.sum(0).to(weight.dtype), None


class _SwiGLU(torch.autograd.Function):
    BLOCK = 1024

    @staticmethod
    def forward(ctx, gate, up):
        gate, up = gate.contiguous(), up.contiguous()
        y, grid = torch.empty_like(gate), (-(-gate.numel() // _SwiGLU.BLOCK),)
        _jit(swiglu_forward)[grid](gate, up, y, gate.numel(), BLOCK=_SwiGLU.BLOCK)
        ctx.save_for_backward(gate, up)
        return y

    @staticmethod
    def backward(ctx, grad):
        gate, up = ctx.saved_tensors
        grad_gate, grad_up, grid = torch.empty_like(gate), torch.empty_like(up), (-(-gate.numel() // _SwiGLU.BLOCK),)
        arguments = (grad.contiguous(), gate, up, grad_gate, grad_up, gate.numel())
        _jit(swiglu_backward)[grid](*arguments, BLOCK=_SwiGLU.BLOCK)
        return grad_gate, grad_up


def rms_norm_by_triton(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """RMSNorm, [..., dim]. Raises NotImplementedError where there is no Triton."""
    return _RMSNorm.apply(x, weight, eps)


def swiglu_by_triton(gate: Tensor, up: Tensor) -> Tensor:
    """SiLU(gate) * up, element by element."""
    return _SwiGLU.apply(gate, up)
