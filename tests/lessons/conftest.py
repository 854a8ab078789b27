"""What several tests of a lesson read, and takes minutes to make."""

import functools
import os
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from filelock import FileLock

from tests.lessons.executed import executed


@pytest.fixture(scope="session")
def solved(tmp_path_factory) -> Callable[[str], nbformat.NotebookNode]:
    """Of a lesson: it with its solutions, executed. Each is run once, whichever process of `pytest -n` asks first."""
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder

    @functools.cache
    def solved(lesson: str) -> nbformat.NotebookNode:
        kept = Path(shared, f"{lesson}.ipynb")
        with FileLock(kept.with_suffix(".lock")):
            if not kept.exists():
                made = executed(lesson, tmp_path_factory.mktemp(lesson))
                nbformat.write(made, kept.with_suffix(".part"))
                kept.with_suffix(".part").replace(kept)
        return nbformat.read(kept, as_version=4)

    return solved
