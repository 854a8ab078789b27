"""Right and wrong ways to write `cached_attention(q, k, v, cache)`."""

import torch
import torch.nn.functional as F

from grader.answers import Answers

answers = Answers(
    "cached_attention",
    why="Join what is cached with what is new; that pair is also the new cache. New token i stands at place n + i, so "
    "the triangle of the mask is shifted by the n cached tokens. With one new token the mask hides nothing.",
)


@answers.right
def joined(q, k, v, cache):
    if cache is not None:
        k, v = (torch.cat((old, new), dim=2) for old, new in zip(cache, (k, v), strict=True))
    t, total = q.shape[2], k.shape[2]
    visible = torch.ones(t, total, dtype=torch.bool, device=q.device).tril(total - t)
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~visible, float("-inf"))
    return scores.softmax(-1) @ v, (k, v)


@answers.right
def with_the_built_in(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, cache=None):
    if cache:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    mask = torch.ones(q.size(2), k.size(2), dtype=torch.bool).tril(k.size(2) - q.size(2))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask), [k, v]


@answers.right
def written_into_new_room(q, k, v, cache):
    """Room for all, made once a call, and filled."""
    n, t = (0 if cache is None else cache[0].shape[2]), q.shape[2]
    room = [x.new_empty(*x.shape[:2], n + t, x.shape[3]) for x in (k, v)]
    for place, (buffer, new) in enumerate(zip(room, (k, v), strict=True)):
        if n:
            buffer[:, :, :n] = cache[place]
        buffer[:, :, n:] = new
    keys, values = room
    hidden = torch.arange(n + t) > torch.arange(n, n + t)[:, None]
    scores = torch.einsum("bhqd,bhkd->bhqk", q * q.shape[-1] ** -0.5, keys)
    weights = scores.masked_fill(hidden, torch.finfo(scores.dtype).min).softmax(-1)
    return torch.einsum("bhqk,bhkd->bhqd", weights, values), (keys, values)


@answers.right
def preallocated(q, k, v, cache):
    """The cache is the used part of a room with as much again to spare."""
    n, t = (0 if cache is None else cache[0].shape[2]), q.shape[2]

    def grown(old, new):
        room = new.new_zeros(*new.shape[:2], 2 * (n + t), new.shape[3])
        if old is not None:
            room[:, :, :n] = old
        room[:, :, n : n + t] = new
        return room[:, :, : n + t]

    k, v = (grown(cache and cache[i], x) for i, x in enumerate((k, v)))
    mask = torch.full((t, n + t), -torch.inf, dtype=q.dtype).triu(n + 1)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask), (k, v)


@answers.right
@torch.no_grad()
def token_by_token(q, k, v, cache):
    out = []
    for i in range(q.shape[2]):
        new = k[:, :, i : i + 1], v[:, :, i : i + 1]
        cache = new if cache is None else tuple(torch.cat(pair, dim=2) for pair in zip(cache, new, strict=True))
        out.append(F.scaled_dot_product_attention(q[:, :, i : i + 1], *cache))
    return torch.cat(out, dim=2), cache


@answers.right
def old_and_new_apart(q, k, v, cache):
    """Scores with old and new keys are joined, not the keys: only the new part needs a mask."""
    scale, t = q.shape[-1] ** -0.5, q.shape[2]
    old_k, old_v = (k[:, :, :0], v[:, :, :0]) if cache is None else cache
    new = (q @ k.mT * scale).masked_fill(torch.ones(t, t, dtype=torch.bool).triu(1), -torch.inf)
    weights = torch.cat((q @ old_k.mT * scale, new), dim=-1).softmax(-1)
    old_n = old_k.shape[2]
    out = weights[..., :old_n] @ old_v + weights[..., old_n:] @ v
    return out, (torch.cat((old_k, k), 2), torch.cat((old_v, v), 2))


