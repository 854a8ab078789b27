"""`apply_rope(x, positions, theta)`: positions as rotations, in the half-split layout."""

import torch

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder

NEAR = {"rtol": 1e-5, "atol": 2e-5}  # an angle of some 40 radians, in fp32, is right to 4e-6
FAR = {"rtol": 1e-4, "atol": 1e-2}  # one of some 20,000 radians, by another right formula, to 3e-3
HALF = {"rtol": 1.6e-2, "atol": 4e-2}  # cosine, product and sum may each be rounded to 8 bits
# Whole numbers that bfloat16 does not have: it knows every one up to 256, then every second one, every fourth, …
NOT_IN_BFLOAT16 = (257, 511, 515, 1001, 2047, 4097)


def cases(seed: int) -> list[Case]:
    """Tokens at all kinds of positions: from 0 on, with an offset, with gaps, out of order, far out."""
    draw = Inputs(seed)

    def case(name, about, shape, positions, dtype=torch.float32, theta=None, tokens_first=False, **tolerance):
        x = draw.normal(*shape, mean=0.5).clamp(-3, 3).to(dtype)
        if tokens_first:
            x = x.transpose(1, 2).contiguous().transpose(1, 2)
        data = {"x": x, "positions": torch.tensor(positions), "grad_y": draw.normal(*shape).to(dtype)}
        data |= {} if theta is None else {"theta": theta}
        return Case(name, f"{about} (x: {list(shape)})", data, **NEAR | tolerance)

    far = (1000, 5003, 9001, 20011, 30011)
    return [
        case("batch", "positions 0 to 4", (2, 3, 5, 8), range(5)),
        case("one_pair", "one pair a head, positions 0 to 3", (2, 1, 4, 2), range(4)),
        case("token_first", "heads cut from a projection, not contiguous", (2, 4, 3, 6), range(3), tokens_first=True),
        case("float64", "float64", (1, 2, 4, 6), range(4), torch.float64),
        case("offset", "positions 7 to 12", (1, 2, 6, 10), range(7, 13)),
        case("gaps", "positions 3, 0, 11, 12, 40, 12, 5", (2, 3, 7, 4), (3, 0, 11, 12, 40, 12, 5)),
        case("one_token", "one token, at position 19", (2, 3, 1, 6), (19,)),
        case("theta", "theta = 500000", (1, 2, 5, 12), (0, 2, 9, 20, 33), theta=500000.0),
        case("small_theta", "theta = 100", (1, 3, 4, 8), (1, 4, 17, 30), theta=100.0),
        case("far", "positions up to 30011", (1, 2, 5, 16), far, **FAR),
        case("bfloat16", "bfloat16, positions 0 to 6", (2, 3, 7, 8), range(7), torch.bfloat16, **HALF),
        case("bfloat16_far", "bfloat16, positions up to 4097", (1, 2, 6, 16), NOT_IN_BFLOAT16, torch.bfloat16, **HALF),
    ]


def probe(apply_rope, rec: Recorder) -> None:
    options = {"theta": rec["theta"]} if "theta" in rec.case.data else {}
    rec.output("y", apply_rope(*rec.inputs("x", "positions"), **options))
    if rec.case.name in GRADIENT_CASES:
        leaves, (x,) = rec.leaves("x")
        rec.gradients(apply_rope(x, rec["positions"].clone(), **options), rec["grad_y"], leaves)


LAYOUT = ("batch", "one_pair", "token_first", "float64")
POSITIONS = ("offset", "gaps", "one_token")
THETAS = ("theta", "small_theta")
PRECISION = ("far", "bfloat16", "bfloat16_far")
GRADIENT_CASES = ("batch", "gaps", "theta")

EXERCISE = Exercise(
    id="apply_rope",
    lesson="09_attention",
    name="apply_rope",
    kind="function",
    signature="apply_rope(x, positions, theta=10000.0)",
    arguments=("x", "positions"),
    keywords=("theta",),
    checks=(
        Check("layout", 2, "which number is turned with which, by how much and which way", LAYOUT, ("y",)),
        Check("positions", 1, "the positions that were given", POSITIONS, ("y",)),
        Check("theta", 1, "another theta", THETAS, ("y",)),
        Check("precision", 1, "angles in fp32, far out and for half types", PRECISION, ("y",)),
        Check("gradients", 1, "the gradient of x", GRADIENT_CASES, ("grad_x",)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "How many pairs are there in a head, and so how many frequencies? Where does the partner of number 0 stand, "
        "in the half-split layout?",
        "Compute hd/2 frequencies, all pairs of position and frequency as a [T, hd/2] table of angles, its cosine and "
        "sine. All of it in float32, whatever x is; cast at the end. Split x in two halves and turn them.",
        "`torch.outer(positions.float(), frequencies)` is the table; the exponents of theta are -i / (hd/2) for "
        "i = 0, 1, … The new first half is first·cos − second·sin, the new second half second·cos + first·sin; "
        "`torch.cat` along the last axis.",
    ),
    forbidden=("lessons.support.llama.given_rope",),
)
