"""Right and wrong ways to write `family_block(family, config)`."""

from dataclasses import replace
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from grader.answers import Answers
from lessons.support.llama import Attention, RMSNorm, SwiGLU, given_rope

answers = Answers(
    "family_block",
    why="Two facts set the three families apart, so two values do: which side of its sublayer a norm stands on, and "
    "over how many numbers queries and keys are normed. The block and its attention are written once and read them.",
)


@answers.right
def two_facts(family, config):
    norm_first, qk_norm = {"llama3": (True, ""), "qwen3": (True, "head"), "olmo2": (False, "width")}[family]

    class NormedAttention(Attention):
        def __init__(self):
            super().__init__(config)
            if qk_norm:
                heads = (1, 1) if qk_norm == "head" else (config.n_heads, config.n_kv_heads)
                self.q_norm, self.k_norm = (RMSNorm(n * config.head_dim, config.norm_eps) for n in heads)

        def forward(self, x, positions):
            q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
            if qk_norm == "width":
                q, k = self.q_norm(q), self.k_norm(k)
            q, k, v = (self._heads(part) for part in (q, k, v))
            if qk_norm == "head":
                q, k = self.q_norm(q), self.k_norm(k)
            q, k = given_rope(q, positions, config.rope_theta), given_rope(k, positions, config.rope_theta)
            out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
            return self.o_proj(out.transpose(1, 2).flatten(2))

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.attn, self.ffn = NormedAttention(), SwiGLU(config.dim, config.hidden_dim)
            self.attn_norm, self.ffn_norm = (RMSNorm(config.dim, config.norm_eps) for _ in range(2))

        def forward(self, x, positions):
            def step(x, f, norm):
                return x + (f(norm(x)) if norm_first else norm(f(x)))

            x = step(x, lambda y: self.attn(y, positions), self.attn_norm)
            return step(x, self.ffn, self.ffn_norm)

    return Block()


# A block in small parts, for variants and mistakes to change one of them.
FIRST = {"llama3": True, "qwen3": True, "olmo2": False}
QK = {"llama3": "", "qwen3": "head", "olmo2": "width"}


class _Attention(Attention):
    def __init__(self, config, qk="", eps=None, norm=RMSNorm):
        super().__init__(config)
        self.config, self.qk = config, qk
        for name, heads in {"q_norm": config.n_heads, "k_norm": config.n_kv_heads}.items() if qk else ():
            setattr(self, name, norm((heads if qk == "width" else 1) * config.head_dim, eps or config.norm_eps))

    def normed(self, q, k):
        """Projections [B, T, n·hd] in, heads [B, n, T, hd] out."""
        if self.qk == "width":
            q, k = self.q_norm(q), self.k_norm(k)
        q, k = self._heads(q), self._heads(k)
        return (self.q_norm(q), self.k_norm(k)) if self.qk == "head" else (q, k)

    def values(self, v):
        return self._heads(v)

    def turned(self, part, positions):
        return given_rope(part, positions, self.rope_theta)

    def queries_and_keys(self, x, positions):
        return (self.turned(part, positions) for part in self.normed(self.q_proj(x), self.k_proj(x)))

    def attend(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)

    def forward(self, x, positions):
        q, k = self.queries_and_keys(x, positions)
        return self.o_proj(self.attend(q, k, self.values(self.v_proj(x))).transpose(1, 2).flatten(2))


class _Block(nn.Module):
    def __init__(self, family, config, attention=_Attention, norm=RMSNorm, qk=None, ffn=SwiGLU):
        super().__init__()
        self.family, self.first = family, FIRST[family]
        self.attn = attention(config, QK[family] if qk is None else qk[family])
        self.ffn = ffn(config.dim, config.hidden_dim)
        self.attn_norm, self.ffn_norm = (norm(config.dim, config.norm_eps) for _ in range(2))

    def step(self, x, f, norm):
        return x + (f(norm(x)) if self.first else norm(f(x)))

    def forward(self, x, positions):
        x = self.step(x, lambda y: self.attn(y, positions), self.attn_norm)
        return self.step(x, self.ffn, self.ffn_norm)


