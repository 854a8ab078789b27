"""Right and wrong ways to write `pre_norm_block(x, attn, ffn, attn_norm, ffn_norm)`."""

import torch
from torch.utils.checkpoint import checkpoint

from grader.answers import Answers

answers = Answers(
    "pre_norm_block",
    why="Two pre-norm steps, one after the other. After the first, the stream is x plus what attention wrote; the FFN "
    "reads that stream, through its own norm, and adds to that stream.",
)


@answers.right
def as_the_formulas(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(attn_norm(x))
    return h + ffn(ffn_norm(h))


@answers.right
def x_again(x: torch.Tensor, attn, ffn, attn_norm, ffn_norm) -> torch.Tensor:
    x = x + attn(attn_norm(x))
    x = x + ffn(ffn_norm(x))
    return x


@answers.right
def by_a_loop(x, attn, ffn, attn_norm, ffn_norm, dropout=None):
    for sublayer, norm in ((attn, attn_norm), (ffn, ffn_norm)):
        branch = sublayer(norm(x))
        x = x + (dropout(branch) if dropout else branch)
    return x


@answers.right
def by_pre_norm(x, attn, ffn, attn_norm, ffn_norm):
    def pre_norm(x, sublayer, norm):
        return x + sublayer(norm(x))

    return pre_norm(pre_norm(x, attn, attn_norm), ffn, ffn_norm)


@answers.right
def as_one_sum(x, attn, ffn, attn_norm, ffn_norm):
    a = attn(attn_norm(x))
    f = ffn(ffn_norm(x + a))
    return x + a + f


@answers.right
def in_place_on_a_new_stream(x, attn, ffn, attn_norm, ffn_norm):
    h = attn(attn_norm(x)).add_(x)
    return ffn(ffn_norm(h)).add_(h)


@answers.right
def recomputed(x, attn, ffn, attn_norm, ffn_norm):
    def block(x):
        h = torch.add(x, attn(attn_norm(x)))
        return torch.add(h, ffn(ffn_norm(h)))

    return checkpoint(block, x, use_reentrant=False)


@answers.mistake(
    "the FFN's residual is the block's input",
    "You add x in the second step. By then the stream holds what attention wrote: add that stream.",
)
def residual_from_input(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(attn_norm(x))
    return x + ffn(ffn_norm(h))


@answers.mistake(
    "the FFN reads the block's input",
    "Both branches read x: that is the parallel block of GPT-J and PaLM. Here the FFN reads what attention left.",
)
def parallel(x, attn, ffn, attn_norm, ffn_norm):
    return x + attn(attn_norm(x)) + ffn(ffn_norm(x))


@answers.mistake("attn_norm in both places", "Each sublayer has a norm of its own: ffn_norm is never used.")
def attn_norm_twice(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(attn_norm(x))
    return h + ffn(attn_norm(h))


@answers.mistake("ffn_norm in both places", "Each sublayer has a norm of its own: attn_norm is never used.")
def ffn_norm_twice(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(ffn_norm(x))
    return h + ffn(ffn_norm(h))


@answers.mistake("the norms are swapped", "attn_norm goes with attn, ffn_norm with ffn.")
def norms_swapped(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(ffn_norm(x))
    return h + ffn(attn_norm(h))


@answers.mistake(
    "the FFN reads an un-normed stream",
    "The second sublayer needs its norm too. If you call ffn_norm, hand its result to the FFN.",
)
def ffn_un_normed(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(attn_norm(x))
    ffn_norm(h)
    return h + ffn(h)


@answers.mistake(
    "attention reads an un-normed stream",
    "The first sublayer needs its norm too. If you call attn_norm, hand its result to attn.",
)
def attn_un_normed(x, attn, ffn, attn_norm, ffn_norm):
    attn_norm(x)
    h = x + attn(x)
    return h + ffn(ffn_norm(h))


@answers.mistake("no norm is used", "Each sublayer reads the stream through its norm.")
def no_norms(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(x)
    return h + ffn(h)


@answers.mistake("the FFN comes before attention", "In this block attention goes first; the FFN reads what it left.")
def ffn_first(x, attn, ffn, attn_norm, ffn_norm):
    h = x + ffn(ffn_norm(x))
    return h + attn(attn_norm(h))


@answers.mistake("no skip around attention", "The first step adds to the stream as well: x plus the branch.")
def no_attn_skip(x, attn, ffn, attn_norm, ffn_norm):
    h = attn(attn_norm(x))
    return h + ffn(ffn_norm(h))


@answers.mistake("no skip around the FFN", "The second step adds to the stream as well.")
def no_ffn_skip(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(attn_norm(x))
    return ffn(ffn_norm(h))


@answers.mistake("no skips at all", "Each of the two sublayers adds its result to the stream.")
def no_skips(x, attn, ffn, attn_norm, ffn_norm):
    return ffn(ffn_norm(attn(attn_norm(x))))


@answers.mistake("one skip around both sublayers", "There are two skips: one around attention, one around the FFN.")
def one_skip(x, attn, ffn, attn_norm, ffn_norm):
    return x + ffn(ffn_norm(attn(attn_norm(x))))


@answers.mistake(
    "a post-norm block", "Your norms stand in the stream, after the additions. Put them inside the branches."
)
def post(x, attn, ffn, attn_norm, ffn_norm):
    h = attn_norm(x + attn(x))
    return ffn_norm(h + ffn(h))


@answers.mistake(
    "the norms are on the branches' outputs", "That is OLMo 2's block. Here the sublayers read normed input."
)
def output_norms(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn_norm(attn(x))
    return h + ffn_norm(ffn(h))


@answers.mistake(
    "both skips carry the normed stream",
    "You overwrite the stream by its norm, twice. The norms' results are for the sublayers only.",
)
def skips_are_normed(x, attn, ffn, attn_norm, ffn_norm):
    x = attn_norm(x)
    x = x + attn(x)
    x = ffn_norm(x)
    return x + ffn(x)


@answers.mistake("the first skip carries the normed stream", "The first step adds to x itself, not to attn_norm(x).")
def first_skip_is_normed(x, attn, ffn, attn_norm, ffn_norm):
    x = attn_norm(x)
    h = x + attn(x)
    return h + ffn(ffn_norm(h))


@answers.mistake("the second skip carries the normed stream", "The second step adds to the stream, not to its norm.")
def second_skip_is_normed(x, attn, ffn, attn_norm, ffn_norm):
    h = ffn_norm(x + attn(attn_norm(x)))
    return h + ffn(h)


@answers.mistake(
    "the block's input is added twice", "After the first step x is part of the stream: do not add it again."
)
def input_twice(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(attn_norm(x))
    return x + h + ffn(ffn_norm(h))


@answers.mistake(
    "the FFN reads attention's branch alone",
    "The FFN reads the whole stream: x plus attention's result, through its norm.",
)
def ffn_reads_branch(x, attn, ffn, attn_norm, ffn_norm):
    a = attn(attn_norm(x))
    return x + a + ffn(ffn_norm(a))


@answers.mistake("attention runs twice, the FFN never", "The second step is the FFN's.")
def attn_twice(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(attn_norm(x))
    return h + attn(ffn_norm(h))


@answers.mistake("the FFN runs twice, attention never", "The first step is attention's.")
def ffn_twice(x, attn, ffn, attn_norm, ffn_norm):
    h = x + ffn(attn_norm(x))
    return h + ffn(ffn_norm(h))


@answers.mistake("the FFN's step is missing", "Attention is half of the block: the FFN follows.")
def attention_only(x, attn, ffn, attn_norm, ffn_norm):
    return x + attn(attn_norm(x))


@answers.mistake("x is changed in place", "`+=` writes into the caller's tensor. Make a new one with `+`.")
def in_place(x, attn, ffn, attn_norm, ffn_norm):
    x += attn(attn_norm(x))
    x += ffn(ffn_norm(x))
    return x


@answers.mistake("the stream is detached in the first step", "`detach` cuts the identity path from the output to x.")
def detached_first(x, attn, ffn, attn_norm, ffn_norm):
    h = x.detach() + attn(attn_norm(x))
    return h + ffn(ffn_norm(h))


@answers.mistake("the stream is detached in the second step", "`detach` cuts the stream between attention and the FFN.")
def detached_second(x, attn, ffn, attn_norm, ffn_norm):
    h = x + attn(attn_norm(x))
    return h.detach() + ffn(ffn_norm(h))


@answers.mistake("the stream is cut between the sublayers", "`detach` between the steps: nothing before it learns.")
def detached_between(x, attn, ffn, attn_norm, ffn_norm):
    h = (x + attn(attn_norm(x))).detach()
    return h + ffn(ffn_norm(h))


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x, attn, ffn, attn_norm, ffn_norm):
    with torch.no_grad():
        h = x + attn(attn_norm(x))
        return h + ffn(ffn_norm(h))
