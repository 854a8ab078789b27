"""`ffn_params(dim, hidden_dim, gated, bias=False)`: how many numbers a feed-forward network trains."""

import random

from grader.probe import Case, Check, Exercise, Recorder

EXACT = {"rtol": 0.0, "atol": 0.0}
KINDS = {True: "gated", False: "plain"}


def cases(seed: int) -> list[Case]:
    """Real models, and drawn sizes of which no two are alike, with and without biases, wider and narrower than dim."""
    draw = random.Random(seed)

    def case(name, dim, hidden, gated, **bias):
        biases = {True: ", biases", False: ", no biases"}.get(bias.get("bias"), "")
        about = f"dim = {dim}, hidden_dim = {hidden}, {KINDS[gated]}{biases}"
        return Case(name, about, {"dim": dim, "hidden_dim": hidden, "gated": gated} | bias, **EXACT)

    dim = draw.randrange(5, 60)
    wide, narrow = dim * 5 + draw.randrange(1, dim), draw.randrange(2, dim - 1)
    return [
        case("llama_2_7b", 4096, 11008, True),
        case("gpt_2", 768, 3072, False),
        case("drawn_gated", dim, wide, True, bias=False),
        case("drawn_plain", dim, wide, False, bias=False),
        case("transformer_2017", 512, 2048, False, bias=True),
        case("bias_gated", dim, wide, True, bias=True),
        case("bias_plain", dim, wide, False, bias=True),
        case("narrow_gated", dim, narrow, True, bias=True),
        case("narrow_plain", dim, narrow, False, bias=True),
    ]


def probe(ffn_params, rec: Recorder) -> None:
    options = {"bias": rec["bias"]} if "bias" in rec.case.data else {}
    rec.number("params", ffn_params(rec["dim"], rec["hidden_dim"], rec["gated"], **options))


WITHOUT = ("llama_2_7b", "gpt_2", "drawn_gated", "drawn_plain")
WITH = ("transformer_2017", "bias_gated", "bias_plain", "narrow_gated", "narrow_plain")

EXERCISE = Exercise(
    id="ffn_params",
    lesson="08_ffn_bakeoff",
    name="ffn_params",
    kind="function",
    signature="ffn_params(dim, hidden_dim, gated, bias=False)",
    arguments=("dim", "hidden_dim", "gated"),
    keywords=("bias",),
    checks=(
        Check("matrices", 3, "networks without biases", WITHOUT, ("params",)),
        Check("biases", 3, "networks with biases", WITH, ("params",)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Draw the network: how many matrices has a plain one, how many a gated one, and between which two widths does "
        "each lead?",
        "A matrix between `dim` and `hidden_dim` has dim · hidden_dim numbers, whichever way it leads. A bias has "
        "one number for each *output* of its layer.",
        "2 or 3 matrices of dim · hidden_dim. With biases: `hidden_dim` for each layer that widens (one if plain, two "
        "if gated), and `dim` for the one that leads back.",
    ),
)
