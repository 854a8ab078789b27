"""Lesson 12's measurements: contenders beside a plain copy of the same tensor, over sizes; and a roofline.

Freed memory is kept while they are timed, where that can be had: see `memory`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from lessons.support.kernels import OPERATIONS, Operation, both, copy_of, forward, ways
from lessons.support.memory import freed_memory_kept
from lessons.support.progress import progress
from lessons.support.timing import Timing, time_calls

COPY = "plain copy"


@dataclass(frozen=True)
class Contest:
    """One operation in one dtype, with every way of running it here. `reason`: why nothing is compiled, or ""."""

    operation: Operation
    dtype: torch.dtype
    device: torch.device
    functions: dict[str, Callable]
    reason: str

    def arguments(self, rows: int, dim: int) -> tuple:
        return self.operation.arguments(rows, dim, self.dtype, self.device)


@dataclass(frozen=True)
class Result:
    """How long one way took. floor: what a copy would take for the least bytes that this has to move, in ms."""

    timing: Timing
    floor: float

    @property
    def times_floor(self) -> float:
        return self.timing.median / self.floor


def contests(device: torch.device, dtypes: tuple[torch.dtype, ...], dim: int) -> dict[tuple[str, torch.dtype], Contest]:
    """All operations in all dtypes. Compiling them is what takes long; both passes are compiled here."""
    found = {}
    pairs = [(name, dtype) for dtype in dtypes for name in OPERATIONS]
    for name, dtype in progress(pairs, "compiling"):
        example = OPERATIONS[name].arguments(64, dim, dtype, device)
        functions, reason = ways(OPERATIONS[name], device, example)
        found[name, dtype] = Contest(OPERATIONS[name], dtype, device, functions, reason)
        if "compiled" in functions:
            both(functions["compiled"], example)()
    return found


@freed_memory_kept()
def sweep(runs: list[Contest], all_rows: list[int], dim: int, limit_s: float = 1.5) -> dict[str, dict[int, Timing]]:
    """Forward passes over sizes: "RMSNorm, compiled" -> number of rows -> Timing; a plain copy is among them."""
    found: dict[str, dict[int, Timing]] = {}
    for rows in progress(all_rows, "timing, a size a step"):
        calls = {}
        for run in runs:
            arguments = run.arguments(rows, dim)
            calls |= {f"{run.operation.name}, {way}": forward(f, arguments) for way, f in run.functions.items()}
        calls[COPY] = copy_of(runs[0].arguments(rows, dim))
        for name, timing in time_calls(calls, runs[0].device, rounds=25, limit_s=limit_s, settle=True).items():
            found.setdefault(name, {})[rows] = timing
    return found


PASSES = ("forward", "forward and backward")


@freed_memory_kept()
def beside_a_copy(run: Contest, rows: int, dim: int, limit_s: float = 1.5) -> dict[tuple[str, str], Result]:
    """(way, pass) -> Result, all of them taking turns with the copy."""
    arguments, operation = run.arguments(rows, dim), run.operation
    calls: dict = {COPY: copy_of(arguments)}
    for way, function in run.functions.items():
        calls |= {(way, PASSES[0]): forward(function, arguments), (way, PASSES[1]): both(function, arguments)}
    timings = time_calls(calls, run.device, rounds=15, limit_s=limit_s, settle=True)
    one_pass = timings.pop(COPY).median / 2  # a copy reads once and writes once
    tensors = {PASSES[0]: operation.forward, PASSES[1]: operation.forward + operation.backward}
    return {key: Result(timing, one_pass * tensors[key[1]]) for key, timing in timings.items()}


@dataclass(frozen=True)
class Point:
    """A dot in a roofline: operations for each byte, and 10⁹ operations a second."""

    name: str
    per_byte: float
    speed: float


@freed_memory_kept()
def products(device: torch.device, all_rows: tuple[int, ...], dim: int, hidden: int) -> list[Point]:
    """Matrix products of some rows with one large matrix, in float32, as points of a roofline."""
    matrix = torch.randn(dim, hidden, device=device)
    inputs = {rows: torch.randn(rows, dim, device=device) for rows in all_rows}
    calls = {str(rows): (lambda x=x: x @ matrix) for rows, x in inputs.items()}
    timings = time_calls(calls, device, rounds=9, limit_s=3.0)
    points = []
    for rows in all_rows:
        flops = 2 * rows * dim * hidden
        moved = 4 * (rows * dim + dim * hidden + rows * hidden)
        label = f"{rows} row{'s' * (rows > 1)}"
        points.append(Point(label, flops / moved, flops / timings[str(rows)].median / 1e6))
    return points
