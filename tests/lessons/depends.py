"""Which of a lesson's experiments read what a student defines, if only through other cells."""

import ast
import symtable

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

ALWAYS = ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef


def reading_answers(notebook: NotebookNode) -> list[NotebookNode]:
    """The experiment cells that read a name given by an exercise's cell, or by a statement that reads such a name,
    and so on. Of a name that may have been given anew since it is assumed that it was not."""
    of_student: set[str] = set()
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        answer = bool(cell.metadata.get("nbgrader", {}).get("solution"))
        if _follow(cell.source, of_student, answer) and "experiment" in cell.metadata.get("tags", []):
            found.append(cell)
    return found


def _follow(source: str, of_student: set[str], answer: bool) -> bool:
    """Whether a cell reads one of these names; they become those after it."""
    any_reads = False
    for statement in ast.parse(TransformerManager().transform_cell(source)).body:
        read, given = _names(statement)
        reads = bool(read & of_student)
        any_reads |= reads
        if answer or reads:
            of_student |= given | _changed(statement)
        elif isinstance(statement, ALWAYS):
            of_student -= given
    return any_reads


def _names(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """The notebook's names that a statement reads, functions in it included, and those that it gives."""
    read = {n.target.id for n in ast.walk(statement) if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)}
    given: set[str] = set()
    tables = [symtable.symtable(ast.unparse(statement), "cell", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if table.get_type() == "module" or symbol.is_global():
                read |= {symbol.get_name()} if symbol.is_referenced() else set()
                given |= {symbol.get_name()} if symbol.is_assigned() or symbol.is_imported() else set()
    return read, given


def _changed(statement: ast.stmt) -> set[str]:
    """Names of what it changes in place: `a.b = …`, `a[0] = …`, `a.append(…)` as a statement."""
    places = [n for n in ast.walk(statement) if isinstance(n, ast.Attribute | ast.Subscript)]
    changed = [place for place in places if isinstance(place.ctx, ast.Store)]
    calls = [n.value.func for n in ast.walk(statement) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)]
    changed += [call for call in calls if isinstance(call, ast.Attribute)]
    bases = set()
    for place in changed:
        while isinstance(place, ast.Attribute | ast.Subscript):
            place = place.value
        bases |= {place.id} if isinstance(place, ast.Name) else set()
    return bases
