"""What the questions about schedules, optimizers, gates and experiments claim (lessons 06 to 08)."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

from grader import answers
from quiz.bank import load
from tests.quiz.trying import orders, rows

LESSONS = ("06_warmup", "07_swiglu", "08_ffn_bakeoff")
QUESTIONS = {q.id: q for lesson in LESSONS for q in load(lesson).questions}


def rates() -> list[float]:
    """The rates of PyTorch's own schedulers: up for 100 steps, then a cosine to a tenth at step 1000."""
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(()))], lr=1.0)
    up, down = LinearLR(optimizer, 1e-9, 1.0, 100), CosineAnnealingLR(optimizer, 900, eta_min=0.1)
    schedule, seen = SequentialLR(optimizer, [up, down], [100]), []
    for _ in range(1001):
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return seen


def test_sort_the_steps_by_pytorchs_own_schedule():
    question, rate = QUESTIONS["sort_the_steps"], rates()
    number = {step.id: int(step.text.split()[1]) for step in question.steps}
    assert [number[s.id] for s in question.steps] == sorted(number.values(), key=rate.__getitem__)
    shares = [round(rate[n], 3) for n in sorted(number.values(), key=rate.__getitem__)]
    assert shares == [0, 0.1, 0.55, 0.58, 1] and str(shares[3]) in question.hints[2]
    (swap,) = [s for s in question.swaps if s.mistake]
    (wrong,) = [
        m.implementation for m in answers.of("warmup_cosine").mistakes if f"warmup_cosine/{m.key}" == swap.mistake
    ]
    assert wrong(number[swap.first], 1.0, 100, 1000, 0.1) < wrong(number[swap.then], 1.0, 100, 1000, 0.1)


def moved(optimizer_class, gradient: float, decay: float) -> float:
    """How far one step moves a weight of 1."""
    weight = nn.Parameter(torch.ones((), dtype=torch.float64))
    optimizer = optimizer_class([weight], lr=0.01, weight_decay=decay)
    weight.grad = torch.full_like(weight, gradient)
    optimizer.step()
    return 1 - weight.item()


@pytest.mark.parametrize("decay", [1e-4, 0.1])
def test_only_adamw_keeps_decay_and_gradient_apart(decay):
    adam, adamw, sgd = torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD
    for gradient in (0.5, 50.0):
        assert moved(adamw, gradient, decay) - moved(adamw, gradient, 0) == pytest.approx(0.01 * decay)
    assert moved(adamw, 0.0, decay) == pytest.approx(0.01 * decay)
    assert moved(adam, 0.0, decay) == pytest.approx(0.01, rel=1e-3)  # "the whole learning rate, however small"
    assert moved(sgd, 0.5, decay) - moved(sgd, 0.5, 0) == pytest.approx(0.01 * decay)  # "the two agree"


def test_attention_is_linear_in_its_values_and_an_ffn_is_not_and_mixes_no_tokens():
    q, k, v, other = rows(4, 1, 6, 8)

    def average(values):
        return F.scaled_dot_product_attention(q, k, values)

    assert torch.allclose(average(v + other), average(v) + average(other))
    network = nn.Sequential(nn.Linear(8, 16, bias=False), nn.ReLU(), nn.Linear(16, 8, bias=False)).double()
    assert not torch.allclose(network(v + other), network(v) + network(other))
    shuffled = torch.tensor([3, 1, 5, 0, 2, 4])
    assert torch.allclose(network(v[:, shuffled]), network(v)[:, shuffled])


def test_name_the_gate_by_pytorchs_own_activations():
    z = torch.linspace(-4, 4, 101, dtype=torch.float64)
    normal = torch.distributions.Normal(0, 1)
    formulas = {
        "sigmoid": 1 / (1 + (-z).exp()),
        "swish": z / (1 + (-z).exp()),
        "normal": z * normal.cdf(z),
        "zero": z.clamp(min=0),
        "none": z,
    }
    known = {"glu": torch.sigmoid, "swiglu": F.silu, "geglu": F.gelu, "reglu": F.relu, "bilinear": lambda z: z}
    matched = {
        name: [gate for gate, act in known.items() if torch.allclose(act(z), y, atol=1e-6)]
        for name, y in formulas.items()
    }
    assert matched == {item.id: [item.target] for item in QUESTIONS["name_the_gate"].items}
    assert torch.allclose(F.glu(torch.cat([z + 1, z])), (z + 1) * formulas["sigmoid"])


class Layers(nn.Module):
    """The three layers of `missing_keys`."""

    def __init__(self, **arguments):
        super().__init__()
        self.gate_proj, self.up_proj = nn.Linear(4, 6, **arguments), nn.Linear(4, 6, **arguments)
        self.down_proj = nn.Linear(6, 4, **arguments)


def test_missing_keys_are_missing_and_the_accepted_argument_mends_it():
    question = QUESTIONS["missing_keys"]
    llama = Layers(bias=False).state_dict()
    with pytest.raises(RuntimeError) as caught:
        Layers().load_state_dict(llama)
    assert question.setting.split("```text\n")[1].split("\n")[0].strip() in str(caught.value)
    for accepted in question.accept:
        Layers(**eval(f"dict({accepted})")).load_state_dict(llama)
    loose = Layers()
    loose.load_state_dict(llama, strict=False)
    assert loose.up_proj.bias.abs().max() > 0  # "keep their random start"


def test_pairing_by_seed_narrows_the_interval_when_the_seed_moves_both():
    luck = torch.randn(40, generator=torch.Generator().manual_seed(0))
    own = 0.2 * torch.randn(2, 40, generator=torch.Generator().manual_seed(1))
    first, second = luck + own[0], luck + own[1] - 0.1
    assert (first - second).std() < 0.5 * math.hypot(first.std(), second.std())
    right, wrong = orders(QUESTIONS["protocol"])
    assert right.index("rule") < right.index("train") < right.index("pair") and all(order != right for order in wrong)
