"""A replay as a person reads it, and as data."""

from grader.course.replay import Replay, Replayed
from grader.judge import Verdict
from grader.table import table

BUSY = "A verdict that hangs on time or memory can depend on how busy the machine is."
HANGS = ("timed out", "out of memory", "died")


def as_text(found: Replay) -> str:
    parts = [_graded(found), table(["exercise", "then", "now", ""], [_row(one) for one in found.exercises])]
    parts += [_difference(one) for one in found.exercises if one.differs]
    parts += [f"{one.exercise}: the same verdict, in other words." for one in found.exercises if one.other_words]
    parts.append("\n".join(found.since or ("Code and versions are those of that time.",)))
    if any(one.differs and {one.then.status, one.now.status} & set(HANGS) for one in found.exercises):
        parts.append(BUSY)
    return "\n\n".join([*parts, "The same verdict." if found.same else "NOT the same verdict."])


def as_json(found: Replay) -> dict:
    exercises = [
        {
            "exercise": one.exercise,
            "same": not one.differs,
            "differs": one.differs,
            "result": one.key,
            "then": one.then.to_json(),
            "now": one.now.to_json(),
        }
        for one in found.exercises
    ]
    facts = {"student": found.student, "lesson": found.lesson, "same": found.same, "exercises": exercises}
    return facts | {"since": list(found.since), "results": found.journal}


def _graded(found: Replay) -> str:
    lines = []
    for key, facts in found.journal.items():
        names = [one.exercise for one in found.exercises if one.key == key]
        seeds = ", ".join(f"{name} {facts['decided_by']['seeds'].get(name)}" for name in names)
        took = f" in {facts['seconds']:.1f} s" if facts["seconds"] else ""
        lines += [f"{found.student}, {found.lesson}: graded {facts['graded']}{took}", f"Seeds: {seeds}"]
        lines += [f"File: {facts['decided_by']['submitted']} (SHA-256)"]
    return "\n".join(lines)


def _row(one: Replayed) -> list[str]:
    return [one.exercise, _short(one.then), _short(one.now), "DIFFERS" if one.differs else "same"]


def _short(verdict: Verdict) -> str:
    mistake = f" ({verdict.mistake})" if verdict.mistake else ""
    return f"{verdict.score}/{verdict.points} {verdict.status}{mistake}"


def _difference(one: Replayed) -> str:
    return f"{one.exercise} differs in {', '.join(one.differs)}.\nThen: {one.then}\nNow: {one.now}"
