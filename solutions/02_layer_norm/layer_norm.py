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
# # LayerNorm: centre, then scale
#
# **Goal.** You write the norm of the 2017 transformer, as a function and as a module.
# Then you take its two halves apart and measure which of them a trained network needs.
#
# **Elective · 32 minutes · difficulty 1 of 3 · 11 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 8 | – | – |
# | Exercise 1: the function | 6 | ●○○ | 7 |
# | Exercise 2: the module | 4 | ●○○ | 4 |
# | Three experiments | 8 | – | – |
# | Written answer and quiz | 6 | ●●○ | 5 |
#
# You need PyTorch tensors and broadcasting. You need no earlier lesson.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from functools import partial
from itertools import product

import torch
import torch.nn.functional as F
from torch import nn

from grader import check, hint
from lessons.support import plots
from lessons.support.char_net import CharNet, halves, loss_of, train
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.progress import progress
from quiz import quiz

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom. Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("layer_norm")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("layer_norm")`
# shows a solution and explains it. A class edition has no `reveal`.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [7].
# It compares a transformer to a line of 32 people who pass a page along, each adding a remark.
# The writing grows, and it wanders over the page.
#
# Before each person reads, LayerNorm does two things:
#
# 1. It slides the page until the middle of the writing lies under the lens. That is **centring**.
# 2. It sets the lens so that the writing always appears the same size. That is **scaling**.
#
# Each reader sees the same kind of picture, whatever happened before.

# %% [markdown]
# ### What the note gets right
#
# - LayerNorm centres the mean and scales the variance. Those are the two halves.
# - It is the norm of the transformer of 2017 [1, 2].
# - "Mean-centering contributes almost nothing to stability" has a source: Zhang and Sennrich [3] drop it and
#   report comparable quality. You will find a good reason for it.

# %% [markdown]
# ### What the note leaves out
#
# - A learned weight and a learned bias follow the two halves.
# - "Almost nothing" depends on **where** the norm stands. In one place of a network centring has hardly anything to
#   remove, in another about a quarter of what is there.
# - Leaving it out of a network that was trained with it is not the same as training without it.
#
# You will put the last two to the test on your own machine. What centring costs is the subject of lesson 03.

# %% [markdown]
# ## The mathematics
#
# Take one token, a row $x$ of $d$ numbers. Its mean and its variance are
#
# $$\mu = \frac{1}{d}\sum_{i=1}^{d} x_i, \qquad \sigma^2 = \frac{1}{d}\sum_{i=1}^{d} (x_i - \mu)^2$$
#
# Centre the row, scale it, and give every feature a learned weight $w_i$ and a learned bias $b_i$:
#
# $$y = w \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + b$$
#
# The papers write $\gamma$ or $g$ for $w$ and $\beta$ for $b$. In code they are called `weight` and `bias`.

# %% [markdown]
# ### An example to do by hand
#
# Take $x = (1, 3, 8)$, $w = (1, 1, 1)$, $b = (0, 0, 0)$ and $\epsilon = 0$. Work out $\mu$, $\sigma$ and $y$ on paper.
# Then run the next cell.

# %% tags=["experiment"]
x = torch.tensor([1.0, 3.0, 8.0])
centred = halves(x, centre=True, scale=False)
y = halves(x, centre=True, scale=True, eps=0.0)
print(f"μ = {x.mean():g}, centred: {centred.tolist()}")
print(f"σ² = {x.var(correction=0):.4f}, σ = {x.std(correction=0):.4f}")
print(f"y = ({', '.join(f'{v:.4f}' for v in y)})")
print(f"PyTorch's var() without further arguments gives {x.var():.4f}")

# %% [markdown]
# The last number is another one: by default `var` and `std` divide by $d - 1$. That is right for estimating from a
# sample. LayerNorm does not estimate. It divides by $d$.

# %% [markdown]
# ### What each half ignores
#
# Add 5 to every number: the centred row stays the same. So **centring ignores a shift**.
#
# Make every number twice as large: $\sigma$ doubles as well. With $\epsilon = 0$ the quotient stays the same.
# So **scaling ignores a scale**.
#
# LayerNorm does both, so it ignores both.

# %% [markdown]
# ### How much there is to remove
#
# The mean square of a row splits into two parts that do not mix:
#
# $$\frac{1}{d}\sum_i x_i^2 = \mu^2 + \sigma^2$$
#
# Centring removes the first. So the share it removes is $\mu^2 / (\mu^2 + \sigma^2)$. It is 0 if the row has mean 0
# already, and 1 if all its numbers are equal.

# %% [markdown]
# ### What ε is for
#
# If all numbers of a row are equal, $\sigma = 0$, and $0/0$ is not a number. With $\epsilon$ inside the root such a row
# gives $b$.

# %% [markdown]
# ## Exercise 1: the function
#
# ●○○ · 6 minutes · 7 points
#
# Write `layer_norm(x, weight, bias, eps)`, the formula above.
#
# - `x` has shape `[..., d]`: any number of leading dimensions, also none. Each row along the **last** axis gets a
#   mean and a variance of its own.
# - `weight` and `bias` have shape `[d]`; `eps` is a Python float.
# - Return a new tensor with the shape and dtype of `x`. Leave `x` as it was.
# - It has to work far from zero as well, for numbers near 300 whose spread is 1. Think about which of the two you
#   compute first.
# - PyTorch's finished answers are forbidden: `F.layer_norm`, `nn.LayerNorm`, `torch.layer_norm`.
#   So are `halves` from the cell above and the `given_layer_norm` of later lessons. Anything else is allowed.
#
# Hints: `hint("layer_norm")`.


# %% nbgrader={"grade": false, "grade_id": "layer_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
def layer_norm(x, weight, bias, eps):
    """Move each row of x to mean 0 and variance 1, then scale and shift each feature.

    x: [..., d]; weight, bias: [d]; eps: float, added to the variance inside the root.
    Returns [..., d] in x's dtype.
    """
    ### BEGIN SOLUTION
    centred = x - x.mean(-1, keepdim=True)
    variance = centred.square().mean(-1, keepdim=True)
    return centred * torch.rsqrt(variance + eps) * weight + bias
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_layer_norm", "locked": true, "points": 7, "schema_version": 3, "solution": false, "task": false}
check("layer_norm")
### BEGIN HIDDEN TESTS
check("layer_norm", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: the module
#
# ●○○ · 4 minutes · 4 points
#
# Write `class LayerNorm(nn.Module)`, made by `LayerNorm(dim, eps=1e-5)`.
#
# - It has two parameters of shape `[dim]`: `weight`, all ones at first, and `bias`, all zeros at first.
#   An optimizer must be able to find them.
# - Its `forward` computes the formula of exercise 1. Write it out here, without calling your `layer_norm`:
#   then this exercise stands on its own, whatever happened to the first.
# - The same built-ins are forbidden.
#
# Two lines are given. Hints: `hint("layer_norm_module")`.


# %% nbgrader={"grade": false, "grade_id": "layer_norm_module", "locked": false, "schema_version": 3, "solution": true, "task": false}
class LayerNorm(nn.Module):
    """LayerNorm over the last axis, with a learned weight and bias per feature.

    dim: the size of the last axis; eps: added inside the root. Input and output: [..., dim].
    """

    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        ### BEGIN SOLUTION
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return (x - mean) * (variance + self.eps).rsqrt() * self.weight + self.bias
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_layer_norm_module", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("layer_norm_module")
### BEGIN HIDDEN TESTS
check("layer_norm_module", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Experiment 1: which half ignores what?
#
# A sceptical engineer asks: is it really the centring that makes LayerNorm ignore a shift, and the scaling that makes
# it ignore a scale?
#
# We take random rows with mean 1, shift or scale them, and see how far the output moves. Each half alone, and both.
#
# The experiments use given norms. They run whether or not you have solved the exercises.

# %% tags=["experiment"]
device = choose_device()
torch.manual_seed(0)
rows = torch.randn(64, 256, dtype=torch.float64, device=device) + 1
norms = {
    "LayerNorm": partial(halves, centre=True, scale=True, eps=0.0),
    "centring alone": partial(halves, centre=True, scale=False),
    "scaling alone": partial(halves, centre=False, scale=True, eps=0.0),
}
amounts = torch.logspace(-2, 2, 16, dtype=torch.float64)


def moved(norm, changed):
    """How far the output moves when the rows change, relative to the output."""
    before = norm(rows)
    return ((norm(changed) - before).norm() / before.norm()).item()


after_shift = {name: [moved(norm, rows + a) for a in amounts] for name, norm in norms.items()}
after_scale = {name: [moved(norm, rows * a) for a in amounts] for name, norm in norms.items()}
given = (norms["LayerNorm"](rows) - F.layer_norm(rows, rows.shape[-1:], eps=0.0)).abs().max().item()
print(f"Both halves together differ from F.layer_norm by at most {given:.0e}.")

# %% tags=["experiment"]
look = {"centring alone": (plots.THIRD, "s"), "scaling alone": (plots.RMS, "^"), "LayerNorm": (plots.LAYER, "x")}
figure, panels = plots.new_axes(panels=2, height=4.2, share_y=True)
for ax, found, change in zip(panels, (after_shift, after_scale), ("shift: x + a", "scale: a · x"), strict=True):
    for name, (colour, marker) in look.items():
        plots.points(ax, amounts, torch.tensor(found[name]).clamp(min=1e-17), colour, marker)
    ax.set(title=change, xlabel="a", ylabel="how far the output moves", xscale="log", yscale="log", ylim=(1e-18, 1e4))
plots.label(panels[0], 0.01, 1e-12, "centring alone, and LayerNorm", plots.THIRD)
plots.label(panels[0], 0.3, 20, "scaling alone", plots.RMS)
plots.label(panels[1], 0.01, 1e-12, "scaling alone, and LayerNorm", plots.RMS)
plots.label(panels[1], 0.01, 20, "centring alone", plots.THIRD)


def ignored(found):
    return [name for name, moves in found.items() if max(moves) < 1e-9]


plots.show(
    figure,
    f"A shift is ignored by {' and '.join(ignored(after_shift))}; a scale by {' and '.join(ignored(after_scale))}",
    "Crosses are LayerNorm, squares centring alone, triangles scaling alone. What is ignored moves the output by "
    f"rounding only: LayerNorm's by at most {max(after_shift['LayerNorm']):.0e} (shift) and "
    f"{max(after_scale['LayerNorm']):.0e} (scale).",
)

# %% [markdown]
# ### And with an ε?
#
# Then scale is ignored only while $\sigma^2$ is much larger than $\epsilon$. Shrink the rows and see.

# %% tags=["experiment"]
for factor in (1.0, 0.1, 0.01, 0.001):
    change = moved(partial(halves, centre=True, scale=True, eps=1e-5), rows * factor)
    size = halves(rows * factor, centre=True, scale=True, eps=1e-5).var(-1, correction=0).mean()
    print(f"rows × {factor:<6g} the output moves by {change:7.2%}, and its variance is {size:.4f}")

# %% [markdown]
# ## Experiment 2: what is there to remove?
#
# A sceptical engineer asks: does a network have a mean worth removing?
#
# Random numbers cannot answer that. Their mean is chance: about $1/d$ of their mean square. So we train a small network
# for a few seconds, six times: with three seeds, each with centring and without. It reads 16 characters of Python
# source text and guesses the next one. It is a residual stream of four layers, each `down(norm(relu(up(norm(x)))))`.
# So norms stand in two kinds of place:
#
# - **on the stream**, in front of each layer and of the output: the usual place;
# - **behind the ReLU**, in front of `down`: some architectures put one there too [4]. A ReLU leaves no negative
#   numbers.
#
# The next cell takes about half a minute, and longer on a busy machine.

# %% tags=["experiment"]
seeds, steps = range(3), 200
dim = 256 if device.type == "cuda" else 64


nets = {}
for seed, centre in progress(list(product(seeds, (True, False))), "Training six networks"):
    torch.manual_seed(seed)
    nets[seed, centre] = CharNet(dim, centre=centre).to(device)
    train(nets[seed, centre], seed, steps, device)


def shares(net):
    """The share of the mean square that centring removes, at each norm: those on the stream, those behind a ReLU."""
    loss_of(net, device)  # every norm remembers what it has read
    places = (net.stream_norms, net.relu_norms)
    return [[(n.seen.mean(-1) ** 2 / n.seen.square().mean(-1)).mean().item() for n in norms] for norms in places]


untrained = []
for seed in seeds:
    torch.manual_seed(seed)
    untrained.append(shares(CharNet(dim).to(device)))
after = [shares(nets[seed, True]) for seed in seeds]
print(f"Loss of the trained networks: {', '.join(f'{loss_of(nets[seed, True], device):.3f}' for seed in seeds)} nats")

# %% tags=["experiment"]
figure, panels = plots.new_axes(panels=2, height=4.0, share_y=True)
middle = {}
for place, (ax, name) in enumerate(zip(panels, ("on the stream", "behind the ReLU"), strict=True)):
    for found, state, colour, marker in (
        (untrained, "untrained", plots.FLOOR, "s"),
        (after, "trained", plots.LAYER, "o"),
    ):
        values = 100 * torch.tensor([net[place] for net in found])
        numbers = range(1, values.shape[1] + 1)
        for run in values:
            plots.points(ax, numbers, run, colour, marker)
        middle[name, state] = values.mean().item()
        up = (state == "untrained") == (place == 0 or middle[name, "untrained"] > 1)
        plots.label(ax, numbers[-1], values[:, -1].mean(), state, colour, shift=(0, 14 if up else -24), ha="right")
    chance = 100 / (dim if place == 0 else 4 * dim)
    plots.formula(ax, (1, numbers[-1]), (chance, chance))
    plots.label(ax, 1, chance, "chance, 1/d", shift=(14, 9))
    ax.set(title=name, xlabel="norm, from the first to the last", ylabel="share that centring removes, %")
    ax.set(xticks=list(numbers), yscale="log", ylim=(0.03, 100))
stream, relu = middle["on the stream", "trained"], middle["behind the ReLU", "trained"]
plots.show(
    figure,
    f"In the trained network centring removes {stream:.1f} % on the stream and {relu:.0f} % behind the ReLU",
    f"One mark is one norm of one of {len(seeds)} networks. On the stream the share was "
    f"{middle['on the stream', 'untrained']:.1f} % before training, about chance, and is {stream:.1f} % after it. "
    f"Behind the ReLU it was {middle['behind the ReLU', 'untrained']:.0f} % and is {relu:.0f} %.",
)

# %% [markdown]
# On the stream there is next to nothing to remove, and after training even less than by chance. The network writes
# no mean into its stream: every norm that reads it would throw it away.
#
# Behind the ReLU there is a mean from the beginning: numbers that are never negative cannot average to zero.
#
# ### And what is there to scale?
#
# The same question for the other half: how large are the rows, and how much does that change from norm to norm?

# %% tags=["experiment"]
net = nets[0, True]
loss_of(net, device)
for name, found in (("on the stream", net.stream_norms), ("behind the ReLU", net.relu_norms)):
    sizes = [norm.seen.std(-1, correction=0).mean().item() for norm in found]
    print(f"{name:16} mean σ of a row at each norm: {', '.join(f'{size:.2f}' for size in sizes)}")

# %% [markdown]
# On the stream the rows grow from norm to norm: every layer adds to them. Behind the ReLU their size hardly changes:
# the norm in front of `up` has set it already.

# %% [markdown]
# ## Experiment 3: what happens without?
#
# A sceptical engineer asks: so I may leave a half out?
#
# First we switch one half off in the **trained** networks, in one kind of place, and train no further.
# Then we look at the three networks that were trained **without any centring** from the beginning.


# %% tags=["experiment"]
def loss_without(net, norms, half):
    """The loss with one half switched off in these norms; it is switched on again afterwards."""
    for norm in norms:
        setattr(norm, half, False)
    loss = loss_of(net, device)
    for norm in norms:
        setattr(norm, half, True)
    return loss


whole = [nets[seed, True] for seed in seeds]
losses = {
    "as trained": [loss_of(n, device) for n in whole],
    "stream: no centring": [loss_without(n, n.stream_norms, "centre") for n in whole],
    "stream: no scaling": [loss_without(n, n.stream_norms, "scale") for n in whole],
    "behind ReLU: no centring": [loss_without(n, n.relu_norms, "centre") for n in whole],
    "behind ReLU: no scaling": [loss_without(n, n.relu_norms, "scale") for n in whole],
    "trained without centring": [loss_of(nets[seed, False], device) for seed in seeds],
}
extra = {name: [a - b for a, b in zip(found, losses["as trained"], strict=True)] for name, found in losses.items()}
worse = {name: sum(runs) / len(runs) for name, runs in extra.items()}
for name, runs in extra.items():
    print(f"{name:26}" + "".join(f"{run:+9.3f}" for run in runs) + " nats, network by network")

# %% tags=["experiment"]
names = list(losses)[1:]
figure, ax = plots.new_axes(height=3.6)
for place, name in enumerate(reversed(names)):
    colour = plots.RMS if "centring" in name else plots.LAYER
    plots.points(ax, extra[name], [place] * len(seeds), colour, "o" if "centring" in name else "s")
    plots.label(ax, max(extra[name]), place, f"{worse[name]:+.3f}", colour, shift=(8, 0), va="center")
ax.axvline(0, color=plots.FLOOR, linewidth=1)
ax.set_yticks(range(len(names)), reversed(names))
ax.set(xlabel="loss above that of the network as trained, nats per character", ylabel="what is left out")
ax.set_xscale("symlog", linthresh=0.1)
ax.set_xlim(-0.15, 20)
ax.set_ylim(-0.6, len(names) - 0.4)
spread = max(extra["trained without centring"]) - min(extra["trained without centring"])
anew = worse["trained without centring"]
tie = abs(anew) <= spread
plots.show(
    figure,
    f"On the stream, scaling is worth {worse['stream: no scaling']:.1f} nats and centring "
    f"{abs(worse['stream: no centring']):.3f}; behind the ReLU, {worse['behind ReLU: no scaling']:.2f} and "
    f"{worse['behind ReLU: no centring']:.2f}",
    f"A dot is one of {len(seeds)} networks, the number their mean. Networks trained without any centring are "
    + (
        f"as good as those with it, within the spread of the seeds ({anew:+.3f} ± {spread / 2:.3f}): a tie."
        if tie
        else f"{abs(anew):.3f} nats {'worse' if anew > 0 else 'better'} than those with it."
    ),
)

# %% [markdown]
# So it depends on the place. On the stream, all the work is done by scaling: without it the network is lost. Without
# centring nothing happens, because there is nothing to remove.
#
# Behind the ReLU, centring removes a good part of every row. The layers that follow have learned to live without that
# part, and are disturbed when it comes back. Scaling matters less there: it corrects a size that is much the same at
# every norm.
#
# And if there is no centring **from the beginning**, the network learns to do without.

# %% [markdown]
# ## Claimed against measured
#
# Here is what the note claims, beside what your machine has just measured. We set the bar beforehand: *almost nothing*
# means at most 1 % of the mean square, or 0.02 nats of loss. Networks that are trained anew differ by chance as well:
# we allow them 0.1 nats on top.

# %% tags=["experiment"]
y = F.layer_norm(rows, rows.shape[-1:])
nothing = partial(Claim, "mean-centering contributes almost nothing", direction="at most")
ClaimTable(
    Claim(
        "LayerNorm centers the mean", "largest mean of a row of y", 1e-9, y.mean(-1).abs().max().item(), 0, "at most"
    ),
    Claim("LayerNorm scales the variance", "variance of a row of y", 1, y.var(-1, correction=0).mean().item(), 0.01),
    nothing("share it removes on the trained stream", claimed=1, measured=stream, unit=" %"),
    nothing("share it removes behind the ReLU", claimed=1, measured=relu, unit=" %"),
    nothing("loss when switched off on the stream", claimed=0.02, measured=worse["stream: no centring"], unit=" nats"),
    nothing(
        "loss when switched off behind the ReLU",
        claimed=0.02,
        measured=worse["behind ReLU: no centring"],
        unit=" nats",
    ),
    nothing("loss when trained without it", claimed=0.02, margin=0.1, measured=anew, unit=" nats"),
)

# %% [markdown]
# ### How to read it
#
# The note speaks of the usual place, the stream. There it is **right**, and you have seen why: the mean is not there.
#
# It is also right in another sense: a network that never had centring does about as well, as far as three
# seeds can tell.
#
# It is **not** right everywhere. Behind an activation that is never negative there is a large mean. Take the centring
# out of a trained network there, and it hurts.
#
# This was a very small network, trained for seconds. In large ones a few single numbers can be thousands of
# times larger than the others [5], and those shift a row's mean. So measure before you swap.

# %% [markdown]
# ## Written answer
#
# ●●○ · 4 minutes · 5 points, given by a person
#
# A colleague says: "Centring contributes almost nothing. I will take it out of every norm of our trained model."
# Answer in three to six sentences.
#
# One point each, if you
#
# 1. say what centring removes from a row, and which share of the mean square that is;
# 2. say what is right, for norms on the stream, with a number from your own run;
# 3. say where it fails, with a number from your own run, and why there is a mean in that place;
# 4. keep two things apart: taking it out of a trained network, and training without it;
# 5. name a check to make on the real model first, or a limit of this experiment.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_centring", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# Centring takes away the part of a row that is the same for all features, a share of $\mu^2/(\mu^2+\sigma^2)$ of its
# mean square. On the stream of my trained networks that share was well below one percent, and switching centring off
# there did not change the loss in the first two digits, so for these norms the colleague is right. Behind a ReLU it is
# different: numbers that are never negative have a mean, about a quarter of the mean square was in it, and the loss
# rose by about a tenth of a nat when I switched centring off. Training without centring from the beginning was about as
# good, so the harm comes from changing a network that has learned to rely on it. Before touching the real model I would
# measure the share at every norm on real inputs: my network was tiny and trained for seconds.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("02_layer_norm")

# %% [markdown]
# ## Sources
#
# 1. J. L. Ba, J. R. Kiros, G. E. Hinton: *Layer Normalization*. 2016,
#    **[arXiv:1607.06450](https://arxiv.org/abs/1607.06450)**. The norm, and what it is invariant to.
# 2. A. Vaswani et al.: *Attention Is All You Need*. NeurIPS 2017,
#    **[arXiv:1706.03762](https://arxiv.org/abs/1706.03762)**.
# 3. B. Zhang, R. Sennrich: *Root Mean Square Layer Normalization*. NeurIPS 2019,
#    **[arXiv:1910.07467](https://arxiv.org/abs/1910.07467)**. Quality without centring.
# 4. H. Wang et al.: *Foundation Transformers*. 2022, **[arXiv:2210.06423](https://arxiv.org/abs/2210.06423)**.
#    A second norm inside each sublayer.
# 5. M. Sun, X. Chen, J. Z. Kolter, Z. Liu: *Massive Activations in Large Language Models*. 2024,
#    **[arXiv:2402.17762](https://arxiv.org/abs/2402.17762)**.
# 6. PyTorch's documentation of **[LayerNorm](https://docs.pytorch.org/docs/stable/generated/torch.nn.LayerNorm.html)**.
# 7. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, sections 1 and 2,
#    and "In Simple English".
#
# Next: lesson 03 (core) keeps the half that does the work.
