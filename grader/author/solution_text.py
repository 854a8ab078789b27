"""A lesson's solution, as the lines that give it away, and where those lines can be read.

The one definition of "solution text": tests search releases, the student wheel and feedback with it.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbformat import NotebookNode

from grader.author.source import read_source
from grader.paths import Course

BEGIN, END = "BEGIN SOLUTION", "END SOLUTION"
# Shorter lines (`else:`, `return out`) stand in any program, so finding them proves nothing.
SHORTEST = 12
# Nor does a line without a single operation: `self.eps = eps`, `return grad_x, grad_weight`, `import math`,
# `super().__init__()`, a signature. They are what every answer must look like, right or wrong.
TRIVIAL = re.compile(r"@?[\w.,:= ]+|super\(.*\)\.__init__\(\)|(def|class) .*:")


def solution_lines(course: Course, lesson: str) -> list[str]:
    """The telling lines of a lesson's solution regions, stripped, each once, in order.

    Left out: lines under 12 characters and lines without any operation (see TRIVIAL), because they stand
    in innocent code too. Comments inside a region count: they explain the answer.
    """
    return lines_of(read_source(course.source(lesson)))


def lines_of(notebook: NotebookNode) -> list[str]:
    """The same, of a source notebook."""
    lines = [line for cell in notebook.cells for line in solution_of(cell) if tells(line, cell.cell_type)]
    return list(dict.fromkeys(lines))


def solution_of(cell: NotebookNode) -> Iterator[str]:
    """The stripped lines of a cell that nbgrader takes out: its regions, or all of an answer without one."""
    if not cell.metadata.get("nbgrader", {}).get("solution"):
        return
    lines = [line.strip() for line in cell.source.split("\n")]
    inside = whole = not any(BEGIN in line for line in lines)
    for line in lines:
        if BEGIN in line or END in line:
            inside = BEGIN in line
        elif inside or whole:
            yield line


def tells(line: str, cell_type: str) -> bool:
    """Whether finding the line somewhere means that the solution leaked. (Prose has no operations.)"""
    return len(line) >= SHORTEST and (cell_type != "code" or TRIVIAL.fullmatch(line) is None)


def found_in(lines: Iterable[str], text: str) -> list[str]:
    """Those of `lines` that `text` contains, however it is spaced."""
    squeezed = _squeeze(text)
    return [line for line in lines if _squeeze(line) in squeezed]


def found_in_folder(lines: Iterable[str], folder: Path) -> list[tuple[Path, str]]:
    """Every (file, line) below `folder` where a line can be read; see `readable_text`."""
    lines = list(lines)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [(path, line) for path in files for line in found_in(lines, readable_text(path))]


def readable_text(path: Path) -> str:
    """What a person can read in a file of any kind: its bytes as text, and JSON and HTML undone as well."""
    text = path.read_bytes().decode("utf-8", errors="replace")
    if path.suffix in {".ipynb", ".json"}:
        return "\n".join([text, *_strings(_json(text))])
    if path.suffix in {".html", ".htm"}:
        # Highlighting puts tags between the words of a line.
        return text + "\n" + html.unescape(re.sub(r"<[^>]*>", "", text))
    return text


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if value.lstrip().startswith("<"):
            yield html.unescape(re.sub(r"<[^>]*>", "", value))
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _squeeze(text: str) -> str:
    return "".join(text.split())
