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
    ],
)
def test_what_is_no_record_is_refused_in_a_sentence(damage):
    with pytest.raises(BadRecord, match=r"^The record .*\.$"):
        read_record(damage(good()))
