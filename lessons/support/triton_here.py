"""Triton where it is installed; where it is not, a stand-in and one sentence. `triton, tl, no_triton = find_triton()`.

On a GPU Triton compiles. Elsewhere its own interpreter runs a kernel step by step in NumPy: right, and slow. Which of
the two is decided when Triton is imported, by an environment variable: hence it is set here, on import.
"""

import contextlib
import functools
import importlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from types import ModuleType

import torch

# Asks neither CUDA nor its driver: this module is also imported by processes that fork.
HAS_GPU = torch.backends.cuda.is_built() and shutil.which("nvidia-smi") is not None
if not HAS_GPU:
    os.environ.setdefault("TRITON_INTERPRET", "1")
HOW = "on the GPU" if HAS_GPU else "in Triton's interpreter, on the CPU"


class StandIn:
    """In place of a module that is not there: kernels can be written with it, and say why when they are run."""

    def __init__(self, reason: str):
        self._reason = reason

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __getitem__(self, grid):
        raise NotImplementedError(self._reason)


@functools.cache
def find_triton() -> tuple[ModuleType | StandIn, ModuleType | StandIn, str]:
    """(triton, triton.language, ""); or two stand-ins and the reason why there is no Triton."""
    reason = _reason()
    if reason:
        return StandIn(reason), StandIn(reason), reason
    return importlib.import_module("triton"), importlib.import_module("triton.language"), ""


def triton_missing() -> str:
    """Why Triton cannot be used here, or ""."""
    return find_triton()[2]


def triton_device() -> torch.device:
    """Where a kernel's tensors have to lie."""
    return torch.device("cuda" if HAS_GPU else "cpu")


def _reason() -> str:
    if os.environ.get("COURSE_GRADING"):
        return "Triton is not used where notebooks are graded: what needs it is extra and costs nothing."
    if importlib.util.find_spec("triton") is None:
        how = "`pip install triton` brings it" if sys.platform == "linux" else "it exists for Linux only"
        return f"Triton is not installed here ({how}). What needs it is extra: leaving it out costs nothing."
    try:
        language = importlib.import_module("triton.language")
    except (ImportError, OSError, RuntimeError) as error:
        return f"Triton is installed, but cannot be imported ({error}). What needs it is extra and costs nothing."
    if not HAS_GPU and type(language.sum).__name__ != "InterpretedFunction":
        return (
            "Something imported Triton before its interpreter was chosen: restart the kernel and begin with the setup "
            "cell. What needs Triton is extra and costs nothing."
        )
    return ""


@contextlib.contextmanager
def launches() -> Iterator[list[int]]:
    """Counts the kernels that are launched inside, compiled or interpreted: a list of one number."""
    interface = importlib.import_module("triton.runtime.jit").KernelInterface
    plain, count = interface.__getitem__, [0]

    def counting(kernel, grid):
        count[0] += 1
        return plain(kernel, grid)

    interface.__getitem__ = counting
    try:
        yield count
    finally:
        interface.__getitem__ = plain
