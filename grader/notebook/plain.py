"""A plain test cell: it ran in the student's own process, and is worth what stock nbgrader reads off it.

What only someone outside could see through, such as objects that equal everything, scores here as it does there;
every verdict says so. A result that no honest test gives earns nothing, or is cut to the points there are.
"""

import ast
import math
import re
from dataclasses import dataclass

from grader.judge import INSIDE, CheckResult, Verdict
from grader.notebook.frame import HIDDEN, grade_id, is_plain_test, nbgrader
from grader.notebook.outputs import text
from grader.notebook.reasons import describe_error, error_of, noted, why_no_record

STAMP = "Judged in the student's process: this test ran beside the notebook's own code."
HIDDEN_FAILED = "What you see of this test passes; a hidden part of it does not."
LOUD = "Something was written to stderr, for which nbgrader gives no points (its IgnorePattern can allow it)."
BY_ERROR = {"AssertionError": "wrong", "NotImplementedError": "not attempted"}


@dataclass(frozen=True)
class Outcome:
    """How a test cell ended. flags: sentences for whoever looks after the grading."""

    score: float
    status: str
    message: str
    flags: tuple[str, ...] = ()


def plain_tests(released: dict) -> dict[str, dict]:
    """The plain test cells of a frame by grade_id."""
    return {grade_id(cell): cell for cell in released["cells"] if is_plain_test(cell)}


def plain_verdict(test: dict, ran: dict, seen: dict | None, ignored: str | None = None) -> Verdict:
    """The verdict on a test cell of the frame.

    ran       the executed notebook, its tests with their hidden parts
    seen      the same, executed with the tests as released, if any has hidden parts: all words come from there,
              so that nothing a student reads was written by code that had seen a hidden test
    ignored   what stderr may say without a test's failing for it: nbgrader's IgnorePattern.pattern
    """
    full = outcome(test, ran, ignored)
    message = full.message
    if seen is not None:
        shown = outcome(test, seen, ignored)
        passed = full.status == "passed" or shown.status == "passed"
        message = shown.message if not passed else _hidden_message(test, full)
    points = _number(_points(test))
    line = CheckResult(full.status if points == 0 else "test", full.status == "passed", full.score, points, message)
    notes = (*full.flags, STAMP)
    return Verdict(grade_id(test), full.score, points, full.status, (line,), notes=notes, judged=INSIDE)


def not_run(test: dict, status: str, reason: str) -> Verdict:
    """No points, for work that could not be run at all."""
    line = CheckResult(status, False, 0, 0, reason)
    return Verdict(grade_id(test), 0, _number(_points(test)), status, (line,))


def _hidden_message(test: dict, full: Outcome) -> str:
    if full.status == "passed":
        return "All passed."
    return HIDDEN_FAILED if HIDDEN in test["metadata"] else "Passed before the hidden tests ran, and not after them."


def outcome(test: dict, ran: dict, ignored: str | None = None) -> Outcome:
    """What became of a frame's test cell in an executed notebook."""
    cell = next(cell for cell in ran["cells"] if grade_id(cell) == grade_id(test))
    if not _finished(ran, cell) or noted(cell, "timed_out") or noted(cell, "cut"):
        return Outcome(0, *why_no_record(ran, cell | {"outputs": []}))
    results = [output for output in cell["outputs"] if output.get("output_type") == "execute_result"]
    flags = () if len(results) <= _expected(cell) else ("The test gave a result that it does not give by itself.",)
    if error_of(cell) is not None or noted(cell, "failed"):
        return _failed(cell, flags or (("The test both raised and gave a result.",) if results else ()))
    if said := _stderr(cell, ignored):
        return Outcome(0, "wrong", f"While the test ran, this was written to stderr: {said[:300]}", (*flags, LOUD))
    if not results or not _expected(cell):
        return Outcome(_number(_points(test)), "passed", "Passed.", flags)
    return _by_result(results[0], _points(test), flags)


def _finished(ran: dict, cell: dict) -> bool:
    """Whether the kernel lived to the end of this cell."""
    run = ran["metadata"].get("run", {})
    ids = [one["id"] for one in ran["cells"]]
    return run.get("status") == "finished" or (run.get("cell") in ids and cell["id"] in ids[: ids.index(run["cell"])])


def _expected(cell: dict) -> int:
    """How many results a test can give: one, of its last line, if that is an expression."""
    try:
        body = ast.parse(cell["source"]).body
    except (SyntaxError, ValueError):  # IPython's magics
        return 1
    return int(bool(body) and isinstance(body[-1], ast.Expr))


def _failed(cell: dict, flags: tuple[str, ...]) -> Outcome:
    if error_of(cell) is None:
        return Outcome(0, "raised", "The test raised an error, and showing it was prevented.", flags)
    said = describe_error(cell)
    status = BY_ERROR.get(str(error_of(cell).get("ename")), "raised")
    return Outcome(0, status, f"{re.sub(r': (?=,|$)', '', said, count=1)}.", flags)


def _stderr(cell: dict, ignored: str | None) -> str:
    """What was written to stderr before there was a result; after one it counts for nothing."""
    said = ""
    for output in cell["outputs"]:
        if output.get("output_type") == "execute_result":
            break
        if output.get("output_type") == "stream" and output.get("name") == "stderr":
            piece = text(output.get("text"))
            said += "" if ignored and re.search(ignored, piece) else piece
    return said


def _by_result(result: dict, points: float, flags: tuple[str, ...]) -> Outcome:
    """Partial credit by the value of the last line. What is no number is full marks, as in stock nbgrader."""
    shown = text((result.get("data") or {}).get("text/plain")).strip()
    if not shown:
        return Outcome(0, "tampered", "The test's result is none that Python shows.", flags)
    try:
        value = float(shown)
    except ValueError:
        return Outcome(_number(points), "passed", "Passed.", flags)
    if math.isnan(value) or value < 0:
        flags = (*flags, "The test's result was no number of points (negative, or not a number) and counts as 0.")
    elif value > points and not math.isclose(value, points):
        flags = (*flags, "The test's result was more than the cell's points and was cut to them.")
    score = _number(0 if math.isnan(value) else min(max(value, 0), points))
    status = "passed" if score == points else "partly" if score else "wrong"
    return Outcome(score, status, f"The test gave {score} of {_number(points)} points.", flags)


def _points(test: dict) -> float:
    return float(nbgrader(test)["points"])


def _number(value: float) -> float:
    """Whole numbers without a decimal point."""
    return int(value) if float(value).is_integer() else float(value)
