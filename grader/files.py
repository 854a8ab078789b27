"""Write a file whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes, mode: int = 0o644) -> bool:
    """Make `path` hold `content`; whether that changed anything. Raises OSError, and then all is as it was.

    A reader never sees half a file, or another mode than a new file's `mode`.
    """
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, because only a rename within one file system is atomic.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        temporary.chmod(mode)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return True


def sweep_parts(folder: Path) -> None:
    """Removes what a process that was killed in the midst of `write_atomically` has left in a folder."""
    for path in folder.rglob(".*.part"):
        path.unlink(missing_ok=True)
