"""Right and wrong ways to write `sandwich_norm(x, sublayer, norm_in, norm_out)`."""

import torch
from torch.utils.checkpoint import checkpoint

from grader.answers import Answers

answers = Answers(
    "sandwich_norm",
    why="norm_in sets the size of what the sublayer reads, norm_out the size of what it may add. Both stand inside the "
    "branch, so the stream still runs past them untouched.",
)


@answers.right
def as_the_formula(x, sublayer, norm_in, norm_out):
    return x + norm_out(sublayer(norm_in(x)))


@answers.right
def in_steps(x, sublayer, norm_in, norm_out, *, scale: float = 1.0):
    residual = x
    x = norm_in(x)
    x = sublayer(x)
    x = norm_out(x)
    return residual + scale * x


@answers.right
def in_place_on_the_branch(x, sublayer, norm_in, norm_out):
    branch = norm_out(sublayer(norm_in(x)))
    branch += x
    return branch


@answers.right
def by_sequential(x, sublayer, norm_in, norm_out):
    return torch.nn.Sequential(norm_in, sublayer, norm_out)(x) + x


@answers.right
def by_a_loop(x, sublayer, norm_in, norm_out):
    h = x
    for step in (norm_in, sublayer, norm_out):
        h = step(h)
    return torch.add(x, h)


@answers.right
def pre_norm_of_a_longer_branch(x, sublayer, norm_in, norm_out):
    def pre_norm(x, sublayer, norm):
        return x + sublayer(norm(x))

    return pre_norm(x, lambda h: norm_out(sublayer(h)), norm_in)


@answers.right
def recomputed(x, sublayer, norm_in, norm_out):
    return x + checkpoint(lambda h: norm_out(sublayer(norm_in(h))), x, use_reentrant=False)


@answers.mistake("the norms are swapped", "norm_in comes before the sublayer, norm_out after it.")
def swapped(x, sublayer, norm_in, norm_out):
    return x + norm_in(sublayer(norm_out(x)))


@answers.mistake("norm_in on both sides", "There are two norms with gains of their own: norm_out is never used.")
def norm_in_twice(x, sublayer, norm_in, norm_out):
    return x + norm_in(sublayer(norm_in(x)))


@answers.mistake("norm_out on both sides", "There are two norms with gains of their own: norm_in is never used.")
def norm_out_twice(x, sublayer, norm_in, norm_out):
    return x + norm_out(sublayer(norm_out(x)))


@answers.mistake(
    "norm_out is outside the branch",
    "You normalise the sum, so the stream passes a norm. norm_out takes the sublayer's result, before x is added.",
)
def norm_out_on_the_sum(x, sublayer, norm_in, norm_out):
    return norm_out(x + sublayer(norm_in(x)))


@answers.mistake("the skip carries the normed x", "What is added at the end is x as it came in, not norm_in(x).")
def skip_is_normed(x, sublayer, norm_in, norm_out):
    x = norm_in(x)
    return x + norm_out(sublayer(x))


@answers.mistake(
    "the skip is normed and norm_out outside", "Both norms stand inside the branch; the stream meets neither."
)
def everything_normed(x, sublayer, norm_in, norm_out):
    x = norm_in(x)
    return norm_out(x + sublayer(x))


@answers.mistake("norm_out is missing", "That is pre-norm. The sandwich normalises the sublayer's result as well.")
def no_norm_out(x, sublayer, norm_in, norm_out):
    branch = sublayer(norm_in(x))
    norm_out(branch)
    return x + branch


@answers.mistake(
    "norm_in is missing", "That is OLMo 2's place for the norm. The sandwich normalises the input as well."
)
def no_norm_in(x, sublayer, norm_in, norm_out):
    norm_in(x)
    return x + norm_out(sublayer(x))


@answers.mistake("no norm is used", "Two norms are handed to you; the branch is norm_in, sublayer, norm_out.")
def no_norms(x, sublayer, norm_in, norm_out):
    return x + sublayer(x)


@answers.mistake(
    "post-norm with norm_out", "The norm of the sum is the arrangement of 2017. Here both are in the branch."
)
def post(x, sublayer, norm_in, norm_out):
    return norm_out(x + sublayer(x))


@answers.mistake("the skip connection is missing", "The end of the branch is added to x; it does not replace it.")
def no_skip(x, sublayer, norm_in, norm_out):
    return norm_out(sublayer(norm_in(x)))


@answers.mistake("both norms stand before the sublayer", "One on each side: norm_out takes the sublayer's result.")
def both_before(x, sublayer, norm_in, norm_out):
    return x + sublayer(norm_out(norm_in(x)))


@answers.mistake("both norms stand after the sublayer", "One on each side: norm_in takes x, before the sublayer.")
def both_after(x, sublayer, norm_in, norm_out):
    return x + norm_out(norm_in(sublayer(x)))


@answers.mistake("the sublayer is not called", "Between the two norms stands the sublayer.")
def sublayer_forgotten(x, sublayer, norm_in, norm_out):
    return x + norm_out(norm_in(x))


@answers.mistake("the skip is inside norm_out as well", "x is added once, after norm_out.")
def skip_on_both_sides(x, sublayer, norm_in, norm_out):
    return x + norm_out(x + sublayer(norm_in(x)))


@answers.mistake("the stream is normed at the end", "Nothing comes after the addition.")
def norm_at_the_end(x, sublayer, norm_in, norm_out):
    return norm_out(x + norm_out(sublayer(norm_in(x))))


@answers.mistake("x is changed in place", "`+=` writes into the caller's tensor. Make a new one with `+`.")
def in_place(x, sublayer, norm_in, norm_out):
    x += norm_out(sublayer(norm_in(x)))
    return x


@answers.mistake(
    "the stream is detached", "`detach` cuts the identity path: gradients reach x through the branch only."
)
def detached_stream(x, sublayer, norm_in, norm_out):
    return x.detach() + norm_out(sublayer(norm_in(x)))


@answers.mistake("the branch reads a detached x", "`detach` cuts the branch: no gradient reaches x through it.")
def detached_branch(x, sublayer, norm_in, norm_out):
    return x + norm_out(sublayer(norm_in(x.detach())))


@answers.mistake("the sublayer's result is detached", "`detach` inside the branch: only norm_out still learns from it.")
def detached_sublayer(x, sublayer, norm_in, norm_out):
    return x + norm_out(sublayer(norm_in(x)).detach())


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x, sublayer, norm_in, norm_out):
    with torch.no_grad():
        return x + norm_out(sublayer(norm_in(x)))


@answers.mistake("the result is float32", "Return the dtype of x: the stream keeps its dtype.")
def stays_float32(x, sublayer, norm_in, norm_out):
    return x.float() + norm_out(sublayer(norm_in(x)))
