"""Random inputs shared by the exercises' cases. Every draw comes from one seeded generator on the CPU."""

import torch


class Inputs:
    """Draws the tensors of one exercise's cases. The same seed and the same calls give the same tensors."""

    def __init__(self, seed: int):
        self._generator = torch.Generator().manual_seed(seed)

    def normal(self, *shape: int, mean: float = 0.0, scale: float = 1.0) -> torch.Tensor:
        """float32 normal values of the given shape, mean and standard deviation."""
        return torch.randn(shape, generator=self._generator) * scale + mean

    def weight(self, *shape: int) -> torch.Tensor:
        """Gains away from 1, of both signs: 0.5 to 1.5 in size, so that a forgotten gain shows."""
        size = torch.rand(*shape, generator=self._generator) + 0.5
        sign = torch.where(torch.rand(*shape, generator=self._generator) < 0.25, -1.0, 1.0)
        return size * sign
