"""Right and wrong ways to write `ffn_flops(tokens, dim, hidden_dim, gated)`."""

import torch
from torch.utils.flop_counter import FlopCounterMode

from grader.answers import Answers

answers = Answers(
    "ffn_flops",
    why="Each token passes through each matrix; that takes dim · hidden_dim multiply-adds, and a multiply-add is two "
    "operations. So: 2 · tokens · parameters, for a network without biases.",
)


@answers.right
def by_formula(tokens, dim, hidden_dim, gated):
    matrices = 3 if gated else 2
    return 2 * tokens * matrices * dim * hidden_dim


@answers.right
def product_by_product(tokens: int, dim: int, hidden_dim: int, gated: bool) -> int:
    widen = 2 * tokens * dim * hidden_dim
    narrow = 2 * tokens * hidden_dim * dim
    return widen + widen + narrow if gated else widen + narrow


@answers.right
def flag_as_a_number(tokens, dim, hidden_dim, gated=True):
    return (4 + 2 * gated) * tokens * dim * hidden_dim


@answers.right
def one_token_times_tokens(tokens, dim, hidden_dim, gated):
    return sum(2 * a * b for a, b in [(dim, hidden_dim), (hidden_dim, dim), (dim, hidden_dim)][: 2 + gated]) * tokens


@answers.right
def shift(tokens, dim, hidden_dim, gated):
    return (tokens * dim * hidden_dim << 1) * (2 + int(bool(gated)))


@answers.right
def counted_by_torch(tokens, dim, hidden_dim, gated):
    x, up, down = (torch.empty(*s, device="meta") for s in ((tokens, dim), (dim, hidden_dim), (hidden_dim, dim)))
    with FlopCounterMode(display=False) as counter:
        hidden = x @ up
        hidden = hidden * (x @ up) if gated else hidden
        hidden @ down
    return counter.get_total_flops()


@answers.mistake("multiply-adds counted once", "A multiply-add is a product and a sum: it counts 2.")
def macs(tokens, dim, hidden_dim, gated):
    return tokens * (2 + gated) * dim * hidden_dim


@answers.mistake(
    "one addition too few for each output", "Exact, but not the convention: a multiply-add counts 2, always."
)
def one_addition_less(tokens, dim, hidden_dim, gated):
    return tokens * ((1 + gated) * hidden_dim * (2 * dim - 1) + dim * (2 * hidden_dim - 1))


@answers.mistake("two matrices for a gated network", "A gated network has a third product, for the gate.")
def always_two(tokens, dim, hidden_dim, gated):
    return 2 * tokens * 2 * dim * hidden_dim


@answers.mistake("three matrices always", "A plain network has two. Look at the argument `gated`.")
def always_three(tokens, dim, hidden_dim, gated):
    return 2 * tokens * 3 * dim * hidden_dim


@answers.mistake("plain and gated swapped", "The gated network is the one with three products.")
def swapped(tokens, dim, hidden_dim, gated):
    return 2 * tokens * (3 - gated) * dim * hidden_dim


@answers.mistake("one matrix", "There is a way up and a way back, and for a gated network one more.")
def one_matrix(tokens, dim, hidden_dim, gated):
    return 2 * tokens * (1 + gated) * dim * hidden_dim


@answers.mistake("the tokens are forgotten", "Every token passes through every matrix: times `tokens`.")
def no_tokens(tokens, dim, hidden_dim, gated):
    return 2 * (2 + gated) * dim * hidden_dim


@answers.mistake("tokens squared", "Only attention compares tokens with each other; the FFN takes each by itself.")
def tokens_squared(tokens, dim, hidden_dim, gated):
    return 2 * tokens**2 * (2 + gated) * dim * hidden_dim


@answers.mistake("the backward pass as well", "6 a parameter and token is a whole training step. Here: forward only.")
def with_backward(tokens, dim, hidden_dim, gated):
    return 6 * tokens * (2 + gated) * dim * hidden_dim


@answers.mistake("the activation as well", "Matrix products only: element-wise work is not counted.")
def with_activation(tokens, dim, hidden_dim, gated):
    return 2 * tokens * (2 + gated) * dim * hidden_dim + tokens * hidden_dim


@answers.mistake("the product of gate and signal as well", "Matrix products only: element-wise work is not counted.")
def with_gate_product(tokens, dim, hidden_dim, gated):
    return 2 * tokens * (2 + gated) * dim * hidden_dim + gated * tokens * hidden_dim


@answers.mistake("activation and gate product as well", "Matrix products only: element-wise work is not counted.")
def with_both(tokens, dim, hidden_dim, gated):
    return 2 * tokens * (2 + gated) * dim * hidden_dim + (1 + gated) * tokens * hidden_dim


@answers.mistake("biases as well", "Matrix products only, and these layers have no biases.")
def with_biases(tokens, dim, hidden_dim, gated):
    return tokens * (2 * (2 + gated) * dim * hidden_dim + (1 + gated) * hidden_dim + dim)


@answers.mistake("a width of 4·dim", "Use the argument hidden_dim: models differ in it.")
def four_times(tokens, dim, hidden_dim, gated):
    return 2 * tokens * (2 + gated) * dim * 4 * dim


@answers.mistake("two thirds of the width inside", "hidden_dim is the final width; the two thirds are in it already.")
def two_thirds_inside(tokens, dim, hidden_dim, gated):
    hidden = 2 * hidden_dim // 3 if gated else hidden_dim
    return 2 * tokens * (2 + gated) * dim * hidden


@answers.mistake("widths added", "Each output is a sum over all inputs: inputs times outputs, not plus.")
def added(tokens, dim, hidden_dim, gated):
    return 2 * tokens * (2 + gated) * (dim + hidden_dim)


@answers.mistake("a float", "A count is an int: `/` and factors like 1.5 make a float of it.")
def a_float(tokens, dim, hidden_dim, gated):
    return (1.5 if gated else 1.0) * 4 * tokens * dim * hidden_dim


@answers.mistake("a tensor", "The answer is a plain Python int; a tensor needs `.item()`.")
def a_tensor(tokens, dim, hidden_dim, gated):
    return torch.tensor(2 * tokens * (2 + gated) * dim * hidden_dim)
