"""The report as a page: one file, no script, for light and dark, by keyboard and for screen readers."""

import base64
from collections import Counter
from collections.abc import Sequence
from html import escape
from statistics import mean, median

from grader.course import plots
from grader.course.alike import WORDS, Group
from grader.course.flags import flagged, slow, times
from grader.course.late import HEAD, Late
from grader.course.page_parts import document, link_list, paragraph, section, table
from grader.course.plots import Plot
from grader.course.report import exercises_of, in_words, mistakes
from grader.judge import STATUSES
from grader.notebook.graded import Graded

NAMES = 12  # students in a cell
SECTIONS = {
    "wrong": "What this class gets wrong",
    "scores": "Scores",
    "look": "To look at",
    "late": "Lateness",
    "everyone": "Everyone",
}


def page(lesson: str, graded: list[Graded], groups: list[Group], late: Sequence[Late] = ()) -> str:
    """The whole page. Whatever students wrote is text in it."""
    bodies = (_wrong(graded), _scores(graded), _look(graded, groups), _late(late), _everyone(graded))
    parts = [_summary(graded), link_list(SECTIONS)]
    parts += [section(key, SECTIONS[key], body) for key, body in zip(SECTIONS, bodies, strict=True)]
    return document(f"{lesson}: what this class did", "\n".join(parts))


def _summary(graded: list[Graded]) -> str:
    judged = [one for one in graded if one.verdicts]
    said = f"{len(graded)} submissions"
    if judged:
        points = max(one.points for one in judged)
        said += f". Of {points} points: mean {mean(one.score for one in judged):.1f}, "
        said += f"median {median(one.score for one in judged):g}"
    if without := sum(bool(one.problem) and not one.verdicts for one in graded):
        said += f". Without a verdict: {without}"
    return paragraph(f"{said}. Points of written answers, which people give, are not in here.")


def _wrong(graded: list[Graded]) -> str:
    found = mistakes(graded)
    if not found:
        return paragraph("No known mistake was found.")
    rows = [[m["mistake"], m["exercise"], len(m["students"]), m["hint"], _names(m["students"])] for m in found]
    head = ["mistake", "exercise", "students", "hint", "who"]
    return _picture(plots.frequent(found)) + table("Mistakes, the most frequent first", head, rows, numbers=[2])


def _scores(graded: list[Graded]) -> str:
    given = {verdict.status for one in graded for verdict in one.verdicts}
    rows, statuses = [], [status for status in STATUSES if status in given]
    for name in exercises_of(graded):
        found = [v for one in graded for v in one.verdicts if v.exercise == name]
        count = Counter(v.status for v in found)
        average = f"{mean(v.score for v in found):.1f} of {max(v.points for v in found)}"
        rows.append([name, average, *(count[status] for status in statuses)])
    head = ["exercise", "mean points", *statuses]
    shown = table("Verdicts by exercise", head, rows, numbers=range(1, len(head)))
    return _picture(plots.scores(graded)) + shown


def _look(graded: list[Graded], groups: list[Group]) -> str:
    parts = ["<h3>Flagged</h3>", _flagged(graded), "<h3>Time</h3>", _picture(plots.durations(graded)), _slow(graded)]
    return "\n".join([*parts, "<h3>Answers that are alike</h3>", paragraph(WORDS), _alike(groups)])


def _flagged(graded: list[Graded]) -> str:
    rows = [[e["student"], e["flag"], ", ".join(e["exercises"]), e["why"]] for e in flagged(graded)]
    if not rows:
        return paragraph("None was tampered with, died, or ran out of time or memory, and all ran in the sandbox.")
    return table("Flagged submissions", ["student", "flag", "exercises", "why"], rows)


def _slow(graded: list[Graded]) -> str:
    rows = [[e["student"], f"{e['seconds']:.1f}"] for e in slow(graded)]
    if not rows:
        return paragraph("None was far slower than the others." if times(graded) else "Nothing was run.")
    return table("Slow submissions", ["student", "seconds"], rows, numbers=[1])


def _alike(groups: list[Group]) -> str:
    rows = [[g.exercise, _names(g.students), g.verdict, g.lines, "yes" if g.own else "no"] for g in groups]
    head = ["exercise", "students", "verdict", "lines", "the course's own answer"]
    return table("Groups, the longest answers first", head, rows, numbers=[3]) if rows else paragraph("There are none.")


def _late(late: Sequence[Late]) -> str:
    if not late:
        return paragraph("Nobody was late, and nobody has an extension.")
    rows = [one.row() for one in late]
    return table("Late, or with an extension; the penalty is in points", HEAD, rows, numbers=[len(HEAD) - 1])


def _everyone(graded: list[Graded]) -> str:
    names, rows = exercises_of(graded), []
    for one in graded:
        scores = {v.exercise: f"{v.score}/{v.points}" for v in one.verdicts}
        total = f"{one.score}/{one.points}" if one.verdicts else ""
        rows.append([one.student, *(scores.get(name, "") for name in names), total, in_words(one)])
    head = ["student", *names, "points", "verdict"]
    return table("Points and verdicts", head, rows, numbers=range(1, len(names) + 2))


def _names(students: list[str] | tuple[str, ...]) -> str:
    more = len(students) - NAMES
    return ", ".join(students[:NAMES]) + (f" and {more} more" if more > 0 else "")


def _picture(plot: Plot | None) -> str:
    if plot is None:
        return ""
    light, dark = (f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}" for svg in (plot.light, plot.dark))
    source = f'<source srcset="{dark}" media="(prefers-color-scheme: dark)">'
    return f'<picture>{source}<img src="{light}" alt="{escape(plot.alt)}" width="760"></picture>\n'
