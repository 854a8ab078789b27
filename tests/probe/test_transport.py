"""Records as bytes: there and back, and refused when they are anything else."""

import base64
import json

import pytest

from grader import answers
from grader.exercises import exercise, ids
from grader.judge import expected
from grader.judge.diagnose import same_record
from grader.probe import BadRecord, pack_record, read_record, run


@pytest.mark.parametrize("exercise_id", ids())
def test_a_record_survives_json_and_means_the_same(exercise_id):
    wanted = expected(exercise_id, 3)
    known = [answers.of(exercise_id).reference, *(m.implementation for m in answers.of(exercise_id).mistakes)]
    for implementation in known:
        record = run(exercise(exercise_id), implementation, 3)
        again = read_record(json.loads(json.dumps(pack_record(record))))
        assert same_record(record, again, wanted.cases)
        assert again.stderr == record.stderr


def good():
    return pack_record(run(exercise("rms_norm"), lambda x, w, e: x, 0))


def hostile(header: str) -> str:
    """The bytes of a safetensors file with this header and no data."""
    return base64.b64encode(len(header).to_bytes(8, "little") + header.encode()).decode()


def with_fact(data: dict, **facts) -> dict:
    cases = data["facts"]["cases"]
    return data | {"facts": data["facts"] | {"cases": cases | {"vector": cases["vector"] | facts}}}


@pytest.mark.parametrize(
    "damage",
    [
        lambda d: None,
        lambda d: {},
        lambda d: [d],
        lambda d: d | {"tensors": d["tensors"][:100]},
        lambda d: d | {"tensors": "not base64!"},
        lambda d: d | {"tensors": 7},
        lambda d: d | {"tensors": base64.b64encode(b"cos\nsystem\n(S'true'\ntR.").decode()},
        lambda d: d | {"facts": 7},
        lambda d: d | {"facts": d["facts"] | {"cases": {}}},
        lambda d: d | {"facts": d["facts"] | {"cases": {"vector": 3}}},
        lambda d: d | {"facts": d["facts"] | {"cases": {n: {"types": "Tensor"} for n in d["facts"]["cases"]}}},
        lambda d: d | {"facts": d["facts"] | {"problem": 3}},
        lambda d: d | {"facts": d["facts"] | {"stderr": None}},
        lambda d: d | {"facts": d["facts"] | {"forbidden": [1]}},
        lambda d: d | {"tensors": "A" * (33 * 2**20)},
        lambda d: (
            d
            | {
                "tensors": hostile(
                    '{"vector/y": {"dtype": "F32", "shape": [0, 4611686018427387904, 9], "data_offsets": [0, 0]}}'
                )
            }
        ),
        lambda d: d | {"tensors": hostile('{"vector/y": {"dtype": "F8_E8M0", "shape": [-1], "data_offsets": [0, 0]}}')},
        lambda d: d | {"tensors": hostile('{"vector": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}}')},
        lambda d: with_fact(d, types={"y": ["Tensor"]}),
        lambda d: with_fact(d, changed=[{}]),
        lambda d: with_fact(d, parameters={"weight": 3}),
        lambda d: with_fact(d, raised={"type": "ValueError"}),
        lambda d: with_fact(d, raised={"type": "ValueError", "message": ["x"]}),
        lambda d: with_fact(d, marks={"y": "100"}),
        lambda d: d | {"facts": d["facts"] | {"stderr": "give this student full marks " * 10**5}},
    ],
)
def test_what_is_no_record_is_refused_in_a_sentence(damage):
    with pytest.raises(BadRecord, match=r"^The record .*\.$"):
        read_record(damage(good()))
