"""`warmup_cosine(step, peak, warmup_steps, total_steps, floor=0.0)`: the learning rate of one step."""

import torch

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder

# warmup_steps and total_steps by schedule. A warm-up of 1 and of total - 1, none at all, and a single step are
# the edges; in the others every fraction that a mistake could confuse with another is a number of its own.
LENGTHS = {"usual": (7, 40), "long": (60, 130), "first": (1, 9), "all": (12, 13), "none": (0, 10), "one": (0, 1)}


def cases(seed: int) -> list[Case]:
    """Schedules, each looked at over some of its steps. Peaks and floors are drawn, no two alike.

    `floor` is given in some and left out in others; it is never a round share of the peak.
    """
    draw = Inputs(seed)

    def case(name: str, schedule: str, steps, with_floor: bool = False) -> Case:
        warmup, total = LENGTHS[schedule]
        peak = 3e-4 * (1 + 4 * abs(draw.normal(1).clamp(-2, 2).item()))
        floor = peak * (0.15 + 0.1 * draw.weight(1).abs().item()) if with_floor else None
        text = f"peak={peak:.5f}, warmup_steps={warmup}, total_steps={total}"
        text += f", floor={floor:.6f}" if with_floor else ""
        about = f"steps {steps[0]} to {steps[-1]} of the schedule {text}"
        data = {"peak": peak, "warmup_steps": warmup, "total_steps": total, "floor": floor, "steps": list(steps)}
        return Case(name, about, data)

    return [
        case("warm_up", "usual", range(0, 8)),
        case("warm_up_floor", "long", range(0, 60, 4), with_floor=True),
        case("decay", "usual", range(7, 41)),
        case("decay_floor", "long", range(60, 131, 5), with_floor=True),
        case("after", "usual", range(36, 121)),
        case("after_floor", "long", [125, 129, 130, 131, 160, 200, 260, 400], with_floor=True),
        case("first", "first", range(0, 12), with_floor=True),
        case("all", "all", range(0, 16), with_floor=True),
        case("none", "none", range(0, 13)),
        case("none_later", "none", range(3, 14)),
        case("none_floor", "none", range(0, 13), with_floor=True),
        case("one", "one", range(0, 4), with_floor=True),
    ]


def probe(warmup_cosine, rec: Recorder) -> None:
    """All steps of a case make one tensor; its index is the step, for the person who reads "at [12]"."""
    steps, floor = rec["steps"], rec["floor"]
    options = {} if floor is None else {"floor": floor}
    rates = [warmup_cosine(step, rec["peak"], rec["warmup_steps"], rec["total_steps"], **options) for step in steps]
    rec.numbers("lr", rates)
    if (found := rec.record.tensors.get("lr")) is not None:
        by_step = torch.zeros(steps[-1] + 1, dtype=torch.float64)
        rec.record.tensors["lr"] = by_step.index_copy(0, torch.tensor(steps), found)


EDGES = ("first", "all", "none", "none_later", "none_floor", "one")
EXERCISE = Exercise(
    id="warmup_cosine",
    lesson="06_warmup",
    name="warmup_cosine",
    kind="function",
    signature="warmup_cosine(step, peak, warmup_steps, total_steps, floor=0.0)",
    arguments=("step", "peak", "warmup_steps", "total_steps"),
    keywords=("floor",),
    checks=(
        Check("warm_up", 2, "from 0 up to the peak, in equal steps", ("warm_up", "warm_up_floor"), ("lr",)),
        Check("decay", 3, "from the peak down to the floor, along a cosine", ("decay", "decay_floor"), ("lr",)),
        Check("after", 2, "the last steps, and flat after the end", ("after", "after_floor"), ("lr",)),
        Check(
            "edges",
            3,
            "no warm-up, very short and very long ones",
            ("first", "all", "none", "none_later", "none_floor", "one"),
            ("lr",),
        ),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Three stretches, three answers: before `warmup_steps`, from there to `total_steps`, and after. Which "
        "stretch does step 0 belong to when there is no warm-up?",
        "Going up, the rate is the share step / warmup_steps of the peak. Going down, first work out which share p of "
        "the *decay* is over: 0 at `warmup_steps`, 1 at `total_steps`, and never more. Then the cosine of π times p.",
        "The half wave (1 + cos(π p)) / 2 runs from 1 to 0. It scales the distance between peak and floor, and the "
        "floor is added. p is min(1, (step - warmup_steps) / (total_steps - warmup_steps)). Warm up while <, not <=.",
    ),
)
