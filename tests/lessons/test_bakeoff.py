"""The bake-off: paired statistics, the schedule, that seeds are paired, and the committed larger run."""

from dataclasses import asdict, replace

import pytest

from lessons.support.bakeoff import LARGE, SMALL, bake, large_run
from lessons.support.ffns import VARIANTS
from lessons.support.paired import between, paired
from lessons.support.text import Text, encode

TEXT = Text(encode("x = [1, 2, 3]\n" * 60), encode("y = [3, 2, 1]\n" * 60))
TINY = replace(SMALL, dim=12, n_layers=1, length=8, batch=2, steps=10)


def test_paired_is_students_interval():
    difference = paired([1.0, 2.0, 3.0], [0.5, 1.0, 2.0])  # differences 0.5, 1, 1
    assert difference.mean == pytest.approx(5 / 6)
    assert difference.detectable == pytest.approx(4.303 * (1 / 12) ** 0.5 / 3**0.5)  # t for 2 degrees of freedom
    assert difference.real and difference.verdict == "higher"


def test_pairing_takes_out_what_seeds_share():
    assert between({"a": [1.0, 5.0, 9.0], "b": [1.1, 5.1, 9.1]}, "a", "b").verdict == "lower"


def test_a_difference_within_the_spread_is_a_tie():
    assert paired([1.0, 2.0, 3.0], [1.1, 1.9, 3.1]).verdict == "not distinguishable"


@pytest.mark.parametrize(("mine", "other"), [([1.0], [2.0]), ([1.0, 2.0], [1.0]), ([0.0] * 20, [0.0] * 20)])
def test_too_few_or_unpaired_runs_are_refused(mine, other):
    with pytest.raises(ValueError, match="same 2 to"):
        paired(mine, other)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_learning_rate_rises_and_falls(size):
    rates = [size.lr(step) for step in range(size.steps)]
    peak = rates.index(max(rates))
    assert max(rates) == pytest.approx(size.peak) and peak < size.steps / 5
    assert rates[: peak + 1] == sorted(rates[: peak + 1]) and rates[peak + 1 :] == sorted(rates[peak + 1 :])[::-1]
    assert 0 < rates[-1] < size.peak / 20


def test_every_variant_is_run_with_every_seed():
    runs = []
    outcomes = bake(TINY, range(2), TEXT, shown=lambda planned: runs.extend(planned) or planned)
    assert {name: len(losses) for name, losses in outcomes.items()} == dict.fromkeys(VARIANTS, 2)
    assert runs[0] == (0, "ReLU") and len(runs) == 2 * len(VARIANTS)
    assert outcomes == bake(TINY, range(2), TEXT), "the same seeds give the same outcomes"


def test_the_larger_run_is_what_the_script_would_make():
    run = large_run()
    assert run["size"] == asdict(LARGE)
    assert set(run["outcomes"]) == set(VARIANTS)
    assert len({len(losses) for losses in run["outcomes"].values()}) == 1 and len(run["outcomes"]["ReLU"]) >= 3
    assert {"command", "minutes", "processor_minutes", "machine", "versions", "text"} <= set(run["made"])
