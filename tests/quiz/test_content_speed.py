"""What bank 12 claims of bytes, memory and arithmetic. Times are nowhere tested."""

import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode
from transformers.models.llama.modeling_llama import LlamaRMSNorm

from quiz.bank import load
from tests.quiz.hugging_face import model
from tests.quiz.orders import orders_that_work
from tests.quiz.recomputed import Traffic, on_meta

QUESTIONS = {q.id: q for q in load("12_speed").questions}


def test_the_eager_norm_is_the_one_described():
    x, norm = on_meta(8, 4096), LlamaRMSNorm(4096).to("meta").bfloat16()
    with Traffic() as traffic, torch.no_grad():
        norm(x)
    # Six on the whole tensor, as listed; adding eps and the reciprocal root work on a number a row.
    assert traffic.operations == 8
    assert 8.9 < traffic.total / (2 * x.nbytes) < 9.1  # "nine times the least"


def test_separate_operations_of_swiglu_move_five():
    gate, up = on_meta(8, 64), on_meta(8, 64)
    with Traffic() as traffic:
        F.silu(gate) * up
    assert traffic.total == 5 * gate.nbytes


def test_a_norm_has_no_matrix_product_and_layer_norm_written_out_one_pass_more():
    x = on_meta(8, 4096)

    def rms(x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6)

    with FlopCounterMode(display=False) as counter:
        rms(x)
    assert counter.get_total_flops() == 0
    with Traffic() as of_rms:
        rms(x)
    with Traffic() as of_layer_norm:
        rms(x - x.mean(-1, keepdim=True))
    assert of_layer_norm.total > of_rms.total + 2.9 * x.nbytes  # reads for the mean, reads and writes to subtract


def intensity(rows: int) -> float:
    x, weight = on_meta(rows, 4096), on_meta(4096, 14336)
    with FlopCounterMode(display=False) as counter:
        out = x @ weight
    return counter.get_total_flops() / sum(t.nbytes for t in (x, weight, out))


def test_what_waits_for_memory_and_what_for_arithmetic():
    rows = {"one_token": 1, "few_tokens": 32, "many_tokens": 2048}
    per_byte = {name: intensity(m) for name, m in rows.items()}
    per_byte["norm"] = 6 / 4  # square, add, multiply twice, …: a handful for an element of 2 bytes in and 2 out
    found = {name: "arithmetic" if n > 100 else "memory" for name, n in per_byte.items()}
    assert found == {item.id: item.target for item in QUESTIONS["what_does_it_wait_for"].items}
    assert 0.9 < per_byte["one_token"] < 1.1 and 30 < per_byte["few_tokens"] < 33


def test_a_fused_norm_works_in_one_order_only():
    torch.manual_seed(0)
    memory, weight = torch.randn(1024, 128).bfloat16(), (torch.rand(128) + 0.5).bfloat16()
    exact = memory.double() * (memory.double().square().mean(-1, keepdim=True) + 1e-6).rsqrt() * weight.double()
    steps = {
        "load": lambda s: s.update(row=memory),
        "widen": lambda s: s.update(row=s["row"].float()),
        "mean": lambda s: s.update(number=s["row"].square().mean(-1, keepdim=True)),
        "root": lambda s: s.update(number=(s["number"] + 1e-6).rsqrt()),
        "scale": lambda s: s.update(row=s["row"] * s["number"] * weight),
        "narrow": lambda s: s.update(row=s["row"].bfloat16()),
        "store": lambda s: s.update(out=s["row"]),
    }

    def rounded_once(s) -> bool:
        return s["out"].dtype == torch.bfloat16 and (s["out"] != exact.bfloat16()).float().mean() < 1e-3

    assert orders_that_work(steps, rounded_once) == [[s.id for s in QUESTIONS["inside_a_fused_norm"].steps]]


def test_what_is_said_of_two_devices_holds():
    mlp, x = model("llama", intermediate_size=512).model.layers[0].mlp, torch.randn(64, 32)
    cut = {name: getattr(mlp, name).weight for name in ("gate_proj", "up_proj", "down_proj")}
    halves = [slice(0, 256), slice(256, 512)]
    with torch.no_grad():
        whole = mlp(x)
        parts = [
            F.silu(x @ cut["gate_proj"][h].T) * (x @ cut["up_proj"][h].T) @ cut["down_proj"][:, h].T for h in halves
        ]
        inputs = [slice(0, 16), slice(16, 32)]
        half_sums = [[x[:, i] @ cut[name][:, i].T for name in ("gate_proj", "up_proj")] for i in inputs]
        other_cut = sum(F.silu(gate) * up for gate, up in half_sums) @ cut["down_proj"].T
    summed = parts[0] + parts[1]
    held = {
        "one_sum": torch.allclose(summed, whole, rtol=1e-4, atol=1e-4),
        "no_wait": torch.allclose(summed, whole, rtol=1e-4, atol=1e-4),  # each part was made from its own half
        "same_bits": torch.equal(summed, whole),
        "other_cut": torch.allclose(other_cut, whole, rtol=0.1, atol=0.1),
        "half_activations": parts[0].shape[-1] == whole.shape[-1] // 2,
    }
    assert held == {o.id: o.correct for o in QUESTIONS["swiglu_on_two_devices"].options}


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, by_method):
        ctx.save_for_backward(x) if by_method else setattr(ctx, "x", x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors or (ctx.x,)
        return 2 * x * grad, None


@pytest.mark.parametrize("by_method", [True, False])
def test_only_the_method_notices_a_change_in_place(by_method):
    leaf = torch.ones(3, requires_grad=True)
    x = leaf * 1
    out = Square.apply(x, by_method).sum()
    with torch.no_grad():
        x += 1
    if by_method:
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            out.backward()
    else:
        out.backward()
        assert (leaf.grad == 4).all()  # and 2 would be right: nothing was noticed
