"""The notebook a probe writes in while it runs an implementation on one case."""

import itertools
from collections.abc import Mapping, Sequence

import torch

from grader.probe.case import Case
from grader.probe.record import CaseRecord


class Recorder:
    """Hands out inputs, watches them for changes, and keeps outputs and gradients of one case."""

    def __init__(self, case: Case):
        self.case = case
        self.record = CaseRecord(facts={"types": {}})
        self._watched: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}

    def __getitem__(self, key: str):
        return self.case[key]

    def inputs(self, *names: str) -> list[torch.Tensor]:
        """Fresh copies of the case's tensors, watched for changes."""
        return [self._watch(name, self.case[name].clone()) for name in names]

    def leaves(self, *names: str) -> tuple[dict[str, torch.Tensor], list[torch.Tensor]]:
        """The case's tensors as leaves of a graph, and what to hand to the implementation.

        What is handed over are copies of the leaves, as activations are in a real network: work in place on
        them is possible and shows as a changed input, not as autograd's error about leaves.
        """
        leaves = {name: self.case[name].clone().requires_grad_() for name in names}
        return leaves, [self._watch(name, leaf.clone()) for name, leaf in leaves.items()]

    def _watch(self, name: str, tensor: torch.Tensor) -> torch.Tensor:
        self._watched[name] = (tensor, self.case[name])
        return tensor

    def output(self, name: str, value: object) -> bool:
        """Keeps an output. False when it is no tensor, so that there is nothing to differentiate."""
        self.record.facts["types"][name] = _type_name(value)
        if not _is_tensor(value):
            return False
        self.record.tensors[name] = _plain(value)
        return True

    def number(self, name: str, value: object) -> None:
        """Keeps a Python int or float (a NumPy float is one), as a float64 tensor beside its type's name."""
        kind = next((kind for kind in (bool, int, float) if isinstance(value, kind)), None)
        self.record.facts["types"][name] = kind.__name__ if kind else _type_name(value)
        if kind in (int, float):
            self.record.tensors[name] = torch.tensor(float(value), dtype=torch.float64)

    def numbers(self, name: str, values: Sequence[object]) -> None:
        """Keeps Python floats as one float64 tensor beside their type's name. An int counts as the float it is.

        Where one of them is something else, its type is the finding.
        """
        other = [value for value in values if type(value) is bool or not isinstance(value, (int, float))]
        self.record.facts["types"][name] = _type_name(other[0]) if other else "float"
        if not other:
            self.record.tensors[name] = torch.tensor([float(value) for value in values], dtype=torch.float64)

    def outputs(self, names: Sequence[str], value: object) -> bool:
        """Keeps the members of a tuple (or list) of outputs. False when it is not one of that length."""
        self.record.facts["types"]["result"] = _type_name(value)
        if not isinstance(value, (tuple, list)) or len(value) != len(names):
            return False
        kept = [self.output(name, member) for name, member in zip(names, value, strict=True)]
        return all(kept)

    def gradients(self, y: torch.Tensor, grad_y: torch.Tensor, leaves: Mapping[str, torch.Tensor]) -> None:
        """Keeps `grad_<name>` of sum(y * grad_y) for each leaf, or notes that none arrives."""
        if not _is_tensor(y):
            raise TypeError(f"the result should be a torch.Tensor; it is {_type_name(y)}")
        found: Sequence[torch.Tensor | None] = [None] * len(leaves)
        if y.requires_grad and y.shape == grad_y.shape:
            # allow_unused: a leaf that the result does not depend on is a finding, not an error.
            found = torch.autograd.grad(y, list(leaves.values()), grad_y.to(y.dtype), allow_unused=True)
        for name, gradient in zip(leaves, found, strict=True):
            if gradient is None:
                self.record.facts.setdefault("missing", []).append(f"grad_{name}")
            else:
                self.record.tensors[f"grad_{name}"] = _plain(gradient)

    def parameters(self, module: torch.nn.Module, *names: str) -> None:
        """Notes the names and shapes of what a module trains, and how it holds those of `names` it does not."""
        trained = {name: list(p.shape) for name, p in module.named_parameters() if p.requires_grad}
        self.record.facts["parameters"] = trained
        self.record.facts["untrained"] = {n: _held(module, n) for n in names if n not in trained}

    @staticmethod
    def cast(module: torch.nn.Module, dtype: torch.dtype) -> None:
        """`module.to(dtype)`, where anything would change: going through a whole model takes a sixth of a probe."""
        held = itertools.chain(module.parameters(), module.buffers())
        if any(tensor.dtype != dtype and tensor.dtype.is_floating_point for tensor in held):
            module.to(dtype)

    def load(self, module: torch.nn.Module, **values: torch.Tensor) -> None:
        """Sets parameters or buffers to the case's values, where the module has them in that shape.

        One that is missing is a finding (see `parameters`), and no reason to learn nothing else.
        """
        own = dict(module.named_parameters()) | dict(module.named_buffers())
        for name, value in values.items():
            if name in own and own[name].shape == value.shape:
                own[name].data = value.clone().to(own[name].dtype)

    def finish(self) -> CaseRecord:
        changed = [name for name, (now, before) in self._watched.items() if not _same(now, before)]
        self.record.facts["changed"] = sorted(set(changed))
        return self.record


def _held(module: torch.nn.Module, name: str) -> str:
    if name in dict(module.named_parameters()):
        return "a frozen parameter"
    if name in dict(module.named_buffers()):
        return "a buffer"
    return "a plain tensor" if isinstance(getattr(module, name, None), torch.Tensor) else "missing"


def _plain(value: torch.Tensor) -> torch.Tensor:
    """A copy without graph, subclass or device: data only."""
    return value.detach().as_subclass(torch.Tensor).to("cpu", copy=True).contiguous()


def _same(now: torch.Tensor, before: torch.Tensor) -> bool:
    return now.shape == before.shape and torch.equal(now.detach(), before)


def _is_tensor(value: object) -> bool:
    """By what it is: `isinstance` asks the object itself, and objects can lie."""
    return issubclass(type(value), torch.Tensor)


def _type_name(value: object) -> str:
    if _is_tensor(value):
        return "Tensor"
    if isinstance(value, (tuple, list)):
        return f"tuple of {len(value)}"
    return type(value).__name__
