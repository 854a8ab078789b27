"""What bank 09 claims, tried on PyTorch's attention and on Hugging Face's Llama."""

import math
from itertools import pairwise

import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode
from transformers import DynamicCache
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

from quiz.bank import load
from tests.quiz.hugging_face import ids, model, parameters
from tests.quiz.orders import orders_that_work
from tests.quiz.recomputed import attention, size_of_the_cache

QUESTIONS = {q.id: q for q in load("09_attention").questions}


def changed_by_token_5(attend) -> set[int]:
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 8, 4)
    before, (q[5], k[5], v[5]) = attend(q, k, v), torch.randn(3, 4)
    after = attend(q, k, v)
    same = (before == after) | (before.isnan() & after.isnan())
    return set((~same).any(-1).nonzero().flatten().tolist())


def masked(allowed):
    def attend(q, k, v):
        return (q @ k.T).masked_fill(~allowed.bool(), -torch.inf).softmax(-1) @ v

    return attend


def test_only_one_mask_fits_the_observations():
    ones = torch.ones(8, 8)
    masks = {
        "one_too_far": masked(ones.tril(1)),
        "strictly_before": masked(ones.tril(-1)),
        "after_the_softmax": lambda q, k, v: (q @ k.T).softmax(-1).tril() @ v,
        "upside_down": masked(ones.triu()),
    }
    fits = {name: changed_by_token_5(attend) == {4, 5, 6, 7} for name, attend in masks.items()}
    assert fits == {o.id: o.correct for o in QUESTIONS["which_mask"].options}
    assert changed_by_token_5(masks["after_the_softmax"]) == set(range(8))
    assert changed_by_token_5(masks["upside_down"]) == set(range(6))
    assert masks["strictly_before"](*torch.randn(3, 8, 4))[0].isnan().all()


def test_the_steps_with_a_cache_work_in_one_order_only():
    llama, tokens = model("llama", num_hidden_layers=1), ids(6)
    layer, seen = llama.model.layers[0], {}
    layer.self_attn.register_forward_hook(lambda m, a, kw, out: seen.update(kw, out=out[0]), with_kwargs=True)
    with torch.no_grad():
        llama(tokens)
    attn, rows, right = layer.self_attn, seen["hidden_states"], seen["out"][:, -1:]
    cos, sin = seen["position_embeddings"]

    def heads(x, projection):
        return projection(x).view(1, x.shape[1], -1, 16).transpose(1, 2)

    _, old_k = apply_rotary_pos_emb(*[heads(rows, attn.k_proj)] * 2, cos, sin)
    old_v, new = heads(rows, attn.v_proj)[:, :, :-1], rows[:, -1:]

    def project(s):
        s.update(q=heads(new, attn.q_proj), k=heads(new, attn.k_proj), v=heads(new, attn.v_proj))
        s.update(keys=old_k[:, :, :-1], values=old_v)

    def rotate(s):
        s["q"], s["k"] = apply_rotary_pos_emb(s["q"], s["k"], cos[:, -1:], sin[:, -1:])

    def append(s):
        s["keys"], s["values"] = (torch.cat((s[a], s[b]), 2) for a, b in (("keys", "k"), ("values", "v")))

    def scores(s):
        s["scores"] = s["q"] @ s["keys"].repeat_interleave(2, 1).mT * attn.scaling

    steps = {
        "project": project,
        "rotate": rotate,
        "append": append,
        "scores": scores,
        "softmax": lambda s: s.update(weights=s["scores"].softmax(-1)),
        "sum": lambda s: s.update(read=s["weights"] @ s["values"].repeat_interleave(2, 1)),
        "output": lambda s: s.update(out=attn.o_proj(s["read"].transpose(1, 2).flatten(2))),
    }
    with torch.no_grad():
        found = orders_that_work(steps, lambda s: torch.allclose(s["out"], right, rtol=1e-5, atol=1e-6))
    assert found == [[step.id for step in QUESTIONS["one_decoding_step"].steps]]


def test_the_root_of_the_heads_size_is_what_is_said():
    torch.manual_seed(0)
    q, k = torch.randn(2, 400, 128, dtype=torch.float64)
    raw = q @ k.T
    assert abs(raw.std() / math.sqrt(128) - 1) < 0.02
    assert raw.softmax(-1).amax(-1).mean() > 0.75 > 0.1 > (raw / 128**0.5).softmax(-1).amax(-1).mean()
    assert (raw / 128**0.5).abs().max() > 4  # not bounded by 1
    assert not torch.allclose(raw / 128**0.5, F.cosine_similarity(q[:, None], k[None], -1), atol=0.5)  # no cosine
    assert torch.allclose(raw.softmax(-1).sum(-1), torch.ones(400, dtype=torch.float64))  # sums to 1 undivided


