"""What a class did: scores, verdicts in words, and the mistakes it makes."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from textwrap import fill

from grader.course.alike import WORDS, Group
from grader.course.flags import flagged, slow, times
from grader.course.late import HEAD, Late
from grader.course.submissions import NotReadable, read_regular
from grader.errors import CourseError
from grader.judge import INSIDE, Verdict
from grader.notebook.graded import Graded, read_graded, together
from grader.notebook.plain import STAMP
from grader.paths import Course
from grader.table import table


def graded_class(course: Course, lesson: str) -> list[Graded]:
    """Everyone's verdicts, from the autograded notebooks. Raises CourseError if there are none."""
    names, found = course.notebooks(lesson), {}
    for name in names:
        for path in sorted(course.autograded.glob(f"*/{lesson}/{name}.ipynb")):
            found.setdefault(path.parts[-3], {})[name] = _read(path.parts[-3], path)
    if not found:
        raise CourseError(f"Nothing of {lesson} is graded yet: `python -m grader autograde {lesson}` comes first.")
    return [together(parts, len(names) > 1) for _, parts in sorted(found.items())]


def _read(student: str, path: Path) -> Graded:
    try:
        content = read_regular(path)
        one = read_graded(student, content)
    except (NotReadable, ValueError, KeyError, TypeError) as error:
        return Graded(student, problem=f"The autograded notebook cannot be read: {error}")
    if not one.verdicts and "result" not in json.loads(content)["metadata"]:
        return Graded(student, problem="The notebook was graded by nbgrader alone, so there are no verdicts.")
    return one


def overview(graded: list[Graded]) -> str:
    """One line a student: points for each exercise, the sum, and what there is to say in words."""
    exercises = exercises_of(graded)
    head = ["student", *exercises, "points", "verdict"]
    rows = [[one.student, *_points(one, exercises), _sum(one), in_words(one)] for one in graded]
    return table(head, rows, right=[*exercises, "points"])


def exercises_of(graded: list[Graded]) -> list[str]:
    """In the lesson's order."""
    return list(dict.fromkeys(verdict.exercise for one in graded for verdict in one.verdicts))


def _points(one: Graded, exercises: list[str]) -> list[str]:
    found = {verdict.exercise: f"{verdict.score:g}/{verdict.points:g}" for verdict in one.verdicts}
    return [found.get(exercise, "") for exercise in exercises]


def _sum(one: Graded) -> str:
    return f"{one.score:g}/{one.points:g}" if one.verdicts else ""


def in_words(one: Graded) -> str:
    """What is not all right: "rms_norm wrong (eps outside the root)"; "passed" if all is."""
    if one.problem:
        return one.problem
    return "; ".join(filter(None, (_verdicts_in_words(one), *_flags(one), _stamp(one), one.note)))


def _flags(one: Graded) -> list[str]:
    """What is odd about the results of plain tests."""
    inside = (verdict for verdict in one.verdicts if verdict.judged == INSIDE)
    return [f"{v.exercise}: {note.rstrip('.')}" for v in inside for note in v.notes if note != STAMP]


def _stamp(one: Graded) -> str:
    """Which scores somebody could have forged."""
    if not one.inside:
        return ""
    return f"judged {INSIDE}" + ("" if len(one.inside) == len(one.verdicts) else f": {', '.join(one.inside)}")


def _verdicts_in_words(one: Graded) -> str:
    if not one.verdicts:
        return "nothing to check: people give the points"
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
    first = verdict.checks[0] if verdict.checks else None
    if first is None or (verdict.status in nothing_to_add and not _closed(verdict)):
        return ""
    return first.message


def _closed(verdict: Verdict) -> bool:
    """Whether a gate failed, such as the one for forbidden functions: nothing behind it was judged."""
    return verdict.status == "wrong" and not verdict.checks[0].passed and not verdict.checks[0].points


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


def as_text(lesson: str, graded: list[Graded], groups: Sequence[Group] = (), late: Sequence[Late] = ()) -> str:
    """The report for a terminal. groups: answers that are alike. late: who was late, or has more time."""
    count = Counter(verdict.status for one in graded for verdict in one.verdicts)
    parts = [f"{lesson}: {len(graded)} submissions", overview(graded)]
    found = mistakes(graded)
    if found:
        rows = [[len(m["students"]), m["exercise"], m["mistake"], m["hint"]] for m in found]
        head = ["students", "exercise", "mistake", "hint"]
        parts += ["What this class gets wrong", table(head, rows, right=["students"])]
    if inside := list(dict.fromkeys(name for one in graded for name in one.inside)):
        parts.append(f"Judged {INSIDE}, where code of the notebook can change the result: {', '.join(inside)}")
    parts += _to_look_at(graded, groups)
    if late:
        parts += ["Late, or with an extension", table(HEAD, [one.row() for one in late], right=["penalty"])]
    if count:
        parts.append("Verdicts: " + ", ".join(f"{n} {status}" for status, n in count.most_common()))
    return "\n\n".join(parts)


def _to_look_at(graded: list[Graded], groups: Sequence[Group]) -> Iterator[str]:
    if found := flagged(graded):
        rows = [[entry["student"], entry["flag"], ", ".join(entry["exercises"]), entry["why"]] for entry in found]
        yield "Flagged"
        yield table(["student", "flag", "exercises", "why"], rows)
    if found := slow(graded):
        rows = [[entry["student"], f"{entry['seconds']:.1f}"] for entry in found]
        yield f"Slow (half of the submissions ran for {median(times(graded)):.1f} s or less)"
        yield table(["student", "seconds"], rows, right=["seconds"])
    if groups:
        rows = [[g.exercise, ", ".join(g.students), g.verdict, g.lines, "yes" if g.own else ""] for g in groups]
        yield f"Answers that are alike\n\n{fill(WORDS, 118)}"
        yield table(["exercise", "students", "verdict", "lines", "the course's own"], rows, right=["lines"])


def as_csv(graded: list[Graded]) -> str:
    """One row for each student and exercise."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["student", "exercise", "score", "points", "status", "mistake", "why", "judged"])
    for one in graded:
        for v in one.verdicts:
            facts = [v.exercise, v.score, v.points, v.status, v.mistake or "", _why(v), v.judged]
            writer.writerow([one.student, *facts])
        if one.problem:
            writer.writerow([one.student, "", "", "", "", "", one.problem, ""])
    return text.getvalue()


def as_json(lesson: str, graded: list[Graded], groups: Sequence[Group] = (), late: Sequence[Late] = ()) -> dict:
    return {
        "lesson": lesson,
        "students": [one.to_json() for one in graded],
        "mistakes": mistakes(graded),
        "flagged": flagged(graded),
        "slow": slow(graded),
        "alike": [group.to_json() for group in groups],
        "late": [one.to_json() for one in late],
    }
