"""Right and wrong ways to write `class SwiGLU(nn.Module)`."""

import torch
import torch.nn.functional as F
from torch import nn

from grader.answers import Answers

answers = Answers(
    "SwiGLU",
    why="Three nn.Linear without bias, under the names that Llama's files use. nn.Linear keeps its matrix as [out, in] "
    "and transposes it for you; `forward` is the function of the exercise before.",
)


def _layers(module, dim, hidden_dim, **options):
    """The three layers as they should be: common to those that go wrong in `forward`."""
    options = {"bias": False} | options
    module.gate_proj = nn.Linear(dim, hidden_dim, **options)
    module.up_proj = nn.Linear(dim, hidden_dim, **options)
    module.down_proj = nn.Linear(hidden_dim, dim, **options)


@answers.right
class Plain(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.gate_proj = nn.Linear(dim, hidden_dim, bias=False)
        self.up_proj = nn.Linear(dim, hidden_dim, bias=False)
        self.down_proj = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


@answers.right
class OtherOrderAndActivationModule(nn.Module):
    def __init__(self, dim: int, hidden_dim: int, bias: bool = False, dropout: float = 0.0):
        super().__init__()
        self.down_proj = nn.Linear(hidden_dim, dim, bias=bias)
        self.up_proj = nn.Linear(dim, hidden_dim, bias=bias)
        self.gate_proj = nn.Linear(dim, hidden_dim, bias=bias)
        self.act, self.dropout = nn.SiLU(), nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.dropout(self.down_proj(self.up_proj(x) * self.act(self.gate_proj(x))))


@answers.right
class FusedProduct(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.gate_proj, self.up_proj = (nn.Linear(dim, hidden_dim, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        both = F.linear(x, torch.cat([self.gate_proj.weight, self.up_proj.weight]))
        gate, up = both.chunk(2, dim=-1)
        return self.down_proj(gate * gate.sigmoid() * up)


class _Matrix(nn.Module):
    def __init__(self, fan_in, fan_out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(fan_out, fan_in) * fan_in**-0.5)

    def forward(self, x):
        return torch.einsum("...i,oi->...o", x, self.weight)


@answers.right
class LinearByHand(nn.Module):
    def __init__(self, dim, hidden_dim, **_):
        super().__init__()
        self.gate_proj, self.up_proj = _Matrix(dim, hidden_dim), _Matrix(dim, hidden_dim)
        self.down_proj = _Matrix(hidden_dim, dim)

    def forward(self, x):
        gate = self.gate_proj(x)
        return self.down_proj(gate / (1 + torch.exp(-gate)) * self.up_proj(x))


@answers.right
class CustomInit(nn.Module):
    def __init__(self, dim, hidden_dim, init_std=0.02):
        super().__init__()
        for name, sizes in {"gate": (dim, hidden_dim), "up": (dim, hidden_dim), "down": (hidden_dim, dim)}.items():
            layer = nn.Linear(*sizes, bias=False)
            nn.init.trunc_normal_(layer.weight, std=init_std)
            setattr(self, f"{name}_proj", layer)

    def forward(self, x, *_):
        w_gate, w_up, w_down = (getattr(self, f"{n}_proj").weight.T for n in ("gate", "up", "down"))
        return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down


@answers.right
class ZeroedDown(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)
        nn.init.zeros_(self.down_proj.weight)

    def forward(self, x):
        hidden = torch.compile(lambda g, u: F.silu(g) * u)(self.gate_proj(x), self.up_proj(x))
        return self.down_proj(hidden)


@answers.mistake("biases", "nn.Linear has a bias unless told otherwise: `bias=False`, three times.")
class Biases(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim, bias=True)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake("a bias in down_proj", "Two layers are without a bias, the third has one: `bias=False` there too.")
class BiasOnDown(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)
        self.down_proj = nn.Linear(hidden_dim, dim)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake("SiLU of the product", "The gate is activated before it meets the signal.")
class SiluOfProduct(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x) * self.up_proj(x)))


@answers.mistake("the activation on the signal", "SiLU belongs on gate_proj's result; up_proj's stays as it is.")
class SiluOnUp(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(self.gate_proj(x) * F.silu(self.up_proj(x)))


@answers.mistake("the activation on both", "Only the gate goes through SiLU.")
class SiluOnBoth(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * F.silu(self.up_proj(x)))


@answers.mistake("no activation", "Without SiLU on the gate this is a bilinear layer.")
class Bilinear(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(self.gate_proj(x) * self.up_proj(x))


@answers.mistake("a plain sigmoid gate", "That is the original GLU. SiLU is the number times its sigmoid.")
class SigmoidGate(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(torch.sigmoid(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake("a ReLU gate", "That is ReGLU. SwiGLU's gate is SiLU.")
class ReluGate(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(F.relu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake("a GELU gate", "That is GEGLU, Gemma's choice. SwiGLU's gate is SiLU.")
class GeluGate(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(F.gelu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake("a learned β", "Swish may learn a factor β; SwiGLU uses Swish with β = 1, which is SiLU.")
class LearnedBeta(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)
        self.beta = nn.Parameter(torch.ones(1))

    def forward(self, x):
        gate = self.gate_proj(x)
        return self.down_proj(gate * torch.sigmoid(self.beta * gate) * self.up_proj(x))


@answers.mistake("gate and signal added", "They are multiplied, element by element.")
class Added(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) + self.up_proj(x))


@answers.mistake("no signal", "up_proj is made and never used: this is a plain network with SiLU.")
class UnusedUp(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)))


@answers.mistake("no way back", "down_proj is made and never used: the result still has hidden_dim features.")
class UnusedDown(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return F.silu(self.gate_proj(x)) * self.up_proj(x)


@answers.mistake("the residual is added", "`x +` belongs to the block. The feed-forward network returns its update.")
class Residual(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return x + self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake("dropout", "In training mode your module drops features at random. The contract has no dropout.")
class DropsOut(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return F.dropout(self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x)), 0.1, self.training)


@answers.mistake(
    "hidden_dim cut to two thirds inside",
    "hidden_dim is the final width: ffn_hidden_dim has already done the two thirds.",
)
class TwoThirdsInside(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, int(2 * hidden_dim / 3))

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake("always 4·dim wide", "Use the argument hidden_dim.")
class FourTimes(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, 4 * dim)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake(
    "dim and hidden_dim swapped", "The signature is SwiGLU(dim, hidden_dim): gate and up lead from dim up."
)
class SwappedSizes(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, hidden_dim, dim)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake("down_proj leads up", "It leads from hidden_dim back to dim: its two sizes are the other way round.")
class DownLeadsUp(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)
        self.down_proj = nn.Linear(dim, hidden_dim, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake("the names w1, w2, w3", "Those are Meta's names. Here: gate_proj, up_proj, down_proj.")
class MetasNames(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden_dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


@answers.mistake(
    "one fused gate_up_proj", "A fused product is fine, a fused parameter is not: Llama's files have three."
)
class FusedParameter(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.gate_up_proj = nn.Linear(dim, 2 * hidden_dim, bias=False)
        self.down_proj = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        gate, up = self.gate_up_proj(x).chunk(2, dim=-1)
        return self.down_proj(F.silu(gate) * up)


@answers.mistake("one layer for gate and signal", "gate_proj and up_proj are two layers with weights of their own.")
class SharedLayer(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)
        self.up_proj = self.gate_proj

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake("layers in a plain list", "A plain list hides its layers: nothing trains. Give each a name on `self`.")
class PlainList(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        sizes = [(dim, hidden_dim), (dim, hidden_dim), (hidden_dim, dim)]
        self.layers = [nn.Linear(*pair, bias=False) for pair in sizes]

    def forward(self, x):
        gate, up, down = (layer.to(x.dtype) for layer in self.layers)
        return down(F.silu(gate(x)) * up(x))


@answers.mistake(
    "bare parameters in the note's layout",
    "Each of the three is an nn.Linear, whose `weight` is [out, in], so that Llama's files load.",
)
class BareParameters(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.gate_proj = nn.Parameter(torch.randn(dim, hidden_dim) * dim**-0.5)
        self.up_proj = nn.Parameter(torch.randn(dim, hidden_dim) * dim**-0.5)
        self.down_proj = nn.Parameter(torch.randn(hidden_dim, dim) * hidden_dim**-0.5)

    def forward(self, x):
        return (F.silu(x @ self.gate_proj) * (x @ self.up_proj)) @ self.down_proj


@answers.mistake("frozen weights", "`requires_grad=False` keeps the optimizer away. Leave parameters as they come.")
class Frozen(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)
        self.requires_grad_(False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


@answers.mistake(
    "new layers at every call", "Layers are made once, in `__init__`. Made in `forward`, they never learn."
)
class MadeInForward(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.dim, self.hidden_dim = dim, hidden_dim

    def forward(self, x):
        gate, up = (nn.Linear(self.dim, self.hidden_dim, bias=False).to(x.dtype) for _ in range(2))
        down = nn.Linear(self.hidden_dim, self.dim, bias=False).to(x.dtype)
        return down(F.silu(gate(x)) * up(x))


@answers.mistake("the gate is detached", "The gate learns too: no `.detach()` or `.data` on its way.")
class DetachedGate(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)).detach() * self.up_proj(x))


@answers.mistake("super().__init__() is missing", "`nn.Module` must set itself up before it can hold a layer.")
class NoSuper(nn.Module):
    def __init__(self, dim, hidden_dim):
        _layers(self, dim, hidden_dim)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))
