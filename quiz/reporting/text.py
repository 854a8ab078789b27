"""A report as plain text."""

from quiz.reporting.words import BY_LESSON, by_lesson, calibrated, heading, missed, percent, remarks


def as_text(report: dict) -> str:
    """Any report, for a terminal."""
    parts = [heading(report), *_BODY[report["kind"]](report)]
    return "\n\n".join(part for part in (*parts, *remarks(report)) if part) + "\n"


def _person(report: dict) -> list[str]:
    missed_now = [f"- {missed(one)}\n  {' '.join(one['prompt'].split())}" for one in report["wrong"]]
    lessons = [(one["lesson"], f"{one['answered']} of {one['questions']}", percent(one)) for one in report["lessons"]]
    sure = [(calibrated(one), str(one["n"]), percent(one)) for one in report["calibration"]]
    return [
        "Not right yet, the surest first:\n" + "\n".join(missed_now) if missed_now else "",
        _table(("how sure", "answers", "right"), sure),
        _table(("lesson", "answered", "right"), lessons),
    ]


def _class(report: dict) -> list[str]:
    return [_question(one) for one in report["questions"]]


def _lessons(report: dict) -> list[str]:
    return [_table(BY_LESSON, [tuple(map(str, row)) for row in by_lesson(report)])]


def _question(one: dict) -> str:
    drew = [f"  {d['n']:>4} {d['id']}: {d['misconception']}" for d in one["distractors"]]
    return "\n".join([f"{one['key']} ({one['difficulty']}): {percent(one)} right of {one['n']}", *drew])


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in (head, *rows))


_BODY = {"person": _person, "class": _class, "lessons": _lessons}
