"""Follows a plain file: says when it was saved with another content. Plain looking, so that any disk will do."""

import importlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path

PAUSE = 0.3  # seconds between two looks


def saves(path: Path, pause: float = PAUSE) -> Iterator[bool]:
    """Yields each time that the file is another than before, at once for the first time: whether it is there.

    Ends never. A save is waited for until the file stays as it is from one look to the next: an editor may write
    it in pieces, or put a new one in its place.
    """
    told, before = object(), content(path)
    while True:
        time.sleep(pause if told is not None or before is not None else 0)
        now = content(path)
        if now == before != told:
            told = now
            yield now is not None
        before = now


def content(path: Path) -> bytes | None:
    """The file's bytes; None where it cannot be read: it is not there, or is being replaced now."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def forget_neighbours(folder: Path) -> None:
    """Modules from the file's folder are imported anew the next time, so that their changes count, too."""
    folder = folder.resolve()
    importlib.invalidate_caches()
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None)
        if origin and Path(origin).resolve().parent == folder:
            del sys.modules[name]
