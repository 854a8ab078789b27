"""Right and wrong ways to write `class Block(nn.Module)`."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from grader.answers import Answers
from lessons.support.llama import Attention, RMSNorm, SwiGLU

answers = Answers(
    "Block",
    why="Two pre-norm steps. Attention reads a normed copy of the stream and adds to the stream; the FFN reads a "
    "normed copy of what that left, and adds to it. Each half has a norm of its own, with the config's eps.",
)


class _Base(nn.Module):
    """The four parts as they should be: common to those that go wrong in `forward`, or in one part."""

    def __init__(self, config):
        super().__init__()
        self.attn_norm = RMSNorm(config.dim, config.norm_eps)
        self.attn = Attention(config)
        self.ffn_norm = RMSNorm(config.dim, config.norm_eps)
        self.ffn = SwiGLU(config.dim, config.hidden_dim)

    def forward(self, x, positions):
        h = x + self.attn(self.attn_norm(x), positions)
        return h + self.ffn(self.ffn_norm(h))


@answers.right
class Plain(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attn_norm = RMSNorm(config.dim, config.norm_eps)
        self.attn = Attention(config)
        self.ffn_norm = RMSNorm(config.dim, config.norm_eps)
        self.ffn = SwiGLU(config.dim, config.hidden_dim)

    def forward(self, x, positions):
        h = x + self.attn(self.attn_norm(x), positions)
        return h + self.ffn(self.ffn_norm(h))


@answers.right
class BuiltInNorms(nn.Module):
    def __init__(self, config, layer_index: int = 0):
        super().__init__()
        self.ffn, self.attn = SwiGLU(config.dim, config.hidden_dim), Attention(config)
        for name in ("ffn_norm", "attn_norm"):
            setattr(self, name, nn.RMSNorm(config.dim, eps=config.norm_eps))

    def forward(self, x: torch.Tensor, positions: torch.Tensor, dropout=None) -> torch.Tensor:
        a = self.attn(self.attn_norm(x), positions)
        f = self.ffn(self.ffn_norm(x + a))
        return x + a + f


@answers.right
class InPlaceOnBranches(_Base):
    def forward(self, x, positions):
        x = self.attn(self.attn_norm(x), positions).add_(x)
        return self.ffn(self.ffn_norm(x)).add_(x)


@answers.right
class Recomputed(_Base):
    def forward(self, x, positions):
        x = x + checkpoint(lambda h: self.attn(self.attn_norm(h), positions), x, use_reentrant=False)
        return x + checkpoint(lambda h: self.ffn(self.ffn_norm(h)), x, use_reentrant=False)


class _Matrices(nn.Module):
    def __init__(self, **sizes):
        super().__init__()
        for name, (fan_in, fan_out) in sizes.items():
            setattr(self, name, nn.Linear(fan_in, fan_out, bias=False))


@answers.right
class AllByHand(nn.Module):
    """Own parts: RoPE through complex numbers, repeated key-value heads, an additive mask, a fused gate and up."""

    def __init__(self, config):
        super().__init__()
        c, self.config = config, config
        queries, keys = c.n_heads * c.head_dim, c.n_kv_heads * c.head_dim
        self.attn_norm, self.ffn_norm = (_Weight(c.dim, c.norm_eps) for _ in range(2))
        to_keys = (c.dim, keys)
        self.attn = _Matrices(q_proj=(c.dim, queries), k_proj=to_keys, v_proj=to_keys, o_proj=(queries, c.dim))
        wide = (c.dim, c.hidden_dim)
        self.ffn = _Matrices(gate_proj=wide, up_proj=wide, down_proj=wide[::-1])

    def forward(self, x, positions):
        x = x + self.attend(self.attn_norm(x), positions)
        weights = torch.cat([self.ffn.gate_proj.weight, self.ffn.up_proj.weight])
        gate, up = F.linear(self.ffn_norm(x), weights).chunk(2, -1)
        return x + self.ffn.down_proj(gate * gate.sigmoid() * up)

    def attend(self, x, positions):
        c, (b, t, _) = self.config, x.shape
        q = self.turn(self.attn.q_proj(x).view(b, t, c.n_heads, c.head_dim), positions)
        k = self.turn(self.attn.k_proj(x).view(b, t, c.n_kv_heads, c.head_dim), positions)
        v = self.attn.v_proj(x).view(b, t, c.n_kv_heads, c.head_dim)
        k, v = (part.repeat_interleave(c.n_heads // c.n_kv_heads, dim=2) for part in (k, v))
        scores = torch.einsum("bihd,bjhd->bhij", q, k) / c.head_dim**0.5
        mask = torch.full((t, t), -torch.inf, dtype=scores.dtype).triu(1)
        out = torch.einsum("bhij,bjhd->bihd", (scores + mask).softmax(-1), v)
        return self.attn.o_proj(out.reshape(b, t, -1))

    def turn(self, x, positions):
        half = self.config.head_dim // 2
        angles = positions[:, None].float() * self.config.rope_theta ** (-torch.arange(half).float() / half)
        wide = x if x.dtype == torch.float64 else x.float()
        numbers = torch.complex(*wide.chunk(2, -1)) * torch.polar(torch.ones_like(angles), angles)[:, None]
        return torch.cat([numbers.real, numbers.imag], dim=-1).to(x.dtype)


class _Weight(nn.Module):
    def __init__(self, dim, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(dim)), eps

    def forward(self, x):
        return x / (x.square().mean(-1, keepdim=True) + self.eps).sqrt() * self.weight


@answers.right
class ByAHelper(_Base):
    def forward(self, x, positions=None, mask=None, cache=None):
        def step(h, norm, sublayer, *rest):
            return torch.add(h, sublayer(norm(h), *rest))

        return step(step(x, self.attn_norm, self.attn, positions), self.ffn_norm, self.ffn)


@answers.right
class Compiled(_Base):
    def forward(self, x, positions):
        return torch.compile(super().forward)(x, positions)


@answers.mistake(
    "the FFN's residual is the block's input",
    "The second step adds to x, which drops what attention wrote. Add to the stream that attention has left.",
)
class ResidualFromInput(_Base):
    def forward(self, x, positions):
        h = x + self.attn(self.attn_norm(x), positions)
        return x + self.ffn(self.ffn_norm(h))


@answers.mistake(
    "the FFN reads the block's input",
    "Both halves read x: that is the parallel block of GPT-J. Here the FFN reads the stream that attention has left.",
)
class Parallel(_Base):
    def forward(self, x, positions):
        return x + self.attn(self.attn_norm(x), positions) + self.ffn(self.ffn_norm(x))


@answers.mistake("the two norms are exchanged", "attn_norm goes with attn, ffn_norm with ffn.")
class NormsSwapped(_Base):
    def forward(self, x, positions):
        h = x + self.attn(self.ffn_norm(x), positions)
        return h + self.ffn(self.attn_norm(h))


@answers.mistake("attn_norm in both places", "Each half has a norm of its own: ffn_norm is never used.")
class AttnNormTwice(_Base):
    def forward(self, x, positions):
        h = x + self.attn(self.attn_norm(x), positions)
        return h + self.ffn(self.attn_norm(h))


@answers.mistake("ffn_norm in both places", "Each half has a norm of its own: attn_norm is never used.")
class FfnNormTwice(_Base):
    def forward(self, x, positions):
        h = x + self.attn(self.ffn_norm(x), positions)
        return h + self.ffn(self.ffn_norm(h))


@answers.mistake("ffn_norm is missing", "The FFN reads the stream as it is. It has to read it through ffn_norm.")
class FfnWithoutNorm(_Base):
    def forward(self, x, positions):
        h = x + self.attn(self.attn_norm(x), positions)
        return h + self.ffn(h)


@answers.mistake("attn_norm is missing", "Attention reads the stream as it is. It has to read it through attn_norm.")
class AttentionWithoutNorm(_Base):
    def forward(self, x, positions):
        h = x + self.attn(x, positions)
        return h + self.ffn(self.ffn_norm(h))


@answers.mistake("neither norm is used", "Each half reads the stream through its norm.")
class NoNorms(_Base):
    def forward(self, x, positions):
        h = x + self.attn(x, positions)
        return h + self.ffn(h)


@answers.mistake(
    "ffn_norm norms what attention returns",
    "Hugging Face calls it post_attention_layernorm, but it stands before the FFN, which reads the stream through it.",
)
class AttentionOutputNormed(_Base):
    def forward(self, x, positions):
        h = x + self.ffn_norm(self.attn(self.attn_norm(x), positions))
        return h + self.ffn(h)


@answers.mistake(
    "ffn_norm norms the stream itself", "After attention the stream goes on as it is: norm only what the FFN reads."
)
class SecondSkipNormed(_Base):
    def forward(self, x, positions):
        h = self.ffn_norm(x + self.attn(self.attn_norm(x), positions))
        return h + self.ffn(h)


@answers.mistake("attn_norm norms the stream itself", "Attention's result is added to x as it came, not to its norm.")
class FirstSkipNormed(_Base):
    def forward(self, x, positions):
        x = self.attn_norm(x)
        h = x + self.attn(x, positions)
        return h + self.ffn(self.ffn_norm(h))


@answers.mistake(
    "both norms act on the stream itself",
    "The norms' results are for the two halves only. The stream goes on as it is.",
)
class SkipsNormed(_Base):
    def forward(self, x, positions):
        x = self.attn_norm(x)
        x = x + self.attn(x, positions)
        x = self.ffn_norm(x)
        return x + self.ffn(x)


@answers.mistake(
    "the norms are on the halves' outputs", "That is OLMo 2's block. Here each half reads a normed stream."
)
class OutputNorms(_Base):
    def forward(self, x, positions):
        h = x + self.attn_norm(self.attn(x, positions))
        return h + self.ffn_norm(self.ffn(h))


@answers.mistake(
    "a post-norm block", "Your norms stand in the stream, after the additions. Put them before the two halves."
)
class PostNorm(_Base):
    def forward(self, x, positions):
        h = self.attn_norm(x + self.attn(x, positions))
        return self.ffn_norm(h + self.ffn(h))


@answers.mistake("no residual around attention", "Attention's result is added to x; it does not replace it.")
class NoAttentionSkip(_Base):
    def forward(self, x, positions):
        h = self.attn(self.attn_norm(x), positions)
        return h + self.ffn(self.ffn_norm(h))


@answers.mistake("no residual around the FFN", "The FFN's result is added to the stream; it does not replace it.")
class NoFfnSkip(_Base):
    def forward(self, x, positions):
        h = x + self.attn(self.attn_norm(x), positions)
        return self.ffn(self.ffn_norm(h))


@answers.mistake("no residuals", "Each half adds its result to the stream.")
class NoSkips(_Base):
    def forward(self, x, positions):
        return self.ffn(self.ffn_norm(self.attn(self.attn_norm(x), positions)))


@answers.mistake("one residual around both halves", "There are two: one around attention, one around the FFN.")
class OneSkip(_Base):
    def forward(self, x, positions):
        return x + self.ffn(self.ffn_norm(self.attn(self.attn_norm(x), positions)))


@answers.mistake(
    "the block's input is added twice", "After the first step x is part of the stream: do not add it again."
)
class InputTwice(_Base):
    def forward(self, x, positions):
        h = x + self.attn(self.attn_norm(x), positions)
        return x + h + self.ffn(self.ffn_norm(h))


@answers.mistake("the FFN reads attention's result alone", "The FFN reads the whole stream: x plus attention's result.")
class FfnReadsBranch(_Base):
    def forward(self, x, positions):
        a = self.attn(self.attn_norm(x), positions)
        return x + a + self.ffn(self.ffn_norm(a))


@answers.mistake("the FFN comes before attention", "In this block attention goes first.")
class FfnFirst(_Base):
    def forward(self, x, positions):
        h = x + self.ffn(self.ffn_norm(x))
        return h + self.attn(self.attn_norm(h), positions)


@answers.mistake("the FFN's step is missing", "Attention is half of the block: the FFN follows.")
class AttentionOnly(_Base):
    def forward(self, x, positions):
        return x + self.attn(self.attn_norm(x), positions)


@answers.mistake("attention's step is missing", "The FFN is half of the block: attention comes before it.")
class FfnOnly(_Base):
    def forward(self, x, positions):
        return x + self.ffn(self.ffn_norm(x))


@answers.mistake("the norms' eps is RMSNorm's default", "Hand the config's norm_eps to both norms.")
class DefaultEps(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.attn_norm, self.ffn_norm = RMSNorm(config.dim), RMSNorm(config.dim)


@answers.mistake("attn_norm has the default eps", "Hand the config's norm_eps to attn_norm, too.")
class DefaultEpsInAttention(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.attn_norm = RMSNorm(config.dim)


@answers.mistake("ffn_norm has the default eps", "Hand the config's norm_eps to ffn_norm, too.")
class DefaultEpsInFfn(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.ffn_norm = RMSNorm(config.dim)


@answers.mistake(
    "an eps of 1e-5 whatever the config says", "Llama's usual value, but this config may have another: norm_eps."
)
class FixedEps(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.attn_norm, self.ffn_norm = RMSNorm(config.dim, 1e-5), RMSNorm(config.dim, 1e-5)


@answers.mistake(
    "nn.RMSNorm without eps", "Without eps it takes the smallest number of the dtype. Hand it the config's norm_eps."
)
class BuiltInWithoutEps(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.attn_norm, self.ffn_norm = nn.RMSNorm(config.dim), nn.RMSNorm(config.dim)


@answers.mistake(
    "LayerNorm instead of RMSNorm", "LayerNorm subtracts the mean and has a bias. Llama's norm is RMSNorm."
)
class LayerNorms(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.attn_norm, self.ffn_norm = (nn.LayerNorm(config.dim, config.norm_eps) for _ in range(2))


@answers.mistake("LayerNorm without a bias", "The names fit, but LayerNorm subtracts the mean. Use RMSNorm.")
class LayerNormsWithoutBias(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.attn_norm, self.ffn_norm = (nn.LayerNorm(config.dim, config.norm_eps, bias=False) for _ in range(2))


@answers.mistake("one norm object in both places", "attn_norm and ffn_norm are two norms, each with its own weight.")
class SharedNorm(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.ffn_norm = self.attn_norm


@answers.mistake("the FFN is 4 times as wide as dim", "The config says how wide it is: hidden_dim.")
class FourTimesWide(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.ffn = SwiGLU(config.dim, 4 * config.dim)


@answers.mistake("the FFN's two widths are exchanged", "SwiGLU takes dim first, then hidden_dim.")
class WidthsSwapped(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.ffn = SwiGLU(config.hidden_dim, config.dim)


@answers.mistake("Hugging Face's names", "The lesson's names are attn_norm, attn, ffn_norm and ffn.")
class HuggingFaceNames(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.input_layernorm = RMSNorm(config.dim, config.norm_eps)
        self.self_attn = Attention(config)
        self.post_attention_layernorm = RMSNorm(config.dim, config.norm_eps)
        self.mlp = SwiGLU(config.dim, config.hidden_dim)

    def forward(self, x, positions):
        h = x + self.self_attn(self.input_layernorm(x), positions)
        return h + self.mlp(self.post_attention_layernorm(h))


@answers.mistake("Meta's names", "The lesson's names are attn_norm, attn, ffn_norm and ffn.")
class MetaNames(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention_norm = RMSNorm(config.dim, config.norm_eps)
        self.attention = Attention(config)
        self.ffn_norm = RMSNorm(config.dim, config.norm_eps)
        self.feed_forward = SwiGLU(config.dim, config.hidden_dim)

    def forward(self, x, positions):
        h = x + self.attention(self.attention_norm(x), positions)
        return h + self.feed_forward(self.ffn_norm(h))


@answers.mistake(
    "positions are made anew", "Hand on the positions you are given: they need not start at 0 or lie side by side."
)
class OwnPositions(_Base):
    def forward(self, x, positions):
        return super().forward(x, torch.arange(x.shape[1]))


@answers.mistake("all positions are 0", "Attention has to know where each token stands: hand it the positions.")
class ZeroPositions(_Base):
    def forward(self, x, positions):
        return super().forward(x, torch.zeros_like(positions))


@answers.mistake("x is changed in place", "`+=` writes into the caller's tensor. Make a new one with `+`.")
class InPlace(_Base):
    def forward(self, x, positions):
        x += self.attn(self.attn_norm(x), positions)
        x += self.ffn(self.ffn_norm(x))
        return x


@answers.mistake("the stream is detached in the first step", "`detach` cuts the way from the output back to x.")
class DetachedFirst(_Base):
    def forward(self, x, positions):
        h = x.detach() + self.attn(self.attn_norm(x), positions)
        return h + self.ffn(self.ffn_norm(h))


@answers.mistake("the stream is detached in the second step", "`detach` cuts the stream between attention and the FFN.")
class DetachedSecond(_Base):
    def forward(self, x, positions):
        h = x + self.attn(self.attn_norm(x), positions)
        return h.detach() + self.ffn(self.ffn_norm(h))


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing can learn.")
class NoGrad(_Base):
    def forward(self, x, positions):
        with torch.no_grad():
            return super().forward(x, positions)
