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
# # The decoder: from ids to logits
#
# **Goal.** You put the parts together: a block, a whole Llama-style decoder, and the count of its parameters.
# Then you load Hugging Face's weights into it, train it, look inside it, and make it write faster.
#
# **Core path · 54 minutes · difficulty 2 of 3 · 20 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 9 | – | – |
# | Exercise 1: the block | 6 | ●●○ | 6 |
# | Exercise 2: the decoder | 10 | ●●○ | 10 |
# | Exercise 3: the count | 6 | ●●○ | 4 |
# | Five experiments | 16 | – | – |
# | Written answer and quiz | 7 | ●●○ | 5 |
#
# You need PyTorch modules. RMSNorm, SwiGLU and attention are given: you need not have written them.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import tempfile
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import nn

from grader import check, hint
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable
from lessons.support.decoder import copy_weights, given_block, given_decoder, head, own_or_given, start_small, stream
from lessons.support.device import choose_device
from lessons.support.faults import FAULTS, logits_off
from lessons.support.hf_names import their_name, to_ours
from lessons.support.hugging_face import folder_of, missing_transformers, random_llama, read_folder
from lessons.support.kv_cache import greedy, sampled
from lessons.support.llama import Attention, DecoderConfig, RMSNorm, SwiGLU
from lessons.support.progress import progress
from lessons.support.text import ALPHABET, decode, encode, standard_library
from lessons.support.threads import one_thread
from lessons.support.train import held_out_loss, train
from lessons.support.warmup_runs import count_loss
from quiz import quiz

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom. Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("decoder")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("decoder")`
# shows a solution and explains it. A class edition has no `reveal`.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [8].
# It compares a transformer to a line of 32 people who pass a page along. Each adds a remark, and the page itself goes
# on unchanged below the remarks. That page is the residual stream, the note's "highway".
#
# In this lesson you build the whole line. At its start, a token's number becomes a page: a row of a table.
# Each person is a **block**. Every block has two turns: attention looks at the other tokens' pages, then the
# feed-forward network (FFN) thinks about its own. At the end stands a reader, the **head**. It compares the page with one
# row for each token of the vocabulary, and names how well each would fit as the next.

# %% [markdown]
# ### What the note gets right
#
# - The step is exact: $x \leftarrow x + \mathrm{Sublayer}(\mathrm{Norm}(x))$, twice in each block.
# - RMSNorm and SwiGLU are what Llama uses.
# - The highway is real. A block that adds nothing leaves the page as it was.

# %% [markdown]
# ### What the note leaves out
#
# The note has no complete model. It says little about attention, and nothing about:
#
# - the **final norm**, which stands between the last block and the head;
# - the **head**, and that it may share its matrix with the embedding;
# - **RoPE** and **grouped key-value heads**, without which its three upgrades make no Llama (lesson 09);
# - how you would find out that your code *is* a Llama.
#
# "Each layer just adds subtle refinements" is a claim about sizes. You will measure them.

# %% [markdown]
# ## The mathematics
#
# $T$ ids $t_1 \dots t_T$ come in. With an embedding matrix $E$ of shape $[V, d]$, the stream starts as rows of $E$:
#
# $$x^{(0)}_i = E[t_i]$$
#
# Each of $L$ blocks adds to it twice. Attention sees all earlier rows, the FFN one row at a time:
#
# $$h^{(l)} = x^{(l)} + \mathrm{Attn}_l\bigl(\mathrm{Norm}^{a}_l(x^{(l)})\bigr), \qquad
# x^{(l+1)} = h^{(l)} + \mathrm{FFN}_l\bigl(\mathrm{Norm}^{f}_l(h^{(l)})\bigr)$$
#
# A final norm and the head $W$ of shape $[V, d]$ make a number for each token of the vocabulary, the **logits**:
#
# $$z_i = W\,\mathrm{Norm}(x^{(L)}_i)$$
#
# The softmax of $z_i$ is the model's guess of token $i + 1$. It belongs to the loss or the sampler, not to the model.

# %% [markdown]
# ### Tied or not
#
# $E$ and $W$ have the same shape. A model with **tied** embeddings uses one matrix for both [3]. Small models do: their
# vocabulary is a large part of them, 21 % of SmolLM2-135M [6]. Large ones need not.
#
# Tied does not mean "equal at first". It means one tensor: it gets the sum of two gradients, and is saved once.
# So a tied Llama's file has no `lm_head.weight`.

# %% [markdown]
# ### An example to do by hand
#
# A decoder without blocks: $V = 3$, $d = 2$, tied, $E = \begin{pmatrix} 3 & 4 \\ 4 & -3 \\ -1 & 0 \end{pmatrix}$,
# the norm's weight $(1, 1)$, and $\epsilon = 0$. It reads token 0, so $x = (3, 4)$.
#
# Its root mean square is $\sqrt{12.5} \approx 3.536$. So the norm makes $(0.849, 1.131)$ of it. The logits are its
# products with the three rows. Work them out, and the number of parameters. Then run the next cell.

# %% tags=["experiment"]
tiny = DecoderConfig(
    3, 2, n_layers=0, n_heads=1, n_kv_heads=1, head_dim=2, hidden_dim=1, norm_eps=0.0, tie_embeddings=True
)
by_hand = given_decoder(tiny)
by_hand.tok_embeddings.weight.data = torch.tensor([[3.0, 4.0], [4.0, -3.0], [-1.0, 0.0]])
logits = by_hand(torch.tensor([[0]]))[0, 0]
print("logits:", ", ".join(f"{z:.3f}" for z in logits.tolist()))
print(f"parameters: {sum(p.numel() for p in by_hand.parameters())}")

# %% [markdown]
# Token 0 is followed by token 0: without blocks, a tied decoder tends to repeat what it reads. Everything else is the
# blocks' work. Six numbers in $E$ and two in the norm make 8 parameters. The head has none of its own.

# %% [markdown]
# ### What is given
#
# The parts come from `lessons.support.llama`, with the sizes of a config:
#
# | part | made by | call |
# |---|---|---|
# | a norm | `RMSNorm(dim, eps)` | `norm(x)` |
# | attention, causal, with RoPE | `Attention(config)` | `attn(x, positions)` |
# | the FFN | `SwiGLU(dim, hidden_dim)` | `ffn(x)` |
#
# `DecoderConfig` has the fields `vocab_size`, `dim`, `n_layers`, `n_heads`, `n_kv_heads`, `head_dim`, `hidden_dim`,
# `norm_eps`, `rope_theta` and `tie_embeddings`. Take every size from it, and `norm_eps` too: `RMSNorm` has a default of
# its own. `n_heads * head_dim` need not equal `dim`.

# %% [markdown]
# ## Exercise 1: the block
#
# ●●○ · 6 minutes · 6 points
#
# Write `class Block(nn.Module)`, made by `Block(config)`.
#
# - It has four parts: `attn_norm`, `attn`, `ffn_norm`, `ffn`. Weights are loaded by these names.
# - `forward(x, positions)` takes the stream, `[B, T, dim]`, and the tokens' places, `[T]`. It returns the new stream,
#   by the two formulas of "The mathematics".
# - Hand the positions on as they are. They need not start at 0.
# - Leave `x` as it was: the caller may still need it.
# - `given_block` and `given_decoder` are forbidden here. Anything else is allowed.
#
# The check shuts one half of the block at a time, so that it can tell you which one is wrong.
#
# One line is given. Hints: `hint("block")`.


# %% nbgrader={"grade": false, "grade_id": "block", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Block(nn.Module):
    """A pre-norm block: attention, then the FFN, each with its norm and its residual.

    x: [B, T, dim] both ways; positions: [T], where each token stands.
    """

    def __init__(self, config):
        super().__init__()
        ### BEGIN SOLUTION
        self.attn_norm = RMSNorm(config.dim, config.norm_eps)
        self.attn = Attention(config)
        self.ffn_norm = RMSNorm(config.dim, config.norm_eps)
        self.ffn = SwiGLU(config.dim, config.hidden_dim)
        ### END SOLUTION

    def forward(self, x, positions):
        ### BEGIN SOLUTION
        x = x + self.attn(self.attn_norm(x), positions)
        return x + self.ffn(self.ffn_norm(x))
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_block", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("block")
### BEGIN HIDDEN TESTS
check("block", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: the decoder
#
# ●●○ · 10 minutes · 10 points
#
# Write `class Decoder(nn.Module)`, made by `Decoder(config)`.
#
# - Its parts are `tok_embeddings`, `layers` (as many blocks as the config says, each with weights of its own), `norm`, the
#   final one, and `lm_head`, a matrix without a bias.
# - With `config.tie_embeddings`, embedding and head are **one** tensor. Then `lm_head` may be absent. Without it they are
#   two.
# - `forward(ids)` takes ids, `[B, T]`, and returns the logits of **every** position, `[B, T, vocab_size]`. No softmax.
# - The tokens stand at the places 0 to T − 1. Make the positions on the device of `ids`.
# - Use your `Block`. If its check is not green yet, write `given_block` in its place: this exercise does not depend on
#   the first. Only `given_decoder` is forbidden.
#
# The check looks inside: it compares the stream after every block, not only the logits at the end.
#
# One line is given. Hints: `hint("decoder")`.


# %% nbgrader={"grade": false, "grade_id": "decoder", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Decoder(nn.Module):
    """A Llama-style decoder. ids: [B, T], int64; returns logits: [B, T, vocab_size]."""

    def __init__(self, config):
        super().__init__()
        ### BEGIN SOLUTION
        self.tok_embeddings = nn.Embedding(config.vocab_size, config.dim)
        self.layers = nn.ModuleList(Block(config) for _ in range(config.n_layers))
        self.norm = RMSNorm(config.dim, config.norm_eps)
        self.lm_head = nn.Linear(config.dim, config.vocab_size, bias=False)
        if config.tie_embeddings:
            self.lm_head.weight = self.tok_embeddings.weight
        ### END SOLUTION

    def forward(self, ids):
        ### BEGIN SOLUTION
        states = self.tok_embeddings(ids)
        positions = torch.arange(ids.shape[1], device=ids.device)
        for block in self.layers:
            states = block(states, positions)
        return self.lm_head(self.norm(states))
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_decoder", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
check("decoder")
### BEGIN HIDDEN TESTS
check("decoder", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3: the count
#
# ●●○ · 6 minutes · 4 points
#
# Write `count_params(config)`: how many numbers a decoder with this config trains, as an `int`.
#
# Write down each tensor with its shape: what stands once, and what stands in every block. Nothing has a bias.
#
# - The queries are `n_heads * head_dim` wide, keys and values `n_kv_heads * head_dim`.
# - A tied matrix is **one** matrix.
#
# Two examples to try it on [2, 6]:
#
# | size | Llama-3-8B | SmolLM2-135M |
# |---|---|---|
# | `vocab_size` | 128,256 | 49,152 |
# | `dim`, `hidden_dim` | 4096, 14,336 | 576, 1536 |
# | `n_layers` | 32 | 30 |
# | `n_heads`, `n_kv_heads`, `head_dim` | 32, 8, 128 | 9, 3, 64 |
# | `tie_embeddings` | no | yes |
# | parameters | 8,030,261,248 | 134,515,008 |
#
# Hints: `hint("count_params")`.


# %% nbgrader={"grade": false, "grade_id": "count_params", "locked": false, "schema_version": 3, "solution": true, "task": false}
def count_params(config):
    """How many numbers a decoder with this config trains. An int."""
    ### BEGIN SOLUTION
    queries, keys = config.n_heads * config.head_dim, config.n_kv_heads * config.head_dim
    attention = 2 * config.dim * (queries + keys)
    block = attention + 3 * config.dim * config.hidden_dim + 2 * config.dim
    vocabulary = config.vocab_size * config.dim * (1 if config.tie_embeddings else 2)
    return vocabulary + config.n_layers * block + config.dim
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_count_params", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("count_params")
### BEGIN HIDDEN TESTS
check("count_params", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Experiment 1: is it a Llama?
#
# A sceptical engineer asks: it runs. How do you know that it computes what Llama computes?
#
# Take Hugging Face's own Llama with **random** weights, load them into your decoder, and compare the logits.
# Nothing is downloaded. The sizes are small, and chosen so that nothing is equal by chance: 6 query heads on 2 key-value
# heads, a head size that is not `dim / n_heads`, an eps and a theta that are nobody's default, norm weights away from 1.
#
# If your decoder is not right yet, the experiments use a given one, and say so.

# %% tags=["experiment"]
device = choose_device()
Model = own_or_given(Decoder)

# %% [markdown]
# ### The same parts under other names
#
# Hugging Face names its tensors differently. One map leads from ours to theirs:

# %% tags=["experiment"]
small = DecoderConfig(61, 24, 3, n_heads=6, n_kv_heads=2, head_dim=10, hidden_dim=40, norm_eps=1e-2, rope_theta=500.0)
block_names = given_block(small).state_dict()
for name in ["tok_embeddings.weight", *(f"layers.0.{part}" for part in block_names), "norm.weight", "lm_head.weight"]:
    print(f"{name:32} {their_name(name)}")

# %% [markdown]
# `post_attention_layernorm` is a trap: it does not norm what attention returns. It stands before the FFN, *after*
# attention in time.

# %% [markdown]
# ### How close is the same?
#
# Two right programs add in different orders, so their logits differ in the last digits. A logit near zero is a sum of
# large terms that cancel: compare its error with the size of the logits, not with itself. So each may be off by
# $3 \cdot 10^{-5}$ of its own size, plus $3 \cdot 10^{-5}$ of the logits' root mean square.
#
# Then both models continue the text greedily: always the likeliest token.

# %% tags=["experiment"]
off, agree, same_text = {}, {}, {}
if reason := missing_transformers():
    print(reason)
else:
    for tied in progress((False, True), "comparing"):
        config = replace(small, tie_embeddings=tied)
        name = "tied" if tied else "untied"
        off[name], agree[name], same_text[name] = [], [], []
        for seed in range(5):
            theirs = random_llama(config, seed)
            mine = copy_weights(Model(config), to_ours(theirs.state_dict())).eval()
            ids = torch.randint(small.vocab_size, (2, 9), generator=torch.Generator().manual_seed(seed))
            with torch.no_grad():
                ours, wanted = mine(ids), theirs(ids).logits
            size = wanted.square().mean().sqrt().item()
            off[name].append((ours - wanted).abs().max().item() / size)
            agree[name].append(torch.allclose(ours, wanted, rtol=3e-5, atol=3e-5 * size))
            text_of_theirs = theirs.generate(ids, max_new_tokens=20, do_sample=False)
            same_text[name].append(torch.equal(greedy(mine, ids, 20)[0], text_of_theirs))
    for name in off:
        print(
            f"{name:7} logits agree for {sum(agree[name])} of 5 seeds, off by at most {max(off[name]):.1e} of their size; "
            f"the same 20 tokens for {sum(same_text[name])} of 5"
        )

# %% [markdown]
# ## Experiment 2: which faults does a comparison see?
#
# A sceptical engineer asks: would this test have failed, had there been a fault?
#
# So put faults in, one at a time, and measure how far the logits move. Each fault is tried on two models. One has
# random weights. The other is fresh: its weights are small, and its norms are all ones, as any new model's are.
#
# In the last row nothing is wrong. The same weights are computed in float64: that is how far apart right answers are.

# %% tags=["experiment"]
moved = {kind: {name: logits_off(fault, kind) for name, fault in FAULTS.items()} for kind in ("random", "fresh")}
tolerance, floor = 3e-5, 1e-8
print(f"{'':34}{'logits moved by':>20}{'same likeliest token':>24}")
print(f"{'':34}{'random':>10}{'fresh':>10}{'random':>14}{'fresh':>10}")
for name in FAULTS:
    (far, kept), (far_fresh, kept_fresh) = moved["random"][name], moved["fresh"][name]
    print(f"{name:34}{far:10.0e}{far_fresh:10.0e}{kept:14.0%}{kept_fresh:10.0%}")

# %% tags=["experiment"]
names = list(FAULTS)[::-1]
figure, ax = plots.new_axes(height=4.2)
for kind, colour, marker in (("random", plots.RMS, "o"), ("fresh", plots.LAYER, "s")):
    plots.points(ax, [max(moved[kind][name][0], floor) for name in names], range(len(names)), colour, marker)
ax.axvline(tolerance, color=plots.INK, linestyle="--", linewidth=1)
plots.label(ax, tolerance, len(names) - 0.4, "tolerance", shift=(4, 0))
plots.label(ax, moved["random"][names[-1]][0], len(names) - 1, "random weights", plots.RMS, shift=(-4, -15), ha="right")
plots.label(ax, moved["fresh"][names[-1]][0], len(names) - 1, "fresh", plots.LAYER, shift=(-8, -4), ha="right")
ax.set_yticks(range(len(names)), names)
ax.set(xscale="log", xlabel="largest change of a logit, over the logits' root mean square", ylabel="what is changed")
ax.set(ylim=(-0.6, len(names)), xlim=(floor / 2, 20))
faults = names[1:]
seen = {kind: sum(moved[kind][name][0] > tolerance for name in faults) for kind in moved}
unmoved = {kind: sum(moved[kind][name][1] == 1 for name in faults) for kind in moved}
plots.show(
    figure,
    f"Random weights show {seen['random']} of {len(faults)} faults, fresh ones {seen['fresh']}",
    f"Marks at {floor:.0e} stand for no change at all. On random weights {seen['random']} of {len(faults)} faults are above "
    f"the tolerance, on fresh weights {seen['fresh']}. The likeliest token is the same everywhere in spite of "
    f"{unmoved['random']} of the faults on random weights, and of {unmoved['fresh']} on fresh ones.",
)

# %% [markdown]
# A test is blind where the thing to be tested has become the identity: two norms of ones can be exchanged, and nobody
# notices. And a token is a coarse measure: it is the same long after the logits have moved.

# %% [markdown]
# ## Experiment 3: does it learn?
#
# A sceptical engineer asks: right numbers are one thing. Is it a language model?
#
# Train it, tied, on the source code of Python's standard library, from your own disk, character by character. Two
# guesses by counting are there to be beaten: the **unigram** guess knows how frequent each character is, the
# **bigram** guess also knows the character before. To go below the second, a model has to look further back.
#
# On a CPU this takes one to two minutes.

# %% tags=["experiment"]
text = standard_library()
unigram, bigram = count_loss(text, pairs=False), count_loss(text, pairs=True)
if device.type == "cuda":
    shape = {"dim": 384, "n_layers": 6, "n_heads": 6, "n_kv_heads": 2, "head_dim": 64, "hidden_dim": 1024}
    steps, batch, length, peak = 2000, 32, 256, 1e-3
else:
    shape = {"dim": 96, "n_layers": 4, "n_heads": 6, "n_kv_heads": 2, "head_dim": 16, "hidden_dim": 256}
    steps, batch, length, peak = 600, 8, 128, 4e-3
config = DecoderConfig(len(ALPHABET), **shape, tie_embeddings=True)
model = start_small(Model(config), seed=0).to(device)
optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.95), weight_decay=0.0, fused=True)


def lr(step):
    """Up over a twentieth of the steps, then down a cosine to a tenth of the peak."""
    return peak * min((step + 1) / (steps / 20), 1.0) * (0.55 + 0.45 * math.cos(math.pi * step / steps))


parts = 20
each = steps // parts
losses, measured = [], {}
with one_thread():  # so small a model gains nothing from a second one
    measured[0] = held_out_loss(model, text, length, windows=128)
    for part in progress(range(parts), "training"):
        losses += train(
            model, text, optimizer, each, batch, length, part, lambda step, done=part * each: lr(done + step)
        )
        measured[len(losses)] = held_out_loss(model, text, length, windows=128)
first, final = measured[0], measured[steps]
print(
    f"{sum(p.numel() for p in model.parameters()):,} parameters. Held-out loss: {first:.2f} before, {final:.2f} after."
)
print(f"ln {len(ALPHABET)} = {math.log(len(ALPHABET)):.2f}: what a model that knows nothing should start with.")

# %% tags=["experiment"]
figure, ax = plots.new_axes()
ax.plot(range(steps), losses, color=plots.RMS, linewidth=0.7, alpha=0.5)
plots.points(ax, list(measured), list(measured.values()), plots.LAYER, "s")
for height, name in ((unigram, "unigram"), (bigram, "bigram")):
    plots.formula(ax, (0, steps), (height, height))
    plots.label(ax, steps, height, f"{name}: {height:.2f}", shift=(-4, 4), ha="right")
plots.label(ax, steps, final, f"{final:.2f}", plots.LAYER, shift=(-8, 12))
ax.set(xlabel="steps of training", ylabel="loss, nats a character", ylim=(min(losses) - 0.2, max(losses) + 0.2))
below = next((step for step, loss in measured.items() if loss < bigram), None)
plots.show(
    figure,
    f"After {steps} steps the decoder's loss is {final:.2f}, the best guess from pairs gives {bigram:.2f}",
    f"Squares are the loss on held-out files, the thin line that of each training batch. It starts at {first:.2f}. "
    + (
        f"From step {below} on it is below the bigram guess."
        if below
        else "It has not come below the bigram guess yet."
    ),
)

# %% [markdown]
# ### What does it write?
#
# Draw characters from its guesses, no more than it has seen at once in training.

# %% tags=["experiment"]
prompt = "class "
model.eval()
with one_thread():
    new = sampled(model, encode(prompt)[None].to(device), length - len(prompt), temperature=0.6, seed=0)
print(prompt + decode(new))

# %% [markdown]
# It is no Python. But it has learned lines, indentation and pieces of words, and nobody has told it any of these.
#
# Two cheap alarms in such a run. A first loss far from $\ln V$ means a bad start. (Yours starts a little below: a tied
# model repeats what it reads, and in source code a space often follows a space.) A loss near 0 means that the answer
# stands in the input: targets that were not shifted by one, or a missing causal mask.

# %% [markdown]
# ### Save it, load it again
#
# A safetensors file holds names and numbers, and no code. It refuses to hold one tensor under two names. So the tied
# matrix is written once, as Hugging Face does it: under the embedding's name.

# %% tags=["experiment"]
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "decoder.safetensors"
    save_file({name: weight for name, weight in model.state_dict().items() if name != "lm_head.weight"}, file)
    kept = load_file(file)
    again = copy_weights(Model(config), kept).to(device).eval()
    megabytes = file.stat().st_size / 1e6
windows = text.held_out[: 8 * length].view(8, length).to(device)
with torch.no_grad():
    back = torch.equal(again(windows), model(windows))
print(f"{len(kept)} tensors, {megabytes:.1f} MB, and no lm_head.weight among them.")
print(f"Loaded again, the logits are {'the same, bit for bit' if back else 'not the same'}.")

# %% [markdown]
# ## Experiment 4: when does it know?
#
# A sceptical engineer asks: do four blocks do more than one, or is the answer there early?
#
# The **logit lens** [5] reads the stream before its time: it hands each block's state to the final norm and the head. Each
# state is normed anew, because the stream grows. Leaving the norm out is a common mistake, so try that as well.

# %% tags=["experiment"]
starts = torch.linspace(0, len(text.held_out) - length - 1, 128).long()[:, None]
rows = text.held_out[starts + torch.arange(length + 1)].to(device)
with one_thread(), torch.no_grad():
    states = stream(model, rows[:, :-1])


def lens_loss(x, renormed):
    with torch.no_grad():
        return F.cross_entropy(head(model, x, renormed).flatten(0, 1), rows[:, 1:].flatten()).item()


lens = {renormed: [lens_loss(x, renormed) for x in states] for renormed in (True, False)}
sizes = [x.square().mean().sqrt().item() for x in states]
updates = [((after - x).norm(dim=-1) / x.norm(dim=-1)).median().item() for x, after in pairwise(states)]
print("after block     loss, normed   not normed   stream's size   block's addition over the stream")
for depth, size in enumerate(sizes):
    change = f"{updates[depth - 1]:.2f}" if depth else "–"
    print(f"{depth:11}{lens[True][depth]:17.2f}{lens[False][depth]:13.2f}{size:16.2f}{change:>22}")

# %% tags=["experiment"]
figure, ax = plots.new_axes()
depths = range(len(states))
top = max(unigram, *lens[True][1:], *lens[False][1:]) + 0.7
for renormed, colour, marker, name in ((True, plots.RMS, "o", "normed"), (False, plots.LAYER, "s", "not normed")):
    ax.plot(depths, lens[renormed], color=colour, marker=marker, markersize=5)
    plots.label(ax, depths[-1], lens[renormed][-1], name, colour, va="center")
for height, name in ((unigram, "unigram"), (bigram, "bigram")):
    plots.formula(ax, (0, depths[-1]), (height, height))
    plots.label(ax, depths[-1], height, name, va="center")
ax.set(xlabel="blocks passed", ylabel="loss of the lens, nats a character", xticks=list(depths))
ax.set(xlim=(-0.15, depths[-1] * 1.22), ylim=(min(lens[True]) - 0.15, top))
if lens[True][0] > top:
    plots.label(ax, 0, top, f"before any block: {lens[True][0]:.1f}", plots.RMS, shift=(125, -12))
passed = next((depth for depth in depths if lens[True][depth] < bigram), None)
plots.show(
    figure,
    f"Read with the norm, the loss falls to {lens[True][-1]:.2f}; without it, to {lens[False][-1]:.2f}"
    if passed is not None
    else "Not below the bigram guess yet: train longer before you look",
    f"With the norm the lens is below the bigram guess after {passed} blocks, and every further block helps: "
    + ", ".join(f"{loss:.2f}" for loss in lens[True][1:])
    + f". The norm's weights differ by feature, so leaving it out costs {lens[False][-1] - lens[True][-1]:.2f} at the end.",
)

# %% [markdown]
# ### One line, read at every depth
#
# Below a held-out line stands what the lens finds likeliest **next** at each character, after 0, 1, 2 … blocks. Below them,
# what really comes next. A dot marks a hit.

# %% tags=["experiment"]
line = "    def close(self):\n        return self"
with one_thread(), torch.no_grad():
    guesses = [head(model, x)[0].argmax(-1) for x in stream(model, encode(line)[None].to(device))]
shown = lambda codes: decode(codes).replace("\n", "⏎").replace(" ", "␣")
target = encode(line)[1:]
print(f"{'text':12}{shown(encode(line)[:-1])}")
for depth, guess in enumerate(guesses):
    hits = (guess[:-1].cpu() == target).sum().item()
    print(f"{depth} block{'s' * (depth != 1):2}    {shown(guess[:-1].cpu())}   {hits} of {len(target)} right")
print(f"{'next':12}{shown(target)}")
print(f"{'':12}" + "".join("." if hit else " " for hit in guesses[-1][:-1].cpu() == target))

# %% [markdown]
# Before any block the lens repeats what it reads, as in the example by hand. Look at the last column of the table above,
# too: the first block's remark is many times as long as the page it is written on.
#
# Take early readings as a hint only: they are read by a head that was trained for the last block.

# %% [markdown]
# ## Experiment 5: what does a cache save?
#
# A sceptical engineer asks: to write one more token, why compute all the old ones again?
#
# Nothing about an old token changes when a new one is added: no token sees later ones. So keep the keys and values of
# all that was read (lesson 09), and hand the model the new token only. Your decoder needs no change. `kv_cache` puts a
# cache into its attention, which then adds the number of tokens seen to the positions.

# %% tags=["experiment"]
tokens = 256
start = encode("import ")[None].to(device)
with one_thread():
    greedy(model, start, 8), greedy(model, start, 8, cached=True)  # warm up
    plain_ids, plain_seconds = greedy(model, start, tokens)
    cached_ids, cached_seconds = greedy(model, start, tokens, cached=True)
same_tokens = torch.equal(plain_ids, cached_ids)
saved = sum(plain_seconds) / sum(cached_seconds)
print(f"{tokens} tokens: {sum(plain_seconds):.2f} s without the cache, {sum(cached_seconds):.2f} s with it.")
print(f"The same tokens: {'yes' if same_tokens else 'no'}.")

# %% tags=["experiment"]
figure, ax = plots.new_axes(height=3.6)
place = torch.arange(tokens).view(-1, 16).float().mean(1)
for name, seconds, colour, marker in (
    ("everything again", plain_seconds, plots.LAYER, "s"),
    ("with the cache", cached_seconds, plots.RMS, "o"),
):
    middle = 1e3 * torch.tensor(seconds).view(-1, 16).median(1).values
    ax.plot(place, middle, color=colour, marker=marker, markersize=4)
    plots.label(ax, place[-1], middle[-1], name, colour, va="center")
ax.set(xlabel="tokens written before", ylabel="milliseconds a token")
ax.set(xlim=(0, tokens * 1.25), ylim=(0, None))
plots.show(
    figure,
    f"{'The same' if same_tokens else 'Other'} {tokens} tokens, {saved:.1f}× as fast with the cache",
    "Each mark is the median of 16 tokens. Without the cache a token costs more the more text stands before it. "
    f"With it, the whole text takes {1 / saved:.0%} of the time.",
)

# %% [markdown]
# ## Optional: real weights
#
# Your decoder can run a published model: SmolLM2-135M is a Llama [6]. Download its folder from Hugging Face by a way of
# your own (the files `config.json`, `model.safetensors` and those of the tokenizer) and name the folder here. Left empty, the
# cell does nothing. Nothing is ever downloaded by this notebook.

# %% tags=["experiment"]
real_folder = ""  # for instance "~/models/SmolLM2-135M"
prompt, new_tokens = "The residual stream is", 20

if not real_folder:
    print("No folder is named: left out.")
elif reason := missing_transformers():
    print(reason)
else:
    real_config, weights = read_folder(real_folder)
    real = copy_weights(Model(real_config), to_ours(weights)).eval()
    tokenizer, theirs = folder_of(real_folder)
    ids = tokenizer(prompt, return_tensors="pt").input_ids
    mine = greedy(real, ids, new_tokens, cached=True)[0]
    same = torch.equal(mine, greedy(lambda seen: theirs(seen).logits, ids, new_tokens)[0])
    print(f"{sum(p.numel() for p in real.parameters()):,} parameters")
    print(tokenizer.decode(mine[0]))
    print(f"The same {new_tokens} tokens as transformers: {'yes' if same else 'no'}.")

# %% [markdown]
# ## Claimed against measured
#
# What the note claims, beside what your machine has measured.

# %% tags=["experiment"]
silent = deepcopy(model)
for name, weight in silent.named_parameters():
    if name.endswith(("o_proj.weight", "down_proj.weight")):
        nn.init.zeros_(weight)
with torch.no_grad():
    quiet = stream(silent, windows)
upgrades = "three upgrades inside the block"
parity = max(max(runs) for runs in off.values()) if off else None
ClaimTable(
    Claim(
        "x ← x + Sublayer(Norm(x))",
        "the decoder and Hugging Face's Llama: logits differ by",
        claimed=0,
        measured=parity,
        margin=1e-4,
        missing="transformers is not installed",
    ),
    Claim(upgrades, "the same, without RoPE", 0, moved["random"]["no RoPE"][0], margin=1e-4),
    Claim(upgrades, "the same, without the final norm", 0, moved["random"]["final norm left out"][0], margin=1e-4),
    Claim(
        "an unbroken highway lane",
        "change of the stream by silent blocks",
        claimed=0,
        measured=(quiet[-1] - quiet[0]).abs().max().item(),
    ),
    Claim(
        "each layer just adds subtle refinements",
        "first block's addition over the stream",
        claimed=0.25,
        measured=updates[0],
        direction="at most",
    ),
    Claim(
        "each layer just adds subtle refinements",
        "later blocks: the largest",
        claimed=0.25,
        measured=max(updates[1:]),
        direction="at most",
    ),
    Claim("(~radius 1.0)", "size of the stream before the final norm", claimed=1, measured=sizes[-1], margin=0.05),
)

# %% [markdown]
# ### How to read it
#
# **The step** is exact: with it, and with all that the note leaves out, your decoder *is* a Llama.
#
# **Three upgrades** alone do not make one. Without RoPE, or without the final norm, the logits are others altogether.
#
# **The highway** is there: silent blocks change nothing, not even a last digit.
#
# **Subtle** is our reading of a word: at most a quarter as long as the page. The first block is anything but: the
# embedding is short, and the first block writes most of what the others read. The later ones are far smaller; whether
# they are subtle, the table says. This is a small model with few blocks, briefly trained. It tells you to measure, not
# what a large model does.
#
# **The radius** is that of what a layer reads. The page itself has grown: hence the final norm.

# %% [markdown]
# ## Written answer
#
# ●●○ · 4 minutes · 5 points, given by a person
#
# A colleague has ported a tied Llama. "Loading is strict and no name is left over, and on a freshly initialised model my
# greedy text equals Hugging Face's. So it is right. By the way, our first layers know nothing: multiplied by the head, their
# stream gives nonsense." Answer in three to six sentences.
#
# One point each, if you
#
# 1. name a fault that strict loading cannot see;
# 2. say what a fresh model hides, with an example from experiment 2;
# 3. say why the greedy text is too coarse, and what to compare instead, with which tolerance;
# 4. say how you would find *where* a fault is;
# 5. say what the lens needs beside the head, with numbers from your own run.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_decoder", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# Strict loading proves that every tensor exists, and not that it is used: a final norm that is never applied loads
# without complaint. On a fresh model all norm weights are 1, so two exchanged norms change nothing at all there, while
# with random weights the logits moved by more than their own size. Equal greedy tokens only say that the largest logit
# stayed the largest; compare the logits themselves in float32, to 3e-5 of each plus 3e-5 of their root mean square, with
# random weights, fewer key-value heads than query heads, and several tokens. To find the place, compare the stream after the
# embedding and after every block, and look for the first difference. The lens has to norm each state with the
# final norm, weights included: without it my last block's loss read 3.4 instead of 1.8, though it was the same stream.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("10_decoder")

# %% [markdown]
# ## Sources
#
# 1. H. Touvron and others: *LLaMA: Open and Efficient Foundation Language Models*. 2023,
#    **[arXiv:2302.13971](https://arxiv.org/abs/2302.13971)**. Section 2.2: the architecture you wrote.
# 2. A. Grattafiori and others: *The Llama 3 Herd of Models*. 2024,
#    **[arXiv:2407.21783](https://arxiv.org/abs/2407.21783)**. Table 3: the sizes of Llama-3-8B.
# 3. O. Press, L. Wolf: *Using the Output Embedding to Improve Language Models*. EACL 2017,
#    **[arXiv:1608.05859](https://arxiv.org/abs/1608.05859)**. Tied embeddings.
# 4. Hugging Face: the **[code of Llama](https://github.com/huggingface/transformers/blob/main/src/transformers/models/llama/modeling_llama.py)**
#    in transformers, with which experiment 1 compares.
# 5. nostalgebraist: **[*Interpreting GPT: the logit lens*](https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru/interpreting-gpt-the-logit-lens)**. 2020.
# 6. L. Ben Allal and others: *SmolLM2: When Smol Goes Big*. 2025, **[arXiv:2502.02737](https://arxiv.org/abs/2502.02737)**.
# 7. A. Radford and others: *Language Models are Unsupervised Multitask Learners*. 2019. GPT-2: the small start of
#    experiment 3, scaled with the number of blocks.
# 8. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, sections 1 to 3,
#    and "In Simple English".
#
# Next: lesson 11 (elective) turns this decoder into Qwen3 and OLMo 2. Lesson 12 (elective) is about speed. Lesson 13 (core)
# is the interview.
