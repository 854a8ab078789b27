"""What the questions claim is true: recomputed with real PyTorch modules and with the course's own mistakes."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from grader import answers
from grader.exercises import ids
from quiz.bank import lessons, load
from quiz.engine import grade, solution, vary
from quiz.engine.numeric import with_values
from quiz.schema import Match, Order, Short
from tests.quiz.make import LESSON
from tests.quiz.trying import exchanged

QUESTIONS = {q.id: q for q in load(LESSON).questions}
DISTRACTORS = ("options", "traps", "swaps", "confusions")
EVERY = [(lesson, q) for lesson in lessons() for q in load(lesson).questions]


def pre_norm_decoder(layers: int, dim: int) -> nn.Module:
    """PyTorch's own pre-norm stack, with its LayerNorms replaced; on `meta`, so that no memory is taken."""
    layer = nn.TransformerEncoderLayer(dim, nhead=8, norm_first=True, device="meta")
    stack = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(dim, device="meta"), enable_nested_tensor=False)
    for module in list(stack.modules()):
        for name, child in module.named_children():
            if isinstance(child, nn.LayerNorm):
                setattr(module, name, nn.RMSNorm(dim, device="meta"))
    return stack


def norm_parameters(model: nn.Module) -> int:
    norms = (m for m in model.modules() if isinstance(m, nn.RMSNorm))
    return sum(p.numel() for norm in norms for p in norm.parameters())


def test_norm_parameters_are_those_of_real_modules():
    question = QUESTIONS["norm_parameters"]
    for values in question.variants():
        if values["dim"] == question.params["dim"][0] or values["layers"] == question.params["layers"][0]:
            counted = norm_parameters(pre_norm_decoder(**values))
            assert with_values(question, values).secrets["answer"] == counted
    assert norm_parameters(pre_norm_decoder(32, 4096)) == 266_240


def observed(norm) -> tuple[bool, bool, bool]:
    """The three observations of `which_formula`: agrees at size 1; 3.3 times too large at 1e-3; zeros stay."""
    x, weight, eps = torch.randn(64, 16, generator=torch.Generator().manual_seed(0)) + 0.3, torch.ones(16), 1e-5
    x = x / x.square().mean(-1, keepdim=True).sqrt()
    agrees = torch.allclose(norm(x, weight, eps), F.rms_norm(x, (16,), weight, eps), rtol=1e-5, atol=1e-6)
    ratio = norm(x * 1e-3, weight, eps).norm() / F.rms_norm(x * 1e-3, (16,), weight, eps).norm()
    zeros = norm(torch.zeros(1, 16), weight, eps)
    return agrees, round(float(ratio), 1) == 3.3, bool((zeros == 0).all())


def test_only_the_right_formula_fits_the_observations():
    options = {o.id: o.correct for o in QUESTIONS["which_formula"].options}
    mistakes = {m.key: m.implementation for m in answers.of("rms_norm").mistakes if m.key in options}
    assert set(mistakes) == set(options)
    assert {name: observed(norm) == (True, True, True) for name, norm in mistakes.items()} == options


def claims() -> dict[str, bool]:
    """The statements of `what_always_holds`, tried on a row of 6 numbers in float64."""
    x = torch.tensor([1.0, -2.0, 0.5, 3.0, -0.25, 4.0], dtype=torch.float64)

    def norm(x):
        return F.rms_norm(x, (6,), eps=1e-15)

    def gradient(x):
        return torch.autograd.functional.vjp(norm, x, torch.arange(6.0, dtype=torch.float64))[1]

    centred = x - x.mean()
    assert torch.allclose(gradient(3 * x) * 3, gradient(x))  # "a third", says the feedback
    return {
        "scale": torch.allclose(norm(3 * x), norm(x)),
        "shift": torch.allclose(norm(x + 3), norm(x)),
        "layer_norm": torch.allclose(norm(centred), F.layer_norm(centred, (6,), eps=1e-15)),
        "unit_length": torch.allclose(norm(x).norm(), torch.ones((), dtype=torch.float64)),
        "same_gradient": torch.allclose(gradient(3 * x), gradient(x)),
    }


def test_what_is_said_to_hold_holds_and_the_rest_does_not():
    assert claims() == {o.id: o.correct for o in QUESTIONS["what_always_holds"].options}


@pytest.mark.parametrize(("lesson", "question"), EVERY, ids=[f"{lesson}-{q.id}" for lesson, q in EVERY])
def test_a_mistake_that_is_named_is_one_of_the_exercises(lesson, question):
    parts = [part for kind in DISTRACTORS for part in getattr(question, kind, [])]
    for exercise, mistake in (p.mistake.split("/") for p in parts if p.mistake):
        if exercise in ids():  # questions may come before their lesson
            assert mistake in {m.key for m in answers.of(exercise).mistakes}


@pytest.mark.parametrize(("lesson", "question"), EVERY, ids=[f"{lesson}-{q.id}" for lesson, q in EVERY])
def test_every_answer_that_the_bank_foresees_is_told_apart(lesson, question):
    variant = vary(question, 0)
    assert grade(variant, solution(variant)).right
    for trap in question.traps if isinstance(question, Short) else ():
        assert all(grade(variant, text).misconceptions == (trap.id,) for text in trap.accept)
    for part in question.confusions if isinstance(question, Match) else ():
        answer = [f"{i.id}={part.target if i.id == part.item else i.target}" for i in question.items]
        assert grade(variant, answer).misconceptions == (part.id,)
    for part in question.swaps if isinstance(question, Order) else ():
        right = [step.id for step in question.steps]
        assert part.id in grade(variant, exchanged(right, part.first, part.then)).misconceptions
