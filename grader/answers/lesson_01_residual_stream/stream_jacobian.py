"""Right and wrong ways to write `stream_jacobian(x, layers)`."""

import torch
from torch.func import jacfwd, jacrev

from grader.answers import Answers

answers = Answers(
    "stream_jacobian",
    why="One step takes a small change v of the state to v + J_l v, with J_l taken at the state that layer reads. "
    "Steps follow one another, so their matrices multiply, later ones on the left; none at all is the identity.",
)


def _eye(x):
    return torch.eye(len(x), dtype=x.dtype)


def _states(x, layers):
    """The state that each layer reads, and the last one: common to most of these."""
    states = [x]
    for layer in layers:
        states.append(states[-1] + layer(states[-1]))
    return states


@answers.right
def product(x, layers):
    J = torch.eye(len(x), dtype=x.dtype)
    for layer in layers:
        J = J + torch.func.jacrev(layer)(x) @ J
        x = x + layer(x)
    return J


@answers.right
def whole_function(x, layers):
    def last_state(state):
        for layer in layers:
            state = state + layer(state)
        return state

    return torch.func.jacrev(last_state)(x)


@answers.right
def forward_mode(x: torch.Tensor, layers: list) -> torch.Tensor:
    return jacfwd(lambda state: _states(state, layers)[-1])(x)


@answers.right
def old_api(x, layers):
    return torch.autograd.functional.jacobian(lambda state: _states(state, layers)[-1], x)


@answers.right
def row_by_row(x, layers):
    x = x.clone().requires_grad_()
    end = _states(x, layers)[-1]
    rows = [torch.autograd.grad(end[i], x, retain_graph=True)[0] for i in range(len(x))]
    return torch.stack(rows)


@answers.right
def sum_of_branches(x, layers):
    """I + the sum over all layers of the branch's derivative by the first state."""

    def branch(state, n):
        return layers[n](_states(state, layers[:n])[-1])

    total = _eye(x)
    for n in range(len(layers)):
        total = total + jacrev(branch)(x, n)
    return total


@answers.right
def factors(x, layers):
    found = [_eye(x) + jacrev(f)(s) for f, s in zip(layers, _states(x, layers), strict=False)]
    J = _eye(x)
    for factor in found:
        J = torch.einsum("ij,jk->ik", factor, J)
    return J


@answers.right
def from_the_left(x, layers):
    J = _eye(x)
    for f, s in reversed(list(zip(layers, _states(x, layers), strict=False))):
        J = J @ (jacrev(f)(s) + _eye(x))
    return J


@answers.right
def by_columns(x, layers):
    """Directional derivatives, one column for each feature: `jvp` of the whole stream."""
    columns = [torch.func.jvp(lambda s: _states(s, layers)[-1], (x,), (e,))[1] for e in _eye(x)]
    return torch.stack(columns, dim=1)


@answers.mistake(
    "the factors are in the wrong order",
    "The first layer acts first, so its factor stands on the right: later factors multiply from the left.",
)
def reversed_order(x, layers):
    J = _eye(x)
    for f, s in zip(layers, _states(x, layers), strict=False):
        J = J @ (_eye(x) + jacrev(f)(s))
    return J


@answers.mistake("J is transposed", "J[i, j] says how output i answers to input j: rows are outputs.")
def transposed(x, layers):
    return product(x, layers).T


@answers.mistake(
    "every Jacobian is taken at x",
    "Each layer's Jacobian belongs to the state that layer reads: step the state on as you go.",
)
def all_at_x(x, layers):
    J = _eye(x)
    for f in layers:
        J = (_eye(x) + jacrev(f)(x)) @ J
    return J


@answers.mistake(
    "each Jacobian is taken one state late",
    "A layer's Jacobian belongs to the state it reads, before its own result is added: step after, not before.",
)
def one_state_late(x, layers):
    J = _eye(x)
    for f in layers:
        x = x + f(x)
        J = (_eye(x) + jacrev(f)(x)) @ J
    return J


@answers.mistake(
    "the state steps on without the skip",
    "Your factors are right but the states are not: the next state is the old one plus the layer's result.",
)
def states_replaced(x, layers):
    J = _eye(x)
    for f in layers:
        J = (_eye(x) + jacrev(f)(x)) @ J
        x = f(x)
    return J


@answers.mistake(
    "the layers' own Jacobians are summed",
    "In I + Σ ∂f/∂x₀ each derivative is by the FIRST state: it holds everything that happened before that layer.",
)
def summed(x, layers):
    return sum((jacrev(f)(s) for f, s in zip(layers, _states(x, layers), strict=False)), start=_eye(x))


@answers.mistake(
    "the layers' own Jacobians, all at x, are summed",
    "Each layer reads its own state, and in I + Σ ∂f/∂x₀ each derivative is by the first state, through all before.",
)
def summed_at_x(x, layers):
    return sum((jacrev(f)(x) for f in layers), start=_eye(x))


@answers.mistake("the identity is missing", "Each step's factor is I + J_l: the skip passes every change on as it is.")
def no_identity(x, layers):
    J = _eye(x)
    for f, s in zip(layers, _states(x, layers), strict=False):
        J = jacrev(f)(s) @ J
    return J


