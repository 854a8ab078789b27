"""`lessons/support` stays what it says: no grader, no quiz, cheap to import; the device has a name."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import lessons.support
from lessons.support.device import choose_device, describe

FILES = sorted(Path(lessons.support.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_support_imports_neither_grader_nor_quiz(file):
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    assert names or file.name == "__init__.py"
    assert {name.split(".")[0] for name in names}.isdisjoint({"grader", "quiz"})


def test_importing_is_cheap():
    pieces = ", ".join(file.stem for file in FILES if file.stem != "__init__")
    heavy = "{'matplotlib', 'torch._inductor', 'IPython', 'grader', 'quiz'}"
    code = f"import torch, sys; before = set(sys.modules); from lessons.support import {pieces}\n"
    code += f"print(sorted({heavy} & (set(sys.modules) - before)), torch.cuda.is_initialized())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] False"


def test_the_device_has_a_name(capsys):
    device = choose_device()
    assert device.type == ("cuda" if torch.cuda.is_available() else "cpu")
    assert capsys.readouterr().out == f"Runs on: {describe(device)}.\n"


def test_one_thread_is_not_threads(monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 1)
    assert describe(torch.device("cpu")).endswith(", 1 thread")
