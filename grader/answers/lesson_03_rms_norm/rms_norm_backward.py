"""Right and wrong ways to write `rms_norm_backward(grad_out, x, weight, eps)`."""

import torch

from grader.answers import Answers

answers = Answers(
    "rms_norm_backward",
    why="y = weight * u and u = x / r. grad_weight is what arrives at each row times u, summed over the rows. x acts "
    "on u directly (g / r) and through r, whose derivative is u / d: that takes away the part of g along u.",
)


def _forward(x, eps):
    """The root mean square r and the normalised row u, common to most of these."""
    r = (x.square().mean(-1, keepdim=True) + eps).sqrt()
    return r, x / r


def _over_rows(t):
    """The sum over every axis but the last."""
    return t.reshape(-1, t.shape[-1]).sum(0)


@answers.right
def by_formula(grad_out, x, weight, eps):
    r = (x.square().mean(-1, keepdim=True) + eps).sqrt()
    u, g = x / r, grad_out * weight
    grad_x = (g - u * (g * u).mean(-1, keepdim=True)) / r
    return grad_x, (grad_out * u).reshape(-1, x.shape[-1]).sum(0)


@answers.right
def in_powers_of_the_inverse(grad_out, x, weight, eps):
    d = x.size(-1)
    inverse = torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
    g = weight * grad_out
    along = torch.sum(g * x, dim=-1, keepdim=True)
    grad_weight = torch.einsum("nd,nd->d", grad_out.reshape(-1, d), (x * inverse).reshape(-1, d))
    return g * inverse - x * inverse**3 * along / d, grad_weight


@answers.right
def through_the_jacobian(grad_out, x, weight, eps):
    d = x.shape[-1]
    rows, grads = x.reshape(-1, d), (grad_out * weight).reshape(-1, d)
    r = (rows.square().mean(-1) + eps).sqrt()[:, None, None]
    eye = torch.eye(d, dtype=x.dtype)
    jacobian = (eye - rows[:, :, None] * rows[:, None, :] / (d * r**2)) / r
    grad_x = torch.bmm(jacobian, grads[:, :, None]).reshape(x.shape)
    return [grad_x, (grad_out.reshape(-1, d) * rows / r[:, :, 0]).sum(dim=0)]


@answers.right
def axes_by_name(grad_out, x, weight, eps=1e-6):
    u = x * (torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2 / x.shape[-1] + eps) ** -0.5
    leading = tuple(range(x.dim() - 1))
    grad_weight = grad_out * u if not leading else (grad_out * u).sum(dim=leading)
    g = grad_out * weight
    mean = torch.einsum("...d,...d->...", g, u).unsqueeze(-1) / x.shape[-1]
    return (g - mean * u) * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps), grad_weight


