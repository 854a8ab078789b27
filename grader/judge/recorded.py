"""Recorded answers: inputs, the right record and the mistakes' records, as data in `grader/recorded/`.

A class's edition of the course has these in place of `grader.answers`. They hold behaviour, no code.
"""

import base64
import gzip
import json
from pathlib import Path

import safetensors.torch
import torch

from grader.errors import CourseError
from grader.judge.expected import Expected, KnownMistake, expected
from grader.probe import Case, pack_record, read_record

FOLDER = Path(__file__).parents[1] / "recorded"


def write(folder: Path, exercise_id: str, seeds: tuple[int, ...]) -> Path:
    """Records an exercise's answers for these seeds. Needs the whole course. The same bytes each time."""
    data = {str(seed): _pack(expected(exercise_id, seed)) for seed in seeds}
    path = folder / f"{exercise_id}.json.gz"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(data).encode(), mtime=0))
    return path


def load(exercise_id: str, seed: int, folder: Path = FOLDER) -> Expected:
    """The recorded answers. Raises CourseError where there are none for this exercise and seed."""
    path = folder / f"{exercise_id}.json.gz"
    if not path.is_file():
        raise CourseError(f"This edition of the course has no answers for {exercise_id!r}: install it again.")
    data = json.loads(gzip.decompress(path.read_bytes()))
    if str(seed) not in data:
        known = ", ".join(data)
        raise CourseError(f"This edition has answers for the seeds {known} only, not for {seed}. Leave `seed` out.")
    return _unpack(data[str(seed)])


def _pack(answers: Expected) -> dict:
    return {
        "cases": [_pack_case(case) for case in answers.cases],
        "reference": pack_record(answers.reference),
        "mistakes": [
            {"key": m.key, "name": m.name, "hint": m.hint, "record": pack_record(m.record)} for m in answers.mistakes
        ],
    }


def _unpack(data: dict) -> Expected:
    cases = tuple(_unpack_case(case) for case in data["cases"])
    mistakes = tuple(_unpack_mistake(mistake, cases) for mistake in data["mistakes"])
    return Expected(cases, read_record(data["reference"]), mistakes)


def _unpack_mistake(data: dict, cases: tuple[Case, ...]) -> KnownMistake:
    return KnownMistake(data["key"], data["name"], data["hint"], cases, lambda _: read_record(data["record"]))


def _pack_case(case: Case) -> dict:
    tensors = {k: v.contiguous() for k, v in case.data.items() if isinstance(v, torch.Tensor)}
    return {
        **{key: getattr(case, key) for key in ("name", "about", "rtol", "atol", "unequal")},
        "plain": {k: v for k, v in case.data.items() if k not in tensors},
        "strides": {k: v.stride() for k, v in case.data.items() if k in tensors and not v.is_contiguous()},
        "tensors": base64.b64encode(safetensors.torch.save(tensors)).decode("ascii"),
    }


def _unpack_case(data: dict) -> Case:
    tensors = safetensors.torch.load(base64.b64decode(data["tensors"]))
    for name, stride in data["strides"].items():  # safetensors holds contiguous tensors only
        tensors[name] = torch.empty_strided(tensors[name].shape, stride, dtype=tensors[name].dtype).copy_(tensors[name])
    return Case(data["name"], data["about"], data["plain"] | tensors, data["rtol"], data["atol"], data["unequal"])
