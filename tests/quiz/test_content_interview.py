"""Bank 13: what its questions claim is tried with the lesson's wrong norms, and counted."""

import torch
import torch.nn.functional as F
from torch import nn

from lessons.support.norm_tests import EPS, FAULTS, TOLERANCE
from quiz.bank import load

QUESTIONS = {q.id: q for q in load("13_interview").questions}
OF_FAULTS = {
    "weight": FAULTS["weight left out"],
    "eps": FAULTS["eps outside the root"],
    "gradient": FAULTS["root without a gradient"],
    "length": FAULTS["length, not root mean square"],
}


def absolute(x, weight, eps):
    return x / (x.abs().mean(-1, keepdim=True) + eps) * weight


def passes(norm, seed: int) -> bool:
    """Whether a norm agrees with PyTorch's on the row of `what_a_random_row_misses`."""
    x, weight = torch.randn(1, 64, generator=torch.Generator().manual_seed(seed)), torch.ones(64)
    return torch.allclose(norm(x, weight, EPS), F.rms_norm(x, (64,), weight, EPS), rtol=TOLERANCE, atol=TOLERANCE)


def test_a_random_row_misses_what_is_said_and_nothing_else():
    norms = {**OF_FAULTS, "absolute": absolute}
    options = {option.id: option.correct for option in QUESTIONS["what_a_random_row_misses"].options}
    shares = {name: sum(passes(norm, seed) for seed in range(40)) / 40 for name, norm in norms.items()}
    assert shares.keys() == options.keys()
    assert {name for name, share in shares.items() if share == 1} == {name for name, right in options.items() if right}
    assert shares["length"] == shares["absolute"] == 0
    x = torch.randn(100_000, generator=torch.Generator().manual_seed(0))
    assert round((x.square().mean().sqrt() / x.abs().mean()).item(), 2) == 1.25


def test_the_norms_symptoms_are_what_is_said():
    zeros, ones = torch.zeros(1, 8), torch.ones(8)
    assert FAULTS["eps left out"](zeros, ones, EPS).isnan().all()
    large = torch.full((1, 8), 300.0, dtype=torch.float16)
    assert (FAULTS["squares in half precision"](large, ones.half(), EPS) == 0).all()
    assert torch.finfo(torch.float16).max < 300**2


def test_parameters_are_in_the_order_that_is_said():
    blocks, d, h, vocabulary = 32, 4096, 11008, 32000
    with torch.device("meta"):
        square, wide = nn.Linear(d, d, bias=False), nn.Linear(d, h, bias=False)
        norm, embedding = nn.RMSNorm(d), nn.Embedding(vocabulary, d)
    count = {
        "norms": (2 * blocks + 1) * norm.weight.numel(),
        "embedding": embedding.weight.numel(),
        "attention": blocks * 4 * square.weight.numel(),
        "ffn": blocks * 3 * wide.weight.numel(),
    }
    assert [step.id for step in QUESTIONS["where_the_parameters_are"].steps] == sorted(count, key=count.get)
    assert [round(number / 1e6, 1) for number in count.values()] == [0.3, 131.1, 2147.5, 4328.5]
    assert 0.66 < count["ffn"] / (count["ffn"] + count["attention"]) < 0.67 and count["norms"] == 266_240


def test_the_identity_is_one_of_the_terms():
    first, second = torch.randn(2, 3, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    unit = torch.eye(3, dtype=torch.float64)
    product = (unit + second) @ (unit + first)
    assert torch.allclose(product - (first + second + second @ first), unit)
