"""Right and wrong ways to write `class GemmaRMSNorm(nn.Module)`."""

import torch
from torch import nn

from grader.answers import Answers

answers = Answers(
    "GemmaRMSNorm",
    why="The weight is what is learned on top of 1, so it starts at zeros. Row and weight are float32 when they meet; "
    "the result is rounded a single time, by the cast at the end: it is the exact answer, rounded.",
)


def _norm(x, eps):
    """The normalised row in float32, common to most of these."""
    h = x.float()
    return h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)


class _Base(nn.Module):
    """What most of these share: eps and a weight of zeros."""

    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(dim))


@answers.right
class Plain(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        h = x.float()
        h = h * torch.rsqrt(h.square().mean(-1, keepdim=True) + self.eps)
        return (h * (1 + self.weight.float())).to(x.dtype)


@answers.right
class AsInHuggingFace(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        output = self._norm(x.float())
        output = output * (1.0 + self.weight.float())
        return output.type_as(x)


@answers.right
class InDouble(nn.Module):
    def __init__(self, hidden_size, eps=1e-6, device=None):
        super().__init__()
        self.variance_epsilon = eps
        self.weight = nn.Parameter(torch.zeros(hidden_size, device=device))

    def forward(self, x):
        h, gain = x.double(), 1 + self.weight.double()
        return (h / (h.pow(2).mean(-1, keepdim=True) + self.variance_epsilon).sqrt() * gain).to(x.dtype)


@answers.right
class AddedProduct(_Base):
    def forward(self, x):
        h = _norm(x, self.eps)
        return torch.addcmul(h, h, self.weight.float()).to(x.dtype)


@answers.right
class RowTimesWeightPlusRow(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.empty(dim)))
        nn.init.zeros_(self.weight)
        self.register_buffer("one", torch.ones(()), persistent=False)
        self.eps = eps

    def forward(self, x):
        h = x.to(torch.float32)
        r = (torch.linalg.vector_norm(h, dim=-1, keepdim=True) ** 2 / h.shape[-1] + self.eps).sqrt()
        gain = self.one.float() + self.weight.to(torch.float32)
        return torch.einsum("...d,d->...d", h / r, gain).to(x.dtype)


@answers.right
class WeightKeptInFloat32(_Base):
    """The gain is made in float32 and meets the row there by promotion."""

    def forward(self, x):
        gain = self.weight.to(torch.promote_types(x.dtype, torch.float32)).add(1.0)
        return (gain * _norm(x, self.eps)).to(dtype=x.dtype)


@answers.mistake(
    "Llama's cast order",
    "You cast the normalised row first and scale it in half precision: that rounds more than once. Scale in float32, "
    "cast once, at the end.",
)
class LlamasOrder(_Base):
    def forward(self, x):
        return _norm(x, self.eps).to(x.dtype) * (1 + self.weight)


@answers.mistake(
    "1 + weight is rounded",
    "The 1 is added in half precision, where small weights lose their last bits. Take the weight to float32 first.",
)
class GainInHalf(_Base):
    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight)).to(x.dtype)


@answers.mistake(
    "the row is cast twice",
    "You scale in float32, but the normalised row had been rounded to half precision before. One cast, at the end.",
)
class CastTwice(_Base):
    def forward(self, x):
        h = _norm(x, self.eps).to(x.dtype)
        return (h.float() * (1 + self.weight.float())).to(x.dtype)


@answers.mistake(
    "everything in the dtype of x",
    "In float16 the square of 300 is infinite and that of 1e-4 is zero. Go to float32 before you square.",
)
class NoUpcast(_Base):
    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * (1 + self.weight)


@answers.mistake(
    "the squares are taken before the upcast",
    "float32 comes too late: the squares have overflowed by then. Upcast x itself.",
)
class UpcastAfterSquares(_Base):
    def forward(self, x):
        r = (x.square().mean(-1, keepdim=True).float() + self.eps).sqrt()
        return (x.float() / r * (1 + self.weight.float())).to(x.dtype)


@answers.mistake(
    "the mean is taken in float32, the squares are not",
    "float32 comes too late (`.float()` on the squares, or `dtype=` on their mean): they have overflowed by then. "
    "Upcast x itself.",
)
class UpcastSquares(_Base):
    def forward(self, x):
        r = (x.square().float().mean(-1, keepdim=True) + self.eps).sqrt()
        return (x.float() / r * (1 + self.weight.float())).to(x.dtype)


@answers.mistake(
    "the 1 is forgotten",
    "The weight starts at zeros, and the gain is 1 + weight. As it stands, a new module returns zeros.",
)
class NoOne(_Base):
    def forward(self, x):
        return (_norm(x, self.eps) * self.weight.float()).to(x.dtype)


@answers.mistake("1 + weight with a weight of ones", "The gain would be 2 at first. Gemma's weight starts at zeros.")
class OnePlusOnes(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.float())).to(x.dtype)