@answers.mistake(
    "the skips are missing", "This is the chain f_L(…f_1(x)) without a stream. Every step is state + layer(state)."
)
def no_skips(x, layers):
    def chain(state):
        for f in layers:
            state = f(state)
        return state.clone()

    return jacrev(chain)(x)


@answers.mistake(
    "one identity for the whole stack",
    "There is a skip around every layer, not one around all of them: the identity belongs into each factor.",
)
def one_identity(x, layers):
    return _eye(x) * bool(layers) + no_identity(x, layers)


@answers.mistake("the identity is counted twice", "state + layer(state) already holds the skip: do not add I again.")
def identity_twice(x, layers):
    J = _eye(x)
    for f, s in zip(layers, _states(x, layers), strict=False):
        J = (2 * _eye(x) + jacrev(f)(s)) @ J
    return J


@answers.mistake(
    "the sum lacks the identity", "The stream's end is x plus all branches: the derivative of x itself is I."
)
def sum_without_identity(x, layers):
    return product(x, layers) - _eye(x)


@answers.mistake("the identity is subtracted", "The skip adds: each factor is I + J_l.")
def identity_minus(x, layers):
    J = _eye(x)
    for f, s in zip(layers, _states(x, layers), strict=False):
        J = (_eye(x) - jacrev(f)(s)) @ J
    return J


@answers.mistake("the factors are multiplied element by element", "Matrices that follow one another multiply by `@`.")
def elementwise(x, layers):
    J = _eye(x)
    for f, s in zip(layers, _states(x, layers), strict=False):
        J = (_eye(x) + jacrev(f)(s)) * J
    return J


@answers.mistake("the last layer is left out", "The stream ends after the last layer: L layers, L factors.")
def last_left_out(x, layers):
    return product(x, layers[:-1])


@answers.mistake("the first layer is left out", "The derivative is by the first state: the first layer has a factor.")
def first_left_out(x, layers):
    return product(_states(x, layers)[1], layers[1:]) if layers else _eye(x)


@answers.mistake("only the last layer's factor", "That is one step. J goes from the first state to the last: multiply.")
def last_factor_only(x, layers):
    J = _eye(x)
    for f in layers:
        J = _eye(x) + jacrev(f)(x)
        x = x + f(x)
    return J


@answers.mistake(
    "only the first layer's factor", "That is one step. J goes from the first state to the last: multiply."
)
def first_factor_only(x, layers):
    return product(x, layers[:1])


@answers.mistake(
    "a gradient in place of the Jacobian",
    "The gradient of the sum adds up the rows of J. Each output needs a row of its own: differentiate one at a time.",
)
def gradient_of_the_sum(x, layers):
    return product(x, layers).sum(0)


@answers.mistake("a list of factors is returned", "Multiply the factors into one matrix, later ones on the left.")
def list_of_factors(x, layers):
    return [_eye(x) + jacrev(f)(s) for f, s in zip(layers, _states(x, layers), strict=False)]


@answers.mistake(
    "all factors are stacked, not multiplied", "Multiply the factors into one matrix, later ones on the left."
)
def stacked_factors(x, layers):
    return torch.stack([_eye(x), *list_of_factors(x, layers)])


@answers.mistake(
    "the Jacobians of all states are returned", "Only the last state is asked for: J has the shape [d, d]."
)
def of_all_states(x, layers):
    return jacrev(lambda state: torch.stack(_states(state, layers)))(x)


@answers.mistake(
    "an empty list of layers is not handled", "Without layers the end is the beginning: J is the identity."
)
def fails_without_layers(x, layers):
    J = _eye(x) + jacrev(layers[0])(x)
    return product(x + layers[0](x), layers[1:]) @ J


@answers.mistake("zero without layers", "Without layers the end is the beginning: J is the identity, not zero.")
def zero_without_layers(x, layers):
    return product(x, layers) if layers else torch.zeros(len(x), len(x), dtype=x.dtype)


@answers.mistake(
    "the identity is float32 whatever x is", "Give `torch.eye` the dtype of x: without layers nothing else corrects it."
)
def default_dtype(x, layers):
    J = torch.eye(len(x))
    for f, s in zip(layers, _states(x, layers), strict=False):
        J = (torch.eye(len(x)) + jacrev(f)(s)) @ J.to(x.dtype)
    return J


@answers.mistake(
    "finite differences",
    "A difference quotient in float32 keeps three or four digits. Let autograd differentiate: it is exact.",
)
def finite_differences(x, layers):
    step = 1e-3
    moved = [_states(x + step * e, layers)[-1] - _states(x, layers)[-1] for e in _eye(x)]
    return torch.stack(moved, dim=1) / step


@answers.mistake("x is changed in place", "`x += …` writes into the caller's tensor. Make a new one.")
def in_place(x, layers):
    J = _eye(x)
    for f in layers:
        J = J + jacrev(f)(x) @ J
        with torch.no_grad():
            x += f(x)
    return J
