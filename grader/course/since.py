"""What is not as it was when a verdict was given, in sentences."""

import json
from collections.abc import Iterator
from pathlib import Path

from grader.course.job import code_list, versions
from grader.course.kept import Kept, content_name
from grader.course.submissions import NotReadable, read_regular
from grader.paths import Course

SHOWN = 8  # files in a sentence


def since(course: Course, lesson: str, student: str, facts: dict, kept: Kept, walled: bool) -> Iterator[str]:
    """facts: those of `Job.facts`. walled: whether it runs behind the wall now."""
    yield from _code(json.loads(kept.get(facts["code"])), json.loads(code_list()))
    yield from _versions(facts["versions"], versions())
    if facts["walled"] != walled:
        yield f"Then the notebook ran {_wall(facts['walled'])}, now {_wall(walled)}."
    file = f"{course.notebooks(lesson)[0]}.ipynb"
    # A plain test's frame has its hidden tests, too, and is no file.
    if course.source(lesson).suffix == ".py" and _content(course.lessons / lesson / file) != facts["frame"]:
        yield "The lesson was released anew since: this is about the notebook as it was released then."
    handed_in = course.submitted / student / lesson / file
    if facts["problem"] is None and _content(handed_in) != facts["submitted"]:
        yield "The file in submitted/ is another one now: this is about the one that was graded."


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
