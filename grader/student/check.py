"""`check("rms_norm")`: runs what the student has defined and says what was found."""

import hashlib
from collections import Counter
from collections.abc import Mapping

from grader.errors import CourseError
from grader.exercises import exercise
from grader.judge import CheckResult, Verdict, forbidden_in_source, judge, unjudged
from grader.probe import run
from grader.student import log
from grader.student.find import student_namespace
from grader.student.source import defining_text

PUBLIC_SEED = 0
HELD_OUT = "held-out"
attempts: Counter[str] = Counter()  # exercise id -> checks of something that was attempted, in this session


def check(exercise_id: str, seed: int | str = PUBLIC_SEED, namespace: Mapping[str, object] | None = None) -> Verdict:
    """Checks an exercise of this notebook.

    exercise_id  as the lesson writes it, "rms_norm"
    seed         which inputs are drawn; "held-out" are those of the hidden tests
    namespace    where to look for the object; default: the notebook

    Returns a verdict: shown as a card in a notebook, as its points where a number is wanted. Never raises for
    what a student wrote. In a student's own notebook the verdict is remembered, for the start page.
    """
    try:
        verdict = _check(exercise_id, seed, student_namespace() if namespace is None else namespace)
        if namespace is None and seed != HELD_OUT and log.in_own_notebook():
            log.remember(verdict)
        return verdict
    except CourseError as error:
        result = CheckResult("check", False, 0, 0, str(error))
        return Verdict(str(exercise_id), 0, 0, "not attempted", (result,))


def _check(exercise_id: str, seed: int | str, names: Mapping[str, object]) -> Verdict:
    chosen = exercise(exercise_id)
    if reason := chosen.missing():
        raise CourseError(reason)
    if chosen.name not in names:
        message = f"`{chosen.name}` is not defined here. Run the cell that defines it, then this one again."
        return unjudged(chosen.id, "not attempted", message)
    number = _held_out(chosen.id) if seed == HELD_OUT else int(seed)
    record = run(chosen, names[chosen.name], number)
    # The run sees calls through helpers, the text sees what no case reaches; a finding with a line says more.
    found = record.forbidden + forbidden_in_source(chosen.id, defining_text(names[chosen.name]))
    record.forbidden = sorted(found, key=lambda call: call["line"] is None)
    verdict = judge(chosen.id, record, number)
    attempts[chosen.id] += verdict.status != "not attempted"
    return verdict


def _held_out(exercise_id: str) -> int:
    """Inputs that differ from those a student sees, and are the same for everyone. Not a secret."""
    return int.from_bytes(hashlib.sha256(f"{HELD_OUT} {exercise_id}".encode()).digest()[:3], "big")
