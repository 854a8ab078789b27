"""Right and wrong ways to write `swiglu(x, w_gate, w_up, w_down)`."""

import torch
import torch.nn.functional as F

from grader.answers import Answers

answers = Answers(
    "swiglu",
    why="One product for the gate, one for the signal, one to come back. Only the gate goes through SiLU; the element "
    "by element product is where one decides about the other.",
)


@answers.right
def plain(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down


@answers.right
def sigmoid_spelled_out(x, w_gate, w_up, w_down):
    gate = torch.matmul(x, w_gate)
    return torch.matmul(torch.matmul(x, w_up) * (gate * torch.sigmoid(gate)), w_down)


@answers.right
def fused_gate_up(x: torch.Tensor, w_gate: torch.Tensor, w_up: torch.Tensor, w_down: torch.Tensor) -> torch.Tensor:
    gate, up = (x @ torch.cat([w_gate, w_up], dim=1)).chunk(2, dim=-1)
    return (F.silu(gate) * up) @ w_down


@answers.right
def fused_up_gate(x, w_gate, w_up, w_down):
    up, gate = torch.split(x @ torch.hstack([w_up, w_gate]), w_up.shape[1], dim=-1)
    return F.silu(gate).mul(up) @ w_down


@answers.right
def through_linear(x, w_gate, w_up, w_down):
    return F.linear(F.silu(F.linear(x, w_gate.T)) * F.linear(x, w_up.T), w_down.T)


@answers.right
def einsum(x, w_gate, w_up, w_down):
    gate, up = (torch.einsum("...d,dh->...h", x, w) for w in (w_gate, w_up))
    return torch.einsum("...h,hd->...d", torch.nn.SiLU()(gate) * up, w_down)


@answers.right
def flattened_rows(x, w_gate, w_up, w_down):
    rows = x.reshape(-1, x.shape[-1])
    y = torch.mm(F.silu(torch.mm(rows, w_gate)) * torch.mm(rows, w_up), w_down)
    return y.view(x.shape)


@answers.right
def in_two_shards(x, w_gate, w_up, w_down):
    half = w_gate.shape[1] // 2
    parts = [slice(0, half), slice(half, None)]
    return sum((F.silu(x @ w_gate[:, s]) * (x @ w_up[:, s])) @ w_down[s] for s in parts)


@answers.right
def keys_and_values(x, w_gate, w_up, w_down):
    strength = F.silu(x @ w_gate) * (x @ w_up)
    return (strength.unsqueeze(-1) * w_down).sum(-2)


@answers.right
def in_place_on_new_tensors(x, w_gate, w_up, w_down, *, activation=F.silu):
    hidden = activation(x @ w_gate)
    hidden = hidden.mul_(x @ w_up) if not hidden.requires_grad else hidden * (x @ w_up)
    return hidden @ w_down


@answers.right
def compiled(x, w_gate, w_up, w_down):
    def inner(x):
        return F.silu(x @ w_gate) * (x @ w_up)

    return torch.compile(inner)(x) @ w_down


@answers.mistake(
    "SiLU of the product", "The gate is activated before it meets the signal, not gate and signal together."
)
def silu_of_product(x, w_gate, w_up, w_down):
    return F.silu((x @ w_gate) * (x @ w_up)) @ w_down


@answers.mistake(
    "the activation on the signal", "SiLU belongs on x times w_gate. The signal x times w_up stays as it is."
)
def silu_on_up(x, w_gate, w_up, w_down):
    return ((x @ w_gate) * F.silu(x @ w_up)) @ w_down


@answers.mistake("the activation on both", "Only the gate goes through SiLU.")
def silu_on_both(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate) * F.silu(x @ w_up)) @ w_down


@answers.mistake("no activation", "Without SiLU on the gate this is the bilinear layer of Shazeer's table.")
def bilinear(x, w_gate, w_up, w_down):
    return ((x @ w_gate) * (x @ w_up)) @ w_down


@answers.mistake(
    "a plain sigmoid gate", "That is the original GLU. SwiGLU's gate is SiLU: the number times its sigmoid."
)
def glu(x, w_gate, w_up, w_down):
    return (torch.sigmoid(x @ w_gate) * (x @ w_up)) @ w_down


@answers.mistake("a ReLU gate", "That is ReGLU. SwiGLU's gate is SiLU.")
def reglu(x, w_gate, w_up, w_down):
    return (F.relu(x @ w_gate) * (x @ w_up)) @ w_down


@answers.mistake("a GELU gate", "That is GEGLU, Gemma's choice. SwiGLU's gate is SiLU.")
def geglu(x, w_gate, w_up, w_down):
    return (F.gelu(x @ w_gate) * (x @ w_up)) @ w_down


@answers.mistake("a GELU gate in its tanh form", "That is Gemma's GeGLU. SwiGLU's gate is SiLU.")
def geglu_tanh(x, w_gate, w_up, w_down):
    return (F.gelu(x @ w_gate, approximate="tanh") * (x @ w_up)) @ w_down


