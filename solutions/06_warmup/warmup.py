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
# # Warm-up: small steps first
#
# **Goal.** You write the learning-rate schedule that large models are trained with, and sort a model's parameters by
# who gets weight decay. Then you train dozens of small language models to see when warm-up matters.
#
# **Elective · 40 minutes · difficulty 2 of 3 · 20 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 8 | – | – |
# | Exercise 1: the schedule | 7 | ●●○ | 10 |
# | Exercise 2: who decays | 7 | ●●○ | 10 |
# | Three experiments | 10 | – | – |
# | Written answer and quiz | 8 | ●●○ | 5 |
#
# You need Python functions and the idea of an optimizer. You need no earlier lesson.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
from functools import partial
from itertools import product
from statistics import mean

import torch
import torch.nn.functional as F
from torch import nn

from grader import check, hint
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.progress import progress
from lessons.support.text import Text, decode, sample, standard_library
from lessons.support.threads import one_thread
from lessons.support.warmup_runs import LENGTH, STEPS, Plan, count_loss, new_model, run
from quiz import quiz

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom. Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("warmup_cosine")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("warmup_cosine")`
# shows a solution and explains it. A class edition has no `reveal`.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [6].
# It compares a transformer to a line of 32 people who pass a page along, each adding a remark.
#
# In training they learn what to write: after every page they change their habits a little.
#
# On the first day nobody knows anything. Everybody changes at once, and each learns from remarks that will be different
# tomorrow. If the changes are large, the line learns to cope with noise, or to write nothing.
#
# **Warm-up** is a rule for that first day: change little, then more each hour, up to the full pace.
# Later the pace slows down again, so that good habits settle.

# %% [markdown]
# ### What the note says
#
# Pre-norm's identity path "completely eliminates the need for fragile learning-rate warmup schedules to avoid early
# gradient explosion".
#
# **Pre-norm** puts a norm at the start of each branch and leaves the stream itself alone. **Post-norm**, the older way,
# puts it on the stream, after each addition. Lesson 05 compares the two.
#
# ### What it gets right
#
# - Where the norm stands and whether one needs warm-up do belong together. Xiong et al. trained pre-norm without
#   warm-up where post-norm would not train [1].
# - Without warm-up, post-norm is fragile. You will see it.
#
# ### What it leaves out
#
# - "Possible without" is not "needs none". Llama 3 405B is pre-norm and warmed up for 8,000 steps [2].
# - "Gradient explosion" is one explanation. With Adam it cannot be the whole one, as experiment 1 shows.
# - How the weights start matters as much as where the norm stands. Experiment 3 tries another start.

# %% [markdown]
# ## The mathematics
#
# ### The schedule
#
# Let $t$ be the step, counted from 0. The rate $\eta(t)$ has three stretches: up to $W$ (`warmup_steps`), from there to $T$
# (`total_steps`), and beyond.
#
# **Up**, in a straight line from 0 to the peak:
#
# $$\eta(t) = \frac{t}{W}\;\eta_\text{peak} \qquad \text{for } t < W$$
#
# **Down**, along half a cosine wave. First the share of the decay that is over, never more than 1:
#
# $$p = \min\!\left(1,\; \frac{t - W}{T - W}\right)$$
#
# Then the height of the wave, from 1 to 0, between peak and floor:
#
# $$\eta(t) = \eta_\text{floor} + (\eta_\text{peak} - \eta_\text{floor})\,\frac{1 + \cos(\pi p)}{2} \qquad \text{for } t \ge W$$
#
# **Beyond** $T$ the share stays 1, and the rate stays at the floor.

# %% [markdown]
# ### An example to do by hand
#
# Llama 3 405B: peak $8 \cdot 10^{-5}$, warm-up 8,000 steps, floor $8 \cdot 10^{-7}$, reached after 1,200,000 steps [2].
# What is the rate at step 2,000? At step 8,000? Half-way down, at step 604,000? Then run the next cell.

# %% tags=["experiment"]
peak, floor = 8e-5, 8e-7
print(f"step   2,000: a quarter of the way up, {peak / 4:.1e}")
print(f"step   8,000: the peak, {peak:.1e}")
print(f"step 604,000: the mean of peak and floor, {(peak + floor) / 2:.2e}")

# %% [markdown]
# ### Weight decay
#
# AdamW makes every weight a little smaller at each step, besides what the gradient says [3]:
#
# $$w \leftarrow (1 - \eta\lambda)\,w - \eta\,\Delta$$
#
# where $\lambda$ is `weight_decay` and $\Delta$ is Adam's update. A weight that no gradient defends shrinks towards 0.
#
# For a **matrix** this is welcome: it keeps the weights small, and the network can relearn what it needs.
#
# A **norm's weight** is a gain that starts at 1. Pulled towards 0, it silences what it scales. A **bias** only shifts, and
# has nothing to keep small. So the common rule is: matrices decay, vectors do not.

# %% [markdown]
# How strong is the pull? Take a rate of $1.5 \cdot 10^{-4}$ on average, $\lambda = 0.1$, and a gain that no gradient
# defends.

# %% tags=["experiment"]
for steps in (1_000, 10_000, 100_000):
    gain = (1 - 1.5e-4 * 0.1) ** steps
    print(f"after {steps:7,} steps a gain of 1 has become {gain:.2f}")

# %% [markdown]
# ## Exercise 1: the schedule
#
# ●●○ · 7 minutes · 10 points
#
# Write `warmup_cosine(step, peak, warmup_steps, total_steps, floor=0.0)`. It returns the learning rate of one step, a
# Python float.
#
# - `step` is an integer, 0 for the first. A warm-up starts at step 0 with rate 0; **at** `warmup_steps` it is `peak`.
# - `warmup_steps` may be 0: then there is no warm-up, and step 0 has the peak at once.
# - At `total_steps` the rate is `floor`, and it stays there however long training goes on.
# - You can rely on `0 <= warmup_steps < total_steps`.
#
# Python's `math` module is imported: `math.cos` takes radians, and `math.pi` is $\pi$.
#
# **Test yourself:** with a warm-up of 10 and a total of 20, steps 5 and 15 have the same rate if the floor is 0.
#
# Hints: `hint("warmup_cosine")`.


# %% nbgrader={"grade": false, "grade_id": "warmup_cosine", "locked": false, "schema_version": 3, "solution": true, "task": false}
def warmup_cosine(step, peak, warmup_steps, total_steps, floor=0.0):
    """The learning rate at `step`: linear from 0 to peak, then a cosine to floor, then flat.

    step: int, from 0; peak, floor: learning rates; 0 <= warmup_steps < total_steps.
    Returns a float.
    """
    ### BEGIN SOLUTION
    if step < warmup_steps:
        return peak * step / warmup_steps
    over = min(1.0, (step - warmup_steps) / (total_steps - warmup_steps))
    return floor + (peak - floor) * (1 + math.cos(math.pi * over)) / 2
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_warmup_cosine", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
check("warmup_cosine")
### BEGIN HIDDEN TESTS
check("warmup_cosine", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# In a check's message the number in brackets is the step: "at [73]" means step 73. Its count of numbers runs from
# step 0; steps that the check does not look at count as right.

# %% [markdown]
# ## Exercise 2: who decays
#
# ●●○ · 7 minutes · 10 points
#
# Write `decay_groups(model, weight_decay)`. It returns what `torch.optim.AdamW` takes as its first argument: a list of
# dicts, each with the keys `"params"` (a list of parameters) and `"weight_decay"` (a number).
#
# - **Matrices decay** with `weight_decay`. Embeddings are matrices, a model's own 2-D parameters too.
# - **Everything with one dimension does not**: norms' weights, biases, single vectors. Their group says 0.
# - **Every parameter exactly once.** Two layers may share one parameter, as when the head is tied to the embedding. It is
#   one parameter with two names, and AdamW wants it once.
# - A frozen parameter (`requires_grad=False`) may be listed or left out. AdamW skips it either way.
#
# The order of groups and parameters does not matter. The models of the check have names that mislead.

# %% [markdown]
# ### What to know about a model
#
# - `model.parameters()` yields the parameters of all modules, nested ones too.
# - `model.named_parameters()` yields pairs of name and parameter.
# - A parameter is a tensor: it has `p.shape`, `p.dim()` and `p.numel()`.
#
# **Test yourself:** all the groups' parameters together are as many as `len(list(model.parameters()))`.
#
# Hints: `hint("decay_groups")`.


# %% nbgrader={"grade": false, "grade_id": "decay_groups", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decay_groups(model, weight_decay):
    """Parameter groups for AdamW: matrices decay, what has one dimension does not.

    model: an nn.Module; weight_decay: float. Returns a list of dicts with "params" and "weight_decay".
    """
    ### BEGIN SOLUTION
    matrices = [p for p in model.parameters() if p.dim() >= 2]
    vectors = [p for p in model.parameters() if p.dim() < 2]
    return [{"params": matrices, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_decay_groups", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
check("decay_groups")
### BEGIN HIDDEN TESTS
check("decay_groups", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Experiment 1: is it the size of the gradient?
#
# A sceptical engineer asks: does warm-up guard against gradients that explode?
#
# The experiments use given models and a given schedule. They run whether or not you have solved the exercises.
#
# The models read Python's own standard library, character by character. It is on your disk already:

# %% tags=["experiment"]
device = choose_device()
text = standard_library()
print(f"{len(text.train):,} characters to learn from, {len(text.held_out):,} held out.")
print("They begin like this:\n")
print(decode(text.train[:160]))

# %% [markdown]
# Take a post-norm model, one batch, and **one** step of Adam. Then do the same with the loss, and so every gradient,
# 1000 times as large. How much larger is the step?

# %% tags=["experiment"]
drawn = sample(text.train, 8, LENGTH, torch.Generator().manual_seed(0))
ids, targets = (part.to(device) for part in drawn)


@one_thread()
def first_step(optimizer_class, factor):
    """The first update, one number a weight, and the norm of the gradient it was made from."""
    model = new_model("post", seed=0, device=device)
    before = nn.utils.parameters_to_vector(model.parameters()).detach().clone()
    optimizer = optimizer_class(model.parameters(), lr=6e-3)
    (factor * F.cross_entropy(model(ids).flatten(0, 1), targets.flatten())).backward()
    gradient = torch.cat([p.grad.flatten() for p in model.parameters()]).norm()
    optimizer.step()
    moved = nn.utils.parameters_to_vector(model.parameters()).detach() - before
    return moved, gradient.item()


grown = {}
for name, optimizer_class in (("plain gradient descent", torch.optim.SGD), ("Adam", torch.optim.Adam)):
    moved, gradient = first_step(optimizer_class, factor=1)
    moved_1000, gradient_1000 = first_step(optimizer_class, factor=1000)
    grown[name] = (moved_1000.norm() / moved.norm()).item()
    print(f"{name}: gradient {gradient:.3g} → {gradient_1000:.3g}")
    print(f"  first step of all weights together: {moved.norm():.3g} → {moved_1000.norm():.3g}")
    print(f"  largest move of one weight: {moved.abs().max():.2g} → {moved_1000.abs().max():.2g}")

# %% [markdown]
# Adam divides by the gradient's own size. At its first step each weight moves by the learning rate, here 0.006, up or
# down, whatever the gradient's size [4].
#
# So with Adam a large early gradient is not dangerous *because it is large*. The **rate** decides how far everything
# moves. In the first steps Adam knows the gradients from a few batches only, and all layers move at once. Warm-up keeps
# those moves small.

# %% [markdown]
# ## Experiment 2: who needs warm-up?
#
# A sceptical engineer asks: is it true that post-norm needs warm-up and pre-norm does not?
#
# You train small language models: 6 blocks of width 32, attention (given here, explained in lesson 09) and a ReLU
# network in each. Matrices start as Xavier's: random, with a variance that depends on their two widths. Xiong et al.
# looked at this start too [1]. Each run has 200 steps of AdamW, gradients clipped to norm 1. Nothing decays here:
# weight decay would be one more thing that varies.
#
# Three things vary, and every combination is run with three seeds (five, if you have a GPU):
#
# - the **place** of the norm: post or pre;
# - the **peak** rate: 0.002, which is usual at this size, three times that, and twenty times that;
# - **warm-up**: none, or half of the run. Then the rate goes down to 0 in a straight line.
#
# Runs with the same seed start from the same weights and read the same batches.

# %% [markdown]
# ### First, say what counts
#
# Decide before you look, or you will see what you hope for. Two guesses that need no network set the scale:
# each character by how **common** it is, and each by how common it is **after the one before it**.
#
# A run **survives** if its loss on held-out text, after the last step, is at least half-way from the first guess to the
# second. A run that does not has learned little more than which characters are common.

# %% tags=["experiment"]
common, pairs = count_loss(text, pairs=False), count_loss(text, pairs=True)
bar = (common + pairs) / 2
print(f"how common each character is:  {common:.2f} nats a character")
print(f"how common after the last one: {pairs:.2f} nats a character")
print(f"a run survives below:          {bar:.2f} nats a character")

# %% [markdown]
# ### Then, train
#
# The next two cells take about a minute each.

# %% tags=["experiment"]
SEEDS = range(5 if device.type == "cuda" else 3)
USUAL, HIGH, EXTREME = PEAKS = (2e-3, 6e-3, 4e-2)
LONG = STEPS // 2
kinds = list(product(PEAKS, (0, LONG), SEEDS))
plans = {place: [Plan(place, *kind) for kind in kinds] for place in ("post", "pre")}
outcomes = {plan: run(plan, text, device) for plan in progress(plans["post"], "Training post-norm")}

# %% tags=["experiment"]
outcomes |= {plan: run(plan, text, device) for plan in progress(plans["pre"], "Training pre-norm")}


# %% tags=["experiment"]
def losses(place, peak, warm_up, start="Xavier"):
    """Held-out losses of the runs of one kind, seed by seed."""
    return [outcomes[Plan(place, peak, warm_up, seed, start)].held_out for seed in SEEDS]


def survivors(*kind):
    return sum(loss < bar for loss in losses(*kind))


print(f"held-out loss (survivors of {len(SEEDS)})")
for place, peak, warm_up in product(("post", "pre"), PEAKS, (0, LONG)):
    kind = place, peak, warm_up
    row = "  ".join(f"{loss:.2f}" for loss in losses(*kind))
    print(f"{place:5} peak {peak:<6g} warm-up {warm_up:3}:  {row}  ({survivors(*kind)})")

# %% tags=["experiment"]
figure, panels = plots.new_axes(panels=2, height=4.2, share_y=True)
for ax, place in zip(panels, ("post", "pre"), strict=True):
    ax.axhline(common, color=plots.FLOOR, linewidth=1)
    plots.formula(ax, (-0.5, 2.5), (bar, bar))
    for shift, warm_up, colour, marker in ((-0.12, 0, plots.LAYER, "X"), (0.12, LONG, plots.RMS, "o")):
        for i, peak in enumerate(PEAKS):
            found = losses(place, peak, warm_up)
            plots.points(ax, [i + shift] * len(found), found, colour, marker)
    ax.set(title=f"{place}-norm", xlabel="peak learning rate", ylabel="held-out loss, nats a character")
    ax.set_xticks(range(len(PEAKS)), [f"{peak:g}" for peak in PEAKS])
    ax.set_xlim(-0.5, 2.5)
plots.label(panels[0], -0.5, common, "only how common each is", plots.FLOOR, shift=(3, 5))
plots.label(panels[0], -0.5, bar, "survives below", shift=(3, 4))
plots.label(panels[1], -0.5, common, "✕ without warm-up", plots.LAYER, shift=(3, -16))
plots.label(panels[1], -0.5, common, "● with warm-up", plots.RMS, shift=(3, -32))
without, with_it = (f"{survivors('post', HIGH, warm_up)} of {len(SEEDS)}" for warm_up in (0, LONG))
cost = mean(losses("pre", EXTREME, 0)) - mean(losses("pre", EXTREME, LONG))
plots.show(
    figure,
    f"Post-norm at {HIGH:g}: {without} survive without warm-up, {with_it} with it",
    f"Each mark is one seed. At a peak of {HIGH:g}, {without} post-norm runs survive without warm-up "
    f"and {with_it} with it; of the pre-norm runs {survivors('pre', HIGH, 0)} and "
    f"{survivors('pre', HIGH, LONG)}. "
    f"At {EXTREME:g} post-norm's survivors are {survivors('post', EXTREME, 0)} and "
    f"{survivors('post', EXTREME, LONG)}, and pre-norm without warm-up ends "
    f"{abs(cost):.2f} nats {'higher' if cost > 0 else 'lower'} than with it.",
)

# %% [markdown]
# ### How does a run fail?
#
# Look at the runs at 0.006 while they train. Does the loss explode?

# %% tags=["experiment"]
read = count_loss(Text(text.train, text.train), pairs=False)  # counting, on what the runs read
figure, panels = plots.new_axes(panels=2, height=4.2, share_y=True)
for ax, place in zip(panels, ("post", "pre"), strict=True):
    ax.axhline(read, color=plots.FLOOR, linewidth=1)
    for warm_up, colour, style in ((0, plots.LAYER, "-"), (LONG, plots.RMS, "--")):
        for seed in SEEDS:
            curve = torch.tensor(outcomes[Plan(place, HIGH, warm_up, seed)].losses)
            means = curve.view(-1, 5).mean(1)  # of five steps each
            ax.plot(range(2, STEPS, 5), means, style, color=colour, linewidth=1.2)
    ax.set(title=f"{place}-norm", xlabel="step", ylabel="training loss, mean of 5 steps")
    ax.set_ylim(2.2, 4.6)
plots.label(panels[1], STEPS, read, "only how common each is", plots.FLOOR, shift=(0, 5), ha="right")
plots.label(panels[1], STEPS / 2, 4.3, "── without warm-up", plots.LAYER)
plots.label(panels[1], STEPS / 2, 4.1, "- - with warm-up", plots.RMS)
stuck = [outcomes[Plan("post", HIGH, 0, seed)].losses for seed in SEEDS]
first, highest = mean(curve[0] for curve in stuck), max(max(curve[20:]) for curve in stuck)
what = "never explodes" if highest < first else "explodes"


def beside_counting(warm_up):
    """Where post-norm's mean held-out loss ends, in words."""
    gap = mean(losses("post", HIGH, warm_up)) - common
    return f"{abs(gap):.2f} nats {'below' if gap < 0 else 'above'}"


plots.show(
    figure,
    f"Post-norm without warm-up {what}: it ends {beside_counting(0)} a guess that only counts characters",
    f"The post-norm runs without warm-up begin at a loss of {first:.1f}. After step 20 no batch's loss is "
    f"above {highest:.1f}. On held-out text they end {beside_counting(0)} the guess by counting "
    f"characters; with warm-up, {beside_counting(LONG)} it.",
)

# %% [markdown]
# So where warm-up is missing, what fails is not the arithmetic. The model settles early into a guess that ignores
# the context, and hardly gets away from it.
#
# Liu et al. looked for the reason [5]. They find that in post-norm each layer's result depends heavily on its branch. So a
# small change of all weights at once makes a large change of the output, and the early steps are too much.

# %% [markdown]
# ## Experiment 3: does it depend on the start?
#
# A sceptical engineer asks: did you choose the start so that post-norm fails?
#
# Take the rate where the two parted, 0.006, and post-norm without warm-up. Change only how the weights start: small
# embeddings (standard deviation 0.02) and smaller matrices, of variance $1/(3\,n_\text{in})$. PyTorch gives a linear layer
# that variance by default.

# %% tags=["experiment"]
small = [Plan("post", HIGH, 0, seed, "small") for seed in SEEDS]
outcomes |= {plan: run(plan, text, device) for plan in progress(small, "Training post-norm")}
for start in ("Xavier", "small"):
    row = "  ".join(f"{loss:.2f}" for loss in losses("post", HIGH, 0, start))
    count = survivors("post", HIGH, 0, start)
    print(f"{start:7} start, post-norm, no warm-up:  {row}  ({count} of {len(SEEDS)} survive)")

# %% [markdown]
# If your small start survives, then post-norm does not *always* need warm-up, not even at this rate. Depth, rate, start
# and warm-up act together. Six blocks are few: what holds here need not hold for sixty.

# %% [markdown]
# ## Claimed against measured
#
# Here is what the note claims, beside what your machine has just measured. A loss difference counts when it is above 0.1
# nats; smaller ones can come from the seeds alone. "It" is warm-up.


# %% tags=["experiment"]
def saved_by_warm_up(place, peak):
    """How much lower the mean held-out loss is with warm-up."""
    return mean(losses(place, peak, 0)) - mean(losses(place, peak, LONG))


pre_survive = 100 * mean(survivors("pre", peak, 0) for peak in (USUAL, HIGH)) / len(SEEDS)
small_survive = 100 * survivors("post", HIGH, 0, "small") / len(SEEDS)
no_need = partial(Claim, "pre-norm completely eliminates the need for warm-up")
fragile = partial(Claim, "post-norm needs warm-up")
helps = partial(fragile, claimed=0, margin=0.1, direction="more than", unit=" nats")
ClaimTable(
    no_need("pre-norm without it survives, at 0.002 and 0.006", 100, pre_survive, margin=1, unit=" %"),
    no_need(
        "pre-norm: saved by it at 0.04",
        claimed=0,
        measured=saved_by_warm_up("pre", EXTREME),
        margin=0.1,
        direction="at most",
        unit=" nats",
    ),
    helps("post-norm: saved by it at 0.002", measured=saved_by_warm_up("post", USUAL)),
    helps("post-norm: saved by it at 0.006", measured=saved_by_warm_up("post", HIGH)),
    fragile("post-norm without it survives at 0.006, small start", 0, small_survive, margin=1, unit=" %"),
    Claim(
        "warm-up is there to avoid early gradient explosion",
        "Adam's first step, gradients 1000 × larger",
        claimed=2,
        measured=grown["Adam"],
        direction="at least",
        unit=" × as long",
    ),
)

# %% [markdown]
# ### How to read it
#
# The note's direction is right. From Xavier's start, pre-norm trains without warm-up at a rate where post-norm gets
# stuck.
#
# "Completely eliminates" is too strong. At a rate near the edge, warm-up saves pre-norm something too. Large models
# run near that edge, because a higher rate learns faster, and a failed run costs more than a few thousand slow steps.
#
# And "needs warm-up" is not a property of post-norm alone. At a low rate, or from a smaller start, it trains without.

# %% [markdown]
# ## Written answer
#
# ●●○ · 5 minutes · 5 points, given by a person
#
# A colleague says: "Our model is pre-norm, so we can delete the warm-up. It only prevents gradient explosion anyway, and
# we clip gradients." Answer in three to six sentences.
#
# One point each, if you
#
# 1. grant what is right: pre-norm **can** train without warm-up, with a number from your own run;
# 2. say at which rates warm-up still helped pre-norm in your runs, or that large models still use it;
# 3. explain why the gradient's size is not the point: what Adam's first steps look like;
# 4. say how a run without warm-up fails: does it explode or get stuck?
# 5. name something else it depends on: the rate, the start of the weights, the depth.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_warmup", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# It is true that pre-norm can train without warm-up: in my runs all pre-norm models survived at 0.006, where none of the
# post-norm ones did. But at 0.04 the pre-norm runs with warm-up ended clearly lower, and Llama 3 405B, a pre-norm model,
# warmed up for 8,000 steps. Exploding gradients are not the point: Adam's first step has the length that the learning
# rate says, also when the gradients are 1000 times as large, so clipping changes little. The runs that failed did not
# blow up either, they got stuck near the loss of counting characters. How much warm-up matters depends on the peak rate
# and on how the weights start, and probably on depth. I would keep it: it costs a few thousand steps.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("06_warmup")

# %% [markdown]
# ## Sources
#
# 1. R. Xiong et al.: *On Layer Normalization in the Transformer Architecture*. ICML 2020,
#    **[arXiv:2002.04745](https://arxiv.org/abs/2002.04745)**. Pre-norm without warm-up.
# 2. A. Grattafiori et al.: *The Llama 3 Herd of Models*. 2024, **[arXiv:2407.21783](https://arxiv.org/abs/2407.21783)**,
#    section 3.4.1. The schedule of the 405B model.
# 3. I. Loshchilov, F. Hutter: *Decoupled Weight Decay Regularization*. ICLR 2019,
#    **[arXiv:1711.05101](https://arxiv.org/abs/1711.05101)**. AdamW. The cosine is from their *SGDR*, ICLR 2017,
#    **[arXiv:1608.03983](https://arxiv.org/abs/1608.03983)**.
# 4. D. P. Kingma, J. Ba: *Adam: A Method for Stochastic Optimization*. ICLR 2015,
#    **[arXiv:1412.6980](https://arxiv.org/abs/1412.6980)**.
# 5. L. Liu et al.: *Understanding the Difficulty of Training Transformers*. EMNLP 2020,
#    **[arXiv:2004.08249](https://arxiv.org/abs/2004.08249)**.
# 6. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, section 2,
#    and "In Simple English".
#
# Next: lesson 07 (core) writes the feed-forward network of today's models.
