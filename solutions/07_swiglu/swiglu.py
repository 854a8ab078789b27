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
# # SwiGLU: a feed-forward network with a gate
#
# **Goal.** You write SiLU, the gated feed-forward network as a function and as a module, and the rule for its width.
# Then you look inside a trained one: what does a gate let through, and for whom?
#
# **Core path · 38 minutes · difficulty 1 of 3 · 20 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 8 | – | – |
# | Exercise 1: SiLU | 3 | ●○○ | 4 |
# | Exercise 2: the function | 5 | ●○○ | 6 |
# | Exercise 3: the module | 4 | ●○○ | 5 |
# | Exercise 4: the width | 5 | ●●○ | 5 |
# | Three experiments | 7 | – | – |
# | Written answer and quiz | 6 | ●●○ | 5 |
#
# You need PyTorch tensors and matrix products. You need no earlier lesson.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from grader import check, hint
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.ffns import VARIANTS
from lessons.support.progress import progress
from lessons.support.text import ALPHABET, encode, standard_library
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
# Stuck? `hint("swiglu")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("swiglu")`
# shows a solution and explains it. A class edition has no `reveal`.

# %% [markdown]
# ## The idea in plain words
#
# A transformer block has two parts. Attention lets tokens exchange information. Then the feed-forward network (FFN)
# works on each token by itself: it widens the token, does something non-linear, and narrows it back.
#
# This course puts a text about transformers to the test. We call it *the note* [8].
# It calls SwiGLU "a gated switch (gate * signal)". Think of a mixing desk with a few thousand channels.
# Each channel has a signal and a slider. One matrix computes all signals from the token.
# A second matrix sets all sliders, from the same token. The third mixes the channels down.
#
# So the sliders are not set once and for all. Every token sets its own.

# %% [markdown]
# ### What the note gets right
#
# - The formulas are exact: three matrices without biases, and SiLU on the gate.
# - The FFN works on each token by itself.
# - The reason for the width: with three matrices, $\frac{8}{3}d$ costs as many parameters as $4d$ with two.
# - Its source is right: Shazeer, 2020 [1].

# %% [markdown]
# ### What the note leaves out
#
# - The "switch" is no switch between 0 and 1. A SiLU gate has no upper limit, and can be slightly negative.
# - $\frac{8}{3}d$ is a rule for a fair comparison, not a law. Models deviate from it, as you will see.
# - "A key-value memory bank storing factual knowledge" is one way to read an FFN. Geva and others found
#   patterns in the text as keys and likely next words as values, in a 16-layer network with ReLU [3].
#   It is a finding about that model and an interpretation for others.
# - "Consistently outperforming" is a matter of measuring. That is lesson 08.
#
# And why does the gate help? Shazeer's paper offers no theory. It attributes the success to "divine benevolence" [1].

# %% [markdown]
# ## The mathematics
#
# The sigmoid turns any number into a share between 0 and 1. SiLU is a number times its own share:
#
# $$\sigma(z) = \frac{1}{1 + e^{-z}}, \qquad \mathrm{SiLU}(z) = z\,\sigma(z) = \frac{z}{1 + e^{-z}}$$
#
# Swish is the same with a factor inside, $z\,\sigma(\beta z)$. SwiGLU uses $\beta = 1$: hence the note's $\mathrm{Swish}_1$.
#
# The slope follows from $\sigma' = \sigma(1 - \sigma)$ and the product rule:
#
# $$\mathrm{SiLU}'(z) = \sigma(z)\,\bigl(1 + z\,(1 - \sigma(z))\bigr)$$

# %% [markdown]
# ### The network
#
# Take one token, a row $x$ of $d$ numbers, and a hidden width $h$.
#
# $$\mathrm{SwiGLU}(x) = \bigl(\mathrm{SiLU}(x W_{\text{gate}}) \odot (x W_{\text{up}})\bigr)\, W_{\text{down}}$$
#
# Here $\odot$ multiplies element by element. $W_{\text{gate}}$ and $W_{\text{up}}$ are $[d, h]$, $W_{\text{down}}$ is $[h, d]$.
# This is the note's layout. `nn.Linear` stores the **transpose**, $[\text{out}, \text{in}]$.

