"""Right and wrong ways to write `class Attention(nn.Module)`.

Most wrong ones are wrong in one place: they derive from `_Steps`, the layer with its steps as methods, and change one.
"""

import torch
import torch.nn.functional as F
from torch import nn

from grader.answers import Answers
from lessons.support.llama import given_rope

answers = Answers(
    "Attention",
    why="Project, cut into heads, turn q and k, attend, join the heads, project back. View and transpose belong "
    "together both ways: the heads lie side by side within a token, so a plain reshape would mix up tokens. "
    "o_proj reads H·hd numbers, one piece from each query head.",
)


def _layers(module, c, **options):
    """The four layers as they should be: common to those that go wrong in `forward`."""
    options = {"bias": False} | options
    module.q_proj = nn.Linear(c.dim, c.n_heads * c.head_dim, **options)
    module.k_proj = nn.Linear(c.dim, c.n_kv_heads * c.head_dim, **options)
    module.v_proj = nn.Linear(c.dim, c.n_kv_heads * c.head_dim, **options)
    module.o_proj = nn.Linear(c.n_heads * c.head_dim, c.dim, **options)


@answers.right
class WithGivenRope(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.head_dim, self.theta = config.head_dim, config.rope_theta
        self.q_proj = nn.Linear(config.dim, config.n_heads * config.head_dim, bias=False)
        self.k_proj = nn.Linear(config.dim, config.n_kv_heads * config.head_dim, bias=False)
        self.v_proj = nn.Linear(config.dim, config.n_kv_heads * config.head_dim, bias=False)
        self.o_proj = nn.Linear(config.n_heads * config.head_dim, config.dim, bias=False)

    def forward(self, x, positions):
        batch, length, _ = x.shape
        projected = (layer(x) for layer in (self.q_proj, self.k_proj, self.v_proj))
        q, k, v = (y.view(batch, length, -1, self.head_dim).transpose(1, 2) for y in projected)
        q, k = (given_rope(y, positions, self.theta) for y in (q, k))
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.o_proj(out.transpose(1, 2).reshape(batch, length, -1))


@answers.right
class AllByHand(nn.Module):
    def __init__(self, config, layer_idx: int = 0):
        super().__init__()
        self.config, self.layer_idx = config, layer_idx
        _layers(self, config)

    def _turn(self, x, positions):
        half = self.config.head_dim // 2
        inv_freq = 1.0 / self.config.rope_theta ** (torch.arange(0, 2 * half, 2).float() / (2 * half))
        angles = (positions.float()[:, None] * inv_freq).repeat(1, 2)
        turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
        return x * angles.cos().to(x.dtype) + turned * angles.sin().to(x.dtype)

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        c, (b, t, _) = self.config, x.shape
        q = self._turn(self.q_proj(x).view(b, t, c.n_heads, c.head_dim).permute(0, 2, 1, 3), positions)
        k = self._turn(self.k_proj(x).view(b, t, c.n_kv_heads, c.head_dim).permute(0, 2, 1, 3), positions)
        v = self.v_proj(x).view(b, t, c.n_kv_heads, c.head_dim).permute(0, 2, 1, 3)
        k, v = (y.repeat_interleave(c.n_heads // c.n_kv_heads, dim=1) for y in (k, v))
        scores = q @ k.mT * c.head_dim**-0.5
        scores = scores + torch.full((t, t), torch.finfo(scores.dtype).min, dtype=scores.dtype).triu(1)
        return self.o_proj((scores.softmax(-1) @ v).transpose(1, 2).contiguous().view(b, t, -1))


@answers.right
class OneProduct(nn.Module):
    """The weights joined to one matrix, queries in groups, complex RoPE, o_proj head by head."""

    def __init__(self, config):
        super().__init__()
        self.c = config
        _layers(self, config)

    def forward(self, x, positions):
        c = self.c
        weight = torch.cat([self.q_proj.weight, self.k_proj.weight, self.v_proj.weight])
        heads = F.linear(x, weight).unflatten(-1, (-1, c.head_dim))
        q, k, v = heads.split([c.n_heads, c.n_kv_heads, c.n_kv_heads], dim=2)  # [B, T, n, hd]
        angles = torch.outer(
            positions.double(), c.rope_theta ** -(torch.arange(c.head_dim // 2).double() * 2 / c.head_dim)
        )
        turn = torch.polar(torch.ones_like(angles), angles)[:, None]
        q, k = (self._turn(y, turn) for y in (q, k))
        q = q.unflatten(2, (c.n_kv_heads, -1)) / c.head_dim**0.5
        scores = torch.einsum("bqkgd,bskd->bkgqs", q, k)
        weights = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf).softmax(-1)
        out = torch.einsum("bkgqs,bskd->bqkgd", weights, v).flatten(2, 3)
        return torch.einsum("bthd,ohd->bto", out, self.o_proj.weight.unflatten(1, (c.n_heads, -1)))

    @staticmethod
    def _turn(y, turn):
        a, b = y.double().chunk(2, dim=-1)
        z = torch.complex(a, b) * turn
        return torch.cat((z.real, z.imag), dim=-1).to(y.dtype)


class _NoBias(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_out, n_in).normal_(std=n_in**-0.5))

    def forward(self, x):
        return x @ self.weight.T


@answers.right
class OwnLinearAndTokenByToken(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.c = config
        q, kv = config.n_heads * config.head_dim, config.n_kv_heads * config.head_dim
        self.o_proj, self.v_proj = _NoBias(q, config.dim), _NoBias(config.dim, kv)
        self.q_proj, self.k_proj = _NoBias(config.dim, q), _NoBias(config.dim, kv)

    def forward(self, x, positions, cache=None):
        c, group = self.c, self.c.n_heads // self.c.n_kv_heads
        q, k, v = (
            p(x).unflatten(-1, (-1, c.head_dim)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        q, k = given_rope(q, positions, c.rope_theta), given_rope(k, positions, c.rope_theta)
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        rows = [
            F.scaled_dot_product_attention(q[:, :, t : t + 1], k[:, :, : t + 1], v[:, :, : t + 1])
            for t in range(x.shape[1])
        ]
        return self.o_proj(torch.cat(rows, dim=2).transpose(1, 2).flatten(2))


@answers.right
class KeptFrequencies(nn.Module):
    """Frequencies in a buffer, made again in float32 where the module was cast."""

    def __init__(self, config):
        super().__init__()
        _layers(self, config)
        self.hd, self.theta = config.head_dim, config.rope_theta
        self.dropout = nn.Dropout(0.0)
        self.register_buffer("inv_freq", self._frequencies(), persistent=False)

    def _frequencies(self):
        return self.theta ** -(torch.arange(self.hd // 2, dtype=torch.float32) / (self.hd // 2))

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.inv_freq = self._frequencies().to(self.inv_freq.device)
        return self

    def forward(self, x, positions):
        cos, sin = (f(torch.outer(positions.float(), self.inv_freq)).to(x.dtype) for f in (torch.cos, torch.sin))
        q, k, v = (p(x).unflatten(-1, (-1, self.hd)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = (torch.cat((a * cos - b * sin, b * cos + a * sin), -1) for a, b in (q.chunk(2, -1), k.chunk(2, -1)))
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
        return self.dropout(self.o_proj(out.transpose(1, 2).flatten(-2)))


class _Steps(nn.Module):
    """The layer as it should be, a method a step."""

    def __init__(self, config):
        super().__init__()
        self.c = config
        self.layers()

    def layers(self):
        _layers(self, self.c)

    def forward(self, x, positions):
        q, k, v = (self.cut(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = self.turn(q, positions), self.turn(k, positions)
        k, v = self.repeat(k), self.repeat(v)
        return self.o_proj(self.join(self.attend(q, k, v)))

    def cut(self, x):
        return x.unflatten(-1, (-1, self.c.head_dim)).transpose(1, 2)

    def turn(self, x, positions):
        return given_rope(x, positions, self.c.rope_theta)

    def repeat(self, x):
        return x.repeat_interleave(self.c.n_heads // self.c.n_kv_heads, dim=1)

    def attend(self, q, k, v):
        return (self.mask(q @ k.mT * self.scale()).softmax(-1)) @ v

    def scale(self):
        return self.c.head_dim**-0.5

    def mask(self, scores):
        return scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)

    def join(self, x):
        return x.transpose(1, 2).flatten(2)


# Layers ---------------------------------------------------------------------------------------------------------------


@answers.mistake("biases", "nn.Linear has a bias unless told otherwise: `bias=False`, four times.")
class Biases(_Steps):
    def layers(self):
        _layers(self, self.c, bias=True)


@answers.mistake("a bias on o_proj", "Three layers are without a bias, the fourth has one.")
class BiasOnOutput(_Steps):
    def layers(self):
        _layers(self, self.c)
        self.o_proj = nn.Linear(self.c.n_heads * self.c.head_dim, self.c.dim)


@answers.mistake("biases on q, k and v", "Qwen2.5 has them; here all four layers are without.")
class BiasesOnQkv(_Steps):
    def layers(self):
        _layers(self, self.c, bias=True)
        self.o_proj = nn.Linear(self.c.n_heads * self.c.head_dim, self.c.dim, bias=False)


@answers.mistake(
    "the head's size is dim // n_heads", "The config has its own `head_dim`; together heads need not be as wide as dim."
)
class DerivesHeadDim(_Steps):
    def __init__(self, config):
        from dataclasses import replace

        super().__init__(replace(config, head_dim=config.dim // config.n_heads // 2 * 2 or 2))


@answers.mistake("o_proj is made for the key-value heads", "Every query head returns hd numbers: o_proj reads H·hd.")
class OProjOfKvWidth(_Steps):
    def layers(self):
        _layers(self, self.c)
        self.o_proj = nn.Linear(self.c.n_kv_heads * self.c.head_dim, self.c.dim, bias=False)


@answers.mistake("k and v are made for all query heads", "k_proj and v_proj lead to n_kv_heads · head_dim numbers.")
class MultiHead(_Steps):
    def layers(self):
        _layers(self, self.c)
        self.k_proj = nn.Linear(self.c.dim, self.c.n_heads * self.c.head_dim, bias=False)
        self.v_proj = nn.Linear(self.c.dim, self.c.n_heads * self.c.head_dim, bias=False)

    def repeat(self, x):
        return x


@answers.mistake("o_proj leads from dim to dim", "It reads the joined heads, H·hd numbers, which need not be dim.")
class SquareOutput(_Steps):
    def layers(self):
        _layers(self, self.c)
        self.o_proj = nn.Linear(self.c.dim, self.c.dim, bias=False)


@answers.mistake("o_proj is made and not used", "The joined heads still have to go through o_proj, back to dim.")
class OutputUnused(_Steps):
    def forward(self, x, positions):
        q, k, v = (self.cut(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = self.turn(q, positions), self.turn(k, positions)
        return self.join(self.attend(q, self.repeat(k), self.repeat(v)))


@answers.mistake("there is no o_proj", "The joined heads still have to go through a fourth layer, o_proj.")
class NoOutput(OutputUnused):
    def layers(self):
        _layers(self, self.c)
        del self.o_proj


@answers.mistake("one fused qkv_proj", "A fused product is fine, a fused parameter is not: Llama's files have three.")
class FusedParameter(_Steps):
    def layers(self):
        _layers(self, self.c)
        self.widths = [p.out_features for p in (self.q_proj, self.k_proj, self.v_proj)]
        del self.q_proj, self.k_proj, self.v_proj
        self.qkv_proj = nn.Linear(self.c.dim, sum(self.widths), bias=False)

    def forward(self, x, positions):
        q, k, v = (self.cut(y) for y in self.qkv_proj(x).split(self.widths, dim=-1))
        q, k = self.turn(q, positions), self.turn(k, positions)
        return self.o_proj(self.join(self.attend(q, self.repeat(k), self.repeat(v))))


@answers.mistake("the names wq, wk, wv, wo", "Those are Meta's names. Here: q_proj, k_proj, v_proj, o_proj.")
class MetasNames(_Steps):
    def layers(self):
        _layers(self, self.c)
        self.wq, self.wk, self.wv, self.wo = self.q_proj, self.k_proj, self.v_proj, self.o_proj
        del self.q_proj, self.k_proj, self.v_proj, self.o_proj

    def forward(self, x, positions):
        q, k, v = (self.cut(p(x)) for p in (self.wq, self.wk, self.wv))
        q, k = self.turn(q, positions), self.turn(k, positions)
        return self.wo(self.join(self.attend(q, self.repeat(k), self.repeat(v))))


@answers.mistake("k and v share a layer", "k_proj and v_proj are two layers with weights of their own.")
class SharedKv(_Steps):
    def layers(self):
        _layers(self, self.c)
        self.v_proj = self.k_proj


@answers.mistake("frozen weights", "`requires_grad=False` keeps the optimizer away. Leave parameters as they come.")
class Frozen(_Steps):
    def layers(self):
        _layers(self, self.c)
        self.requires_grad_(False)


@answers.mistake("super().__init__() is missing", "`nn.Module` must set itself up before it can hold a layer.")
class NoSuper(nn.Module):
    def __init__(self, config):
        _layers(self, config)

    def forward(self, x, positions):
        return x


# Heads ----------------------------------------------------------------------------------------------------------------


@answers.mistake(
    "heads are cut by a reshape alone",
    "Within a token the heads lie side by side: view as [B, T, H, hd] first, then exchange two axes.",
)
class CutByReshape(_Steps):
    def cut(self, x):
        return x.reshape(x.shape[0], -1, x.shape[1], self.c.head_dim)


@answers.mistake(
    "heads are joined by a reshape alone", "Exchange heads and tokens back before you flatten: [B, T, H, hd] first."
)
class JoinedByReshape(_Steps):
    def join(self, x):
        return x.reshape(x.shape[0], x.shape[2], -1)


@answers.mistake("heads are cut and joined by a reshape alone", "Both ways, two axes have to change places.")
class ReshapedBothWays(CutByReshape):
    def join(self, x):
        return x.reshape(x.shape[0], x.shape[2], -1)


@answers.mistake("v's heads are cut by a reshape alone", "q and k are cut rightly; v needs the same exchange of axes.")
class ValuesCutByReshape(_Steps):
    def forward(self, x, positions):
        q, k, v = self.cut(self.q_proj(x)), self.cut(self.k_proj(x)), self.v_proj(x)
        v = v.reshape(x.shape[0], -1, x.shape[1], self.c.head_dim)
        q, k = self.turn(q, positions), self.turn(k, positions)
        return self.o_proj(self.join(self.attend(q, self.repeat(k), self.repeat(v))))


@answers.mistake(
    "head and feature are exchanged when cutting", "A head's numbers lie next to each other: [H, hd], not [hd, H]."
)
class CutAcross(_Steps):
    def cut(self, x):
        return x.unflatten(-1, (self.c.head_dim, -1)).permute(0, 3, 1, 2)


@answers.mistake("head and feature are exchanged when joining", "Lay the heads side by side, each as a whole.")
class JoinedAcross(_Steps):
    def join(self, x):
        return x.permute(0, 2, 3, 1).flatten(2)


@answers.mistake("heads attend to each other", "Attention runs over tokens: [B, H, T, hd] before the scores.")
class OverHeads(_Steps):
    def attend(self, q, k, v):
        return super().attend(*(x.transpose(1, 2) for x in (q, k, v))).transpose(1, 2)


@answers.mistake("key-value heads are dealt out in turn", "Neighbouring query heads share a key-value head.")
class HeadsTiled(_Steps):
    def repeat(self, x):
        return x.repeat(1, self.c.n_heads // self.c.n_kv_heads, 1, 1)


@answers.mistake("the keys' heads are dealt out in turn", "v is right; k's heads need the same repetition in place.")
class KeysTiled(_Steps):
    def attend(self, q, k, v):
        group = self.c.n_heads // self.c.n_kv_heads
        return super().attend(q, k[:, ::group].repeat(1, group, 1, 1), v)


@answers.mistake("the values' heads are dealt out in turn", "k is right; v's heads need the same repetition in place.")
class ValuesTiled(_Steps):
    def attend(self, q, k, v):
        group = self.c.n_heads // self.c.n_kv_heads
        return super().attend(q, k, v[:, ::group].repeat(1, group, 1, 1))


@answers.mistake("key-value heads are repeated along the sequence", "Repeat along the axis of the heads, dim=1.")
class RepeatedAlongSequence(_Steps):
    def repeat(self, x):
        b, kv, t, hd = x.shape
        n = self.c.n_heads // kv
        return x.repeat_interleave(n, dim=2).reshape(b, kv * n, t, hd)


@answers.mistake("only the first key-value head is read", "Each group of query heads has its own key-value head.")
class FirstKvHead(_Steps):
    def repeat(self, x):
        return x[:, :1].expand(-1, self.c.n_heads, -1, -1)


# RoPE -----------------------------------------------------------------------------------------------------------------


@answers.mistake("RoPE in the interleaved layout", "Number i is turned with number i + hd/2, not with its neighbour.")
class Interleaved(_Steps):
    def turn(self, x, positions):
        shuffled = torch.cat((x[..., 0::2], x[..., 1::2]), dim=-1)
        return torch.stack(super().turn(shuffled, positions).chunk(2, dim=-1), dim=-1).flatten(-2)


@answers.mistake("RoPE on v as well", "Positions change q and k only. What is read stays as it is.")
class RopeOnValues(_Steps):
    def forward(self, x, positions):
        q, k, v = (self.turn(self.cut(p(x)), positions) for p in (self.q_proj, self.k_proj, self.v_proj))
        return self.o_proj(self.join(self.attend(q, self.repeat(k), self.repeat(v))))


@answers.mistake("there is no RoPE", "Without it, attention does not know where a token stands. Turn q and k.")
class NoRope(_Steps):
    def turn(self, x, positions):
        return x


@answers.mistake("RoPE on q alone", "Only the difference of two angles means a distance: turn k as well.")
class RopeOnQueries(_Steps):
    def forward(self, x, positions):
        q, k, v = (self.cut(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        return self.o_proj(self.join(self.attend(self.turn(q, positions), self.repeat(k), self.repeat(v))))


@answers.mistake("RoPE on k alone", "Only the difference of two angles means a distance: turn q as well.")
class RopeOnKeys(_Steps):
    def forward(self, x, positions):
        q, k, v = (self.cut(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        return self.o_proj(self.join(self.attend(q, self.repeat(self.turn(k, positions)), self.repeat(v))))


@answers.mistake("q is turned the other way than k", "Both by the same rule; the dot product takes the difference.")
class OppositeWays(_Steps):
    def forward(self, x, positions):
        q, k, v = (self.cut(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = self.turn(q, -positions), self.turn(k, positions)
        return self.o_proj(self.join(self.attend(q, self.repeat(k), self.repeat(v))))


@answers.mistake("RoPE before the heads are cut", "The pairs are those of one head: cut first, then turn.")
class RopeBeforeCutting(_Steps):
    def forward(self, x, positions):
        q, k = (self.turn(p(x)[:, None], positions)[:, 0] for p in (self.q_proj, self.k_proj))
        q, k, v = (self.cut(y) for y in (q, k, self.v_proj(x)))
        return self.o_proj(self.join(self.attend(q, self.repeat(k), self.repeat(v))))


@answers.mistake("RoPE on the stream", "Turn the heads of q and k, not x: v would be turned along with it.")
class RopeOnStream(_Steps):
    def forward(self, x, positions):
        even = x.shape[-1] // 2 * 2
        turned = self.turn(x[:, None, :, :even], positions)[:, 0]
        return super().forward(torch.cat((turned, x[..., even:]), dim=-1), torch.zeros_like(positions))


@answers.mistake("the positions are ignored", "You count 0, 1, 2, … yourself: use the argument `positions`.")
class CountsItself(_Steps):
    def turn(self, x, positions):
        return super().turn(x, torch.arange(x.shape[2]))


@answers.mistake("theta is always 10000", "Use `config.rope_theta`: Llama 3 has 500000.")
class ThetaHardCoded(_Steps):
    def turn(self, x, positions):
        return given_rope(x, positions, 10000.0)


@answers.mistake(
    "frequencies that are cast with the module",
    "`module.bfloat16()` rounds a buffer to 8 bits. Make the frequencies in float32 where you use them.",
)
class FrequenciesInABuffer(_Steps):
    def layers(self):
        _layers(self, self.c)
        half = self.c.head_dim // 2
        frequencies = self.c.rope_theta ** (-torch.arange(half, dtype=torch.float32) / half)
        self.register_buffer("inv_freq", frequencies, persistent=False)

    def turn(self, x, positions):
        angles = torch.outer(positions.float(), self.inv_freq.float())
        first, second = x.chunk(2, dim=-1)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


@answers.mistake("positions in x's dtype", "bfloat16 knows no 257. Keep positions and angles in float32.")
class PositionsInHalf(_Steps):
    def turn(self, x, positions):
        return super().turn(x, positions.to(x.dtype))


# Mask, scale, the rest ------------------------------------------------------------------------------------------------


@answers.mistake("there is no mask", "Every token reads the whole text. Hide the scores of later keys.")
class NoMask(_Steps):
    def mask(self, scores):
        return scores


@answers.mistake("the triangle is upside down", "Your queries read what comes later. They may read what came before.")
class UpsideDown(_Steps):
    def mask(self, scores):
        return scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).tril(-1), -torch.inf)


@answers.mistake("each token reads one ahead", "The triangle's edge is one step too far to the right: this is a leak.")
class OneTooFar(_Steps):
    def mask(self, scores):
        return scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(2), -torch.inf)


@answers.mistake("the diagonal is hidden", "A token reads itself too. Without that the first one has nothing: NaN.")
class DiagonalExcluded(_Steps):
    def mask(self, scores):
        return scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(), -torch.inf)


@answers.mistake("the mask comes after the softmax", "The weights no longer sum to 1. Mask the scores.")
class MaskAfterSoftmax(_Steps):
    def attend(self, q, k, v):
        return (q @ k.mT * self.scale()).softmax(-1).tril() @ v


@answers.mistake("hidden scores are set to 0", "e⁰ is 1, so hidden keys keep a weight. It takes minus infinity.")
class MaskedWithZero(_Steps):
    def mask(self, scores):
        return scores.tril()


@answers.mistake(
    "the mask goes by the numbers in `positions`",
    "Order in the sequence decides who may read whom. Here a token with a smaller position may come later.",
)
class MaskedByPosition(_Steps):
    def forward(self, x, positions):
        self.later = positions[:, None] < positions
        return super().forward(x, positions)

    def mask(self, scores):
        return scores.masked_fill(self.later, -torch.inf)


@answers.mistake("the softmax runs over the queries", "Each query's weights sum to 1, over its keys: dim=-1.")
class SoftmaxOverQueries(_Steps):
    def attend(self, q, k, v):
        return self.mask(q @ k.mT * self.scale()).softmax(-2) @ v


@answers.mistake("there is no scale", "Divide the scores by the root of the head's size.")
class NoScale(_Steps):
    def scale(self):
        return 1.0


@answers.mistake("the scale is the root of dim", "The dot product runs over one head: the root of head_dim.")
class ScaledByModelWidth(_Steps):
    def scale(self):
        return self.c.dim**-0.5


@answers.mistake("the scale is the root of dim / n_heads", "That need not be the head's size: use config.head_dim.")
class ScaledByDerivedSize(_Steps):
    def scale(self):
        return (self.c.dim / self.c.n_heads) ** -0.5


@answers.mistake(
    "the scale is head_dim without the root",
    "Divide by the root of head_dim, once. PyTorch's function does it by itself.",
)
class ScaledWithoutRoot(_Steps):
    def scale(self):
        return 1 / self.c.head_dim


@answers.mistake("keys in place of values", "The weights are applied to v.")
class SumsKeys(_Steps):
    def attend(self, q, k, v):
        return super().attend(q, k, k)


@answers.mistake("queries and keys are exchanged", "Rows are queries, columns are keys: q on the left.")
class Exchanged(_Steps):
    def attend(self, q, k, v):
        return super().attend(k, q, v)


@answers.mistake("the residual is added", "`x +` belongs to the block. Attention returns its update.")
class Residual(_Steps):
    def forward(self, x, positions):
        return x + super().forward(x, positions)


@answers.mistake("dropout", "In training mode your module drops weights at random. The contract has no dropout.")
class DropsOut(_Steps):
    def attend(self, q, k, v):
        return F.dropout(self.mask(q @ k.mT * self.scale()).softmax(-1), 0.2, self.training) @ v


@answers.mistake("the weights are detached", "Queries and keys learn through the weights: no `detach`, no `.data`.")
class WeightsDetached(_Steps):
    def attend(self, q, k, v):
        return super().attend(q.detach(), k.detach(), v)


@answers.mistake("the given layer is used", "`lessons.support.llama` has this layer; here you write it yourself.")
class TheGivenOne(nn.Module):
    def __new__(cls, config):
        from lessons.support.llama import Attention

        return Attention(config)
