"""The points of an exercise stand with its checks; a lesson's cells and its text get theirs from there."""

import json
import re

from grader.author.cells import CHECK
from grader.exercises import of_lesson
from grader.files import write_atomically
from grader.paths import Course

MARKER = re.compile(r"^(# %%[^\n]*?nbgrader=)(\{[^\n]*\})", re.MULTILINE)
# Where the text says points: under an exercise's heading, in the table at the top, and in the line above that.
HEADING = re.compile(
    r"^(?P<head># ## Exercise (?P<number>\d+):[^\n]*\n(?:#\n)*# [●○]{3} · [^\n]* · )\d+ points?$", re.MULTILINE
)
ROW = r"^(# \| Exercise %s:[^\n]*\| )\d+( \|)$"
SUM = re.compile(r"^(# \*\*[^\n]* · )\d+( points, and )", re.MULTILINE)


def take_points(course: Course, lesson: str) -> list[str]:
    """Writes the exercises' points into the .py, into its check cells and its text; what changed, in sentences."""
    points = {CHECK + exercise.id: exercise.points for exercise in of_lesson(lesson) if not exercise.extra}
    path, said = course.source(lesson), []

    def marker(found: re.Match) -> str:
        meta = json.loads(found[2])
        name = meta.get("grade_id")
        if not meta.get("grade") or name not in points or meta.get("points") == points[name]:
            return found[0]
        said.append(f"{name}: {points[name]} points, it had {meta.get('points')}")
        return found[1] + json.dumps(meta | {"points": points[name]})

    text = MARKER.sub(marker, path.read_text(encoding="utf-8"))
    if (followed := _text_follows(text, points)) != text:
        said.append("the points in its text follow")
    write_atomically(path, followed.encode())
    return said


def _text_follows(text: str, points: dict[str, int]) -> str:
    """Where the text says points in the words that the course's lessons use. Other words are left alone."""
    cells = MARKER.finditer(text)
    checks = [(cell.start(), json.loads(cell[2]).get("grade_id")) for cell in cells]

    def heading(found: re.Match) -> str:
        name = next((name for start, name in checks if start > found.end() and name in points), None)
        if name is None:
            return found[0]
        worth[found["number"]] = points[name]
        return f"{found['head']}{points[name]} point{'s' if points[name] != 1 else ''}"

    worth: dict[str, int] = {}
    text = HEADING.sub(heading, text)
    for number, value in worth.items():
        text = re.sub(ROW % number, rf"\g<1>{value}\g<2>", text, flags=re.MULTILINE)
    return SUM.sub(rf"\g<1>{sum(points.values())}\g<2>", text, count=1)
