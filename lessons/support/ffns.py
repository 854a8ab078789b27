"""Feed-forward networks to compare: six variants of equal size, made for a `dim` that 3 divides.

Given to lessons that are not about writing them. Bias-free; [..., dim] both ways.
"""

from collections.abc import Callable

import torch.nn.functional as F
from torch import Tensor, nn


class GivenPlain(nn.Module):
    """Two matrices: down(act(up(x))), hidden width 4·dim."""

    def __init__(self, dim: int, act: Callable[[Tensor], Tensor]):
        super().__init__()
        self.act, hidden = act, 4 * dim
        self.up_proj, self.down_proj = _matrix(dim, hidden), _matrix(hidden, dim)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(self.act(self.up_proj(x)))


class GivenGated(nn.Module):
    """Three matrices: down(act(gate(x)) * up(x)), hidden width 8/3·dim, so as many parameters as GivenPlain."""

    def __init__(self, dim: int, act: Callable[[Tensor], Tensor]):
        super().__init__()
        if dim % 3:
            raise ValueError(f"dim {dim}: 8/3 of it is no whole number, so the sizes would not be equal.")
        self.act, hidden = act, 8 * dim // 3
        self.gate_proj, self.up_proj = _matrix(dim, hidden), _matrix(dim, hidden)
        self.down_proj = _matrix(hidden, dim)

    def forward(self, x: Tensor) -> Tensor:
        strength = self.act(self.gate_proj(x))
        return self.down_proj(strength * self.up_proj(x))


def _matrix(fan_in: int, fan_out: int) -> nn.Linear:
    return nn.Linear(fan_in, fan_out, bias=False)


def _squared_relu(x: Tensor) -> Tensor:
    return F.relu(x).square()


def _identity(x: Tensor) -> Tensor:
    return x


# Name -> dim -> module. The first three are plain, the last three gated.
VARIANTS: dict[str, Callable[[int], nn.Module]] = {
    "ReLU": lambda dim: GivenPlain(dim, F.relu),
    "GELU": lambda dim: GivenPlain(dim, F.gelu),
    "ReLU²": lambda dim: GivenPlain(dim, _squared_relu),
    "bilinear": lambda dim: GivenGated(dim, _identity),
    "GEGLU": lambda dim: GivenGated(dim, F.gelu),
    "SwiGLU": lambda dim: GivenGated(dim, F.silu),
}
