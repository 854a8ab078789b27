"""Right and wrong ways to write `ffn_hidden_dim(dim, multiple_of=256, multiplier=1.0)`."""

import math

import numpy as np
import torch

from grader.answers import Answers

answers = Answers(
    "ffn_hidden_dim",
    why="8/3 of dim, cut to an integer; times the multiplier, cut again; then up to a multiple. Adding m - 1 before "
    "`// m` counts a started multiple in full and leaves an exact one alone.",
)


@answers.right
def add_before_dividing(dim, multiple_of=256, multiplier=1.0):
    hidden = int(multiplier * int(8 * dim / 3))
    return (hidden + multiple_of - 1) // multiple_of * multiple_of


@answers.right
def as_meta_writes_it(dim: int, multiple_of: int = 256, multiplier: float | None = 1.0) -> int:
    hidden_dim = 4 * dim
    hidden_dim = int(2 * hidden_dim / 3)
    if multiplier is not None:
        hidden_dim = int(multiplier * hidden_dim)
    return multiple_of * ((hidden_dim + multiple_of - 1) // multiple_of)


@answers.right
def floor_of_the_negative(dim, multiple_of=256, multiplier=1.0):
    n = int(8 * dim // 3 * multiplier)
    return -(-n // multiple_of) * multiple_of


@answers.right
def add_what_is_missing(dim, multiple_of=256, multiplier=1.0):
    n = math.floor(multiplier * (8 * dim // 3))
    return n + -n % multiple_of


@answers.right
def ceiling(dim, multiple_of=256, multiplier=1.0):
    n = math.trunc(math.trunc(dim * 8 / 3) * multiplier)
    return math.ceil(n / multiple_of) * multiple_of


@answers.right
def with_a_remainder(dim, multiple_of=256, multiplier=1.0, *, verbose=False):
    n = int(int(8 * dim / 3) * multiplier)
    whole, rest = divmod(n, multiple_of)
    return (whole + bool(rest)) * multiple_of


@answers.right
def by_counting(dim, multiple_of=256, multiplier=1.0):
    n, hidden = int(multiplier * int(8 * dim / 3)), 0
    while hidden < n:
        hidden += multiple_of
    return hidden


@answers.right
def numpy_cast_back(dim, multiple_of=256, multiplier=1.0):
    n = np.floor(multiplier * np.floor(8 * dim / 3))
    return int(np.ceil(n / multiple_of) * multiple_of)


def _base(dim):
    """The first step, done right: common to most of these."""
    return int(8 * dim / 3)


def _up(n, multiple_of):
    """The last step, done right."""
    return -(-n // multiple_of) * multiple_of


@answers.mistake("rounding down", "`//` alone drops the started multiple. The width must hold all that was computed.")
def rounds_down(dim, multiple_of=256, multiplier=1.0):
    return int(multiplier * _base(dim)) // multiple_of * multiple_of


@answers.mistake("rounding to the nearest multiple", "Always up. 4096 hides the difference; 2048 shows it.")
def rounds_to_nearest(dim, multiple_of=256, multiplier=1.0):
    return round(int(multiplier * _base(dim)) / multiple_of) * multiple_of


@answers.mistake(
    "rounding to the nearest multiple, with no cut before",
    "The last step always goes up. And `int` cuts twice before that: after 8/3 of dim, and after the multiplier.",
)
def rounds_once_to_nearest(dim, multiple_of=256, multiplier=1.0):
    return round(8 * dim / 3 * multiplier / multiple_of) * multiple_of


@answers.mistake(
    "a multiple too many when nothing is to be rounded", "A width that is a multiple already stays as it is."
)
def one_more_when_exact(dim, multiple_of=256, multiplier=1.0):
    return (int(multiplier * _base(dim)) // multiple_of + 1) * multiple_of


@answers.mistake(
    "one too little added before the division", "To count a started multiple in full, add multiple_of - 1."
)
def adds_too_little(dim, multiple_of=256, multiplier=1.0):
    return (int(multiplier * _base(dim)) + multiple_of - 2) // multiple_of * multiple_of


@answers.mistake("no rounding at all", "The argument `multiple_of` is not used: the last step is missing.")
def never_rounds(dim, multiple_of=256, multiplier=1.0):
    return int(multiplier * _base(dim))


@answers.mistake("always a multiple of 256", "256 is only the default: use the argument `multiple_of`.")
def always_256(dim, multiple_of=256, multiplier=1.0):
    return _up(int(multiplier * _base(dim)), 256)


@answers.mistake("rounding up to a power of two", "Up to a multiple of `multiple_of`, which is a finer grid.")
def power_of_two(dim, multiple_of=256, multiplier=1.0):
    return 2 ** math.ceil(math.log2(int(multiplier * _base(dim))))


@answers.mistake("the multiplier is ignored", "The second step is missing: times `multiplier`, cut to an integer.")
def no_multiplier(dim, multiple_of=256, multiplier=1.0):
    return _up(_base(dim), multiple_of)


@answers.mistake(
    "the multiplier after the rounding", "Multiply first: after rounding, the width is no multiple any more."
)
def multiplier_last(dim, multiple_of=256, multiplier=1.0):
    return int(multiplier * _up(_base(dim), multiple_of))


@answers.mistake(
    "rounding before and after the multiplier", "Round up once, at the end. Rounding twice is too generous."
)
def rounds_twice(dim, multiple_of=256, multiplier=1.0):
    return _up(int(multiplier * _up(_base(dim), multiple_of)), multiple_of)


@answers.mistake(
    "one cut to an integer in place of two",
    "8/3 of dim is cut to an integer before the multiplier comes. Where multiple_of is 1 the difference stays visible.",
)
def truncates_once(dim, multiple_of=256, multiplier=1.0):
    return _up(int(multiplier * 8 * dim / 3), multiple_of)


@answers.mistake("the multiplier on dim", "8/3 of dim comes first; the multiplier acts on that, not on dim.")
def multiplier_on_dim(dim, multiple_of=256, multiplier=1.0):
    return _up(int(8 * int(multiplier * dim) / 3), multiple_of)


@answers.mistake("the multiplier on 4·dim", "The two thirds come first; the multiplier acts on what they leave.")
def multiplier_on_four_dim(dim, multiple_of=256, multiplier=1.0):
    return _up(int(2 * int(multiplier * 4 * dim) / 3), multiple_of)


@answers.mistake("the second step rounded to nearest", "`int` cuts off after the multiplier too: 585.5 becomes 585.")
def rounds_multiplied(dim, multiple_of=256, multiplier=1.0):
    return _up(round(multiplier * _base(dim)), multiple_of)


@answers.mistake("8/3 of dim rounded to nearest", "`int` cuts off: 266.67 becomes 266. `round` makes it 267.")
def rounds_base(dim, multiple_of=256, multiplier=1.0):
    return _up(int(multiplier * round(8 * dim / 3)), multiple_of)


@answers.mistake("8/3 of dim rounded up", "`int` cuts off: only the last step rounds up.")
def ceils_base(dim, multiple_of=256, multiplier=1.0):
    return _up(int(multiplier * math.ceil(8 * dim / 3)), multiple_of)


@answers.mistake("the second step rounded up", "`int` cuts off after the multiplier too: only the last step rounds up.")
def ceils_multiplied(dim, multiple_of=256, multiplier=1.0):
    return _up(math.ceil(multiplier * _base(dim)), multiple_of)


@answers.mistake(
    "4·dim", "4 is the width of the plain network. With three matrices, 8/3 keeps the number of parameters."
)
def four_times(dim, multiple_of=256, multiplier=1.0):
    return _up(int(multiplier * 4 * dim), multiple_of)


@answers.mistake("2/3 of dim", "Two thirds of 4·dim, not of dim: the width of the plain network comes first.")
def two_thirds_of_dim(dim, multiple_of=256, multiplier=1.0):
    return _up(int(multiplier * int(2 * dim / 3)), multiple_of)


@answers.mistake("8 // 3", "`8 // 3` is 2. Multiply by dim first, then divide.")
def integer_ratio(dim, multiple_of=256, multiplier=1.0):
    return _up(int(multiplier * (8 // 3 * dim)), multiple_of)


@answers.mistake("3/8 in place of 8/3", "The hidden width is larger than dim: 8 above, 3 below.")
def upside_down(dim, multiple_of=256, multiplier=1.0):
    return _up(int(multiplier * int(3 * dim / 8)), multiple_of)


@answers.mistake("2.67 in place of 8/3", "2.67 is 8/3 for the eye only: wide models show the difference.")
def decimals(dim, multiple_of=256, multiplier=1.0):
    return _up(int(multiplier * int(2.67 * dim)), multiple_of)


@answers.mistake(
    "a float", "The value is right, its type is not: nn.Linear wants an int. Cast it, or divide with `//`."
)
def a_float(dim, multiple_of=256, multiplier=1.0):
    return float(_up(int(multiplier * _base(dim)), multiple_of))


@answers.mistake("`/` where `//` is needed", "`/` gives a float and keeps the fraction, so nothing is rounded.")
def true_division(dim, multiple_of=256, multiplier=1.0):
    return (int(multiplier * _base(dim)) + multiple_of - 1) / multiple_of * multiple_of


@answers.mistake("a tensor", "The answer is a plain Python int; a tensor needs `.item()`.")
def a_tensor(dim, multiple_of=256, multiplier=1.0):
    return torch.tensor(_up(int(multiplier * _base(dim)), multiple_of))


@answers.mistake(
    "no default values", "`ffn_hidden_dim(4096)` must work: multiple_of=256 and multiplier=1.0 by default."
)
def no_defaults(dim, multiple_of, multiplier):
    return _up(int(multiplier * _base(dim)), multiple_of)


@answers.mistake("a default of 1 for multiple_of", "The signature asks for multiple_of=256.")
def other_default(dim, multiple_of=1, multiplier=1.0):
    return _up(int(multiplier * _base(dim)), multiple_of)


@answers.mistake("a default of 1024 for multiple_of", "The signature asks for multiple_of=256.")
def default_1024(dim, multiple_of=1024, multiplier=1.0):
    return _up(int(multiplier * _base(dim)), multiple_of)
