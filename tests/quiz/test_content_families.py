"""What bank 11 claims of model families, tried on Hugging Face's own layers."""

import torch
import torch.nn.functional as F
from torch import nn

from quiz.bank import load
from quiz.formula import evaluate
from tests.quiz.hugging_face import model
from tests.quiz.recomputed import parameters_of_qk_norm

QUESTIONS = {q.id: q for q in load("11_model_families").questions}


def sublayer(x):
    """Something that is neither linear nor blind for the size of what it reads."""
    return torch.tanh(3 * x) + 0.5 * x.roll(1, -1)


class Stub(nn.Module):
    """Stands for attention or the FFN, and remembers what it read."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x=None, *args, hidden_states=None, **kwargs):
        self.read = hidden_states if x is None else x
        out = self.function(self.read)
        return out if x is not None else (out, None)


def step_of(family: str, attention=sublayer):
    """One layer with stubs, its FFN silent, and all weights of norms alike: a function of x, and attention's stub."""
    layer = model(family, num_hidden_layers=1).model.layers[0]
    layer.self_attn, layer.mlp = Stub(attention), Stub(torch.zeros_like)
    for name, module in layer.named_children():
        if "norm" in name:
            nn.init.zeros_(module.weight) if "gemma" in family else nn.init.ones_(module.weight)
    return lambda x: layer(x, position_embeddings=None), layer.self_attn


def original(x):
    layer = nn.TransformerEncoderLayer(32, 4, norm_first=False)
    layer._sa_block, layer._ff_block, layer.norm2 = lambda x, *_, **__: sublayer(x), torch.zeros_like, nn.Identity()
    return layer(x)


def rms(x):
    return F.rms_norm(x, (32,), eps=1e-6)


def layer_norm(x):
    return F.layer_norm(x, (32,))


def test_norms_stand_where_it_is_said():
    x = 3 * torch.randn(1, 5, 32) + 1
    steps = {"llama3": "llama", "gemma3": "gemma3_text", "olmo2": "olmo2"}
    with torch.no_grad():
        results = {name: (step_of(family)[0](x), rms) for name, family in steps.items()}
        results["original"] = (original(x), layer_norm)
    found = {}
    for name, (result, n) in results.items():
        forms = {"pre": x + sublayer(n(x)), "sandwich": x + n(sublayer(n(x))), "output": x + n(sublayer(x))}
        forms["post"] = n(x + sublayer(x))
        (found[name],) = (form for form, value in forms.items() if torch.allclose(result, value, rtol=1e-4, atol=1e-4))
    assert found == {item.id: item.target for item in QUESTIONS["where_the_norm_stands"].items}


FOUR = ("llama", "qwen3", "gemma2", "olmo2")


def held_by(family: str) -> dict[str, bool]:
    layer, x = model(family, num_hidden_layers=1).model.layers[0], torch.randn(1, 5, 32)
    norms = [m for name, m in layer.named_modules() if name.endswith("norm") and "attn." not in name]
    linear = [m for m in layer.mlp.modules() if isinstance(m, nn.Linear)]
    silent, stub = step_of(family, torch.zeros_like)
    z = torch.linspace(-4, 4, 33)
    with torch.no_grad():
        return {
            "rms": all(torch.allclose(n(9 * x), n(x), atol=1e-3) and not torch.allclose(n(x + 9), n(x)) for n in norms),
            "identity": torch.equal(silent(x), x),
            "gated": len(linear) == 3,
            "swiglu": len(linear) == 3 and torch.allclose(layer.mlp.act_fn(z), F.silu(z), atol=1e-4),
            "reads_normed": torch.allclose(stub.read, rms(x), atol=1e-4),
            "qk": hasattr(layer.self_attn, "q_norm"),
        }


def test_what_is_said_of_all_four_holds_of_all_four():
    families = [held_by(family) for family in FOUR]
    held = {o.id: all(family[o.id] for family in families) for o in QUESTIONS["true_of_all_four"].options}
    assert held == {o.id: o.correct for o in QUESTIONS["true_of_all_four"].options}


def test_olmo_2_norms_the_full_width():
    trap = next(t for t in QUESTIONS["parameters_of_qk_norm"].traps if t.id == "full_width")
    assert parameters_of_qk_norm(28, 16, "olmo2") == evaluate(trap.formula, {"layers": 28, "heads": 16})
