"""Finds forbidden built-ins in the text of a definition, also where no case makes the code run them."""

import ast
import functools

from grader.exercises import exercise
from grader.probe.watch import short

# What the lessons' setup cell imports, so that a solution cell read by itself can be understood.
_USUAL = {"torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional"}


def forbidden_in_source(exercise_id: str, source: str) -> list[dict]:
    """Uses of forbidden names inside the exercise's own definition: name, line, text. [] if none, or no Python.

    Only the definition counts: a student may compare with the built-in elsewhere in the cell.
    """
    return [dict(call) for call in _found(exercise_id, source)]


@functools.lru_cache(maxsize=64)  # the same text is read at every check of it
def _found(exercise_id: str, source: str) -> list[dict]:
    chosen = exercise(exercise_id)
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    names = _USUAL | _imports(tree)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    bodies = [n for n in ast.walk(tree) if isinstance(n, kinds) and n.name == chosen.name]
    found = {
        (node.lineno, dotted)
        for body in bodies
        for node in ast.walk(body)
        if (dotted := _dotted(node, names)) in chosen.forbidden
    }
    lines = source.splitlines()
    return [{"name": short(dotted), "line": n, "text": lines[n - 1].strip()} for n, dotted in sorted(found)]


def _imports(tree: ast.AST) -> dict[str, str]:
    """Local name -> dotted name, for every import in the source."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                names[a.asname or a.name.split(".")[0]] = a.name if a.asname else a.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return names


def _dotted(node: ast.AST, names: dict[str, str]) -> str | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in names:
        return None
    return ".".join([names[node.id], *reversed(parts)])
