"""What the questions about the stream and the place of norms claim (lessons 01 and 05)."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from grader import answers
from lessons.support.placement import look
from quiz.bank import load
from tests.quiz.measured.streams import rms
from tests.quiz.test_content import norm_parameters, pre_norm_decoder
from tests.quiz.trying import done, orders, rows

STREAM = {q.id: q for q in load("01_residual_stream").questions}
PLACEMENT = {q.id: q for q in load("05_norm_placement").questions}
DIM = 8


def unit(x):
    return F.rms_norm(x, (DIM,), eps=1e-9)


def attn(x):
    """A sublayer that mixes tokens."""
    return F.scaled_dot_product_attention(x, x.flip(-1), x.square(), is_causal=True)


def ffn(x):
    """A sublayer that does not."""
    return F.silu(x * 2) * x.roll(1, -1)


def changes(after, before, sublayer) -> set[str]:
    """What a pre-norm step does to the last token's stream: does it hold on to it, and does it look at others?"""
    kept = torch.allclose(after(before, torch.zeros_like), before)
    other = before.clone()
    other[..., 0, :] *= -2
    moved = after(other, sublayer)[..., -1, :] - after(before, sublayer)[..., -1, :]
    return ({"adds"} if kept else set()) | ({"from_others"} if moved.abs().max() > 1e-6 else set())


def test_who_does_what_to_the_stream():
    pre_norm = answers.of("pre_norm").reference
    found = {
        name: changes(lambda x, f: pre_norm(x, f, unit), rows(1, 5, DIM), sublayer)
        for name, sublayer in (("attention", attn), ("ffn", ffn))
    }
    targets = {"adds_from_others": {"adds", "from_others"}, "adds_from_itself": {"adds"}}
    told = {i.id: targets.get(i.target) for i in STREAM["who_does_what"].items}
    assert found == {name: told[name] for name in found}


def test_a_skip_has_no_parameters_and_the_stream_grows():
    layers = answers.of("residual_stream").reference(torch.randn(4, 4096), [torch.randn_like] * 32)
    assert rms(layers[-1]) == pytest.approx(33**0.5, rel=0.05)  # "like the root of their number"


def block_steps() -> dict:
    """Each step of `steps_of_a_block`, on the stream `row`, the normed `copy` and each sublayer's result."""
    return {
        "attn_norm": lambda s: s.update(copy=unit(s["row"]) * 1.5),
        "attention": lambda s: s.update(attn=attn(s.get("copy", s["row"]))),
        "attn_add": lambda s: s.update(row=s["row"] + s["attn"]),
        "ffn_norm": lambda s: s.update(copy=unit(s["row"]) * 0.7),
        "ffn": lambda s: s.update(ffn=ffn(s["copy"])),
        "ffn_add": lambda s: s.update(row=s["row"] + s["ffn"]),
    }


def test_the_steps_of_a_block_give_it_in_this_order_only():
    x = rows(1, 5, DIM)
    block = answers.of("pre_norm_block").reference
    wanted = block(x, attn, ffn, lambda x: unit(x) * 1.5, lambda x: unit(x) * 0.7)
    right, wrong = orders(PLACEMENT["steps_of_a_block"])
    assert torch.allclose(done(block_steps(), right, x), wanted)
    for other in wrong:
        assert not torch.allclose(done(block_steps(), other, x), wanted), other


def test_only_post_norm_touches_a_stream_whose_sublayer_is_silent():
    steps = {
        "outside": lambda x, f: unit(x + f(x)),
        "before": lambda x, f: x + f(unit(x)),
        "both": lambda x, f: x + unit(f(unit(x))),
        "after": lambda x, f: x + unit(f(x)),
    }
    x = rows(3, DIM)
    wanted = {
        "outside": answers.of("post_norm").reference(x, ffn, unit),
        "before": answers.of("pre_norm").reference(x, ffn, unit),
        "both": answers.of("sandwich_norm").reference(x, ffn, unit, unit),
    }
    assert all(torch.allclose(steps[name](x, ffn), y) for name, y in wanted.items())
    changed = {name for name, step in steps.items() if not torch.allclose(step(x, torch.zeros_like), x)}
    assert changed == {"outside"} and set(steps) == {i.id for i in PLACEMENT["name_the_placement"].items}


def test_a_final_norms_weight_can_be_folded_into_the_head_and_its_division_cannot():
    norm, head, x = nn.RMSNorm(DIM, eps=0.0).double(), nn.Linear(DIM, 5, bias=False).double(), rows(4, DIM)
    nn.init.normal_(norm.weight, generator=torch.Generator().manual_seed(0))
    assert torch.allclose(head(norm(x)), unit(x) @ (head.weight * norm.weight).T)
    assert torch.allclose(head(2 * x), 2 * head(x)) and torch.allclose(head(norm(2 * x)), head(norm(x)))


def test_price_of_pre_norm_is_not_the_number_of_norms_and_the_function_is_another():
    post = nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 8), 6, enable_nested_tensor=False)
    in_post = sum(isinstance(m, nn.LayerNorm) for m in post.modules())
    assert norm_parameters(pre_norm_decoder(6, 64)) / 64 == in_post + 1
    x = rows(3, DIM)
    reference = {name: answers.of(name).reference(x, ffn, unit) for name in ("pre_norm", "post_norm")}
    assert not torch.allclose(reference["pre_norm"], reference["post_norm"])


def test_the_share_of_a_contribution_falls_like_the_root_of_its_number():
    x, shares = unit(torch.randn(64, DIM * 512).double().view(-1, DIM)), {}
    for k in range(1, 65):
        branch = unit(torch.randn_like(x))
        shares[k] = rms(branch) / rms(x)
        x = x + branch
    assert all(share == pytest.approx(k**-0.5, rel=0.05) for k, share in shares.items())


def test_why_post_norm_warms_up_is_what_networks_show():
    cpu = torch.device("cpu")
    gradient = {
        (place, init): torch.stack([look(place, 12, init, seed, cpu).gradients for seed in range(3)]).mean(0)
        for place in ("post", "pre")
        for init in ("Xavier", "N(0, 0.02)")
    }
    post = gradient["post", "Xavier"]
    assert post.argmax() > 8 and post[-1] > 1.2 * post[0]  # near the output, of 12 blocks
    assert post[-1] > 2 * gradient["pre", "Xavier"][-1]
    assert gradient["post", "N(0, 0.02)"][-1] < gradient["pre", "N(0, 0.02)"][-1]  # "the reverse"
