"""Every package that the code imports is one that pyproject.toml asks for; a class is asked for its part only."""

import ast
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from grader.author.student_files import student_files
from tests.project.test_versions import DIRECT, PROJECT, _name

ROOT = Path(__file__).parents[2]
OWN = {"grader", "quiz", "lessons", "tests", "solutions"}
STUDENT = sorted(path.as_posix() for path in student_files(ROOT) if path.suffix == ".py")
ALL = sorted(p.relative_to(ROOT).as_posix() for top in OWN for p in (ROOT / top).rglob("*.py"))


def _needed(paths: list[str]) -> dict[str, set[str]]:
    """Distributions by the files that import them, also those imported inside functions."""
    needed: dict[str, set[str]] = {}
    providers = packages_distributions()
    for path in paths:
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
            for top in {module.split(".")[0] for module in modules} - OWN - sys.stdlib_module_names - _beside(path):
                for name in providers.get(top, [top]):
                    needed.setdefault(_name(name), set()).add(path)
    return needed


def _beside(path: str) -> set[str]:
    """In a folder that is no package, as the hub's settings, files import each other by their names alone."""
    folder = (ROOT / path).parent
    return set() if (folder / "__init__.py").exists() else {file.stem for file in folder.glob("*.py")}


@pytest.mark.parametrize(("paths", "asked"), [(ALL, DIRECT), (STUDENT, PROJECT["dependencies"])], ids=["all", "class"])
def test_what_is_imported_is_asked_for(paths, asked):
    names = {_name(name) for name in asked}
    missing = {name: sorted(files) for name, files in _needed(paths).items() if name not in names}
    assert missing == {}
