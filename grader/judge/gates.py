"""Gates: what must hold before any point can be earned. Each explains itself in a sentence."""

from collections.abc import Iterator

from grader.judge.expected import Expected
from grader.probe import CaseRecord, Exercise, Record


def first_failure(exercise: Exercise, record: Record, expected: Expected) -> tuple[str, str] | None:
    """The name and message of the first gate that fails, or None."""
    return next(_failures(exercise, record, expected), None)


def _failures(exercise: Exercise, record: Record, expected: Expected) -> Iterator[tuple[str, str]]:
    if record.problem:
        yield record.problem
    if record.forbidden:
        yield "forbidden", forbidden_message(record.forbidden[0])
    for case in expected.cases:
        got = record.cases.get(case.name)
        if got is None:
            yield "record", f"There is no result for {case.about}."
        elif (found := _case_failure(got, expected.reference.cases[case.name])) is not None:
            yield found[0], f"For {case.about}, {found[1]}"


def forbidden_message(call: dict) -> str:
    line = f"Line {call['line']} of your code" if call["line"] else "Your code"
    quoted = f": `{call['text']}`" if call["text"] else ""
    return f"{line} uses {call['name']}{quoted}. The exercise is to do without that."


def _case_failure(got: CaseRecord, wanted: CaseRecord) -> tuple[str, str] | None:
    """Type, parameters, shape, dtype, untouched inputs, in that order. An exception is no gate."""
    raised = "raised" in got.facts
    types = got.facts.get("types", {})
    for name, kind in wanted.facts["types"].items():
        if types.get(name, kind if raised else "nothing") != kind:
            return "type", _type_message(name, types.get(name, "nothing"), kind)
    if not raised and got.facts.get("parameters") != wanted.facts.get("parameters"):
        return "parameters", _parameter_message(got.facts, wanted.facts["parameters"])
    for name, tensor in got.tensors.items():
        if name not in wanted.tensors:
            continue
        if tensor.shape != wanted.tensors[name].shape:
            shapes = f"{list(tensor.shape)}; it should be {list(wanted.tensors[name].shape)}"
            return "shape", f"the shape of `{name}` is {shapes}."
        if str(tensor.dtype) != wanted.facts["dtypes"][name]:
            return "dtype", f"`{name}` has dtype {tensor.dtype}; it should be {wanted.facts['dtypes'][name]}."
    if got.facts.get("changed"):
        names = ", ".join(f"`{name}`" for name in got.facts["changed"])
        return (
            "inputs",
            f"your code changed {names} in place. The caller still needs it: work on a new tensor.",
        )
    return None


def _type_message(name: str, got: str, wanted: str) -> str:
    if got == "NoneType":
        return f"`{name}` is None. Does your code end in `return`?"
    if wanted == "Tensor":
        return f"`{name}` should be a torch.Tensor; it is {_article(got)}."
    return f"the result should be {_article(wanted)}; it is {_article(got)}."


def _article(kind: str) -> str:
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"


def _parameter_message(got: dict, wanted: dict) -> str:
    held = "".join(f" Your `{name}` is {how}." for name, how in got.get("untrained", {}).items())
    return f"the module trains {_listed(got.get('parameters') or {})}; it should train {_listed(wanted)}.{held}"


def _listed(parameters: dict) -> str:
    return ", ".join(f"`{name}` of shape {shape}" for name, shape in parameters.items()) or "nothing"
