"""The student's process says what it likes of its own score: checks, cells and IPython replaced."""

from grader.course.redteam.attack import POINTS, WRONG, Attack, cheating

# Knows a check, the released one or the grader's own, by its text, and what it would be worth.
WANTED = f"""
import re
POINTS = {POINTS}
def wanted(text):
    found = re.search(r'(?:check|emit)\\("(\\w+)"', text)
    return found and POINTS.get(found[1])
"""
AST = (
    WANTED
    + """
import ast
class Drop(ast.NodeTransformer):
    def visit(self, node):
        points = wanted(ast.unparse(node).replace("'", '"')) if isinstance(node, ast.Module) else None
        return node if points is None else ast.parse(str(points))
get_ipython().ast_transformers.append(Drop())
"""
)
INPUT = (
    WANTED
    + """
get_ipython().input_transformers_post.append(lambda lines: [f"{p}\\n"] if (p := wanted("".join(lines))) else lines)
"""
)
EXECUTE = (
    WANTED
    + """
kernel = get_ipython().kernel
before = kernel.do_execute
async def do_execute(code, *args, **kwargs):
    if (points := wanted(code)) is None: return await before(code, *args, **kwargs)
    content = {"execution_count": 1, "data": {"text/plain": str(points)}, "metadata": {}}
    kernel.send_response(kernel.iopub_socket, "execute_result", content)
    return {"status": "ok", "execution_count": 1, "payload": [], "user_expressions": {}}
kernel.do_execute = do_execute
"""
)
RUN_CELL = (
    WANTED
    + """
shell = get_ipython()
async_before, before = shell.run_cell_async, shell.run_cell
async def run_cell_async(code, *args, **kwargs):
    code = str(wanted(code) or code)
    return await async_before(code, *args, **{**kwargs, "transformed_cell": code})
shell.run_cell_async = run_cell_async
shell.run_cell = lambda code, *args, **kwargs: before(str(wanted(code) or code), *args, **kwargs)
"""
)
TRACEBACK = """
shell = get_ipython()
shell.showtraceback = shell.showsyntaxerror = shell._showtraceback = lambda *a, **k: None
"""
EMIT = (
    WANTED
    + """
import grader.exercises.emit as place
place.emit = lambda name, seed: POINTS[name]
"""
)
MODULE = (
    WANTED
    + """
import sys, types
fake = types.ModuleType("grader.exercises.emit")
fake.emit = lambda name, seed=0: POINTS[name]
sys.modules["grader.exercises.emit"] = fake
"""
)
HOOK = """
import sys
def shown(points):
    def rms_norm(*a, **k): sys.displayhook(points)
    return rms_norm
rms_norm, rms_norm_backward = shown(6), shown(10)
class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6): super().__init__()
    forward = shown(4)
"""
AFTER = (
    WANTED
    + """
shell = get_ipython()
def after(result):
    if points := wanted(result.info.raw_cell):
        shell.kernel.send_response(shell.kernel.iopub_socket, "execute_result",
            {"execution_count": 1, "data": {"text/plain": str(points)}, "metadata": {}})
shell.events.register("post_run_cell", after)
"""
)
JUDGE = """
try:
    import importlib
    judge = importlib.import_module("grader.judge.judge")
    judge._case_problem = lambda *a: None
    judge.first_failure = lambda *a: None
except ImportError as error: print(error)
"""
OWN_CHECK = f"check = lambda name, *a, **k: {POINTS}[name]"
PACKAGE_CHECK = f"""
import grader
grader.check = lambda name, *a, **k: {POINTS}[name]
from grader import check
"""


def attack(name: str, does: str, source: str, says: tuple[str, ...] = ("wrong",), **solutions: str) -> Attack:
    return Attack(name, does, cheating(source, **solutions), 0, says, stock=True)


def defines(source: str) -> dict[str, str]:
    """For attacks that define the exercises themselves, in place of the wrong solutions."""
    return dict.fromkeys(POINTS, "pass") | {"rms_norm": source}


WITHHELD = ("tampered", "withheld by code of the notebook")
RAISING = dict.fromkeys(WRONG, "1 / 0")
ATTACKS = (
    attack("own-check", "defines its own check", OWN_CHECK),
    attack("package-check", "replaces the package's check", PACKAGE_CHECK),
    attack("judge", "replaces the judge's comparisons", JUDGE),
    attack("ast", "an AST transformer that drops code", AST, WITHHELD),
    attack("input", "an input transformer that drops code", INPUT, WITHHELD),
    attack("do-execute", "a patched do_execute", EXECUTE, WITHHELD),
    attack("run-cell", "a patched run_cell", RUN_CELL, WITHHELD),
    attack("showtraceback", "a patched showtraceback", TRACEBACK, (), **RAISING),
    attack("emit", "replaces the probe's call", EMIT, WITHHELD),
    attack("module", "replaces the probe's module", MODULE, WITHHELD),
    attack("displayhook", "sys.displayhook inside the function", "", **defines(HOOK)),
    attack("after", "a forged execute_result after each check", AFTER),
)
