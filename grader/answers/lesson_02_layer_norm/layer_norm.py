"""Right and wrong ways to write `layer_norm(x, weight, bias, eps)`."""

import torch
import torch.nn.functional as F

from grader.answers import Answers

answers = Answers(
    "layer_norm",
    why="Centre the row first. The mean of the squares of what is left is the biased variance; eps under the root "
    "keeps a row of equal numbers from 0/0. `keepdim=True` keeps both as columns. Weight and bias come last.",
)


def _unit(x, eps):
    """The normalised row, common to many of these: their differences lie elsewhere."""
    c = x - x.mean(-1, keepdim=True)
    return c / (c.square().mean(-1, keepdim=True) + eps).sqrt()


@answers.right
def plain(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c / (c.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


@answers.right
def by_var(x, weight, bias, eps):
    mean, var = x.mean(dim=-1, keepdim=True), x.var(dim=-1, keepdim=True, correction=0)
    return weight * ((x - mean) * torch.rsqrt(var + eps)) + bias


@answers.right
def by_var_mean(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, eps: float = 1e-5, *, check: bool = False):
    var, mean = torch.var_mean(x, dim=-1, keepdim=True, unbiased=False)
    return torch.addcmul(bias, (x - mean) * (var + eps) ** -0.5, weight)


@answers.right
def through_rms_norm(x, weight, bias, eps):
    centred = x - x.mean(-1, keepdim=True)
    return F.rms_norm(centred, (x.shape[-1],), weight, eps) + bias


@answers.right
def upcast(x, weight, bias, eps):
    h = x.float()
    h = h - h.mean(-1, keepdim=True)
    h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return h.to(x.dtype) * weight + bias


@answers.right
def einsum(x, weight, bias, eps):
    d = x.shape[-1]
    c = x - (torch.einsum("...d->...", x) / d)[..., None]
    var = torch.einsum("...d,...d->...", c, c) / d
    return torch.einsum("...d,...,d->...d", c, (var + eps).rsqrt(), weight) + bias


@answers.right
def in_place_on_a_clone(x, weight, bias, eps):
    y = x.clone()
    y -= x.mean(-1, keepdim=True)
    y = y / y.std(-1, keepdim=True, correction=0).square().add(eps).sqrt()
    y *= weight
    y += bias
    return y


@answers.right
def centring_matrix(x, weight, bias, eps):
    d = x.shape[-1]
    c = x - F.linear(x, torch.full((d, d), 1 / d, dtype=x.dtype))
    return c * (torch.linalg.vector_norm(c, dim=-1, keepdim=True) ** 2 / d + eps).rsqrt() * weight + bias


@answers.right
def difference_of_means_in_float64(x, weight, bias, eps):
    """E[x²] − E[x]² cancels, but in float64 enough digits are left."""
    h = x.double()
    mean = h.mean(-1, keepdim=True)
    var = h.square().mean(-1, keepdim=True) - mean**2
    return ((h - mean) / (var + eps).sqrt()).to(x.dtype) * weight + bias


class _ByHand(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        c = x - x.mean(-1, keepdim=True)
        s = (c.pow(2).mean(-1, keepdim=True) + eps).sqrt()
        ctx.save_for_backward(c / s, weight, s)
        return c / s * weight + bias

    @staticmethod
    def backward(ctx, grad_y):
        u, weight, s = ctx.saved_tensors
        g = grad_y * weight
        grad_x = (g - g.mean(-1, keepdim=True) - u * (g * u).mean(-1, keepdim=True)) / s
        rows = grad_y.reshape(-1, len(weight))
        return grad_x, (rows * u.reshape(rows.shape)).sum(0), rows.sum(0), None


@answers.right
def autograd_function(x, weight, bias, eps):
    return _ByHand.apply(x, weight, bias, eps)


@answers.right
def compiled(x, weight, bias, eps):
    return torch.compile(_unit)(x, eps) * weight + bias


@answers.mistake(
    "dividing by d - 1",
    "`var` and `std` divide by d - 1 unless you pass `correction=0`. LayerNorm divides by d.",
)
def unbiased(x, weight, bias, eps):
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + eps).sqrt() * weight + bias


@answers.mistake("eps outside the root", "eps is added to the variance, before the root is taken. Tiny rows show it.")
def eps_outside_root(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c / (c.square().mean(-1, keepdim=True).sqrt() + eps) * weight + bias


@answers.mistake(
    "dividing by d - 1, and eps outside the root",
    "`x.std(-1) + eps` has two faults: `std` divides by d - 1 by default, and eps belongs to the variance.",
)
def sample_std_plus_eps(x, weight, bias, eps):
    return weight * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + bias


@answers.mistake("no eps", "A row of equal numbers has variance 0, and 0/0 is NaN. eps, inside the root, prevents it.")
def no_eps(x, weight, bias, eps):
    return _unit(x, 0.0) * weight + bias


@answers.mistake("a fixed eps of 1e-5", "Your code does not use the argument `eps`; models differ in it.")
def fixed_eps_5(x, weight, bias, eps):
    return _unit(x, 1e-5) * weight + bias


@answers.mistake("a fixed eps of 1e-6", "Your code does not use the argument `eps`; models differ in it.")
def fixed_eps_6(x, weight, bias, eps):
    return _unit(x, 1e-6) * weight + bias


@answers.mistake("eps as a lower bound", "A clamp leaves larger values alone; eps is added to every variance.")
def clamps_by_eps(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c / c.square().mean(-1, keepdim=True).clamp(min=eps).sqrt() * weight + bias


@answers.mistake("eps squared under the root", "eps is added as it is: it stands beside a variance already.")
def eps_squared(x, weight, bias, eps):
    return _unit(x, eps**2) * weight + bias


@answers.mistake("the bias is left out", "After the weight has multiplied, the bias is added, feature by feature.")
def no_bias(x, weight, bias, eps):
    return _unit(x, eps) * weight


@answers.mistake("the weight is ignored", "Scale each feature by its `weight` before the bias is added.")
def no_weight(x, weight, bias, eps):
    return _unit(x, eps) + bias


@answers.mistake("weight and bias are ignored", "The normalised row is not the end: times `weight`, plus `bias`.")
def no_weight_no_bias(x, weight, bias, eps):
    return _unit(x, eps)


@answers.mistake("the bias is added before the weight multiplies", "First times the weight, then plus the bias.")
def bias_first(x, weight, bias, eps):
    return (_unit(x, eps) + bias) * weight


@answers.mistake("the bias is subtracted", "The bias is added: times weight, plus bias.")
def bias_subtracted(x, weight, bias, eps):
    return _unit(x, eps) * weight - bias


@answers.mistake("weight and bias change places", "The weight multiplies, the bias is added.")
def swapped(x, weight, bias, eps):
    return _unit(x, eps) * bias + weight


@answers.mistake("a gain of 1 + weight", "Some models store the gain minus one. Here the gain is `weight` itself.")
def one_plus_weight(x, weight, bias, eps):
    return _unit(x, eps) * (1 + weight) + bias


@answers.mistake("dividing by the weight", "The weight is a gain: the normalised row is multiplied by it.")
def divides_by_weight(x, weight, bias, eps):
    return _unit(x, eps) / weight + bias


@answers.mistake("weight and bias inside the norm", "Normalise x first; weight and bias come after.")
def affine_before_norm(x, weight, bias, eps):
    return _unit(x * weight + bias, eps)


@answers.mistake("nothing is subtracted", "That is RMSNorm with a bias. LayerNorm moves each row to mean 0 first.")
def rms_norm_with_bias(x, weight, bias, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


@answers.mistake(
    "the mean is subtracted under the root only",
    "You divide by the standard deviation, which is right, but what you divide still has its mean.",
)
def not_centred(x, weight, bias, eps):
    return x / (x.var(-1, keepdim=True, correction=0) + eps).sqrt() * weight + bias


@answers.mistake(
    "the mean square of x in place of the variance",
    "The row is centred, but you divide by the root mean square from before. Square what is left after centring.",
)
def uncentred_square(x, weight, bias, eps):
    r = (x.square().mean(-1, keepdim=True) + eps).sqrt()
    return (x - x.mean(-1, keepdim=True)) / r * weight + bias


@answers.mistake(
    "the variance as a difference of two means",
    "E[x²] − E[x]² is right on paper, but far from zero nearly all digits cancel. Centre first, then square.",
)
def difference_of_means(x, weight, bias, eps):
    mean = x.mean(-1, keepdim=True)
    var = x.square().mean(-1, keepdim=True) - mean**2
    return (x - mean) / (var.clamp(min=0) + eps).sqrt() * weight + bias


@answers.mistake("only centred", "Half of it: the centred row is still to be divided by its standard deviation.")
def only_centred(x, weight, bias, eps):
    return (x - x.mean(-1, keepdim=True)) * weight + bias


@answers.mistake("no root", "The row is divided by the standard deviation, the *root* of the variance.")
def no_root(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c / (c.square().mean(-1, keepdim=True) + eps) * weight + bias


@answers.mistake("dividing by the reciprocal root", "`rsqrt` is already 1/root: multiply by it, or divide by `sqrt`.")
def divides_by_rsqrt(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c / torch.rsqrt(c.square().mean(-1, keepdim=True) + eps) * weight + bias


@answers.mistake("a sum in place of the mean of squares", "The variance is a mean: without 1/d, rows get length 1.")
def sum_for_mean(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c / (c.square().sum(-1, keepdim=True) + eps).sqrt() * weight + bias


@answers.mistake("the mean of |x - mean|", "Standard deviation: square first, then the mean, then the root.")
def mean_absolute(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c / (c.abs().mean(-1, keepdim=True) + eps) * weight + bias


@answers.mistake("one mean for the whole tensor", "Each row has a mean and a variance of its own: the last axis.")
def over_everything(x, weight, bias, eps):
    c = x - x.mean()
    return c / (c.square().mean() + eps).sqrt() * weight + bias


@answers.mistake("statistics over the first axis", "That is BatchNorm's direction. The features are the last axis.")
def first_axis(x, weight, bias, eps):
    c = x - x.mean(0, keepdim=True)
    return c / (c.square().mean(0, keepdim=True) + eps).sqrt() * weight + bias


@answers.mistake(
    "one mean for all tokens of a sequence",
    "Tokens must not see each other here: the mean is over the last axis alone, not over the last two.",
)
def last_two_axes(x, weight, bias, eps):
    axes = (-2, -1) if x.dim() > 1 else -1
    c = x - x.mean(axes, keepdim=True)
    return c / (c.square().mean(axes, keepdim=True) + eps).sqrt() * weight + bias


@answers.mistake("keepdim is missing", "Both means must keep the last axis as 1 to act on their own row: keepdim=True.")
def no_keepdim(x, weight, bias, eps):
    c = x - x.mean(-1)
    return c / (c.square().mean(-1) + eps).sqrt() * weight + bias


@answers.mistake("x is changed in place", "`-=` and `/=` write into the caller's tensor. Make a new one.")
def in_place(x, weight, bias, eps):
    x -= x.mean(-1, keepdim=True)
    x /= (x.square().mean(-1, keepdim=True) + eps).sqrt()
    return x * weight + bias


@answers.mistake("the result stays float32", "You compute in float32, which is good; cast the result to x's dtype.")
def stays_float32(x, weight, bias, eps):
    return _unit(x.float(), eps) * weight.float() + bias.float()


@answers.mistake(
    "float32 times the weight", "Your float32 result meets the weight before it is cast back to x's dtype."
)
def promoted_by_weight(x, weight, bias, eps):
    return _unit(x.float(), eps) * weight + bias


@answers.mistake(
    "the standard deviation is detached",
    "The values are right, but the gradient has to flow through the standard deviation as well.",
)
def std_detached(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c / (c.detach().square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


@answers.mistake("the mean is detached", "The values are right, but the gradient has to flow through the mean as well.")
def mean_detached(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True).detach()
    return c / (c.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


@answers.mistake(
    "mean and standard deviation are detached",
    "They are no constants: both depend on x, and the gradient has to flow through them.",
)
def statistics_detached(x, weight, bias, eps):
    var, mean = torch.var_mean(x.detach(), -1, keepdim=True, correction=0)
    return (x - mean) / (var + eps).sqrt() * weight + bias


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x, weight, bias, eps):
    with torch.no_grad():
        return _unit(x, eps) * weight + bias
