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
# # Model families, and why they are not all Llama
#
# **Goal.** You write one decoder block that becomes Llama 3, Qwen3 or OLMo 2, depending on two values.
# Then you hold it against Hugging Face's own layers, and find out what each family's peculiarity is for.
#
# **Elective · 48 minutes · difficulty 3 of 3 · 20 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 9 | – | – |
# | Exercise 1: QK-norm | 3 | ●○○ | 4 |
# | Exercise 2: one block for three families | 18 | ●●● | 16 |
# | Experiments and the table of families | 12 | – | – |
# | Written answer and quiz | 6 | ●●○ | 5 |
#
# You need the decoder block of lessons 05, 07 and 09. Its parts are given here, so no earlier answer of yours is used.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import nn

from grader import check, hint
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.families import (
    EACH_HEAD,
    FAMILIES,
    FULL_WIDTH,
    Family,
    GivenBlock,
    WideRMSNorm,
    described,
    soft_cap,
)
from lessons.support.family_table import OBSERVED, observe
from lessons.support.hf_layers import SMALL, HuggingFaceLayer, deviations, loaded, missing, randomise
from lessons.support.hf_relatives import frequencies, pairs
from lessons.support.latent import LatentAttention, Latents, hugging_face_options
from lessons.support.llama import Attention, DecoderConfig, RMSNorm, SwiGLU, given_rope
from lessons.support.relatives import clamped_swiglu, llama31_frequencies, route
from quiz import quiz

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom. Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("family_block")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("family_block")`
# shows a solution and explains it. A class edition has no `reveal`.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [12].
# It compares a transformer to a line of 32 people who pass a page along, each adding a remark.
# It says how today's people work, all of them: each reads the page through a magnifying glass (a pre-norm that is
# an RMSNorm), and each has a gated switch (SwiGLU). As examples it names Llama 3, Qwen and Gemma.
#
# They do resemble each other. But there are house rules:
#
# - In the house of **Llama** a glass lies at the entrance: you read through it.
# - In the house of **OLMo 2** you read the page as it is. The glass lies at the exit: what you are about to add is
#   brought to a fixed size first.
# - In the house of **Gemma** there is a glass at both doors, and the switch is a slightly different one.
# - In the house of **Qwen3** people who look for each other's remarks must speak at the same volume: queries and keys
#   are normed, too.
#
# Nobody rewrites the page itself. In that all four houses agree.

# %% [markdown]
# ### What the note gets right
#
# - RMSNorm in place of LayerNorm: true of nearly every family in the table below.
# - A gated feed-forward network: true of all but one.
# - The "identity path" of the residual stream: true of every family here. You will try it bit for bit.

# %% [markdown]
# ### What the note leaves out
#
# - It names Gemma among the models with pre-norm and SwiGLU. Gemma 2 and 3 norm on **both** sides [4, 5],
#   and Gemma's gate has never been SiLU.
# - OLMo 2 has no pre-norm at all [3].
# - Of attention the note says no more than that it mixes tokens. So it does not mention that Qwen3, Gemma 3 and OLMo 2
#   norm queries and keys, which the Llama models do not.

# %% [markdown]
# ## The mathematics
#
# ### Where the norm stands
#
# A sublayer is $f$: attention or the feed-forward network. One step of the stream $x$ is
#
# $$x \;\leftarrow\; x + n_2\bigl(f(n_1(x))\bigr)$$
#
# with a norm $n_1$ at the entrance of the branch and a norm $n_2$ at its exit. A norm that is missing is the identity.
#
# | family | $n_1$, entrance | $n_2$, exit |
# |---|---|---|
# | Llama 3, Mistral, Qwen3 | norm | – |
# | OLMo 2 | – | norm |
# | Gemma 2, Gemma 3 | norm | norm |
#
# The transformer of 2017 does not fit this formula. It computes $n(x + f(x))$: its norm stands on the stream.
# OLMo 2 is often called "post-norm". It is not: its norm is inside the branch.

# %% [markdown]
# ### An example to do by hand
#
# Take a stream $x = (3, 4)$, a sublayer $f(z) = 2z$, and norms without weights and with $\epsilon = 0$.
# The root mean square of $x$ is $\sqrt{12.5} \approx 3.54$, so $n(x) \approx (0.85, 1.13)$.
#
# Work out the four results on paper: entrance, exit, both sides, and 2017. Which two are equal, and why?

# %% tags=["experiment"]
x = torch.tensor([3.0, 4.0])


def n(z):
    return z / z.square().mean().sqrt()


def f(z):
    return 2 * z


results = {"entrance": x + f(n(x)), "exit": x + n(f(x)), "both sides": x + n(f(n(x))), "2017": n(x + f(x))}
for place, y in results.items():
    print(f"{place:12}({y[0]:.2f}, {y[1]:.2f})")

# %% [markdown]
# Exit and both sides agree **here**: this $f$ keeps directions, and the last norm removes the size.
# In 2017's form nothing is left of the stream's size.

# %% [markdown]
# ### Norms on queries and keys
#
# Attention's score of a query $q$ and a key $k$ is $q \cdot k / \sqrt{hd}$, where $hd$ is the size of a head.
# Nothing bounds it: if training makes the projections larger, scores grow with them, and the softmax tends to
# a single 1. QK-norm [11] norms queries and keys. Today's models do it with an RMSNorm, **before** RoPE turns them.
# There are two forms.
#
# - **Each head** (Qwen3, Gemma 3). The mean is over the $hd$ numbers of one head. The $hd$ weights are shared by all
#   heads of a block.
# - **Full width** (OLMo 2). The mean is over all heads together, before the projection is cut into heads.
#   There are as many weights as the projection has outputs: $H \cdot hd$ for queries, $KV \cdot hd$ for keys.
#
# In both, queries have a norm of their own and keys have another. Values have none.
#
# With weights of 1 a normed head has length $\sqrt{hd}$. Two such heads have a product of at most $hd$, so in the first
# form the score is at most $hd / \sqrt{hd} = \sqrt{hd}$.

# %% [markdown]
# ### What kind of norm, and what kind of gate
#
# Two more things vary among families that otherwise share a form.
#
# - **The norm.** Llama scales by its weight $w$. Gemma scales by $1 + w$, and its $w$ starts at 0.
# - **The gate.** $\bigl(a(xW_{\text{gate}}) \odot xW_{\text{up}}\bigr)W_{\text{down}}$ has SiLU for $a$ in Llama's line,
#   and GELU in Gemma's.
#
# In half precision there is a third. All take the mean of the squares in float32: for squares float16 has too little
# range, and for their sum bfloat16 has too few digits. But Llama and Qwen round **before** they multiply by the weight,
# and once more after it, while Gemma and OLMo 2 multiply in float32 and round once. Lesson 04 measures the difference.
# Here everything runs in float32.

# %% [markdown]
# ## A block is a row of a table
#
# How would you write a block for all of them? The obvious way is an `if family == ...` wherever they differ. With six
# families and five differences nobody can read that any more, and each new family touches every place.
#
# The better way is to ask what varies, give each of these things a **name**, and let a family be a row of values.
# Then one block reads the row. It never asks for the family's name:
#
# - a norm that is missing is the identity, so one formula serves all placements;
# - an activation is a function, so it can be a value in the row;
# - a kind of norm is a class, so it can be a value, too.
#
# These are the rows of this lesson's own table. What is not named is as in Llama. `WideRMSNorm` multiplies by its weight in
# float32 and rounds once; its `shift` is the 1 in Gemma's $1 + w$. An empty `entrance` or `exit` has no norm. `window` is
# how many tokens a token reads, itself included. `score_cap` is explained in experiment 2.

# %% tags=["experiment"]
for name, family in FAMILIES.items():
    print(f"{name:9}{described(family)}")

# %% [markdown]
# ## Exercise 1: QK-norm
#
# ●○○ · 3 minutes · 4 points
#
# Write `qk_norm(q, k, q_norm, k_norm)`, Qwen3's form.
#
# - `q` has shape `[B, H, T, hd]` and `k` has `[B, KV, T, hd]`: already cut into heads, not yet turned by RoPE.
# - `q_norm` and `k_norm` are functions that norm the **last** axis, with $hd$ weights of their own.
# - Return the normed queries and the normed keys, in this order, as a tuple. Leave `q` and `k` as they were.
# - Nothing is forbidden.
#
# Hints: `hint("qk_norm")`.


# %% nbgrader={"grade": false, "grade_id": "qk_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
def qk_norm(q, k, q_norm, k_norm):
    """Queries [B, H, T, hd] and keys [B, KV, T, hd], each head normed by itself. Returns (queries, keys)."""
    ### BEGIN SOLUTION
    return q_norm(q), k_norm(k)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_qk_norm", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("qk_norm")
### BEGIN HIDDEN TESTS
check("qk_norm", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: one block for three families
#
# ●●● · 18 minutes · 16 points
#
# Write `family_block(family, config)`. It returns the decoder block of `"llama3"`, `"qwen3"` or `"olmo2"` as an
# `nn.Module`, called with a stream `x: [B, T, dim]` and `positions: [T]`.
#
# - **Parts.** `attn` with bias-free `q_proj`, `k_proj`, `v_proj`, `o_proj`; `ffn`, a SwiGLU; and the norms
#   `attn_norm` and `ffn_norm`. OLMo 2's two norms stand elsewhere but keep these names.
# - **QK-norm**, where the family has it: `attn.q_norm` and `attn.k_norm`, of the width that "Norms on queries and keys"
#   gives for that family. Llama 3 has none.
# - **Every** norm is an RMSNorm with the config's `norm_eps`. RoPE uses the config's `rope_theta`.
# - Causal attention over the tokens in their order, with `n_heads` query heads and `n_kv_heads` key and value heads.
#
# Given and imported: `Attention(config)` (Llama's), `RMSNorm(dim, eps)`, `SwiGLU(dim, hidden_dim)`,
# `given_rope(x, positions, theta)`. Read their code: `Attention??`. Its method `_heads` cuts a projection into heads.
# The config is a `DecoderConfig`, with `dim`, `n_heads`, `n_kv_heads`, `head_dim`, `hidden_dim`, `norm_eps`, `rope_theta`.
#
# The cell suggests a design: `Traits` are the row, `FamilyAttention` and `FamilyBlock` read it. You may do it
# otherwise: only `family_block` is checked. Forbidden is the block of the experiments (`lessons.support.families`),
# which is one answer.
#
# The check goes place by place. For each family it first looks at blocks in which all but one thing is silent, so its
# first complaint tells you where to look.
#
# Hints: `hint("family_block")`.


# %% nbgrader={"grade": false, "grade_id": "family_block", "locked": false, "schema_version": 3, "solution": true, "task": false}
@dataclass(frozen=True)
class Traits:
    """What sets a family's block apart; the defaults are Llama 3's."""

    norm_first: bool = True  # the norm stands at the branch's entrance; if not, at its exit
    qk_norm: str = ""  # "head", "width", or "" for none


def traits_of(family):
    """The family's row."""
    ### BEGIN SOLUTION
    rows = {"llama3": Traits(), "qwen3": Traits(qk_norm="head"), "olmo2": Traits(norm_first=False, qk_norm="width")}
    return rows[family]
    ### END SOLUTION


class FamilyAttention(Attention):
    """Llama's attention with the QK-norm that the traits ask for."""

    def __init__(self, traits, config):
        super().__init__(config)
        self.traits = traits
        ### BEGIN SOLUTION
        if traits.qk_norm:
            counts = (config.n_heads, config.n_kv_heads) if traits.qk_norm == "width" else (1, 1)
            self.q_norm, self.k_norm = (RMSNorm(count * config.head_dim, config.norm_eps) for count in counts)
        ### END SOLUTION

    def forward(self, x, positions):
        ### BEGIN SOLUTION
        q, k = self.q_proj(x), self.k_proj(x)
        if self.traits.qk_norm == "width":
            q, k = self.q_norm(q), self.k_norm(k)
        q, k, v = self._heads(q), self._heads(k), self._heads(self.v_proj(x))
        if self.traits.qk_norm == "head":
            q, k = self.q_norm(q), self.k_norm(k)
        q, k = given_rope(q, positions, self.rope_theta), given_rope(k, positions, self.rope_theta)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.o_proj(mixed.transpose(1, 2).flatten(2))
        ### END SOLUTION


class FamilyBlock(nn.Module):
    """A decoder block as the traits describe it."""

    def __init__(self, traits, config):
        super().__init__()
        self.traits = traits
        ### BEGIN SOLUTION
        self.attn, self.ffn = FamilyAttention(traits, config), SwiGLU(config.dim, config.hidden_dim)
        self.attn_norm, self.ffn_norm = (RMSNorm(config.dim, config.norm_eps) for _ in range(2))
        ### END SOLUTION

    def forward(self, x, positions):
        ### BEGIN SOLUTION
        def step(x, sublayer, norm):
            return x + (sublayer(norm(x)) if self.traits.norm_first else norm(sublayer(x)))

        x = step(x, lambda y: self.attn(y, positions), self.attn_norm)
        return step(x, self.ffn, self.ffn_norm)
        ### END SOLUTION


def family_block(family, config):
    """The decoder block of "llama3", "qwen3" or "olmo2"; a module called with (x, positions)."""
    return FamilyBlock(traits_of(family), config)


# %% nbgrader={"grade": true, "grade_id": "check_family_block", "locked": true, "points": 16, "schema_version": 3, "solution": false, "task": false}
check("family_block")
### BEGIN HIDDEN TESTS
check("family_block", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Experiment 1: is it the layer that people run?
#
# A sceptical engineer asks: does your block do what the real library does, or only what this course says it does?
#
# Take Hugging Face's own decoder layer, with random weights. Rename its weights to ours, load them into the block, and
# compare the results, and the gradients that arrive at the input. The names are mapped in one place,
# `lessons/support/family_names.py`. Your block is used where you have written it, the lesson's own elsewhere.

# %% tags=["experiment"]
torch.manual_seed(0)
stream, positions = 2 * torch.randn(2, 7, SMALL.dim), torch.arange(7)
# A window of 4,096 tokens cannot be felt by 7 of them, so it becomes one of 3.
rows = {name: replace(family, window=family.window and 3) for name, family in FAMILIES.items()}


def block_for(name, weights):
    """(whose it is, the block with these weights)."""
    try:
        if name in ("llama3", "qwen3", "olmo2"):
            return "yours", loaded(family_block(name, SMALL), weights)
    except (NotImplementedError, KeyError, RuntimeError):
        pass  # not written yet, or other weights than Hugging Face's: the check says which
    return "given", loaded(GivenBlock(rows[name], SMALL), weights)


parity = {}
print(missing() or "Largest deviation, in tolerances: 1 is what a test would let pass.")
for name, family in rows.items() if not missing() else ():
    layer = HuggingFaceLayer(name, family=family)
    whose, block = block_for(name, layer.weights)
    parity[name] = deviations(layer, block, stream, positions)
    print(f"{name:8} ({whose})   result {parity[name][0]:.3f}   gradient {parity[name][1]:.3f}")

# %% [markdown]
# The tolerance is $10^{-5}$ of each number, plus $10^{-5}$ of all numbers' root mean square. The project's tests repeat
# this over five seeds and three shapes.

# %% [markdown]
# ### What if all were Llama?
#
# Now take one peculiarity away at a time, and put Llama's way in its place. All weights stay. How much of what the block
# writes is then wrong?

# %% tags=["experiment"]
llama = {
    "Mistral: no window": ("mistral", {"window": None}),
    "Qwen3: no QK-norm": ("qwen3", {"qk_norm": ""}),
    "OLMo 2: norms at the entrance": ("olmo2", {"entrance": "norm", "exit": ""}),
    "OLMo 2: no QK-norm": ("olmo2", {"qk_norm": ""}),
    "Gemma 2: SiLU for GELU": ("gemma2", {"activation": F.silu}),
    "Gemma 2: w for 1 + w": ("gemma2", {"norm": WideRMSNorm}),
    "Gemma 2: no norms at the exit": ("gemma2", {"exit": ""}),
    "Gemma 3: no QK-norm": ("gemma3", {"qk_norm": ""}),
}


def wrong_share(name, change, seed):
    """Root mean square of the error, as a share of what the right block adds to the stream."""
    torch.manual_seed(seed)
    right, other = GivenBlock(rows[name], SMALL), GivenBlock(replace(rows[name], **change), SMALL)
    randomise(right)
    other.load_state_dict(right.state_dict(), strict=False)  # left over: weights of norms that are taken away
    with torch.no_grad():
        y, wrong = right(stream, positions), other(stream, positions)
    return ((wrong - y).square().mean() / (y - stream).square().mean()).sqrt().item()


seeds = range(5)
shares = {label: [wrong_share(*change, seed) for seed in seeds] for label, change in llama.items()}
shares = dict(sorted(shares.items(), key=lambda row: max(row[1])))

# %% tags=["experiment"]
figure, ax = plots.new_axes(height=3.9)
for place, values in enumerate(shares.values()):
    plots.points(ax, values, [place] * len(values), plots.RMS)
ax.axvline(1e-5, color=plots.INK, linestyle="--", linewidth=1)
plots.label(ax, 1e-5, 0, "tolerance of a parity test")
ax.set_yticks(range(len(shares)), shares)
ax.set_xscale("log")
ax.set(xlabel="error, as a share of what the block writes (one dot a seed)", ylabel="family, and what is changed")
least, gentlest = next(iter(shares.items()))
in_gemma = shares["Gemma 2: SiLU for GELU"]
plots.show(
    figure,
    f"Taken for Llama, no family computes its own result: the mildest case, '{least}', is wrong by "
    f"{min(gentlest):.0%} or more",
    f"Each row takes one peculiarity away. With random weights the error is {min(gentlest):.0%} to "
    f"{max(max(values) for values in shares.values()):.0%} of what the block adds to the stream, thousands of times what "
    "a parity test lets pass.",
)

# %% [markdown]
# Look at the row "OLMo 2: norms at the entrance". Every weight fits, by name and by shape. In Hugging Face's files
# `post_attention_layernorm` is the norm **before the FFN** in Llama, and the norm **behind attention** in OLMo 2 and
# Gemma. Only parity, number by number, shows that somebody has mixed them up.

# %% [markdown]
# ## Experiment 2: what does QK-norm hold back?
#
# A sceptical engineer asks: queries and keys come from a normed stream already. Why norm them again?
#
# Because there is a matrix in between, and it may grow. Multiply $W_q$ and $W_k$ by a factor and look at the scores.

# %% tags=["experiment"]
device = choose_device()
heads = DecoderConfig(vocab_size=8, dim=64, n_layers=1, n_heads=4, n_kv_heads=2, head_dim=16, hidden_dim=96)
kinds = {"no QK-norm": "", "each head": EACH_HEAD, "full width": FULL_WIDTH}
factors = [2.0**power for power in range(7)]


@torch.no_grad()
def scores_of(qk_norm, factor):
    """Scores of 64 tokens, [H, T, T], with queries' and keys' projections multiplied by the factor."""
    torch.manual_seed(0)
    attn = GivenBlock(Family(qk_norm=qk_norm), heads).attn
    attn.q_proj.weight.mul_(factor)
    attn.k_proj.weight.mul_(factor)
    tokens = F.rms_norm(torch.randn(1, 64, heads.dim), (heads.dim,), eps=1e-6)
    return attn.to(device).scores(tokens.to(device), torch.arange(64, device=device))[0].cpu()


def favourite(scores):
    """Mean weight of a token's favourite, over the last half of the tokens; 1 is one-hot."""
    ahead = torch.ones(64, 64, dtype=torch.bool).triu(1)
    return scores.masked_fill(ahead, -torch.inf).softmax(-1)[:, 32:].amax(-1).mean().item()


found = {kind: [scores_of(qk_norm, factor) for factor in factors] for kind, qk_norm in kinds.items()}
largest = {kind: [scores.abs().max().item() for scores in row] for kind, row in found.items()}
sharp = {kind: [favourite(scores) for scores in row] for kind, row in found.items()}

# %% tags=["experiment"]
figure, (left, right) = plots.new_axes(panels=2)
styles = {"no QK-norm": (plots.LAYER, "s-"), "each head": (plots.RMS, "o-"), "full width": (plots.THIRD, "^--")}
for kind, (colour, line) in styles.items():
    left.plot(factors, largest[kind], line, color=colour, label=kind, markersize=5)
    right.plot(factors, sharp[kind], line, color=colour, label=kind, markersize=5)
bound = heads.head_dim**0.5
left.axhline(bound, color=plots.INK, linestyle=":", linewidth=1, label=f"√hd = {bound:.0f}")
left.set_yscale("log")
for ax in (left, right):
    ax.set_xscale("log", base=2)
    ax.set_xlabel("factor of the projections")
left.set_ylabel("largest score")
right.set(ylabel="weight of a token's favourite", ylim=(0, 1.05))
left.legend(frameon=False)
growth = {kind: row[-1] / row[0] for kind, row in largest.items()}
plots.show(
    figure,
    f"Projections {factors[-1]:.0f} times as large: scores grow {growth['no QK-norm']:,.0f} times without QK-norm, "
    f"{growth['each head']:.2f} times with it",
    f"Without QK-norm the scores grow with the square of the factor, and a token's favourite gets "
    f"{sharp['no QK-norm'][-1]:.0%} of its attention. With QK-norm on each head the largest score stays at "
    f"{largest['each head'][-1]:.2f}, below √hd = {bound:.0f}, and the favourite at {sharp['each head'][-1]:.0%}.",
)

# %% [markdown]
# With weights of 1 the scores cannot run away. (Full width leaves a little more room: a loud head may be longer than
# $\sqrt{hd}$ if others are shorter.) With trained weights $w_q$ and $w_k$ the bound is larger, so the model can
# still learn to be sharp: slowly, through weights that are few and easy to watch.

# %% [markdown]
# ### The other remedy: a soft cap
#
# Gemma 2 does not norm queries and keys. It bends scores: $50 \tanh(s/50)$ is nearly $s$ for small scores, and never
# leaves ±50 [4]. A clamp would do that as well. What does it do to the slope?

# %% tags=["experiment"]
print(f"{'score':>8}{'soft cap':>12}{'slope':>10}{'clamp':>10}{'slope':>8}")
for score in (1.0, 10.0, 50.0, 100.0, 400.0):
    s = torch.tensor(score, requires_grad=True)
    bent, cut = soft_cap(s, 50.0), s.clamp(-50.0, 50.0)
    slopes = [torch.autograd.grad(capped, s)[0].item() for capped in (bent, cut)]
    print(f"{score:8.0f}{bent.item():12.2f}{slopes[0]:10.1e}{cut.item():10.0f}{slopes[1]:8.0f}")

# %% [markdown]
# Beyond the cap a clamp has no slope at all, so a score out there could never learn to come back. Kernels for attention
# have to know of a soft cap, and Gemma 3 replaced it by QK-norm [5].

# %% [markdown]
# ### Before or after RoPE?
#
# A norm divides by one number and multiplies by weights. RoPE turns pairs of numbers. Which of the two
# steps minds the order? Try weights of 1, weights that are alike within each pair, and any weights.

# %% tags=["experiment"]
torch.manual_seed(0)
queries = torch.randn(1, 4, 7, 16)
half = 0.5 + torch.rand(8)
weights_of = {"all 1": torch.ones(16), "alike in each pair": half.repeat(2), "any": 0.5 + torch.rand(16)}
order_matters = {}
for kind, weight in weights_of.items():
    norm = RMSNorm(16)
    norm.weight.data = weight
    with torch.no_grad():
        before, after = given_rope(norm(queries), positions), norm(given_rope(queries, positions))
    order_matters[kind] = ((before - after).norm() / before.norm()).item()
    print(f"weights {kind:20} norm first or RoPE first: differ by {order_matters[kind]:.0e}")

# %% [markdown]
# The division does not mind: turning keeps the length. The weights do, unless both numbers of a pair have the same one.
# So with fresh weights **no test can tell** the orders apart. With trained ones the wrong order is plainly wrong.
# The check of exercise 2 uses both kinds.

# %% [markdown]
# ### Each head, or all together?
#
# One head of four becomes ten times as loud. What happens to the others?

# %% tags=["experiment"]
loud = queries.clone()
loud[:, 0] *= 10


def sizes(x):
    return x.square().mean((0, 2, 3)).sqrt().tolist()


with torch.no_grad():
    each = RMSNorm(16)(loud)
    joint = RMSNorm(64)(loud.transpose(1, 2).flatten(2)).unflatten(-1, (4, 16)).transpose(1, 2)
for kind, x in {"before": loud, "each head": each, "full width": joint}.items():
    print(f"{kind:12} root mean square of the heads:" + "".join(f"{size:7.2f}" for size in sizes(x)))

# %% [markdown]
# With one mean for all, a loud head makes the quiet ones quieter. With a mean for each they do not notice each other.
# Which of the two trains better is an empirical matter, and this cell does not say.

# %% [markdown]
# ## Experiment 3: what may a branch write?
#
# A sceptical engineer asks: if the stream is the same in all families, why move the norm?
#
# Take a stack of 16 blocks for each placement. Multiply the last matrix of every branch by a factor, as if
# training had made it larger. How large is the stream at the end?

# %% tags=["experiment"]
small = replace(heads, n_layers=16, hidden_dim=128)
placements = {"entrance": ("norm", ""), "exit": ("", "norm"), "both sides": ("norm", "out_norm")}
loudness = [4.0**power for power in range(-2, 5)]


@torch.no_grad()
def at_the_end(place, factor):
    """Root mean square of the stream behind 16 blocks; it starts at 1."""
    torch.manual_seed(0)
    entrance, leave = placements[place]
    blocks = [GivenBlock(Family(entrance=entrance, exit=leave), small).to(device) for _ in range(small.n_layers)]
    x = F.rms_norm(torch.randn(2, 16, small.dim), (small.dim,)).to(device)
    for block in blocks:
        block.attn.o_proj.weight.mul_(factor)
        block.ffn.down_proj.weight.mul_(factor)
        x = block(x, torch.arange(16, device=device))
    return x.square().mean().sqrt().item()


ends = {place: [at_the_end(place, factor) for factor in loudness] for place in placements}

# %% tags=["experiment"]
figure, ax = plots.new_axes(height=3.8)
styles = {"entrance": (plots.LAYER, "s-"), "exit": (plots.THIRD, "^-"), "both sides": (plots.RMS, "o--")}
words = {"entrance": "entrance (Llama, Qwen)", "exit": "exit (OLMo 2)", "both sides": "both sides (Gemma 2, 3)"}
for place, (colour, line) in styles.items():
    ax.plot(loudness, ends[place], line, color=colour, label=words[place], markersize=5)
ax.set_xscale("log", base=4)
ax.set_yscale("log")
ax.set(xlabel="factor of every branch's last matrix", ylabel="size of the stream behind 16 blocks")
ax.legend(frameon=False, title="norm at the")
times = loudness[-1] / loudness[2]
grown = {place: row[-1] / row[2] for place, row in ends.items()}
plots.show(
    figure,
    f"Matrices {times:.0f} times as large: the stream grows {grown['entrance']:.0f} times with the norm at the entrance, "
    f"{grown['exit']:.1f} times with one at the exit",
    f"A norm at the exit fixes the size of what a branch writes, whatever its matrices are: behind 16 blocks the stream "
    f"is {ends['exit'][-1]:.1f} (exit) or {ends['both sides'][-1]:.1f} (both sides), and {ends['entrance'][-1]:,.0f} with "
    "a norm at the entrance only.",
)

# %% [markdown]
# So the two doors have two purposes. At the entrance a norm fixes what a sublayer **reads**. At the exit it fixes what the
# sublayer may **write**, whether that is little or much: look at the left end of the plot, where the norm
# makes a whisper louder. OLMo 2's authors report that its norms, together with QK-norm, made training more stable [3].

# %% [markdown]
# ### And the identity path?
#
# The note's highway is "unobstructed". Try it: sublayers that write zeros must leave the stream as it was, to the last bit.

# %% tags=["experiment"]
moved = {}
for name, family in FAMILIES.items():
    block = GivenBlock(family, SMALL)
    randomise(block)
    with torch.no_grad():
        block.attn.o_proj.weight.zero_()
        block.ffn.down_proj.weight.zero_()
        moved[name] = (block(stream, positions) - stream).abs().max().item()
original = (F.layer_norm(stream, (SMALL.dim,)) - stream).abs().max().item()
print("largest change of the stream:", ", ".join(f"{name} {change:g}" for name, change in moved.items()))
print(f"the form of 2017, n(x + 0): {original:.2f}")

# %% [markdown]
# ## The families, read from their code
#
# Tables like the following are full of errors, since people copy them from each other. So this one is not copied.
# The next cell makes a small layer of each family from Hugging Face's library and **observes** it: it replaces
# attention by a known function and asks which formula gives the result, shifts a norm's input, counts matrices,
# evaluates the activation, and looks whether QK-norm reads numbers that RoPE has turned.

# %% tags=["experiment"]
table = {} if missing() else {name: observe(*how) for name, how in OBSERVED.items()}
print(missing() or f"{'family':13}{'norm':23}{'at the':12}{'QK-norm':26}FFN")
for name, row in table.items():
    print(f"{name:13}{row['norm']:23}{row['place']:12}{row['qk_norm']:26}{row['ffn']}")

# %% [markdown]
# ### Sizes of released models
#
# What the code cannot tell is what was chosen for a released model: the library's default configs are not theirs.
# These numbers are from the models' papers and cards; the last column is computed.

# %% tags=["experiment"]
released = {  # model: (norm's eps, dim, hidden width, source)
    "Llama 3 8B": (1e-5, 4096, 14336, 1),
    "Mistral 7B": (1e-5, 4096, 14336, 6),
    "Qwen3 8B": (1e-6, 4096, 12288, 2),
    "Gemma 2 9B": (1e-6, 3584, 14336, 4),
    "Gemma 3 12B": (1e-6, 3840, 15360, 5),
    "OLMo 2 7B": (1e-6, 4096, 11008, 3),
    "DeepSeek-V3, dense layers": (1e-6, 7168, 18432, 7),
    "DeepSeek-V3, an expert": (1e-6, 7168, 2048, 7),
    "gpt-oss 20B, an expert": (1e-5, 2880, 2880, 8),
}
print(f"{'model':27}{'eps':>8}{'dim':>7}{'hidden':>8}{'ratio':>8}  source")
for model, (eps, dim, hidden, source) in released.items():
    print(f"{model:27}{eps:8.0e}{dim:7}{hidden:8}{hidden / dim:8.2f}  [{source}]")

# %% [markdown]
# ## Experiment 4: further relatives
#
# Some families differ in parts that have no place in exercise 2. Each of the following is a few lines in
# `lessons/support/relatives.py`, held against Hugging Face's own:

# %% tags=["experiment"]
print(missing() or "Largest difference from Hugging Face's own, on random inputs:")
for name, (mine, theirs) in pairs().items() if not missing() else ():
    print(f"{name:34}{(mine - theirs).abs().max().item():.0e}")

# %% [markdown]
# ### DeepSeek-V3: norms on latents
#
# DeepSeek-V3 makes keys and values from a narrow *latent* of each token, and caches only that [7]. The latents are
# normed: a norm at yet another place. Its first three layers have an ordinary SwiGLU, the others experts.
#
# Its attention is unlike all others here. Still, the dense layer is a row of the table: attention is a value, too.

# %% tags=["experiment"]
latents = Latents()
deepseek = Family(attention=lambda family, config: LatentAttention(config, latents))
print(missing() or "DeepSeek-V3's dense layer, deviation in tolerances:")
if not missing():
    layer = HuggingFaceLayer("deepseek_v3", **hugging_face_options(SMALL, latents))
    value, gradient = deviations(layer, loaded(GivenBlock(deepseek, SMALL), layer.weights), stream, positions)
    print(f"result {value:.3f}, gradient {gradient:.3f}")
released_heads, head_size, latent_size, turned = 128, 128, 512, 64  # section 4.2 of the paper
cached, full = latent_size + turned, 2 * released_heads * head_size
print(f"Cached numbers a token and layer: {cached} instead of {full:,}: {full / cached:.0f} times fewer.")

# %% [markdown]
# ### gpt-oss: a clamped gate
#
# gpt-oss's product of gate $g$ and signal $u$ is a relative of SwiGLU [8]:
#
# $$(\mathrm{clamp}(u, -7, 7) + 1)\; g\,\sigma(1.702\, g), \qquad g \leftarrow \min(g, 7)$$
#
# The factor 1.702 makes $g\,\sigma(1.702\,g)$ an approximation of GELU. What do the clamp and the $+1$ do?

# %% tags=["experiment"]
z = torch.linspace(-12, 12, 481)
figure, (left, right) = plots.new_axes(panels=2, height=3.4)
for ax, (gate, signal), words in (
    (left, (z, torch.ones_like(z)), "gate (signal: 1)"),
    (right, (torch.full_like(z, 2.0), z), "signal (gate: 2)"),
):
    ax.plot(z, F.silu(gate) * signal, "--", color=plots.LAYER, label="SwiGLU")
    ax.plot(z, clamped_swiglu(gate, signal), color=plots.RMS, label="gpt-oss")
    ax.set(xlabel=words, ylabel="product")
    ax.legend(frameon=False)
everywhere = clamped_swiglu(*torch.meshgrid(50 * z, 50 * z, indexing="ij"))
highest, at_zero = everywhere.max().item(), clamped_swiglu(torch.tensor(2.0), torch.tensor(0.0)).item()
plots.show(
    figure,
    f"gpt-oss's product never exceeds {highest:.0f}; SwiGLU's has no limit",
    f"Beyond 7 gpt-oss's product is flat, so no single unit can exceed {highest:.0f} or fall below "
    f"{everywhere.min().item():.0f}. On the left the + 1 doubles it. On the right it is not 0 at a signal of 0 but "
    f"{at_zero:.2f}: the gate passes its own number.",
)

# %% [markdown]
# ### nanochat: a norm without weights
#
# nanochat's norms have no parameters at all, and its QK-norm comes **after** RoPE [9]. By "Before or after RoPE?"
# that is the same as before: with no weights there is nothing that minds the order. Its FFN has no gate and squares a ReLU.

# %% [markdown]
# ### A router for experts
#
# In a mixture of experts the FFN is there many times, and a *router* sends each token to a few of them. Mixtral's [10] takes
# 2 of 8. The router is one matrix: it scores the experts, the best two are kept, and a softmax of their scores gives
# the weights. (A softmax of all eight scores, of which two are kept and divided by their sum, gives the same.)
# All eight have to be stored, but a token is computed by two.

# %% tags=["experiment"]
torch.manual_seed(0)
tokens, router = torch.randn(400, SMALL.dim), torch.randn(8, SMALL.dim) / SMALL.dim**0.5
shares_of_two, chosen = route(tokens, router, top_k=2)
load = chosen.flatten().bincount(minlength=8)
print(f"token 0 goes to experts {chosen[0].tolist()} with weights {[round(w, 2) for w in shares_of_two[0].tolist()]}")
print("tokens an expert gets:", load.tolist(), f"(400 tokens, 2 experts each: {load.float().mean():.0f} on average)")

# %% [markdown]
# Even a random router loads its experts unevenly. Training can make it worse: an expert that is chosen more often
# learns more, and is chosen again. DeepSeek-V3 adds a bias to each score, moved up or
# down as the expert gets too little or too much [7].

# %% [markdown]
# ### Llama 3.1: RoPE for longer texts
#
# RoPE turns pair $i$ of a head by $\theta^{-2i/hd}$ radians a token. Llama 3 was first trained on 8,192 tokens; Llama 3.1
# reads 131,072 [1]. Fast pairs have seen every angle within 8,192 tokens. Slow ones have not finished a turn:
# in a longer text they would reach angles they have never seen. So only the slow ones are slowed down, by 8.

# %% tags=["experiment"]
plain = frequencies(128, 500000.0)
scaled = llama31_frequencies(plain)
turns, turns_after = (8192 * f / (2 * torch.pi) for f in (plain, scaled))
kept, slowed = (scaled == plain).sum().item(), torch.isclose(scaled, plain / 8).sum().item()
figure, ax = plots.new_axes(height=3.6)
ax.plot(turns, "s", color=plots.LAYER, markersize=4, label="Llama 3")
ax.plot(turns_after, "o", color=plots.RMS, markersize=4, label="Llama 3.1")
for limit in (1, 4):
    ax.axhline(limit, color=plots.INK, linestyle=":", linewidth=1)
plots.label(ax, 0, 4, "more than 4 turns: kept", shift=(2, 4))
plots.label(ax, 0, 1, "fewer than 1: slowed by 8", shift=(2, -13))
ax.set_yscale("log")
ax.set(xlabel="pair of numbers in a head", ylabel="turns in 8,192 tokens")
ax.legend(frameon=False)
plots.show(
    figure,
    f"Of 64 pairs Llama 3.1 keeps {kept}, slows {slowed} down by 8, and blends {64 - kept - slowed} between",
    "The fast pairs on the left tell neighbours apart and stay as they are. The slow ones on the right stretch the "
    "angles of the old context over one that is longer.",
)

# %% [markdown]
# ## Claimed against measured
#
# What the note claims of "2024–2026 frontier LLMs", beside what your machine has measured. Shares are of the 13 families
# in the table above.

# %% tags=["experiment"]
absent = "transformers is not installed here"


def share(key, value):
    """Percentage of the observed families whose `key` is this, or begins with it."""
    return 100 * sum(row[key].startswith(value) for row in table.values()) / len(table) if table else None


def of_all(says, compared, key, value):
    return Claim(says, compared, 100, share(key, value), margin=0.5, unit=" %", missing=missing() and absent)


ClaimTable(
    of_all("RMSNorm (scales root-mean-square only)", "families with RMSNorm", "norm", "RMSNorm"),
    of_all("Pre-Norm", "families with the norm at the entrance, and only there", "place", "entrance"),
    Claim(
        "Pre-Norm",
        "OLMo 2 with its norms at the entrance: share of the result that is wrong",
        claimed=0,
        measured=100 * min(shares["OLMo 2: norms at the entrance"]),
        margin=0.1,
        unit=" %",
    ),
    of_all("SwiGLU", "families with a SiLU gate", "ffn", "SiLU gate"),
    Claim(
        "SwiGLU (Llama-3, Qwen, Gemma)",
        "SiLU for Gemma 2's GELU: share of the result that is wrong",
        claimed=0,
        measured=100 * max(in_gemma),
        margin=0.1,
        unit=" %",
    ),
    Claim("an unobstructed identity path", "silent sublayers: largest change of the stream", 0, max(moved.values())),
    Claim(
        "well-behaved, so activations don't explode",
        f"norm at the entrance, matrices {times:.0f} times as large: growth of the stream",
        claimed=1,
        measured=grown["entrance"],
        margin=1,
        direction="at most",
    ),
    Claim(
        "well-behaved, so activations don't explode",
        f"norm at the exit, matrices {times:.0f} times as large: growth of the stream",
        claimed=1,
        measured=grown["exit"],
        margin=1,
        direction="at most",
    ),
)

# %% [markdown]
# ### How to read it
#
# **RMSNorm** is nearly universal; OLMo 1 is the exception.
#
# **Pre-norm and SwiGLU** are the commonest choice, and no more than that. Of the three families that the note
# names, Gemma has neither, since version 2.
#
# **The identity path** is what all of them share.
#
# **"Don't explode"** is true of what a sublayer reads. With a norm at the entrance, nothing limits what it writes.

# %% [markdown]
# ## Written answer
#
# ●●○ · 4 minutes · 5 points, given by a person
#
# A colleague has written a loader: "I read every checkpoint into our Llama block. The names are nearly the same, and for
# OLMo 2 all weights of the block's norms fit. They are all Llama clones anyway." Answer in three to six sentences.
#
# One point each, if you
#
# 1. say where OLMo 2's norms stand and write its step as a formula;
# 2. explain why names and shapes do not reveal the mistake, with the name that means two things;
# 3. give a number of your own for what goes wrong when the norms are taken for Llama's;
# 4. name two further differences, each of another family, and what they would change;
# 5. say which test would have caught it, and why weights fresh from the initialisation are not enough for it.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_families", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# OLMo 2 norms what a sublayer returns, $x + n(f(x))$, while Llama norms what it reads, $x + f(n(x))$. Both norms have
# `dim` weights, and Hugging Face calls one `post_attention_layernorm` in both: in Llama it stands before the FFN, in OLMo 2
# behind attention. So everything loads and the results are wrong: in my run by more than half of what the block
# writes. Gemma 2 gates with GELU and scales its norms by $1 + w$, and Qwen3 norms each head's queries and keys before
# RoPE; loaded as Llama they compute something else as well. What catches it is parity with the original layer, number by
# number, on the result and on the input's gradient. The weights must be random or trained: norms that are all ones hide a
# norm that is swapped with another, and a QK-norm on the wrong side of RoPE.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("11_model_families")

# %% [markdown]
# ## Sources
#
# 1. A. Grattafiori and others: *The Llama 3 Herd of Models*. 2024,
#    **[arXiv:2407.21783](https://arxiv.org/abs/2407.21783)**, and the model cards of Llama 3 and 3.1.
# 2. Qwen team: *Qwen3 Technical Report*. 2025, **[arXiv:2505.09388](https://arxiv.org/abs/2505.09388)**, and its model cards.
# 3. OLMo team: *2 OLMo 2 Furious*. 2025, **[arXiv:2501.00656](https://arxiv.org/abs/2501.00656)**, and its model card.
# 4. Gemma team: *Gemma 2: Improving Open Language Models at a Practical Size*. 2024,
#    **[arXiv:2408.00118](https://arxiv.org/abs/2408.00118)**, and its model card.
# 5. Gemma team: *Gemma 3 Technical Report*. 2025, **[arXiv:2503.19786](https://arxiv.org/abs/2503.19786)**, and its model card.
# 6. A. Q. Jiang and others: *Mistral 7B*. 2023, **[arXiv:2310.06825](https://arxiv.org/abs/2310.06825)**, and its model card.
# 7. DeepSeek-AI: *DeepSeek-V3 Technical Report*. 2024, **[arXiv:2412.19437](https://arxiv.org/abs/2412.19437)**.
# 8. OpenAI: *gpt-oss-120b & gpt-oss-20b Model Card*. 2025, **[arXiv:2508.10925](https://arxiv.org/abs/2508.10925)**, and
#    its **[code](https://github.com/openai/gpt-oss)**.
# 9. A. Karpathy: **[nanochat](https://github.com/karpathy/nanochat)**. 2025.
# 10. A. Q. Jiang and others: *Mixtral of Experts*. 2024, **[arXiv:2401.04088](https://arxiv.org/abs/2401.04088)**.
# 11. A. Henry and others: *Query-Key Normalization for Transformers*. 2020,
#     **[arXiv:2010.04245](https://arxiv.org/abs/2010.04245)**. The idea, with another norm.
# 12. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, section 1.
#
# Structure: Hugging Face's **[transformers](https://github.com/huggingface/transformers)**, as installed here.
#
# Next: lesson 12 (elective) asks what all this costs in time. Lesson 13 (core) prepares you for an interview.
