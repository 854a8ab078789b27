"""Catches what an implementation writes to stderr, at the level of the file descriptor."""

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator

LIMIT = 2000  # characters kept


@contextlib.contextmanager
def captured_stderr() -> Iterator[list[str]]:
    """Yields a list that holds the text once the block is left.

    Both Python's stream and descriptor 2 are caught: stock nbgrader scores a cell with one line on stderr
    0 points, and a warning from C++ does not pass through sys.stderr.
    """
    text: list[str] = []
    stream = io.StringIO()
    with tempfile.TemporaryFile() as file, _descriptor(file.fileno()), contextlib.redirect_stderr(stream):
        try:
            yield text
        finally:
            file.seek(0)
            text.append((stream.getvalue() + file.read(4 * LIMIT).decode(errors="replace"))[:LIMIT])


@contextlib.contextmanager
def _descriptor(target: int) -> Iterator[None]:
    try:
        sys.stderr.flush()
        saved = os.dup(2)
    except (OSError, ValueError, AttributeError):  # no descriptor 2 in this process (pythonw, some services)
        yield
        return
    os.dup2(target, 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
