"""DeepSeek-V3's attention, as a part that a `Family` may name: queries, keys and values come from narrow latents.

The latents are normed, so this is a norm at yet another place. Shown in lesson 11; small sizes only.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lessons.support.llama import DecoderConfig, RMSNorm, given_rope


@dataclass(frozen=True)
class Latents:
    """Widths: of the two latents, and in a head of its unturned part, its turned part and its value."""

    query: int = 20
    key_value: int = 12
    plain: int = 6
    turned: int = 4
    value: int = 10


class LatentAttention(nn.Module):
    """Multi-head latent attention with Hugging Face's names. x: [B, T, dim] both ways; positions: [T]."""

    def __init__(self, config: DecoderConfig, sizes: Latents):
        super().__init__()
        self.sizes, self.heads, self.theta = sizes, config.n_heads, config.rope_theta
        per_head = {"q": sizes.plain + sizes.turned, "kv": sizes.plain + sizes.value}
        self.q_a_proj = _matrix(config.dim, sizes.query)
        self.q_a_layernorm = RMSNorm(sizes.query, 1e-6)  # the model's code gives the latents' norms no other eps
        self.q_b_proj = _matrix(sizes.query, self.heads * per_head["q"])
        self.kv_a_proj_with_mqa = _matrix(config.dim, sizes.key_value + sizes.turned)
        self.kv_a_layernorm = RMSNorm(sizes.key_value, 1e-6)
        self.kv_b_proj = _matrix(sizes.key_value, self.heads * per_head["kv"])
        self.o_proj = _matrix(self.heads * sizes.value, config.dim)

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        sizes = self.sizes
        q = self._heads(self.q_b_proj(self.q_a_layernorm(self.q_a_proj(x))))
        q, q_turned = q.split((sizes.plain, sizes.turned), -1)
        latent, k_turned = self.kv_a_proj_with_mqa(x).split((sizes.key_value, sizes.turned), -1)
        k, v = self._heads(self.kv_b_proj(self.kv_a_layernorm(latent))).split((sizes.plain, sizes.value), -1)
        q_turned = self._turn(q_turned, positions)
        k_turned = self._turn(k_turned.unsqueeze(1), positions).expand_as(q_turned)  # one for all heads
        q, k = torch.cat((q, q_turned), -1), torch.cat((k, k_turned), -1)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(out.transpose(1, 2).flatten(2))

    def _turn(self, x: Tensor, positions: Tensor) -> Tensor:
        """RoPE on neighbouring pairs: brought into the half-split order first, which no score notices."""
        return given_rope(x.unflatten(-1, (-1, 2)).mT.flatten(-2), positions, self.theta)

    def _heads(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


def _matrix(fan_in: int, fan_out: int) -> nn.Linear:
    return nn.Linear(fan_in, fan_out, bias=False)


def hugging_face_options(config: DecoderConfig, sizes: Latents) -> dict:
    """The same sizes under the names of DeepSeek-V3's config; its one layer is a dense one."""
    return {
        "num_key_value_heads": config.n_heads,
        "q_lora_rank": sizes.query,
        "kv_lora_rank": sizes.key_value,
        "qk_nope_head_dim": sizes.plain,
        "qk_rope_head_dim": sizes.turned,
        "head_dim": sizes.turned,
        "v_head_dim": sizes.value,
        "first_k_dense_replace": 1,
    }