@answers.right
def queries_padded(q, k, v, cache):
    """Zeros in place of the old queries, and PyTorch's square mask; the old rows are thrown away."""
    n = 0 if cache is None else cache[0].shape[2]
    if n:
        k, v = torch.cat((cache[0], k), -2), torch.cat((cache[1], v), -2)
    padded = F.pad(q, (0, 0, n, 0))
    return F.scaled_dot_product_attention(padded, k, v, is_causal=True)[:, :, n:], (k, v)


def _join(cache, k, v):
    """As it should be: common to those that go wrong elsewhere."""
    return (k, v) if cache is None else tuple(torch.cat(pair, dim=2) for pair in zip(cache, (k, v), strict=True))


def _attend(q, k, v, shift=0, scale=None):
    """With the triangle as it should be, or shifted."""
    t, total = q.shape[2], k.shape[2]
    visible = torch.ones(t, total, dtype=torch.bool).tril(total - t + shift)
    scores = q @ k.mT * (scale or q.shape[-1] ** -0.5)
    return scores.masked_fill(~visible, -torch.inf).softmax(-1) @ v


@answers.mistake(
    "the mask is counted from the left",
    "Your first new token reads key 0 only. It stands at place n, after n cached tokens: shift the triangle by n.",
)
def mask_from_the_left(q, k, v, cache):
    k, v = _join(cache, k, v)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True), (k, v)


@answers.mistake("the mask is shifted by one too many", "New token i reads places 0 to n + i. Yours reads one ahead.")
def shifted_too_far(q, k, v, cache):
    k, v = _join(cache, k, v)
    return _attend(q, k, v, shift=1), (k, v)


@answers.mistake("the mask is shifted by one too few", "New token i reads itself too: places 0 to n + i.")
def shifted_too_little(q, k, v, cache):
    k, v = _join(cache, k, v)
    return _attend(q, k, v, shift=-1), (k, v)


@answers.mistake(
    "the mask is shifted by one too few once there is a cache", "With n cached tokens the diagonal is n, not n − 1."
)
def shifted_too_little_later(q, k, v, cache):
    shift = 0 if cache is None else -1
    k, v = _join(cache, k, v)
    return _attend(q, k, v, shift), (k, v)


@answers.mistake("there is no mask", "New tokens must not read newer ones: several at once need the triangle.")
def no_mask(q, k, v, cache):
    k, v = _join(cache, k, v)
    return F.scaled_dot_product_attention(q, k, v), (k, v)


@answers.mistake(
    "there is no mask once there is a cache", "With one new token that is right. Several new ones must not read ahead."
)
def no_mask_later(q, k, v, cache):
    first = cache is None
    k, v = _join(cache, k, v)
    return F.scaled_dot_product_attention(q, k, v, is_causal=first), (k, v)


@answers.mistake("there is no mask at first", "Without a cache, several tokens come at once too: mask them.")
def no_mask_at_first(q, k, v, cache):
    if cache is None:
        return F.scaled_dot_product_attention(q, k, v), (k, v)
    k, v = _join(cache, k, v)
    return _attend(q, k, v), (k, v)


@answers.mistake(
    "a square mask, counted from the end", "The last t places are masked for all alike. Row by row, please."
)
def hides_the_new(q, k, v, cache):
    old = cache is not None
    k, v = _join(cache, k, v)
    visible = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool)
    visible[:, -q.shape[2] + 1 :] = q.shape[2] == 1 or not old
    return F.scaled_dot_product_attention(q, k, v, attn_mask=visible if old else visible.tril()), (k, v)


@answers.mistake(
    "new keys are put before the old ones", "Order counts for the mask: the cached ones come first, then the new."
)
def new_before_old(q, k, v, cache):
    if cache is not None:
        k, v = torch.cat((k, cache[0]), 2), torch.cat((v, cache[1]), 2)
    return _attend(q, k, v), (k, v)


