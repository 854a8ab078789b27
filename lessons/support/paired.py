"""Compares variants that were run with the same seeds: the difference per seed, its spread, what it could detect."""

from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev

# Student's t, 97.5 %, for 1, 2, 3, ... degrees of freedom.
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201)


@dataclass(frozen=True)
class Difference:
    """Mean of the differences per seed, and `detectable`: half the width of its 95 % confidence interval.

    A mean smaller than `detectable` in size cannot be told from no difference with these seeds.
    """

    mean: float
    detectable: float

    @property
    def real(self) -> bool:
        return abs(self.mean) > self.detectable

    @property
    def verdict(self) -> str:
        if not self.real:
            return "not distinguishable"
        return "lower" if self.mean < 0 else "higher"


def paired(mine: list[float], other: list[float]) -> Difference:
    """`mine` minus `other`, seed by seed. Raises ValueError for lists of unequal length or of fewer than 2 seeds."""
    if len(mine) != len(other) or not 2 <= len(mine) <= len(_T) + 1:
        raise ValueError(f"{len(mine)} and {len(other)} runs: need the same 2 to {len(_T) + 1} seeds on both sides.")
    differences = [a - b for a, b in zip(mine, other, strict=True)]
    n = len(differences)
    return Difference(mean(differences), _T[n - 2] * stdev(differences) / sqrt(n))


def between(outcomes: dict[str, list[float]], mine: str, other: str) -> Difference:
    """`mine` minus `other` among outcomes by name."""
    return paired(outcomes[mine], outcomes[other])