# %% [markdown]
# ### An example to do by hand
#
# One token with $d = 1$, and $h = 2$ hidden units. Take $x = 1$, gates $(0, 2)$ before SiLU, signals $(5, 3)$, and
# $W_{\text{down}} = (1, 1)^\top$.
#
# $\mathrm{SiLU}(0) = 0$, so the first signal is shut out, however large it is. $\mathrm{SiLU}(2) = 2\,\sigma(2) \approx 1.762$,
# so the second is let through and enlarged: $1.762 \cdot 3 \approx 5.28$. Check it:

# %% tags=["experiment"]
strength = F.silu(torch.tensor([0.0, 2.0]))
result = (strength * torch.tensor([5.0, 3.0])).sum().item()
print(f"gates after SiLU: {strength[0]:.3f} and {strength[1]:.3f}, result: {result:.2f}")

# %% [markdown]
# ### Why 8/3
#
# The plain FFN of 2017 has two matrices and $h = 4d$: together $2 \cdot 4d^2 = 8d^2$ numbers, biases aside.
# A gated one has three matrices: $3dh$ numbers. For the same count, $3dh = 8d^2$, so $h = \frac{8}{3}d$.
#
# Real models then round up, to a multiple that suits the hardware.

# %% [markdown]
# ## Exercise 1: SiLU
#
# ●○○ · 3 minutes · 4 points
#
# Write `silu(x)`, the formula above, for each element of a tensor of any shape.
#
# - The result must be finite for **every** finite input, in float16 too. $e^{12}$ is already too large for float16,
#   and $e^{89}$ for float32. Which forms of the formula survive that?
# - Return a new tensor with the shape and dtype of `x`. Leave `x` as it was.
# - Forbidden are `F.silu`, `nn.SiLU` and `F.hardswish`. Anything else is allowed.
#
# Hints: `hint("silu")`.


# %% nbgrader={"grade": false, "grade_id": "silu", "locked": false, "schema_version": 3, "solution": true, "task": false}
def silu(x):
    """Each number times its own sigmoid. x: any shape and float dtype; returns the same."""
    ### BEGIN SOLUTION
    return x * torch.sigmoid(x)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_silu", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("silu")
