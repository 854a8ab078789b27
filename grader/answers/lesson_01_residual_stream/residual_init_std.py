"""Right and wrong ways to write `residual_init_std(std, n_blocks)`."""

import math

import numpy
import torch

from grader.answers import Answers

answers = Answers(
    "residual_init_std",
    why="Each block writes twice, so there are 2 * n_blocks contributions. Independent ones add their variances; "
    "divided by the root of their number, together they add as much as one did.",
)


@answers.right
def by_root(std, n_blocks):
    return std / math.sqrt(2 * n_blocks)


@answers.right
def by_power(std, n_blocks):
    return std * (2 * n_blocks) ** -0.5


@answers.right
def by_variance(std: float, n_blocks: int) -> float:
    return math.sqrt(std**2 / (2.0 * n_blocks))


@answers.right
def by_torch(std, n_blocks, per_block=2):
    return (std * torch.rsqrt(torch.tensor(float(per_block * n_blocks)))).item()


@answers.right
def by_numpy(std, n_blocks):
    return std / numpy.sqrt(n_blocks) / numpy.sqrt(2)


@answers.right
def by_logarithm(std, n_blocks):
    return math.exp(math.log(std) - 0.5 * math.log(2 * n_blocks))


@answers.mistake(
    "dividing by the number itself",
    "Variances add, not standard deviations: divide by the ROOT of the number of contributions.",
)
def no_root(std, n_blocks):
    return std / (2 * n_blocks)


@answers.mistake("one contribution a block", "Attention and feed-forward each write to the stream: two a block.")
def one_a_block(std, n_blocks):
    return std / math.sqrt(n_blocks)


@answers.mistake(
    "one contribution a block, and no root",
    "There are two writes a block, and variances add, not standard deviations: take the root of their number.",
)
def one_a_block_no_root(std, n_blocks):
    return std / n_blocks


@answers.mistake("multiplying by the root", "The deeper the model, the smaller each contribution: divide.")
def multiplies(std, n_blocks):
    return std * math.sqrt(2 * n_blocks)


@answers.mistake("the root of everything", "std is a standard deviation already: only the number goes under the root.")
def root_of_everything(std, n_blocks):
    return math.sqrt(std / (2 * n_blocks))


@answers.mistake("the 2 is outside the root", "The 2 counts writes, like n_blocks: both go under the root.")
def two_outside(std, n_blocks):
    return std / (2 * math.sqrt(n_blocks))


@answers.mistake("the 2 multiplies", "`2 * n ** -0.5` raises n alone to the power. Put brackets around 2 * n.")
def power_first(std, n_blocks):
    return std * 2 * n_blocks**-0.5


@answers.mistake(
    "the root of 2 multiplies", "The 2 counts writes: it makes each contribution smaller. Divide by its root."
)
def root_two_multiplies(std, n_blocks):
    return std * math.sqrt(2 / n_blocks)


@answers.mistake("std is ignored", "Your result does not depend on `std`; scale the one that is given.")
def ignores_std(std, n_blocks):
    return 0.02 / math.sqrt(2 * n_blocks)


@answers.mistake("only the factor", "That is the factor alone: multiply std by it.")
def factor_alone(std, n_blocks):
    return 1 / math.sqrt(2 * n_blocks)


@answers.mistake("the variance", "You return the variance. The standard deviation is its root.")
def variance(std, n_blocks):
    return std**2 / (2 * n_blocks)


@answers.mistake("std is squared", "The square belongs to the variance. The standard deviation is divided as it is.")
def squares_std(std, n_blocks):
    return std**2 / math.sqrt(2 * n_blocks)


@answers.mistake(
    "the root of the root", "One root is enough. (DeepNet uses a fourth root, with another norm placement.)"
)
def fourth_root(std, n_blocks):
    return std / (2 * n_blocks) ** 0.25


@answers.mistake("the embedding is counted", "Only what the blocks write is scaled: 2 * n_blocks contributions.")
def counts_embedding(std, n_blocks):
    return std / math.sqrt(2 * n_blocks + 1)


@answers.mistake("a whole root", "`math.isqrt` drops the fraction of the root. Use `math.sqrt`.")
def whole_root(std, n_blocks):
    return std / math.isqrt(2 * n_blocks)


@answers.mistake("whole division", "`//` drops the fraction: divide with `/`.")
def whole_division(std, n_blocks):
    return std // math.sqrt(2 * n_blocks)


@answers.mistake("the result is rounded", "Return the number as it is; rounding is for printing.")
def rounded(std, n_blocks):
    return round(std / math.sqrt(2 * n_blocks), 4)


@answers.mistake("a tensor is returned", "Return a Python float: `math.sqrt` gives one, and `.item()` makes one.")
def a_tensor(std, n_blocks):
    return std / torch.tensor(2.0 * n_blocks).sqrt()


@answers.mistake("std is not scaled", "The result has to fall with the number of blocks.")
def unscaled(std, n_blocks):
    return float(std)
