"""The runs of lesson 06: fair between places, reproducible, and with a schedule that goes up and down."""

import math

import pytest
import torch

from lessons.support import warmup_runs
from lessons.support.text import ALPHABET, Text
from lessons.support.warmup_runs import STEPS, Plan, count_loss, new_model, run


def text_of(train: list[int], held_out: list[int]) -> Text:
    return Text(torch.tensor(train), torch.tensor(held_out))


@pytest.fixture
def short(monkeypatch) -> Text:
    monkeypatch.setattr(warmup_runs, "STEPS", 6)
    codes = torch.randint(len(ALPHABET), (2000,), generator=torch.Generator().manual_seed(0))
    return Text(codes, codes.flip(0))


def test_the_rate_goes_up_to_its_peak_and_down_to_zero():
    rates = [Plan("pre", 0.01, STEPS // 2, 0).lr(step) for step in range(STEPS + 1)]
    assert rates[0] == 0 and rates[STEPS // 2] == 0.01 == max(rates) and rates[STEPS] == 0
    assert rates[STEPS // 4] == pytest.approx(0.005)
    assert rates[3 * STEPS // 4] == pytest.approx(0.005)


def test_without_warm_up_the_first_step_has_the_peak():
    assert Plan("post", 0.01, 0, 0).lr(0) == 0.01


def test_the_place_of_the_norms_changes_no_weight():
    post, pre = (new_model(place, seed=3).state_dict() for place in ("post", "pre"))
    assert pre.keys() - post.keys() == {"norm.weight"}
    assert all(torch.equal(pre[name], weight) for name, weight in post.items())


def test_another_start_is_smaller():
    xavier, small = (new_model("post", 0, start).tok_embeddings.weight.std().item() for start in ("Xavier", "small"))
    assert xavier == pytest.approx(1, rel=0.1) and small == pytest.approx(0.02, rel=0.1)


def test_a_run_is_decided_by_its_plan(short):
    first, again, other = (run(Plan("pre", 1e-3, 2, seed), short) for seed in (0, 0, 1))
    assert first == again != other
    assert len(first.losses) == 6 and math.isfinite(first.held_out)


def test_counting_characters_and_pairs():
    text = text_of([0, 1] * 5000, [0, 1] * 50)
    assert count_loss(text, pairs=False) == pytest.approx(math.log(2), rel=1e-3)  # half of them are 0
    assert count_loss(text, pairs=True) == pytest.approx(0, abs=1e-3)  # 1 always follows 0


def test_what_was_never_seen_is_unlikely_and_not_impossible():
    assert 5 < count_loss(text_of([0, 1] * 5000, [0, 2] * 50), pairs=False) < math.inf