@answers.mistake(
    "Llama's RMSNorm", "A gain of `weight`, from ones: that is Llama's. Gemma's gain is 1 + weight, from zeros."
)
class Llamas(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return self.weight * _norm(x, self.eps).to(x.dtype)


@answers.mistake(
    "Llama's gain",
    "A gain of `weight`, from ones: that is Llama's. Gemma's gain is 1 + weight, from zeros. Your cast stands where "
    "Gemma's does.",
)
class LlamasGain(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return (_norm(x, self.eps) * self.weight.float()).to(x.dtype)


@answers.mistake("the weight starts at random", "Start at zeros: a gain of exactly 1, which changes nothing.")
class Random(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.randn(dim))

    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("1 + weight is added to the row", "The gain is a factor: the row is multiplied by 1 + weight.")
class Added(_Base):
    def forward(self, x):
        return (_norm(x, self.eps) + 1 + self.weight.float()).to(x.dtype)


@answers.mistake("the weight is added to the row", "The gain is a factor: the row is multiplied by 1 + weight.")
class Bias(_Base):
    def forward(self, x):
        return (_norm(x, self.eps) + self.weight.float()).to(x.dtype)


@answers.mistake("a gain of 1 - weight", "The weight is what is learned on top of 1: the gain is 1 + weight.")
class OneMinusWeight(_Base):
    def forward(self, x):
        return (_norm(x, self.eps) * (1 - self.weight.float())).to(x.dtype)


@answers.mistake("dividing by 1 + weight", "The gain is a factor: the row is multiplied by 1 + weight.")
class Divides(_Base):
    def forward(self, x):
        return (_norm(x, self.eps) / (1 + self.weight.float())).to(x.dtype)


@answers.mistake("the weight is never used", "Multiply the row by 1 + weight, or nothing is ever learned.")
class Unused(_Base):
    def forward(self, x):
        return _norm(x, self.eps).to(x.dtype)


@answers.mistake("the result stays float32", "Cast the result to the dtype of x before it is returned.")
class StaysFloat32(_Base):
    def forward(self, x):
        return _norm(x, self.eps) * (1 + self.weight.float())


@answers.mistake("the result is always bfloat16", "Cast to `x.dtype`, whatever it is, not to a fixed dtype.")
class AlwaysBfloat16(_Base):
    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.float())).bfloat16()


@answers.mistake(
    "a float32 x is changed in place",
    "`x.float()` copies only if x is not float32 already; else it *is* x, and `*=` writes into the caller's tensor.",
)
class InPlace(_Base):
    def forward(self, x):
        h = x.float()
        h *= torch.rsqrt(h.square().mean(-1, keepdim=True) + self.eps)
        return (h * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("the weight is a plain tensor", "Only an `nn.Parameter` is trained, moved by `.to()` and saved.")
class PlainTensor(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps, self.weight = eps, torch.zeros(dim)

    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("the weight is a buffer", "A buffer is saved but never trained: make it an `nn.Parameter`.")
class Buffer(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.register_buffer("weight", torch.zeros(dim))

    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("the weight is frozen", "`requires_grad=False` keeps the optimizer away from it. Leave that out.")
class Frozen(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(dim), requires_grad=False)

    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("the parameter has another name", "Call it `weight`, as every checkpoint does: names must fit.")
class OtherName(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.scale = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.scale.float())).to(x.dtype)


@answers.mistake("one weight for all features", "Each feature has a gain of its own: `dim` numbers, not one.")
class Scalar(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("the weight is detached", "`.data` or `.detach()` cut the graph: no gradient reaches the weight.")
class DetachedWeight(_Base):
    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.data.float())).to(x.dtype)


@answers.mistake("the root mean square is detached", "The gradient has to flow through the root mean square as well.")
class DetachedRoot(_Base):
    def forward(self, x):
        h = x.float()
        r = torch.rsqrt(h.detach().square().mean(-1, keepdim=True) + self.eps)
        return (h * r * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("the argument eps is ignored", "Keep what `__init__` is given, `self.eps = eps`, and use it.")
class IgnoresEps(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = 1e-6
        self.weight = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("a default eps of 1e-5", "The signature asks for eps=1e-6, Gemma's.")
class OtherDefault(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("eps outside the root", "eps is added to the mean square, before the root is taken.")
class EpsOutside(_Base):
    def forward(self, x):
        h = x.float()
        h = h / (h.square().mean(-1, keepdim=True).sqrt() + self.eps)
        return (h * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("subtracting the mean", "That is LayerNorm. RMSNorm leaves the mean where it is.")
class SubtractsMean(_Base):
    def forward(self, x):
        h = x.float()
        return (_norm(h - h.mean(-1, keepdim=True), self.eps) * (1 + self.weight.float())).to(x.dtype)


@answers.mistake("super().__init__() is missing", "`nn.Module` must set itself up before it can hold a parameter.")
class NoSuper(nn.Module):
    def __init__(self, dim, eps=1e-6):
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return (_norm(x, self.eps) * (1 + self.weight.float())).to(x.dtype)
