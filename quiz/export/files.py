"""Files: written whole or not at all, and archives that are the same when made again."""

import contextlib
import importlib
import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from quiz.errors import QuizError

NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can name


def write(path: Path, data: bytes) -> None:
    """Writes a file, its folder too if need be; an older one stays until the new one is whole.

    Raises QuizError when that fails.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise QuizError(f"{path} cannot be written: {error.strerror or error}. Name another with --out.") from None


def zipped(members: Mapping[str, bytes]) -> bytes:
    """A zip archive of the members, in their order, without the time of making."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, NO_TIME), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def optional(name: str) -> ModuleType:
    """A module of a package that only exports need. Raises QuizError with the command that installs it."""
    package = name.partition(".")[0]
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or package
        raise QuizError(
            f"This export needs the package {package}, and {missing} is not installed: python -m pip install {package}"
        ) from None
