"""The form of an answer: its code without what two people would write differently though they wrote the same.

Left out are comments, white space, docstrings, annotations and `pass`; names that the code gives itself (locals,
parameters, helpers) become v0, v1, … in their order. Names of others (torch, self's attributes) stay.
"""

import ast
from dataclasses import dataclass

LONGEST = 100_000  # characters that are parsed; what is longer is compared as it stands
NOT_PARSED = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class Form:
    """text is equal for equal answers. size: parts of the code that say something, names and constants left out."""

    text: str
    size: int


def form(source: str) -> Form:
    """The form of a cell's code. Of what is no Python, the text without white space."""
    try:
        if len(source) > LONGEST:
            raise ValueError
        tree = ast.parse(source)
        tree = _Renamed(_own_names(tree)).visit(_Plain().visit(tree))
        return Form(ast.dump(tree, annotate_fields=False), sum(map(_says_something, ast.walk(tree))))
    except NOT_PARSED:
        text = "".join(source.split())
        return Form(f"no Python: {text}", len(text) // 4)


def _says_something(node: ast.AST) -> bool:
    return isinstance(node, ast.expr | ast.stmt) and not isinstance(node, ast.Name | ast.Constant | ast.Expr)


def _own_names(tree: ast.AST) -> set[str]:
    """Names that the code gives: not those it imports, which are others'."""
    own = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler):
            own.add(node.name)
    methods = {m.name for c in ast.walk(tree) if isinstance(c, ast.ClassDef) for m in c.body if hasattr(m, "name")}
    return own - methods - {None}


class _Plain(ast.NodeTransformer):
    """Takes out what has no effect."""

    def visit(self, node: ast.AST) -> ast.AST:
        node = super().visit(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                kept = [line for line in block if not _idle(line)]
                setattr(node, field, kept or ([ast.Pass()] if field == "body" else []))
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        return self.generic_visit(ast.Assign([node.target], node.value))


def _idle(line: ast.AST) -> bool:
    text = isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
    return text or isinstance(line, ast.Pass)


class _Renamed(ast.NodeTransformer):
    def __init__(self, own: set[str]):
        self._own, self._new = own, {}

    def _name(self, name: str) -> str:
        return self._new.setdefault(name, f"v{len(self._new)}") if name in self._own else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._name(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._name(node.arg)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        own = isinstance(node.func, ast.Name) and node.func.id in self._own
        for keyword in node.keywords if own else ():
            keyword.arg = keyword.arg and self._name(keyword.arg)
        return self.generic_visit(node)

    def _named(self, node):
        node.name = self._name(node.name)
        return self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_ExceptHandler = _named
