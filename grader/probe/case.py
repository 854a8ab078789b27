"""A named input of an exercise: plain data and the tolerance that belongs to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import torch


@dataclass(frozen=True)
class Case:
    """One input an implementation is run on.

    name       short and unique in its exercise
    about      what the student reads: "a batch of shape [2, 3, 8]"
    data       tensors on the CPU and plain numbers; callables are built from these by the probe
    rtol       relative tolerance, element by element
    atol       absolute tolerance, as a share of the root mean square of the right answer, so that large
               and small answers are held to the same standard (absolute when the right answer is all zero)
    unequal    largest share of numbers that may differ, bit for bit, from the right answer rounded to the result's
               dtype; None where only the tolerances count. For cases on how often something was rounded
    """

    name: str
    about: str
    data: Mapping[str, object] = field(repr=False)
    rtol: float = 1e-5
    atol: float = 3e-6
    unequal: float | None = None

    def __getitem__(self, key: str):
        return self.data[key]

    def double(self) -> "Case":
        """The same case in float64: what the reference is computed on."""
        return replace(self, data={key: _double(value) for key, value in self.data.items()})


def _double(value):
    return value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value
