"""From a record to a verdict: gates first, then points, then the diagnosis."""

from dataclasses import replace

from grader.exercises import exercise
from grader.judge.compare import difference
from grader.judge.diagnose import diagnose
from grader.judge.expected import Expected, expected
from grader.judge.gates import first_failure
from grader.judge.verdict import CheckResult, Verdict
from grader.probe import Case, CaseRecord, Check, Exercise, Record


def judge(exercise_id: str, record: Record, seed: int) -> Verdict:
    """The verdict on a record of this exercise, made with this seed."""
    return judge_against(exercise(exercise_id), record, expected(exercise_id, seed))


def unjudged(exercise_id: str, status: str, message: str) -> Verdict:
    """A verdict without points for work that left no record to judge: timed out, unreadable, …"""
    chosen = exercise(exercise_id)
    return Verdict(chosen.id, 0, chosen.points, status, (CheckResult(status, False, 0, 0, message),))


def judge_against(chosen: Exercise, record: Record, wanted: Expected) -> Verdict:
    """The verdict on a record, given what to compare it with."""
    if record.problem and record.problem[0] == "defined":
        return unjudged(chosen.id, "not attempted", record.problem[1])
    if any(_raised(case) == "NotImplementedError" for case in record.cases.values()):
        return unjudged(chosen.id, "not attempted", "The code still raises NotImplementedError.")
    gate = first_failure(chosen, record, wanted)
    if gate is not None:
        checks = [CheckResult(gate[0], False, 0, 0, gate[1]), *_unearned(chosen)]
    else:
        checks = [_score(check, record, wanted) for check in chosen.checks]
    score = sum(check.score for check in checks)
    mistake = diagnose(record, wanted) if score < chosen.points else None
    if mistake is not None:
        checks = [check if check.passed else replace(check, mistake=mistake.name) for check in checks]
    return Verdict(
        chosen.id,
        score,
        chosen.points,
        _status(score, chosen.points, record),
        tuple(checks),
        mistake.name if mistake else None,
        mistake.hint if mistake else None,
        _notes(record),
    )


def _status(score: int, points: int, record: Record) -> str:
    if score == points:
        return "passed"
    if score:
        return "partly"
    raised = [case.facts.get("raised") for case in record.cases.values()]
    if not raised or not all(raised):
        return "wrong"
    return "out of memory" if all(map(_no_memory, raised)) else "raised"


def _no_memory(raised: dict) -> bool:
    """Whether Python's, NumPy's or torch's error says so."""
    said = f"{raised['type']}: {raised['message']}"
    return any(words in said for words in ("MemoryError", "an't allocate memory", "not enough memory"))


def _raised(case: CaseRecord) -> str | None:
    return (case.facts.get("raised") or {}).get("type")


def _unearned(chosen: Exercise) -> list[CheckResult]:
    message = "The check above has to pass first."
    return [CheckResult(c.name, False, 0, c.points, message) for c in chosen.checks]


def _score(check: Check, record: Record, wanted: Expected) -> CheckResult:
    cases = {case.name: case for case in wanted.cases}
    for name in check.cases:
        problem = _case_problem(check, record.cases[name], wanted.reference.cases[name], cases[name])
        if problem is not None:
            return CheckResult(check.name, False, 0, check.points, f"For {cases[name].about}, {problem}.")
    return CheckResult(check.name, True, check.points, check.points, f"{_sentence(check.about)}.")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _case_problem(check: Check, got: CaseRecord, wanted: CaseRecord, case: Case) -> str | None:
    """Why these outputs are not right on this case, or None. The end of a sentence."""
    for name in check.outputs:
        if name not in wanted.tensors:
            continue
        if name in got.tensors:
            found = difference(got.tensors[name], wanted.tensors[name], case)
            if found is not None:
                return f"`{name}`: {found}"
        elif "raised" in got.facts:
            return _raised_message(got.facts["raised"])
        elif name in got.facts.get("missing", ()):
            source = name.removeprefix("grad_")
            return f"no gradient reaches `{source}`: the result does not depend on it, or the graph is cut"
        else:
            return f"there is no `{name}`"
    return None


def _raised_message(raised: dict) -> str:
    where = f" on line {raised['line']}, `{raised['text']}`," if raised.get("line") else ""
    what = f"{raised['type']}: {str(raised['message']).rstrip('.')}".removesuffix(": ")
    return f"your code{where} raised {what}"


def _notes(record: Record) -> tuple[str, ...]:
    text = record.stderr.strip()
    return (f"Your code wrote to stderr (this costs nothing): {text}",) if text else ()
