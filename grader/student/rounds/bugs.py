"""The programs of `bugs.yaml`: each has one bug, which is one of its exercise's mistakes."""

import functools
from dataclasses import dataclass
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Bug:
    """A wrong program. `mistake` is the key of what is wrong with it; naming one of `lines`, from 1, finds it."""

    exercise: str
    mistake: str
    lines: tuple[int, ...]
    code: str

    @property
    def numbered(self) -> str:
        """The program with a number before each line."""
        return "\n".join(f"{number:>2}  {line}".rstrip() for number, line in enumerate(self.code.split("\n"), 1))


@functools.cache
def bugs() -> tuple[Bug, ...]:
    """All of them, in the order of the file."""
    entries = yaml.safe_load((FOLDER / "bugs.yaml").read_text(encoding="utf-8"))
    return tuple(Bug(e["exercise"], e["mistake"], tuple(e["lines"]), e["code"].rstrip("\n")) for e in entries)
