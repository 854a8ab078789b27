"""The notebook a person reads: verdicts in place of probe calls, the student's work as it was."""

from collections.abc import Callable
from dataclasses import replace

from grader.exercises import exercise
from grader.judge import Verdict, as_output, forbidden_in_source, judge, unjudged
from grader.notebook.frame import dump, exercise_id, fresh, grade_id, is_check, is_experiment, load
from grader.notebook.outputs import cleaned
from grader.notebook.reasons import broken_setup, describe_error, error_of, find, why_no_record, why_not_defined
from grader.notebook.runner import CannotRun
from grader.probe import RECORD_MIME, BadRecord, read_record

# What a record of the right form but with nonsense in it can make the judge stumble over.
NONSENSE = (ArithmeticError, AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError)


def judge_notebook(executed: bytes, frame: bytes, seed_for: Callable[[str], int]) -> bytes:
    """The executed notebook with each check as released and its verdict as the one result of the cell.

    seed_for   as for `rebuild`: the judge makes the right answers from the same seeds

    Raises CannotRun if the lesson's own setup failed, which is nobody's answer to anything.
    """
    ran, released = load(executed), load(frame)
    if (broken := broken_setup(ran)) is not None:
        raise CannotRun(broken)
    checks = {grade_id(cell): cell for cell in released["cells"] if is_check(cell)}
    cells = []
    for cell in ran["cells"]:
        if grade_id(cell) in checks:
            chosen = exercise_id(cell)
            cells.append(_with_verdict(checks[grade_id(cell)], _verdict(ran, cell, chosen, seed_for(chosen))))
        else:
            cells.append(_kept(cell))
    return dump(ran | {"cells": cells})


def unjudged_notebook(frame: bytes, reason: str, status: str = "unreadable") -> bytes:
    """The released notebook with 0 points for each exercise: for what could not be read or run at all.

    reason   a sentence; it stands at the top of the page and in each verdict
    """
    released = load(frame)
    cells = [_note(reason)]
    for cell in released["cells"]:
        if is_check(cell):
            cells.append(_with_verdict(cell, unjudged(exercise_id(cell), status, reason)))
        elif not is_experiment(cell):
            cells.append(fresh(cell))
    return dump(released | {"cells": cells})


def _note(reason: str) -> dict:
    # As code, so that a file name in the reason can never be markup.
    quoted = "\n".join(f"    {line}" for line in reason.splitlines())
    source = f"**This submission could not be graded:**\n\n{quoted}"
    return {"cell_type": "markdown", "id": "grading-note", "metadata": {}, "source": source}


def _with_verdict(check: dict, verdict: Verdict) -> dict:
    return fresh(check) | {"outputs": [as_output(verdict)]}


def _kept(cell: dict) -> dict:
    if cell["cell_type"] != "code":
        return cell
    metadata = {key: value for key, value in cell["metadata"].items() if key != "run"}
    return cell | {"metadata": metadata, "outputs": cleaned(cell["outputs"])}


def _verdict(ran: dict, check: dict, chosen: str, seed: int) -> Verdict:
    records = [o["data"][RECORD_MIME] for o in check["outputs"] if RECORD_MIME in (o.get("data") or {})]
    solution = find(ran, chosen)
    if not records:
        return unjudged(chosen, *why_no_record(ran, check))
    if len(records) > 1:
        return unjudged(chosen, "tampered", f"The check gave {len(records)} records; it gives exactly one.")
    return _judged(chosen, records[0], seed, solution)


def _judged(chosen: str, data: object, seed: int, solution: dict | None) -> Verdict:
    try:
        record = read_record(data)
    except BadRecord as error:
        return unjudged(chosen, "tampered", str(error))
    if record.problem and record.problem[0] == "defined":
        missing = why_not_defined(solution, exercise(chosen).name)
        if missing is not None:
            return unjudged(chosen, *missing)
    if not record.forbidden and solution is not None:
        # Code of the notebook may have blinded the probe's watch; its text is there to be read.
        record.forbidden = forbidden_in_source(chosen, solution["source"])
    try:
        verdict = judge(chosen, record, seed)
    except NONSENSE as error:
        said = f"{type(error).__name__}: {error}"[:200]
        return unjudged(chosen, "unreadable", f"The record of what the code did cannot be judged ({said}).")
    if error_of(solution) is not None:
        note = f"The cell of the exercise raised {describe_error(solution)}."
        verdict = replace(verdict, notes=(*verdict.notes, note))
    return verdict
