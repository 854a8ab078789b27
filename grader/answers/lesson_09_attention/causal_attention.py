"""Right and wrong ways to write `causal_attention(q, k, v)`."""

import math

import torch
import torch.nn.functional as F

from grader.answers import Answers

answers = Answers(
    "causal_attention",
    why="A score for each pair of tokens, divided by the root of the head's size; minus infinity where a key comes "
    "after the query; the softmax over the keys, which gives those a weight of exactly 0; then the weighted sum of v.",
)


def _later(q):
    """[T, T], True where the key comes after the query: common to most of these."""
    t = q.shape[-2]
    return torch.ones(t, t, dtype=torch.bool).triu(1)


def _scores(q, k):
    return q @ k.mT / math.sqrt(q.shape[-1])


@answers.right
def minus_infinity(q, k, v):
    t = q.shape[-2]
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    hidden = torch.ones(t, t, dtype=torch.bool, device=q.device).triu(1)
    return scores.masked_fill(hidden, float("-inf")).softmax(-1) @ v


@answers.right
def smallest_finite_number(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, dropout: float = 0.0) -> torch.Tensor:
    scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(q.size(-1))
    allowed = torch.tril(torch.ones(q.size(2), q.size(2))).view(1, 1, q.size(2), q.size(2))
    scores = scores.masked_fill(allowed == 0, torch.finfo(scores.dtype).min)
    return F.dropout(F.softmax(scores, dim=-1), dropout) @ v


@answers.right
def mask_is_added(q, k, v):
    mask = torch.full((q.shape[2], q.shape[2]), -torch.inf, dtype=q.dtype).triu(diagonal=1)
    return (_scores(q, k) + mask).softmax(dim=-1) @ v


@answers.right
def einsum_and_q_scaled_beforehand(q, k, v):
    scores = torch.einsum("bhqd,bhkd->bhqk", q * q.shape[-1] ** -0.5, k)
    weights = torch.where(_later(q), -1e9, scores.float()).softmax(-1).to(v.dtype)
    return torch.einsum("bhqk,bhkd->bhqd", weights, v)


@answers.right
def root_on_both(q, k, v):
    root = q.shape[-1] ** -0.25
    return ((q * root) @ (k * root).mT).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.right
def token_by_token(q, k, v):
    rows = []
    for t in range(q.shape[2]):
        past = slice(0, t + 1)
        scores = q[:, :, t : t + 1] @ k[:, :, past].mT / math.sqrt(q.shape[-1])
        rows.append(scores.softmax(-1) @ v[:, :, past])
    return torch.cat(rows, dim=2)


@answers.right
def softmax_by_hand(q, k, v):
    scores = _scores(q, k).masked_fill(_later(q), -torch.inf)
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    return (weights @ v) / weights.sum(-1, keepdim=True)


@answers.right
def through_the_logarithm(q, k, v):
    scores = _scores(q, k)
    scores[..., _later(q)] = -torch.inf  # the scores are new: nobody else has them
    return (scores - scores.logsumexp(-1, keepdim=True)).exp() @ v


@answers.right
def head_by_head_upcast(q, k, v):
    def head(h):
        scores = q[:, h].float() @ k[:, h].float().mT * q.shape[-1] ** -0.5
        return scores.masked_fill(_later(q), torch.finfo(torch.float32).min).softmax(-1) @ v[:, h].float()

    return torch.stack([head(h) for h in range(q.shape[1])], dim=1).to(q.dtype)


@answers.right
def block_by_block(q, k, v, block=4):
    """As FlashAttention does it: a running maximum and a running sum."""
    t = q.shape[2]
    top = q.new_full((*q.shape[:3], 1), torch.finfo(q.dtype).min)
    total, out = torch.zeros_like(top), torch.zeros_like(v)
    for start in range(0, t, block):
        keys = slice(start, start + block)
        scores = _scores(q, k[:, :, keys]).masked_fill(_later(q)[:, keys], -torch.inf)
        higher = torch.maximum(top, scores.amax(-1, keepdim=True))
        weights, shrink = (scores - higher).exp(), (top - higher).exp()
        total, out = total * shrink + weights.sum(-1, keepdim=True), out * shrink + weights @ v[:, :, keys]
        top = higher
    return out / total


@answers.right
def compiled(q, k, v):
    return torch.compile(lambda q, k, v: _scores(q, k).masked_fill(_later(q), -torch.inf).softmax(-1) @ v)(q, k, v)


@answers.mistake("there is no mask", "Every token reads the whole text. Hide the scores of later keys.")
def no_mask(q, k, v):
    return _scores(q, k).softmax(-1) @ v