@answers.mistake("only the kept order is wrong", "The result is right, but the cache holds new tokens before old ones.")
def kept_before_old(q, k, v, cache):
    out = _attend(q, *_join(cache, k, v))
    kept = (k, v) if cache is None else (torch.cat((k, cache[0]), 2), torch.cat((v, cache[1]), 2))
    return out, kept


@answers.mistake("new keys before old ones, values the other way", "Keys and values belong together, token by token.")
def keys_before_old(q, k, v, cache):
    joined_v = _join(cache, k, v)[1]
    k = k if cache is None else torch.cat((k, cache[0]), 2)
    return _attend(q, k, joined_v), (k, joined_v)


@answers.mistake("the cache does not grow", "Return the joined keys and values: the next call needs the new ones too.")
def not_grown(q, k, v, cache):
    keys, values = _join(cache, k, v)
    return _attend(q, keys, values), cache or (k, v)


@answers.mistake("only the new keys are kept", "Return old and new together: the next call reads all of them.")
def keeps_new_only(q, k, v, cache):
    keys, values = _join(cache, k, v)
    return _attend(q, keys, values), (k, v)


@answers.mistake("the cached keys are not read", "The new tokens read all earlier ones: join before you attend.")
def does_not_read(q, k, v, cache):
    return _attend(q, k, v), _join(cache, k, v)


@answers.mistake("the kept values do not grow", "Keys and values grow alike.")
def values_not_grown(q, k, v, cache):
    keys, values = _join(cache, k, v)
    return _attend(q, keys, values), (keys, v if cache is None else cache[1])


@answers.mistake("keys and values are exchanged in the cache", "The cache is (k, v), keys first.")
def kept_exchanged(q, k, v, cache):
    keys, values = _join(cache, k, v)
    return _attend(q, keys, values), (values, keys)


@answers.mistake("the last tokens fall out of the cache", "Everything stays: nothing is cut off at the end.")
def drops_the_last(q, k, v, cache):
    keys, values = _join(cache, k, v)
    return _attend(q, keys, values), (keys[:, :, :-1], values[:, :, :-1])


@answers.mistake("the cache keeps a fixed number of tokens", "The oldest tokens fall out. Here all are kept.")
def sliding_window(q, k, v, cache):
    keys, values = _join(cache, k, v)
    return _attend(q, keys, values), (keys[:, :, -4:], values[:, :, -4:])


@answers.mistake("a new token does not read itself", "Its own key has to be among those it reads.")
def skips_the_new_key(q, k, v, cache):
    keys, values = _join(cache, k, v)
    if cache is None:
        return _attend(q, keys, values), (keys, values)
    return F.scaled_dot_product_attention(q, *cache), (keys, values)


@answers.mistake(
    "the cache begins with a zero",
    "A key of zeros is a key: it gets a weight. Where cache is None there is nothing to join.",
)
def begins_with_a_zero(q, k, v, cache):
    cache = (torch.zeros_like(k[:, :, :1]), torch.zeros_like(v[:, :, :1])) if cache is None else cache
    k, v = _join(cache, k, v)
    return _attend(q, k, v), (k, v)


@answers.mistake("None is not handled", "At the first call there is no cache: cache is None.")
def needs_a_cache(q, k, v, cache):
    k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
    return _attend(q, k, v), (k, v)


@answers.mistake("joined along another axis", "The axes are [B, H, T, hd]: tokens are axis 2.")
def joined_along_heads(q, k, v, cache):
    if cache is not None:
        k, v = torch.cat((cache[0], k), 1), torch.cat((cache[1], v), 1)
    return _attend(q, k, v), (k, v)


@answers.mistake(
    "the cache is kept outside", "Two sequences would mix: read the cache that is given, and return the new one."
)
def keeps_its_own(q, k, v, cache, *, _own=[None]):  # noqa: B006
    _own[0] = _join(None if cache is None else _own[0], k, v)
    k, v = _own[0]
    return _attend(q, k, v), (k, v)


