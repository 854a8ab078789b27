"""Right and wrong ways to write `warmup_cosine(step, peak, warmup_steps, total_steps, floor=0.0)`."""

import math

import numpy as np
import torch

from grader.answers import Answers

answers = Answers(
    "warmup_cosine",
    why="`step < warmup_steps` is never true without a warm-up, so nothing divides by zero, and at `warmup_steps` the "
    "cosine takes over at its top: the peak. `min` holds the share of the decay at 1, so the rate stays at the floor.",
)


def _decayed(share, peak, floor):
    """From the peak (share 0) to the floor (share 1), common to many of these: their differences lie elsewhere."""
    return floor + (peak - floor) * (1 + math.cos(math.pi * share)) / 2


def _share(step, warmup_steps, total_steps):
    return min(1.0, (step - warmup_steps) / (total_steps - warmup_steps))


@answers.right
def three_stretches(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = min(1.0, (step - warmup_steps) / (total_steps - warmup_steps))
    return floor + (peak - floor) * (1 + math.cos(math.pi * share)) / 2


@answers.right
def early_returns(step: int, peak: float, warmup_steps: int, total_steps: int, floor: float = 0.0) -> float:
    if step >= total_steps:
        return floor
    if warmup_steps > 0 and step <= warmup_steps:
        return peak * (step / warmup_steps)
    coefficient = 0.5 * (1.0 + math.cos(math.pi * (step - warmup_steps) / (total_steps - warmup_steps)))
    return floor + coefficient * (peak - floor)


@answers.right
def squared_cosine(step, peak, warmup_steps, total_steps, floor=0.0, *, power=2):
    if step < warmup_steps:
        return step * peak / max(1, warmup_steps)
    angle = math.pi / 2 * min((step - warmup_steps) / (total_steps - warmup_steps), 1)
    return floor * math.sin(angle) ** power + peak * math.cos(angle) ** power


@answers.right
def with_numpy(step, peak, warmup_steps, total_steps, floor=0.0):
    share = np.clip((step - warmup_steps) / (total_steps - warmup_steps), 0, 1)
    decayed = floor + (peak - floor) * 0.5 * (1 + np.cos(np.pi * share))
    return np.interp(step, [0, warmup_steps], [0.0, peak]) if step < warmup_steps else decayed


@answers.right
def with_torch(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return torch.linspace(0, peak, warmup_steps + 1, dtype=torch.float64)[step].item()
    share = torch.tensor(min(step, total_steps) - warmup_steps) / (total_steps - warmup_steps)
    return torch.lerp(torch.tensor(peak), torch.tensor(floor), (1 - torch.cos(torch.pi * share)) / 2).item()


@answers.right
def product_of_two_factors(step, peak, warmup_steps, total_steps, floor=0.0):
    up = min(1.0, step / warmup_steps) if warmup_steps else 1.0
    share = max(0, min(step, total_steps) - warmup_steps) / (total_steps - warmup_steps)
    return up * (peak - (peak - floor) * (0.5 - math.cos(math.pi * share) / 2))


@answers.right
def by_the_sine(step, peak, warmup_steps, total_steps, floor=0.0):
    def wave(share):
        return (1 - math.sin(math.pi * (share - 0.5))) / 2

    if step < warmup_steps:
        return peak - peak * (warmup_steps - step) / warmup_steps
    after = min(step, total_steps) - warmup_steps
    height = wave(after / (total_steps - warmup_steps))
    return peak * height + floor * (1 - height)


@answers.right
def whole_table(step, peak, warmup_steps, total_steps, floor=0.0):
    table = [i / warmup_steps * peak for i in range(warmup_steps)]
    length = total_steps - warmup_steps
    table += [(peak + floor) / 2 + (peak - floor) / 2 * math.cos(i / length * math.pi) for i in range(length)]
    return table[step] if step < total_steps else floor


@answers.right
def by_a_scheduler(step, peak, warmup_steps, total_steps, floor=0.0):
    """PyTorch's own closed form of the decay, for one number that is not a model's."""
    if step < warmup_steps:
        return peak / warmup_steps * step
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=peak)
    decay = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, total_steps - warmup_steps, eta_min=floor)
    decay.last_epoch = min(step, total_steps) - warmup_steps
    return decay._get_closed_form_lr()[0]


