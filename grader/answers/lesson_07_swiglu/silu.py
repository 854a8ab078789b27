"""Right and wrong ways to write `silu(x)`."""

import math

import torch
import torch.nn.functional as F

from grader.answers import Answers

answers = Answers(
    "silu",
    why="The number times its own sigmoid. PyTorch's sigmoid picks a form that cannot overflow, in every dtype, so "
    "nothing has to be clamped: far to the right the share is 1, far to the left it is 0.",
)


@answers.right
def plain(x):
    return x * torch.sigmoid(x)


@answers.right
def as_the_note_writes_it(x):
    return x / (1 + torch.exp(-x))


@answers.right
def method_and_annotations(x: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return x.sigmoid().mul(x)


@answers.right
def through_tanh(x):
    return 0.5 * x * (1 + torch.tanh(0.5 * x))


@answers.right
def one_minus_the_other_share(x):
    return x - x * torch.sigmoid(-x)


@answers.right
def through_the_logarithm(x):
    return x * torch.exp(F.logsigmoid(x))


@answers.right
def upcast(x):
    h = x.float()
    return (h * torch.special.expit(h)).to(x.dtype)


@answers.right
def as_a_softmax_of_two(x):
    share, _ = torch.softmax(torch.stack([x, torch.zeros_like(x)]), dim=0)
    return x * share


@answers.right
def by_cases(x):
    small = torch.exp(-x.abs())  # never above 1
    return x * torch.where(x >= 0, 1 / (1 + small), small / (1 + small))


@answers.right
def in_place_on_a_clone(x):
    y = x.clone()
    y *= torch.sigmoid(x)
    return y


@answers.right
def gated_linear_unit(x):
    return F.glu(torch.stack([x, x], dim=-1), dim=-1).squeeze(-1)


class _ByHand(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        share = torch.sigmoid(x)
        ctx.save_for_backward(x, share)
        return x * share

    @staticmethod
    def backward(ctx, grad_y):
        x, share = ctx.saved_tensors
        return grad_y * share * (1 + x * (1 - share))


@answers.right
def autograd_function(x):
    return _ByHand.apply(x)


@answers.right
def compiled(x):
    return torch.compile(lambda t: t * torch.sigmoid(t))(x)


@answers.mistake("the sigmoid alone", "At 0 your function gives one half; SiLU gives 0. The sigmoid is only the share.")
def sigmoid_alone(x):
    return torch.sigmoid(x)


@answers.mistake("ReLU", "ReLU's share is 0 or 1. SiLU's changes smoothly, and lets a little below zero through.")
def relu(x):
    return F.relu(x)


@answers.mistake("GELU", "GELU weighs x by the normal distribution function; SiLU by the sigmoid.")
def gelu(x):
    return F.gelu(x)


@answers.mistake("the tanh form of GELU", "GELU in its tanh form is close to GELU, not to SiLU.")
def gelu_tanh(x):
    return F.gelu(x, approximate="tanh")


@answers.mistake("a factor of 1.702 inside the sigmoid", "That imitates GELU. SiLU is Swish with a factor of 1.")
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


@answers.mistake("the straight-line imitation", "Clamped straight lines are Hardswish; SiLU's share is the sigmoid.")
def hardswish(x):
    return x * (x + 3).clamp(0, 6) / 6


@answers.mistake("Mish", "Mish weighs x by tanh of softplus. SiLU's share is the sigmoid.")
def mish(x):
    return F.mish(x)


@answers.mistake("ELU", "ELU is a straight line above zero and an exponential below. SiLU is one formula everywhere.")
def elu(x):
    return F.elu(x)


@answers.mistake("softplus", "log(1 + e^x) is the integral of the sigmoid. SiLU is x times the sigmoid.")
def softplus(x):
    return F.softplus(x)


@answers.mistake("tanh in place of the sigmoid", "tanh lies between -1 and 1. A share lies between 0 and 1.")
def times_tanh(x):
    return x * torch.tanh(x)


@answers.mistake(
    "e^x above and below the bar",
    "For large x that divides infinity by infinity and gives NaN. Use a form of the sigmoid that cannot overflow.",
)
def exponentials_overflow(x):
    return x * torch.exp(x) / (1 + torch.exp(x))


@answers.mistake("NaN swept under the rug", "Turning NaN into 0 hides the overflow; the right value there is x itself.")
def nan_to_zero(x):
    return torch.nan_to_num(x * torch.exp(x) / (1 + torch.exp(x)))


@answers.mistake(
    "x clamped to avoid the overflow", "Clamp the exponent if you must, never the x in front: it has no bound."
)
def clamps_x(x):
    x = x.clamp(-20, 20)
    return x / (1 + torch.exp(-x))


@answers.mistake("the sign of the exponent", "1 + e^x below the bar is the sigmoid of -x: what should pass is blocked.")
def sign_of_exponent(x):
    return x * torch.sigmoid(-x)


@answers.mistake("1 + x in place of 1 + e^-x", "The exponential is missing below the bar.")
def no_exponential(x):
    return x / (1 + x.abs())


@answers.mistake("the sigmoid of the sigmoid", "The sigmoid is applied twice. Once is enough.")
def sigmoid_twice(x):
    return x * torch.sigmoid(torch.sigmoid(x))


@answers.mistake(
    "a softmax over the last axis", "Each number has a share of its own; shares of neighbours do not add to 1."
)
def softmax_share(x):
    return x * torch.softmax(x, dim=-1)


@answers.mistake("the sigmoid's slope", "σ(1 − σ) is the derivative of the sigmoid. SiLU takes the sigmoid itself.")
def sigmoid_slope(x):
    share = torch.sigmoid(x)
    return x * share * (1 - share)


@answers.mistake("2 in place of e", "The sigmoid is built on e. With base 2 the curve is stretched.")
def base_two(x):
    return x * torch.sigmoid(x * math.log(2))


@answers.mistake("x is changed in place", "`mul_` and `*=` write into the caller's tensor. Make a new one.")
def in_place(x):
    return x.mul_(torch.sigmoid(x))


@answers.mistake(
    "the sigmoid is overwritten",
    "The backward pass of the sigmoid needs its result, and an in-place product writes over it. Make a new tensor.",
)
def overwrites_the_sigmoid(x):
    share = torch.sigmoid(x)
    share *= x
    return share


@answers.mistake("the result stays float32", "Computing in float32 is fine; cast the result back to x's dtype.")
def stays_float32(x):
    h = x.float()
    return h * torch.sigmoid(h)


@answers.mistake("the share is detached", "The gradient flows through the sigmoid as well: `.detach()` cuts that way.")
def detached(x):
    return x * torch.sigmoid(x).detach()


@answers.mistake("x is detached", "The gradient flows through the x in front of the sigmoid as well.")
def detached_x(x):
    return x.detach() * torch.sigmoid(x)


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x):
    with torch.no_grad():
        return x * torch.sigmoid(x)
