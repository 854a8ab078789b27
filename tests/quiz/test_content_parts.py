"""What bank 11 claims of single parts: norms and their casts, RoPE, gates, routers, caps."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode
from transformers.models.gemma2.modeling_gemma2 import Gemma2RMSNorm
from transformers.models.gpt_oss.configuration_gpt_oss import GptOssConfig
from transformers.models.gpt_oss.modeling_gpt_oss import GptOssExperts
from transformers.models.llama.modeling_llama import LlamaRMSNorm, apply_rotary_pos_emb
from transformers.models.qwen3.modeling_qwen3 import Qwen3RMSNorm

from quiz.bank import load
from tests.quiz.hugging_face import ids, model
from tests.quiz.orders import orders_that_work
from tests.quiz.recomputed import mixture, parameters_a_token_uses, rotary, sum_of_squares_in_float16

QUESTIONS = {q.id: q for q in load("11_model_families").questions}
SCALED = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}


def order_matters(weight: torch.Tensor, distance: int = 1) -> bool:
    llama, norm = model("llama", head_dim=16), Qwen3RMSNorm(16, eps=1e-12)
    norm.weight = nn.Parameter(weight)
    x = torch.randn(1, 1, 1, 16)
    angles = llama.model.rotary_emb(x, torch.tensor([[distance]]))
    first, last = (apply_rotary_pos_emb(a, a, *angles)[0] for a in (norm(x), x))
    return not torch.allclose(first, norm(last), rtol=1e-4, atol=1e-5)


def test_norm_and_rope_commute_for_equal_weights_of_partners_only():
    torch.manual_seed(0)
    half = torch.rand(8) + 0.5
    assert order_matters(torch.rand(16) + 0.5)
    assert order_matters(torch.rand(16) + 0.5, distance=200)
    assert not order_matters(torch.cat((half, half))) and not order_matters(torch.cat((half, half)), 200)
    assert not order_matters(torch.ones(16))


def test_both_cast_orders_are_as_said():
    torch.manual_seed(0)
    x, gains = torch.randn(512, 1024).bfloat16(), torch.tensor([1.25, 0.75]).repeat(512)
    llama, gemma = LlamaRMSNorm(1024, eps=1e-6).bfloat16(), Gemma2RMSNorm(1024, eps=1e-6).bfloat16()
    llama.weight.data, gemma.weight.data = gains.bfloat16(), (gains - 1).bfloat16()
    normed = (x.double() * (x.double().square().mean(-1, keepdim=True) + 1e-6).rsqrt()).float()
    once, twice = (normed * gains).bfloat16(), (normed.bfloat16() * gains.bfloat16())
    with torch.no_grad():
        a, b = llama(x), gemma(x)
    held = {
        "both_upcast": all((norm != right).float().mean() < 3e-4 for norm, right in ((a, twice), (b, once))),
        "roundings": (a != twice).float().mean() < 3e-4 < 0.1 < (a != once).float().mean(),
        "identical": torch.equal(a, b),
        "one_is_wrong": not all(torch.allclose(n.float(), normed * gains, rtol=1.6e-2, atol=1e-3) for n in (a, b)),
        "overflow": bool((torch.tensor(256.0).bfloat16() ** 2).isinf()),
    }
    held = {name: bool(value) for name, value in held.items()}
    assert held == {o.id: o.correct for o in QUESTIONS["llama_and_gemma_cast"].options}
    assert 0.15 < (a != b).float().mean() < 0.35  # "about a quarter"
    apart = (a.view(torch.int16) - b.view(torch.int16)).abs()
    assert apart.max() == 1  # "one unit in the last place"


def gate_of(mlp) -> str:
    """Which of the targets an FFN is, by what it does to a gate of z and a signal of 2."""
    z = torch.linspace(-12, 12, 97)
    if hasattr(mlp, "_apply_gate"):
        result = mlp._apply_gate(torch.stack((z, torch.full_like(z, 2.0)), -1).flatten()).flatten()
        clamped = z.clamp(max=7)
        right = clamped * torch.sigmoid(1.702 * clamped) * 3
        return "clamped" if torch.allclose(result, right, atol=1e-5) else "unknown"
    gated = hasattr(mlp, "gate_proj")
    act = mlp.act_fn(z) if gated else mlp.activation_fn(z)
    forms = {
        "swiglu": (F.silu(z), True),
        "geglu": (F.gelu(z, approximate="tanh"), True),
        "relu2": (F.relu(z).square(), False),
        "gelu": (F.gelu(z), False),
    }
    (name,) = (n for n, (value, gate) in forms.items() if gate == gated and torch.allclose(act, value, atol=1e-5))
    return name


def test_activations_are_those_of_the_families():
    experts = GptOssExperts(GptOssConfig(hidden_size=8, intermediate_size=8, num_local_experts=2))
    found = {f: gate_of(model(f, num_hidden_layers=1).model.layers[0].mlp) for f in ("qwen3", "gemma2", "nanochat")}
    found["gpt_oss"] = gate_of(experts)
    assert found == {item.id: item.target for item in QUESTIONS["activations"].items}


def test_a_token_does_the_arithmetic_of_the_parameters_it_uses():
    layer = mixture(16, 24, experts=8, top_k=2, device="cpu")
    for weight in layer.parameters():
        nn.init.normal_(weight)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        layer(torch.randn(1, 1, 16))
    assert counter.get_total_flops() == 2 * parameters_a_token_uses(16, 24, 8, 2)


def test_a_router_works_in_one_order_only():
    torch.manual_seed(0)
    layer, x = mixture(16, 24, experts=8, top_k=2, device="cpu"), torch.randn(1, 1, 16)
    for weight in layer.parameters():
        nn.init.normal_(weight)

    def expert(i, token):
        gate, up = (layer.experts.gate_up_proj[i] @ token).chunk(2)
        return layer.experts.down_proj[i] @ (F.silu(gate) * up)

    def choose(s):
        s["weights"], s["chosen"] = s["weights"].topk(2)

    steps = {
        "score": lambda s: s.update(scores=layer.gate.weight @ x[0, 0]),
        "softmax": lambda s: s.update(weights=s["scores"].softmax(-1)),
        "choose": choose,
        "rescale": lambda s: s.update(weights=s["weights"] / s["weights"].sum()),
        "run": lambda s: s.update(
            out=sum(w * expert(i, x[0, 0]) for w, i in zip(s["weights"], s["chosen"], strict=True))
        ),
    }
    with torch.no_grad():
        right = layer(x)[0, 0]
        found = orders_that_work(steps, lambda s: torch.allclose(s["out"], right, rtol=1e-4))
        scores = layer.gate.weight @ x[0, 0]
    assert found == [[step.id for step in QUESTIONS["a_tokens_way_to_its_experts"].steps]]
    kept = scores.softmax(-1).topk(2).values
    assert torch.allclose(scores.topk(2).values.softmax(-1), kept / kept.sum())  # the other right way, in a feedback


def test_slow_pairs_are_slowed_and_fast_ones_are_not():
    before, after = rotary(), rotary(rope_type="llama3", **SCALED)
    ratio, turns = before / after, 8192 * before / (2 * math.pi)
    assert torch.allclose(ratio[turns < 1], torch.tensor(8.0)) and torch.allclose(ratio[turns > 4], torch.tensor(1.0))
    between = ratio[(turns >= 1) & (turns <= 4)]
    assert len(between) and (between > 1).all() and (between < 8).all()


@pytest.mark.parametrize("n", [1, 64, 4096])
def test_bfloat16_does_not_overflow_there(n):
    assert torch.full((n,), 65504.0, dtype=torch.bfloat16).square().sum().isfinite()
    assert sum_of_squares_in_float16(1) == 256


def test_gemma_2_caps_with_a_tanh():
    gemma = model("gemma2")
    nn.init.normal_(gemma.lm_head.weight, std=4)
    with torch.no_grad():
        raw = gemma.lm_head(gemma.model(ids()).last_hidden_state)
        logits = gemma(ids()).logits
    assert gemma.config.final_logit_softcapping == 30 and gemma.config.attn_logit_softcapping == 50
    assert raw.abs().max() > 40 > 30 > logits.abs().max()
    assert torch.allclose(logits, 30 * torch.tanh(raw / 30), rtol=1e-4, atol=1e-4)
    assert not hasattr(model("gemma3_text").model.layers[0].self_attn, "softcap")
