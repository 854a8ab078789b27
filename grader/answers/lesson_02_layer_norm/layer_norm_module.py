"""Right and wrong ways to write `class LayerNorm(nn.Module)`."""

import torch
import torch.nn.functional as F
from torch import nn

from grader.answers import Answers

answers = Answers(
    "LayerNorm",
    why="eps is fixed when the module is made, so it is a plain attribute. Weight and bias are learned, so they are "
    "`nn.Parameter`s; ones and zeros change nothing at first. `forward` is the function of the first exercise.",
)


def _unit(x, eps, correction=0):
    """The normalised row, common to most of these: their differences lie elsewhere."""
    var, mean = torch.var_mean(x, -1, keepdim=True, correction=correction)
    return (x - mean) / (var + eps).sqrt()


@answers.right
class Plain(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + self.eps) * self.weight + self.bias


@answers.right
class Upcast(nn.Module):
    def __init__(self, normalized_shape: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(normalized_shape))
        self.weight = nn.Parameter(torch.ones(normalized_shape))
        self.variance_epsilon = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x.to(torch.float32)
        h = h - h.mean(-1, keepdim=True)
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + self.variance_epsilon)
        return self.weight * h.to(x.dtype) + self.bias


@answers.right
class ExtraArguments(nn.Module):
    def __init__(self, dim, eps=1e-5, device=None, dtype=None):
        super().__init__()
        self.dim, self.eps = dim, eps
        self.weight = nn.Parameter(torch.empty(dim, device=device, dtype=dtype))
        self.bias = nn.Parameter(torch.empty(dim, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.ones_(self.weight)
        nn.init.zeros_(self.bias)

    def extra_repr(self):
        return f"{self.dim}, eps={self.eps}"

    def forward(self, x, *_):
        var, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
        return torch.addcmul(self.bias, (x - mean) * (var + self.eps).rsqrt(), self.weight)


@answers.right
class EpsAsBuffer(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.full((dim,), 1.0)))
        self.register_parameter("bias", nn.Parameter(torch.full((dim,), 0.0)))
        self.register_buffer("eps", torch.tensor(eps), persistent=False)

    def forward(self, x):
        c = x - x.sum(-1, keepdim=True) / x.shape[-1]
        squared = torch.linalg.vector_norm(c, dim=-1, keepdim=True) ** 2
        return self.weight * c / torch.sqrt(squared / x.shape[-1] + self.eps) + self.bias


@answers.right
class ThroughRMSNorm(nn.RMSNorm):
    """RMSNorm of the centred row, with a bias: a built-in that is not forbidden."""

    def __init__(self, dim, eps=1e-5):
        super().__init__(dim, eps=eps)
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return super().forward(x - x.mean(-1, keepdim=True)) + self.bias


@answers.mistake(
    "weight and bias are plain tensors",
    "Only an `nn.Parameter` is trained, moved with `.to()` and saved. Wrap both in it.",
)
class PlainTensors(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight, self.bias = torch.ones(dim), torch.zeros(dim)

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake(
    "the weight is a plain tensor",
    "Only an `nn.Parameter` is trained, moved with `.to()` and saved. Wrap the ones in it.",
)
class PlainWeight(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = torch.ones(dim)
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake(
    "the bias is a plain tensor",
    "Only an `nn.Parameter` is trained, moved with `.to()` and saved. Wrap the zeros in it.",
)
class PlainBias(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = torch.zeros(dim)

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake(
    "weight and bias are buffers", "A buffer is saved but never trained. Both are learned: make them parameters."
)
class Buffers(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.register_buffer("weight", torch.ones(dim))
        self.register_buffer("bias", torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake(
    "weight and bias are frozen",
    "`requires_grad=False` keeps the optimizer away from them. A parameter trains by default.",
)
class Frozen(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim), requires_grad=False)
        self.bias = nn.Parameter(torch.zeros(dim), requires_grad=False)

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake("there is no bias", "LayerNorm has a weight and a bias, both of `dim` numbers; RMSNorm has no bias.")
class NoBias(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight


@answers.mistake(
    "there are no parameters", "The bare norm is half of the module: a learned weight and a learned bias follow."
)
class NoParameters(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.dim = dim

    def forward(self, x):
        return _unit(x, self.eps)


@answers.mistake(
    "the parameters are called gamma and beta", "Call them `weight` and `bias`, as PyTorch and every checkpoint do."
)
class OtherNames(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma, self.beta = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.gamma + self.beta


@answers.mistake("one weight and one bias for all features", "Each feature has its own: `dim` numbers, not one.")
class Scalars(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight, self.bias = nn.Parameter(torch.ones(1)), nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake("the weight starts at zero", "A gain of zero silences the layer. Start with ones: change nothing.")
class WeightFromZero(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake("a gain of 1 + weight, from zeros", "Here the weight itself is the gain, and starts at one.")
class OnePlusWeight(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * (1 + self.weight) + self.bias


@answers.mistake(
    "the bias starts at one", "A bias of one shifts everything from the start. Begin with zeros: change nothing."
)
class BiasFromOne(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake(
    "the parameters start at random", "Ones and zeros make the module begin as the bare norm. Random numbers do not."
)
class RandomStart(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight, self.bias = nn.Parameter(torch.rand(dim)), nn.Parameter(torch.rand(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake("the weight is never used", "You make the weight and do not multiply by it in `forward`.")
class UnusedWeight(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) + self.bias


@answers.mistake("the bias is never used", "You make the bias and do not add it in `forward`.")
class UnusedBias(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight


@answers.mistake("weight and bias are never used", "You make both and use neither in `forward`.")
class UnusedBoth(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps)


@answers.mistake("the bias is added before the weight multiplies", "First times the weight, then plus the bias.")
class BiasFirst(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return (_unit(x, self.eps) + self.bias) * self.weight


@answers.mistake("the weight is detached", "`.data` or `.detach()` cut the graph: no gradient reaches the weight.")
class DetachedWeight(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight.data + self.bias


@answers.mistake("the bias is detached", "`.data` or `.detach()` cut the graph: no gradient reaches the bias.")
class DetachedBias(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias.data


@answers.mistake(
    "the standard deviation is detached", "The gradient has to flow through the standard deviation as well."
)
class StdDetached(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        std = (x.detach().var(-1, keepdim=True, correction=0) + self.eps).sqrt()
        return (x - x.mean(-1, keepdim=True)) / std * self.weight + self.bias


@answers.mistake(
    "mean and standard deviation are detached",
    "They are no constants: both depend on x, and the gradient has to flow through them.",
)
class BothDetached(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        with torch.no_grad():
            var, mean = torch.var_mean(x, -1, keepdim=True, correction=0)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias


@answers.mistake("the argument eps is ignored", "Keep what `__init__` is given, `self.eps = eps`, and use it.")
class IgnoresEps(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, 1e-5) * self.weight + self.bias


@answers.mistake("a default eps of 1e-6", "The signature asks for eps=1e-5, as in `nn.LayerNorm`.")
class OtherDefault(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake("a default eps of 1e-12", "That is the value of BERT. The signature asks for eps=1e-5.")
class BertDefault(nn.Module):
    def __init__(self, dim, eps=1e-12):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias


@answers.mistake("no eps", "A row of equal numbers is divided by zero. eps, inside the root, prevents it.")
class NoEps(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, 0.0) * self.weight + self.bias


@answers.mistake("eps outside the root", "eps is added to the variance, before the root is taken.")
class EpsOutside(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        std = x.std(-1, keepdim=True, correction=0) + self.eps
        return (x - x.mean(-1, keepdim=True)) / std * self.weight + self.bias


@answers.mistake(
    "dividing by d - 1, and eps outside the root",
    "`x.std(-1) + eps` has two faults: `std` divides by d - 1 by default, and eps belongs to the variance.",
)
class SampleStd(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        return self.weight * c / (x.std(-1, keepdim=True) + self.eps) + self.bias


@answers.mistake("dividing by d - 1", "`var` divides by d - 1 unless you pass `correction=0`.")
class Unbiased(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps, correction=1) * self.weight + self.bias


@answers.mistake("nothing is subtracted", "That is RMSNorm with a bias. LayerNorm moves each row to mean 0 first.")
class NothingSubtracted(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return F.rms_norm(x, x.shape[-1:], self.weight, self.eps) + self.bias


@answers.mistake(
    "the variance as a difference of two means",
    "E[x²] − E[x]² loses its digits far from zero. Centre first, then square.",
)
class DifferenceOfMeans(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = (x.square().mean(-1, keepdim=True) - mean**2).clamp(min=0)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias


@answers.mistake("statistics over the first axis", "That is BatchNorm's direction. The features are the last axis.")
class FirstAxis(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        c = x - x.mean(0, keepdim=True)
        return c / (c.square().mean(0, keepdim=True) + self.eps).sqrt() * self.weight + self.bias


@answers.mistake("one mean for the whole tensor", "Each row has a mean and a variance of its own: the last axis.")
class OverEverything(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        c = x - x.mean()
        return c / (c.square().mean() + self.eps).sqrt() * self.weight + self.bias


@answers.mistake("the result stays float32", "Cast the result back to the dtype of x before it is returned.")
class StaysFloat32(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x.float(), self.eps) * self.weight.float() + self.bias.float()


@answers.mistake("super().__init__() is missing", "`nn.Module` must set itself up before it can hold a parameter.")
class NoSuper(nn.Module):
    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _unit(x, self.eps) * self.weight + self.bias