@answers.right
def with_identities(family, config, dropout=0.0):
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.attn, self.ffn = _Attention(config, QK[family]), SwiGLU(config.dim, config.hidden_dim)
            self.ffn_norm, self.attn_norm = (RMSNorm(config.dim, config.norm_eps) for _ in range(2))
            self.drop, self.none = nn.Dropout(dropout), nn.Identity()

        def forward(self, x, positions):
            for f, norm in ((partial(self.attn, positions=positions), self.attn_norm), (self.ffn, self.ffn_norm)):
                before, behind = (norm, self.none) if FIRST[family] else (self.none, norm)
                x = x + self.drop(behind(f(before(x))))
            return x

    return Block()


@answers.right
def three_classes(family, config):
    class Llama3(nn.Module):
        def __init__(self):
            super().__init__()
            self.attn_norm, self.ffn_norm = RMSNorm(config.dim, config.norm_eps), RMSNorm(config.dim, config.norm_eps)
            self.attn, self.ffn = Attention(config), SwiGLU(config.dim, config.hidden_dim)

        def forward(self, x, positions):
            h = x + self.attn(self.attn_norm(x), positions)
            return h + self.ffn(self.ffn_norm(h))

    class Qwen3(Llama3):
        def __init__(self):
            super().__init__()
            self.attn = _Attention(config, "head")

    class Olmo2(Llama3):
        def __init__(self):
            super().__init__()
            self.attn = _Attention(config, "width")

        def forward(self, x, positions):
            h = x + self.attn_norm(self.attn(x, positions))
            return h + self.ffn_norm(self.ffn(h))

    return {"llama3": Llama3, "qwen3": Qwen3, "olmo2": Olmo2}[family]()


