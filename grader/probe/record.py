"""What an implementation did: data only, no reference to the code that did it."""

from dataclasses import dataclass, field

import torch


@dataclass
class CaseRecord:
    """What happened on one case.

    tensors   outputs and gradients by name, detached, contiguous, on the CPU
    facts     JSON: `types` of the outputs, `changed` inputs, `missing` gradients, `parameters`, `raised`
    """

    tensors: dict[str, torch.Tensor] = field(default_factory=dict)
    facts: dict = field(default_factory=dict)


@dataclass
class Record:
    """What happened on all cases of an exercise.

    problem    why the object could not be run at all ("kind", sentence), or None
    forbidden  calls of built-ins that the exercise forbids: name, line, text
    stderr     what the implementation wrote there (warnings cost nothing)
    """

    cases: dict[str, CaseRecord] = field(default_factory=dict)
    problem: tuple[str, str] | None = None
    forbidden: list[dict] = field(default_factory=list)
    stderr: str = ""
