"""constraints.txt is the one place where versions stand; the rest takes them from it or equals it."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;#]+)(?:; sys_platform.*)?$", re.MULTILINE)
# Where someone could be tempted to write a version down.
TEXTS = ["README.md", "start.py", "Makefile", ".pre-commit-config.yaml", ".ci/run"]
TEXTS += [".github/workflows/ci.yml"]


def _name(written: str) -> str:
    return re.sub(r"[-_.]+", "-", written).lower()


def _pins(text: str) -> dict[str, str]:
    return {_name(name): version for name, version in PIN.findall(text)}


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


PINNED = _pins(_read("constraints.txt"))
PROJECT = tomllib.loads(_read("pyproject.toml"))["project"]
ASKED = [*PROJECT["dependencies"], *(n for group in PROJECT["optional-dependencies"].values() for n in group)]
DIRECT = [asked.split(";")[0] for asked in ASKED]  # what is for one system only says so behind a semicolon
CONDA = yaml.safe_load(_read("environment.yml"))["dependencies"]


@pytest.mark.parametrize("name", DIRECT)
def test_every_dependency_is_named_without_a_version_and_pinned(name):
    assert re.fullmatch(r"[A-Za-z0-9._-]+", name), "pyproject.toml holds names only"
    assert _name(name) in PINNED


def test_every_line_of_constraints_is_one_pin():
    lines = [line for line in _read("constraints.txt").splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if not PIN.fullmatch(line)] == []
    assert len(PINNED) == len(lines), "a package is pinned twice"


def test_condas_versions_are_those_of_constraints():
    (pip,) = (entry["pip"] for entry in CONDA if isinstance(entry, dict))
    listed = _pins("\n".join(pip))
    assert listed == {_name(name): PINNED[_name(name)] for name in DIRECT}
    assert {line for line in pip if not PIN.fullmatch(line)} == {
        "-c constraints.txt",
        "-e .[course,exports,cluster,postgres,hub,otter,dev]",
    }


def test_condas_python_is_one_the_project_accepts_and_ci_runs():
    (version,) = re.findall(r"^python=([\d.]+)$", "\n".join(e for e in CONDA if isinstance(e, str)), re.M)
    assert PROJECT["requires-python"] == f">={version}"
    assert f'python-version: "{version}"' in _read(".github/workflows/ci.yml")


@pytest.mark.parametrize("path", TEXTS)
def test_no_other_file_repeats_a_pinned_version(path):
    text = _read(path)
    names = "|".join(re.escape(name).replace(r"\-", "[-_.]") for name in PINNED)
    # A package's name, then at most a few signs, then a version: "ruff==1.2", "ruff-pre-commit, rev: v1.2".
    found = re.findall(rf"(?<![\w/-])(?:{names})(?:\[\w+\])?\s*[=~<>]=?\s*v?\d[\w.]*", text, re.IGNORECASE)
    assert found == []


def test_ruffs_version_for_pre_commit_is_the_one_in_the_virtual_environment():
    hooks = yaml.safe_load(_read(".pre-commit-config.yaml"))["repos"]
    assert [repo["repo"] for repo in hooks] == ["local"], "a foreign repository has a version of its own"
    assert all(hook["entry"].startswith("python start.py ") for repo in hooks for hook in repo["hooks"])


def test_whatever_gets_installed_is_pinned():
    """Walks the installed packages from the project's own requirements down."""
    seen, waiting = set(), [(_name(name), ()) for name in DIRECT]
    while waiting:
        name, extras = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for text in metadata.requires(name) or []:
            need = Requirement(text)
            if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                waiting.append((_name(need.name), tuple(need.extras)))
    assert sorted(seen - set(PINNED)) == []
