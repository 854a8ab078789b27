"""Right and wrong ways to write `rms_norm(x, weight, eps)`."""

import torch
import torch.nn.functional as F

from grader.answers import Answers

answers = Answers(
    "rms_norm",
    why="One number a row: the root of the mean square, with eps under the root so that a row of zeros stays zero. "
    "`keepdim=True` keeps it as a column, so that it divides its own row. The weight comes last, feature by feature.",
)


@answers.right
def plain(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight


@answers.right
def reciprocal_root(x, weight, eps):
    return weight * (x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps))


@answers.right
def einsum(x, weight, eps):
    mean_square = torch.einsum("...d,...d->...", x, x) / x.shape[-1]
    return torch.einsum("...d,...,d->...d", x, (mean_square + eps).rsqrt(), weight)


@answers.right
def upcast(x, weight, eps):
    h = x.float()
    h = h * torch.rsqrt((h * h).mean(-1, keepdim=True) + eps)
    return h.to(x.dtype) * weight


@answers.right
def through_norm(x, weight, eps):
    d = x.size(-1)
    squared = torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2
    return x * d**0.5 / torch.sqrt(squared + d * eps) * weight


@answers.right
def in_place_on_a_clone(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6, *, check: bool = False):
    r = (x**2).mean(-1, keepdim=True).add_(eps).sqrt_()
    y = x.clone()
    y /= r
    return y * weight


@answers.right
def by_variance(x, weight, eps):
    variance, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
    return x * (variance + mean**2 + eps) ** -0.5 * weight


@answers.right
def matrix_product(x, weight, eps):
    rows = x.reshape(-1, x.shape[-1])
    r = (F.linear(rows * rows, torch.ones_like(weight)[None]) / len(weight) + eps).sqrt()
    return (rows / r * weight).reshape(x.shape)


