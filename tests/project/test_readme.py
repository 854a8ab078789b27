"""What README.md tells people to type is there."""

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
