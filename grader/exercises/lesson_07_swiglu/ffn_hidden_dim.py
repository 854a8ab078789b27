"""`ffn_hidden_dim(dim, multiple_of, multiplier)`: how wide a gated feed-forward network is made."""

import random

from grader.probe import Case, Check, Exercise, Recorder

# Each row: cases of one kind, from which the seed picks one: (dim, multiple_of, multiplier). They are chosen by
# hand, since rounding to nearest equals rounding up for most widths one would draw.
BELOW_HALF = ((2048, 256, 1.0), (3072, 1024, 1.0), (640, 128, 1.0), (6656, 256, 1.0))  # nearest would be lower
EXACT = ((768, 256, 1.0), (1536, 512, 1.0), (960, 128, 1.0), (2304, 1024, 1.0))  # nothing to round
TINY = ((48, 256, 1.0), (24, 128, 1.0), (60, 1024, 1.0), (90, 512, 1.0))  # rounding down gives 0
ONE_THIRD = ((200, 1, 1.0), (512, 1, 1.0), (77, 1, 1.0), (1280, 1, 1.0))  # 8·dim/3 ends in .33
TWO_THIRDS = ((100, 1, 1.0), (1024, 1, 1.0), (76, 1, 1.0), (640, 1, 1.0))  # 8·dim/3 ends in .67
TWICE = ((41, 1, 2.6), (268, 1, 1.1), (493, 1, 2.3), (718, 1, 1.1))  # cut once: one more than cut twice
ALSO_CUT = ((42, 1, 1.4), (267, 1, 1.4), (717, 1, 3.4), (948, 1, 1.1))  # the second step ends in .5 or more
ORDER = ((42, 1, 1.1), (267, 1, 1.6), (492, 1, 1.6), (717, 1, 2.6))  # the multiplier on 4·dim: one less
HALVED = ((1024, 128, 0.5), (1024, 64, 0.75), (640, 128, 0.6), (2048, 256, 0.3))
EXACT_AS_INT = {"rtol": 0.0, "atol": 0.0}


def cases(seed: int) -> list[Case]:
    """Widths of real models, and widths on which each wrong rounding differs from the right one."""
    choose = random.Random(seed).choice

    def case(name, dim, multiple_of=256, multiplier=1.0):
        about = f"dim = {dim}, multiple_of = {multiple_of}, multiplier = {multiplier:g}"
        data = {"dim": dim, "multiple_of": multiple_of, "multiplier": multiplier}
        return Case(name, about, data, **EXACT_AS_INT)

    default = Case("llama_2_7b", "dim = 4096 and nothing else", {"dim": 4096}, **EXACT_AS_INT)
    return [
        default,
        case("llama_3_8b", 4096, 1024, 1.3),
        case("llama_3_70b", 8192, 4096, 1.3),
        case("llama_3_1b", 2048, 256, 1.5),
        case("below_half", *choose(BELOW_HALF)),
        case("exact", *choose(EXACT)),
        case("tiny", *choose(TINY)),
        case("halved", *choose(HALVED)),
        case("one_third", *choose(ONE_THIRD)),
        case("two_thirds", *choose(TWO_THIRDS)),
        case("twice", *choose(TWICE)),
        case("also_cut", *choose(ALSO_CUT)),
        case("order", *choose(ORDER)),
    ]


def probe(ffn_hidden_dim, rec: Recorder) -> None:
    options = {name: rec[name] for name in ("multiple_of", "multiplier") if name in rec.case.data}
    rec.number("hidden_dim", ffn_hidden_dim(rec["dim"], **options))


MODELS = ("llama_2_7b", "llama_3_8b", "llama_3_70b", "llama_3_1b")
ROUNDING = ("below_half", "exact", "tiny", "halved")
TRUNCATION = ("one_third", "two_thirds", "twice", "also_cut", "order")

EXERCISE = Exercise(
    id="ffn_hidden_dim",
    lesson="07_swiglu",
    name="ffn_hidden_dim",
    kind="function",
    signature="ffn_hidden_dim(dim, multiple_of=256, multiplier=1.0)",
    arguments=("dim",),
    keywords=("multiple_of", "multiplier"),
    checks=(
        Check("models", 2, "the widths of four Llama models", MODELS, ("hidden_dim",)),
        Check("rounding", 2, "always up, and only when needed", ROUNDING, ("hidden_dim",)),
        Check("truncation", 1, "both intermediate values cut to integers", TRUNCATION, ("hidden_dim",)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Three steps, in the order of the text: 8/3 of dim, cut to an integer; times the multiplier, cut again; "
        "then up to a multiple. Try 4096 on paper: 10922 after the first step.",
        "To round up: how many multiples fit, if a started one counts in full? Integer division `//` rounds down; "
        "add something before you divide, or divide the negative. Watch a width that is a multiple already.",
        "`int(8 * dim / 3)` is the first step, `int(multiplier * ...)` the second. For the third, "
        "(n + m - 1) // m is the number of multiples of m that hold n.",
    ),
)
