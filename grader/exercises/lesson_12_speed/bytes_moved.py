"""`bytes_moved(op, rows, dim, itemsize)`: the least traffic of a fused forward pass."""

import random

from grader.probe import Case, Check, Exercise, Recorder

EXACT = {"rtol": 0.0, "atol": 0.0}
WORDS = {"rms_norm": "RMSNorm", "layer_norm": "LayerNorm", "swiglu_pointwise": "SwiGLU's pointwise part"}


def cases(seed: int) -> list[Case]:
    """Each op at a size of a real model in bfloat16, at a drawn size in float32 or float64, and on one row."""
    draw = random.Random(seed)

    def case(name, op, rows, dim, itemsize):
        about = f"{WORDS[op]}, {rows} rows of {dim} numbers of {itemsize} bytes"
        return Case(name, about, {"op": op, "rows": rows, "dim": dim, "itemsize": itemsize}, **EXACT)

    def drawn(name, op, itemsize):
        rows = draw.randrange(100, 200)
        return case(name, op, rows, rows * 3 + draw.randrange(1, 50), itemsize)

    return [
        case("rms_llama", "rms_norm", 8192, 4096, 2),
        drawn("rms_drawn", "rms_norm", 4),
        case("layer_gpt_2", "layer_norm", 1024, 768, 2),
        drawn("layer_drawn", "layer_norm", 8),
        case("swiglu_llama", "swiglu_pointwise", 4096, 14336, 2),
        drawn("swiglu_drawn", "swiglu_pointwise", 4),
        case("one_row", "swiglu_pointwise", 1, draw.randrange(50, 99), 4),
    ]


def probe(bytes_moved, rec: Recorder) -> None:
    rec.number("bytes", bytes_moved(rec["op"], rec["rows"], rec["dim"], rec["itemsize"]))


EXERCISE = Exercise(
    id="bytes_moved",
    lesson="12_speed",
    name="bytes_moved",
    kind="function",
    signature="bytes_moved(op, rows, dim, itemsize)",
    arguments=("op", "rows", "dim", "itemsize"),
    checks=(
        Check("rms_norm", 2, "RMSNorm", ("rms_llama", "rms_drawn"), ("bytes",)),
        Check("layer_norm", 2, "LayerNorm", ("layer_gpt_2", "layer_drawn"), ("bytes",)),
        Check("swiglu", 2, "SwiGLU's pointwise part", ("swiglu_llama", "swiglu_drawn", "one_row"), ("bytes",)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Imagine the best kernel there can be: a row comes in once, all happens on the chip, the result goes out. "
        "Which tensors of the full size cross the wires to memory, and how often?",
        "A norm has one such tensor coming in and one going out, whatever it computes in between. SwiGLU's pointwise "
        "part multiplies SiLU of one tensor by another: count what comes in, count what goes out.",
        "The number of those tensors, times rows, times dim, times itemsize: 2 tensors for either norm, 3 for SwiGLU.",
    ),
)
