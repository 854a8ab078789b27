"""Looks at how numbers are rounded: distances in units in the last place, and the dtypes that autocast chooses."""

import torch
import torch.nn.functional as F
from torch import Tensor


def ulps(a: Tensor, b: Tensor) -> Tensor:
    """How many representable numbers lie between a and b, both float16 or both bfloat16: 0 where they are equal.

    Returns int32 of their shape. +0 and -0 are equal. Infinities count as the number after the largest one.
    """
    if a.dtype != b.dtype or a.dtype.itemsize != 2:
        raise ValueError(f"ulps compares two tensors of one half-precision dtype, not {a.dtype} and {b.dtype}.")
    return (_place(a) - _place(b)).abs()


def _place(x: Tensor) -> Tensor:
    """The place of each number in the line of all representable ones, zero at 0: sign and magnitude made an integer."""
    bits = x.contiguous().view(torch.int16).int()
    return torch.where(bits < 0, -(bits & 0x7FFF), bits)


def autocast_dtypes(device: torch.device, dtype: torch.dtype = torch.bfloat16) -> dict[str, torch.dtype]:
    """Which dtype an operation returns under autocast, for float32 inputs. Asked, not looked up: devices differ."""
    x, w = torch.rand(4, 8, device=device), torch.rand(8, 8, device=device)
    with torch.autocast(device.type, dtype=dtype):
        branch = x @ w
        results = {
            "x @ w, the branch": branch,
            "F.linear": F.linear(x, w),
            "F.gelu of the branch": F.gelu(branch),
            "softmax of the branch": branch.softmax(-1),
            "F.layer_norm of x": F.layer_norm(x, (8,)),
            "F.rms_norm of x": F.rms_norm(x, (8,)),
            "F.rms_norm of the branch": F.rms_norm(branch, (8,)),
            "cross entropy of the branch": F.cross_entropy(branch, torch.zeros(4, dtype=torch.long, device=device)),
            "x + the branch, the stream": x + branch,
        }
    return {name: result.dtype for name, result in results.items()}
