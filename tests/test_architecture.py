"""Dependencies point one way, and every folder says what lives in it."""

import ast
from pathlib import Path

import pytest

import grader

ROOT = Path(grader.__file__).parents[1]
# Each part may import those before it, and the small modules at the root of the package.
PARTS = ("sandbox", "probe", "exercises", "answers", "judge", "student", "notebook", "author", "course", "lab", "cli")
ROOT_MODULES = {"errors", "files", "lean", "paths", "shown", "table"}
PACKAGES = sorted(p.parent for top in ("grader", "quiz", "lessons") for p in (ROOT / top).rglob("__init__.py"))


def imports(path: Path) -> set[str]:
    """Dotted names of all modules a file imports, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def part_of(module: str) -> str | None:
    pieces = module.split(".")
    return pieces[1] if pieces[0] == "grader" and len(pieces) > 1 and pieces[1] in PARTS else None


def test_every_part_is_in_the_order():
    there = {p.parent.name for p in (ROOT / "grader").glob("*/__init__.py")}
    assert there == set(PARTS)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_imports_only_those_before_it(part):
    allowed = set(PARTS[: PARTS.index(part) + 1])
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in (ROOT / "grader" / part).rglob("*.py")
        for module in imports(path)
        if part_of(module) not in (*allowed, None)
    ]
    assert not wrong


def test_the_modules_at_the_root_import_no_part():
    there = {path.stem for path in (ROOT / "grader").glob("*.py")} - {"__init__", "__main__"}
    assert there == ROOT_MODULES
    for name in ROOT_MODULES:
        assert not [m for m in imports(ROOT / "grader" / f"{name}.py") if part_of(m)], name


def test_lessons_support_imports_neither_grader_nor_quiz():
    for path in (ROOT / "lessons").rglob("*.py"):
        assert not {m.split(".")[0] for m in imports(path)} & {"grader", "quiz"}, path


def test_the_quiz_knows_nothing_of_the_grader_but_its_mistakes():
    for path in (ROOT / "quiz").rglob("*.py"):
        theirs = {m for m in imports(path) if m.split(".")[0] == "grader"}
        assert all(m.startswith("grader.answers") for m in theirs), (path, theirs)


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_folder_says_what_lives_in_it(folder):
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    assert text and len(text.split()) >= 8, f"{folder}: its __init__ should say what lives there and what does not"


@pytest.mark.parametrize("top", ["grader", "quiz", "lessons"])
def test_files_stay_small(top):
    long = {str(p.relative_to(ROOT)): n for p in (ROOT / top).rglob("*.py") if (n := _code_lines(p)) > 200}
    assert not {name: n for name, n in long.items() if not name.startswith("grader/answers/")}, long


def _code_lines(path: Path) -> int:
    return sum(1 for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
