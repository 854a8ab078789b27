"""Right and wrong ways to write `lean_rms_norm(x, weight, eps)`."""

import torch

from grader.answers import Answers

answers = Answers(
    "lean_rms_norm",
    why="Everything the backward pass needs follows from x, the weight and r: the normed row is one division away. x "
    "is in memory anyway, and r is one number a row, so hardly anything is kept for this norm's sake. eps is no tensor "
    "and gets None in place of a gradient.",
)


def _root(x, eps):
    """r, one number a row, kept as a column: common to most of these."""
    return (x.square().mean(-1, keepdim=True) + eps).sqrt()


def _gradients(grad_out, x, weight, r):
    """The right ones: of x, and of weight."""
    u, g = x / r, grad_out * weight
    return (g - u * (g * u).mean(-1, keepdim=True)) / r, (grad_out * u).reshape(-1, x.shape[-1]).sum(0)


def _function(keep, backward, forward=lambda x, weight, r: x / r * weight, root=_root):
    """A custom Function: keep(x, weight, r) is saved, and backward(grad_out, *saved) gives the two gradients."""

    class Norm(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, weight, eps):
            r = root(x, eps)
            ctx.save_for_backward(*keep(x, weight, r))
            ctx.eps = eps
            return forward(x, weight, r)

        @staticmethod
        def backward(ctx, grad_out):
            return *backward(grad_out, *ctx.saved_tensors), None

    return Norm


def _all_three(x, weight, r):
    return x, weight, r


@answers.right
def by_formula(x, weight, eps):
    class Norm(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, weight, eps):
            r = (x.square().mean(-1, keepdim=True) + eps).sqrt()
            ctx.save_for_backward(x, weight, r)
            return x / r * weight

        @staticmethod
        def backward(ctx, grad_out):
            x, weight, r = ctx.saved_tensors
            u, g = x / r, grad_out * weight
            grad_x = (g - u * (g * u).mean(-1, keepdim=True)) / r
            return grad_x, (grad_out * u).reshape(-1, x.shape[-1]).sum(0), None

    return Norm.apply(x, weight, eps)


class _Inverse(torch.autograd.Function):
    """The reciprocal root, kept without its axis; statistics in at least float32."""

    @staticmethod
    def forward(ctx, x, weight, eps):
        wide = x if x.dtype == torch.float64 else x.float()
        inverse = torch.rsqrt(wide.pow(2).mean(dim=-1) + eps)
        ctx.save_for_backward(x, weight, inverse)
        return (wide * inverse.unsqueeze(-1) * weight).to(x.dtype)

    @staticmethod
    def backward(ctx, grad_out):
        x, weight, inverse = ctx.saved_tensors
        unit = x * inverse[..., None]
        g = (grad_out * weight).to(unit.dtype)
        along = torch.einsum("...d,...d->...", g, unit).unsqueeze(-1) / x.shape[-1]
        grad_x = (g - along * unit) * inverse[..., None]
        return grad_x.to(x.dtype), torch.einsum("nd,nd->d", *_rows(grad_out, unit)).to(weight.dtype), None


def _rows(grad_out, unit):
    return grad_out.reshape(-1, unit.shape[-1]).to(unit.dtype), unit.reshape(-1, unit.shape[-1])


@answers.right
def reciprocal_root(x, weight, eps=1e-6):
    return _Inverse.apply(x, weight, eps)


class _Recomputes(torch.autograd.Function):
    """Keeps even less, and lets autograd do the rest in the backward pass."""

    @staticmethod
    def forward(ctx, x, weight, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight

    @staticmethod
    def backward(ctx, grad_out):
        x, weight = (t.detach().requires_grad_() for t in ctx.saved_tensors)
        with torch.enable_grad():
            y = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + ctx.eps) * weight
        return (*torch.autograd.grad(y, (x, weight), grad_out), None)


@answers.right
def recomputes_everything(x, weight, eps):
    return _Recomputes.apply(x, weight, eps)