@answers.right
def scores_by_hand(family, config):
    class ByHand(_Attention):
        def attend(self, q, k, v):
            k, v = (part.repeat_interleave(q.shape[1] // k.shape[1], dim=1) for part in (k, v))
            scores = torch.einsum("bhqd,bhkd->bhqk", q * q.shape[-1] ** -0.5, k)
            ahead = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
            scores = scores.masked_fill(ahead, torch.finfo(scores.dtype).min)
            return scores.float().softmax(-1).to(v.dtype) @ v if v.dtype == torch.bfloat16 else scores.softmax(-1) @ v

    return _Block(family, config, ByHand)


@answers.right
def norm_in_groups(family, config):
    class Grouped(_Attention):
        def normed(self, q, k):
            if self.qk:
                pairs = ((q, self.q_norm), (k, self.k_norm))
                q, k = (n(p.unflatten(-1, (-1, len(n.weight)))).flatten(-2) for p, n in pairs)
            return self._heads(q), self._heads(k)

    return _Block(family, config, Grouped)


@answers.right
def norms_of_torch(family, config):
    def torchs(dim, eps):
        return nn.RMSNorm(dim, eps=eps)

    return _Block(family, config, partial(_Attention, norm=torchs), norm=torchs)


@answers.right
def rope_as_complex_numbers(family, config):
    class Complex(_Attention):
        def turned(self, part, positions):
            wide = part if part.dtype == torch.float64 else part.float()
            half = part.shape[-1] // 2
            pairs = torch.complex(wide[..., :half].contiguous(), wide[..., half:].contiguous())
            frequencies = self.rope_theta ** (-torch.arange(half) / half)
            angles = torch.outer(positions.to(wide.dtype), frequencies.to(wide.dtype))
            turned = pairs * torch.polar(torch.ones_like(angles), angles)
            return torch.cat((turned.real, turned.imag), dim=-1).to(part.dtype)

    return _Block(family, config, Complex)


@answers.right
def qwens_norm_before_the_transpose(family, config):
    class Early(_Attention):
        def normed(self, q, k):
            if self.qk != "head":
                return super().normed(q, k)
            q, k = (part.unflatten(-1, (-1, self.head_dim)) for part in (q, k))
            return self.q_norm(q).transpose(1, 2), self.k_norm(k).transpose(1, 2)

    return _Block(family, config, Early)


def _placed(family, config, step, only="olmo2", **options):
    """A block whose steps are `step(block, x, f, norm)` in the family `only`."""

    class Placed(_Block):
        def step(self, x, f, norm):
            return step(self, x, f, norm) if family == only else super().step(x, f, norm)

    return Placed(family, config, **options)


@answers.mistake(
    "OLMo 2's norm is placed on the input",
    "OLMo 2's sublayers read the stream as it is. Norm what they return, before it is added.",
)
def olmo2_norm_on_input(family, config):
    return _placed(family, config, lambda block, x, f, norm: x + f(norm(x)))


@answers.mistake(
    "OLMo 2's norm is placed outside the branch",
    "You norm the sum, as in 2017. OLMo 2 norms what the sublayer returns and leaves the stream alone: x + n(f(x)).",
)
def olmo2_post_norm(family, config):
    return _placed(family, config, lambda block, x, f, norm: norm(x + f(x)))


@answers.mistake(
    "OLMo 2's norm stands on both sides",
    "You keep the pre-norm and norm the output as well. OLMo 2 has one norm a branch, at its exit.",
)
def olmo2_both_sides(family, config):
    return _placed(family, config, lambda block, x, f, norm: x + norm(f(norm(x))))


@answers.mistake("OLMo 2's pre-norms are kept as well", "OLMo 2 has two norms a block, none before a sublayer.")
def olmo2_four_norms(family, config):
    block = _placed(family, config, lambda block, x, f, norm: x + norm(f(x)))
    if family == "olmo2":
        block.attn_out_norm, block.ffn_out_norm = (RMSNorm(config.dim, config.norm_eps) for _ in range(2))
    return block


@answers.mistake("OLMo 2's norm takes the sum, and x is added again", "The norm sees the sublayer's result alone.")
def olmo2_norm_of_the_sum(family, config):
    return _placed(family, config, lambda block, x, f, norm: x + norm(x + f(x)))


@answers.mistake("OLMo 2's branches have no norm", "Keep what the norm returns, and add that to the stream.")
def olmo2_no_norm(family, config):
    return _placed(family, config, lambda block, x, f, norm: x + f(x))


@answers.mistake(
    "only OLMo 2's attention has its norm behind", "The FFN's norm stands behind its sublayer, too: x + n(f(x)) twice."
)
def olmo2_ffn_norm_on_input(family, config):
    def step(block, x, f, norm):
        return x + (f(norm(x)) if norm is block.ffn_norm else norm(f(x)))

    return _placed(family, config, step)


@answers.mistake(
    "only OLMo 2's FFN has its norm behind", "Attention's norm stands behind its sublayer, too: x + n(f(x)) twice."
)
def olmo2_attn_norm_on_input(family, config):
    def step(block, x, f, norm):
        return x + (f(norm(x)) if norm is block.attn_norm else norm(f(x)))

    return _placed(family, config, step)


@answers.mistake("every family has its norms behind", "That is OLMo 2's place. Llama 3 and Qwen3 norm the input.")
def all_behind(family, config):
    block = _Block(family, config)
    block.first = False
    return block


@answers.mistake(
    "Qwen3 has OLMo 2's place of the norms", "Qwen3 has Llama's: the norm is at the entrance, x + f(n(x))."
)
def qwen3_norms_behind(family, config):
    return _placed(family, config, lambda block, x, f, norm: x + norm(f(x)), only="qwen3")


@answers.mistake("all three are Llama", "Qwen3 adds QK-norm. OLMo 2 adds another one, and moves the block's norms.")
def all_are_llama(family, config):
    return _Block("llama3", config)


@answers.mistake("Qwen3's block is Llama's", "QK-norm is missing: q_norm and k_norm, each as wide as a head.")
def qwen3_is_llama(family, config):
    return _Block("llama3" if family == "qwen3" else family, config)


@answers.mistake("OLMo 2 has no QK-norm", "OLMo 2 norms queries and keys too, over the full width of the projection.")
def olmo2_no_qk_norm(family, config):
    return _Block(family, config, qk=QK | {"olmo2": ""})


@answers.mistake("Llama 3 has QK-norm, too", "Llama 3 has none: q_norm and k_norm are Qwen3's and OLMo 2's.")
def llama3_qk_norm(family, config):
    return _Block(family, config, qk=QK | {"llama3": "head"})


@answers.mistake(
    "Qwen3's QK-norm runs over the full width",
    "That is OLMo 2's form. Qwen3 norms each head by itself: its weights are as wide as a head.",
)
def qwen3_full_width(family, config):
    return _Block(family, config, qk=QK | {"qwen3": "width"})


@answers.mistake(
    "OLMo 2's QK-norm runs over each head",
    "That is Qwen3's form. OLMo 2 norms the whole projection before it is cut into heads.",
)
def olmo2_per_head(family, config):
    return _Block(family, config, qk=QK | {"olmo2": "head"})


@answers.mistake(
    "OLMo 2 takes a mean for each head",
    "The weights are as wide as the projection, and so is the mean: one for all heads together.",
)
def olmo2_mean_per_head(family, config):
    class PerHead(_Attention):
        def normed(self, q, k):
            if self.qk != "width":
                return super().normed(q, k)
            unit = RMSNorm(self.head_dim, self.config.norm_eps).to(q.dtype).requires_grad_(False)
            q, k = (unit(part.unflatten(-1, (-1, self.head_dim))).flatten(-2) for part in (q, k))
            return self._heads(q * self.q_norm.weight), self._heads(k * self.k_norm.weight)

    return _Block(family, config, PerHead)


@answers.mistake(
    "Qwen3 takes one mean for all heads",
    "The weights are as wide as a head, and so is the mean: each head is divided by its own.",
)
def qwen3_mean_over_all(family, config):
    class Joint(_Attention):
        def normed(self, q, k):
            if self.qk != "head":
                return super().normed(q, k)
            scaled = []
            for part, weight in ((q, self.q_norm.weight), (k, self.k_norm.weight)):
                unit = RMSNorm(part.shape[-1], self.config.norm_eps).to(part.dtype).requires_grad_(False)
                scaled.append(self._heads(unit(part)) * weight)
            return scaled

    return _Block(family, config, Joint)


def _after_rope(*families):
    """An attention that norms behind RoPE where `families` do; heads are joined for OLMo 2's norm."""

    class AfterRope(_Attention):
        def queries_and_keys(self, x, positions):
            if self.qk not in families:
                return super().queries_and_keys(x, positions)
            parts = (self._heads(self.q_proj(x)), self._heads(self.k_proj(x)))
            q, k = (self.turned(part, positions).transpose(1, 2).flatten(2) for part in parts)
            return (part for part in self.normed(q, k))

    return AfterRope


@answers.mistake(
    "Qwen3's QK-norm comes after RoPE",
    "Norm first, then turn: the norm's weights do not commute with a rotation. One of the cases has weights that do.",
)
def qwen3_after_rope(family, config):
    return _Block(family, config, _after_rope("head"))


@answers.mistake(
    "OLMo 2's QK-norm comes after RoPE",
    "Norm first, then turn: the norm's weights do not commute with a rotation. One of the cases has weights that do.",
)
def olmo2_after_rope(family, config):
    return _Block(family, config, _after_rope("width"))


@answers.mistake("both QK-norms come after RoPE", "Norm first, then turn: the norm's weights do not commute with it.")
def both_after_rope(family, config):
    return _Block(family, config, _after_rope("head", "width"))


@answers.mistake(
    "Qwen3's norms are shared between q and k", "Queries and keys have a norm each: `k_norm` is a module of its own."
)
def qwen3_shared(family, config):
    block = _Block(family, config)
    if family == "qwen3":
        block.attn.k_norm = block.attn.q_norm
    return block


def _qwen(normed):
    """An attention whose QK-norm is `normed(attention, q, k)`, heads in and out, where it is Qwen3's."""

    class Qwen(_Attention):
        def normed(self, q, k):
            if self.qk == "head":
                return normed(self, self._heads(q), self._heads(k))
            return super().normed(q, k)

    return Qwen


@answers.mistake("Qwen3's keys go through q_norm", "k_norm is made and never used: keys have a norm of their own.")
def qwen3_q_norm_twice(family, config):
    return _Block(family, config, _qwen(lambda attn, q, k: (attn.q_norm(q), attn.q_norm(k))))


@answers.mistake("Qwen3's q_norm and k_norm are swapped", "q_norm is for queries, k_norm for keys.")
def qwen3_swapped(family, config):
    return _Block(family, config, _qwen(lambda attn, q, k: (attn.k_norm(q), attn.q_norm(k))))


@answers.mistake("Qwen3's QK-norm is made and never used", "Call q_norm and k_norm, and keep what they return.")
def qwen3_unused(family, config):
    return _Block(family, config, _qwen(lambda attn, q, k: (q, k)))


@answers.mistake(
    "Qwen3's queries and keys have length 1",
    "RMSNorm makes the mean square 1, so the length is √hd. You divide by the length itself.",
)
def qwen3_unit_length(family, config):
    def unit(attn, q, k):
        return F.normalize(q, dim=-1) * attn.q_norm.weight, F.normalize(k, dim=-1) * attn.k_norm.weight

    return _Block(family, config, _qwen(unit))


@answers.mistake("Qwen3's values are normed as well", "Only queries and keys are: values keep their sizes.")
def qwen3_values_too(family, config):
    class ValuesToo(_Attention):
        def values(self, v):
            return self.k_norm(self._heads(v)) if self.qk == "head" else self._heads(v)

    return _Block(family, config, ValuesToo)


@answers.mistake("QK-norm takes no gradient", "`no_grad` or `detach` around the norms: projections cannot learn.")
def qk_detached(family, config):
    class Detached(_Attention):
        def normed(self, q, k):
            q, k = super().normed(q, k)
            return (q.detach(), k.detach()) if self.qk else (q, k)

    return _Block(family, config, Detached)


@answers.mistake("QK-norm has an eps of its own", "QK-norm uses the config's norm_eps, as all norms of the block do.")
def qk_default_eps(family, config):
    return _Block(family, config, partial(_Attention, eps=1e-6))


@answers.mistake("the block's norms ignore the config's eps", "Hand norm_eps to every norm: families differ in it.")
def norms_default_eps(family, config):
    return _Block(family, config, norm=lambda dim, eps: RMSNorm(dim))


@answers.mistake("no norm has the config's eps", "Hand norm_eps to every norm, of the block and of queries and keys.")
def all_default_eps(family, config):
    return _Block(family, config, partial(_Attention, eps=1e-6), norm=lambda dim, eps: RMSNorm(dim))


@answers.mistake("RoPE's theta is hard-coded", "given_rope's default is 10,000. Pass the config's rope_theta.")
def default_theta(family, config):
    class DefaultTheta(_Attention):
        def turned(self, part, positions):
            return given_rope(part, positions) if self.qk else super().turned(part, positions)

    return _Block(family, config, DefaultTheta)


@answers.mistake("positions always count from zero", "Turn by the positions you are handed.")
def own_positions(family, config):
    class OwnPositions(_Attention):
        def forward(self, x, positions):
            return super().forward(x, torch.arange(x.shape[1]) if self.qk else positions)

    return _Block(family, config, OwnPositions)


@answers.mistake("RoPE is missing", "After the norm, queries and keys are turned by their positions: given_rope.")
def no_rope(family, config):
    class NoRope(_Attention):
        def turned(self, part, positions):
            return part if self.qk else super().turned(part, positions)

    return _Block(family, config, NoRope)


# Slips of an attention that serves all families, as the exercise's cell suggests it.
@answers.mistake("RoPE's theta is hard-coded in every family", "Pass the config's rope_theta to given_rope.")
def default_theta_everywhere(family, config):
    class DefaultTheta(_Attention):
        def turned(self, part, positions):
            return given_rope(part, positions)

    return _Block(family, config, DefaultTheta)


@answers.mistake("positions count from zero in every family", "Turn by the positions you are handed.")
def own_positions_everywhere(family, config):
    class OwnPositions(_Attention):
        def forward(self, x, positions):
            return super().forward(x, torch.arange(x.shape[1]))

    return _Block(family, config, OwnPositions)


@answers.mistake("RoPE is missing in every family", "Queries and keys are turned by their positions: given_rope.")
def no_rope_everywhere(family, config):
    class NoRope(_Attention):
        def turned(self, part, positions):
            return part

    return _Block(family, config, NoRope)


@answers.mistake("attention is not causal in any family", "It needs `is_causal=True`: a token must not look ahead.")
def not_causal_everywhere(family, config):
    class NotCausal(_Attention):
        def attend(self, q, k, v):
            return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)

    return _Block(family, config, NotCausal)


@answers.mistake("attention is not causal", "Your own attention needs `is_causal=True`: a token must not look ahead.")
def not_causal(family, config):
    class SeesAhead(_Attention):
        def attend(self, q, k, v):
            return F.scaled_dot_product_attention(q, k, v, is_causal=not self.qk, enable_gqa=True)

    return _Block(family, config, SeesAhead)


@answers.mistake(
    "scores are not divided by the root of head_dim",
    "QK-norm does not replace the division: normed queries and keys have length √hd, so scores still grow with it.",
)
def unscaled(family, config):
    class Unscaled(_Attention):
        def attend(self, q, k, v):
            scale = 1.0 if self.qk else None
            return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True, scale=scale)

    return _Block(family, config, Unscaled)


