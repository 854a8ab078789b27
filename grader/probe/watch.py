"""Sees calls of forbidden built-ins while an implementation runs. A teaching rule, not a security wall."""

import functools
import importlib
import itertools
import linecache
import sys
import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import FrameType, MethodWrapperType

import torch
from torch.overrides import TorchFunctionMode

_PACKAGE = str(Path(__file__).parents[1])
# Code that is not the student's: torch, the standard library, installed packages, what a lesson gives.
_LIBRARY = tuple(
    str(Path(path).resolve())
    for path in {
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        str(Path(torch.__file__).parent),
        str(Path(__file__).parents[2] / "lessons" / "support"),
    }
)


_OPERATORS = (torch._ops.OpOverload, torch._ops.OpOverloadPacket)


@functools.lru_cache(1024)
def _is_ours(filename: str) -> bool:
    return filename.startswith(_PACKAGE)


def short(dotted: str) -> str:
    """A dotted name as students write it: `F.rms_norm`, `nn.RMSNorm`, `given_rms_norm`, `Attention`."""
    if dotted.startswith("lessons."):
        return dotted.removesuffix(".forward").rsplit(".", 1)[-1]
    return dotted.replace("torch.nn.functional.", "F.").replace("torch.nn.", "nn.")


@functools.cache
def resolve(dotted: str) -> object:
    """The object a dotted name stands for: the longest importable part, then its attributes."""
    parts = dotted.split(".")
    for split in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[split:]:
            found = getattr(found, attribute)
        return found
    raise ImportError(dotted)


def students_line(frames: Iterable[tuple[str, int]]) -> dict:
    """The innermost line of the student's own code among (file, line) frames, innermost first.

    Frames beyond this package are those of whoever called it: a check cell is not the code under test.
    """
    # The watch itself stands between the student's code and torch at every call.
    frames = (frame for frame in frames if frame[0] != __file__)
    inside = itertools.takewhile(lambda frame: not frame[0].startswith(_PACKAGE), frames)
    for filename, line in inside:
        if not filename.startswith((*_LIBRARY, "<frozen")):
            return {"line": line, "text": linecache.getline(filename, line).strip()}
    return {"line": None, "text": ""}


def traceback_line(error: BaseException) -> dict:
    """The innermost line of the student's own code in an exception's traceback.

    What is raised inside a callable that the probe had built belongs to the student's line that called it.
    """
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    return students_line(frame for frame in reversed(frames) if not frame[0].startswith(_PACKAGE))


class Watch(TorchFunctionMode):
    """Notes each call of a forbidden built-in, with the line of the student's code that makes it.

    A function mode sees `F.rms_norm`, the forward of `nn.RMSNorm` and the aten call; a dispatch mode sees
    none of them, since they are taken apart before dispatch. What a lesson gives (`lessons.support`) is plain
    Python, which no mode sees; but it calls torch, and then its code is on the stack.
    """

    def __init__(self, forbidden: tuple[str, ...]):
        super().__init__()
        self.seen: list[dict] = []
        self._names = {id(resolve(name)): short(name) for name in forbidden}
        # By identity, as the names: a code object's hash is computed anew from all that it holds, at each call here.
        given = [(resolve(name).__code__, short(name)) for name in forbidden if name.startswith("lessons.")]
        self._given = {id(code): (code, name) for code, name in given}  # with the code, so that nothing gets its id
        self._aten = {name.rsplit(".", 1)[-1]: short(name) for name in forbidden}

    def _name(self, func) -> str | None:
        if isinstance(func, torch._ops.OpOverload):
            return self._aten.get(func.__name__.split(".")[0])
        if isinstance(func, torch._ops.OpOverloadPacket):
            return self._aten.get(func.__name__)
        return None

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Called for all that an implementation does: what stands here is the price of a check."""
        name = self._names.get(id(func))
        if name is None and isinstance(func, _OPERATORS):
            name = self._name(func)
        if name is None and self._given and type(func) is not MethodWrapperType:  # x.shape and the like: no work
            name = self._on_the_stack(sys._getframe(1))
        if name is not None:
            frames = ((f.f_code.co_filename, line) for f, line in traceback.walk_stack(sys._getframe(1)))
            self.seen.append({"name": name, **students_line(frames)})
        return func(*args, **kwargs) if kwargs else func(*args)

    def _on_the_stack(self, frame: FrameType | None) -> str | None:
        """The forbidden function of the lesson's own that is at work, if one is."""
        while frame is not None:
            code = frame.f_code
            if id(code) in self._given:
                return self._given[id(code)][1]
            if _is_ours(code.co_filename):
                return None
            frame = frame.f_back
        return None
