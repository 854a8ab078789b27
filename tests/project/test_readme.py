"""What README.md tells people to type is there."""

import importlib
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def _named(pattern: str) -> list[str]:
    return sorted(set(re.findall(pattern, TEXT)))


def test_start_commands():
    spec = importlib.util.spec_from_file_location("start", ROOT / "start.py")
    start = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(start)
    named = _named(r"(?:start\.py|`make) ([\w-]+)")
    assert {"lab", "test"} <= set(named) <= {*start.COMMANDS, "help"}


@pytest.mark.parametrize("package", ["grader", "quiz"])
def test_commands_of_the_packages(package):
    named = _named(rf"python -m {package} (\w+)")
    assert named
    assert [name for name in named if not (ROOT / package / "cli" / f"{name}.py").is_file()] == []


SENTENCES = {
    "autograde": (
        "Give the same command again to continue one that was stopped: what is graded already is not graded twice.",
        "Every submission runs behind a wall: bubblewrap, with no network, no file of this machine but the system's "
        "programs and Python, and limits on time, memory, processes and output.",
        "Where no wall can be built, nothing is graded, and `python -m grader doctor` says why.",
        "Grades and comments given by hand stay as they are",
    ),
    "replay": ("any verdict again, from its stored seeds",),
    "report": ("scores, its mistakes by frequency, submissions to look at",),
    "doctor": ("hat this machine can do, and what to do where it cannot.",),
}


@pytest.mark.parametrize("command", SENTENCES)
def test_the_same_words_as_the_commands_help(command):
    module = importlib.import_module(f"grader.cli.{command}")
    for text in (TEXT, module.__doc__):
        assert [words for words in SENTENCES[command] if words not in " ".join(text.split())] == []


def test_modules_that_are_run():
    named = _named(r"python -m (tests[\w.]+)")
    assert [name for name in named if not (ROOT / f"{name.replace('.', '/')}.py").is_file()] == []


def test_files_and_pictures():
    named = _named(r"\]\(([^)]+)\)")
    named += _named(r"`((?:solutions|lessons|grader|quiz|tests|\.ci|\.github)/[\w./-]*|[\w-]+\.(?:txt|toml|yml))`")
    assert "grader/answers/" in named and "constraints.txt" in named
    assert [name for name in named if "NN_name" not in name and not (ROOT / name).exists()] == []


def test_pictures_are_small():
    pictures = _named(r"!\[[^\]]+\]\(([^)]+)\)")
    assert len(pictures) >= 2
    assert sum((ROOT / name).stat().st_size for name in pictures) < 150_000
