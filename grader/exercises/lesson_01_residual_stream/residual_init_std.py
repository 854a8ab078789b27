"""`residual_init_std(std, n_blocks)`: how wide the projections that write to the stream are drawn at first."""

from grader.probe import Case, Check, Exercise, Recorder

MODELS = ("gpt2_small", "gpt2_xl", "shallow")
EDGES = ("one_block", "whole_numbers", "large_std")


def cases(_seed: int) -> list[Case]:
    """Chosen, not drawn: powers of two and n = 2 would let several wrong formulas pass for the right one."""

    def case(name, std, n_blocks):
        blocks = f"{n_blocks} block{'s' * (n_blocks != 1)}"
        return Case(name, f"std = {std} and {blocks}", {"std": std, "n_blocks": n_blocks})

    return [
        case("gpt2_small", 0.02, 12),
        case("gpt2_xl", 0.02, 48),
        case("shallow", 0.006, 3),
        case("one_block", 0.02, 1),
        case("whole_numbers", 1, 8),
        case("large_std", 2.5, 5),
    ]


def probe(residual_init_std, rec: Recorder) -> None:
    rec.number("std", residual_init_std(rec["std"], rec["n_blocks"]))


EXERCISE = Exercise(
    id="residual_init_std",
    lesson="01_residual_stream",
    name="residual_init_std",
    kind="function",
    signature="residual_init_std(std, n_blocks)",
    arguments=("std", "n_blocks"),
    checks=(
        Check("models", 1, "the depths of real models", MODELS, ("std",)),
        Check("edges", 1, "one block, whole numbers, a large std", EDGES, ("std",)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "How many times does a model of n blocks write to its stream? A block has an attention and a feed-forward "
        "part, and each of them writes once.",
        "Independent contributions add their variances. With N of them, each has to be smaller by a factor whose "
        "square is 1/N, so that together they are as large as one.",
        "With N = 2 * n_blocks, divide std by the square root of N. `math.sqrt` gives a plain float.",
    ),
)
