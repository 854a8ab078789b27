"""The notebook a person reads: verdicts in place of probe calls, the student's work as it was."""

from collections.abc import Callable
from dataclasses import replace

from grader.exercises import exercise
from grader.judge import Verdict, as_output, forbidden_in_source, judge, unjudged
from grader.notebook.frame import (
    GRADING,
    dump,
    exercise_of,
    fresh,
    grade_id,
    is_experiment,
    is_plain_test,
    load,
    page,
)
from grader.notebook.outputs import cleaned
from grader.notebook.plain import not_run, plain_tests, plain_verdict
from grader.notebook.reasons import broken_setup, describe_error, error_of, find, why_no_record, why_not_defined
from grader.notebook.rebuild import FILES_ID
from grader.notebook.runner import CannotRun
from grader.probe import RECORD_MIME, BadRecord, read_record

# What a record of the right form but with nonsense in it can make the judge stumble over.
NONSENSE = (ArithmeticError, AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError)


def judge_notebook(executed: bytes, frame: bytes, seed_for: Callable[[str], int], seen: bytes | None = None) -> bytes:
    """The executed notebook with each check as released and its verdict as the first result of the cell.

    seed_for   as for `rebuild`: the judge makes the right answers from the same seeds
    seen       where the frame has hidden tests: the notebook executed without them. It is the one that is shown;
               from the other one come only the plain tests' points

    Raises CannotRun if the lesson's own setup failed, which is nobody's answer to anything.
    """
    ran, shown, released = load(executed), load(seen or executed), load(frame)
    for one in (ran, shown):
        if (broken := broken_setup(one)) is not None:
            raise CannotRun(broken)
    checks = {grade_id(cell): cell for cell in released["cells"] if exercise_of(cell)}
    plain, ignored = plain_tests(released), released["metadata"].get(GRADING, {}).get("ignored_stderr")
    cells = []
    for cell in shown["cells"]:
        if (name := grade_id(cell)) in checks:
            chosen = exercise_of(checks[name])
            cells.append(_with_verdict(checks[name], _verdict(shown, cell, chosen, seed_for(chosen))))
        elif name in plain:
            verdict = plain_verdict(plain[name], ran, shown if seen else None, ignored)
            cells.append(_with_verdict(plain[name], verdict, cleaned(cell["outputs"])))
        elif cell["id"] != FILES_ID:
            cells.append(_kept(cell))
    return dump(ran | {"cells": cells})


def unjudged_notebook(frame: bytes, reason: str, status: str = "unreadable") -> bytes:
    """The released notebook with 0 points for each exercise: for what could not be read or run at all.

    reason   a sentence; it stands at the top of the page and in each verdict
    """
    released = load(frame)
    cells = [_note(reason)]
    for cell in released["cells"]:
        if (chosen := exercise_of(cell)) is not None:
            cells.append(_with_verdict(cell, unjudged(chosen, status, reason)))
        elif is_plain_test(cell):
            cells.append(_with_verdict(cell, not_run(cell, status, reason)))
        elif not is_experiment(cell):
            cells.append(fresh(cell))
    return dump(page(released) | {"cells": cells})


def _note(reason: str) -> dict:
    # As code, so that a file name in the reason can never be markup.
    quoted = "\n".join(f"    {line}" for line in reason.splitlines())
    source = f"**This submission could not be graded:**\n\n{quoted}"
    return {"cell_type": "markdown", "id": "grading-note", "metadata": {}, "source": source}


def _with_verdict(check: dict, verdict: Verdict, said: list[dict] = ()) -> dict:
    """said: what the cell showed when it ran. After the verdict nbgrader takes no notice of it."""
    return fresh(check) | {"outputs": [as_output(verdict), *said]}


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
