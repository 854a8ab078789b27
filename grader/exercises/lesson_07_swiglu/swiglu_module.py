"""`class SwiGLU(nn.Module)`: the gated feed-forward network as a module."""

from grader.exercises.lesson_07_swiglu.swiglu import GRADIENT_CASES, VALUES, swiglu_cases
from grader.probe import Check, Exercise, Recorder

# Module weight -> the case's weight. nn.Linear holds [out, in], the transpose of the note's layout.
NAMES = {"gate_proj.weight": "w_gate", "up_proj.weight": "w_up", "down_proj.weight": "w_down"}


def probe(cls, rec: Recorder) -> None:
    dim, hidden = rec["w_gate"].shape
    module = cls(dim, hidden)
    rec.parameters(module, *NAMES)
    rec.cast(module, rec["x"].dtype)
    rec.load(module, **{name: rec[key].T for name, key in NAMES.items()})
    (x,) = rec.inputs("x")
    rec.output("y", module(x))
    if rec.case.name in GRADIENT_CASES:
        leaves, (x,) = rec.leaves("x")
        leaves |= {name: p for name, p in module.named_parameters() if p.requires_grad}
        rec.gradients(module(x), rec["grad_y"], leaves)


GRADIENTS = ("grad_x", *(f"grad_{name}" for name in NAMES))

EXERCISE = Exercise(
    id="swiglu_module",
    lesson="07_swiglu",
    name="SwiGLU",
    kind="module",
    signature="SwiGLU(dim, hidden_dim)",
    arguments=("dim", "hidden_dim"),
    forbidden=("lessons.support.llama.SwiGLU.forward",),
    checks=(
        Check("values", 3, "inputs of every rank, width and dtype", VALUES, ("y",)),
        Check("gradients", 2, "gradients of x and the three weights", GRADIENT_CASES, GRADIENTS),
    ),
    cases=swiglu_cases,
    probe=probe,
    hints=(
        "Three layers, each a matrix without a bias. Which two lead from `dim` to `hidden_dim`, and which one back?",
        "`nn.Linear(in, out)` has a bias unless you say otherwise. Names matter: `gate_proj`, `up_proj`, `down_proj` "
        "are what Llama's files are loaded into. `forward` is your function, with layers in place of products.",
        "`nn.Linear(dim, hidden_dim, bias=False)` twice, and once with the sizes swapped. In `forward`: the activated "
        "gate times the signal, then down.",
    ),
)
