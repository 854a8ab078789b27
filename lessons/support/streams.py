"""Small stacks of layers to try a residual stream on, and how one quantity of a stream is drawn over its depth.

The layers are given and not trained: what is looked at is how signals and gradients travel through them.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from lessons.support.norms import given_rms_norm

Layer = Callable[[Tensor], Tensor]


def tanh_layers(count: int, width: int, gain: float, **options) -> list[Layer]:
    """`count` layers tanh(x W) from [..., width] to [..., width], W drawn with standard deviation gain/√width.

    options: dtype and device of the matrices. Drawn from torch's global generator: seed it before.
    """
    matrices = [torch.randn(width, width, **options) * (gain / width**0.5) for _ in range(count)]
    return [lambda x, w=w: torch.tanh(x @ w) for w in matrices]


def ffn_branches(count: int, width: int, std_in: float, std_out: float, device=None) -> list[Layer]:
    """`count` branches as a pre-norm transformer has them: RMSNorm, up to 4·width, GELU, back down to width.

    std_in, std_out: standard deviations the two matrices are drawn with, std_out that of the one that writes.
    """

    def branch() -> Layer:
        up = torch.randn(width, 4 * width, device=device) * std_in
        down = torch.randn(4 * width, width, device=device) * std_out
        one = torch.ones(width, device=device)
        return lambda x: torch.nn.functional.gelu(given_rms_norm(x, one, 1e-6) @ up) @ down

    return [branch() for _ in range(count)]


def travel(x: Tensor, layers: Sequence[Layer], skip: bool) -> list[Tensor]:
    """All len(layers) + 1 states on the way of x through the layers, with `x +` around each or without."""
    way = [x]
    for branch_of in layers:
        branch = branch_of(way[-1])
        way.append(way[-1] + branch if skip else branch)
    return way


def rms(x: Tensor) -> float:
    """The root mean square of all numbers in x."""
    return x.square().mean().sqrt().item()


def curve(ax, x: Sequence[float], runs: Tensor, colour: str, marker: str = "o", every: int = 1) -> Tensor:
    """Draws the median of `runs`, [seeds, len(x)], with a band from the lowest to the highest seed.

    A marker stands at each `every`-th point. Returns the median, [len(x)], to place a label by.
    """
    middle = runs.median(dim=0).values
    ax.fill_between(x, runs.amin(0), runs.amax(0), color=colour, alpha=0.25, linewidth=0)
    ax.plot(x, middle, marker=marker, markevery=every, color=colour, markersize=5, linewidth=1.5)
    return middle
