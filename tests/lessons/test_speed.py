"""Lesson 12's support: contenders agree, what is kept is counted, tables say what they show. No time is judged."""

import json

import pytest
import torch

from lessons.support import bench
from lessons.support.kernels import OPERATIONS, both, copy_of, forward
from lessons.support.memory import freed_memory_kept
from lessons.support.saved import given_lean_rms_norm, given_lean_swiglu, kept_bytes
from lessons.support.speed_runs import COPY, PASSES, beside_a_copy, contests, products, sweep
from lessons.support.traffic import bytes_moved

CPU = torch.device("cpu")
DTYPES = (torch.float32, torch.bfloat16)
LEAN = {"RMSNorm": given_lean_rms_norm, "SwiGLU": given_lean_swiglu}


@pytest.fixture
def uncompiled():
    with torch.compiler.set_stance("force_eager"):
        yield


@pytest.mark.parametrize("name", OPERATIONS)
def test_built_in_and_lean_forms_agree_with_the_spelled_out_one(name):
    operation = OPERATIONS[name]
    arguments = operation.arguments(6, 37, torch.float32, CPU)
    others = filter(None, (operation.built_in, LEAN.get(name)))
    for other in others:
        torch.testing.assert_close(other(*arguments), operation.spelled_out(*arguments))
        torch.manual_seed(1)
        theirs = both(other, arguments)()
        torch.manual_seed(1)
        torch.testing.assert_close(theirs, both(operation.spelled_out, arguments)())


def test_the_least_is_what_inputs_and_results_weigh():
    for operation in OPERATIONS.values():
        arguments = operation.arguments(8, 16, torch.float32, CPU)
        wide = [a for a in arguments if torch.is_tensor(a) and a.dim() == 2]
        assert len(wide) == operation.wide == operation.forward - 1  # and one result
        gradients = [g for g in both(operation.spelled_out, arguments)() if g.dim() == 2]
        assert operation.backward == len(wide) + 1 + len(gradients)  # inputs, the incoming gradient, those returned
    assert bytes_moved(copy_of(arguments)) == 2 * arguments[0].nbytes


def test_bfloat16_steps_move_more_bytes_than_float32_ones():
    """The lesson says so of the norms; nine times the least is what bank 12 says."""
    for name in ("RMSNorm", "LayerNorm"):
        calls = [OPERATIONS[name].arguments(64, 1024, dtype, CPU) for dtype in DTYPES]
        wide, half = (bytes_moved(forward(OPERATIONS[name].spelled_out, a)) for a in calls)
        assert half > wide
        assert name != "RMSNorm" or 8.9 < half / (2 * calls[1][0].nbytes) < 9.1


@pytest.mark.parametrize(("name", "spelled_out", "lean"), [("RMSNorm", 2, 1), ("SwiGLU", 3, 2)])
def test_what_is_kept_for_the_backward_pass(name, spelled_out, lean):
    arguments = OPERATIONS[name].arguments(512, 256, torch.float32, CPU)
    size = arguments[0].nbytes
    assert kept_bytes(lambda: OPERATIONS[name].spelled_out(*arguments)) / size == pytest.approx(spelled_out, rel=0.02)
    assert kept_bytes(lambda: LEAN[name](*arguments)) / size == pytest.approx(lean, rel=0.02)


def test_without_a_compiler_the_eager_rows_are_there_and_one_sentence(uncompiled, capsys):
    races = contests(CPU, DTYPES[:1], 32)
    assert {race.reason for race in races.values()} == {"no compiler: torch.compile is switched off here"}
    run = races["RMSNorm", torch.float32]
    assert list(run.functions) == ["spelled out", "built in"]
    times = sweep([run], [4, 8], 32)
    assert set(times) == {"RMSNorm, spelled out", "RMSNorm, built in", COPY}
    assert all(list(by_size) == [4, 8] for by_size in times.values())
    results = beside_a_copy(run, 8, 32)
    assert set(results) == {(way, passes) for way in run.functions for passes in PASSES}
    floors = [results["spelled out", passes].floor for passes in PASSES]
    assert floors[1] == pytest.approx(2.5 * floors[0])  # five tensors beside two


def test_points_of_a_roofline():
    one, many = products(CPU, (1, 8), 16, 32)
    assert (one.name, many.name) == ("1 row", "8 rows")
    assert one.per_byte == pytest.approx(2 * 16 * 32 / (4 * (16 + 16 * 32 + 32)))
    assert many.per_byte > one.per_byte and one.speed > 0


def test_freed_memory_is_kept_inside_only_and_numbers_stay_right():
    with freed_memory_kept():
        assert torch.ones(1 << 20).sum() == 1 << 20
    assert torch.ones(1 << 20).sum() == 1 << 20


@pytest.fixture
def small(monkeypatch, uncompiled):
    monkeypatch.setitem(bench.SIZES, "cpu", ((16, 32, ""), (8, 32, bench.KEPT)))


def test_the_bench_prints_a_table_and_why_nothing_is_compiled(small, capsys):
    assert bench.main([]) == 0
    place, _, head, _, *rows, _, missing = capsys.readouterr().out.splitlines()
    assert f"torch {torch.__version__}" in place and "thread" in place
    assert head.startswith("| medians, side by side in one run | size | ratio | aim |")
    assert any(row.startswith("| naive RMSNorm over a copy | 16 × 32 float32 | ") for row in rows)
    assert not any("compiled" in row for row in rows)
    assert missing == "Nothing compiled: no compiler: torch.compile is switched off here."


def test_the_benchs_json_has_every_ratio_with_both_its_sides(small, capsys):
    bench.main(["--json"])
    found = json.loads(capsys.readouterr().out)
    assert {"date", "machine", "torch", "threads", "missing", "rows"} <= set(found)
    for row in found["rows"]:
        assert row["ratio"] == pytest.approx(row["first_ms"] / row["second_ms"])


def test_every_row_of_the_bench_can_be_there():
    """Each side is a way of running that `kernels` knows, so that no row is lost to a spelling."""
    known = {"spelled out", "built in", "compiled", "Triton", "Liger", bench.COPY}
    for _, first, second, _, _ in bench.ROWS:
        assert {first[1], second[1]} <= known and {first[0], second[0]} <= {"", *OPERATIONS}


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_on_a_gpu_its_own_clock_is_read_and_triton_takes_part():
    races = contests(torch.device("cuda"), DTYPES, 1024)
    for (name, _), race in races.items():
        results = beside_a_copy(race, 4096, 1024)
        assert name == "LayerNorm" or "Triton" in race.functions
        assert all(result.timing.median > 0 for result in results.values())