class _NewStyle(torch.autograd.Function):
    """forward without ctx; setup_context keeps. The mean square is kept, from which r follows."""

    @staticmethod
    def forward(x, weight, eps):
        mean_square = (x * x).mean(-1, keepdim=True)
        return x / torch.sqrt(mean_square + eps) * weight, mean_square

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, ctx.eps = inputs
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(x, weight, output[1])

    @staticmethod
    def backward(ctx, grad_out, _):
        x, weight, mean_square = ctx.saved_tensors
        return *_gradients(grad_out, x, weight, torch.sqrt(mean_square + ctx.eps)), None


@answers.right
def setup_context(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    return _NewStyle.apply(x, weight, eps)[0]


def _sum_left_to_autograd(grad_out, x, weight, r):
    return _gradients(grad_out, x, weight, r)[0], grad_out * (x / r)


_LEFT = _function(_all_three, _sum_left_to_autograd)


@answers.right
def sum_left_to_autograd(x, weight, eps):
    """Autograd itself adds up a gradient that is broadcast against its input."""
    return _LEFT.apply(x, weight, eps)


class _Flat(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        inverse = x.square().mean(-1, keepdim=True).add_(eps).rsqrt_()
        ctx.save_for_backward(x, weight, inverse)
        return (x * inverse).mul_(weight)

    @staticmethod
    def backward(ctx, grad_out):
        x, weight, inverse = ctx.saved_tensors
        grad_x = grad_weight = None
        if ctx.needs_input_grad[0]:
            g = weight * grad_out
            along = torch.sum(g * x, dim=-1, keepdim=True) / x.shape[-1]
            grad_x = g * inverse - x * (inverse * inverse * inverse) * along
        if ctx.needs_input_grad[1]:
            grad_weight = (grad_out * x * inverse).sum_to_size(weight.shape)
        return grad_x, grad_weight, None


@answers.right
def flattened(x, weight, eps):
    rows = x.reshape(-1, x.shape[-1])
    return _Flat.apply(rows, weight, eps).reshape(x.shape)


@answers.right
def with_a_helper(x, weight, eps, *, check=False):
    return _function(_all_three, _gradients).apply(x, weight, eps)


@answers.mistake(
    "the normed row is kept as well",
    "It is as large as x, and one multiplication away: compute it again in `backward`.",
)
def saves_normed_too(x, weight, eps):
    norm = _function(lambda x, w, r: (x, w, r, x / r), lambda grad, x, w, r, u: _gradients(grad, x, w, r))
    return norm.apply(x, weight, eps)


@answers.mistake(
    "the normed row is kept in place of x",
    "x is in memory anyway, as the stream's; the normed row is not, so it is this norm's to pay for. Keep x.",
)
def saves_normed_instead(x, weight, eps):
    norm = _function(lambda x, w, r: (x / r, w, r), lambda grad, u, w, r: _gradients(grad, u * r, w, r))
    return norm.apply(x, weight, eps)


class _Attribute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        ctx.x, ctx.weight, ctx.r = x, weight, _root(x, eps)
        return x / ctx.r * weight

    @staticmethod
    def backward(ctx, grad_out):
        return *_gradients(grad_out, ctx.x, ctx.weight, ctx.r), None


@answers.mistake(
    "tensors kept as attributes of ctx",
    "The numbers are right. But autograd does not see them there: nothing notices a change in place, and no hook can "
    "move them away. Hand them to `ctx.save_for_backward`.",
)
def kept_as_attribute(x, weight, eps):
    return _Attribute.apply(x, weight, eps)


@answers.mistake(
    "the weight in its own gradient",
    "y is u times the weight, so the weight's gradient is grad_out · u, without g: the weight is not in it.",
)
def weight_in_its_own_gradient(x, weight, eps):
    def backward(grad, x, w, r):
        grad_x, grad_w = _gradients(grad, x, w, r)
        return grad_x, grad_w * w

    return _function(_all_three, backward).apply(x, weight, eps)


@answers.mistake(
    "plain autograd",
    "Each step keeps what its own derivative asks for. Write a `torch.autograd.Function` that keeps less.",
)
def plain_autograd(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight


@answers.mistake(
    "r as wide as the row", "All numbers of a row share one r: keep it as a column, and let broadcasting widen it."
)
def saves_wide_root(x, weight, eps):
    norm = _function(lambda x, w, r: (x, w, r.expand_as(x).contiguous()), _gradients)
    return norm.apply(x, weight, eps)


@answers.mistake("two numbers a row", "One is enough: from either of the two the other follows.")
def two_numbers(x, weight, eps):
    norm = _function(lambda x, w, r: (x, w, r, 1 / r), lambda grad, x, w, r, _: _gradients(grad, x, w, r))
    return norm.apply(x, weight, eps)


@answers.mistake(
    "a float32 copy of x",
    "For a bfloat16 x the copy takes twice the bytes of x, and x is kept by others anyway. Keep x, and widen it again.",
)
def saves_float32_copy(x, weight, eps):
    def backward(grad, wide, w, r):
        return _gradients(grad, wide.to(grad.dtype), w, r)

    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    return _function(lambda x, w, r: (x.to(wide), w, r), backward).apply(x, weight, eps)


@answers.mistake(
    "eps is missing in what is kept",
    "The forward pass divides by the root with eps, and so must the backward pass: keep that very r.",
)
def statistic_without_eps(x, weight, eps):
    norm = _function(lambda x, w, r: (x, w, _root(x, 0.0)), _gradients)
    return norm.apply(x, weight, eps)


@answers.mistake(
    "no projection term",
    "x reaches y through r as well. That way takes away the part of the gradient along x: u times mean(g·u).",
)
def no_projection(x, weight, eps):
    def backward(grad, x, w, r):
        return grad * w / r, _gradients(grad, x, w, r)[1]

    return _function(_all_three, backward).apply(x, weight, eps)


@answers.mistake("the weight is missing inside the mean", "The mean is of g·u, and g is grad_out times weight already.")
def weight_not_in_mean(x, weight, eps):
    def backward(grad, x, w, r):
        u = x / r
        return (grad * w - u * (grad * u).mean(-1, keepdim=True)) / r, _gradients(grad, x, w, r)[1]

    return _function(_all_three, backward).apply(x, weight, eps)


@answers.mistake(
    "the weight is missing in x's gradient", "y is weight times u: going back to u multiplies by the weight."
)
def no_weight(x, weight, eps):
    def backward(grad, x, w, r):
        return _gradients(grad, x, torch.ones_like(w), r)[0], _gradients(grad, x, w, r)[1]

    return _function(_all_three, backward).apply(x, weight, eps)


@answers.mistake("a sum in place of the mean", "The projection takes the *mean* of g·u over the row: r has a d in it.")
def sum_for_mean(x, weight, eps):
    def backward(grad, x, w, r):
        u, g = x / r, grad * w
        return (g - u * (g * u).sum(-1, keepdim=True)) / r, _gradients(grad, x, w, r)[1]

    return _function(_all_three, backward).apply(x, weight, eps)


@answers.mistake("x in place of the normed row", "The projection is along u = x / r, both inside the mean and outside.")
def projects_along_x(x, weight, eps):
    def backward(grad, x, w, r):
        g = grad * w
        return (g - x * (g * x).mean(-1, keepdim=True)) / r, _gradients(grad, x, w, r)[1]

    return _function(_all_three, backward).apply(x, weight, eps)


@answers.mistake("not divided by r", "Every part of x's gradient is divided by r once more: u is x over r.")
def not_over_r(x, weight, eps):
    def backward(grad, x, w, r):
        grad_x, grad_weight = _gradients(grad, x, w, r)
        return grad_x * r, grad_weight

    return _function(_all_three, backward).apply(x, weight, eps)


@answers.mistake(
    "r and its reciprocal confused", "What is kept is 1/r here, and it is used as r. Multiply where you divide."
)
def reciprocal_as_root(x, weight, eps):
    return _function(lambda x, w, r: (x, w, 1 / r), _gradients).apply(x, weight, eps)


@answers.mistake("the weight's gradient uses x", "y is weight times the *normed* row, so its gradient contains u.")
def weight_gradient_of_x(x, weight, eps):
    def backward(grad, x, w, r):
        return _gradients(grad, x, w, r)[0], (grad * x).reshape(-1, x.shape[-1]).sum(0)

    return _function(_all_three, backward).apply(x, weight, eps)


@answers.mistake(
    "the weight's gradient is averaged", "Gradients of a shared parameter add up over the rows; there is no mean."
)
def averaged(x, weight, eps):
    def backward(grad, x, w, r):
        grad_x, grad_weight = _gradients(grad, x, w, r)
        return grad_x, grad_weight / (x.numel() / x.shape[-1])

    return _function(_all_three, backward).apply(x, weight, eps)


@answers.mistake("no gradient for the weight", "The weight is trained, too: return its gradient in second place.")
def no_weight_gradient(x, weight, eps):
    return _function(_all_three, lambda *a: (_gradients(*a)[0], None)).apply(x, weight, eps)


@answers.mistake(
    "the gradients are swapped", "One gradient for each argument of `forward`, in its order: x, then weight."
)
def swapped(x, weight, eps):
    return _function(_all_three, lambda *a: _gradients(*a)[::-1]).apply(x, weight, eps)


class _NoNone(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        r = _root(x, eps)
        ctx.save_for_backward(x, weight, r)
        return x / r * weight

    @staticmethod
    def backward(ctx, grad_out):
        return _gradients(grad_out, *ctx.saved_tensors)


class _View(_NoNone):
    @staticmethod
    def backward(ctx, grad_out):
        x, weight, r = ctx.saved_tensors
        rows = grad_out.view(-1, x.shape[-1])
        grad_x = _gradients(rows, x.reshape(rows.shape), weight, r.reshape(-1, 1))
        return grad_x[0].reshape(x.shape), grad_x[1], None


@answers.mistake(
    "nothing is returned for eps", "`backward` returns one value for each argument of `forward`: for eps it is None."
)
def forgets_none(x, weight, eps):
    return _NoNone.apply(x, weight, eps)


@answers.mistake(
    "view() on the incoming gradient",
    "What arrives need not be contiguous: the gradient of a sum is one number, expanded. `reshape` copes with that.",
)
def views_the_gradient(x, weight, eps):
    return _View.apply(x, weight, eps)


@answers.mistake(
    "the incoming gradient is changed in place", "`*=` writes into a tensor that others still use. Make a new one."
)
def changes_gradient(x, weight, eps):
    def backward(grad, x, w, r):
        weight_gradient = _gradients(grad, x, w, r)[1]
        grad *= w
        return _gradients(grad, x, torch.ones_like(w), r)[0], weight_gradient

    return _function(_all_three, backward).apply(x, weight, eps)


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x, weight, eps):
    with torch.no_grad():
        return x / _root(x, eps) * weight


@answers.mistake(
    "eps outside the root",
    "eps is added to the mean square, before the root is taken. For tiny inputs the two differ much.",
)
def eps_outside_root(x, weight, eps):
    return _function(_all_three, _gradients, root=lambda x, eps: _root(x, 0.0) + eps).apply(x, weight, eps)


@answers.mistake("no eps", "A row of zeros is divided by zero and becomes NaN. eps, inside the root, prevents it.")
def no_eps(x, weight, eps):
    return _function(_all_three, _gradients).apply(x, weight, 0.0)


@answers.mistake("a fixed eps of 1e-6", "Your code does not use the argument `eps`; models differ in it.")
def fixed_eps(x, weight, eps):
    return _function(_all_three, _gradients).apply(x, weight, 1e-6)


@answers.mistake(
    "the weight is ignored", "Scale each feature by its `weight` after the division, in the forward pass too."
)
def ignores_weight(x, weight, eps):
    return _function(_all_three, _gradients, forward=lambda x, w, r: x / r).apply(x, weight, eps)
