"""The small language model and what trains it: text, pairing of seeds, causality, learning."""

import pytest
import torch
from torch import nn

from lessons.support.ffns import VARIANTS
from lessons.support.text import ALPHABET, Text, decode, encode, sample, standard_library
from lessons.support.tiny_lm import TinyLM, parameters
from lessons.support.train import held_out_loss, train


def model(ffn="SwiGLU", placement="pre", seed=0) -> TinyLM:
    torch.manual_seed(seed)
    return TinyLM(len(ALPHABET), dim=12, n_layers=2, n_heads=3, context=16, ffn=VARIANTS[ffn], placement=placement)


def some_text() -> Text:
    return Text(encode("def f(x):\n    return x + 1\n" * 40), encode("def g(y):\n    return y + 1\n" * 20))


def test_text_survives_encoding():
    assert decode(encode(ALPHABET)) == ALPHABET
    assert decode(encode("\tcafé")) == "    caf?"


def test_the_library_is_the_same_each_time_and_holds_other_files_out():
    first, again = standard_library(300_000), standard_library(300_000)
    assert torch.equal(first.train, again.train) and torch.equal(first.held_out, again.held_out)
    assert len(first.train) + len(first.held_out) >= 300_000
    assert 5_000 < len(first.held_out) < len(first.train) / 2
    assert decode(first.held_out[:2000]) not in decode(first.train)


def test_a_library_that_is_no_folder_of_files_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    with pytest.raises(FileNotFoundError, match="too few"):
        standard_library()


def test_targets_are_inputs_shifted_by_one():
    inputs, targets = sample(torch.arange(100), 4, 8, torch.Generator().manual_seed(0))
    assert inputs.shape == (4, 8) and torch.equal(targets, inputs + 1)


@pytest.mark.parametrize("placement", ["pre", "post"])
def test_no_token_sees_a_later_one(placement):
    tested, ids = model(placement=placement), torch.randint(len(ALPHABET), (1, 10))
    changed = ids.clone()
    changed[0, 6] = (ids[0, 6] + 1) % len(ALPHABET)
    moved = (tested(ids) - tested(changed)).abs().amax(-1)[0]
    assert moved[:6].max() < 1e-5 and moved[6:].min() > 1e-5


def test_an_unknown_placement_is_refused():
    with pytest.raises(ValueError, match="use 'pre' or 'post'"):
        model(placement="sandwich")


def test_variants_start_alike_outside_their_ffns():
    first, second = model("ReLU").state_dict(), model("SwiGLU").state_dict()
    shared = [name for name in first if ".ffn." not in name]
    assert len(shared) > 8 and all(torch.equal(first[name], second[name]) for name in shared)


def test_all_variants_are_of_one_size():
    assert {parameters(make(48)) for make in VARIANTS.values()} == {8 * 48 * 48}
    with pytest.raises(ValueError, match="8/3"):
        VARIANTS["SwiGLU"](64)


def test_training_is_the_same_for_the_same_seed_and_learns():
    text, calls = some_text(), []
    losses = []
    for _ in range(2):
        tested = model()
        before = held_out_loss(tested, text, 16, windows=32)
        optimizer = torch.optim.AdamW(tested.parameters(), lr=1e-2)
        losses.append(train(tested, text, optimizer, 30, 8, 16, seed=3, after_step=lambda *call: calls.append(call)))
        assert held_out_loss(tested, text, 16, windows=32) < before - 0.5
    assert losses[0] == losses[1] and len(losses[0]) == 30
    assert calls[29] == (30, losses[0][29])


def test_the_schedule_is_followed():
    tested = model()
    before = [p.clone() for p in tested.parameters()]
    optimizer = torch.optim.SGD(tested.parameters(), lr=1.0)
    train(tested, some_text(), optimizer, 3, 4, 8, seed=0, lr=lambda step: 0.0)
    assert all(torch.equal(a, b) for a, b in zip(before, tested.parameters(), strict=True))


def test_a_loss_that_is_not_finite_ends_the_run():
    tested = model()
    nn.init.constant_(tested.lm_head.weight, float("nan"))
    losses = train(tested, some_text(), torch.optim.SGD(tested.parameters(), lr=1.0), 5, 4, 8, seed=0)
    assert len(losses) == 1 and losses[0] != losses[0]
