"""`ffn_flops(tokens, dim, hidden_dim, gated)`: the floating-point operations of a forward pass."""

import random

from grader.exercises.lesson_08_ffn_bakeoff.ffn_params import EXACT, KINDS
from grader.probe import Case, Check, Exercise, Recorder


def cases(seed: int) -> list[Case]:
    """Real models, one token and many, and drawn sizes of which no two are alike."""
    draw = random.Random(seed)

    def case(name, tokens, dim, hidden, gated):
        about = f"{tokens} token{'s' * (tokens != 1)}, dim = {dim}, hidden_dim = {hidden}, {KINDS[gated]}"
        data = {"tokens": tokens, "dim": dim, "hidden_dim": hidden, "gated": gated}
        return Case(name, about, data, **EXACT)

    tokens, dim = draw.randrange(60, 90), draw.randrange(5, 50)
    hidden = dim * 5 + draw.randrange(1, dim)
    return [
        case("gpt_2", 1024, 768, 3072, False),
        case("drawn_plain", tokens, dim, hidden, False),
        case("one_plain", 1, dim + 1, hidden, False),
        case("llama_2_7b", 4096, 4096, 11008, True),
        case("drawn_gated", tokens, dim, hidden, True),
        case("one_gated", 1, dim + 1, hidden, True),
        case("narrow_gated", tokens, hidden, dim, True),
    ]


def probe(ffn_flops, rec: Recorder) -> None:
    rec.number("flops", ffn_flops(rec["tokens"], rec["dim"], rec["hidden_dim"], rec["gated"]))


EXERCISE = Exercise(
    id="ffn_flops",
    lesson="08_ffn_bakeoff",
    name="ffn_flops",
    kind="function",
    signature="ffn_flops(tokens, dim, hidden_dim, gated)",
    arguments=("tokens", "dim", "hidden_dim", "gated"),
    checks=(
        Check("plain", 2, "two matrices", ("gpt_2", "drawn_plain", "one_plain"), ("flops",)),
        Check("gated", 2, "three matrices", ("llama_2_7b", "drawn_gated", "one_gated", "narrow_gated"), ("flops",)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Take one token and one matrix. To get one output, how many products are added up? Then count the outputs.",
        "One token through one [dim, hidden_dim] matrix takes dim · hidden_dim multiply-adds; each counts as 2. "
        "Every token passes through every matrix.",
        "2 · tokens · dim · hidden_dim for each matrix, and there are 2 or 3 of them. Activation and "
        "element by element product are not counted.",
    ),
)
