"""What an attack is, and the ways to put one into a notebook."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from grader.answers import of
from grader.course.report import in_words
from grader.exercises import of_lesson
from grader.notebook.graded import Graded

LESSON = "03_rms_norm"
NAME = "rms_norm.ipynb"
POINTS = {exercise.id: exercise.points for exercise in of_lesson(LESSON)}
ALL = sum(POINTS.values())
REST = ALL - POINTS["rms_norm"]
RIGHT = {name: of(name).source(of(name).reference) for name in POINTS}
WRONG = {
    "rms_norm": "def rms_norm(x, weight, eps):\n    return x + weight",
    "rms_norm_module": "class RMSNorm(nn.Module):\n    def __init__(self, dim, eps=1e-6):\n        super().__init__()\n"
    "        self.weight = nn.Parameter(torch.zeros(dim))\n\n    def forward(self, x):\n        return x - self.weight",
    "rms_norm_backward": "def rms_norm_backward(grad_out, x, weight, eps):\n    return x * 2, weight * 2",
}


@dataclass(frozen=True)
class Target:
    """What an attacker knows: the released notebook, where the course lies, a port that somebody listens on."""

    release: bytes = field(repr=False)
    course: Path = Path("/nowhere")
    port: int = 9

    def cells(self, **sources: str) -> list[dict]:
        """The released cells with these sources by grade_id."""
        cells = json.loads(self.release)["cells"]
        for cell in cells:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id")
            cell["source"] = sources.get(name, "".join(cell["source"]))
        return cells

    def notebook(self, cells: list[dict], **changed) -> bytes:
        """As a student's file. changed: of the notebook itself, beside the cells."""
        return json.dumps(json.loads(self.release) | {"cells": cells} | changed).encode()


Notebook = Callable[[Target], bytes]


@dataclass(frozen=True)
class Attack:
    """One student's submission.

    name      the student's id
    does      what it tries, in a few words
    notebook  makes the file; or `lay` fills the student's folder, where it is more than the one file
    earned    points that the work in it is worth
    says      words that the instructor must read in the verdict
    or_says   of these at least one, where it depends on the machine's speed what happens first
    stock     whether stock nbgrader can be given it without harm to the machine
    slow      it takes until a deadline
    """

    name: str
    does: str
    notebook: Notebook | None
    earned: int = 0
    says: tuple[str, ...] = ()
    stock: bool = False
    slow: bool = False
    lay: Callable[[Path, Target], None] | None = None
    or_says: tuple[str, ...] = ()

    def as_it_should(self, graded: Graded) -> bool:
        """Whether it got the points that it earned, and the instructor reads the right words."""
        return graded.problem is None and graded.score == self.earned and self.is_told(in_words(graded))

    def is_told(self, said: str) -> bool:
        """Whether the instructor reads the right words."""
        one = not self.or_says or any(words in said for words in self.or_says)
        return one and all(words in said for words in self.says)

    def hand_in(self, folder: Path, target: Target) -> None:
        """Into the student's folder of the lesson, which is there."""
        if self.notebook is not None:
            (folder / NAME).write_bytes(self.notebook(target))
        if self.lay is not None:
            self.lay(folder, target)


def place(cells: list[dict], grade_id: str) -> int:
    return next(i for i, c in enumerate(cells) if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def plain(source: str, number: int = 0) -> dict:
    cell = {"cell_type": "code", "metadata": {}, "source": source, "id": f"mine-{number}"}
    return cell | {"outputs": [], "execution_count": None}


def beside(source: str, **solutions: str) -> Notebook:
    """All right, with this source in a cell of its own before the first exercise. solutions: other ones."""

    def made(target: Target) -> bytes:
        cells = target.cells(**{**RIGHT, **solutions})
        cells.insert(place(cells, "rms_norm"), plain(source.strip()))
        return target.notebook(cells)

    return made


def cheating(source: str, **solutions: str) -> Notebook:
    """Nothing right, and this source in a cell before the first exercise."""
    return beside(source, **{**WRONG, **solutions})


def solving(source: str) -> Notebook:
    """This source in the first exercise's cell, the others right."""
    return lambda target: target.notebook(target.cells(**{**RIGHT, "rms_norm": source.strip()}))


def inside(body: str) -> Notebook:
    """This as the body of the first exercise's function, the others right."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return solving(f"def rms_norm(x, weight, eps):\n{lines}")
