"""Wrong RMSNorms, and tests that try to tell them from PyTorch's own. For lesson 13."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.support.norms import given_rms_norm

Norm = Callable[[Tensor, Tensor, float], Tensor]
TOLERANCE = 0.01  # relative and absolute: what a quick test often allows


def _by(root: Callable[[Tensor, float], Tensor]) -> Norm:
    """The norm that divides by this root, in float32."""

    def norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
        wide = x.float()
        return (wide / root(wide, eps) * weight.float()).to(x.dtype)

    return norm


def _mean(values: Tensor) -> Tensor:
    return values.mean(-1, keepdim=True)


def right(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """RMSNorm in float32, in x's dtype at the end. x: [..., d]; weight: [d]."""
    return given_rms_norm(x.float(), weight.float(), eps).to(x.dtype)


FAULTS: dict[str, Norm] = {
    "weight left out": lambda x, weight, eps: right(x, torch.ones_like(weight), eps),
    "mean subtracted": lambda x, weight, eps: right(x - _mean(x), weight, eps),
    "length, not root mean square": _by(lambda x, eps: (x.square().sum(-1, keepdim=True) + eps).sqrt()),
    "one mean for all rows": _by(lambda x, eps: (x.square().mean() + eps).sqrt()),
    "divided by d − 1": _by(lambda x, eps: (x.square().sum(-1, keepdim=True) / (x.shape[-1] - 1) + eps).sqrt()),
    "eps outside the root": _by(lambda x, eps: _mean(x.square()).sqrt() + eps),
    "eps left out": _by(lambda x, eps: _mean(x.square()).sqrt()),
    "root without a gradient": _by(lambda x, eps: (_mean(x.detach().square()) + eps).sqrt()),
    "squares in half precision": given_rms_norm,
}


def _rows(*shape: int, scale: float = 1.0, shift: float = 0.0, dtype: torch.dtype = torch.float32) -> Tensor:
    return (torch.randn(*shape, generator=torch.Generator().manual_seed(0)) * scale + shift).to(dtype)


# What goes in: x and the weight.
INPUTS: dict[str, tuple[Tensor, Tensor]] = {
    "one random row, weights 1": (_rows(1, 64), torch.ones(64)),
    "5 random rows": (_rows(5, 64, scale=2.0), torch.ones(64)),
    "random weights": (_rows(5, 64), _rows(64, shift=1.0)),
    "far from zero": (_rows(5, 64, shift=5.0), torch.ones(64)),
    "4 numbers a row": (_rows(5, 4), torch.ones(4)),
    "numbers near 0.001": (_rows(5, 64, scale=1e-3), torch.ones(64)),
    "a row of zeros": (torch.zeros(1, 64), torch.ones(64)),
    "float16 near 300": (_rows(1, 64, shift=300.0, dtype=torch.float16), torch.ones(64, dtype=torch.float16)),
}
EPS = 1e-5


def values_differ(norm: Norm, x: Tensor, weight: Tensor) -> bool:
    """Whether the norm's result is off from PyTorch's by more than the tolerance."""
    wanted = F.rms_norm(x.float(), (x.shape[-1],), weight.float(), EPS).to(x.dtype)
    return not torch.allclose(norm(x, weight, EPS), wanted, rtol=TOLERANCE, atol=TOLERANCE)


def gradients_differ(norm: Norm) -> bool:
    """Whether the gradient of x, for random rows, is off from PyTorch's by more than the tolerance."""
    x, weight, up = _rows(5, 64), torch.ones(64), _rows(5, 64, shift=1.0)
    got = _gradient(lambda x: norm(x, weight, EPS), x, up)
    wanted = _gradient(lambda x: F.rms_norm(x, (64,), weight, EPS), x, up)
    return not torch.allclose(got, wanted, rtol=TOLERANCE, atol=TOLERANCE)


def found_by(norm: Norm) -> dict[str, bool]:
    """Each test's name, and whether it tells the norm from PyTorch's."""
    found = {name: values_differ(norm, *given) for name, given in INPUTS.items()}
    return found | {"gradient of x": gradients_differ(norm)}


def _gradient(function: Callable[[Tensor], Tensor], x: Tensor, up: Tensor) -> Tensor:
    leaf = x.clone().requires_grad_()
    return torch.autograd.grad(function(leaf), leaf, up)[0]