@answers.mistake("the block's two norms are swapped", "attn_norm belongs to attention, ffn_norm to the FFN.")
def norms_swapped(family, config):
    class Swapped(_Block):
        def step(self, x, f, norm):
            return super().step(x, f, self.attn_norm if norm is self.ffn_norm else self.ffn_norm)

    return Swapped(family, config)


@answers.mistake("attn_norm in both places", "The FFN's half has a norm of its own: ffn_norm is never used.")
def attn_norm_twice(family, config):
    class Twice(_Block):
        def step(self, x, f, norm):
            return super().step(x, f, self.attn_norm)

    return Twice(family, config)


@answers.mistake(
    "the FFN's residual is the block's input", "The second half adds to what the first one left, not to x."
)
def residual_from_input(family, config):
    class FromInput(_Block):
        def forward(self, x, positions):
            h = self.step(x, lambda y: self.attn(y, positions), self.attn_norm)
            return x + self.step(h, self.ffn, self.ffn_norm) - h

    return FromInput(family, config)


@answers.mistake("the FFN reads the block's input", "The FFN reads the stream that attention has already written to.")
def parallel(family, config):
    class Parallel(_Block):
        def forward(self, x, positions):
            h = self.step(x, lambda y: self.attn(y, positions), self.attn_norm)
            return h + self.step(x, self.ffn, self.ffn_norm) - x

    return Parallel(family, config)


