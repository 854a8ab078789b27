"""Which submitted cell is which cell of the frame."""

from bisect import bisect_left
from collections.abc import Callable

from grader.notebook.frame import grade_id, is_locked
from grader.notebook.reading import Cell


def match(frame: list[dict], cells: list[Cell]) -> dict[int, int]:
    """For each position in the frame that is found, the position of its cell among the submitted ones.

    By nbgrader's grade_id; else by equal source (copies saved by old tools have no cell ids); else by the
    cell's id, which is the same in every copy and survives saving. An id that says one thing and a source
    that says another are those of a lesson that got a new cell after it was released.
    """
    found: dict[int, int] = {}
    _pair(frame, cells, found, grade_id, lambda cell: cell.grade_id)
    _pair(frame, cells, found, _id_and_source, lambda cell: (cell.cell_id, cell.kind, cell.source))
    _pair(frame, cells, found, _kind_and_source, lambda cell: (cell.kind, cell.source), first=True)
    _pair(frame, cells, found, lambda cell: cell.get("id"), lambda cell: cell.cell_id)
    return found


def _pair(
    frame: list[dict],
    cells: list[Cell],
    found: dict[int, int],
    frame_key: Callable[[dict], object],
    key: Callable[[Cell], object],
    first: bool = False,
) -> None:
    """Adds to `found` the frame's cells that are still missing and have a counterpart with the same key."""
    taken = set(found.values())
    candidates: dict[object, list[int]] = {}
    for index, cell in enumerate(cells):
        if index not in taken:
            candidates.setdefault(key(cell), []).append(index)
    for position, cell in enumerate(frame):
        wanted = frame_key(cell)
        if position not in found and wanted is not None and (several := candidates.get(wanted)):
            found[position] = several[0] if first else _best(cell, cells, several)
            several.remove(found[position])


def _best(cell: dict, cells: list[Cell], several: list[int]) -> int:
    """The last of several wins; of a locked cell the first that is still as released, so that a copy which
    the student turned into something else is not taken for it."""
    if is_locked(cell):
        return next((index for index in several if cells[index].source == cell["source"]), several[-1])
    return several[-1]


def _id_and_source(cell: dict) -> object:
    return cell.get("id"), cell["cell_type"], cell["source"]


def _kind_and_source(cell: dict) -> object:
    return (cell["cell_type"], cell["source"]) if cell["source"].strip() else None


def unmoved(found: dict[int, int]) -> dict[int, int]:
    """Submitted position -> frame position, for the largest set of cells that still are in the frame's order.

    What a student added stands relative to these; a cell that was moved says nothing about its neighbours.
    """
    by_place = sorted((place, position) for position, place in found.items())
    ends: list[int] = []  # smallest last position of an increasing chain of each length
    length_at = []
    for _, position in by_place:
        length = bisect_left(ends, position)
        ends[length : length + 1] = [position]
        length_at.append(length)
    chain, wanted, before = {}, len(ends) - 1, float("inf")
    for (place, position), length in zip(reversed(by_place), reversed(length_at), strict=True):
        if length == wanted and position < before:
            chain[place] = before = position
            wanted -= 1
    return chain
