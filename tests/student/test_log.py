"""What has been checked is remembered in a student's own notebook, and no check fails for it."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel

from grader.judge import CheckResult, Verdict
from grader.student import log

RIGHT = "def rms_norm(x, weight, eps):\n    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight\n"
CHECK = f'{RIGHT}\nfrom grader import check\nprint(check("rms_norm").score)'


def verdict(score: float, exercise: str = "rms_norm", status: str = "partly") -> Verdict:
    return Verdict(exercise, score, 6, status, (CheckResult("values", False, score, 6, ""),))


def in_a_kernel(folder: Path, code: str = CHECK, **env: str) -> str:
    """What a notebook prints whose kernel runs in a folder."""
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(folder), env={**os.environ, **env})
    said = []
    try:
        client.execute_interactive(code, timeout=120, output_hook=lambda m: said.append(m["content"].get("text", "")))
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return "".join(said)


def test_the_best_of_each_exercise_counts(tmp_path):
    path = tmp_path / log.NAME
    for score in (2, 6, 3):
        log.remember(verdict(score), path)
    log.remember(verdict(3, "silu"), path)
    assert log.best_scores(path) == {"rms_norm": 1.0, "silu": 0.5}
    assert len(path.read_text().splitlines()) == 4


def test_what_was_not_attempted_is_not_kept(tmp_path):
    log.remember(verdict(0, status="not attempted"), tmp_path / log.NAME)
    assert not (tmp_path / log.NAME).exists() and log.best_scores(tmp_path / log.NAME) == {}


def test_several_processes_lose_nothing(tmp_path):
    code = "import sys; from tests.student.test_log import *\n"
    code += "for i in range(10): log.remember(verdict(i % 6, sys.argv[1]), Path(sys.argv[2]))"

    def process(name: str) -> int:
        return subprocess.run(
            [sys.executable, "-c", code, name, tmp_path / log.NAME], cwd=Path(__file__).parents[2]
        ).returncode

    with ThreadPoolExecutor() as pool:
        assert list(pool.map(process, ["one", "two"])) == [0, 0]
    lines = [json.loads(line) for line in (tmp_path / log.NAME).read_text().splitlines()]
    assert sorted(line["exercise"] for line in lines) == ["one"] * 10 + ["two"] * 10


def test_a_damaged_file_is_set_aside_and_what_can_be_read_stays(tmp_path):
    path = tmp_path / log.NAME
    log.remember(verdict(6), path)
    path.write_bytes(path.read_bytes() + b'\xff\x00 half a li\n{"exercise": 3}\n')
    log.remember(verdict(3, "silu"), path)
    assert log.best_scores(path) == {"rms_norm": 1.0, "silu": 0.5}
    (aside,) = tmp_path.glob("check_progress.damaged-*.jsonl")
    assert b"half a li" in aside.read_bytes() and b"half a li" not in path.read_bytes()


@pytest.mark.parametrize("where", ["no folder/log", "a file/log"])
def test_what_cannot_be_written_fails_nothing(tmp_path, where):
    (tmp_path / "a file").touch()
    log.remember(verdict(6), tmp_path / where)
    assert log.best_scores(tmp_path / where) == {}


def test_a_students_notebook_is_remembered_beside_the_quiz(tmp_path):
    (tmp_path / "03_rms_norm").mkdir()
    assert "6" in in_a_kernel(tmp_path / "03_rms_norm")
    assert log.best_scores(tmp_path / log.NAME) == {"rms_norm": 1.0}


def test_a_notebook_that_nbgrader_runs_is_not(tmp_path):
    assert "6" in in_a_kernel(tmp_path, NBGRADER_EXECUTION="autograde")
    assert not list(tmp_path.iterdir())