class _ByHand(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        r = (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()
        ctx.save_for_backward(x, weight, r)
        return x / r * weight

    @staticmethod
    def backward(ctx, grad_y):
        x, weight, r = ctx.saved_tensors
        u, g = x / r, grad_y * weight
        grad_weight = (grad_y * u).reshape(-1, len(weight)).sum(0)
        return (g - u * (g * u).mean(-1, keepdim=True)) / r, grad_weight, None


@answers.right
def autograd_function(x, weight, eps):
    return _ByHand.apply(x, weight, eps)


@answers.right
def compiled(x, weight, eps):
    def inner(x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)

    return torch.compile(inner)(x) * weight


@answers.mistake(
    "dividing by the reciprocal root",
    "`rsqrt` is already 1/root: multiply by it, or divide by `sqrt`. As it stands, large rows grow larger.",
)
def divides_by_rsqrt(x, weight, eps):
    return x / torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight


@answers.mistake(
    "the L2 norm in place of the root mean square",
    "Each row of your result has length 1. A mean divides by d, a sum does not: the factor is √d.",
)
def sum_for_mean(x, weight, eps):
    return x / (x.square().sum(-1, keepdim=True) + eps).sqrt() * weight


@answers.mistake(
    "the row's length in place of the root mean square",
    "`norm` adds the squares up: each row of your result has length 1. The root *mean* square divides by d first, and "
    "eps stands under the root.",
)
def length_without_eps(x, weight, eps):
    return x / x.norm(dim=-1, keepdim=True) * weight


@answers.mistake(
    "the row's length, plus eps",
    "`norm` adds the squares up: each row of your result has length 1. The root *mean* square divides by d first, and "
    "eps stands under the root.",
)
def length_plus_eps(x, weight, eps):
    return x / (x.norm(dim=-1, keepdim=True) + eps) * weight


@answers.mistake(
    "F.normalize",
    "It brings each row to length 1. RMSNorm brings its root mean square to 1, and adds eps under the root.",
)
def normalized(x, weight, eps):
    return F.normalize(x, dim=-1, eps=eps) * weight


@answers.mistake(
    "subtracting the mean",
    "That is LayerNorm without a bias. RMSNorm leaves the mean where it is: try x + 5 and see what changes.",
)
def subtracts_mean(x, weight, eps):
    x = x - x.mean(-1, keepdim=True)
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight


@answers.mistake(
    "the variance in place of the mean square",
    "The variance subtracts the mean before it squares. RMSNorm averages x² itself.",
)
def variance_for_mean_square(x, weight, eps):
    return x / (x.var(-1, keepdim=True, correction=0) + eps).sqrt() * weight


@answers.mistake(
    "eps outside the root",
    "eps is added to the mean square, before the root is taken. For tiny inputs the two differ much.",
)
def eps_outside_root(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True).sqrt() + eps) * weight


@answers.mistake("no eps", "A row of zeros is divided by zero and becomes NaN. eps, inside the root, prevents it.")
def no_eps(x, weight, eps):
    return x / x.square().mean(-1, keepdim=True).sqrt() * weight


@answers.mistake("a fixed eps of 1e-6", "Your code does not use the argument `eps`; models differ in it.")
def fixed_eps_6(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt() * weight


@answers.mistake("a fixed eps of 1e-5", "Your code does not use the argument `eps`; models differ in it.")
def fixed_eps_5(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * weight


@answers.mistake(
    "eps as a lower bound",
    "A clamp (as in F.normalize) leaves larger values alone; eps is added to every mean square.",
)
def clamps_by_eps(x, weight, eps):
    return x / x.square().mean(-1, keepdim=True).clamp(min=eps).sqrt() * weight


@answers.mistake(
    "F.normalize times √d",
    "F.normalize only keeps the length above eps. RMSNorm adds eps to the mean square, inside the root.",
)
def scaled_normalize(x, weight, eps):
    return F.normalize(x, dim=-1, eps=eps) * x.shape[-1] ** 0.5 * weight


@answers.mistake("eps squared under the root", "eps is added as it is: it stands beside a mean of squares already.")
def eps_squared(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps**2).sqrt() * weight


@answers.mistake("the weight is ignored", "Scale each feature by its `weight` after the division.")
def ignores_weight(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt()


@answers.mistake(
    "a gain of 1 + weight", "That is Gemma's convention, whose weight starts at zero. Here it is `weight`."
)
def one_plus_weight(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * (1 + weight)


@answers.mistake("dividing by the weight", "The weight is a gain: the normalised row is multiplied by it.")
def divides_by_weight(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() / weight


@answers.mistake("the weight inside the norm", "Normalise x first; the weight comes after and is not normalised away.")
def weight_before_norm(x, weight, eps):
    x = x * weight
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt()


@answers.mistake("no root", "The row is divided by the *root* of the mean square; yours divides by the mean square.")
def no_root(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps) * weight


@answers.mistake("the mean of |x|", "Root mean square: square first, then the mean, then the root.")
def mean_absolute(x, weight, eps):
    return x / (x.abs().mean(-1, keepdim=True) + eps) * weight


@answers.mistake("dividing by d - 1", "The mean square divides by d. There is no sample correction in a norm.")
def unbiased(x, weight, eps):
    return x / (x.square().sum(-1, keepdim=True) / (x.shape[-1] - 1) + eps).sqrt() * weight


@answers.mistake("one mean for the whole tensor", "Each row has a mean square of its own: average over the last axis.")
def mean_of_everything(x, weight, eps):
    return x / (x.square().mean() + eps).sqrt() * weight


@answers.mistake("the mean over the first axis", "The features are the last axis: average over dim=-1.")
def first_axis(x, weight, eps):
    return x / (x.square().mean(0, keepdim=True) + eps).sqrt() * weight


@answers.mistake(
    "keepdim is missing", "The mean must keep the last axis as 1, so that it divides each row: keepdim=True."
)
def no_keepdim(x, weight, eps):
    return x / (x.square().mean(-1) + eps).sqrt() * weight


@answers.mistake("x is changed in place", "`/=` and `*=` write into the caller's tensor. Make a new one.")
def in_place(x, weight, eps):
    x /= (x.square().mean(-1, keepdim=True) + eps).sqrt()
    x *= weight
    return x


@answers.mistake(
    "the result stays float32", "You compute in float32, which is good; cast the result back to x's dtype."
)
def stays_float32(x, weight, eps):
    h = x.float()
    return h / (h.square().mean(-1, keepdim=True) + eps).sqrt() * weight.float()


@answers.mistake(
    "float32 times the weight", "Your float32 result meets the weight before it is cast back to x's dtype."
)
def promoted_by_weight(x, weight, eps):
    h = x.float()
    return h / (h.square().mean(-1, keepdim=True) + eps).sqrt() * weight


@answers.mistake(
    "the root mean square is detached",
    "The gradient has to flow through r as well: without it the part along x is not removed.",
)
def detached(x, weight, eps):
    return x / (x.detach().square().mean(-1, keepdim=True) + eps).sqrt() * weight


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x, weight, eps):
    with torch.no_grad():
        return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight
