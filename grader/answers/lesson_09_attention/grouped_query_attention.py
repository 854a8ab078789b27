"""Right and wrong ways to write `grouped_query_attention(q, k, v)`."""

import torch
import torch.nn.functional as F

from grader.answers import Answers

answers = Answers(
    "grouped_query_attention",
    why="Neighbouring query heads share: repeat_interleave puts each key-value head H/KV times in a row, so that query "
    "head h finds head h // (H/KV) at its own place. The rest is causal attention. (A real kernel repeats nothing.)",
)


@answers.right
def repeated_in_place(q, k, v):
    group = q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(group, dim=1) for x in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@answers.right
def with_enable_gqa(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, scale=None) -> torch.Tensor:
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)


@answers.right
def expanded(q, k, v):
    def repeat_kv(x, n):
        b, kv, t, hd = x.shape
        return x[:, :, None].expand(b, kv, n, t, hd).reshape(b, kv * n, t, hd)

    k, v = repeat_kv(k, q.size(1) // k.size(1)), repeat_kv(v, q.size(1) // v.size(1))
    scores = q @ k.transpose(2, 3) / q.size(-1) ** 0.5
    mask = torch.full(scores.shape[-2:], torch.finfo(q.dtype).min, dtype=q.dtype).triu(1)
    return F.softmax(scores + mask, dim=-1, dtype=torch.promote_types(q.dtype, torch.float32)).to(q.dtype) @ v


@answers.right
def queries_in_groups(q, k, v):
    grouped = q.unflatten(1, (k.shape[1], -1)) * q.shape[-1] ** -0.5  # [B, KV, group, T, hd]
    scores = grouped @ k.unsqueeze(2).mT
    allowed = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return (scores.masked_fill(~allowed, -torch.inf).softmax(-1) @ v.unsqueeze(2)).flatten(1, 2)


@answers.right
def einsum(q, k, v):
    b, h, t, hd = q.shape
    grouped = q.reshape(b, k.shape[1], h // k.shape[1], t, hd)
    scores = torch.einsum("bkgqd,bksd->bkgqs", grouped, k) / hd**0.5
    hidden = torch.arange(t)[:, None] < torch.arange(t)
    weights = torch.where(hidden, -torch.inf, scores).softmax(-1)
    return torch.einsum("bkgqs,bksd->bkgqd", weights, v).reshape(b, h, t, hd)


@answers.right
def by_indexing(q, k, v):
    head = torch.arange(q.shape[1]) // (q.shape[1] // k.shape[1])
    return F.scaled_dot_product_attention(q, k[:, head], v[:, head], is_causal=True)


@answers.right
def head_by_head(q, k, v):
    group, out = q.shape[1] // k.shape[1], []
    for h in range(q.shape[1]):
        scores = q[:, h] @ k[:, h // group].mT / q.shape[-1] ** 0.5
        out.append(scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -1e9).softmax(-1) @ v[:, h // group])
    return torch.stack(out, dim=1)


@answers.right
def group_in_the_sequence(q, k, v):
    """The queries of a group follow one another, with a mask that starts again for each."""
    (b, h, t, hd), kv = q.shape, k.shape[1]
    allowed = torch.ones(t, t, dtype=torch.bool).tril().repeat(h // kv, 1)
    out = F.scaled_dot_product_attention(q.reshape(b, kv, -1, hd), k, v, attn_mask=allowed)
    return out.reshape(b, h, t, hd)


@answers.right
def stacked(q, k, v):
    n = q.shape[1] // k.shape[1]
    k, v = (torch.stack([x] * n, dim=2).flatten(1, 2) for x in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def _in_place(x, q):
    """As many heads as q has, neighbours alike, as it should be: common to those that go wrong elsewhere."""
    return x.repeat_interleave(q.shape[1] // x.shape[1], dim=1)


def _attend(q, k, v, scale=None):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale)


def _weights(q, k, allowed, scale=None):
    scores = q @ _in_place(k, q).mT * (scale or q.shape[-1] ** -0.5)
    return scores.masked_fill(~allowed, -torch.inf).softmax(-1)


def _triangle(q, diagonal=0):
    return torch.ones(q.shape[2], q.shape[2], dtype=torch.bool).tril(diagonal)


@answers.mistake(
    "the key-value heads are dealt out in turn",
    "`repeat` lays whole copies side by side: 0, 1, 0, 1, … Neighbours share a head: 0, 0, 1, 1.",
)
def heads_tiled(q, k, v):
    n = q.shape[1] // k.shape[1]
    return _attend(q, k.repeat(1, n, 1, 1), v.repeat(1, n, 1, 1))


@answers.mistake("the keys' heads are dealt out in turn", "v is right. k needs the same `repeat_interleave`.")
def keys_tiled(q, k, v):
    return _attend(q, k.repeat(1, q.shape[1] // k.shape[1], 1, 1), _in_place(v, q))


@answers.mistake("the values' heads are dealt out in turn", "k is right. v needs the same `repeat_interleave`.")
def values_tiled(q, k, v):
    return _attend(q, _in_place(k, q), v.repeat(1, q.shape[1] // k.shape[1], 1, 1))


@answers.mistake(
    "head h // KV in place of h // (H // KV)", "A group has H // KV query heads. KV is the number of groups."
)
def divides_by_kv_heads(q, k, v):
    head = torch.arange(q.shape[1]) // k.shape[1]
    return _attend(q, k[:, head], v[:, head])


@answers.mistake(
    "heads are repeated along the sequence",
    "Axis 2 is the tokens. Repeat along the axis of the heads: dim=1.",
)
def repeated_along_sequence(q, k, v):
    n, shape = q.shape[1] // k.shape[1], q.shape
    return _attend(q, *(x.repeat_interleave(n, dim=2).reshape(shape) for x in (k, v)))


@answers.mistake(
    "whole sequences are repeated along the sequence",
    "Copies of the sequence, one after the other, are no more heads than before. Repeat along dim=1.",
)
def sequence_tiled(q, k, v):
    n, t = q.shape[1] // k.shape[1], q.shape[2]
    k, v = (x.repeat(1, 1, n, 1).repeat_interleave(n, dim=1) for x in (k, v))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=torch.ones(t, n * t, dtype=torch.bool).tril((n - 1) * t))


@answers.mistake("heads are repeated along the batch", "Axis 0 is the batch: one sequence would read another.")
def repeated_along_batch(q, k, v):
    n, shape = q.shape[1] // k.shape[1], q.shape
    return _attend(q, *(x.repeat(n, 1, 1, 1).reshape(shape) for x in (k, v)))


@answers.mistake("the order of the groups is reversed", "The first query heads read key-value head 0.")
def reversed_groups(q, k, v):
    return _attend(q, _in_place(k.flip(1), q), _in_place(v.flip(1), q))


@answers.mistake("only the first key-value head is used", "With KV heads there are KV groups, each with its own.")
def first_head_only(q, k, v):
    return _attend(q, k[:, :1].expand_as(q), v[:, :1].expand_as(q))


@answers.mistake("the key-value heads are averaged", "Each group reads one head, not the mean of all.")
def averages_kv(q, k, v):
    return _attend(q, *(x.mean(1, keepdim=True).expand_as(q) for x in (k, v)))


@answers.mistake("the query heads of a group are averaged", "Every query head keeps its own result: H heads in, H out.")
def averages_queries(q, k, v):
    return _attend(q.unflatten(1, (k.shape[1], -1)).mean(2), k, v)


@answers.mistake("the results of a group are summed", "Every query head keeps its own result: H heads in, H out.")
def sums_results(q, k, v):
    return _attend(q, _in_place(k, q), _in_place(v, q)).unflatten(1, (k.shape[1], -1)).sum(2)


@answers.mistake("query heads without a partner are dropped", "All H query heads give a result.")
def drops_queries(q, k, v):
    return _attend(q[:, : k.shape[1]], k, v)


@answers.mistake("k or v has too few heads", "q has more heads than k and v. Give those as many, or put q into groups.")
def not_repeated(q, k, v):
    return (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~_triangle(q), -torch.inf).softmax(-1) @ v


@answers.mistake(
    "the causal mask runs over a whole group",
    "The queries of a group were put one after the other, but the triangle starts again with each of them.",
)
def folded_into_sequence(q, k, v):
    folded = q.reshape(q.shape[0], k.shape[1], -1, q.shape[-1])
    return _attend(folded, k, v).reshape(q.shape)


@answers.mistake(
    "the result's heads are in another order", "Grouped by key-value head first: flatten [KV, group] as it is."
)
def result_regrouped(q, k, v):
    out = _attend(q, _in_place(k, q), _in_place(v, q))
    return out.unflatten(1, (k.shape[1], -1)).transpose(1, 2).flatten(1, 2)


@answers.mistake("heads and tokens of the result are exchanged", "The result is [B, H, T, hd], like q.")
def result_transposed(q, k, v):
    return _attend(q, _in_place(k, q), _in_place(v, q)).transpose(1, 2)


@answers.mistake("there is no mask", "Causal here too: PyTorch's function needs is_causal=True.")
def no_mask(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)


@answers.mistake("the mask comes after the softmax", "The weights no longer sum to 1. Mask the scores.")
def mask_after_softmax(q, k, v):
    return _weights(q, k, torch.ones_like(_triangle(q))).masked_fill(~_triangle(q), 0.0) @ _in_place(v, q)


@answers.mistake("the triangle is upside down", "Your queries read what comes later. `tril` keeps what came before.")
def upside_down(q, k, v):
    return _weights(q, k, _triangle(q).mT) @ _in_place(v, q)


@answers.mistake("the diagonal is hidden", "A token reads itself too. Without that the first one has nothing: NaN.")
def diagonal_excluded(q, k, v):
    return _weights(q, k, _triangle(q, -1)) @ _in_place(v, q)


@answers.mistake("each token reads one ahead", "The triangle's edge is one step too far to the right: this is a leak.")
def one_too_far(q, k, v):
    return _weights(q, k, _triangle(q, 1)) @ _in_place(v, q)


@answers.mistake("there is no scale", "Divide the scores by the root of the head's size.")
def no_scale(q, k, v):
    return _attend(q, _in_place(k, q), _in_place(v, q), scale=1.0)


@answers.mistake(
    "the scale is hd without the root", "Divide by the root of hd, once. PyTorch's function does it by itself."
)
def scaled_without_root(q, k, v):
    return _attend(q, _in_place(k, q), _in_place(v, q), scale=1 / q.shape[-1])


@answers.mistake("the scale is the root of the model's width", "One head's products are summed: the root of hd alone.")
def scaled_by_model_width(q, k, v):
    return _attend(q, _in_place(k, q), _in_place(v, q), scale=(q.shape[1] * q.shape[-1]) ** -0.5)


@answers.mistake("keys in place of values", "The weights are applied to v.")
def sums_keys(q, k, v):
    return _attend(q, _in_place(k, q), _in_place(k, q))


@answers.mistake("the result is float32", "bfloat16 in, bfloat16 out: cast back.")
def result_in_float32(q, k, v):
    dtype = torch.promote_types(q.dtype, torch.float32)
    return _attend(*(x.to(dtype) for x in (q, _in_place(k, q), _in_place(v, q))))


@answers.mistake("q is changed in place", "`*=` writes into the caller's tensor. Make a new one.")
def in_place(q, k, v):
    q *= q.shape[-1] ** -0.5
    return _attend(q, _in_place(k, q), _in_place(v, q), scale=1.0)


@answers.mistake("keys and values are detached", "Shared heads learn from all their queries: no `detach`, no `.data`.")
def shared_detached(q, k, v):
    return _attend(q, _in_place(k.detach(), q), _in_place(v.detach(), q))


@answers.mistake("no gradient at all", "`no_grad` cuts the graph: nothing upstream can learn.")
def no_gradient(q, k, v):
    with torch.no_grad():
        return _attend(q, _in_place(k, q), _in_place(v, q))
