"""Writes to a progress file: whole lines or nothing, and on the disk before it returns. The caller holds the lock."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO


def add(path: Path, lines: Sequence[bytes]) -> None:
    """Adds lines. A last line that lacks its end, from a writer that died, stays a line of its own."""
    if not lines:
        return
    with path.open("a+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        torn = size and file.seek(size - 1) >= 0 and file.read(1) != b"\n"
        try:
            _write(file, b"\n" * bool(torn) + b"".join(line + b"\n" for line in lines))
        except OSError:
            file.truncate(size)
            raise


def create(path: Path, data: bytes) -> None:
    """Makes a new file. Leaves none behind when the disk is full."""
    with path.open("xb", buffering=0) as file:
        try:
            _write(file, data)
        except OSError:
            path.unlink()
            raise


def replace(path: Path, lines: Sequence[bytes]) -> None:
    """Puts a file with these lines in the place of `path`, in one step."""
    new = path.with_name(f".{path.name}.new")  # one name is enough: the lock is held
    new.unlink(missing_ok=True)
    create(new, b"".join(line + b"\n" for line in lines))
    shutil.copymode(path, new)
    new.replace(path)


def _write(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
    os.fsync(file.fileno())
