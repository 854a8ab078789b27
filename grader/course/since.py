"""What is not as it was when a verdict was given, in sentences."""

import json
from collections.abc import Iterator
from pathlib import Path

from grader.course.assignment import frame_of
from grader.course.job import code_list, versions
from grader.course.kept import Kept, content_name
from grader.course.submissions import NotReadable, read_regular
from grader.errors import CourseError
from grader.paths import Course

SHOWN = 8  # files in a sentence


def since(course: Course, lesson: str, name: str, student: str, facts: dict, kept: Kept, walled: bool) -> Iterator[str]:
    """name: of the notebook. facts: those of `Job.facts`. walled: whether it runs behind the wall now."""
    yield from _code(json.loads(kept.get(facts["code"])), json.loads(code_list()))
    yield from _versions(facts["versions"], versions())
    if facts["walled"] != walled:
        yield f"Then the notebook ran {_wall(facts['walled'])}, now {_wall(walled)}."
    if _frame(course, lesson, name) != facts["frame"]:
        yield "The lesson was released anew since: this is about the notebook as it was released then."
    if (
        facts["problem"] is None
        and _content(course.submitted / student / lesson / f"{name}.ipynb") != facts["submitted"]
    ):
        yield "The file in submitted/ is another one now: this is about the one that was graded."


def _frame(course: Course, lesson: str, name: str) -> str | None:
    try:
        return content_name(frame_of(course, lesson, name))
    except CourseError:
        return None


def _code(then: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    changed = sorted(path for path in then.keys() | now.keys() if then.get(path) != now.get(path))
    if changed:
        more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
        yield f"Code that decides verdicts has changed since: {', '.join(changed[:SHOWN])}{more}."


def _versions(then: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    names = [name for name in sorted(then.keys() | now.keys()) if then.get(name) != now.get(name)]
    if names:
        said = (f"{name} {then.get(name, 'none')}, now {now.get(name, 'none')}" for name in names)
        yield f"Versions have changed since: {'; '.join(said)}."


def _wall(walled: bool) -> str:
    return "behind the wall" if walled else "without a sandbox"


def _content(path: Path) -> str | None:
    try:
        return content_name(read_regular(path))
    except NotReadable:
        return None
