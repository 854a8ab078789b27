"""Right and wrong ways to write `pre_norm_stack(x, sublayers, norms, final_norm)`."""

import functools

import torch
from torch.utils.checkpoint import checkpoint

from grader.answers import Answers

answers = Answers(
    "pre_norm_stack",
    why="The stream starts as x and every layer adds its branch. No norm has touched the stream itself by then, and it "
    "has grown: the final norm sets its size before anything reads it. Without layers it is all that is left to do.",
)


@answers.right
def by_zip(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(norm(x))
    return final_norm(x)


@answers.right
def by_index(x: torch.Tensor, sublayers: list, norms: list, final_norm, upto: int | None = None) -> torch.Tensor:
    h = x
    for i in range(len(sublayers) if upto is None else upto):
        h = torch.add(h, sublayers[i](norms[i](h)))
    return final_norm(h)


@answers.right
def by_recursion(x, sublayers, norms, final_norm):
    if not sublayers:
        return final_norm(x)
    return by_recursion(x + sublayers[0](norms[0](x)), sublayers[1:], norms[1:], final_norm)


@answers.right
def by_reduce(x, sublayers, norms, final_norm):
    return final_norm(functools.reduce(lambda h, pair: h + pair[0](pair[1](h)), zip(sublayers, norms, strict=True), x))


@answers.right
def in_place_on_a_clone(x, sublayers, norms, final_norm):
    stream = x
    for sublayer, norm in zip(sublayers, norms, strict=True):
        stream = sublayer(norm(stream)).add_(stream)
    return final_norm(stream)


@answers.right
def by_modules(x, sublayers, norms, final_norm):
    class Block(torch.nn.Module):
        def __init__(self, sublayer, norm):
            super().__init__()
            self.sublayer, self.norm = sublayer, norm

        def forward(self, h):
            return h + self.sublayer(self.norm(h))

    return torch.nn.Sequential(*map(Block, sublayers, norms), final_norm)(x)


@answers.right
def recomputed(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + checkpoint(lambda h, f=sublayer, n=norm: f(n(h)), x, use_reentrant=False)
    return final_norm(x)


@answers.right
def keeps_all_states(x, sublayers, norms, final_norm):
    states = [x]
    for sublayer, norm in zip(sublayers, norms, strict=True):
        states.append(states[-1] + sublayer(norm(states[-1])))
    return final_norm(states[-1])


@answers.right
def pops_from_a_copy(x, sublayers, norms, final_norm):
    sublayers, norms = list(sublayers), list(norms)
    while sublayers:
        x = x + sublayers.pop(0)(norms.pop(0)(x))
    return final_norm(x)


@answers.mistake(
    "the final norm is missing",
    "The stream leaves your stack as large as it has grown. If you call final_norm, return what it gives back.",
)
def no_final_norm(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(norm(x))
    final_norm(x)
    return x


@answers.mistake(
    "the final norm after every layer",
    "Inside the loop it stands in the stream and makes the stack post-norm. It comes once, after the loop.",
)
def final_norm_in_the_loop(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = final_norm(x + sublayer(norm(x)))
    return x


@answers.mistake("the final norm's result is added to the stream", "The output is the final norm of the stream alone.")
def final_norm_added(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(norm(x))
    return x + final_norm(x)


@answers.mistake(
    "the final norm comes first", "It normalises what the last layer leaves, not what the first one reads."
)
def final_norm_first(x, sublayers, norms, final_norm):
    x = final_norm(x)
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(norm(x))
    return x


@answers.mistake("the last layer's norm as the final norm", "`final_norm` has a gain of its own; yours is never used.")
def last_norm_as_final(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(norm(x))
    return norms[-1](x)


@answers.mistake("the first norm serves all layers", "Every layer has a norm of its own: walk through both lists.")
def first_norm_for_all(x, sublayers, norms, final_norm):
    for sublayer in sublayers:
        x = x + sublayer(norms[0](x))
    return final_norm(x)


@answers.mistake("the last norm serves all layers", "Every layer has a norm of its own: walk through both lists.")
def last_norm_for_all(x, sublayers, norms, final_norm):
    for sublayer in sublayers:
        x = x + sublayer(norms[-1](x))
    return final_norm(x)


@answers.mistake("the final norm serves all layers", "Every layer has a norm of its own in `norms`.")
def final_norm_for_all(x, sublayers, norms, final_norm):
    for sublayer in sublayers:
        x = x + sublayer(final_norm(x))
    return final_norm(x)


@answers.mistake(
    "the first sublayer runs in every layer", "Every layer has a sublayer of its own: walk through both lists."
)
def first_sublayer_for_all(x, sublayers, norms, final_norm):
    for norm in norms:
        x = x + sublayers[0](norm(x))
    return final_norm(x)


@answers.mistake("the norms are taken in reverse", "The first norm belongs to the first sublayer.")
def norms_reversed(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, reversed(norms), strict=True):
        x = x + sublayer(norm(x))
    return final_norm(x)


@answers.mistake("the layers run in reverse", "The stream meets the first layer first.")
def layers_reversed(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(reversed(sublayers), reversed(norms), strict=True):
        x = x + sublayer(norm(x))
    return final_norm(x)


@answers.mistake("each layer's norm is its neighbour's", "The norms are one place off: norm i belongs to sublayer i.")
def norms_shifted(x, sublayers, norms, final_norm):
    for i, sublayer in enumerate(sublayers):
        x = x + sublayer(norms[i - 1](x))
    return final_norm(x)


@answers.mistake(
    "a post-norm stack", "Your norms stand in the stream, after each addition. Put them inside the branches."
)
def post(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = norm(x + sublayer(x))
    return final_norm(x)


@answers.mistake(
    "the norms are on the branches' outputs", "That is OLMo 2's place. Here each sublayer reads normed input."
)
def output_norms(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + norm(sublayer(x))
    return final_norm(x)


@answers.mistake(
    "the skips carry the normed stream", "The norm's result is for the sublayer only: do not overwrite x by it."
)
def skips_are_normed(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = norm(x)
        x = x + sublayer(x)
    return final_norm(x)


@answers.mistake("the layers' norms are not used", "Each sublayer reads the stream through its norm.")
def un_normed(x, sublayers, norms, final_norm):
    for sublayer, _norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(x)
    return final_norm(x)


@answers.mistake("no skips", "Each layer adds to the stream; yours replaces it.")
def no_skips(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = sublayer(norm(x))
    return final_norm(x)


@answers.mistake(
    "every layer reads the stack's input",
    "The branches all start from x. Each layer reads the stream as the layer before has left it.",
)
def all_read_the_input(x, sublayers, norms, final_norm):
    stream = x
    for sublayer, norm in zip(sublayers, norms, strict=True):
        stream = stream + sublayer(norm(x))
    return final_norm(stream)


@answers.mistake(
    "every skip starts at the stack's input",
    "You add each branch to the first x, so that only the last one is left. Add it to the running stream.",
)
def skips_from_the_input(x, sublayers, norms, final_norm):
    stream = x
    for sublayer, norm in zip(sublayers, norms, strict=True):
        stream = x + sublayer(norm(stream))
    return final_norm(stream)


@answers.mistake(
    "every layer starts from the stack's input",
    "Each layer reads x and adds to x, so that the last one overwrites the others. Keep one running stream.",
)
def only_the_last_counts(x, sublayers, norms, final_norm):
    stream = x
    for sublayer, norm in zip(sublayers, norms, strict=True):
        stream = x + sublayer(norm(x))
    return final_norm(stream)


@answers.mistake(
    "every layer starts from the stack's input, and no layers fail",
    "Each layer reads x and adds to x, so that the last one overwrites the others. Keep one running stream, and give "
    "it its first value, x, before the loop: it may have no layer to run.",
)
def only_the_last_counts_and_fails_when_empty(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        stream = x + sublayer(norm(x))
    return final_norm(stream)


@answers.mistake(
    "the stack returns after its first layer", "`return` stands inside the loop. Move it out, to the left."
)
def returns_in_the_loop(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(norm(x))
        return final_norm(x)
    return final_norm(x)


@answers.mistake(
    "no result without layers", "`return` stands inside the loop, which a stack without layers never enters."
)
def returns_only_in_the_loop(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(norm(x))
        return final_norm(x)


@answers.mistake(
    "a stack without layers fails", "Give the stream its first value, x, before the loop: it may have no layer to run."
)
def fails_when_empty(x, sublayers, norms, final_norm):
    stream = x + sublayers[0](norms[0](x))
    for sublayer, norm in zip(sublayers[1:], norms[1:], strict=True):
        stream = stream + sublayer(norm(stream))
    return final_norm(stream)


@answers.mistake("a stack without layers skips the final norm", "The final norm is for every stack, the empty one too.")
def un_normed_when_empty(x, sublayers, norms, final_norm):
    if not sublayers:
        return x
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(norm(x))
    return final_norm(x)


@answers.mistake("the last layer is left out", "The loop stops one layer early.")
def last_left_out(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers[:-1], norms[:-1], strict=True):
        x = x + sublayer(norm(x))
    return final_norm(x)


@answers.mistake("the first layer is left out", "The loop starts one layer late: the first index is 0.")
def first_left_out(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers[1:], norms[1:], strict=True):
        x = x + sublayer(norm(x))
    return final_norm(x)


@answers.mistake("no layer is run", "The final norm of x alone: the layers come before it.")
def final_norm_only(x, sublayers, norms, final_norm):
    return final_norm(x)


@answers.mistake("the lists are used up", "`pop` empties the caller's lists. Walk through them, or copy them first.")
def pops(x, sublayers, norms, final_norm):
    while sublayers:
        x = x + sublayers.pop(0)(norms.pop(0)(x))
    return final_norm(x)


@answers.mistake("x is changed in place", "`+=` writes into the caller's tensor. Make a new one with `+`.")
def in_place(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x += sublayer(norm(x))
    return final_norm(x)


@answers.mistake("the stream is detached in every layer", "`detach` cuts the identity path: it carries no gradient.")
def detached_stream(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x.detach() + sublayer(norm(x))
    return final_norm(x)


@answers.mistake("the stream is cut between the layers", "`detach` between layers: nothing but the last one learns.")
def detached_between(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x.detach()
        x = x + sublayer(norm(x))
    return final_norm(x)


@answers.mistake("the branches are detached", "`detach` or `no_grad` around the branches: no sublayer gets a gradient.")
def detached_branches(x, sublayers, norms, final_norm):
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(norm(x)).detach()
    return final_norm(x)


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x, sublayers, norms, final_norm):
    with torch.no_grad():
        for sublayer, norm in zip(sublayers, norms, strict=True):
            x = x + sublayer(norm(x))
        return final_norm(x)


@answers.mistake("all states are returned", "Only the stream after the last layer is wanted, through the final norm.")
def returns_states(x, sublayers, norms, final_norm):
    states = [x]
    for sublayer, norm in zip(sublayers, norms, strict=True):
        states.append(states[-1] + sublayer(norm(states[-1])))
    return [final_norm(state) for state in states]
