# ---
# jupyter:
#   jupytext:
#     notebook_metadata_filter: -jupytext.text_representation.jupytext_version
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Attention: who reads whom
#
# **Goal.** You write causal attention, RoPE, grouped queries, the attention layer of a Llama, and a KV cache.
# Then you hunt for leaks, measure what RoPE does with distance, and count the bytes of real models' caches.
#
# **Core path · 64 minutes · difficulty 3 of 3 · 30 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 12 | – | – |
# | Exercise 1: causal attention | 7 | ●●○ | 5 |
# | Exercise 2: RoPE | 8 | ●●● | 6 |
# | Exercise 3: grouped queries | 4 | ●●○ | 4 |
# | Exercise 4: the module | 9 | ●●● | 10 |
# | Exercise 5: the cache | 7 | ●●● | 5 |
# | Three experiments | 10 | – | – |
# | Written answer and quiz | 7 | ●●○ | 5 |
#
# You need PyTorch tensors, broadcasting and matrix products. You need no earlier lesson.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
from time import perf_counter

import torch
import torch.nn.functional as F
from torch import nn

from grader import check, hint
from lessons.support import attention as given
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.llama import DecoderConfig, SwiGLU, given_rope
from lessons.support.progress import progress
from lessons.support.text import ALPHABET, standard_library
from lessons.support.threads import one_thread
from lessons.support.tiny_lm import TinyLM
from lessons.support.train import held_out_loss, train
from quiz import quiz

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom. Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("causal_attention")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("causal_attention")`
# shows a solution and explains it. A class edition has no `reveal`.
#
# No exercise needs another one: whatever a later exercise builds on is given there.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [10].
# It compares a transformer to a line of 32 people who pass a page along, each adding a remark.
# Every token has a page of its own. Norms and feed-forward networks never look at a second page.
#
# Attention is the one moment at which they do. For each page, its person
#
# - writes a question on a slip: the **query**, *what am I looking for?*
# - puts a label on the page: the **key**, *what have I got?*
# - lays out a copy of what may be taken: the **value**.
#
# Then everyone compares the question with the labels of all pages, takes most from those that fit best, and writes a
# mixture of their values on their own page. In a text that is written from left to right, pages to the right do not exist
# yet. Whoever looks at them cheats.

# %% [markdown]
# ### What the note gets right
#
# - "Attention mixes information across tokens, while the Feed-Forward Network processes each token independently."
#   That is exact, and you will measure it.
#
# ### What the note leaves out
#
# - Nearly everything else. That sentence is all the note says about attention, so this lesson takes its claims from papers.
# - It counts "three major architectural upgrades" between 2017 and Llama 3: norm placement, norm, feed-forward network.
#   Attention has changed as well. Positions are **turned in** (RoPE) [2], no longer added, and query heads **share** keys
#   and values [4]. You write both.
# - "Mixes across tokens" needs a "but": in a language model, only from left to right.

# %% [markdown]
# ## The mathematics
#
# Take one head. Each of $T$ tokens has a query $q_i$, a key $k_i$ and a value $v_i$, of $hd$ numbers each.
#
# $$s_{ij} = \frac{q_i \cdot k_j}{\sqrt{hd}}, \qquad
# w_{ij} = \frac{e^{s_{ij}}}{\sum_{m \le i} e^{s_{im}}} \;\text{ for } j \le i, \text{ else } 0, \qquad
# y_i = \sum_{j \le i} w_{ij}\, v_j$$
#
# - $s_{ij}$ is the **score** of key $j$ for query $i$. If the numbers are independent, with variance 1, a sum of $hd$
#   products has a standard deviation of $\sqrt{hd}$; the division undoes that.
# - The softmax turns the scores of a row into **weights**, which are positive and sum to 1.
# - $j \le i$ makes it **causal**: token $i$ reads itself and what came before.
#
# In a program all scores are computed at once. The hidden ones are set to $-\infty$ **before** the softmax:
# $e^{-\infty} = 0$ takes them out of the numerator *and* out of the sum below it.

# %% [markdown]
# ### An example to do by hand
#
# Two tokens, $hd = 1$: queries $1, 1$, keys $0, \ln 3$, values $4, 8$. What are $y_0$ and $y_1$?
#
# Token 0 reads itself alone. Token 1 has the scores $0$ and $\ln 3$, so the weights are as $1 : 3$.

# %% tags=["experiment"]
rows = [[[1.0], [1.0]], [[0.0], [math.log(3)]], [[4.0], [8.0]]]
y = given.right_mask(*torch.tensor(rows)[:, None, None])  # q, k and v: [B = 1, H = 1, T = 2, hd = 1]
print("y = " + ", ".join(f"{number:.4g}" for number in y.flatten()))

# %% [markdown]
# ### Several heads
#
# One question is not enough. A layer asks $H$ of them at once: its $q$, $k$ and $v$ are cut into $H$ **heads** of $hd$
# numbers, which know nothing of each other. In this lesson they are laid out as `[B, H, T, hd]`: batch, heads, tokens,
# numbers of a head.
#
# Each query head needs keys and values. In **multi-head attention** (MHA) it has its own. In **multi-query attention**
# (MQA) all share one [3]. **Grouped-query attention** (GQA) lies between: $KV$ key-value heads, each for a group of
# $H/KV$ neighbouring query heads [4].

# %% [markdown]
# ### RoPE
#
# A dot product does not know where its two tokens stand. RoPE [2] changes that: it takes a head's numbers in pairs and
# **turns** each pair, like the hand of a clock, by an angle that grows with the position $p$:
#
# $$\phi_i(p) = p\,\theta^{-2i/hd}, \qquad
# \begin{pmatrix} a \\ b \end{pmatrix} \leftarrow
# \begin{pmatrix} \cos\phi_i & -\sin\phi_i \\ \sin\phi_i & \cos\phi_i \end{pmatrix}
# \begin{pmatrix} a \\ b \end{pmatrix}, \qquad i = 0, \dots, \tfrac{hd}{2} - 1$$
#
# Pair 0 turns by 1 radian a token. Each next pair is slower. With $hd = 128$ and $\theta = 10{,}000$ the last needs 8,660
# tokens for one radian.
#
# Queries and keys are turned, each by its own position. What is left in a dot product is the **difference** of two
# angles. With $q = k = (1, 0)$ and $hd = 2$ the product is $\cos(p_q - p_k)$: no absolute position in it.

# %% [markdown]
# ### Which numbers make a pair?
#
# There are two layouts, and a file of weights does not say which one it was trained with.
#
# - **Half-split**: number $i$ is turned with number $i + hd/2$. Hugging Face's Llama does this [6], and so do you.
# - **Interleaved**: neighbours are turned, 0 with 1, 2 with 3. RoPE's paper and Meta's own code do this.
#
# With $hd = 4$ the half-split pairs are $(x_0, x_2)$ and $(x_1, x_3)$.

# %% [markdown]
# ### The KV cache
#
# When a model writes, it adds one token at a time. The keys and values of old tokens do not change: nothing to their
# left has changed. So keep them. Each step then computes one new query, key and value, and reads the rest from the **cache**.
#
# Old queries are never asked again, so no query is kept.

# %% [markdown]
# ## Exercise 1: causal attention
#
# ●●○ · 7 minutes · 5 points
#
# Write `causal_attention(q, k, v)`, the formula of "The mathematics", for all heads at once.
#
# - `q`, `k` and `v` have shape `[B, H, T, hd]`. So has the result, in the same dtype.
# - Scores may be as large as some hundreds. The result is finite all the same.
# - Leave the inputs as they were.
# - PyTorch's finished answer is forbidden here: `F.scaled_dot_product_attention`. Anything else is allowed.
#
# Hints: `hint("causal_attention")`.


# %% nbgrader={"grade": false, "grade_id": "causal_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_attention(q, k, v):
    """Every token reads itself and the tokens before it.

    q, k, v: [B, H, T, hd]. Returns [B, H, T, hd] in their dtype.
    """
    ### BEGIN SOLUTION
    length, size = q.shape[-2:]
    scores = q @ k.transpose(-2, -1) / size**0.5
    visible = torch.ones(length, length, dtype=torch.bool, device=q.device).tril()
    return scores.masked_fill(~visible, float("-inf")).softmax(dim=-1) @ v
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_causal_attention", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check("causal_attention")
### BEGIN HIDDEN TESTS
check("causal_attention", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: RoPE
#
# ●●● · 8 minutes · 6 points
#
# Write `apply_rope(x, positions, theta=10000.0)`: turn every pair of every head by its angle, in the half-split layout.
#
# - `x` has shape `[B, H, T, hd]` with an even `hd`. It may be a view that is not contiguous.
# - `positions` has shape `[T]` and holds whole numbers: where each token stands. They need not start at 0, and there may be
#   gaps. (Think of a cache: the next token is not at position 0.)
# - Return a new tensor with the shape and dtype of `x`.
# - Compute the angles in **float32**, whatever `x` is. bfloat16 has no 257: it would turn token 257 like token 256.
#   Cosines and sines may be cast.
# - `given_rope`, which exercise 4 hands you, is forbidden here.
#
# Hints: `hint("apply_rope")`.


# %% nbgrader={"grade": false, "grade_id": "apply_rope", "locked": false, "schema_version": 3, "solution": true, "task": false}
def apply_rope(x, positions, theta=10000.0):
    """Turn the pairs (i, i + hd/2) of each head by position · theta^(-2i/hd).

    x: [B, H, T, hd], hd even; positions: [T], integers. Returns [B, H, T, hd] in x's dtype; angles in float32.
    """
    ### BEGIN SOLUTION
    pairs = x.shape[-1] // 2
    exponents = torch.arange(pairs, dtype=torch.float32, device=x.device) / pairs
    angles = positions.float()[:, None] * theta**-exponents  # [T, hd/2]
    cos, sin = (turn.to(x.dtype) for turn in (angles.cos(), angles.sin()))
    left, right = x.chunk(2, dim=-1)
    return torch.cat((left * cos - right * sin, right * cos + left * sin), dim=-1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_apply_rope", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("apply_rope")
### BEGIN HIDDEN TESTS
check("apply_rope", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3: grouped queries
#
# ●●○ · 4 minutes · 4 points
#
# Write `grouped_query_attention(q, k, v)`: causal attention in which query heads share.
#
# - `q` has shape `[B, H, T, hd]`, `k` and `v` have `[B, KV, T, hd]`. `H` is a multiple of `KV`, perhaps equal to it.
# - Query head $h$ reads key-value head $\lfloor h / (H/KV) \rfloor$: neighbours share. With $H = 6$ and $KV = 2$, heads
#   0, 1, 2 read key-value head 0.
# - Nothing is forbidden. PyTorch's `F.scaled_dot_product_attention` is allowed here, so this exercise does not depend on
#   the first.
#
# Hints: `hint("grouped_query_attention")`.


# %% nbgrader={"grade": false, "grade_id": "grouped_query_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def grouped_query_attention(q, k, v):
    """Causal attention in which each key-value head serves H / KV neighbouring query heads.

    q: [B, H, T, hd]; k, v: [B, KV, T, hd]. Returns [B, H, T, hd] in q's dtype.
    """
    ### BEGIN SOLUTION
    group = q.shape[1] // k.shape[1]
    keys, values = (shared.repeat_interleave(group, dim=1) for shared in (k, v))
    return F.scaled_dot_product_attention(q, keys, values, is_causal=True)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_grouped_query_attention", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("grouped_query_attention")
### BEGIN HIDDEN TESTS
check("grouped_query_attention", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4: the module
#
# ●●● · 9 minutes · 10 points
#
# Write `class Attention(nn.Module)`, made by `Attention(config)`. The config is a `DecoderConfig`. You need
#
# - `config.dim`, the width of a token;
# - `config.n_heads`, `config.n_kv_heads` and `config.head_dim`. (`n_heads` times `head_dim` need **not** be `dim`.)
# - `config.rope_theta`.
#
# It has four linear layers **without biases**: `q_proj` leads to all query heads, `k_proj` and `v_proj` to the key-value
# heads, and `o_proj` from the joined query heads back to `dim`. Within a token the heads lie side by side: the first
# `head_dim` numbers are head 0.
#
# `forward(x, positions)`, with `x: [B, T, dim]` and `positions: [T]`, returns `[B, T, dim]`. It projects, cuts into heads,
# turns `q` and `k` (**not** `v`), attends causally with grouped queries, joins the heads and projects back.
# Causal means: in the order of the sequence, whatever numbers stand in `positions`.
#
# - `given_rope(x, positions, theta)` does what exercise 2 asks for. `F.scaled_dot_product_attention` is allowed as well;
#   its `enable_gqa=True` lets query heads share. Forbidden is `lessons.support.llama.Attention`, this layer ready-made.
# - What you do inside is up to you. The check never looks there: each of its cases leaves only some steps with anything
#   to do. Read them from the top: **the first that fails names the place**.
#
# One line is given. Hints: `hint("attention_module")`.


# %% nbgrader={"grade": false, "grade_id": "attention_module", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Attention(nn.Module):
    """Causal grouped-query attention with RoPE. x: [B, T, dim]; positions: [T]. Returns [B, T, dim].

    config: a DecoderConfig, of which dim, n_heads, n_kv_heads, head_dim and rope_theta matter here.
    """

    def __init__(self, config):
        super().__init__()
        ### BEGIN SOLUTION
        self.hd, self.theta = config.head_dim, config.rope_theta
        wide, narrow = config.n_heads * self.hd, config.n_kv_heads * self.hd
        self.q_proj = nn.Linear(config.dim, wide, bias=False)
        self.k_proj = nn.Linear(config.dim, narrow, bias=False)
        self.v_proj = nn.Linear(config.dim, narrow, bias=False)
        self.o_proj = nn.Linear(wide, config.dim, bias=False)
        ### END SOLUTION

    def forward(self, x, positions):
        ### BEGIN SOLUTION
        batch, length, _ = x.shape
        rows = [layer(x).view(batch, length, -1, self.hd) for layer in (self.q_proj, self.k_proj, self.v_proj)]
        q, k, v = (heads.transpose(1, 2) for heads in rows)  # [B, T, n, hd] -> [B, n, T, hd]
        q, k = given_rope(q, positions, self.theta), given_rope(k, positions, self.theta)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.o_proj(mixed.transpose(1, 2).reshape(batch, length, -1))
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_attention_module", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
check("attention_module")
### BEGIN HIDDEN TESTS
check("attention_module", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5: the cache
#
# ●●● · 7 minutes · 5 points
#
# Write `cached_attention(q, k, v, cache)`, which returns `(out, cache)`.
#
# - `q`, `k` and `v` are those of the $t$ **new** tokens, `[B, H, t, hd]`, with $t \ge 1$, RoPE done already.
#   (No grouping here: it has nothing to do with caching.)
# - `cache` is the pair `(k, v)` of all tokens so far, `[B, H, n, hd]` each. At the first call it is `None`.
# - `out`, `[B, H, t, hd]`, is what the new tokens read: everything cached, themselves, and no token later than their own.
# - The cache returned is the pair with the new tokens at its end. It is handed back at the next call.
# - Any split into steps gives the same as one step with all tokens.
# - The cache that was given stays as it was: two continuations may start from it. How you make room is up to you.
# - Nothing is forbidden. Gradients are not asked for: a cache is for writing text, not for training.
#
# What does the mask look like when 3 tokens are cached and 2 are new? How many rows has it, and how many columns?
#
# Hints: `hint("cached_attention")`.


# %% nbgrader={"grade": false, "grade_id": "cached_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def cached_attention(q, k, v, cache):
    """Causal attention of t new tokens over n cached ones and themselves.

    q, k, v: [B, H, t, hd]; cache: (k, v) of [B, H, n, hd] each, or None.
    Returns out, [B, H, t, hd], and the new cache, (k, v) of [B, H, n + t, hd] each.
    """
    ### BEGIN SOLUTION
    if cache is not None:
        k, v = (torch.cat((old, new), dim=2) for old, new in zip(cache, (k, v), strict=True))
    fresh, total = q.shape[2], k.shape[2]
    visible = torch.ones(fresh, total, dtype=torch.bool, device=q.device).tril(total - fresh)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=visible), (k, v)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_cached_attention", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check("cached_attention")
### BEGIN HIDDEN TESTS
check("cached_attention", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Experiment 1: does it leak?
#
# A sceptical engineer asks: the shapes fit, the rows of weights sum to 1. How do I know that it does not read ahead?
#
# There is one test that any attention has to pass, and it takes no look inside. Replace token $t + 1$. Output $t$ must
# not move.
#
# `given.leak_map` does it for every token of a short text. Its row $j$ says how far each output moves when token $j$ is
# replaced. Try it on four masks, and on **your own** functions, if you have written them.
# The rest of the experiments use given parts. They run whether or not you have solved the exercises.

# %% tags=["experiment"]
device = choose_device()
masks = {
    "right": given.right_mask,
    "one too far": given.one_too_far,
    "after the softmax": given.mask_after_softmax,
    "none": given.no_mask,
}
maps = {name: given.leak_map(given.self_attention(attend)) for name, attend in masks.items()}
leaks = {name: given.leak(moved) for name, moved in maps.items()}


def your_module(x):
    """Your exercise 4 on a text of its own: x, [T, 8]."""
    torch.manual_seed(0)
    sizes = {"dim": 8, "n_heads": 4, "n_kv_heads": 2, "head_dim": 4}
    layer = Attention(DecoderConfig(vocab_size=96, n_layers=1, hidden_dim=16, **sizes))
    return layer(x[None], torch.arange(len(x)))[0]


yours = {"your exercise 1": given.self_attention(causal_attention), "your exercise 4": your_module}
for name, of_tokens in yours.items():
    try:
        leaks[name] = given.leak(given.leak_map(of_tokens))
    except Exception as error:  # whatever your code raises while it is not finished
        print(f"{name}: not tried ({type(error).__name__})")
print(f"{'mask':20}largest move of an output before the changed token")
for name, size in leaks.items():
    print(f"{name:20}{size:.4f}  {'leaks' if size else 'does not leak'}")

# %% [markdown]
# Read the pictures row by row. Row $j$: token $j$ was replaced. Everything left of the diagonal stands **before** it,
# and must be white.

# %% tags=["experiment"]
figure, panels = plots.new_axes(panels=4, height=2.7, share_y=True)
for ax, (name, moved) in zip(panels, maps.items(), strict=True):
    ax.imshow(moved, cmap="Blues", vmin=0, vmax=1)
    for j, i in (moved.tril(-1) > 0).nonzero().tolist():
        ax.plot(i, j, "x", color=plots.LAYER, markersize=6)
    ax.grid(visible=False)
    ax.set(title=name, xlabel="output", ylabel="token replaced")
    ax.set_xticks(range(0, 8, 2))
    ax.set_yticks(range(0, 8, 2))
tight = [name for name in maps if leaks[name] == 0]
plots.show(
    figure,
    f"Of {len(maps)} masks {'one keeps' if len(tight) == 1 else f'{len(tight)} keep'} the past still: {', '.join(tight)}",
    "The darker, the further an output moved (white: not at all, bit for bit). A cross marks an output that moved "
    "although it stands before the replaced token. Crosses: "
    + ", ".join(f"{name} {int((moved.tril(-1) > 0).sum())}" for name, moved in maps.items())
    + " of 28.",
)

# %% [markdown]
# The mask after the softmax gives later tokens no weight, and still they show: their scores stand in the denominator.
# One too far looks the most harmless. Is it?
#
# ### What a leak of one token does
#
# Train a small language model twice, once with the right mask and once with the mask that is one too far. Same seed, same
# text, which is the source of Python's standard library from your disk. The target is the next character:
# the very token the second model can see.

# %% tags=["experiment"]
text = standard_library()
steps, batch, length = 200, 16, 64


def trained(attend):
    """A model of two blocks, 48 wide, with this attention in it, and its training losses."""
    torch.manual_seed(0)
    shape = {"dim": 48, "n_layers": 2, "n_heads": 3, "context": length}
    model = TinyLM(len(ALPHABET), **shape, ffn=lambda dim: SwiGLU(dim, 2 * dim))
    given.set_mask(model, attend).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    return model, train(model, text, optimizer, steps, batch, length, seed=0)


runs = {}
with one_thread():  # so small a model gains nothing from a second one
    for name in progress(["right", "one too far"], "training, a model a step"):
        runs[name] = trained(masks[name])
    with_leak = held_out_loss(runs["one too far"][0], text, length)
    closed = held_out_loss(given.set_mask(runs["one too far"][0], given.right_mask), text, length)
    honest = held_out_loss(runs["right"][0], text, length)
print("\nheld-out loss, nats a character")
print(f"trained with the right mask:                  {honest:.2f}")
print(f"trained with the leak, measured with it:      {with_leak:.2f}")
print(f"trained with the leak, the leak closed:       {closed:.2f}")
print(f"guessing among {len(ALPHABET)} characters:                 {math.log(len(ALPHABET)):.2f}")

# %% tags=["experiment"]
figure, ax = plots.new_axes(height=3.6)
styles = {"right": (plots.RMS, "-"), "one too far": (plots.LAYER, "--")}
for name, (colour, line) in styles.items():
    losses = runs[name][1]
    ax.plot(range(1, len(losses) + 1), losses, line, color=colour)
    plots.label(ax, len(losses), losses[-1], name, colour, va="center")
plots.points(ax, [steps], [closed], plots.LAYER, "X")
plots.label(ax, steps, closed, "the same model,\nleak closed", plots.LAYER, va="center")
ax.set(xlabel="training step", ylabel="training loss, nats a character", xlim=(0, 1.24 * steps), ylim=(-0.3, None))
plots.show(
    figure,
    f"The leaky model's loss falls to {runs['one too far'][1][-1]:.2f}; asked honestly it is at {closed:.1f}",
    f"With the right mask the loss ends at {runs['right'][1][-1]:.2f}. With the leak it falls to "
    f"{runs['one too far'][1][-1]:.2f}, on held-out text too ({with_leak:.2f}). With the leak closed, as when it "
    f"writes and the next character does not exist yet, the same model has {closed:.2f}. Lines are training losses, the "
    "cross is held-out loss.",
)

# %% [markdown]
# Most bugs make a loss curve worse, and so somebody looks. This one makes it **better**. Held-out text does not uncover it,
# since the answer stands in the held-out text as well. The test above does, before any training.

# %% [markdown]
# ## Experiment 2: what does RoPE do with distance?
#
# A sceptical engineer asks: people say that RoPE makes far tokens count less. Does it?
#
# Take the same query and key at every distance: all ones, as in the usual plot. At distance 0 the score is largest.
# Then move the key away. And do it again with both tokens 5,000 places further on.

# %% tags=["experiment"]
hd, distances = 128, torch.arange(401)
ones = torch.ones(1, 1, len(distances), hd)


def scores(start, theta, rope=given_rope):
    """Score of a query at `start` + distance for a key at `start`, over the score at distance 0."""
    query = rope(ones, start + distances, theta)
    key = rope(ones, torch.full_like(distances, start), theta)
    return (query * key).sum(-1)[0, 0] / hd


near, far = scores(0, 10000.0), scores(5000, 10000.0)
rises = 100 * (near.diff() > 0).float().mean().item()
shifted = (near - far).abs().max().item()
first_half, second_half = near[1:201].mean().item(), near[201:].mean().item()
print(f"Mean over distances 1 to 200: {first_half:.2f}; over 201 to 400: {second_half:.2f}.")
print(f"From one distance to the next the score rises in {rises:.0f} % of the cases.")
print(f"5,000 places further on it differs by at most {shifted:.0e}.")

# %% tags=["experiment"]
figure, (left, right) = plots.new_axes(panels=2, share_y=True)
left.plot(distances, near, color=plots.RMS)
plots.points(left, distances[::20], far[::20], plots.LAYER, "s")
plots.label(left, 120, 0.75, "line: key at position 0", plots.RMS)
plots.label(left, 120, 0.65, "squares: key at 5,000", plots.LAYER)
llama_3 = scores(0, 500000.0)
for theta, curve, colour, line in ((10000, near, plots.RMS, "-"), (500000, llama_3, plots.THIRD, "--")):
    right.plot(distances, curve, line, color=colour)
    plots.label(right, 400, curve[-1], f"{theta:,}", colour, va="center")
left.set(title="θ = 10,000", xlabel="distance of query and key", ylabel="score, at distance 0: 1")
right.set(
    title="two values of θ", xlabel="distance of query and key", ylabel="score, at distance 0: 1", xlim=(-10, 540)
)
right.set_xticks(range(0, 401, 100))
plots.show(
    figure,
    f"The score falls on the whole, but rises in {rises:.0f} % of the steps; where both stand does not matter",
    f"From the first 200 distances to the next 200 the mean falls from {first_half:.2f} to {second_half:.2f}. In between it "
    f"goes up and down. Moving both tokens by 5,000 places changes it by at most {shifted:.0e}. With a larger θ "
    f"the score falls more slowly: at distance 400 it is {near[-1]:.2f} for 10,000 and {llama_3[-1]:.2f} for 500,000.",
)

# %% [markdown]
# RoPE's paper proves a *bound* that decays with distance [2]. The score itself is a sum of cosines.
#
# And this was a query that equals its key. A trained model has other ones, and turning is all that RoPE does. Make the
# key fit best at distance 50 and see:

# %% tags=["experiment"]
query = torch.randn(1, 1, 1, hd, generator=torch.Generator().manual_seed(0))
best_at_50 = given_rope(query, torch.tensor([50]))  # turned ahead by 50, so that 50 places later they agree
turned = given_rope(best_at_50.expand(1, 1, len(distances), hd), -distances)[0, 0]
peak = (turned @ query.flatten()).argmax().item()
print(f"The score is largest at distance {peak}.")

# %% [markdown]
# So RoPE gives heads the **means** to prefer a distance, any distance. It does not decide for them.
#
# ### What the interleaved layout would change
#
# Turn the same heads in both layouts, and ask what each test would see. (The third one compares the interleaved layout
# with itself, at positions that are larger by 7.)

# %% tags=["experiment"]
torch.manual_seed(0)
hd, positions = 8, torch.arange(12)
heads, keys = torch.randn(2, 1, 2, 12, hd)
order = given.neighbours_to_halves(hd)
half_q, half_k = (given_rope(x, positions) for x in (heads, keys))
inter_q, inter_k = (given.interleaved_rope(x, positions) for x in (heads, keys))
later = [rope(x, positions + 7) for rope, x in ((given.interleaved_rope, heads), (given.interleaved_rope, keys))]
reordered = given_rope(heads[..., order], positions)


def apart(a, b):
    """The largest difference, as a share of the second one's root mean square."""
    return ((a - b).abs().max() / b.square().mean().sqrt()).item()


tests = {
    "the length of each head": apart(inter_q.norm(dim=-1), half_q.norm(dim=-1)),
    "the token at position 0": apart(inter_q[:, :, 0], half_q[:, :, 0]),
    "its scores and its own, moved by 7": apart(later[0] @ later[1].mT, inter_q @ inter_k.mT),
    "its numbers, one by one": apart(inter_q, half_q),
    "its scores with the same weights": apart(inter_q @ inter_k.mT, half_q @ half_k.mT),
    "its numbers, with the inputs reordered": apart(inter_q[..., order], reordered),
}
print("interleaved against half-split: largest difference")
for name, difference in tests.items():
    print(f"{name:40}{difference:8.0e}  {'the same' if difference < 1e-5 else 'DIFFERENT'}")

# %% [markdown]
# Three tests that look thorough see nothing. Both layouts keep lengths, both leave position 0 alone, both know distances
# only. Training from scratch works equally well with either.
#
# The difference shows with weights that were **trained** in the other layout. The last line is the cure: put the rows
# of `q_proj` and `k_proj` in the other order, and the scores agree. Hugging Face's script that converts Meta's
# weights does just that [6].

# %% [markdown]
# ### Positions in bfloat16
#
# Why float32 for the angles? Ask bfloat16 to count.

# %% tags=["experiment"]
counted = torch.arange(4096, dtype=torch.float32).bfloat16()
print("255 to 260 in bfloat16:", [int(number) for number in counted[255:261]])
for reach in (256, 512, 1024, 4096):
    print(f"of the first {reach:4} positions {len(counted[:reach].unique()):4} are different numbers")

# %% [markdown]
# ## Experiment 3: how large is the cache?
#
# A sceptical engineer asks: why would anyone let query heads share? Is a head of its own not better?
#
# What is kept of each token, in each layer: a key and a value for each **key-value** head.
#
# $$\text{bytes} = 2 \cdot \text{layers} \cdot KV \cdot hd \cdot \text{tokens} \cdot \text{bytes a number}$$
#
# The numbers of layers and heads are those of the published models [5, 7–9]. One sequence of 8,192 tokens, in bfloat16.
# (Some of these models were trained for shorter texts; the sizes are for comparison.)

# %% tags=["experiment"]
tokens, GIB = 8192, 2**30
sizes = {name: model.bytes(tokens) / GIB for name, model in given.PUBLISHED.items()}
alone = {name: model.bytes(tokens, model.heads) / GIB for name, model in given.PUBLISHED.items()}
print(f"{'model':14}{'kind':5}{'query heads':>12}{'kv heads':>10}{'GiB':>8}{'one a query head':>18}")
for name, model in given.PUBLISHED.items():
    row = f"{name:14}{model.kind:5}{model.heads:12}{model.kv_heads:10}"
    print(f"{row}{sizes[name]:8.2f}{alone[name]:18.2f}")
k = torch.empty(1, 8, tokens, 128, dtype=torch.bfloat16, device="meta")  # no memory is taken
print(f"Tensors say the same: Llama-3-8B, {2 * 32 * k.nbytes / GIB:.2f} GiB")

# %% tags=["experiment"]
figure, ax = plots.new_axes(height=3.8)
marks = {"MHA": (plots.LAYER, "s"), "GQA": (plots.RMS, "o"), "MQA": (plots.THIRD, "^")}
for place, (name, model) in enumerate(given.PUBLISHED.items()):
    ax.plot([sizes[name], alone[name]], [place, place], color=plots.FLOOR, linewidth=1.5)
    plots.points(ax, [alone[name]], [place], plots.INK, "d")
    plots.points(ax, [sizes[name]], [place], *marks[model.kind])
    words = f"{model.kind}, {sizes[name]:.2f}"
    plots.label(ax, sizes[name], place, words, marks[model.kind][0], shift=(-8, 0), ha="right", va="center")
    plots.label(ax, alone[name], place, f"{alone[name]:.2f}", shift=(8, 0), va="center")
ax.set_yticks(range(len(sizes)), sizes)
ax.invert_yaxis()
ax.set_xscale("log")
ax.set_xlim(min(sizes.values()) / 5, 3 * max(alone.values()))
ax.set_xticks([0.1, 1, 10], ["0.1", "1", "10"])
ax.set(xlabel=f"GiB for {tokens:,} tokens (each line ten times the one before)", ylabel="model")
saved = alone["Llama-3-8B"] / sizes["Llama-3-8B"]
fewest = min(sizes, key=sizes.get)
plots.show(
    figure,
    f"Grouped heads make Llama-3-8B's cache {saved:.0f} times smaller, one shared head makes {fewest}'s "
    f"{alone[fewest] / sizes[fewest]:.0f} times smaller",
    "On the left of each line what is kept, on the right, the dark diamond, what it would be with a key-value head for "
    f"each query head. Kept are {min(sizes.values()):.2f} to {max(sizes.values()):.2f} GiB a sequence. Llama-2-7B has a head "
    "of its own for each query head, so both are the same.",
)

# %% [markdown]
# Each step of writing reads the whole cache once [3]. A batch of 16 sequences has 16 caches. That is the price of a head of
# one's own, and Llama 3 pays a quarter of it. GQA's paper finds a quality close to MHA's at about MQA's speed [4].
#
# What does **not** become smaller is the number of multiplications: each query head still meets every key.

# %% [markdown]
# ### What a cache saves
#
# Without a cache, every new token means computing attention for the whole text again. Count the scores, and take the time:
# one layer, 8 heads, 256 tokens one by one, on the CPU.

# %% tags=["experiment"]
many = 256
q, k, v = torch.randn(3, 1, 8, many, 64, generator=torch.Generator().manual_seed(0))


def again(t):
    """The last row of attention over the first t tokens, all of it computed."""
    return given.right_mask(q[:, :, :t], k[:, :, :t], v[:, :, :t])[:, :, -1:]


def from_cache(t):
    """The same, with keys and values at hand: one query."""
    return F.scaled_dot_product_attention(q[:, :, t - 1 : t], k[:, :, :t], v[:, :, :t])


results, seconds = {}, {}
for name, step in {"computed again": again, "from the cache": from_cache}.items():
    start = perf_counter()
    results[name] = torch.cat([step(t) for t in range(1, many + 1)], dim=2)
    seconds[name] = perf_counter() - start
one, other = results.values()
counts = {"computed again": sum(t * t for t in range(1, many + 1)), "from the cache": sum(range(1, many + 1))}
for name in results:
    print(f"{name:16}{counts[name]:12,} scores a head{seconds[name]:8.3f} s")
print(f"largest difference {apart(one, other):.0e}")

# %% [markdown]
# With $T$ tokens there are $(2T + 1)/3$ times fewer scores: the longer the text, the more is saved. The time depends on
# your machine.
# In a whole model the projections and feed-forward networks of all old tokens are saved as well.

# %% [markdown]
# ## Claimed against measured
#
# The note says one sentence about attention. The other claims come from papers, and are marked.

# %% tags=["experiment"]
torch.manual_seed(0)
ffn = SwiGLU(8, 16)
alone_moved = given.leak_map(ffn)
llama = given.PUBLISHED["Llama-3-8B"]
ClaimTable(
    Claim(
        "Attention mixes information across tokens",
        "of 8 outputs, those that move with the first token",
        claimed=8,
        measured=int((maps["right"][0] > 0).sum()),
    ),
    Claim(
        "the FFN processes each token independently",
        "of 8 outputs, those that move with the first token",
        claimed=1,
        measured=int((alone_moved[0] > 0).sum()),
    ),
    Claim("[1], not the note: no reading ahead", "right mask: largest move before", 0, leaks["right"]),
    Claim("[2], not the note: distance alone counts", "both moved by 5,000: change of score", 0, shifted, margin=1e-3),
    Claim(
        "[2], not the note: decay with distance",
        "steps at which the score rises",
        0,
        rises,
        direction="at most",
        unit=" %",
    ),
    Claim(
        "[4], not the note: H/KV times less to keep", "Llama-3-8B: 32 heads over 8", llama.heads / llama.kv_heads, saved
    ),
)

# %% [markdown]
# ### How to read it
#
# **The note's sentence** holds, to the bit: attention mixes, and the feed-forward network does not.
#
# **"Decay"** is true of the paper's bound and, on the whole, of this score. It is not true step by step, and not for every
# query.
#
# **The cache** shrinks by exactly the ratio of heads. How much quality that costs is not measured here.

# %% [markdown]
# ## Written answer
#
# ●●○ · 5 minutes · 5 points, given by a person
#
# A colleague says: "Our attention is right. All shapes fit, each row of weights sums to 1, and the held-out loss is 0.1 after
# a few hundred steps. Only the text it writes is worthless. By the way, we went from 32 to 8 key-value heads,
# so attention is now four times cheaper." Answer in four to seven sentences.
#
# One point each, if you
#
# 1. name the likely bug, and say why it makes the loss small, on held-out text too;
# 2. say why shapes and row sums cannot show it;
# 3. describe the test that does, and what it gave in your own run;
# 4. say what becomes four times smaller with 8 key-value heads, and one thing that does not;
# 5. give the size of some model's cache in bytes, with the calculation.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_leak", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# The mask is probably one step too far, or missing: position $t$ reads token $t + 1$, which is the very thing it has to
# predict. The answer stands in held-out text as well, so that loss is small too. When the model writes, the next token does
# not exist yet, and it has learned nothing else: in my run the leaky model's loss was far above the honest one's once
# the leak was closed, and above blind guessing. A mask that is one too far has the same shapes, and a softmax sums to 1 over whatever it is given.
# Replace token $t + 1$ and compare output $t$: with the right mask it stayed the same to the last bit, with the wrong
# ones it moved. Eight key-value heads make the KV cache, `k_proj` and `v_proj` four times smaller; the scores cost as many
# multiplications as before, since all 32 query heads still meet every key. For Llama-3-8B and 8,192 tokens the cache is
# $2 \cdot 32 \cdot 8 \cdot 128 \cdot 8192 \cdot 2$ bytes, 1 GiB, in place of 4.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("09_attention")

# %% [markdown]
# ## Sources
#
# 1. A. Vaswani and others: *Attention Is All You Need*. NeurIPS 2017,
#    **[arXiv:1706.03762](https://arxiv.org/abs/1706.03762)**. Section 3.2: scores, scale, mask and heads.
# 2. J. Su and others: *RoFormer: Enhanced Transformer with Rotary Position Embedding*. 2021,
#    **[arXiv:2104.09864](https://arxiv.org/abs/2104.09864)**. Section 3.4.3 and its figure: the bound that decays.
# 3. N. Shazeer: *Fast Transformer Decoding: One Write-Head is All You Need*. 2019,
#    **[arXiv:1911.02150](https://arxiv.org/abs/1911.02150)**. Multi-query attention, and why decoding waits for memory.
# 4. J. Ainslie and others: *GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints*.
#    EMNLP 2023, **[arXiv:2305.13245](https://arxiv.org/abs/2305.13245)**.
# 5. H. Touvron and others: *Llama 2*. 2023, **[arXiv:2307.09288](https://arxiv.org/abs/2307.09288)**; A. Grattafiori and
#    others: *The Llama 3 Herd of Models*. 2024, **[arXiv:2407.21783](https://arxiv.org/abs/2407.21783)**, table 3.
# 6. Hugging Face: **[modeling_llama.py](https://github.com/huggingface/transformers/blob/main/src/transformers/models/llama/modeling_llama.py)**
#    and the script beside it that converts Meta's weights.
# 7. Qwen team: *Qwen2.5 Technical Report*. 2024, **[arXiv:2412.15115](https://arxiv.org/abs/2412.15115)**, and its model card.
# 8. Gemma team: *Gemma: Open Models Based on Gemini Research and Technology*. 2024,
#    **[arXiv:2403.08295](https://arxiv.org/abs/2403.08295)**, table 1.
# 9. E. Almazrouei and others: *The Falcon Series of Open Language Models*. 2023,
#    **[arXiv:2311.16867](https://arxiv.org/abs/2311.16867)**, and the model card of Falcon-7B.
# 10. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, sections 1 and 3,
#     and "In Simple English".
#
# Next: lesson 10 (core) puts attention, norms and feed-forward networks together to a whole decoder.
