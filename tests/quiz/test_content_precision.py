"""What the questions about half precision claim (lesson 04): every line and order is run."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from grader import answers
from quiz.bank import load
from tests.quiz.measured.streams import rms
from tests.quiz.trying import done, filled, orders, rows

EPS = 1e-3
QUESTIONS = {q.id: q for q in load("04_norm_precision").questions}


def llama_steps(weight: Tensor) -> dict:
    """Each step of `llamas_cast_order`, on what the steps before have left: `row`, and `it`, the divisor so far."""
    return {
        "up": lambda s: s.update(row=s["row"].float()),
        "square": lambda s: s.update(it=s["row"].square().mean(-1, keepdim=True)),
        "root": lambda s: s.update(it=(s["it"] + EPS).sqrt()),
        "divide": lambda s: s.update(row=s["row"] / s["it"]),
        "down": lambda s: s.update(row=s["row"].bfloat16()),
        "weight": lambda s: s.update(row=weight.to(s["row"].dtype) * s["row"]),
    }


def test_llamas_steps_give_its_bits_in_this_order_only():
    x, weight = rows(64, 256).bfloat16(), (1 + 0.3 * rows(256)).bfloat16()
    order, wrong = orders(QUESTIONS["llamas_cast_order"])
    wanted = weight * F.rms_norm(x.float(), (256,), eps=EPS).bfloat16()
    found = done(llama_steps(weight), order, x)
    assert found.dtype == torch.bfloat16 and (found != wanted).double().mean() < 0.001
    for other in wrong:
        different = (done(llama_steps(weight), other, x) != wanted).double().mean()
        assert different > 0.1, (other, different)


@pytest.mark.parametrize("item", QUESTIONS["whose_last_line"].items, ids=lambda item: item.id)
def test_whose_last_line_it_is(item):
    x, weight = rows(64, 256).bfloat16(), (0.3 * rows(256)).bfloat16()
    u = F.rms_norm(x.float(), (256,), eps=EPS)
    y = filled(f"y = {item.text.strip('`')}", x=x, weight=weight, u=u)
    gemma = answers.of("gemma_rms_norm").reference(256, EPS).bfloat16()
    gemma.weight.data = weight
    bits = {"llama": weight * u.bfloat16(), "gemma": gemma(x)}
    equal = {name for name, wanted in bits.items() if y.dtype == x.dtype and (y != wanted).double().mean() < 0.001}
    assert equal == {item.target} & set(bits)
    if item.target == "leak":
        assert y.dtype == torch.float32
        with pytest.raises(RuntimeError):
            F.linear(y, torch.zeros(2, 256, dtype=torch.bfloat16))  # "refuses it"
    if item.target == "mixture":
        assert torch.allclose(y.float(), bits["gemma"].float(), rtol=0.02)  # "outputs look right"


def test_which_16_bits_keep_a_row_of_300s():
    def size(dtype):
        row = torch.full((64,), 300.0, dtype=dtype)
        return rms((row / (row * row).mean().sqrt()).float())

    assert size(torch.float16) == 0 and size(torch.bfloat16) == pytest.approx(1, rel=0.01)
    assert torch.finfo(torch.bfloat16).bits == 16 < torch.finfo(torch.float32).bits
    assert torch.finfo(torch.bfloat16).eps > torch.finfo(torch.float16).eps  # "less precise"
    assert torch.iinfo(torch.int16).max == 32767
