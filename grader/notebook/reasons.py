"""Why a check gave no record, or the exercise is not defined: read off an executed notebook, in words."""

import re

from grader.notebook.frame import CHECK, grade_id, is_check, is_locked

ANSI = re.compile(r"\x1b\[[0-9;]*m")
# How Python, NumPy, torch and the system say that there is no more memory.
NO_MEMORY = re.compile(r"MemoryError|[Cc]an't allocate memory|not enough memory|Cannot allocate memory")
# How IPython says where in the notebook an error came from.
PLACE = re.compile(r"Cell In\[(\d+)\], line (\d+)")


def find(executed: dict, wanted: str) -> dict | None:
    """The cell with this grade_id."""
    return next((cell for cell in executed["cells"] if grade_id(cell) == wanted), None)


def noted(cell: dict, what: str) -> bool:
    return bool(cell["metadata"].get("run", {}).get(what))


def error_of(cell: dict | None) -> dict | None:
    outputs = cell["outputs"] if cell and cell["cell_type"] == "code" else []
    return next((output for output in outputs if output.get("output_type") == "error"), None)


def out_of_memory(error: dict) -> bool:
    return bool(NO_MEMORY.search(_said(error)))


def _said(error: dict) -> str:
    return f"{error.get('ename')}: {error.get('evalue')}"[:300].removesuffix(": ")


def describe_error(cell: dict) -> str:
    """What a cell raised, and on which of its lines: "SyntaxError: invalid syntax, on line 3 (`return x *`)"."""
    error = error_of(cell)
    what = _said(error)
    # IPython adds the place to a SyntaxError's message; here it follows in one form for all errors.
    what = re.sub(r" \([^()]*, line \d+\)$", "", what)
    line = _line(cell, error)
    return what if line is None else f"{what}, on line {line} (`{_line_text(cell, line)}`)"


def _line(cell: dict, error: dict) -> int | None:
    trace = ANSI.sub("", "\n".join(map(str, error.get("traceback") or [])))
    here = [int(line) for run, line in PLACE.findall(trace) if int(run) == cell.get("execution_count")]
    inside = [line for line in here if line <= cell["source"].count("\n") + 1]
    return inside[-1] if inside else None


def _line_text(cell: dict, line: int) -> str:
    return cell["source"].split("\n")[line - 1].strip()[:100]


def broken_setup(executed: dict) -> str | None:
    """What a locked cell raised before any code of the student's ran: then it is the machine that is at fault."""
    for cell in executed["cells"]:
        if cell["cell_type"] == "code" and not is_locked(cell):
            return None
        if error_of(cell) is not None:
            return f"the cell {grade_id(cell)!r} raised {describe_error(cell)}"
    return None


def why_not_defined(solution: dict | None, name: str) -> tuple[str, str] | None:
    """Status and sentence if the name is missing because the solution cell itself did not run through."""
    if solution is None or error_of(solution) is None:
        return None
    if noted(solution, "timed_out"):
        return "timed out", f"The cell that should define `{name}` ran out of time and was interrupted."
    status = "out of memory" if out_of_memory(error_of(solution)) else "raised"
    return status, f"`{name}` is not defined, because its cell raised {describe_error(solution)}."


def why_no_record(executed: dict, check: dict) -> tuple[str, str]:
    """Status and sentence for a check that left no record."""
    run = executed["metadata"].get("run", {})
    if noted(check, "timed_out"):
        return "timed out", "Your code ran out of time while it was being checked, and was interrupted."
    if (error := error_of(check)) is not None:
        what = _said(error)
        if out_of_memory(error):
            return "out of memory", f"There was no memory left for the check: {what}."
        if error.get("ename") == "KeyboardInterrupt":  # the only one that the probe lets pass
            return "raised", "Your code raised KeyboardInterrupt while it was being checked."
        return "raised", f"The check itself was broken by what the notebook did before: {what}."
    where = _where(executed, run.get("cell"), check)
    if run.get("status") == "stopped":
        seconds = f"{run.get('seconds', 0):.0f} s"
        return "timed out", f"The notebook was stopped after {seconds}: {where} was still running."
    if run.get("status") == "died":
        return "died", f"Python ended while {where} was running, so this could not be checked."
    if run.get("status") == "memory":
        return "out of memory", f"More memory was taken than a notebook may have while {where} was running."
    if run.get("status") == "processes":
        return "died", f"More processes and threads were started than a notebook may have while {where} was running."
    if run.get("status") == "garbled":
        return "tampered", f"The kernel sent messages that are not Jupyter's while {where} was running."
    if noted(check, "cut"):
        return "tampered", "While it was being checked, your code sent more than any record is long."
    return "tampered", "The check ran, but what it saw was withheld by code of the notebook."


def _where(executed: dict, running: str | None, check: dict) -> str:
    """The cell that was running, as a person would point at it. (Numbers differ from the student's copy.)"""
    for cell in executed["cells"]:
        if cell.get("id") == running and running != check["id"]:
            if is_check(cell):
                return f"the check of {grade_id(cell).removeprefix(CHECK)}"
            return f"the cell that begins `{_first_line(cell)}`"
    return "this check"


def _first_line(cell: dict) -> str:
    return next((line.strip() for line in cell["source"].split("\n") if line.strip()), "")[:60]