class _GatedByGelu(SwiGLU):
    def forward(self, x):
        return self.down_proj(F.gelu(self.gate_proj(x), approximate="tanh") * self.up_proj(x))


@answers.mistake("the FFN's gate is GELU", "That is Gemma's. These three families gate with SiLU.")
def gelu_gate(family, config):
    return _Block(family, config, ffn=_GatedByGelu)


class _OnePlus(RMSNorm):
    def forward(self, x):
        return super().forward(x) * (1 + 1 / self.weight)  # = x/r · (1 + weight)


@answers.mistake("norms scale by 1 + weight", "That is Gemma's norm. In these three families it is the weight itself.")
def gemmas_norm(family, config):
    return _Block(family, config, norm=_OnePlus)


@answers.mistake("Qwen3's projections have biases", "Qwen2 and Qwen2.5 had biases on q, k and v. Qwen3 dropped them.")
def qwen2_biases(family, config):
    block = _Block(family, config)
    for name in ("q_proj", "k_proj", "v_proj") if family == "qwen3" else ():
        size = getattr(block.attn, name).out_features
        setattr(block.attn, name, nn.Linear(config.dim, size))
    return block


@answers.mistake("OLMo 2 has OLMo 1's norms", "OLMo 1 used LayerNorm without parameters. OLMo 2's is an RMSNorm.")
def olmo1_norms(family, config):
    def plain(dim, eps):
        return nn.LayerNorm(dim, eps, elementwise_affine=False)

    return _Block(family, config, norm=plain if family == "olmo2" else RMSNorm)


@answers.mistake("OLMo 2's norms subtract the mean", "That is LayerNorm. OLMo 2 norms with RMSNorm, everywhere.")
def olmo2_layer_norm(family, config):
    def centred(dim, eps):
        return nn.LayerNorm(dim, eps, bias=False)

    if family != "olmo2":
        return _Block(family, config)
    return _Block(family, config, partial(_Attention, norm=centred), norm=centred)


@answers.mistake("Qwen3's heads are as large as dim / n_heads", "head_dim is a number of its own in the config.")
def derived_head_dim(family, config):
    small = replace(config, head_dim=max(2, config.dim // config.n_heads // 2 * 2))
    return _Block(family, small if family == "qwen3" else config)


@answers.mistake("x is changed in place", "`+=` writes into the caller's tensor. Make a new one with `+`.")
def in_place(family, config):
    class InPlace(_Block):
        def step(self, x, f, norm):
            x += super().step(x, f, norm) - x
            return x

    return InPlace(family, config)