@answers.mistake("a factor of 1.702 in the gate", "That is gpt-oss's variant. SwiGLU is Swish with a factor of 1.")
def quick_gelu_gate(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    return (gate * torch.sigmoid(1.702 * gate) * (x @ w_up)) @ w_down


@answers.mistake("a tanh gate", "A tanh gate is the LSTM's. SwiGLU's gate is SiLU.")
def tanh_gate(x, w_gate, w_up, w_down):
    return (torch.tanh(x @ w_gate) * (x @ w_up)) @ w_down


@answers.mistake("a softmax gate", "Hidden units do not compete: each has a gate of its own.")
def softmax_gate(x, w_gate, w_up, w_down):
    return (torch.softmax(x @ w_gate, dim=-1) * (x @ w_up)) @ w_down


@answers.mistake("gate and signal added", "They are multiplied, element by element. A sum cannot shut anything out.")
def added(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate) + x @ w_up) @ w_down


@answers.mistake("up + 1", "gpt-oss adds 1 to the signal. SwiGLU multiplies gate and signal as they are.")
def one_plus_up(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate) * (1 + x @ w_up)) @ w_down


@answers.mistake("no signal", "w_up is not used: this is a plain two-matrix network with SiLU.")
def no_up(x, w_gate, w_up, w_down):
    return F.silu(x @ w_gate) @ w_down


@answers.mistake("no gate", "w_gate is not used: the activation belongs to it, and the signal stays linear.")
def no_gate(x, w_gate, w_up, w_down):
    return F.silu(x @ w_up) @ w_down


@answers.mistake("one matrix for gate and signal", "Both factors use w_gate. The signal has a matrix of its own, w_up.")
def gate_twice(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    return (F.silu(gate) * gate) @ w_down


@answers.mistake("no way back", "The result has h features: the last product, with w_down, is missing.")
def no_down(x, w_gate, w_up, w_down):
    return F.silu(x @ w_gate) * (x @ w_up)


@answers.mistake("SiLU on the input", "x goes into the products as it is; SiLU comes after the one with w_gate.")
def silu_on_x(x, w_gate, w_up, w_down):
    return ((F.silu(x) @ w_gate) * (x @ w_up)) @ w_down


@answers.mistake("SiLU at the end too", "After w_down nothing follows: the result is added to the stream as it is.")
def silu_at_the_end(x, w_gate, w_up, w_down):
    return F.silu((F.silu(x @ w_gate) * (x @ w_up)) @ w_down)


@answers.mistake(
    "the residual is added", "`x +` belongs to the block. The feed-forward network returns its update only."
)
def residual(x, w_gate, w_up, w_down):
    return x + (F.silu(x @ w_gate) * (x @ w_up)) @ w_down


@answers.mistake(
    "all weights transposed",
    "F.linear wants [out, in]. Here the weights are [in, out], as the note writes them: use them as they are.",
)
def all_transposed(x, w_gate, w_up, w_down):
    return F.linear(F.silu(F.linear(x, w_gate)) * F.linear(x, w_up), w_down)


@answers.mistake(
    "brackets missing around x @ w_up",
    "`*` and `@` bind equally, from left to right: `gate * x @ w_up` is `(gate * x) @ w_up`. Put brackets around the "
    "second product.",
)
def brackets_missing(x, w_gate, w_up, w_down):
    gate = F.silu(x @ w_gate)
    return gate * x @ w_up @ w_down


@answers.mistake("w_gate and w_up transposed", "They are [d, h] already: x times the matrix, nothing transposed.")
def gate_up_transposed(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate.T) * (x @ w_up.T)) @ w_down


@answers.mistake("w_down transposed", "w_down is [h, d] already: it leads from h back to d as it stands.")
def down_transposed(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down.T


@answers.mistake(
    "a SiLU that overflows",
    "e^x above and below the bar is infinity over infinity for large x. F.silu and torch.sigmoid are safe.",
)
def overflowing_silu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    return (gate * torch.exp(gate) / (1 + torch.exp(gate)) * (x @ w_up)) @ w_down


@answers.mistake("the result stays float32", "Cast the result back to x's dtype before it is returned.")
def stays_float32(x, w_gate, w_up, w_down):
    x, w_gate, w_up, w_down = (t.float() for t in (x, w_gate, w_up, w_down))
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down


@answers.mistake("the leading axes are lost", "You flatten the tokens and do not restore the shape of x.")
def stays_flat(x, w_gate, w_up, w_down):
    x = x.reshape(-1, x.shape[-1])
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down


@answers.mistake("x is changed in place", "An in-place operation writes into the caller's x. Make a new tensor.")
def in_place(x, w_gate, w_up, w_down):
    x.copy_((F.silu(x @ w_gate) * (x @ w_up)) @ w_down)
    return x


@answers.mistake("the gate is detached", "The gate learns too: no `.detach()` or `.data` on its way.")
def detached_gate(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate).detach() * (x @ w_up)) @ w_down


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_grad(x, w_gate, w_up, w_down):
    with torch.no_grad():
        return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down