@answers.mistake("scaled keys are cached", "They are scaled again at the next call. Scale the scores, or q.")
def keeps_scaled_keys(q, k, v, cache):
    root = q.shape[-1] ** -0.5
    k, v = _join(cache, k * root, v)
    return _attend(q, k, v, scale=1.0), (k, v)


@answers.mistake(
    "cached keys are scaled again", "The scores are scaled, and the cached keys as well: scale once, at the scores."
)
def scales_cached_again(q, k, v, cache):
    if cache is not None:
        cache = (cache[0] * q.shape[-1] ** -0.5, cache[1])
    k, v = _join(cache, k, v)
    return _attend(q, k, v), (k, v)


@answers.mistake("the scale is missing", "Divide the scores by the root of the head's size.")
def no_scale(q, k, v, cache):
    k, v = _join(cache, k, v)
    return _attend(q, k, v, scale=1.0), (k, v)


@answers.mistake("the scale is the root of the number of tokens", "Divide by the root of hd, whatever is cached.")
def scaled_by_length(q, k, v, cache):
    k, v = _join(cache, k, v)
    return _attend(q, k, v, scale=k.shape[2] ** -0.5), (k, v)


@answers.mistake(
    "old and new are attended to apart, and averaged", "One softmax over all keys: two softmaxes give other weights."
)
def two_softmaxes(q, k, v, cache):
    out = _attend(q, k, v)
    if cache is not None:
        out = (out + F.scaled_dot_product_attention(q, *cache)) / 2
    return out, _join(cache, k, v)


@answers.mistake("the result is float32", "bfloat16 in, bfloat16 out: cast back.")
def result_in_float32(q, k, v, cache):
    k, v = _join(cache, k, v)
    dtype = torch.promote_types(q.dtype, torch.float32)
    return _attend(q.to(dtype), k.to(dtype), v.to(dtype)), (k, v)


@answers.mistake("the cache is float32", "It is kept in the dtype of k and v: twice the bytes otherwise.")
def cache_in_float32(q, k, v, cache):
    dtype = torch.promote_types(q.dtype, torch.float32)
    k, v = _join(cache, k.to(dtype), v.to(dtype))
    return _attend(q.to(dtype), k, v).to(q.dtype), (k, v)


@answers.mistake("only the result is returned", "Return the pair (out, cache): the caller hands the cache back.")
def returns_out_only(q, k, v, cache):
    return _attend(q, *_join(cache, k, v))


@answers.mistake("out, k and v are returned one by one", "Two things are returned: out, and the cache, a pair.")
def returns_three(q, k, v, cache):
    k, v = _join(cache, k, v)
    return _attend(q, k, v), k, v


@answers.mistake("the cache is one tensor", "The cache is a pair, (k, v).")
def stacked_cache(q, k, v, cache):
    k, v = _join(cache, k, v)
    return _attend(q, k, v), torch.stack((k, v))


@answers.mistake("(cache, out) in place of (out, cache)", "The result comes first, the cache second.")
def the_other_order(q, k, v, cache):
    k, v = _join(cache, k, v)
    return (k, v), _attend(q, k, v)


@answers.mistake(
    "the cache that was given is changed", "Whoever gave it may use it again. Make new tensors: `cat` does."
)
def changes_the_cache(q, k, v, cache):
    if cache is not None:
        t = min(q.shape[2], cache[0].shape[2])
        keys, values = _join(cache, k, v)
        for old, new in zip(cache, (k, v), strict=True):
            old[:, :, -t:] = new[:, :, -t:]  # a ring: the newest tokens overwrite the room of older ones
        return _attend(q, keys, values), (keys, values)
    return _attend(q, k, v), (k, v)


@answers.mistake("q is changed in place", "`*=` writes into the caller's tensor. Make a new one.")
def q_in_place(q, k, v, cache):
    q *= q.shape[-1] ** -0.5
    k, v = _join(cache, k, v)
    return _attend(q, k, v, scale=1.0), (k, v)
