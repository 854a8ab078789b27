"""Right and wrong ways to write `qk_norm(q, k, q_norm, k_norm)`."""

import torch
import torch.nn.functional as F

from grader.answers import Answers
from lessons.support.llama import given_rope

answers = Answers(
    "qk_norm",
    why="The last axis is one head, and the norms work on the last axis: each head is normed by itself, with weights "
    "that all heads share. Queries and keys have a norm each. RoPE comes afterwards, elsewhere.",
)


@answers.right
def two_calls(q, k, q_norm, k_norm):
    return q_norm(q), k_norm(k)


@answers.right
def as_a_list(q: torch.Tensor, k: torch.Tensor, q_norm, k_norm, enabled: bool = True):
    return [norm(part) if enabled else part for norm, part in ((q_norm, q), (k_norm, k))]


@answers.right
def head_by_head(q, k, q_norm, k_norm):
    def normed(part, norm):
        return torch.stack([norm(head) for head in part.unbind(1)], dim=1)

    return normed(q, q_norm), normed(k, k_norm)


@answers.right
def token_by_token(q, k, q_norm, k_norm):
    q = torch.cat([q_norm(q[:, :, t : t + 1]) for t in range(q.shape[2])], dim=2)
    return q, torch.cat([k_norm(k[:, :, t : t + 1]) for t in range(k.shape[2])], dim=2)


@answers.right
def in_the_projections_layout(q, k, q_norm, k_norm):
    q, k = q_norm(q.transpose(1, 2)), k_norm(k.transpose(1, 2))
    return q.transpose(1, 2), k.transpose(1, 2)


@answers.right
def as_rows(q, k, q_norm, k_norm):
    return q_norm(q.reshape(-1, q.shape[-1])).view(q.shape), k_norm(k.reshape(-1, k.shape[-1])).view(k.shape)


@answers.right
def with_map(q, k, q_norm, k_norm):
    return tuple(map(lambda norm, part: norm(part.clone()), (q_norm, k_norm), (q, k)))


@answers.mistake(
    "the norm runs over the full width",
    "You join the heads before the norm: that is OLMo 2's form. Qwen3 norms each head by itself.",
)
def full_width(q, k, q_norm, k_norm):
    def normed(part, norm):
        joined = norm(part.transpose(1, 2).flatten(2))
        return joined.unflatten(-1, (part.shape[1], -1)).transpose(1, 2)

    return normed(q, q_norm), normed(k, k_norm)


@answers.mistake(
    "the norm comes after RoPE",
    "You turn queries and keys first. The norm's weights do not commute with a rotation. RoPE comes later.",
)
def after_rope(q, k, q_norm, k_norm):
    positions = torch.arange(q.shape[2])
    return q_norm(given_rope(q, positions)), k_norm(given_rope(k, positions))


@answers.mistake("RoPE is applied as well", "The function norms and does nothing else: RoPE follows, elsewhere.")
def rope_too(q, k, q_norm, k_norm):
    positions = torch.arange(q.shape[2])
    return given_rope(q_norm(q), positions), given_rope(k_norm(k), positions)


@answers.mistake("queries and keys share the queries' norm", "Keys have a norm of their own: k_norm is never used.")
def shared(q, k, q_norm, k_norm):
    return q_norm(q), q_norm(k)


@answers.mistake("queries and keys share the keys' norm", "Queries have a norm of their own: q_norm is never used.")
def keys_norm_twice(q, k, q_norm, k_norm):
    return k_norm(q), k_norm(k)


@answers.mistake("the two norms are swapped", "q_norm is for queries, k_norm for keys.")
def norms_swapped(q, k, q_norm, k_norm):
    return k_norm(q), q_norm(k)


@answers.mistake("keys come first in the result", "Return queries first, then keys.")
def returned_swapped(q, k, q_norm, k_norm):
    return k_norm(k), q_norm(q)


@answers.mistake("keys are left as they are", "Both sides of the score are normed, keys with k_norm.")
def queries_only(q, k, q_norm, k_norm):
    return q_norm(q), k


@answers.mistake("queries are left as they are", "Both sides of the score are normed, queries with q_norm.")
def keys_only(q, k, q_norm, k_norm):
    return q, k_norm(k)


@answers.mistake("nothing is normed", "If you call the norms, keep what they return.")
def result_dropped(q, k, q_norm, k_norm):
    q_norm(q)
    k_norm(k)
    return q, k


@answers.mistake("only queries are returned", "Return both, as a tuple: queries, then keys.")
def one_result(q, k, q_norm, k_norm):
    k_norm(k)
    return q_norm(q)


@answers.mistake("the norm runs over tokens", "You turn the last two axes round. A head's numbers are the last axis.")
def over_tokens(q, k, q_norm, k_norm):
    return q_norm(q.transpose(-1, -2)).transpose(-1, -2), k_norm(k.transpose(-1, -2)).transpose(-1, -2)


@answers.mistake(
    "the rows have length 1", "F.normalize makes the length 1 and has no weights. Call the norms you are handed."
)
def unit_length(q, k, q_norm, k_norm):
    return F.normalize(q, dim=-1), F.normalize(k, dim=-1)


@answers.mistake(
    "the norm's weights are left out", "You norm by hand, without weights. Call the norms: they bring weights along."
)
def without_weights(q, k, q_norm, k_norm):
    def unit(part):
        return part * torch.rsqrt(part.square().mean(-1, keepdim=True) + 1e-5)

    return unit(q), unit(k)


@answers.mistake("queries are scaled as well", "Dividing by √hd belongs to the scores. This function only norms.")
def scaled(q, k, q_norm, k_norm):
    return q_norm(q) * q.shape[-1] ** -0.5, k_norm(k)


@answers.mistake("what was there is added", "QK-norm replaces queries and keys by their norm: nothing is added.")
def residual(q, k, q_norm, k_norm):
    return q + q_norm(q), k + k_norm(k)


@answers.mistake("the norms are applied twice", "Once is enough: the second call scales by the weights again.")
def twice(q, k, q_norm, k_norm):
    return q_norm(q_norm(q)), k_norm(k_norm(k))


@answers.mistake("key heads are repeated", "Repeating key heads belongs to attention. k keeps its own number of heads.")
def keys_repeated(q, k, q_norm, k_norm):
    return q_norm(q), k_norm(k).repeat_interleave(q.shape[1] // k.shape[1], dim=1)


@answers.mistake("q and k are changed in place", "The caller still needs them. Return what the norms return.")
def in_place(q, k, q_norm, k_norm):
    q.copy_(q_norm(q))
    k.copy_(k_norm(k))
    return q, k


@answers.mistake("queries and keys are detached", "`.detach()` cuts the projections off: they would never learn.")
def detached(q, k, q_norm, k_norm):
    return q_norm(q.detach()), k_norm(k.detach())


@answers.mistake("no gradient at all", "`no_grad` cuts the graph: neither the projections nor the norms can learn.")
def no_grad(q, k, q_norm, k_norm):
    with torch.no_grad():
        return q_norm(q), k_norm(k)
