"""`decay_groups(model, weight_decay)`: which parameters decay, as AdamW takes them."""

import torch
from torch import nn

from grader.exercises.inputs import Inputs
from grader.exercises.models import MODELS, build
from grader.probe import Case, Check, Exercise, Recorder

ADAMW_DEFAULT = 0.01  # what AdamW uses for a group that says nothing
GROUPS = "list of dicts"
FOREIGN = "tensors listed that are not the model's parameters"


def trained(model: nn.Module) -> dict[str, nn.Parameter]:
    """Each parameter that trains once, under the first of its names."""
    return {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}


def cases(seed: int) -> list[Case]:
    """The models, each with a weight decay of its own, away from AdamW's default and from common choices."""
    draw = Inputs(seed)
    decays = {name: round(0.13 + 0.05 * draw.weight(1).abs().item(), 4) for name in MODELS}
    return [
        Case(name, f"{about}, weight_decay={decays[name]}", {"rows": rows, "weight_decay": decays[name]})
        for name, (about, rows) in MODELS.items()
    ]


def probe(decay_groups, rec: Recorder) -> None:
    """Notes for each parameter how often it is listed and what decay AdamW would use for it. AdamW itself is not
    made: it would import the compiler first, and stop at the first thing it does not like."""
    model = build(rec["rows"])
    groups = decay_groups(model, rec["weight_decay"])
    members = [_members(group) for group in groups] if isinstance(groups, (list, tuple)) else []
    rec.record.facts["types"]["result"] = kind = _kind(groups, members)
    if kind != GROUPS:
        return
    listed = [(p, group) for group, params in zip(groups, members, strict=True) for p in params]
    own = {id(p) for p in model.parameters()}
    rec.output(FOREIGN, _number(sum(id(p) not in own for p, _ in listed)))
    for name, parameter in trained(model).items():
        decays = [group.get("weight_decay", ADAMW_DEFAULT) for p, group in listed if p is parameter]
        rec.output(_times(name), _number(len(decays)))
        rec.output(_decay(name), _number(decays[0] if decays else float("nan")))


def _members(group: object) -> list | set | None:
    """A group's parameters, by AdamW's rules: a tensor, or tensors in any collection with an order, named or not.

    A set as it is, and None for no group at all: AdamW takes neither.
    """
    if not isinstance(group, dict) or "params" not in group:
        return None
    members = group["params"]
    if isinstance(members, (set, frozenset)):
        return set(members)
    members = [members] if isinstance(members, torch.Tensor) else list(members)
    return [member[1] if isinstance(member, tuple) else member for member in members]


def _kind(groups: object, members: list) -> str:
    """What the result is, in words; a tuple of groups is as good as a list."""
    if not isinstance(groups, (list, tuple)):
        return type(groups).__name__
    others = [type(group).__name__ for group in groups if not isinstance(group, dict)]
    if others:
        return f"list of {others[0]}s"
    if None in members:
        return "list of dicts without `params`"
    if any(isinstance(params, set) for params in members):
        return "list of dicts whose `params` is a set"
    strangers = [type(p).__name__ for params in members for p in params if not isinstance(p, torch.Tensor)]
    return f"list of dicts whose `params` holds a {strangers[0]}" if strangers else GROUPS


def _number(value: float) -> torch.Tensor:
    return torch.tensor(float(value), dtype=torch.float64)


def _times(name: str) -> str:
    return f"times {name} is listed"


def _decay(name: str) -> str:
    return f"weight_decay of {name}"


def _outputs(*models: str) -> tuple[str, ...]:
    # Small, and on the CPU: on `meta` an embedding's start alone imports all of torch's compiler.
    with torch.random.fork_rng(devices=[]):
        names = [name for model in models for name in trained(build(MODELS[model][1]))]
    return (FOREIGN, *(label(name) for label in (_times, _decay) for name in dict.fromkeys(names)))


ORDINARY, UNUSUAL, TIED = ("mlp", "blocks"), ("bare", "names", "frozen"), ("tied", "shared")

EXERCISE = Exercise(
    id="decay_groups",
    lesson="06_warmup",
    name="decay_groups",
    kind="function",
    signature="decay_groups(model, weight_decay)",
    arguments=("model", "weight_decay"),
    checks=(
        Check("ordinary", 4, "linear layers and norms, also nested", ORDINARY, _outputs(*ORDINARY)),
        Check("unusual", 3, "embeddings, bare parameters, names that mislead", UNUSUAL, _outputs(*UNUSUAL)),
        Check("tied", 3, "tied and shared parameters, each once", TIED, _outputs(*TIED)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "You need no names and no layer types. What do all weight matrices and embeddings have in common that no "
        "norm's weight and no bias has?",
        "`model.parameters()` goes through everything, nested modules too, and yields a tied parameter once. Sort what "
        "it yields into two lists by the number of its dimensions.",
        "`p.dim() >= 2` decays. Each group is a dict with the keys `params` and `weight_decay`; the second one's decay "
        "is 0.0 and has to be said, since AdamW's own default is 0.01.",
    ),
)