@answers.mistake(
    "no projection term",
    "x reaches y through r as well. That way takes away the part of the gradient along x: u times mean(g·u).",
)
def no_projection(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    return grad_out * weight / r, _over_rows(grad_out * u)


@answers.mistake(
    "the weight is missing inside the mean",
    "The mean is of g·u, and g is grad_out times weight already.",
)
def weight_not_in_mean(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    mean = (grad_out * u).mean(-1, keepdim=True)
    return (grad_out * weight - u * mean) / r, _over_rows(grad_out * u)


@answers.mistake("the weight is missing in grad_x", "y is weight times u: going back to u multiplies by the weight.")
def no_weight(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    return (grad_out - u * (grad_out * u).mean(-1, keepdim=True)) / r, _over_rows(grad_out * u)


@answers.mistake(
    "the weight multiplies at the end",
    "The weight belongs to g, before the mean is taken; it cannot be pulled out of the projection.",
)
def weight_at_the_end(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    grad_u = grad_out - u * (grad_out * u).mean(-1, keepdim=True)
    return grad_u / r * weight, _over_rows(grad_out * u)


@answers.mistake(
    "grad_weight is summed over the features",
    "There is one gain a feature: sum over all axes *but* the last.",
)
def summed_over_features(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return (g - u * (g * u).mean(-1, keepdim=True)) / r, (grad_out * u).sum(-1)


@answers.mistake(
    "grad_weight is summed over the first axis only",
    "With more than two axes, all leading ones are summed; with one, none. Flattening the rows first helps.",
)
def summed_over_first(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return (g - u * (g * u).mean(-1, keepdim=True)) / r, (grad_out * u).sum(0)


@answers.mistake("grad_weight is not summed", "Every row uses the same weight, so its gradient is a sum over the rows.")
def not_summed(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return (g - u * (g * u).mean(-1, keepdim=True)) / r, grad_out * u


@answers.mistake("grad_weight is averaged", "Gradients of a shared parameter add up over the rows; there is no mean.")
def averaged(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return (g - u * (g * u).mean(-1, keepdim=True)) / r, (grad_out * u).reshape(-1, x.shape[-1]).mean(0)


@answers.mistake("the two are swapped", "Return grad_x first, grad_weight second.")
def swapped(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return _over_rows(grad_out * u), (g - u * (g * u).mean(-1, keepdim=True)) / r


@answers.mistake("grad_weight uses x in place of u", "The weight multiplies the normalised row, so its gradient has u.")
def weight_from_x(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return (g - u * (g * u).mean(-1, keepdim=True)) / r, _over_rows(grad_out * x)


@answers.mistake("the weight multiplies grad_weight", "∂y/∂weight is u alone: the weight itself does not appear.")
def weight_in_grad_weight(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return (g - u * (g * u).mean(-1, keepdim=True)) / r, _over_rows(g * u)


@answers.mistake("a sum in place of the mean", "The mean square has a 1/d, and so does its derivative: mean(g·u).")
def sum_for_mean(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return (g - u * (g * u).sum(-1, keepdim=True)) / r, _over_rows(grad_out * u)


@answers.mistake("the projection is added", "The way through r divides: its derivative is negative. Subtract the term.")
def wrong_sign(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return (g + u * (g * u).mean(-1, keepdim=True)) / r, _over_rows(grad_out * u)


@answers.mistake("the division by r is missing", "u is x over r, so grad_x carries 1/r: small rows, large gradients.")
def no_division(grad_out, x, weight, eps):
    _, u = _forward(x, eps)
    g = grad_out * weight
    return g - u * (g * u).mean(-1, keepdim=True), _over_rows(grad_out * u)


@answers.mistake("the projection uses x in place of u", "Both factors of the projection are the normalised row u.")
def projects_on_x(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return (g - x * (g * x).mean(-1, keepdim=True)) / r, _over_rows(grad_out * u)


@answers.mistake("the second factor of the projection is x", "Both factors of the projection are the normalised row u.")
def half_projects_on_x(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    return (g - u * (g * x).mean(-1, keepdim=True)) / r, _over_rows(grad_out * u)


@answers.mistake("no eps", "The backward pass uses the same r as the forward pass, eps included.")
def no_eps(grad_out, x, weight, eps):
    r, u = _forward(x, 0.0)
    g = grad_out * weight
    return (g - u * (g * u).mean(-1, keepdim=True)) / r, _over_rows(grad_out * u)


@answers.mistake("eps outside the root", "r is the root of (mean square + eps), as in the forward pass.")
def eps_outside_root(grad_out, x, weight, eps):
    r = x.square().mean(-1, keepdim=True).sqrt() + eps
    u, g = x / r, grad_out * weight
    return (g - u * (g * u).mean(-1, keepdim=True)) / r, _over_rows(grad_out * u)


@answers.mistake(
    "LayerNorm's gradient",
    "You also subtract the mean of g. LayerNorm does, since it subtracts the mean of x; RMSNorm does not.",
)
def layer_norm_gradient(grad_out, x, weight, eps):
    r, u = _forward(x, eps)
    g = grad_out * weight
    grad_x = (g - g.mean(-1, keepdim=True) - u * (g * u).mean(-1, keepdim=True)) / r
    return grad_x, _over_rows(grad_out * u)
