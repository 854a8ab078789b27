"""Timing: calls take turns and medians are medians; a machine that cannot compile says so and carries on."""

import pytest
import torch
import torch._inductor.config as inductor

from lessons.support.timing import Timing, busy, compared, compile_or_reason, faster_by, time_calls

CPU = torch.device("cpu")


def test_calls_take_turns():
    order = []
    timings = time_calls({name: lambda name=name: order.append(name) for name in "abc"}, CPU, rounds=3)
    assert "".join(order) == "abc" + "abc" + "bca" + "cab"  # a warm-up, then each round from another start
    assert list(timings) == ["a", "b", "c"]


def test_a_slow_machine_stops_after_five_rounds():
    calls = []
    time_calls({"a": lambda: calls.append(1)}, CPU, rounds=100, limit_s=0.0)
    assert len(calls) == 1 + 5


def test_median_and_quarters(monkeypatch):
    taken = iter([3.0, 1.0, 2.0, 5.0, 4.0])
    monkeypatch.setattr("lessons.support.timing._milliseconds", lambda call, device: next(taken))
    assert time_calls({"a": lambda: None}, CPU, rounds=5) == {"a": Timing(median=3.0, low=2.0, high=4.0)}


def test_comparing():
    slow, quick = Timing(2.0, 1.9, 2.1), Timing(1.6, 1.5, 1.7)
    assert faster_by(quick, slow) == pytest.approx(25)
    assert faster_by(slow, quick) == pytest.approx(-20)
    assert (compared(quick, slow), compared(slow, quick)) == ("1.2× faster", "1.2× slower")
    assert compared(Timing(10.4, 10, 11), Timing(0.78, 0.7, 0.8)) == "13× slower"


def test_a_busy_machine_is_named():
    quiet, noisy = Timing(2.0, 1.8, 2.2), Timing(2.0, 1.0, 2.2)
    assert busy({"a": quiet}) == ""
    assert busy({"a": quiet, "b": noisy}).startswith("Careful: the runs of 1 of 2 calls differ a lot.")


@inductor.patch({"cpp.cxx": (None, "no-such-compiler"), "force_disable_caches": True})
def test_without_a_compiler_the_reason_is_given():
    compiled, reason = compile_or_reason(lambda x: x * 2 + 1, torch.ones(11))
    assert compiled is None
    assert reason.startswith("no compiler: no working C++ compiler was found")


def test_switched_off_compilation_is_not_called_compiled():
    with torch.compiler.set_stance("force_eager"):
        compiled, reason = compile_or_reason(lambda x: x * 2 + 1, torch.ones(13))
    assert (compiled, reason) == (None, "no compiler: torch.compile is switched off here")


def test_any_other_failure_to_compile_is_told_in_one_line(monkeypatch):
    def broken(name):
        raise RuntimeError("\n  the backend broke \nmore about it")

    monkeypatch.setattr("torch._dynamo.lookup_backend", broken)
    compiled, reason = compile_or_reason(lambda x: x * 2 + 1, torch.ones(17))
    assert compiled is None
    assert reason.startswith("no compiler: ") and "the backend broke" in reason and "\n" not in reason


@pytest.mark.slow
def test_compiled_code_gives_the_same_numbers():
    x = torch.linspace(-1, 1, 19)
    compiled, reason = compile_or_reason(lambda x: x * 2 + 1, x)
    if compiled is None:  # a machine without a compiler
        assert reason.startswith("no compiler: ")
    else:
        torch.testing.assert_close(compiled(x), x * 2 + 1)
