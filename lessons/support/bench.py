"""The kernels' performance table: `python -m lessons.support.bench [--json]`. Every row is a ratio of medians.

The two sides of a ratio, and whatever else is timed at that size, take turns in one run, so that a busy moment of the
machine hits both. Forward passes, without anything kept for a backward one.
"""

import argparse
import contextlib
import datetime
import itertools
import json
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass

import torch

from lessons.support.device import describe
from lessons.support.kernels import LAYER, RMS, SWIGLU, Operation, copy_of, ways
from lessons.support.memory import freed_memory_kept
from lessons.support.timing import Timing, time_calls

COPY = "a copy"
KEPT = "freed memory kept"  # see `memory`; the other sizes are run with the allocator as it is
SIZES = {
    "cpu": ((2048, 2048, ""), (16384, 2048, ""), (16384, 2048, KEPT)),
    "cuda": ((2048, 2048, ""), (65536, 4096, "")),
}
DTYPES = {"cpu": (torch.float32,), "cuda": (torch.float32, torch.bfloat16)}


@dataclass(frozen=True)
class Ratio:
    """One row. `what`: "one thing over another"; the aim is a bound in words, or ""."""

    what: str
    size: str
    ratio: float
    aim: str
    first_ms: float
    second_ms: float
    noisy: bool


# (operation, way), the same of what stands below the line, its share of the copy's bytes, the aim. A row whose two
# sides are not both there is left out.
Side = tuple[str, str]
# Spelled out, a step's cost is its traffic and its new memory. Where each result is new memory for all, this says less.
SMALL_ONLY = "at least 5, where a result fits what the allocator keeps"
ROWS: list[tuple[str, Side, Side, float, str]] = [
    ("compiled RMSNorm over a copy", ("RMSNorm", "compiled"), ("", COPY), 1, "at most 1.3"),
    ("compiled RMSNorm over compiled LayerNorm", ("RMSNorm", "compiled"), ("LayerNorm", "compiled"), 1, ""),
    ("naive RMSNorm over compiled", ("RMSNorm", "spelled out"), ("RMSNorm", "compiled"), 1, SMALL_ONLY),
    ("naive LayerNorm over compiled", ("LayerNorm", "spelled out"), ("LayerNorm", "compiled"), 1, ""),
    ("compiled SwiGLU pointwise over a copy of its 3 tensors", ("SwiGLU", "compiled"), ("", COPY), 1.5, ""),
    ("naive SwiGLU pointwise over compiled", ("SwiGLU", "spelled out"), ("SwiGLU", "compiled"), 1, ""),
    ("naive RMSNorm over a copy", ("RMSNorm", "spelled out"), ("", COPY), 1, ""),
    ("F.layer_norm over a copy", ("LayerNorm", "built in"), ("", COPY), 1, ""),
    ("Triton RMSNorm over F.rms_norm", ("RMSNorm", "Triton"), ("RMSNorm", "built in"), 1, ""),
    ("Triton RMSNorm over Liger's", ("RMSNorm", "Triton"), ("RMSNorm", "Liger"), 1, ""),
    ("Triton SwiGLU pointwise over Liger's", ("SwiGLU", "Triton"), ("SwiGLU", "Liger"), 1, ""),
    ("compiled RMSNorm over F.rms_norm", ("RMSNorm", "compiled"), ("RMSNorm", "built in"), 1, ""),
    ("compiled RMSNorm over Liger's", ("RMSNorm", "compiled"), ("RMSNorm", "Liger"), 1, ""),
    ("bandwidth of Triton RMSNorm over that of a copy", ("", COPY), ("RMSNorm", "Triton"), 1, ""),
    ("bandwidth of compiled RMSNorm over that of a copy", ("", COPY), ("RMSNorm", "compiled"), 1, ""),
]


def measure(device: torch.device, say: Callable[[str], None]) -> dict:
    """All rows, and where and when they were measured; `missing`: why there is no compiled row, or ""."""
    rows, missing = [], ""
    for (height, width, how), dtype in itertools.product(SIZES[device.type], DTYPES[device.type]):
        size = f"{height} × {width} {str(dtype).removeprefix('torch.')}" + f", {how}" * bool(how)
        say(f"{size}: compiling and timing ...")
        with freed_memory_kept() if how else contextlib.nullcontext(True) as possible:
            if not possible:
                continue
            timings, reason = _timings(device, dtype, height, width)
        missing = missing or reason
        rows += [row for row in (_row(size, timings, *entry) for entry in ROWS) if row]
    return _place(device) | {"missing": missing, "rows": [asdict(row) for row in rows]}


def _timings(device, dtype, height: int, width: int) -> tuple[dict[Side, Timing], str]:
    calls: dict[Side, Callable] = {}
    reasons = []
    for operation in (RMS, LAYER, SWIGLU):
        arguments = _plain(operation, height, width, dtype, device)
        with torch.no_grad():
            functions, reason = ways(operation, device, arguments)
        reasons.append(reason)
        calls |= {(operation.name, way): _call(function, arguments) for way, function in functions.items()}
    calls["", COPY] = copy_of(arguments)
    with torch.no_grad():
        return time_calls(calls, device, limit_s=12.0, settle=True), next(filter(None, reasons), "")


def _plain(operation: Operation, height, width, dtype, device) -> tuple:
    tensors = operation.arguments(height, width, dtype, device)
    return tuple(value.detach() if isinstance(value, torch.Tensor) else value for value in tensors)


def _call(function: Callable, arguments: tuple) -> Callable:
    return lambda: function(*arguments)


def _row(size: str, timings: dict, what: str, first: Side, second: Side, share: float, aim: str) -> Ratio | None:
    if first not in timings or second not in timings:
        return None
    a, b = timings[first], timings[second]
    if aim == SMALL_ONLY:
        aim = "at least 5" if size.startswith("2048") else ""
    return Ratio(what, size, a.median / (share * b.median), aim, a.median, share * b.median, a.noisy or b.noisy)


def _place(device: torch.device) -> dict:
    return {
        "date": datetime.date.today().isoformat(),
        "machine": describe(device),
        "system": f"{platform.system()}, Python {platform.python_version()}",
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
    }


def markdown(found: dict) -> str:
    """The table, with what was measured where in a line above it."""
    lines = [f"{found['date']}, {found['machine']}, {found['system']}, torch {found['torch']}", ""]
    lines += ["| medians, side by side in one run | size | ratio | aim | milliseconds |", "|---|---|---|---|---|"]
    for row in found["rows"]:
        ratio = f"{row['ratio']:.2f}" + " (noisy)" * row["noisy"]
        lines.append(f"| {row['what']} | {row['size']} | {ratio} | {row['aim'] or '–'} | {_pair(row)} |")
    return "\n".join([*lines, *(["", f"Nothing compiled: {found['missing']}."] if found["missing"] else [])])


def _pair(row: dict) -> str:
    return f"{row['first_ms']:.3g} / {row['second_ms']:.3g}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m lessons.support.bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON in place of a table")
    chosen = parser.parse_args(arguments)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    found = measure(device, lambda line: print(line, file=sys.stderr, flush=True))
    print(json.dumps(found, indent=2, ensure_ascii=False) if chosen.json else markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
