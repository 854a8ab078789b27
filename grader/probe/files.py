"""Puts an assignment's files where its notebook runs. They come with the notebook, to whatever machine runs it."""

import base64
from pathlib import Path


def put(files: dict[str, str]) -> None:
    """files: path below the working directory -> content, base64. Raises OSError if one cannot be written."""
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))
