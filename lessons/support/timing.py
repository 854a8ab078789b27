"""How long calls take: fairly (interleaved, the median) and, for `torch.compile`, only where it really works."""

import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import quantiles

import torch

Call = Callable[[], object]


@dataclass(frozen=True)
class Timing:
    """Milliseconds of one call: the median of its runs, and the quarter points below and above it."""

    median: float
    low: float
    high: float

    @property
    def noisy(self) -> bool:
        """The middle half of the runs spans more than half the median: something else was using the machine."""
        return self.high - self.low > 0.5 * self.median


def time_calls(
    calls: dict[str, Call], device: torch.device, rounds: int = 41, limit_s: float = 8.0, settle: bool = False
) -> dict[str, Timing]:
    """Times each call over `rounds` rounds, after one warm-up round.

    Every round runs every call once, each time from another start, so that a busy moment of the machine hits
    all of them. On a GPU its own clock is read, by CUDA events. A slow machine stops early: once `limit_s` seconds
    are over, and five rounds are done.

    settle   run each call once more, untimed, right before it is timed. For large tensors: otherwise a call pays for
             what the one before it did to the caches, and for the memory that it gave back to the system
    """
    names = list(calls)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for name in names:
        calls[name]()
    began = time.perf_counter()
    for turn in range(rounds):
        if turn >= 5 and time.perf_counter() - began > limit_s:
            break
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            if settle:
                calls[name]()
            taken[name].append(_milliseconds(calls[name], device))
    return {name: _summary(runs) for name, runs in taken.items()}


def faster_by(mine: Timing, other: Timing) -> float:
    """By how many percent `mine` is faster than `other`: 100 is twice as fast, negative is slower."""
    return 100 * (other.median / mine.median - 1)


def compared(mine: Timing, other: Timing) -> str:
    """How `mine` does against `other`, in words: "1.3× faster", "13× slower"."""
    ratio = other.median / mine.median
    return f"{max(ratio, 1 / ratio):.2g}× {'faster' if ratio >= 1 else 'slower'}"


def busy(timings: dict[str, Timing]) -> str:
    """A sentence of warning where the runs of a call differ too much to be trusted, else ""."""
    noisy = sum(timing.noisy for timing in timings.values())
    if not noisy:
        return ""
    return f"Careful: the runs of {noisy} of {len(timings)} calls differ a lot. Time them again on a quiet machine."


def _summary(runs: list[float]) -> Timing:
    low, middle, high = quantiles(runs, n=4, method="inclusive")
    return Timing(middle, low, high)


def _milliseconds(call: Call, device: torch.device) -> float:
    if device.type == "cuda":
        return _by_events(call)
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def _by_events(call: Call) -> float:
    """The GPU notes the time itself as it passes two marks in its queue: Python's own time is not in it."""
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda.synchronize()
    first.record()
    call()
    last.record()
    last.synchronize()
    return first.elapsed_time(last)


def compile_or_reason(
    function: Callable, *example: object, dynamic: bool | None = False
) -> tuple[Callable | None, str]:
    """`torch.compile(function)`, compiled for `example` by a first call: (compiled, "").

    `dynamic` as for torch.compile; with None, dimensions marked as dynamic may change without compiling again.

    Where that cannot work (no C++ compiler, no Triton, compilation switched off): (None, "no compiler: why").
    """
    from torch._dynamo import lookup_backend  # slow to import, and only needed here

    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return lookup_backend("inductor")(graph, inputs)

    compiled = torch.compile(function, backend=backend, dynamic=dynamic)
    try:
        compiled(*example)
    except (RuntimeError, OSError, ImportError) as error:
        return None, f"no compiler: {_why(error)}"
    # Switched off (TORCH_COMPILE_DISABLE=1 or a stance), torch.compile runs the plain function and says nothing.
    return (compiled, "") if graphs else (None, "no compiler: torch.compile is switched off here")


def _why(error: Exception) -> str:
    if "C++ compiler" in str(error):
        return "no working C++ compiler was found (g++, clang++, or Visual Studio's build tools)"
    return textwrap.shorten(str(error) or type(error).__name__, 160, placeholder=" ...")