@answers.mistake(
    "the warm-up starts a step early",
    "The schedule starts from 0 at step 0: the share of the warm-up is step / warmup_steps.",
)
def a_step_early(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * (step + 1) / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "(step + 1) / (warmup_steps + 1)",
    "That is nanoGPT's warm-up. Here step 0 has rate 0 and step `warmup_steps` the peak: neither number needs a 1.",
)
def one_more_above_and_below(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * (step + 1) / (warmup_steps + 1)
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "the peak comes a step early",
    "You divide by warmup_steps - 1. The peak belongs to step `warmup_steps` itself, where the warm-up is over.",
)
def peak_a_step_early(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / max(1, warmup_steps - 1)
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "the warm-up does not reach the peak",
    "You divide by warmup_steps + 1. At step `warmup_steps` the share has to be 1.",
)
def peak_a_step_late(step, peak, warmup_steps, total_steps, floor=0.0):
    if step <= warmup_steps:
        return peak * step / (warmup_steps + 1)
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "a division by a warm-up of 0",
    "With no warm-up, step 0 is not *before* `warmup_steps`: compare with `<`, or treat 0 by itself.",
)
def divides_by_zero(step, peak, warmup_steps, total_steps, floor=0.0):
    if step <= warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "a division by a warm-up of 0, at every step",
    "Your code works out step / warmup_steps also where there is no warm-up. Decide first, then divide.",
)
def always_divides(step, peak, warmup_steps, total_steps, floor=0.0):
    up = min(1.0, step / warmup_steps)
    share = _share(max(step, warmup_steps), warmup_steps, total_steps)
    return up * _decayed(share, peak, floor)


