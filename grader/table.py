"""Plain tables for a terminal."""

from collections.abc import Sequence

LONGEST = 60


def table(head: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[str] = ()) -> str:
    """Columns as wide as their contents, two spaces between; those named in `right` are aligned there."""
    lines = [list(head), *([str(value) for value in row] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    # A sentence at the end may be longer than a terminal is wide: the line under the head need not be.
    lines.insert(1, [*("-" * width for width in widths[:-1]), "-" * min(widths[-1], LONGEST)])
    aligned = [name in right for name in head]
    return "\n".join(_line(line, widths, aligned) for line in lines)


def _line(line: Sequence[str], widths: Sequence[int], aligned: Sequence[bool]) -> str:
    cells = [
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(line, widths, aligned, strict=True)
    ]
    return "  ".join(cells).rstrip()
