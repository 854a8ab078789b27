"""What the questions about LayerNorm and RMSNorm claim (lessons 02 and 03): every gap and order is tried."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from quiz.bank import load
from tests.quiz.measured.streams import rms
from tests.quiz.trying import done, filled, orders, rows

EPS = 1e-3
BANKS = {lesson[:2]: {q.id: q for q in load(lesson).questions} for lesson in ("02_layer_norm", "03_rms_norm")}


def same(a: Tensor | None, b: Tensor) -> bool:
    return a is not None and a.dtype == b.dtype and a.shape == b.shape and torch.allclose(a, b)


def code_of(question) -> str:
    return question.setting.split("```python\n")[1].split("```")[0]


def test_which_divisor_only_the_accepted_arguments_give_layer_norm():
    question, x = BANKS["02"]["which_divisor"], rows(3, 4)
    wanted = F.layer_norm(x, (4,), eps=EPS)

    def right(text):
        return same(filled(code_of(question).replace("________", text), x=x, eps=EPS, torch=torch), wanted)

    assert all(map(right, question.accept))
    assert not any(right(text) for trap in question.traps for text in trap.accept)


def test_missing_argument_only_the_accepted_arguments_give_rms_norm():
    question = BANKS["03"]["missing_argument"]

    def run(text, x):
        code = code_of(question).replace("mean(-1)", f"mean(-1, {text})" if text else "mean(-1)")
        return filled(code, x=x, weight=torch.arange(1.0, 9, dtype=x.dtype), eps=EPS, torch=torch)

    wanted = F.rms_norm(rows(8, 8), (8,), torch.arange(1.0, 9, dtype=torch.float64), EPS)
    assert run("", rows(8, 8)) is not None and not same(run("", rows(8, 8)), wanted) and run("", rows(4, 8)) is None
    spelt = {text: text if "=" in text else f"{text}=True" for text in question.accept}
    assert all(same(run(text, rows(8, 8)), wanted) for text in spelt.values())
    assert not any(same(run(t, rows(8, 8)), wanted) for trap in question.traps for t in trap.accept if "=" in t)


def influence(norm, module_input: Tensor) -> set[str]:
    """Which numbers move y[0, 0, 0], other than x[0, 0, 0] itself."""
    x = module_input.clone().requires_grad_()
    (moved,) = torch.autograd.grad(norm(x)[0, 0, 0], x)
    places = {"features": moved[0, 0, 1:], "sequence": moved[0, 1:, 0], "batch": moved[1:, :, 0]}
    return {place for place, slope in places.items() if slope.abs().max() > 1e-9}


def test_which_statistics_are_those_that_move_the_output():
    x, batch_norm = rows(3, 5, 4), nn.BatchNorm1d(4, dtype=torch.float64)

    def batch(x):
        return batch_norm(x.transpose(1, 2)).transpose(1, 2)

    found = {"batch_training": influence(batch, x)}
    batch_norm.eval()
    found |= {"batch_use": influence(batch, x), "layer_norm": influence(lambda x: F.layer_norm(x, (4,)), x)}
    found["rms_norm"] = influence(lambda x: F.rms_norm(x, (4,)), x)
    numbers = {"features": {"features"}, "batch": {"batch", "sequence"}, "kept": set(), "sequence": {"sequence"}}
    assert found == {item.id: numbers[item.target] for item in BANKS["02"]["which_statistics"].items}


def test_why_not_batch_norm():
    norm, x = nn.BatchNorm1d(4, dtype=torch.float64), rows(6, 4).requires_grad_()
    nn.init.normal_(norm.weight, generator=torch.Generator().manual_seed(1))
    assert norm.bias is not None  # a scale and a shift, as LayerNorm
    whole = norm(x)
    assert not torch.allclose(norm(x[:3]), whole[:3])  # other examples matter
    assert torch.autograd.grad(whole[0].sum(), x)[0][1:].abs().max() > 0  # through the statistics
    used, head = norm.eval()(x), nn.Linear(4, 2, dtype=torch.float64)
    assert not torch.allclose(used, whole) and torch.allclose(norm(x[:3]), used[:3])
    scale = norm.weight / (norm.running_var + norm.eps).sqrt()
    folded = x @ (head.weight * scale).T + head.bias + head.weight @ (norm.bias - norm.running_mean * scale)
    assert torch.allclose(folded, head(used))


def layer_norm_steps(x: Tensor, weight: Tensor, bias: Tensor) -> dict:
    """Each step of `steps_of_layer_norm`, on what the steps before have left: `row`, and `it`, the divisor so far."""
    return {
        "mean": lambda s: s.update(mean=s["row"].mean(-1, keepdim=True)),
        "centre": lambda s: s.update(row=s["row"] - s["mean"]),
        "variance": lambda s: s.update(it=s["row"].square().mean(-1, keepdim=True)),
        "eps": lambda s: s.update(it=s["it"] + EPS),
        "root": lambda s: s.update(it=s["it"].sqrt()),
        "scale": lambda s: s.update(row=s["row"] / s["it"] * weight),
        "bias": lambda s: s.update(row=s["row"] + bias),
    }


def test_the_steps_of_layer_norm_give_it_in_this_order_only():
    x, weight, bias = rows(3, 4), rows(4), rows(4) * 2
    order, wrong = orders(BANKS["02"]["steps_of_layer_norm"])
    steps, wanted = layer_norm_steps(x, weight, bias), F.layer_norm(x, (4,), weight, bias, EPS)
    assert torch.allclose(done(steps, order, x), wanted)
    for other in wrong:
        assert not torch.allclose(done(steps, other, x), wanted), other


def test_when_rms_norm_equals_layer_norm():
    x, weight, bias = rows(3, 64), rows(64), torch.zeros(64, dtype=torch.float64)
    cases = {
        "same_parameters": x,
        "unit_variance": x / x.std(-1, correction=0, keepdim=True),
        "zero_mean": x - x.mean(-1, keepdim=True),
        "long_rows": rows(3, 50_000),
    }
    equal = {}
    for name, x in cases.items():
        d = x.shape[-1]
        w, b = (weight, bias) if d == 64 else (torch.ones(d).double(), torch.zeros(d).double())
        equal[name] = torch.allclose(F.rms_norm(x, (d,), w, EPS), F.layer_norm(x, (d,), w, b, EPS))
    assert equal == {o.id: o.correct for o in BANKS["03"]["when_equal"].options}
    assert F.layer_norm(torch.tensor([4.0, 2.0]), (2,), eps=0).tolist() == [1, -1]  # the feedback's row
    assert F.rms_norm(torch.tensor([4.0, 2.0]), (2,), eps=1e-9).min() > 0


def test_layer_norm_bounds_its_output_however_large_the_mean():
    assert rms(F.layer_norm(rows(1, 512) + 1000, (512,))) == pytest.approx(1, rel=1e-3)


def test_name_the_norm_formulas_are_these_norms():
    x, w, b = rows(5, 6), rows(6), rows(6) + 1
    c = x - x.mean(-1, keepdim=True)
    unit = c / (c.square().mean(-1, keepdim=True) + EPS).sqrt()
    formulas = {
        "rms": w * x / (x.square().mean(-1, keepdim=True) + EPS).sqrt(),
        "layer": w * unit + b,
        "bare": unit,
        "length": x / (x.square().sum(-1, keepdim=True) + EPS).sqrt(),
    }
    known = {
        "rms_norm": F.rms_norm(x, (6,), w, EPS),
        "layer_norm": F.layer_norm(x, (6,), w, b, EPS),
        "bare_layer_norm": F.layer_norm(x, (6,), eps=EPS),
        "l2": F.normalize(torch.cat([x, torch.full((5, 1), EPS**0.5)], -1), dim=-1)[:, :6],
    }
    question = BANKS["03"]["name_the_norm"]
    matched = {name: [k for k, norm in known.items() if torch.allclose(y, norm)] for name, y in formulas.items()}
    assert matched == {item.id: [item.target] for item in question.items}
    assert rms(formulas["rms"] / w) / rms(formulas["length"]) == pytest.approx(6**0.5, rel=0.01)  # "√d times smaller"
