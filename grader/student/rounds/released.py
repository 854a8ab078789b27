"""What the released lessons say of an exercise and of further reading.

Read from the student copies that this edition of the course has. They hold no answers.
"""

import ast
import functools
import json
import re
from pathlib import Path

import lessons
from grader.errors import CourseError
from grader.paths import short_name
from grader.probe import Exercise

FOLDER = Path(lessons.__file__).parent
MINUTES = re.compile(r"^[●○]+ · (\d+) minutes", re.MULTILINE)
PAPER = re.compile(r"^\d+\. (.*(?:\n   .*)*)", re.MULTILINE)


def stub(chosen: Exercise) -> str:
    """The exercise's cell as every student first sees it. Raises CourseError where its lesson is not there."""
    return dict(_cells(chosen.lesson))[chosen.id]


def purpose(chosen: Exercise) -> str:
    """What the stub's docstring says the thing does, in its lines."""
    named = (node for node in ast.parse(stub(chosen)).body if getattr(node, "name", None) == chosen.name)
    return "\n".join(line for line in (ast.get_docstring(next(named)) or "").splitlines() if line)


def minutes(chosen: Exercise) -> int | None:
    """How long the lesson says that the exercise takes; None where it does not say."""
    cells = _cells(chosen.lesson)
    before = [text for _, text in cells[: [name for name, _ in cells].index(chosen.id)]]
    (first, *_) = [text for text in reversed(before) if text.startswith("## ")]  # the exercise's own heading
    found = MINUTES.search(first)
    return int(found[1]) if found else None


def given(chosen: Exercise) -> dict[str, object]:
    """The names that the lesson's first cell imports, those that the exercise builds on among them."""
    names: dict[str, object] = {}
    exec(dict(_cells(chosen.lesson))["setup"], names)
    return {name: value for name, value in names.items() if not name.startswith("__")}


def title(lesson: str) -> str:
    """The lesson's heading."""
    return _cells(lesson)[0][1].splitlines()[0].removeprefix("# ")


def papers(lesson: str) -> list[str]:
    """The lesson's sources that can be read on the web, as Markdown, in its own words."""
    sources = next((text for _, text in _cells(lesson) if text.startswith("## Sources")), "")
    return [" ".join(entry.split()) for entry in PAPER.findall(sources) if "https://arxiv.org" in entry]


@functools.cache
def _cells(lesson: str) -> list[tuple[str, str]]:
    """Each cell's id and text."""
    path = FOLDER / lesson / f"{short_name(lesson)}.ipynb"
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except FileNotFoundError:
        raise CourseError(f"The lesson {lesson} is not here: there is no {path}.") from None
    return [(cell["id"], "".join(cell["source"])) for cell in cells]
