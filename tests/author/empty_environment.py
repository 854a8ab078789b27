"""A student's virtual environment: the wheel, installed by pip, and its dependencies, nothing else."""

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

from packaging.requirements import Requirement


def environment_with(wheel: Path, requirements: list[str], folder: Path) -> Path:
    """The Python of a new virtual environment in which pip has installed the wheel.

    Its dependencies, gigabytes of them, are not fetched again but linked from the environment the tests run in;
    pip still compares every version with what the wheel asks for.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(subprocess.check_output([python, "-c", ask], text=True).strip())
    for name in closure(requirements):
        _link(importlib.metadata.distribution(name), site)
    command = [sys.executable, "-m", "pip", "--python", python, "install", "--no-index", wheel]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return python


def closure(wanted: list[str]) -> set[str]:
    """The names of these requirements and of all that they require here in turn."""
    todo, found = [(Requirement(text), "") for text in wanted], set()
    while todo:
        requirement, extra = todo.pop()
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            name = normal(requirement.name)
            news = {(name, extra) for extra in ("", *requirement.extras)} - found
            found |= news
            needed = importlib.metadata.requires(name) or []
            todo += [(Requirement(text), extra) for _, extra in news for text in needed]
    return {name for name, _ in found}


def normal(name: str) -> str:
    """A distribution's name as package indexes compare them."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _link(distribution: importlib.metadata.Distribution, site: Path) -> None:
    tops = {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}
    for top in tops:
        if not (site / top).exists():
            (site / top).symlink_to(Path(distribution.locate_file(top)).resolve())
