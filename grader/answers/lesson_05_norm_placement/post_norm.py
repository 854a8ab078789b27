"""Right and wrong ways to write `post_norm(x, sublayer, norm)`."""

import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

from grader.answers import Answers

answers = Answers(
    "post_norm",
    why="The sublayer reads the stream as it is, its result is added, and the norm closes the step: it normalises the "
    "sum, skip included. So there is no way past the norms: every layer's norm stands in the stream itself.",
)


@answers.right
def as_the_formula(x, sublayer, norm):
    return norm(x + sublayer(x))


@answers.right
def in_steps(x: torch.Tensor, sublayer, norm, dropout: float = 0.0) -> torch.Tensor:
    residual = x
    hidden = sublayer(x)
    hidden = F.dropout(hidden, dropout)
    return norm(residual + hidden)


@answers.right
def in_place_on_a_clone(x, sublayer, norm):
    total = x.clone()
    total += sublayer(x)
    return norm(total)


@answers.right
def in_place_on_the_branch(x, sublayer, norm):
    return norm(sublayer(x).add_(x))


@answers.right
def as_a_sum(x, sublayer, norm):
    branches = torch.stack([sublayer(x), x])
    return norm(branches.sum(dim=0))


@answers.right
def recomputed(x, sublayer, norm):
    return checkpoint(lambda h: norm(torch.add(h, sublayer(h))), x, use_reentrant=False)


@answers.right
def through_modules(x, sublayer, norm):
    class Residual(torch.nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, h):
            return h + self.inner(h)

    return torch.nn.Sequential(Residual(sublayer), norm)(x)


@answers.mistake(
    "pre-norm in place of post-norm",
    "The norm stands before the sublayer, inside the branch. In the 2017 form it comes last, after the addition.",
)
def pre(x, sublayer, norm):
    return x + sublayer(norm(x))


@answers.mistake(
    "the norm is inside the branch",
    "You normalise the sublayer's result and then add x. Post-norm adds first; what is normalised is the sum.",
)
def norm_of_the_branch(x, sublayer, norm):
    return x + norm(sublayer(x))


@answers.mistake(
    "the norm reaches x only", "What is normalised is the sum of x and the sublayer's result, not x by itself."
)
def norm_of_x_only(x, sublayer, norm):
    return norm(x) + sublayer(x)


@answers.mistake("both are normalised before they are added", "Add first. There is one norm, and it comes last.")
def norms_then_adds(x, sublayer, norm):
    return norm(x) + norm(sublayer(x))


@answers.mistake("the skip connection is missing", "Post-norm has a skip as well: x is added before the norm is taken.")
def no_skip(x, sublayer, norm):
    return norm(sublayer(x))


@answers.mistake(
    "the norm is not used",
    "The sum leaves the step un-normed. If you call the norm, return what it gives back: it changes nothing in place.",
)
def no_norm(x, sublayer, norm):
    total = x + sublayer(x)
    norm(total)
    return total


@answers.mistake(
    "x is normalised before the sublayer, too", "The sublayer reads x as it is. There is one norm, at the end."
)
def norm_before_and_after(x, sublayer, norm):
    return norm(x + sublayer(norm(x)))


@answers.mistake("the norm feeds everything", "You normalise first and work on from there. The norm comes last here.")
def norm_first(x, sublayer, norm):
    x = norm(x)
    return x + sublayer(x)


@answers.mistake(
    "the norm comes first, the skip is missing", "Two things: add x to the sublayer's result, and let the norm be last."
)
def norm_first_without_skip(x, sublayer, norm):
    return sublayer(norm(x))


@answers.mistake("neither skip nor norm", "The sublayer alone is not a step: add x, then take the norm of the sum.")
def sublayer_alone(x, sublayer, norm):
    return sublayer(x)


@answers.mistake("the sublayer is not used", "The norm of x alone: the sublayer's result has to be added first.")
def norm_alone(x, sublayer, norm):
    return norm(x)


@answers.mistake("x is added again after the norm", "The norm is the last step: nothing goes past it.")
def skip_around_the_norm(x, sublayer, norm):
    return x + norm(x + sublayer(x))


@answers.mistake("the sublayer runs after the norm again", "One call of the sublayer, on x, before the addition.")
def sublayer_of_the_norm(x, sublayer, norm):
    h = norm(x + sublayer(x))
    return sublayer(h)


@answers.mistake("the sublayer's result is subtracted", "The branch is added to the stream.")
def subtracts(x, sublayer, norm):
    return norm(x - sublayer(x))


@answers.mistake("the sublayer's result is multiplied", "The branch is added to the stream, not multiplied by it.")
def multiplies(x, sublayer, norm):
    return norm(x * sublayer(x))


@answers.mistake("a LayerNorm of your own", "Use the `norm` you are given: it has a learned gain, and its own formula.")
def own_layer_norm(x, sublayer, norm):
    return F.layer_norm(x + sublayer(x), x.shape[-1:])


@answers.mistake("an RMSNorm of your own", "Use the `norm` you are given: it has a learned gain.")
def own_rms_norm(x, sublayer, norm):
    return F.rms_norm(x + sublayer(x), x.shape[-1:], eps=1e-5)


@answers.mistake("x is changed in place", "`+=` writes into the caller's tensor. Make a new one with `+`.")
def in_place(x, sublayer, norm):
    x += sublayer(x)
    return norm(x)


@answers.mistake("the stream is detached", "`detach` cuts the skip: gradients reach x through the sublayer only.")
def detached_stream(x, sublayer, norm):
    return norm(x.detach() + sublayer(x))


@answers.mistake("the sublayer reads a detached x", "`detach` cuts the branch: no gradient reaches x through it.")
def detached_branch(x, sublayer, norm):
    return norm(x + sublayer(x.detach()))


@answers.mistake(
    "the sublayer is cut off from learning", "`detach` or `no_grad` around the sublayer: it gets no gradient."
)
def detached_sublayer(x, sublayer, norm):
    return norm(x + sublayer(x).detach())


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x, sublayer, norm):
    with torch.no_grad():
        return norm(x + sublayer(x))


@answers.mistake("the result is float32", "Return the dtype of x. The norm you are given takes care of its own dtype.")
def stays_float32(x, sublayer, norm):
    return norm(x + sublayer(x)).float()
