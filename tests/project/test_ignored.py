"""What must never be committed cannot be: git itself is asked. And what must be committed is not ignored."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GIT = ["git", "-c", "safe.directory=*"]  # CI may be another user than the one who cloned
NEVER = [
    "workspace/03_rms_norm/rms_norm.ipynb",
    "workspace/.copied.json",
    "submitted/ada/03_rms_norm/rms_norm.ipynb",
    "submitted/ada/03_rms_norm/timestamp.txt",
    "autograded/ada/03_rms_norm/rms_norm.ipynb",
    "feedback/ada/03_rms_norm/rms_norm.html",
    "downloaded/03_rms_norm/archive/ada.zip",
    "exchange/course/inbound/ada+03_rms_norm/rms_norm.ipynb",
    "exports/quiz.xml",
    "reports/03_rms_norm.html",
    "grades.csv",
    "exports/grades.csv",
    "gradebook.db",
    "gradebook.db-wal",
    "gradebook.db.2026-11-30.bak",
    "somewhere/else.sqlite3",
    "quiz_answers.sqlite",
    "quiz_progress.jsonl",
    "somewhere/.quiz_progress.jsonl.lock",
    "quiz_progress.damaged-20261130T120000Z.jsonl",
    "somewhere/check_progress.jsonl",
    ".grader/secret",
    ".grader/results/0a1b.json",
    "solutions/03_rms_norm/rms_norm.ipynb",
    "solutions/.ipynb_checkpoints/rms_norm-checkpoint.ipynb",
    "lessons/03_rms_norm/.ipynb_checkpoints/rms_norm-checkpoint.ipynb",
    ".nbgrader.log",
    ".venv/bin/python",
    "dist/transformer_internals-0.1.0-py3-none-any.whl",
]
ALWAYS = [
    "solutions/03_rms_norm/rms_norm.py",
    "lessons/03_rms_norm/rms_norm.ipynb",
    "lessons/support/plots.py",
    "grader/lab/workspace.py",
    "quiz/bank/03_rms_norm.yaml",
    "tests/lab/test_workspace.py",
    "nbgrader_config.py",
    "README.md",
    ".github/pictures/verdict.png",
    ".github/workflows/ci.yml",
    ".ci/run",
]

pytestmark = pytest.mark.skipif(
    not shutil.which("git") or not (ROOT / ".git").exists(),
    reason="asks git, and this is not a git checkout (or git is not installed)",
)


def _ignored(path: str) -> bool:
    command = [*GIT, "check-ignore", "--quiet", "--no-index", path]
    status = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL).returncode
    assert status in (0, 1), f"git check-ignore failed with {status}"
    return status == 0


@pytest.mark.parametrize("path", NEVER)
def test_is_never_committed(path):
    assert _ignored(path)


@pytest.mark.parametrize("path", ALWAYS)
def test_is_committed(path):
    assert not _ignored(path)


def test_nothing_that_is_ignored_was_committed_before():
    tracked = subprocess.run(
        [*GIT, "ls-files", "--cached", "--ignored", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert tracked.stdout == ""
