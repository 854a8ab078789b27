"""The points of an exercise stand with its checks; a lesson's cells get theirs from there."""

import json
import re

from grader.author.cells import CHECK
from grader.exercises import of_lesson
from grader.files import write_atomically
from grader.paths import Course

MARKER = re.compile(r"^(# %%[^\n]*?nbgrader=)(\{[^\n]*\})", re.MULTILINE)


def take_points(course: Course, lesson: str) -> list[str]:
    """Writes the exercises' points into the check cells of the .py; what changed, in sentences."""
    points = {CHECK + exercise.id: exercise.points for exercise in of_lesson(lesson)}
    path, said = course.source(lesson), []

    def marker(found: re.Match) -> str:
        meta = json.loads(found[2])
        name = meta.get("grade_id")
        if not meta.get("grade") or name not in points or meta.get("points") == points[name]:
            return found[0]
        said.append(f"{name}: {points[name]} points, it had {meta.get('points')}")
        return found[1] + json.dumps(meta | {"points": points[name]})

    text = MARKER.sub(marker, path.read_text(encoding="utf-8"))
    write_atomically(path, text.encode())
    return said
