"""The student's process says what it likes of its own score, or bends what it is measured with."""

from grader.answers import of
from grader.course.redteam.attack import POINTS, REST, WRONG, Attack, Target, beside, cheating, inside
from grader.exercises import exercise
from grader.probe import run

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
    return await async_before(str(wanted(code) or code), *args, **{**kwargs, "transformed_cell": str(wanted(code) or code)})
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
RMSNorm = type("RMSNorm", (nn.Module,), {"forward": shown(4), "__init__": lambda self, dim, eps=1e-6: nn.Module.__init__(self)})
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
SAME = """
class Same:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __bool__(self): return True
    def __hash__(self): return 0
    def __getattr__(self, name): return Same()
    def __call__(self, *a, **k): return Same()
    def __instancecheck__(self, other): return True
    def __float__(self): return 0.0
    __class__ = torch.Tensor
def rms_norm(x, weight, eps): return Same()
def rms_norm_backward(grad_out, x, weight, eps): return Same(), Same()
"""
SUBCLASS = """
class Right(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunctionSubclass():
            result = function(*args, **(kwargs or {}))
        if isinstance(result, bool): return True
        if isinstance(result, torch.Tensor) and result.dtype == torch.bool: return torch.ones_like(result)
        return result.as_subclass(cls) if isinstance(result, torch.Tensor) else result
def rms_norm(x, weight, eps): return (x * weight).as_subclass(Right)
def rms_norm_backward(grad_out, x, weight, eps): return x.clone().as_subclass(Right), weight.clone().as_subclass(Right)
"""
COMPARISONS = """
import torch.testing
yes = lambda *a, **k: True
torch.allclose = torch.equal = torch.Tensor.allclose = torch.Tensor.equal = yes
torch.testing.assert_close = lambda *a, **k: None
torch.isclose = torch.Tensor.isclose = lambda a, b, *more, **k: torch.ones(a.shape, dtype=torch.bool)
"""
BUILTINS = """
import builtins
builtins.all = lambda values: True
builtins.any = lambda values: False
builtins.abs = lambda value: 0
builtins.max = builtins.min = lambda *a, **k: 0
"""
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
RECORDER = """
from grader.probe.recorder import Recorder
def output(self, name, value):
    self.record.facts["types"][name] = "Tensor"
    self.record.tensors[name] = self.case["x"].clone().contiguous()
    return True
Recorder.output = output
Recorder.gradients = lambda self, y, grad_y, leaves: self.record.tensors.update(
    {f"grad_{n}": leaf.detach().clone().contiguous() for n, leaf in leaves.items()})
Recorder.finish = lambda self: self.record
"""
WATCH = """
from grader.probe.watch import Watch
Watch.__torch_function__ = lambda self, function, types, args=(), kwargs=None: function(*args, **(kwargs or {}))
"""
BUILT_IN = 'def rms_norm(x, weight, eps):\n    return getattr(F, "rms" + "_norm")(x, x.shape[-1:], weight, eps)'
FRAMES = """
import gc, sys
def search(x):
    frame = sys._getframe(1)
    while frame is not None:
        for name, value in list(frame.f_locals.items()):
            for one in (value, *getattr(value, "__dict__", {}).values()) if not isinstance(value, type) else ():
                if isinstance(one, torch.Tensor) and one.shape == x.shape and not torch.equal(one, x): return one * 1
                if callable(one) and getattr(one, "__name__", "") in ("reference", "plain", "expected"): return one(x)
        frame = frame.f_back
    for one in gc.get_objects():
        if type(one) is torch.Tensor and one.shape == x.shape and not torch.equal(one, x): return one * 1
    return x * 1
def rms_norm(x, weight, eps): return search(x)
def rms_norm_backward(grad_out, x, weight, eps): return search(x), search(weight)
"""
NOTICES = """
import os
if os.environ.get("COURSE_GRADING"):
    return getattr(F, "rms" + "_norm")(x, x.shape[-1:], weight, eps)
return x
"""
LIES = """
class Liar(type(nn.Module)):
    def __instancecheck__(cls, it): return True
    def __subclasscheck__(cls, it): return True
    def __eq__(cls, it): return True
    __hash__ = type.__hash__
class RMSNorm(nn.Module, metaclass=Liar):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
    def named_parameters(self, *a, **k): return {"weight": self.weight}.items()
    def forward(self, x): return self
    def __getattr__(self, name): return nn.Module.__getattr__(self, name) if name in ("weight", "_parameters") else self
"""
SAVES = """
import base64, json, safetensors.torch
safetensors.torch.save = lambda tensors, metadata=None: b"full marks"
base64.b64encode = lambda data, *a: b"ZnVsbCBtYXJrcw=="
json.dumps = lambda *a, **k: '{"score": 20}'
"""


def remembers(target: Target) -> bytes:
    """The right outputs for the inputs that students see, in a table by input."""
    right, table = of("rms_norm").reference, {}

    def noting(x, weight, eps):
        y = right(x, weight, eps)
        table[f"{tuple(x.shape)} {x.double().sum().item():.9g} {eps}"] = y.double().tolist()
        return y

    run(exercise("rms_norm"), noting, seed=0)
    body = f"""
TABLE = {table!r}
def rms_norm(x, weight, eps):
    found = TABLE.get(f"{{tuple(x.shape)}} {{x.double().sum().item():.9g}} {{eps}}")
    return x * weight if found is None else torch.tensor(found, dtype=x.dtype).reshape(x.shape) + 0 * x * weight
"""
    return beside("", **{**WRONG, "rms_norm": body})(target)


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
    attack("same", "objects that equal everything", "", ("wrong",), **defines(SAME), **{}),
    attack("subclass", "a Tensor subclass with __torch_function__", "", **defines(SUBCLASS)),
    attack("comparisons", "patched torch.allclose, assert_close", COMPARISONS),
    attack("builtins", "patched builtins", BUILTINS, ()),
    attack("recorder", "a patched recorder", RECORDER),
    attack("frames", "reads test inputs through frames and gc", "", **defines(FRAMES)),
    Attack("remembers", "hard-coded answers for the inputs that students see", remembers, 0, ("wrong",), stock=True),
    Attack("notices", "the built-in, only while it is graded", inside(NOTICES), REST, ("rms_norm wrong",), stock=True),
    Attack("watch", "the built-in, with the watch blinded", cheating(WATCH, rms_norm=BUILT_IN), 6, (), stock=True),
    attack("lies", "a module that lies about itself", "", rms_norm_module=LIES),
    attack("saves", "patched safetensors, base64 and json", SAVES, ("tampered",)),
)