@answers.mistake(
    "the mask comes after the softmax",
    "The rows of weights no longer sum to 1, since hidden keys stand in the denominator. Mask the scores.",
)
def mask_after_softmax(q, k, v):
    return _scores(q, k).softmax(-1).masked_fill(_later(q), 0.0) @ v


@answers.mistake(
    "the mask comes after the softmax, and the rest is rescaled",
    "On paper that is right. But one large score of a hidden key leaves nothing of the others, and 0/0 is no number.",
)
def rescaled_after_softmax(q, k, v):
    weights = _scores(q, k).softmax(-1).masked_fill(_later(q), 0.0)
    return weights / weights.sum(-1, keepdim=True) @ v


@answers.mistake("the triangle is upside down", "Your queries read what comes later. `tril` keeps what came before.")
def upside_down(q, k, v):
    return _scores(q, k).masked_fill(_later(q).mT, -torch.inf).softmax(-1) @ v


@answers.mistake(
    "the mask hides what it should show",
    "`masked_fill` writes where its mask is True. Yours is True where a query may look: hand it the opposite.",
)
def mask_not_inverted(q, k, v):
    return _scores(q, k).masked_fill(~_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake("the diagonal is hidden", "A token reads itself too. Without that the first one has nothing: NaN.")
def diagonal_excluded(q, k, v):
    hidden = torch.ones(q.shape[2], q.shape[2]).triu() == 1
    return _scores(q, k).masked_fill(hidden, -torch.inf).softmax(-1) @ v


@answers.mistake(
    "the diagonal is hidden, with a finite number",
    "A token reads itself too. Your first token has nothing allowed to read, and so takes the mean over everything.",
)
def diagonal_excluded_finite(q, k, v):
    hidden = torch.ones(q.shape[2], q.shape[2]).triu() == 1
    scores = _scores(q, k)
    return scores.masked_fill(hidden, torch.finfo(scores.dtype).min).softmax(-1) @ v


@answers.mistake("each token reads one ahead", "The triangle's edge is one step too far to the right: this is a leak.")
def one_too_far(q, k, v):
    hidden = torch.ones(q.shape[2], q.shape[2]).triu(2) == 1
    return _scores(q, k).masked_fill(hidden, -torch.inf).softmax(-1) @ v


@answers.mistake("only the diagonal is left", "Each token reads itself alone. It may read all earlier ones as well.")
def only_itself(q, k, v):
    hidden = ~torch.eye(q.shape[2], dtype=torch.bool)
    return _scores(q, k).masked_fill(hidden, -torch.inf).softmax(-1) @ v


@answers.mistake(
    "hidden scores are set to 0", "e⁰ is 1, so hidden keys keep a weight. Before the softmax it takes minus infinity."
)
def masked_with_zero(q, k, v):
    return _scores(q, k).masked_fill(_later(q), 0.0).softmax(-1) @ v


@answers.mistake(
    "the mask of zeros and ones is added", "Adding 1 to the allowed scores hides nothing. Add minus infinity to others."
)
def mask_of_ones_added(q, k, v):
    return (_scores(q, k) + (~_later(q)).to(q.dtype)).softmax(-1) @ v


@answers.mistake("hidden scores are only lowered by 10", "−10 leaves a small weight. Minus infinity leaves none.")
def lowered_a_little(q, k, v):
    return (_scores(q, k) - 10.0 * _later(q).to(q.dtype)).softmax(-1) @ v


@answers.mistake("the values are masked, not the scores", "Hide keys from each query by itself: mask the scores.")
def masked_values(q, k, v):
    place = torch.arange(1, q.shape[2] + 1, dtype=q.dtype)[:, None]
    return _scores(q, k).softmax(-1) @ (v * place / q.shape[2])


@answers.mistake("there is no scale", "Divide the scores by the root of the head's size.")
def no_scale(q, k, v):
    return (q @ k.mT).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake("the scale is the root of the model's width", "One head's products are summed: the root of hd alone.")
def scaled_by_model_width(q, k, v):
    return (q @ k.mT / (q.shape[1] * q.shape[-1]) ** 0.5).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake("the scale is hd without the root", "Divide by the root of hd: the spread grows like the root.")
def scaled_without_root(q, k, v):
    return (q @ k.mT / q.shape[-1]).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake("the scale is the root of the length", "Divide by the root of hd, the last axis; T is another one.")
def scaled_by_length(q, k, v):
    return (q @ k.mT / q.shape[-2] ** 0.5).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake("the scores are multiplied by the root", "Divide: the scale is there to make scores smaller.")
def multiplied_by_root(q, k, v):
    return (q @ k.mT * q.shape[-1] ** 0.5).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake("the scale comes after the softmax", "Scale the scores. Scaled weights no longer sum to 1.")
def scaled_after_softmax(q, k, v):
    return (q @ k.mT).masked_fill(_later(q), -torch.inf).softmax(-1) / q.shape[-1] ** 0.5 @ v


@answers.mistake("the scale is applied twice", "You divide by hd in all: once on q or k, and again on the scores.")
def scaled_on_both(q, k, v):
    root = q.shape[-1] ** 0.5
    return ((q / root) @ (k / root).mT / root).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake("the softmax runs over the queries", "Each query's weights sum to 1, over its keys: dim=-1.")
def softmax_over_queries(q, k, v):
    return _scores(q, k).masked_fill(_later(q), -torch.inf).softmax(-2) @ v


@answers.mistake("the softmax runs over the heads", "`dim=1` is the axis of the heads. The keys are the last axis.")
def softmax_over_heads(q, k, v):
    return _scores(q, k).softmax(1).masked_fill(_later(q), 0.0) @ v


@answers.mistake("there is no softmax", "Scores are not weights: the softmax makes them positive, with a sum of 1.")
def no_softmax(q, k, v):
    return _scores(q, k).masked_fill(_later(q), 0.0) @ v


@answers.mistake(
    "an exponential that overflows", "e⁸⁹ is too large for float32. Subtract each row's maximum, or use `softmax`."
)
def exponential_overflows(q, k, v):
    weights = _scores(q, k).masked_fill(_later(q), -torch.inf).exp()
    return weights / weights.sum(-1, keepdim=True) @ v


@answers.mistake("queries and keys are exchanged", "Rows are queries, columns are keys: q on the left.")
def exchanged(q, k, v):
    return _scores(k, q).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake(
    "keys in place of values", "The weights are applied to v. The keys have done their work in the scores."
)
def sums_keys(q, k, v):
    return _scores(q, k).masked_fill(_later(q), -torch.inf).softmax(-1) @ k


@answers.mistake("the cosine in place of the dot product", "Queries and keys keep their lengths here.")
def cosine(q, k, v):
    q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
    return (q @ k.mT).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake("heads attend to each other", "The axes are [B, H, T, hd] already: exchange none of them.")
def over_heads(q, k, v):
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    return (_scores(q, k).masked_fill(_later(q), -torch.inf).softmax(-1) @ v).transpose(1, 2)


@answers.mistake("the weights are returned", "The weighted sum is missing: the weights times v.")
def returns_weights(q, k, v):
    return _scores(q, k).masked_fill(_later(q), -torch.inf).softmax(-1)


@answers.mistake("weights are returned as well", "Return the result alone.")
def returns_both(q, k, v):
    weights = _scores(q, k).masked_fill(_later(q), -torch.inf).softmax(-1)
    return weights @ v, weights


@answers.mistake("the heads are joined", "Joining heads is the module's work. Here the result is [B, H, T, hd].")
def joins_heads(q, k, v):
    return (_scores(q, k).masked_fill(_later(q), -torch.inf).softmax(-1) @ v).transpose(1, 2).flatten(2)


@answers.mistake("a mask that turns bfloat16 into float32", "Give the mask the scores' dtype, or cast the result back.")
def result_in_float32(q, k, v):
    dtype = torch.promote_types(q.dtype, torch.float32)
    return (_scores(q, k).to(dtype).masked_fill(_later(q), -torch.inf).softmax(-1)) @ v.to(dtype)


@answers.mistake("q is changed in place", "`/=` writes into the caller's tensor. Make a new one.")
def in_place(q, k, v):
    q /= q.shape[-1] ** 0.5
    return (q @ k.mT).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake("the weights are detached", "Queries and keys learn through the weights: no `detach`, no `.data`.")
def weights_detached(q, k, v):
    return _scores(q, k).masked_fill(_later(q), -torch.inf).softmax(-1).detach() @ v


@answers.mistake("no gradient at all", "`no_grad` cuts the graph: nothing upstream can learn.")
def no_gradient(q, k, v):
    with torch.no_grad():
        return _scores(q, k).masked_fill(_later(q), -torch.inf).softmax(-1) @ v


@answers.mistake("PyTorch's own attention", "`F.scaled_dot_product_attention` is what this exercise asks you to write.")
def the_built_in(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)