def partner(rotated: torch.Tensor, number: int) -> str:
    (other,) = set(rotated.flatten().abs().gt(1e-4).nonzero().flatten().tolist()) - {number}
    return f"n{other}"


def test_partners_are_those_of_both_layouts():
    rotary, found = model("llama", head_dim=8).model.rotary_emb, {}
    cos, sin = rotary(torch.zeros(1), torch.tensor([[3]]))
    turn = torch.polar(torch.ones(4), 3 * rotary.inv_freq)
    for number in (1, 6):
        one = F.one_hot(torch.tensor(number), 8).float()
        half, _ = apply_rotary_pos_emb(one.view(1, 1, 1, 8), one.view(1, 1, 1, 8), cos, sin)
        interleaved = torch.view_as_real(torch.view_as_complex(one.view(4, 2)) * turn)
        found |= {f"half_{number}": partner(half, number), f"inter_{number}": partner(interleaved, number)}
    assert found == {item.id: item.target for item in QUESTIONS["partners_in_rope"].items}


def test_positions_in_bfloat16_collide():
    exact, rounded = torch.arange(1000), torch.arange(1000, dtype=torch.bfloat16).long()
    assert torch.equal(rounded[:257], exact[:257]) and rounded[257] == 256
    distances = (rounded[1:] - rounded[:-1])[256:]
    assert set(distances.tolist()) >= {0, 2, 4} and (distances[256:] == 0).float().mean() > 0.6
    assert abs(math.cos(256) - math.cos(257)) > 0.1  # not harmless
    assert torch.finfo(torch.bfloat16).max > 3e38  # no overflow


def test_what_is_said_of_rope_holds():
    llama, scores = model("llama", head_dim=64), []
    rotary, q = llama.model.rotary_emb, torch.ones(1, 1, 1, 64)
    for distance in range(200):
        turned = apply_rotary_pos_emb(q, q, *rotary(q, torch.tensor([[distance]])))[0]
        scores.append((turned * q).sum().item())
    with torch.no_grad():
        near, far = (llama(ids(), position_ids=torch.arange(16)[None] + start).logits for start in (0, 100))
    held = {
        "length": math.isclose(turned.norm().item(), q.norm().item(), rel_tol=1e-5),
        "shift": torch.allclose(near, far, rtol=1e-4, atol=1e-4),
        "falls": all(a > b for a, b in pairwise(scores)),
        "values": values_are_turned(llama),
        "learned": parameters(rotary) > 0,
    }
    assert held == {o.id: o.correct for o in QUESTIONS["true_of_rope"].options}


def values_are_turned(llama) -> bool:
    cache, seen = DynamicCache(), []
    llama.model.layers[0].self_attn.v_proj.register_forward_hook(lambda m, a, out: seen.append(out))
    with torch.no_grad():
        llama(ids(), cache=cache)
    return not torch.equal(cache.layers[0].values.transpose(1, 2).flatten(2), seen[0])


def score_flops(kv_heads: int) -> int:
    q, k = torch.empty(1, 32, 64, 128, device="meta"), torch.empty(1, kv_heads, 64, 128, device="meta")
    with FlopCounterMode(display=False) as counter:
        q @ k.repeat_interleave(32 // kv_heads, 1).mT
    return counter.get_total_flops()


def test_what_becomes_four_times_smaller():
    many, few = (
        attention(hidden_size=4096, num_attention_heads=32, num_key_value_heads=kv, head_dim=128) for kv in (32, 8)
    )
    ratios = {
        "cache": size_of_the_cache(2, 32, 64) / size_of_the_cache(2, 8, 64),
        "v_proj": parameters(many.v_proj) / parameters(few.v_proj),
        "scores": score_flops(32) / score_flops(8),
        "o_proj": parameters(many.o_proj) / parameters(few.o_proj),
        "all_parameters": parameters(many) / parameters(few),
    }
    assert {name: ratio == 4 for name, ratio in ratios.items()} == {
        o.id: o.correct for o in QUESTIONS["four_times_smaller"].options
    }
    assert parameters(few) / parameters(many) == 0.625


@pytest.mark.parametrize("value", [-math.inf, torch.finfo(torch.float32).min, -1e9])
def test_a_hidden_key_gets_no_weight(value):
    weights = torch.tensor([2.0, -1.0, value]).softmax(-1)
    assert weights[2] == 0 and weights.sum() == 1
    assert torch.full((3,), value).softmax(-1).isnan().all() == math.isinf(value)


def test_the_wrong_values_hide_nothing():
    assert torch.tensor([2.0, -1.0, 0.0]).softmax(-1)[2] > torch.tensor([2.0, -1.0, 0.0]).softmax(-1)[1]
    for value in (math.inf, math.nan):
        assert torch.tensor([2.0, -1.0, value]).softmax(-1).isnan().any()
