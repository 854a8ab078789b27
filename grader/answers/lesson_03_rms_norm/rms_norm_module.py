"""Right and wrong ways to write `class RMSNorm(nn.Module)`."""

import torch
from torch import nn

from grader.answers import Answers

answers = Answers(
    "RMSNorm",
    why="eps is fixed when the module is made, so it is a plain attribute. The gain is learned, so it is an "
    "`nn.Parameter`; it starts at ones, where it changes nothing. `forward` is the function of the first exercise.",
)


def _norm(x, eps):
    """The normalised row, common to all of these: their differences lie elsewhere."""
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt()


@answers.right
class Plain(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.weight


@answers.right
class Upcast(nn.Module):
    """The form of the Hugging Face models: statistics in float32, cast back, then the weight."""

    def __init__(self, hidden_size: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.variance_epsilon = eps

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        h = hidden_states.to(torch.float32)
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + self.variance_epsilon)
        return self.weight * h.to(hidden_states.dtype)


@answers.right
class ExtraArguments(nn.Module):
    def __init__(self, dim, eps=1e-6, device=None, dtype=None):
        super().__init__()
        self.dim, self.eps = dim, eps
        self.weight = nn.Parameter(torch.empty(dim, device=device, dtype=dtype))
        nn.init.ones_(self.weight)

    def extra_repr(self):
        return f"{self.dim}, eps={self.eps}"

    def _norm(self, x):
        return x * (x.pow(2).mean(-1, keepdim=True) + self.eps).rsqrt()

    def forward(self, x, *_):
        return self._norm(x).type_as(x) * self.weight


@answers.right
class EpsAsBuffer(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.full((dim,), 1.0)))
        self.register_buffer("eps", torch.tensor(eps), persistent=False)

    def forward(self, x):
        squared = torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2
        return self.weight * x / torch.sqrt(squared / x.shape[-1] + self.eps)


@answers.mistake(
    "the weight is a plain tensor",
    "Only an `nn.Parameter` is trained, moved with `.to()` and saved in the state dict. Wrap the ones in it.",
)
class PlainTensor(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps, self.weight = eps, torch.ones(dim)

    def forward(self, x):
        return _norm(x, self.eps) * self.weight


@answers.mistake(
    "the weight is a buffer",
    "A buffer is saved but never trained. The gain is learned: make it an `nn.Parameter`.",
)
class Buffer(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.register_buffer("weight", torch.ones(dim))

    def forward(self, x):
        return _norm(x, self.eps) * self.weight


@answers.mistake(
    "the weight is frozen",
    "`requires_grad=False` keeps the optimizer away from it. A parameter trains by default: leave that as it is.",
)
class Frozen(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim), requires_grad=False)

    def forward(self, x):
        return _norm(x, self.eps) * self.weight


@answers.mistake("the weight starts at zero", "A gain of zero silences the branch. Start with ones: change nothing.")
class StartsAtZero(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _norm(x, self.eps) * self.weight


@answers.mistake(
    "a gain of 1 + weight, from zeros",
    "That is Gemma's convention. Here the weight itself is the gain, and starts at one, so that Llama's files load.",
)
class OnePlusWeight(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _norm(x, self.eps) * (1 + self.weight)


@answers.mistake("the parameter has another name", "Call it `weight`, as every checkpoint does: names must fit.")
class OtherName(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return _norm(x, self.eps) * self.gamma


@answers.mistake("a bias as well", "RMSNorm has a gain and no bias; LayerNorm has both.")
class Bias(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return _norm(x, self.eps) * self.weight + self.bias


@answers.mistake("one weight for all features", "Each feature has a gain of its own: `dim` numbers, not one.")
class Scalar(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return _norm(x, self.eps) * self.weight


@answers.mistake("the weight is never used", "You make the weight and do not multiply by it in `forward`.")
class UnusedWeight(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return _norm(x, self.eps)


@answers.mistake("the weight is detached", "`.data` or `.detach()` cut the graph: no gradient reaches the weight.")
class DetachedWeight(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return _norm(x, self.eps) * self.weight.data


@answers.mistake("the argument eps is ignored", "Keep what `__init__` is given, `self.eps = eps`, and use it.")
class IgnoresEps(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = 1e-6
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return _norm(x, self.eps) * self.weight


@answers.mistake("a default eps of 1e-5", "The signature asks for eps=1e-6. LayerNorm's default in PyTorch is 1e-5.")
class OtherDefault(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return _norm(x, self.eps) * self.weight


@answers.mistake("eps outside the root", "eps is added to the mean square, before the root is taken.")
class EpsOutside(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x / (x.square().mean(-1, keepdim=True).sqrt() + self.eps) * self.weight


@answers.mistake("subtracting the mean", "That is LayerNorm without a bias. RMSNorm leaves the mean where it is.")
class SubtractsMean(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return _norm(x - x.mean(-1, keepdim=True), self.eps) * self.weight


@answers.mistake("the result stays float32", "Cast the result back to the dtype of x before it is returned.")
class StaysFloat32(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return _norm(x.float(), self.eps) * self.weight.float()


@answers.mistake("super().__init__() is missing", "`nn.Module` must set itself up before it can hold a parameter.")
class NoSuper(nn.Module):
    def __init__(self, dim, eps=1e-6):
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return _norm(x, self.eps) * self.weight
