"""Right and wrong ways to write `ffn_params(dim, hidden_dim, gated, bias=False)`."""

import math

import torch
from torch import nn

from grader.answers import Answers

answers = Answers(
    "ffn_params",
    why="Every matrix leads between dim and hidden_dim, so each has dim · hidden_dim numbers: two or three of them. A "
    "bias is as long as its layer's output: hidden_dim for each layer that widens, dim for the one that leads back.",
)


@answers.right
def by_formula(dim, hidden_dim, gated, bias=False):
    matrices = (3 if gated else 2) * dim * hidden_dim
    biases = (2 if gated else 1) * hidden_dim + dim
    return matrices + biases if bias else matrices


@answers.right
def flags_as_numbers(dim: int, hidden_dim: int, gated: bool, bias: bool = False) -> int:
    return (2 + gated) * dim * hidden_dim + bias * ((1 + gated) * hidden_dim + dim)


@answers.right
def layer_by_layer(dim, hidden_dim, gated, bias=False, *, verbose=False):
    layers = [(dim, hidden_dim)] * (2 if gated else 1) + [(hidden_dim, dim)]
    return sum(fan_in * fan_out + (fan_out if bias else 0) for fan_in, fan_out in layers)


@answers.right
def counts_real_layers(dim, hidden_dim, gated, bias=False):
    with torch.device("meta"):  # shapes only, no memory
        layers = [nn.Linear(dim, hidden_dim, bias=bias) for _ in range(1 + bool(gated))]
        layers.append(nn.Linear(hidden_dim, dim, bias=bias))
    return sum(p.numel() for layer in layers for p in layer.parameters())


@answers.right
def bias_as_an_extra_input(dim, hidden_dim, gated, bias=False):
    one = int(bias)
    widening = (dim + one) * hidden_dim
    return widening * (2 if gated else 1) + (hidden_dim + one) * dim


@answers.right
def with_math_prod(dim, hidden_dim, gated, bias=False):
    shapes = [(dim, hidden_dim), (hidden_dim, dim)]
    if gated:
        shapes += [(dim, hidden_dim)]
    if bias:
        shapes += [shape[1:] for shape in shapes]
    return sum(map(math.prod, shapes))


def _biases(dim, hidden_dim, gated, bias):
    """The numbers in the biases, counted right: common to most of these."""
    return bias * ((1 + gated) * hidden_dim + dim)


@answers.mistake("two matrices for a gated network", "A gated network has a third matrix, for the gate.")
def always_two(dim, hidden_dim, gated, bias=False):
    return 2 * dim * hidden_dim + bias * (hidden_dim + dim)


@answers.mistake(
    "two matrices for a gated network, with the biases of three", "The gate has a matrix, not only a bias."
)
def two_with_biases_of_three(dim, hidden_dim, gated, bias=False):
    return 2 * dim * hidden_dim + _biases(dim, hidden_dim, gated, bias)


@answers.mistake("three matrices always", "A plain network has two. Look at the argument `gated`.")
def always_three(dim, hidden_dim, gated, bias=False):
    return 3 * dim * hidden_dim + _biases(dim, hidden_dim, True, bias)


@answers.mistake("plain and gated swapped", "The gated network is the one with three matrices.")
def swapped(dim, hidden_dim, gated, bias=False):
    return (3 - gated) * dim * hidden_dim + _biases(dim, hidden_dim, not gated, bias)


@answers.mistake("one matrix", "There is a way up and a way back, and for a gated network one more.")
def one_matrix(dim, hidden_dim, gated, bias=False):
    return (1 + gated) * dim * hidden_dim + _biases(dim, hidden_dim, gated, bias)


@answers.mistake("the gate as a vector", "The gate is computed from the token by a matrix of its own.")
def gate_as_vector(dim, hidden_dim, gated, bias=False):
    return 2 * dim * hidden_dim + gated * hidden_dim + bias * (hidden_dim + dim)


@answers.mistake("no biases", "The argument `bias` is not used: each layer's bias has one number for each output.")
def no_biases(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * dim * hidden_dim


@answers.mistake("biases always", "Biases are counted only if `bias` is true; Llama's layers have none.")
def always_biases(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * dim * hidden_dim + _biases(dim, hidden_dim, gated, True)


@answers.mistake("biases by default", "The signature says bias=False.")
def default_true(dim, hidden_dim, gated, bias=True):
    return (2 + gated) * dim * hidden_dim + _biases(dim, hidden_dim, gated, bias)


@answers.mistake("no default for bias", "`ffn_params(dim, hidden_dim, gated)` must work: bias=False by default.")
def no_default(dim, hidden_dim, gated, bias):
    return (2 + gated) * dim * hidden_dim + _biases(dim, hidden_dim, gated, bias)


@answers.mistake("biases as long as the inputs", "A bias is added to a layer's *output*, and is as long as that.")
def biases_of_inputs(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * dim * hidden_dim + bias * ((1 + gated) * dim + hidden_dim)


@answers.mistake("all biases of length hidden_dim", "The last layer leads back to dim, and so does its bias.")
def biases_all_hidden(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * (dim * hidden_dim + bias * hidden_dim)


@answers.mistake("all biases of length dim", "The layers that widen have hidden_dim outputs, and biases as long.")
def biases_all_dim(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * (dim * hidden_dim + bias * dim)


@answers.mistake("the gate's bias is forgotten", "With three layers there are three biases.")
def gate_bias_forgotten(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * dim * hidden_dim + bias * (hidden_dim + dim)


@answers.mistake("the last layer's bias is forgotten", "The layer that leads back has a bias too, of length dim.")
def last_bias_forgotten(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * dim * hidden_dim + bias * (1 + gated) * hidden_dim


@answers.mistake("one number a bias", "A bias is a vector: one number for each output of its layer.")
def bias_is_one_number(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * (dim * hidden_dim + bias)


@answers.mistake("a width of 4·dim", "Use the argument hidden_dim: models differ in it.")
def four_times(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * dim * 4 * dim + _biases(dim, 4 * dim, gated, bias)


@answers.mistake("two thirds of the width inside", "hidden_dim is the final width; the two thirds are in it already.")
def two_thirds_inside(dim, hidden_dim, gated, bias=False):
    hidden = 2 * hidden_dim // 3 if gated else hidden_dim
    return (2 + gated) * dim * hidden + _biases(dim, hidden, gated, bias)


@answers.mistake("widths added", "A matrix has rows times columns numbers.")
def added(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * (dim + hidden_dim) + _biases(dim, hidden_dim, gated, bias)


@answers.mistake("bytes", "Count numbers, whatever they take to store.")
def in_bytes(dim, hidden_dim, gated, bias=False):
    return 4 * ((2 + gated) * dim * hidden_dim + _biases(dim, hidden_dim, gated, bias))


@answers.mistake("the norm's weight as well", "The norm before the network is not a part of it.")
def with_norm(dim, hidden_dim, gated, bias=False):
    return (2 + gated) * dim * hidden_dim + _biases(dim, hidden_dim, gated, bias) + dim


@answers.mistake("a float", "A count is an int: `/` and factors like 1.5 make a float of it.")
def a_float(dim, hidden_dim, gated, bias=False):
    return (1.5 if gated else 1.0) * 2 * dim * hidden_dim + _biases(dim, hidden_dim, gated, bias)


@answers.mistake("a tensor", "The answer is a plain Python int; a tensor needs `.item()`.")
def a_tensor(dim, hidden_dim, gated, bias=False):
    return torch.tensor((2 + gated) * dim * hidden_dim + _biases(dim, hidden_dim, gated, bias))
