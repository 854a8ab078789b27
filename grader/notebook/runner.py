"""Executing a rebuilt notebook, behind one small interface, so that another kind of kernel can take over."""

from dataclasses import dataclass
from typing import Protocol


class CannotRun(Exception):
    """This machine could not run the notebook. Nobody's fault but the machine's: never a verdict."""


@dataclass(frozen=True)
class Limits:
    """What one notebook may use.

    cell_seconds      then the cell is interrupted, and the next one runs
    notebook_seconds  then the kernel and all its children are killed
    startup_seconds   for a kernel to answer at all, and then for the lesson's setup cell
    output_bytes      of each cell's outputs that are kept
    total_bytes       of all cells' outputs that are kept
    record_bytes      of the largest message that is taken from a kernel; a probe's record is one
    """

    cell_seconds: float = 30.0
    notebook_seconds: float = 120.0
    startup_seconds: float = 60.0
    output_bytes: int = 2**20
    total_bytes: int = 16 * 2**20
    record_bytes: int = 33 * 2**20


class Runner(Protocol):
    """Something that executes a notebook. What the code does is in the result; only CannotRun is raised."""

    def run(self, notebook: bytes, limits: Limits) -> bytes:
        """The notebook with outputs, and `metadata.run`: `status` ("finished", "stopped", "died", "memory",
        "processes" or "garbled"), `cell` (id of the one running then), `seconds` for the cells,
        `kernel_seconds` before them, `sandboxed`."""
        ...


def execute(notebook: bytes, limits: Limits | None = None, runner: Runner | None = None) -> bytes:
    """Runs all cells in order in a kernel of their own: behind the wall, if no other runner is given.

    Raises CannotRun if no kernel can be had.
    """
    # Imported here: rebuilding and judging need no Jupyter.
    if runner is None:
        from grader.notebook.walled import WalledKernel

        runner = WalledKernel()
    return runner.run(notebook, limits or Limits())
