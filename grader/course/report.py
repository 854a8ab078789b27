"""What a class did: scores, verdicts in words, and the mistakes it makes."""

import csv
import io
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from grader.course.submissions import NotReadable, read_regular
from grader.errors import CourseError
from grader.judge import Verdict
from grader.notebook.graded import Graded, read_graded
from grader.paths import Course
from grader.table import table


def graded_class(course: Course, lesson: str) -> list[Graded]:
    """Everyone's verdicts, from the autograded notebooks. Raises CourseError if there are none."""
    course.source(lesson)
    paths = sorted(course.autograded.glob(f"*/{lesson}/{lesson[3:]}.ipynb"))
    if not paths:
        raise CourseError(f"Nothing of {lesson} is graded yet: `python -m grader autograde {lesson}` comes first.")
    return [_read(path.parts[-3], path) for path in paths]


def _read(student: str, path: Path) -> Graded:
    try:
        one = read_graded(student, read_regular(path))
    except (NotReadable, ValueError, KeyError, TypeError) as error:
        return Graded(student, problem=f"The autograded notebook cannot be read: {error}")
    if not one.verdicts:
        return Graded(student, problem="The notebook was graded by nbgrader alone, so there are no verdicts.")
    return one


def overview(graded: list[Graded]) -> str:
    """One line a student: points for each exercise, the sum, and what there is to say in words."""
    exercises = list(dict.fromkeys(v.exercise for one in graded for v in one.verdicts))
    head = ["student", *exercises, "points", "verdict"]
    rows = [[one.student, *_points(one, exercises), _sum(one), in_words(one)] for one in graded]
    return table(head, rows, right=[*exercises, "points"])


def _points(one: Graded, exercises: list[str]) -> list[str]:
    found = {verdict.exercise: f"{verdict.score}/{verdict.points}" for verdict in one.verdicts}
    return [found.get(exercise, "") for exercise in exercises]


def _sum(one: Graded) -> str:
    return f"{one.score}/{one.points}" if one.verdicts else ""


def in_words(one: Graded) -> str:
    """What is not all right: "rms_norm wrong (eps outside the root)"; "passed" if all is."""
    if one.problem:
        return one.problem
    return "; ".join(filter(None, (_verdicts_in_words(one), one.note)))


def _verdicts_in_words(one: Graded) -> str:
    groups: dict[tuple[str, str], list[str]] = {}
    for verdict in one.verdicts:
        groups.setdefault((verdict.status, _why(verdict)), []).append(verdict.exercise)
    if len(groups) > 1:
        groups = {what: names for what, names in groups.items() if what[0] != "passed"}
        return "; ".join(_phrase(*what, f"{', '.join(names)} ") for what, names in groups.items())
    return "".join(_phrase(*what, "") for what in groups)


def _phrase(status: str, why: str, names: str) -> str:
    return f"{names}{status}" + (f" ({why.rstrip('.')})" if why else "")


def _why(verdict: Verdict) -> str:
    if verdict.mistake:
        return verdict.mistake
    nothing_to_add = ("passed", "partly", "wrong", "not attempted")
    return "" if verdict.status in nothing_to_add or not verdict.checks else verdict.checks[0].message


def mistakes(graded: Iterable[Graded]) -> list[dict]:
    """The mistakes this class makes, most frequent first: exercise, mistake, hint, students."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for one in graded:
        for verdict in one.verdicts:
            if verdict.mistake:
                found.setdefault((verdict.exercise, verdict.mistake, verdict.hint or ""), []).append(one.student)
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    keys = ("exercise", "mistake", "hint")
    return [dict(zip(keys, what, strict=True)) | {"students": who} for what, who in ordered]


def as_text(lesson: str, graded: list[Graded]) -> str:
    """The report for a terminal."""
    count = Counter(verdict.status for one in graded for verdict in one.verdicts)
    parts = [f"{lesson}: {len(graded)} submissions", overview(graded)]
    found = mistakes(graded)
    if found:
        rows = [[len(m["students"]), m["exercise"], m["mistake"], m["hint"]] for m in found]
        head = ["students", "exercise", "mistake", "hint"]
        parts += ["What this class gets wrong", table(head, rows, right=["students"])]
    parts.append("Verdicts: " + ", ".join(f"{n} {status}" for status, n in count.most_common()))
    return "\n\n".join(parts)


def as_csv(graded: list[Graded]) -> str:
    """One row for each student and exercise."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["student", "exercise", "score", "points", "status", "mistake", "why"])
    for one in graded:
        for v in one.verdicts:
            writer.writerow([one.student, v.exercise, v.score, v.points, v.status, v.mistake or "", _why(v)])
        if one.problem:
            writer.writerow([one.student, "", "", "", "", "", one.problem])
    return text.getvalue()


def as_json(lesson: str, graded: list[Graded]) -> dict:
    return {
        "lesson": lesson,
        "students": [one.to_json() for one in graded],
        "mistakes": mistakes(graded),
    }
