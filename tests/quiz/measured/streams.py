"""What additions do to a stream, and norms to what is added (lessons 01 and 05)."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tests.quiz.test_content import norm_parameters, pre_norm_decoder

WIDE = 1 << 17  # so many numbers that chance hardly shows


def draws() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def rms(x: Tensor) -> float:
    return x.square().mean().sqrt().item()


def stream_size(blocks: int, size: float) -> float:
    random = draws()
    stream = torch.randn(WIDE, generator=random)
    for _ in range(2 * blocks):
        stream += size * torch.randn(WIDE, generator=random)
    return rms(stream)


def gpt2_init(blocks: int) -> float:
    """0.02, less by how much larger all contributions together are than a single one."""
    random, total = draws(), torch.zeros(WIDE)
    for _ in range(2 * blocks):
        total += nn.init.normal_(torch.empty(WIDE), std=0.02, generator=random)
    return 0.02 * 0.02 / total.std().item()


def slope_of_a_stack(depth: int, slope: float) -> float:
    def stack(x):
        for _ in range(depth):
            x = x + slope * x
        return x

    return torch.func.grad(stack)(torch.tensor(1.7, dtype=torch.float64)).item()


def sandwich(blocks: int) -> tuple[Tensor, Tensor]:
    """The stream before the last branch, and that branch: what real norms make of rows at right angles."""
    dim = 2 * blocks + 1
    start, *written = torch.eye(dim) * 7
    branches = [F.rms_norm(row, (dim,)) for row in written]
    return F.rms_norm(start, (dim,)) + sum(branches[:-1]), branches[-1]


def norms_of_a_sandwich(layers: int, dim: int) -> int:
    """Two pre-norm sublayers a block give each one norm; the sandwich gives it another, behind it."""
    pre_norm = pre_norm_decoder(layers, dim)
    behind = nn.ModuleList(nn.RMSNorm(dim, device="meta") for _ in range(2 * layers))
    return norm_parameters(pre_norm) + norm_parameters(behind)