@answers.mistake(
    "a step at 0 without a warm-up",
    "`max(1, warmup_steps)` prevents the division by 0, but step 0 still warms up. It should have the peak at once.",
)
def zero_without_warmup(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < max(1, warmup_steps):
        return peak * step / max(1, warmup_steps)
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake("no warm-up", "Before `warmup_steps` the rate climbs in a straight line from 0 to the peak.")
def no_warmup(step, peak, warmup_steps, total_steps, floor=0.0):
    share = _share(max(step, warmup_steps), warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "whole-number division", "`//` drops the fraction, so that the rate is 0 all through the warm-up. Divide with `/`."
)
def whole_steps(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * (step // warmup_steps)
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake("the warm-up starts at the floor", "The floor is where the decay ends. The warm-up starts at 0.")
def warm_up_from_floor(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return floor + (peak - floor) * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "the warm-up climbs to peak - floor", "The warm-up knows nothing of the floor: it climbs from 0 to the peak."
)
def warm_up_to_distance(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return (peak - floor) * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "the floor is a lower bound during the warm-up too",
    "The warm-up starts at 0, below the floor. Only the decay ends there.",
)
def floor_everywhere(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return max(floor, peak * step / warmup_steps)
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "a cosine during the warm-up",
    "The warm-up is linear: equal steps from 0 to the peak. Only the way down is a cosine.",
)
def cosine_warm_up(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * (1 - math.cos(math.pi * step / warmup_steps)) / 2
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "the cosine rises again after the end",
    "After `total_steps` a cosine turns round and climbs. Hold the share of the decay at 1.",
)
def rises_again(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = (step - warmup_steps) / (total_steps - warmup_steps)
    return _decayed(share, peak, floor)


@answers.mistake("0 after the end", "From `total_steps` on the rate is the floor, not 0.")
def zero_after_end(step, peak, warmup_steps, total_steps, floor=0.0):
    if step >= total_steps:
        return 0.0
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "0 after the last step",
    "At `total_steps` you return the floor, which is right. Stay there: later steps have the floor too.",
)
def zero_beyond_end(step, peak, warmup_steps, total_steps, floor=0.0):
    if step > total_steps:
        return 0.0
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake("the peak after the end", "From `total_steps` on the rate is the floor: the decay is over and done.")
def peak_after_end(step, peak, warmup_steps, total_steps, floor=0.0):
    if step > total_steps:
        return peak
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake("an error after the end", "Training may go on after `total_steps`. Return the floor there.")
def refuses_late_steps(step, peak, warmup_steps, total_steps, floor=0.0):
    assert step <= total_steps, "the schedule is over"
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "nothing is returned after the end", "No branch of your code covers steps after `total_steps`. They have the floor."
)
def nothing_after_end(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    if step <= total_steps:
        share = _share(step, warmup_steps, total_steps)
        return _decayed(share, peak, floor)
    return None


@answers.mistake(
    "the floor is ignored", "The decay ends at `floor`: scale the distance peak - floor and add the floor."
)
def ignores_floor(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, 0.0)


@answers.mistake(
    "the floor is added on top",
    "With the floor added, the decay has to run over peak - floor: else it starts above the peak.",
)
def floor_on_top(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return floor + _decayed(share, peak, 0.0)


@answers.mistake(
    "the floor cuts the cosine off",
    "The cosine itself should end at the floor. Yours goes to 0, and is held up from where it crosses the floor.",
)
def floor_as_bound(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return max(floor, _decayed(share, peak, 0.0))


@answers.mistake(
    "the floor is not added back", "You scale the distance peak - floor, and then the decay ends at 0: add the floor."
)
def floor_not_added(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak - floor, 0.0)


@answers.mistake(
    "the floor as a share of the peak", "`floor` is a learning rate, as `peak` is: do not multiply the two."
)
def floor_as_share(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor * peak)


@answers.mistake(
    "another default for the floor", "Without a fifth argument the decay ends at 0: `floor=0.0` in the signature."
)
def other_default_floor(step, peak, warmup_steps, total_steps, floor=None):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, peak / 10 if floor is None else floor)


@answers.mistake(
    "the cosine runs over the whole schedule",
    "The decay's own share counts from `warmup_steps`: 0 there, 1 at `total_steps`. Yours jumps when the warm-up ends.",
)
def cosine_over_all(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = min(1.0, step / total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "the cosine runs over the whole schedule, times the warm-up",
    "The decay starts where the warm-up ends: until then only the straight line counts.",
)
def two_factors_over_all(step, peak, warmup_steps, total_steps, floor=0.0):
    up = step / warmup_steps if step < warmup_steps else 1.0
    share = min(1.0, step / total_steps)
    return up * _decayed(share, peak, floor)


@answers.mistake(
    "the decay takes total_steps steps",
    "It starts at `warmup_steps` and ends at `total_steps`: that leaves total_steps - warmup_steps steps for it.",
)
def decay_too_long(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = min(1.0, (step - warmup_steps) / total_steps)
    return _decayed(share, peak, floor)


@answers.mistake(
    "the decay takes total_steps steps and is cut off",
    "It has total_steps - warmup_steps steps to reach the floor. Yours is still above it at the end, and then drops.",
)
def decay_cut_off(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    if step >= total_steps:
        return floor
    share = (step - warmup_steps) / total_steps
    return _decayed(share, peak, floor)


@answers.mistake(
    "the floor comes a step early",
    "The decay ends at step `total_steps`, so it takes total_steps - warmup_steps steps, not one less.",
)
def ends_a_step_early(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = min(1.0, (step - warmup_steps) / max(1, total_steps - warmup_steps - 1))
    return _decayed(share, peak, floor)


@answers.mistake(
    "the floor comes a step late",
    "The decay ends at step `total_steps`, so it takes total_steps - warmup_steps steps, not one more.",
)
def ends_a_step_late(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = min(1.0, (step - warmup_steps) / (total_steps - warmup_steps + 1))
    return _decayed(share, peak, floor)


@answers.mistake(
    "the decay starts a step late",
    "At `warmup_steps` the decay begins, so at the next step the rate is below the peak already.",
)
def starts_a_step_late(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = min(1.0, max(0, step - warmup_steps - 1) / (total_steps - warmup_steps))
    return _decayed(share, peak, floor)


@answers.mistake(
    "a linear decay",
    "The way down follows half a cosine wave: flat at the peak, steep in the middle, flat at the floor.",
)
def linear_decay(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return peak + (floor - peak) * share


@answers.mistake("no decay", "After the warm-up the rate falls along a cosine to the floor; yours stays at the peak.")
def no_decay(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    return peak


@answers.mistake(
    "no decay before the end",
    "Between `warmup_steps` and `total_steps` the rate falls along a cosine. Yours waits, and drops at once.",
)
def steps_down(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    return peak if step < total_steps else floor


@answers.mistake("1 + cosine is not halved", "1 + cos runs from 2 to 0. Halve it, so that it starts at 1.")
def not_halved(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return floor + (peak - floor) * (1 + math.cos(math.pi * share))


@answers.mistake(
    "the cosine without its 1 +",
    "cos(π p) runs from 1 to -1, so your rate becomes negative. Lift it: (1 + cos(π p)) / 2.",
)
def bare_cosine(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return floor + (peak - floor) * math.cos(math.pi * share)


@answers.mistake(
    "a quarter of a wave", "cos(π p / 2) is steep at its end. The half wave (1 + cos(π p)) / 2 is flat at both."
)
def quarter_wave(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return floor + (peak - floor) * math.cos(math.pi / 2 * share)


@answers.mistake(
    "a whole wave", "With 2π the rate is back at the peak at the end. Half a wave, π, leads from top to bottom."
)
def whole_wave(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = 2 * _share(step, warmup_steps, total_steps)
    return _decayed(share, peak, floor)


@answers.mistake("degrees in place of radians", "`math.cos` takes radians: half a wave is π, not 180.")
def degrees(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return floor + (peak - floor) * (1 + math.cos(180 * share)) / 2


@answers.mistake("π is missing", "Half a wave is π long. cos(p) only gets from 1 to 0.54.")
def no_pi(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return floor + (peak - floor) * (1 + math.cos(share)) / 2


@answers.mistake(
    "a sine in place of the cosine",
    "A sine starts at 0, in the middle of its wave. The decay starts at the top: cosine.",
)
def sine(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return floor + (peak - floor) * (1 + math.sin(math.pi * share)) / 2


@answers.mistake(
    "the cosine is upside down", "1 - cos climbs from the floor to the peak. The decay comes down: 1 + cos."
)
def upside_down(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, floor, peak)


@answers.mistake(
    "an exponential decay", "The way down follows half a cosine wave, and reaches the floor at `total_steps`."
)
def exponential(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return floor + (peak - floor) * math.exp(-5 * share)


@answers.mistake(
    "a factor in place of a learning rate",
    "Your function returns the share of the peak, as a LambdaLR wants it. Multiply by the peak.",
)
def factor(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return step / warmup_steps
    share = _share(step, warmup_steps, total_steps)
    return _decayed(share, 1.0, floor / peak)


@answers.mistake(
    "a tensor in place of a float",
    "The result should be a Python float: `math.cos` in place of `torch.cos`, or `.item()` at the end.",
)
def tensor(step, peak, warmup_steps, total_steps, floor=0.0):
    share = torch.tensor(max(0.0, _share(step, warmup_steps, total_steps)))
    up = step / warmup_steps if step < warmup_steps else 1.0
    return up * (floor + (peak - floor) * (1 + torch.cos(torch.pi * share)) / 2)


@answers.mistake(
    "the decayed rate is not returned",
    "A branch that ends without `return` gives None. Return what you have worked out.",
)
def no_return(step, peak, warmup_steps, total_steps, floor=0.0):
    if step < warmup_steps:
        return peak * step / warmup_steps
    _decayed(_share(step, warmup_steps, total_steps), peak, floor)
    return None


@answers.mistake(
    "the rate is rounded", "Leave the rate as it is: rounding it to a few places turns small rates into 0."
)
def rounded(step, peak, warmup_steps, total_steps, floor=0.0):
    up = step / warmup_steps if step < warmup_steps else 1.0
    share = max(0.0, _share(step, warmup_steps, total_steps))
    return round(up * _decayed(share, peak, floor), 4)
