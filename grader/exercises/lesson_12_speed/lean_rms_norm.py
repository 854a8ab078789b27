"""`lean_rms_norm(x, weight, eps)`: a norm that keeps x, the weight and one number a row for its backward pass."""

import torch
from torch import Tensor

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder

FORBIDDEN = ("torch.nn.functional.rms_norm", "torch.nn.RMSNorm", "torch.rms_norm")
HALF = {"rtol": 3e-2, "atol": 1e-1}  # bfloat16 has 8 bits, and the projection subtracts numbers rounded to them


def cases(seed: int) -> list[Case]:
    """Ranks 1 to 4, eps that matter, and two with many more rows than features: there what is kept is counted.

    In the batch the gradient that arrives is not contiguous, as behind a transposition: view() does not work on it.
    """
    draw = Inputs(seed)

    def case(name, about, x, eps, **tolerance):
        weight = draw.weight(x.shape[-1]).to(x.dtype)
        grad_y = draw.normal(*x.shape).to(x.dtype)
        return Case(name, about, {"x": x, "weight": weight, "eps": eps, "grad_y": grad_y}, **tolerance)

    zero_row = draw.normal(3, 4, mean=1.0)
    zero_row[1] = 0.0
    half = draw.normal(40, 6, mean=1.0).bfloat16()
    batch = case("batch", "a [2, 3, 8] batch whose mean is not zero", draw.normal(2, 3, 8, mean=2.0), 1e-5)
    batch.data["grad_y"] = draw.normal(3, 2, 8).transpose(0, 1)
    return [
        case("vector", "one vector of 5 numbers", draw.normal(5, mean=0.5), 1e-6),
        batch,
        case("rank4", "a [2, 1, 3, 6] tensor", draw.normal(2, 1, 3, 6, mean=-1.0), 1e-5),
        case("transposed", "a transposed, non-contiguous [7, 4] tensor", draw.normal(4, 7, scale=3.0).T, 1e-6),
        case("large_eps", "a [4, 7] tensor with eps = 0.1", draw.normal(4, 7, mean=0.5), 0.1),
        case("small", "a [3, 6] tensor of numbers near 0.001 with eps = 1e-5", draw.normal(3, 6, scale=1e-3), 1e-5),
        case("zeros", "a [3, 4] tensor with a row of zeros", zero_row, 1e-6),
        case("many_rows", "36 rows of 7", draw.normal(4, 9, 7, mean=1.0), 1e-5),
        case("bfloat16", "40 rows of 6 in bfloat16", half, 1e-5, **HALF),
    ]


def probe(lean_rms_norm, rec: Recorder) -> None:
    leaves, (x, weight) = rec.leaves("x", "weight")
    (grad_y,) = rec.inputs("grad_y")
    kept: list[Tensor] = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: (kept.append(t), t)[1], lambda t: t):
        y = lean_rms_norm(x, weight, rec["eps"])
    if rec.output("y", y) and rec.case.name in COUNTED:
        rec.number("x_is_kept", int(any(_same_memory(t, x) for t in kept)))
        own = _own_functions(y)
        attributes = [value for node in own for value in vars(node).values() if isinstance(value, Tensor)]
        rec.number("more_numbers_a_row", _beside(kept + attributes, x, weight))
        rec.number("own_function", int(bool(own)))
    rec.gradients(y, grad_y, leaves)


def _beside(kept: list[Tensor], x: Tensor, weight: Tensor) -> int:
    """How many numbers a row are kept beside x and weight; none counts as one. A copy of the weight is no row's."""
    own = {t.untyped_storage().data_ptr(): t for t in kept if not (_same_memory(t, x) or _same_memory(t, weight))}
    numbers = sum(t.untyped_storage().nbytes() // t.element_size() for t in own.values() if t.shape != weight.shape)
    return max(1, -(-numbers * x.shape[-1] // x.numel()))


def _own_functions(y: Tensor) -> list:
    """The nodes of torch.autograd.Functions in the graph behind y. What `ctx` got as attributes is theirs."""
    found, todo = set(), [y.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and node not in found:
            found.add(node)
            todo += [before for before, _ in node.next_functions]
    return [node for node in found if isinstance(node, torch.autograd.function.BackwardCFunction)]


def _same_memory(a: Tensor, b: Tensor) -> bool:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


COUNTED = ("many_rows", "bfloat16")
ORDINARY = ("vector", "batch", "rank4", "transposed", "many_rows", "bfloat16")
EDGES = ("large_eps", "small", "zeros")
GRADIENTS = ("grad_x", "grad_weight")

EXERCISE = Exercise(
    id="lean_rms_norm",
    lesson="12_speed",
    name="lean_rms_norm",
    kind="function",
    signature="lean_rms_norm(x, weight, eps)",
    arguments=("x", "weight", "eps"),
    checks=(
        Check("values", 1, "the forward pass", ORDINARY + EDGES, ("y",)),
        Check("gradients", 2, "gradients of x and weight, ordinary inputs", ORDINARY, GRADIENTS),
        Check("edges", 3, "gradients for tiny numbers, zeros and a large eps", EDGES, GRADIENTS),
        Check(
            "kept",
            6,
            "only x, the weight and one number a row are kept, and the gradients are right",
            COUNTED,
            ("own_function", "x_is_kept", "more_numbers_a_row", *GRADIENTS),
        ),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Autograd keeps what each step's derivative asks for. You write the derivative of the whole norm: you decide. "
        "Lesson 03's backward pass needs x, the weight and r. Which of these are there anyway, and how large is r?",
        "`forward` computes r, one number a row, hands x, weight and r to `ctx.save_for_backward`, and returns y. "
        "`backward` reads them from `ctx.saved_tensors`, computes the normed row again, and applies the formula. It "
        "returns one gradient for each argument of forward.",
        "With u = x / r and g = grad_out times weight: the gradient of x is g minus u times mean(g · u), the mean over "
        "the row and kept as a column, all of it over r. The weight's is grad_out · u, summed over the rows. eps gets "
        "None.",
    ),
    forbidden=FORBIDDEN,
)
