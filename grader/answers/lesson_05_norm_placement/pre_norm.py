"""Right and wrong ways to write `pre_norm(x, sublayer, norm)`."""

import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

from grader.answers import Answers

answers = Answers(
    "pre_norm",
    why="The norm belongs to the branch: it only prepares what the sublayer reads. The stream itself runs past it, so "
    "that x reaches the output unchanged, and with a silent sublayer the step is the identity.",
)


@answers.right
def as_the_formula(x, sublayer, norm):
    return x + sublayer(norm(x))


@answers.right
def in_steps(x: torch.Tensor, sublayer, norm, dropout: float = 0.0) -> torch.Tensor:
    residual = x
    x = norm(x)
    x = F.dropout(sublayer(x), dropout)
    return residual + x


@answers.right
def in_place_on_a_clone(x, sublayer, norm):
    stream = x.clone()
    stream += sublayer(norm(x))
    return stream


@answers.right
def in_place_on_the_branch(x, sublayer, norm):
    return sublayer(norm(x)).add_(x)


@answers.right
def as_a_sum(x, sublayer, norm):
    return torch.stack((x, sublayer(norm(x))), dim=-1).sum(-1)


@answers.right
def recomputed(x, sublayer, norm):
    return x + checkpoint(lambda h: sublayer(norm(h)), x, use_reentrant=False)


@answers.right
def by_sequential(x, sublayer, norm):
    branch = torch.nn.Sequential(norm, sublayer)
    return torch.add(branch(x), x)


@answers.right
def compiled(x, sublayer, norm):
    return torch.compile(lambda h: h + sublayer(norm(h)))(x)


@answers.mistake(
    "post-norm in place of pre-norm",
    "Your norm is in the stream, after the addition. With a sublayer that returns zeros x should come out unchanged.",
)
def post(x, sublayer, norm):
    return norm(x + sublayer(x))


@answers.mistake(
    "the skip carries the normed x",
    "You overwrite x by norm(x), and so the stream is normalised too. The norm's result is for the sublayer only.",
)
def skip_is_normed(x, sublayer, norm):
    x = norm(x)
    return x + sublayer(x)


@answers.mistake(
    "the norm is on the branch's output",
    "You normalise what the sublayer returns (OLMo 2 does that). Here the norm prepares what the sublayer reads.",
)
def norm_of_the_branch(x, sublayer, norm):
    return x + norm(sublayer(x))


@answers.mistake(
    "the skip is normed, the sublayer's input is not",
    "The two are the wrong way round: the sublayer reads the normed x.",
)
def norm_on_the_wrong_side(x, sublayer, norm):
    return norm(x) + sublayer(x)


@answers.mistake(
    "the norm is not used",
    "The sublayer reads x un-normed. Give the norm's result to the sublayer: the call changes nothing in place.",
)
def no_norm(x, sublayer, norm):
    norm(x)
    return x + sublayer(x)


@answers.mistake("the skip connection is missing", "Add x: a step adds to the stream, it does not replace it.")
def no_skip(x, sublayer, norm):
    return sublayer(norm(x))


@answers.mistake("the sublayer is not called", "The norm's result goes through the sublayer before it is added.")
def sublayer_forgotten(x, sublayer, norm):
    return x + norm(x)


@answers.mistake("a second norm after the sublayer", "The branch has one norm, before the sublayer.")
def norm_on_both_sides(x, sublayer, norm):
    return x + norm(sublayer(norm(x)))


@answers.mistake("a second norm after the addition", "Nothing normalises the stream inside a pre-norm block.")
def norm_at_the_end(x, sublayer, norm):
    return norm(x + sublayer(norm(x)))


@answers.mistake("the skip is added twice", "x is added once: keep apart the branch's result and the step's result.")
def two_skips(x, sublayer, norm):
    h = x + sublayer(norm(x))
    return x + h


@answers.mistake("the normed x is added as well", "Only the branch's result is added to x, not what the norm gives.")
def normed_input_added(x, sublayer, norm):
    h = norm(x)
    return x + h + sublayer(h)


@answers.mistake("the sublayer runs twice", "One norm, one call of the sublayer, one addition.")
def sublayer_twice(x, sublayer, norm):
    return x + sublayer(sublayer(norm(x)))


@answers.mistake("the sublayer's result is subtracted", "The branch is added to the stream.")
def subtracts(x, sublayer, norm):
    return x - sublayer(norm(x))


@answers.mistake("the sublayer's result is multiplied", "The branch is added to the stream, not multiplied by it.")
def multiplies(x, sublayer, norm):
    return x * sublayer(norm(x))


@answers.mistake("a LayerNorm of your own", "Use the `norm` you are given: it has a learned gain, and its own formula.")
def own_layer_norm(x, sublayer, norm):
    return x + sublayer(F.layer_norm(x, x.shape[-1:]))


@answers.mistake("an RMSNorm of your own", "Use the `norm` you are given: it has a learned gain.")
def own_rms_norm(x, sublayer, norm):
    return x + sublayer(F.rms_norm(x, x.shape[-1:], eps=1e-5))


@answers.mistake("x is changed in place", "`+=` writes into the caller's tensor. Make a new one with `+`.")
def in_place(x, sublayer, norm):
    x += sublayer(norm(x))
    return x


@answers.mistake(
    "the stream is detached", "`detach` cuts the identity path: gradients reach x through the branch only."
)
def detached_stream(x, sublayer, norm):
    return x.detach() + sublayer(norm(x))


@answers.mistake("the branch reads a detached x", "`detach` cuts the branch: no gradient reaches x through it.")
def detached_branch(x, sublayer, norm):
    return x + sublayer(norm(x.detach()))


@answers.mistake(
    "the norm's result is detached", "`detach` after the norm: neither the norm nor x learn from the branch."
)
def detached_norm(x, sublayer, norm):
    return x + sublayer(norm(x).detach())


@answers.mistake(
    "the sublayer is cut off from learning", "`detach` or `no_grad` around the branch: it gets no gradient."
)
def detached_sublayer(x, sublayer, norm):
    with torch.no_grad():
        branch = sublayer(norm(x))
    return x + branch


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x, sublayer, norm):
    return (x + sublayer(norm(x))).detach()


@answers.mistake("the result is float32", "Return the dtype of x: the stream keeps its dtype.")
def stays_float32(x, sublayer, norm):
    return x.float() + sublayer(norm(x)).float()
