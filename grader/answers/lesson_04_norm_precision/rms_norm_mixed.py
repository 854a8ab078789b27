"""Right and wrong ways to write `rms_norm_mixed(x, weight, eps)`."""

import torch

from grader.answers import Answers

answers = Answers(
    "rms_norm_mixed",
    why="The copy in float32 comes first, so that squares, mean, eps and root are all taken there. The result goes "
    "back to x's dtype; the weight may come before or after that cast (Llama's order and Gemma's).",
)


@answers.right
def llamas_order(x, weight, eps):
    h = x.float()
    h = h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
    return weight * h.to(x.dtype)


@answers.right
def gemmas_order(x, weight, eps):
    h = x.to(torch.float32)
    h = h / (h.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    return (h * weight.float()).type_as(x)


@answers.right
def in_double(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    h = x.double()
    return (h * (h.pow(2).mean(dim=-1, keepdim=True) + eps) ** -0.5 * weight).to(x.dtype)


@answers.right
def by_promotion(x, weight, eps):
    dtype = torch.promote_types(x.dtype, torch.float32)
    h, w = x.to(dtype), weight.to(dtype)
    r = torch.sqrt(torch.einsum("...d,...d->...", h, h) / x.shape[-1] + eps)
    return torch.einsum("...d,...,d->...d", h, 1 / r, w).to(x.dtype)


@answers.right
def norm_with_a_dtype(x, weight, eps):
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True, dtype=torch.promote_types(x.dtype, torch.float32))
    r = (length**2 / x.shape[-1] + eps).sqrt()
    return (x / r).to(x.dtype) * weight


@answers.right
def in_place_on_a_copy(x, weight, eps):
    h = x.to(torch.float32, copy=True)
    h = h.mul_(torch.rsqrt(x.float().square().mean(-1, keepdim=True).add_(eps)))
    return h.to(x.dtype) * weight


@answers.right
def scaled_beforehand(x, weight, eps):
    """No square is ever large: the row is divided by its largest number first."""
    h = x.float()
    largest = h.abs().amax(-1, keepdim=True).clamp(min=1e-20)
    unit = h / largest
    r = torch.sqrt(unit.square().mean(-1, keepdim=True) + eps / largest**2)
    return (unit / r).to(x.dtype) * weight


class _ByHand(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        h = x.float()
        r = (h.square().mean(-1, keepdim=True) + eps).sqrt()
        ctx.save_for_backward(x, weight, r)
        return (h / r * weight.float()).to(x.dtype)

    @staticmethod
    def backward(ctx, grad_y):
        x, weight, r = ctx.saved_tensors
        u, g, dy = x.float() / r, grad_y.float() * weight.float(), grad_y.float()
        grad_x = (g - u * (g * u).mean(-1, keepdim=True)) / r
        return grad_x.to(x.dtype), (dy * u).reshape(-1, len(weight)).sum(0).to(weight.dtype), None


@answers.right
def autograd_function(x, weight, eps):
    return _ByHand.apply(x, weight, eps)


@answers.right
def without_autocast(x, weight, eps):
    with torch.autocast("cpu", enabled=False):
        h = x.float()
        var, mean = torch.var_mean(h, dim=-1, keepdim=True, correction=0)
        return (h * torch.rsqrt(var + mean**2 + eps)).to(x.dtype) * weight


@answers.mistake(
    "everything in the dtype of x",
    "In float16 the square of 300 is infinite and that of 1e-4 is zero. Go to float32 before you square.",
)
def no_upcast(x, weight, eps):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight


@answers.mistake(
    "the squares are taken before the upcast",
    "float32 comes too late: squares and mean have overflowed by then, or have become zero. Upcast x itself.",
)
def upcast_after_squares(x, weight, eps):
    r = (x.square().mean(-1, keepdim=True).float() + eps).sqrt()
    return (x.float() / r).to(x.dtype) * weight


@answers.mistake(
    "the mean is taken in float32, the squares are not",
    "float32 comes too late (`.float()` on the squares, or `dtype=` on their mean): they have overflowed by then. "
    "Upcast x itself.",
)
def upcast_squares(x, weight, eps):
    r = (x.square().float().mean(-1, keepdim=True) + eps).sqrt()
    return (x.float() / r).to(x.dtype) * weight


@answers.mistake(
    "the mean square is cast back before the root",
    "The mean of squares near 300² does not fit into float16, and there eps = 1e-8 is zero. Take the root in float32.",
)
def statistics_cast_back(x, weight, eps):
    mean_square = x.float().square().mean(-1, keepdim=True).to(x.dtype)
    return x * torch.rsqrt(mean_square + eps) * weight


@answers.mistake(
    "eps is rounded to the dtype of x",
    "In float16 an eps of 1e-8 becomes zero, and zeros divided by zero NaN. Keep eps a Python number, or float32.",
)
def eps_in_half(x, weight, eps):
    h = x.float()
    small = torch.tensor(eps, dtype=x.dtype).float()
    return (h / (h.square().mean(-1, keepdim=True) + small).sqrt()).to(x.dtype) * weight


@answers.mistake(
    "bfloat16 in place of float32",
    "bfloat16 has float32's range but only 8 bits: nothing overflows, and float16 numbers lose three bits.",
)
def through_bfloat16(x, weight, eps):
    h = x.bfloat16() if x.dtype == torch.float16 else x.float()
    h = h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
    return h.to(x.dtype) * weight


@answers.mistake(
    "large numbers are clipped", "Clipping keeps the squares finite and changes the answer. In float32 they simply fit."
)
def clips(x, weight, eps):
    h = x.float().clamp(-255.0, 255.0)
    return (h / (h.square().mean(-1, keepdim=True) + eps).sqrt()).to(x.dtype) * weight


@answers.mistake(
    "the squares are clipped", "Clipping the squares to float16's range changes the answer. In float32 they simply fit."
)
def clips_squares(x, weight, eps):
    h = x.float()
    squares = h.square().clamp(max=65504.0)
    return (h / (squares.mean(-1, keepdim=True) + eps).sqrt()).to(x.dtype) * weight


@answers.mistake(
    "the result stays float32", "Compute in float32, and return the dtype of x: the stream has that dtype."
)
def stays_float32(x, weight, eps):
    h = x.float()
    return h / (h.square().mean(-1, keepdim=True) + eps).sqrt() * weight.float()


@answers.mistake(
    "float32 times the weight",
    "Half times float32 is float32: your row is still float32 when it meets the weight, and so is the result. Cast it.",
)
def promoted_by_weight(x, weight, eps):
    h = x.float()
    return h / (h.square().mean(-1, keepdim=True) + eps).sqrt() * weight


@answers.mistake("the result is always bfloat16", "Cast to `x.dtype`, whatever it is, not to a fixed dtype.")
def always_bfloat16(x, weight, eps):
    h = x.float()
    return (h / (h.square().mean(-1, keepdim=True) + eps).sqrt() * weight).bfloat16()


@answers.mistake("the result is always float16", "Cast to `x.dtype`, whatever it is, not to a fixed dtype.")
def always_float16(x, weight, eps):
    h = x.float()
    return (h / (h.square().mean(-1, keepdim=True) + eps).sqrt() * weight).half()


@answers.mistake(
    "a float32 x is changed in place",
    "`x.float()` copies only if x is not float32 already; else it *is* x, and `*=` writes into the caller's tensor.",
)
def in_place_on_float(x, weight, eps):
    h = x.float()
    r = (h.square().mean(-1, keepdim=True) + eps).sqrt()
    h /= r
    return h.to(x.dtype) * weight


@answers.mistake("x is changed in place", "`/=` and `*=` write into the caller's tensor. Make a new one.")
def in_place(x, weight, eps):
    r = (x.float().square().mean(-1, keepdim=True) + eps).sqrt()
    x /= r
    return x * weight


@answers.mistake("the weight is ignored", "Scale each feature by its `weight`, before or after the cast.")
def ignores_weight(x, weight, eps):
    h = x.float()
    return (h / (h.square().mean(-1, keepdim=True) + eps).sqrt()).to(x.dtype)


@answers.mistake("a gain of 1 + weight", "That is the next exercise, Gemma's norm. Here the gain is `weight` itself.")
def one_plus_weight(x, weight, eps):
    h = x.float()
    return (h / (h.square().mean(-1, keepdim=True) + eps).sqrt() * (1 + weight.float())).to(x.dtype)


@answers.mistake("eps outside the root", "eps is added to the mean square, before the root is taken.")
def eps_outside_root(x, weight, eps):
    h = x.float()
    return (h / (h.square().mean(-1, keepdim=True).sqrt() + eps)).to(x.dtype) * weight


@answers.mistake("no eps", "A row of zeros is divided by zero and becomes NaN. eps, inside the root, prevents it.")
def no_eps(x, weight, eps):
    h = x.float()
    return (h / h.square().mean(-1, keepdim=True).sqrt()).to(x.dtype) * weight


@answers.mistake("a fixed eps of 1e-6", "Your code does not use the argument `eps`; models differ in it.")
def fixed_eps_6(x, weight, eps):
    h = x.float()
    return (h / (h.square().mean(-1, keepdim=True) + 1e-6).sqrt()).to(x.dtype) * weight


@answers.mistake("a fixed eps of 1e-5", "Your code does not use the argument `eps`; models differ in it.")
def fixed_eps_5(x, weight, eps):
    h = x.float()
    return (h / (h.square().mean(-1, keepdim=True) + 1e-5).sqrt()).to(x.dtype) * weight


@answers.mistake(
    "the dtype's own eps",
    "`torch.finfo(x.dtype).eps` is the spacing of numbers near 1, 0.001 in float16. Use the argument `eps`.",
)
def dtype_eps(x, weight, eps):
    h = x.float()
    return (h / (h.square().mean(-1, keepdim=True) + torch.finfo(x.dtype).eps).sqrt()).to(x.dtype) * weight


@answers.mistake(
    "eps raised to what float16 can hold",
    "In float32 an eps of 1e-8 is no problem: leave it as it is, or tiny rows come out too small.",
)
def raised_eps(x, weight, eps):
    h = x.float()
    eps = max(eps, torch.finfo(torch.float16).tiny)
    return (h / (h.square().mean(-1, keepdim=True) + eps).sqrt()).to(x.dtype) * weight


@answers.mistake("eps as a lower bound", "A clamp leaves larger values alone; eps is added to every mean square.")
def clamps_by_eps(x, weight, eps):
    h = x.float()
    return (h / h.square().mean(-1, keepdim=True).clamp(min=eps).sqrt()).to(x.dtype) * weight


@answers.mistake("a sum in place of the mean", "The root *mean* square: divide by d, or use `mean`.")
def sum_for_mean(x, weight, eps):
    h = x.float()
    return (h / (h.square().sum(-1, keepdim=True) + eps).sqrt()).to(x.dtype) * weight


@answers.mistake("subtracting the mean", "That is LayerNorm without a bias. RMSNorm leaves the mean where it is.")
def subtracts_mean(x, weight, eps):
    h = x.float()
    h = h - h.mean(-1, keepdim=True)
    return (h / (h.square().mean(-1, keepdim=True) + eps).sqrt()).to(x.dtype) * weight


@answers.mistake("one mean for the whole tensor", "Each row has a mean square of its own: average over the last axis.")
def mean_of_everything(x, weight, eps):
    h = x.float()
    return (h / (h.square().mean() + eps).sqrt()).to(x.dtype) * weight


@answers.mistake("the root mean square is detached", "The gradient has to flow through the root mean square as well.")
def detached(x, weight, eps):
    h = x.float()
    return (h / (h.detach().square().mean(-1, keepdim=True) + eps).sqrt()).to(x.dtype) * weight


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x, weight, eps):
    with torch.no_grad():
        h = x.float()
        return (h / (h.square().mean(-1, keepdim=True) + eps).sqrt()).to(x.dtype) * weight


@answers.mistake(
    "a new tensor made from x",
    "`torch.tensor(x, …)` copies the numbers and leaves the graph behind. `x.float()` keeps it.",
)
def torch_tensor(x, weight, eps):
    h = x.detach().clone().float()
    return (h / (h.square().mean(-1, keepdim=True) + eps).sqrt()).to(x.dtype) * weight
