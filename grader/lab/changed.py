"""What is new in a lesson's new version, in a sentence: which exercises, checks and parts of the text."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from grader.lab.syllabus import cells_of, grade_id, marks, source

MOST = 6  # named parts; of more there is only the number
NOTHING = "Nothing that you read or run is different."
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_INTRODUCTION = "the introduction"


def what_changed(old: bytes, new: bytes) -> str:
    """One to three sentences about two versions of a notebook; "" where one of them is no notebook."""
    before, after = cells_of(old), cells_of(new)
    if not before or not after:
        return ""
    graded_before, graded_after = _graded(before), _graded(after)
    both = [name for name in graded_after if name in graded_before]
    changed = [_told(name, graded_before[name], graded_after[name]) for name in both]
    changed += _parts(before, after)
    told = (
        ("Changed", list(filter(None, changed))),
        ("New", _exercises(graded_after.keys() - graded_before.keys())),
        ("Gone", _exercises(graded_before.keys() - graded_after.keys())),
    )
    return " ".join(f"{word}: {listed(names)}." for word, names in told if names) or NOTHING


def listed(names: list[str]) -> str:
    """a, b and c."""
    if len(names) > MOST:
        names = [*names[: MOST - 1], f"{len(names) - MOST + 1} more"]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _graded(cells: list[dict]) -> dict[str, dict]:
    """The cells that nbgrader knows, by their names."""
    return {grade_id(cell): cell for cell in cells if grade_id(cell)}


def _told(name: str, old: dict, new: dict) -> str:
    """What is different in a cell that both versions have; "" for nothing."""
    points = marks(old).get("points"), marks(new).get("points")
    scored = f" (now {points[1]:g} points, before {points[0]:g})" if points[0] != points[1] and all(points) else ""
    return _called(name) + scored if scored or source(old) != source(new) else ""


def _called(name: str) -> str:
    if name == "setup":
        return "the set-up cell"
    kind, exercise = ("the check of", name.removeprefix("check_")) if name.startswith("check_") else ("exercise", name)
    return f"{kind} `{exercise}`"


def _exercises(names: Iterable[str]) -> list[str]:
    """Exercises that came or went: an exercise and its check are one."""
    return [f"exercise `{name}`" for name in sorted({name.removeprefix("check_") for name in names} - {"setup"})]


def _parts(before: list[dict], after: list[dict]) -> list[str]:
    """The headings under which text or code is another, in order."""
    old, new = list(_free(before)), list(_free(after))
    matcher = SequenceMatcher(None, [text for _, text in old], [text for _, text in new], autojunk=False)
    found: dict[str, None] = {}
    for kind, i, k, j, m in matcher.get_opcodes():
        if kind != "equal":
            found |= dict.fromkeys(heading for heading, _ in (new[j:m] or old[i:k]))
    return list(found)


def _free(cells: list[dict]) -> Iterable[tuple[str, tuple]]:
    """Each cell that nbgrader does not know, with the heading it stands under. (A code cell's # is a comment.)"""
    here = _INTRODUCTION
    for number, cell in enumerate(cells):
        text = source(cell)
        if cell.get("cell_type") == "markdown" and number and (headings := _HEADING.findall(text)):
            here = f"“{headings[0]}”"
        if not grade_id(cell):
            yield here, (cell.get("cell_type"), text)
