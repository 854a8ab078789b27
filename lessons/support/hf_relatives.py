"""The parts of `relatives.py` beside Hugging Face's own, on the same random input."""

import torch
from torch import Tensor

from lessons.support.hf_layers import SMALL, randomise, small_model
from lessons.support.relatives import clamped_swiglu, llama31_frequencies, route, unweighted_rms_norm

# As in Llama 3.1's config.json.
LLAMA_31 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}


def pairs(seed: int = 0) -> dict[str, tuple[Tensor, Tensor]]:
    """Name -> (ours, Hugging Face's)."""
    torch.manual_seed(seed)
    gate, up = 6 * torch.randn(2, 5, SMALL.hidden_dim)
    x = torch.randn(11, SMALL.dim)
    experts = small_model("gpt_oss", num_local_experts=4).layers[0].mlp.experts
    nanochat = small_model("nanochat").layers[0]
    router = small_model("mixtral", num_local_experts=8, num_experts_per_tok=2).layers[0].mlp.gate
    randomise(router)
    with torch.no_grad():
        _, weights, chosen = router(x)
        mine, mine_chosen = route(x, router.weight, 2)
        theirs = experts._apply_gate(torch.stack((gate, up), -1).flatten(-2))  # gate and signal alternate there
    return {
        "gpt-oss: gate times signal": (clamped_swiglu(gate, up), theirs),
        "nanochat: norm": (unweighted_rms_norm(x, SMALL.norm_eps), nanochat.input_layernorm(x)),
        "Mixtral: weights of the experts": (mine, weights),
        "Mixtral: the experts chosen": (mine_chosen, chosen),
        "Llama 3.1: frequencies of RoPE": (llama31_frequencies(frequencies(128, 500000.0)), _llama31()),
    }


def frequencies(head_dim: int, theta: float) -> Tensor:
    """RoPE's radians a token, [head_dim / 2]."""
    return theta ** (-torch.arange(0, head_dim, 2) / head_dim)


def _llama31() -> Tensor:
    options = {"rope_type": "llama3", "rope_theta": 500000.0, **LLAMA_31}
    sizes = {"head_dim": 128, "max_position_embeddings": 131072}
    return small_model("llama", **sizes, rope_parameters=options).rotary_emb.inv_freq
