"""Records as plain bytes: how one leaves the process that ran a student's code. No pickle."""

import base64
import json

import safetensors.torch
from safetensors import SafetensorError

from grader.probe.record import CaseRecord, Record

RECORD_MIME = "application/vnd.transformer-internals.record+json"
LIMIT = 32 * 2**20  # bytes of base64; a real record has some hundred kilobytes at most
FACTS_LIMIT = 2**18  # characters of JSON; messages and what went to stderr are cut to far less where they are noted


class BadRecord(Exception):
    """Data that claims to be a record and is not. The message is a sentence for the instructor."""


def pack_record(record: Record) -> dict:
    """A record as JSON data: `facts`, and `tensors` as base64 of safetensors."""
    tensors = {f"{case}/{name}": t for case, r in record.cases.items() for name, t in r.tensors.items()}
    return {
        "facts": {
            "problem": list(record.problem) if record.problem else None,
            "forbidden": record.forbidden,
            "stderr": record.stderr,
            "cases": {name: case.facts for name, case in record.cases.items()},
        },
        "tensors": base64.b64encode(safetensors.torch.save(tensors)).decode("ascii"),
    }


# What safetensors and torch raise over bytes that are no tensors is not only their own error.
DAMAGED = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, SafetensorError)


def read_record(data: object) -> Record:
    """The record in `data`. Raises BadRecord for anything that pack_record would not have made."""
    try:
        facts, text = data["facts"], data["tensors"]
        if len(text) > LIMIT:
            raise BadRecord(f"The record is {len(text) / 2**20:.0f} MiB, more than the allowed 32.")
        if (size := len(json.dumps(facts))) > FACTS_LIMIT:
            raise BadRecord(f"The record has {size // 1024} KiB of words, more than the allowed {FACTS_LIMIT // 1024}.")
        tensors = safetensors.torch.load(base64.b64decode(text, validate=True))
        record = _unpack(facts)
        for key, tensor in tensors.items():
            case, name = key.split("/", 1)
            record.cases[case].tensors[name] = tensor
    except BadRecord:
        raise
    except DAMAGED as error:
        raise BadRecord(f"The record of what the code did is damaged ({type(error).__name__}).") from error
    return record


RAISED = ("type", "message")
_CASE_FACTS = {
    "types": (dict, str),
    "changed": (list, str),
    "missing": (list, str),
    "parameters": (dict, list),
    "untrained": (dict, str),
    "dtypes": (dict, str),  # in records of right answers
    "raised": (dict, (str, int, type(None))),
}


def _unpack(facts: dict) -> Record:
    problem = facts["problem"]
    _demand(problem is None or (len(problem) == 2 and all(isinstance(part, str) for part in problem)))
    _demand(isinstance(facts["stderr"], str))
    for case in facts["cases"].values():
        _demand(all(_holds(case[key], *kinds) for key, kinds in _CASE_FACTS.items() if key in case))
        _demand(case.keys() <= _CASE_FACTS.keys() and all(k in case.get("raised", RAISED) for k in RAISED))
    return Record(
        cases={str(name): CaseRecord(facts=case) for name, case in facts["cases"].items()},
        problem=tuple(problem) if problem else None,
        forbidden=[{key: call[key] for key in ("name", "line", "text")} for call in facts["forbidden"]],
        stderr=facts["stderr"],
    )


def _holds(value: object, kind: type, of: type | tuple) -> bool:
    """Whether it is a dict or list with nothing but such values."""
    if not isinstance(value, kind):
        return False
    return all(isinstance(one, of) for one in (value.values() if isinstance(value, dict) else value))


def _demand(condition: bool) -> None:
    if not condition:
        raise ValueError("not what pack_record writes")
