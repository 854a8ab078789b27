"""Every numeric question's key, recomputed from real PyTorch modules, optimizers and tensors."""

import pytest

from grader import answers
from quiz.bank import load
from quiz.engine.numeric import close, with_values
from quiz.formula import evaluate
from quiz.schema import Numeric
from tests.quiz import measured
from tests.quiz.measured import networks

LESSONS = sorted({lesson for lesson, _ in measured.KEYS})
NUMERIC = {(lesson, q.id): q for lesson in LESSONS for q in load(lesson).questions if isinstance(q, Numeric)}
MOST = 6  # of the sets of values a seed can draw: measuring takes time
# Questions whose traps are wrong answers to an exercise that returns a number: how the exercise is called.
CALLS = {
    ("01_residual_stream", "gpt2_init"): lambda wrong, blocks: wrong(0.02, blocks),
    ("07_swiglu", "hidden_dim_rule"): lambda wrong, dim, multiple: wrong(dim, multiple),
    ("07_swiglu", "width_with_multiplier"): lambda wrong, dim, multiple, multiplier: wrong(dim, multiple, multiplier),
    ("08_ffn_bakeoff", "flops_of_a_pass"): lambda wrong, tokens, dim, hidden: wrong(tokens, dim, hidden, True) / 1e9,
}
BY_A_MISTAKE = [(key, trap) for key in CALLS for trap in NUMERIC[key].traps if trap.mistake]


def spread(question: Numeric) -> list[dict]:
    """Values from the first to the last that a seed can draw, evenly."""
    every = list(question.variants())
    return every[:: max(1, len(every) // MOST)] + every[-1:]


def test_every_numeric_question_is_measured():
    assert set(measured.KEYS) == set(NUMERIC) and len(LESSONS) == 8 and len(NUMERIC) >= 15


@pytest.mark.parametrize("key", NUMERIC, ids="-".join)
def test_a_key_is_what_is_measured_and_falls_into_no_trap(key):
    question = NUMERIC[key]
    for values in spread(question):
        found = measured.KEYS[key](**values)
        assert close(found, with_values(question, values).secrets["answer"], question.tolerance), (values, found)
        caught = [t.id for t in question.traps if close(found, evaluate(t.formula, values), question.tolerance)]
        assert caught == [], (values, found)


@pytest.mark.parametrize(("key", "trap"), BY_A_MISTAKE, ids=[f"{key[1]}-{trap.id}" for key, trap in BY_A_MISTAKE])
def test_a_trap_is_what_its_mistake_computes(key, trap):
    exercise, mistake = trap.mistake.split("/")
    (wrong,) = [m.implementation for m in answers.of(exercise).mistakes if m.key == mistake]
    for values in spread(NUMERIC[key]):
        found = CALLS[key](wrong, **values)
        assert close(found, evaluate(trap.formula, values), NUMERIC[key].tolerance), (values, found)


def test_published_models_have_the_numbers_that_the_explanations_give():
    assert [networks.hidden_width(4096, 256), networks.hidden_width(4096, 1024, 1.3)] == [11008, 14336]
    assert round(networks.share_of_a_block(4096, 4096, 11008), 1) == 66.8
    assert round(networks.share_of_a_block(4096, 1024, 14336), 1) == 80.8
    assert networks.keeping_the_width(4) == 50
