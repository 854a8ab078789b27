"""Names a mistake only where the record proves it: equal on all cases to that mistake's, and to no other's."""

from grader.judge.compare import equal
from grader.judge.expected import Expected, KnownMistake
from grader.probe import Case, CaseRecord, Record


def diagnose(record: Record, expected: Expected) -> KnownMistake | None:
    possible = [m for m in expected.mistakes if _starts_alike(record, m.start, expected.cases[0])]
    same = [m for m in possible if same_record(record, m.record, expected.cases)]
    return same[0] if len(same) == 1 else None


def _starts_alike(record: Record, start: Record, case: Case) -> bool:
    """False only where the whole records differ, too. Whether something forbidden was called may show later."""
    if record.problem or start.problem or case.name not in record.cases:
        return True
    return _same_case(record.cases[case.name], start.cases[case.name], case)


def same_record(a: Record, b: Record, cases: tuple[Case, ...]) -> bool:
    """Whether two records show the same behaviour on all cases, within each case's tolerance."""
    if a.problem or b.problem:
        return a.problem == b.problem
    if bool(a.forbidden) != bool(b.forbidden) or a.cases.keys() != b.cases.keys():
        return False
    return all(_same_case(a.cases[case.name], b.cases[case.name], case) for case in cases)


def _same_case(a: CaseRecord, b: CaseRecord, case: Case) -> bool:
    if _comparable(a.facts) != _comparable(b.facts) or a.tensors.keys() != b.tensors.keys():
        return False
    return all(t.dtype == b.tensors[name].dtype and equal(t, b.tensors[name], case) for name, t in a.tensors.items())


def _comparable(facts: dict) -> dict:
    """Of an exception only its type: message and line are the person's own."""
    raised = facts.get("raised")
    keys = ("types", "changed", "missing", "parameters", "untrained")
    return {key: facts.get(key) for key in keys} | {"raised": raised and raised.get("type")}