### BEGIN HIDDEN TESTS
check("silu", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: the function
#
# ●○○ · 5 minutes · 6 points
#
# Write `swiglu(x, w_gate, w_up, w_down)`, the formula of "The network".
#
# - `x` has shape `[..., d]`: any number of leading dimensions, also none. So has the result.
# - `w_gate` and `w_up` have shape `[d, h]`, `w_down` has `[h, d]`: the note's layout.
# - Nothing is forbidden. `F.silu` is allowed here, so this exercise does not depend on the first.
# - No residual: the block adds $x$, not the FFN.
#
# Hints: `hint("swiglu")`.


# %% nbgrader={"grade": false, "grade_id": "swiglu", "locked": false, "schema_version": 3, "solution": true, "task": false}
def swiglu(x, w_gate, w_up, w_down):
    """The gated feed-forward network.

    x: [..., d]; w_gate, w_up: [d, h]; w_down: [h, d]. Returns [..., d] in x's dtype.
    """
    ### BEGIN SOLUTION
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_swiglu", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("swiglu")
### BEGIN HIDDEN TESTS
check("swiglu", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3: the module
#
# ●○○ · 4 minutes · 5 points
#
# Write `class SwiGLU(nn.Module)`, made by `SwiGLU(dim, hidden_dim)`.
#
# - It has three linear layers **without biases**, named `gate_proj`, `up_proj` and `down_proj`. These are the names in
#   the files of Llama, Mistral and Qwen.
# - Its `forward` computes the formula of exercise 2. Write it out here, without calling your `swiglu`.
# - Nothing is forbidden.
#
# One line is given. Hints: `hint("swiglu_module")`.


# %% nbgrader={"grade": false, "grade_id": "swiglu_module", "locked": false, "schema_version": 3, "solution": true, "task": false}
class SwiGLU(nn.Module):
    """The gated feed-forward network with its three weights. Input and output: [..., dim].

    dim: width of a token; hidden_dim: number of gates, and of signals.
    """

    def __init__(self, dim, hidden_dim):
        super().__init__()
        ### BEGIN SOLUTION
        self.gate_proj = nn.Linear(dim, hidden_dim, bias=False)
        self.up_proj = nn.Linear(dim, hidden_dim, bias=False)
        self.down_proj = nn.Linear(hidden_dim, dim, bias=False)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_swiglu_module", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check("swiglu_module")
### BEGIN HIDDEN TESTS
check("swiglu_module", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4: the width
#
# ●●○ · 5 minutes · 5 points
#
# Write `ffn_hidden_dim(dim, multiple_of=256, multiplier=1.0)`: the hidden width as the Llama models compute it.
# It takes three steps:
#
# 1. $\frac{8}{3}$ of `dim`, cut to an integer;
# 2. times `multiplier`, cut to an integer again;
# 3. **up** to a multiple of `multiple_of`. A number that is a multiple already stays as it is.
#
# The result is an `int`: `nn.Linear` takes no float. Integer division `//` is all you need for step 3. If you prefer
# `math.ceil`, import `math` in your cell.
#
# Two examples: 4096 gives $10922 \to 10922 \to 11008$, the width of Llama-2-7B.
# And (4096, 1024, 1.3) gives $10922 \to 14198 \to 14336$, the width of Llama-3-8B.
#
# Hints: `hint("ffn_hidden_dim")`.


# %% nbgrader={"grade": false, "grade_id": "ffn_hidden_dim", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ffn_hidden_dim(dim, multiple_of=256, multiplier=1.0):
    """A gated FFN's hidden width: 8/3 dim, times multiplier, up to a multiple of multiple_of. An int."""
    ### BEGIN SOLUTION
    hidden = int(multiplier * int(8 * dim / 3))
    return (hidden + multiple_of - 1) // multiple_of * multiple_of
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_ffn_hidden_dim", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check("ffn_hidden_dim")
### BEGIN HIDDEN TESTS
check("ffn_hidden_dim", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Experiment 1: what is SiLU's shape?
#
# A sceptical engineer asks: is SiLU anything but a rounded ReLU?
#
# Compare it with ReLU and GELU, and compare the slopes, since slopes are what training sees.
# The experiments use PyTorch's own functions. They run whether or not you have solved the exercises.

# %% tags=["experiment"]
device = choose_device()
activations = {"SiLU": F.silu, "GELU": F.gelu, "ReLU": F.relu}
z = torch.linspace(-6, 6, 12001, dtype=torch.float64)  # 0.001 apart


def slope(function):
    """The function's slope at every point of z, by autograd."""
    at = z.clone().requires_grad_()
    return torch.autograd.grad(function(at).sum(), at)[0]


slopes = {name: slope(function) for name, function in activations.items()}
jumps = {name: s.diff().abs().max().item() for name, s in slopes.items()}
lowest = F.silu(z).argmin()
dip, at_dip = F.silu(z)[lowest].item(), z[lowest].item()
print(f"SiLU is lowest at z = {at_dip:.3f}, where it is {dip:.4f}.")
print(f"Its slope lies between {slopes['SiLU'].min():.4f} and {slopes['SiLU'].max():.4f}.")
changes = ", ".join(f"{name} {jump:.4f}" for name, jump in jumps.items())
print(f"Largest change of slope over 0.001: {changes}.")
odd_part = F.silu(z) - F.silu(-z)
print(f"silu(z) − silu(−z) differs from z by at most {(odd_part - z).abs().max():.0e}.")

# %% tags=["experiment"]
styles = {"SiLU": (plots.RMS, "-"), "GELU": (plots.LAYER, "--"), "ReLU": (plots.INK, ":")}
figure, (left, right) = plots.new_axes(panels=2)
for name, (colour, line) in styles.items():
    left.plot(z, activations[name](z), line, color=colour, label=name)
    right.plot(z, slopes[name], line, color=colour, label=name)
plots.points(left, [at_dip], [dip], plots.RMS)
plots.label(left, at_dip, dip, f"({at_dip:.2f}, {dip:.2f})", plots.RMS, shift=(-75, -14))
left.set(xlabel="z", ylabel="value", xlim=(-5, 3), ylim=(-0.7, 3))
right.set(xlabel="z", ylabel="slope", xlim=(-5, 5))
for ax in (left, right):
    ax.legend(frameon=False)
plots.show(
    figure,
    f"ReLU's slope jumps from 0 to {jumps['ReLU']:.0f}; SiLU's bends, and even turns negative",
    f"All three pass large numbers and block very negative ones. SiLU dips to {dip:.2f} on the way, "
    f"and its slope ranges from {slopes['SiLU'].min():.2f} to {slopes['SiLU'].max():.2f}.",
)

# %% [markdown]
# So the note's "smoothly decides" is right. But a unit just below zero is not off: it still has a slope, and still learns.
#
# ### Which sigmoid survives?
#
# Three ways to compute the same share, far from zero. Look at the value **and** at the slope.

# %% tags=["experiment"]
shares = {
    "e^z / (1 + e^z)": lambda z: z.exp() / (1 + z.exp()),
    "1 / (1 + e^-z)": lambda z: 1 / (1 + (-z).exp()),
    "torch.sigmoid": torch.sigmoid,
}
print(f"{'':18}{'value at -100':>16}{'at +100':>10}{'slope at -100':>16}{'at +100':>10}")
for name, share in shares.items():
    far = torch.tensor([-100.0, 100.0], requires_grad=True)
    value = share(far)
    (steepness,) = torch.autograd.grad(value.sum(), far)
    print(f"{name:18}{value[0]:16.3g}{value[1]:10.3g}{steepness[0]:16.3g}{steepness[1]:10.3g}")

# %% [markdown]
# The first form is not a number at +100. The second has the right value at both ends, and yet its slope is not a
# number at −100: one such token in a batch spoils every weight behind it.
# A right value does not make a right gradient.
#
# Did you write out the second form in exercise 1? Its check let you pass: far from zero it looks at values only.

# %% [markdown]
# ## Experiment 2: what does the gate let through?
#
# A sceptical engineer asks: does the gate choose for each token, or are the same channels always open?
#
# Random weights cannot tell. So train a small language model with SwiGLU, three times from different seeds.
# It reads characters, and its text is the source code of Python's standard library, from your own disk.
# Its attention is given; lesson 09 explains it. This takes about half a minute.

# %% tags=["experiment"]
text = standard_library()
steps, batch, length, seeds = 200, 16, 64, range(3)


def trained(seed):
    """A model of two blocks, 48 wide, after `steps` steps."""
    torch.manual_seed(seed)
    shape = {"dim": 48, "n_layers": 2, "n_heads": 3, "context": length}
    model = TinyLM(len(ALPHABET), **shape, ffn=VARIANTS["SwiGLU"]).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    train(model, text, optimizer, steps, batch, length, seed)
    return model


with one_thread():  # so small a model gains nothing from a second one
    models = [trained(seed) for seed in progress(seeds, "training, a model a step")]

# %% [markdown]
# ### One line of code, channel by channel
#
# Read the picture column by column: each is one character of the line. Each row is one hidden unit of the
# last block. The colour is the gate after SiLU.

# %% tags=["experiment"]
line = "def close(self, file=None):"


def last_gates(model, ids):
    """SiLU of the last block's gates for the characters ids [n]: [n, h]."""
    found, gate_proj = [], model.layers[-1].ffn.gate_proj
    hook = gate_proj.register_forward_hook(lambda module, inputs, y: found.append(F.silu(y[0])))
    with torch.no_grad():
        model(ids[None].to(device))
    hook.remove()
    return found[0].cpu()


gates = last_gates(models[0], encode(line))
rows = gates.std(0).argsort(descending=True)[:40].sort().values
figure, ax = plots.new_axes(height=4.6)
image = ax.imshow(gates[:, rows].T, cmap="PuOr_r", vmin=-2, vmax=2, aspect="auto")
ax.set_xticks(range(len(line)), ["␣" if character == " " else character for character in line])
ax.set_yticks([])
ax.grid(visible=False)
ax.set(xlabel="character of the line", ylabel="40 hidden units of the last block")
bar = figure.colorbar(image)
bar.ax.set(xlabel="gate", ylabel="SiLU of the gate's number", ylim=(-0.3, 2))  # SiLU goes no lower
is_open = gates > 0.5
per_token, ever = is_open.float().mean().item(), is_open.any(0).float().mean().item()
plots.show(
    figure,
    f"A character opens {per_token:.0%} of the units, but {ever:.0%} open for some character of the line",
    "Orange gates let their signal through, white ones shut it out, pale purple ones pass a little with "
    "its sign turned. 'Open' means above 0.5, and the title counts all units. The columns differ: the "
    f"gate is set anew for each character. Shown are the 40 of {len(gates.T)} units that vary most.",
)

# %% [markdown]
# ### Does the choice matter?
#
# A picture proves nothing. So take the choice away, without training anew, and measure the loss on text that was never
# trained on:
#
# - **average gate**: every token gets each unit's average over all tokens. Nothing is chosen any more;
# - **another token's gate**: the gates are real ones, but handed to the wrong tokens;
# - **no FFN**: all gates shut.
#
# And the control: **average signal**. The gates stay, and the signals are averaged.


# %% tags=["experiment"]
def averaged(y):
    return y.mean((0, 1), keepdim=True).expand_as(y)


def shuffled(y):
    order = torch.randperm(y.shape[0] * y.shape[1], generator=torch.Generator().manual_seed(0))
    return y.flatten(0, 1)[order].view_as(y)


def loss_with(model, gate=None, signal=None):
    """The held-out loss when `gate` is applied to all gates (after SiLU), or `signal` to all signals."""
    hooks = []
    for block in model.layers:
        if gate:
            block.ffn.act = lambda y: gate(F.silu(y))
        if signal:
            hooks.append(block.ffn.up_proj.register_forward_hook(lambda module, inputs, y: signal(y)))
    loss = held_out_loss(model, text, length)
    for block in model.layers:
        block.ffn.act = F.silu
    for hook in hooks:
        hook.remove()
    return loss


ways = {
    "as trained": {},
    "average gate": {"gate": averaged},
    "another token's gate": {"gate": shuffled},
    "no FFN": {"gate": torch.zeros_like},
    "average signal": {"signal": averaged},
}
losses = {}
with one_thread():
    for name in progress(list(ways), "measuring"):
        losses[name] = [loss_with(model, **ways[name]) for model in models]
print("\nnats a character, one column a seed")
for name, runs in losses.items():
    print(f"{name:22}" + "".join(f"{loss:8.3f}" for loss in runs))

# %% tags=["experiment"]
names = list(losses)[::-1]
marks = dict.fromkeys(names, (plots.RMS, "o"))
marks |= {"as trained": (plots.INK, "D"), "average signal": (plots.LAYER, "s")}
figure, ax = plots.new_axes(height=3.4)
for place, name in enumerate(names):
    plots.points(ax, losses[name], [place] * len(seeds), *marks[name])
ax.set_yticks(range(len(names)), names)
ax.set(xlabel="held-out loss, nats a character (one mark a seed)", ylabel="what is changed")


def cost(name, than="as trained"):
    """How much higher the loss is than another one, seed by seed."""
    return [a - b for a, b in zip(losses[name], losses[than], strict=True)]


gate_cost = cost("average gate")
least, most = min(gate_cost), max(gate_cost)
wrong_is_worse = min(cost("another token's gate", than="no FFN")) > 0
plots.show(
    figure,
    f"Without its own gate each token costs {least:.2f} to {most:.2f} nats more"
    + (", and a wrong gate is worse than no FFN at all" if wrong_is_worse else ""),
    f"Over {len(seeds)} seeds, averaging the gates raises the loss by {least:.2f} to {most:.2f} nats a "
    f"character, and averaging the signals by {min(cost('average signal')):.2f} to "
    f"{max(cost('average signal')):.2f}. Shutting the FFN off altogether raises it by "
    f"{min(cost('no FFN')):.2f} to {max(cost('no FFN')):.2f}.",
)

# %% [markdown]
# So the choice matters: the right gate for the right token. Compare with "no FFN": how much of what the network is
# worth is left when nothing is chosen?
#
# Now compare with the control. If averaging the **signals** costs about as much, "the gate decides, the signal is
# decided about" is only half of the story: each factor acts as a gate for the other.
# The picture of a switch and a signal is in our heads. In the formula they differ by one SiLU.

# %% [markdown]
# ### Is it a switch?
#
# A switch is 0 or 1, a slider between. Where do the trained gates lie?

# %% tags=["experiment"]
windows = text.held_out[: 32 * length].view(32, length)
with one_thread():
    every_gate = [torch.cat([last_gates(m, ids).flatten() for ids in windows]) for m in models]
between = [((g >= 0) & (g <= 1)).float().mean().item() for g in every_gate]
negative = [(g < 0).float().mean().item() for g in every_gate]
above = [(g > 1).float().mean().item() for g in every_gate]
print("share of the gates, one column a seed")
for name, shares in {"below 0": negative, "0 to 1": between, "above 1": above}.items():
    print(f"{name:8}" + "".join(f"{share:8.1%}" for share in shares))

# %% [markdown]
# ### Keys and values
#
# The note's "key-value memory" rests on a true identity. Row $j$ of $W_{\text{down}}$ is a vector of width $d$.
# The output is the sum of these rows, each times the strength of its unit:
#
# $$\mathrm{SwiGLU}(x) = \sum_j s_j\, W_{\text{down}}[j], \qquad s = \mathrm{SiLU}(x W_{\text{gate}}) \odot (x W_{\text{up}})$$
#
# So each unit asks the token a question and, if it fires, writes its own vector into the stream. Try the identity:

# %% tags=["experiment"]
ffn = models[0].layers[-1].ffn
with torch.no_grad():
    x = torch.randn(48, device=device)
    s = F.silu(ffn.gate_proj(x)) * ffn.up_proj(x)
    summed = sum(strength * value for strength, value in zip(s, ffn.down_proj.weight.T, strict=True))
    off = ((summed - ffn(x)).norm() / ffn(x).norm()).item()
print(f"The sum of {len(s)} weighted rows differs from the network's output by {off:.0e} of its length.")

# %% [markdown]
# That what is written is **knowledge**, and factual, is a further claim. This identity does not show it.

# %% [markdown]
# ## Experiment 3: is 8/3 what models use?
#
# A sceptical engineer asks: where does 11008 come from, and who keeps to the rule?
#
# The widths below are those of the published models [2, 4, 5, 6].

# %% tags=["experiment"]
published = {
    "Llama-2-7B": (4096, 11008),
    "Llama-3-8B": (4096, 14336),
    "Llama-3.2-1B": (2048, 8192),
    "Qwen2.5-7B": (3584, 18944),
    "Gemma-7B": (3072, 24576),
}
over = {name: 100 * (3 * d * h / (8 * d * d) - 1) for name, (d, h) in published.items()}
figure, ax = plots.new_axes(height=3.2)
ratios = [h / d for d, h in published.values()]
ax.barh(range(len(published)), ratios, color=plots.RMS, height=0.6)
for place, (name, ratio) in enumerate(zip(published, ratios, strict=True)):
    plots.label(ax, ratio, place, f"{ratio:.2f}: {over[name]:+.0f} % parameters", va="center")
ax.axvline(8 / 3, color=plots.INK, linestyle="--", linewidth=1)
ax.set_yticks(range(len(published)), published)
ax.invert_yaxis()
ax.set_xlim(0, 1.4 * max(ratios))
ax.set(xlabel="hidden width / dim; dashed: 8/3", ylabel="model")
follow = [name for name, ratio in zip(published, ratios, strict=True) if abs(ratio - 8 / 3) < 0.05]
plots.show(
    figure,
    f"{len(follow)} of these {len(published)} models keeps to 8/3: {', '.join(follow)}",
    "The percentages compare the FFN with a plain one of width 4·dim. "
    f"The ratios run from {min(ratios):.2f} to {max(ratios):.2f}.",
)

# %% [markdown]
# So 8/3 makes a comparison fair. When a model is designed, the width is a free choice: a wider FFN buys
# capacity with parameters.

# %% [markdown]
# ## Claimed against measured
#
# What the note claims, beside what your machine has measured. Rows about the trained models give the seed that suits
# the claim least.

# %% tags=["experiment"]
d = 4096
count = partial(Claim, "8/3 d keeps the total parameter count equal", claimed=0, margin=0.05, unit=" %")
forms = (F.silu(z) - z / (1 + torch.exp(-z))).abs().max().item()
extra = 100 * (3 * (8 * d // 3) / (8 * d) - 1)
ClaimTable(
    Claim(
        "Swish₁(z) = z·σ(z) = z / (1 + e⁻ᶻ)",
        "largest difference of the two",
        claimed=0,
        measured=forms,
        margin=1e-12,
    ),
    Claim(
        "smoothly decides",
        "SiLU: change of slope over 0.001",
        claimed=0.01,
        measured=jumps["SiLU"],
        direction="at most",
    ),
    Claim(
        "filters for each token",
        "average gate: loss, in nats",
        claimed=0,
        measured=min(gate_cost),
        margin=0.05,
        direction="more than",
    ),
    Claim("a gated switch", "gates between 0 and 1", 100, 100 * min(between), margin=5, unit=" %"),
    count(f"d = {d}, h = {8 * d // 3}: extra parameters", measured=extra),
    count(f"d = {d}, h = 11008, rounded up: extra parameters", measured=over["Llama-2-7B"]),
    Claim("SwiGLU sets d_ff = 8/3 d", "Llama-3-8B, as published", 8 / 3, 14336 / 4096, margin=0.05),
)

# %% [markdown]
# ### How to read it
#
# **The formulas** are exact, and the gate does choose for each token.
#
# **"Switch"** is a good picture of what a gate is for, and a poor one of its values: look at how many lie outside
# 0 to 1.
#
# **8/3** does what the note says: it keeps the count equal, up to rounding. That models keep to it is not what it says,
# and they do not.

# %% [markdown]
# ## Written answer
#
# ●●○ · 4 minutes · 5 points, given by a person
#
# A colleague says: "We replace our ReLU network by SwiGLU and keep the width at 4·d. The gate only switches channels on
# and off, so it costs nothing." Answer in three to six sentences.
#
# One point each, if you
#
# 1. say that three matrices at width $4d$ have 1.5 times the parameters of two, and show the count;
# 2. give the width that keeps the count equal, and how it is derived;
# 3. say why "on and off" is wrong for SiLU, with a number from your own run;
# 4. say what the gate does do, with the evidence of your own experiment;
# 5. say that a gain at equal parameters is an empirical matter, and how you would test it.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_gate", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# It costs half as much again: three matrices of $4d^2$ are $12d^2$ parameters instead of $8d^2$, and as many more
# multiplications. For an equal count the width has to satisfy $3dh = 8d^2$, so $h = \frac{8}{3}d$, rounded up in
# practice. Nor is the gate a switch: SiLU is unbounded above and slightly negative below, and in my run less than half
# of the gates lay between 0 and 1. What it does do is to set each channel anew for each token: with the average gate
# the held-out loss rose by more than 0.1 nats in every seed, and with another token's gate by far more. Whether that
# beats ReLU at equal size cannot be derived. I would train both with the same parameters, data and several seeds,
# and compare the difference with its spread.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("07_swiglu")

# %% [markdown]
# ## Sources
#
# 1. N. Shazeer: *GLU Variants Improve Transformer*. 2020, **[arXiv:2002.05202](https://arxiv.org/abs/2002.05202)**.
#    The gate variants, the two thirds, and divine benevolence.
# 2. H. Touvron and others: *Llama 2*. 2023, **[arXiv:2307.09288](https://arxiv.org/abs/2307.09288)**, and Meta's
#    **[code](https://github.com/meta-llama/llama/blob/main/llama/model.py)**, whose rule for the width you wrote.
# 3. M. Geva, R. Schuster, J. Berant, O. Levy: *Transformer Feed-Forward Layers Are Key-Value Memories*. EMNLP 2021,
#    **[arXiv:2012.14913](https://arxiv.org/abs/2012.14913)**.
# 4. A. Grattafiori and others: *The Llama 3 Herd of Models*. 2024,
#    **[arXiv:2407.21783](https://arxiv.org/abs/2407.21783)**, and the model card of Llama 3.2.
# 5. Qwen team: *Qwen2.5 Technical Report*. 2024, **[arXiv:2412.15115](https://arxiv.org/abs/2412.15115)**, and its model card.
# 6. Gemma team: *Gemma: Open Models Based on Gemini Research and Technology*. 2024,
#    **[arXiv:2403.08295](https://arxiv.org/abs/2403.08295)**. Its FFN uses GELU on the gate.
# 7. P. Ramachandran, B. Zoph, Q. V. Le: *Searching for Activation Functions*. 2017,
#    **[arXiv:1710.05941](https://arxiv.org/abs/1710.05941)**. Swish and its β.
# 8. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, section 3,
#    and "In Simple English".
#
# Next: lesson 08 (elective) asks whether SwiGLU is better at equal size. Lesson 09 (core) is about attention.
