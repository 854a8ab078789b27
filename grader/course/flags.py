"""Submissions an instructor should look at: what ended badly, what ran without a wall, what was slow."""

from statistics import median

from grader.notebook.graded import Graded

# With what to think of each. The words are the verdicts' own.
FLAGGED = {
    "tampered": "What came back from the check was not what it writes: look at the code.",
    "died": "Python ended while it ran.",
    "timed out": "It ran longer than it may.",
    "out of memory": "It took more memory than it may.",
    "unreadable": "It could not be read or judged.",
}
NO_SANDBOX = "not sandboxed"
TIMES, SECONDS = 3, 2.0  # slow: so many times the class's median, and so much more


def flagged(graded: list[Graded]) -> list[dict]:
    """student, flag, exercises, why: one entry for each flag of a student, the gravest flags first."""
    found = [
        {"student": one.student, "flag": flag, "exercises": names, "why": why}
        for one in graded
        for flag, names, why in _flags(one)
    ]
    order = [*FLAGGED, NO_SANDBOX]
    return sorted(found, key=lambda entry: (order.index(entry["flag"]), entry["student"]))


def _flags(one: Graded):
    for flag, meaning in FLAGGED.items():
        verdicts = [verdict for verdict in one.verdicts if verdict.status == flag]
        if verdicts:
            first = verdicts[0].checks[0].message if verdicts[0].checks else meaning
            yield flag, [verdict.exercise for verdict in verdicts], first
    if one.sandboxed is False:
        yield NO_SANDBOX, [], "It ran with the rights of whoever graded it."


def seconds(one: Graded) -> float | None:
    """That its cells ran: the submission's own time. (Waiting for a kernel is nobody's.) None if nothing was run."""
    return one.steps.get("run")


def times(graded: list[Graded]) -> list[float]:
    return [took for one in graded if (took := seconds(one)) is not None]


def slow(graded: list[Graded]) -> list[dict]:
    """student, seconds: those far above the class's median, slowest first."""
    if not (all_times := times(graded)):
        return []
    usual = median(all_times)
    found = [
        {"student": one.student, "seconds": round(took, 1)}
        for one in graded
        if (took := seconds(one)) is not None and took > TIMES * usual and took > usual + SECONDS
    ]
    return sorted(found, key=lambda entry: -entry["seconds"])
