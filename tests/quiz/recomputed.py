"""The numbers that banks 09 to 12 ask for, read off real modules, tensors and configurations.

One function a question, under its name and with its parameters; none knows the bank's formula.
"""

import math

import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from transformers import DynamicCache
from transformers.models.llama.modeling_llama import LlamaRMSNorm
from transformers.models.mixtral.configuration_mixtral import MixtralConfig
from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock

from tests.quiz.hugging_face import llama_3_8b, model, parameters

SMOLLM2 = {
    "hidden_size": 576,
    "intermediate_size": 1536,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "head_dim": 64,
}
THETA = {"rope_type": "default", "rope_theta": 500000.0}


def attention(**sizes):
    return model("llama", meta=True, num_hidden_layers=1, **sizes).model.layers[0].self_attn


def size_of_the_cache(layers, kv_heads, tokens):
    attn = attention(num_attention_heads=32, num_key_value_heads=kv_heads, head_dim=128).bfloat16()
    x, cache = torch.empty(1, tokens, 32, dtype=torch.bfloat16, device="meta"), DynamicCache()
    for layer in range(layers):
        k, v = (p(x).view(1, tokens, -1, 128).transpose(1, 2) for p in (attn.k_proj, attn.v_proj))
        cache.update(k, v, layer)
    return sum(layer.keys.nbytes + layer.values.nbytes for layer in cache.layers) / 2**20


def divisor_of_a_score(dim, heads, head_dim):
    """Read off PyTorch's attention: the weights of two keys say how far apart their scores are."""
    q, k, v = torch.zeros(3, 1, 1, 2, head_dim, dtype=torch.float64)
    q[..., 0], k[..., 0, 0], v[..., 0, 0] = 8.0, 1.0, 1.0
    weight = F.scaled_dot_product_attention(q, k, v)[0, 0, 0, 0]
    divisor = 8.0 / torch.logit(weight).item()
    in_llama = attention(hidden_size=dim, num_attention_heads=heads, num_key_value_heads=heads, head_dim=head_dim)
    assert math.isclose(1 / in_llama.scaling, divisor)
    return divisor


def which_key_value_head(head):
    q, k = torch.randn(1, 32, 1, 4), torch.randn(1, 8, 1, 4)
    v = torch.arange(8.0).view(1, 8, 1, 1).expand(1, 8, 1, 4)
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)[0, head, 0, 0].item()


def parameters_of_a_small_model(vocab, layers, tied=True):
    sizes = {"vocab_size": vocab, "num_hidden_layers": layers, "tie_word_embeddings": tied, **SMOLLM2}
    return parameters(model("llama", meta=True, **sizes))


def first_loss(vocab):
    return F.cross_entropy(torch.zeros(4, vocab), torch.tensor([0, 1, 2, vocab - 1])).item()


def share_of_the_vocabulary(vocab):
    llama = llama_3_8b(vocab)
    return 100 * (parameters(llama.model.embed_tokens) + parameters(llama.lm_head)) / parameters(llama)


def largest_score(head_dim):
    """Of a thousand random keys, and of the query itself as a key."""
    rows = F.rms_norm(torch.randn(1000, head_dim, dtype=torch.float64), (head_dim,), eps=1e-12)
    scores = rows[0] @ rows.T * model("nanochat", meta=True, head_dim=head_dim).model.layers[0].self_attn.scaling
    assert scores.argmax() == 0
    return scores.max().item()


def mixture(dim, hidden, experts, top_k, device="meta"):
    sizes = {"hidden_size": dim, "intermediate_size": hidden, "num_local_experts": experts}
    with torch.device(device):
        return MixtralSparseMoeBlock(MixtralConfig(**sizes, num_experts_per_tok=top_k))


def parameters_a_token_uses(dim, hidden, experts, top_k):
    layer = mixture(dim, hidden, experts, top_k)
    return parameters(layer.gate) + parameters(layer.experts) // experts * top_k


def rotary(**rope):
    config = {"head_dim": 128, "max_position_embeddings": 131072, "rope_parameters": {**THETA, **rope}}
    return model("llama", **config).model.rotary_emb.inv_freq


def full_turn(pair):
    return 2 * math.pi / rotary()[pair].item()


def parameters_of_qk_norm(layers, heads, family="qwen3", kv_heads=8):
    sizes = {"num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": kv_heads}
    made = model(family, meta=True, head_dim=128, **sizes)
    return sum(p.numel() for name, p in made.named_parameters() if "q_norm" in name or "k_norm" in name)


def sum_of_squares_in_float16(n):
    """The smallest power of two of which n squares add up to infinity."""
    powers = (2.0**k for k in range(-8, 16))
    return next(a for a in powers if torch.full((n,), a, dtype=torch.half).square().sum().isinf())


def on_meta(*shape):
    return torch.empty(*shape, dtype=torch.bfloat16, device="meta")


class Traffic(TorchDispatchMode):
    """Bytes of all tensors that operations read and write. (Views read and write nothing.)"""

    total, operations = 0, 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        if not func.is_view and func.name() != "aten::detach":
            tensors = [t for t in tree_leaves((args, kwargs, out)) if isinstance(t, torch.Tensor)]
            self.total += sum(t.nbytes for t in tensors)
            self.operations += 1
        return out


def traffic_of_an_eager_norm(rows, dim):
    x, norm = on_meta(rows, dim), LlamaRMSNorm(dim).to("meta").bfloat16()
    with Traffic() as traffic, torch.no_grad():
        norm(x)
    return traffic.total / 2**20


def floor_of_a_token(bandwidth):
    read = [p for name, p in llama_3_8b().named_parameters() if "embed_tokens" not in name]
    return sum(p.nbytes for p in read) / (bandwidth * 1e9) * 1000


def kept_for_backward(rows, hidden):
    kept = {}

    def keep(tensor):
        kept[tensor.untyped_storage()._cdata] = tensor
        return tensor

    mlp = model("llama", meta=True, intermediate_size=hidden).model.layers[0].mlp.bfloat16().train()
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        out = mlp(on_meta(rows, 32).requires_grad_())
    assert out.requires_grad
    return sum(t.nbytes for t in kept.values() if sorted(t.shape) == sorted((rows, hidden))) / 2**20


def least_traffic_of_swiglu(rows, hidden, bandwidth):
    gate, up = on_meta(rows, hidden), on_meta(rows, hidden)
    out = F.silu(gate) * up
    return sum(t.nbytes for t in (gate, up, out)) / (bandwidth * 1e9) * 1000


def _named(*functions):
    return {f.__name__: f for f in functions}


KEYS = {
    "09_attention": _named(size_of_the_cache, divisor_of_a_score, which_key_value_head),
    "10_decoder": _named(parameters_of_a_small_model, first_loss, share_of_the_vocabulary),
    "11_model_families": _named(
        largest_score, parameters_a_token_uses, full_turn, parameters_of_qk_norm, sum_of_squares_in_float16
    ),
    "12_speed": _named(traffic_of_an_eager_norm, floor_of_a_token, kept_for_backward, least_traffic_of_swiglu),
}
