"""The student's code bends what it is measured with: objects, torch, builtins, the probe itself."""

from grader.answers import of
from grader.course.redteam.attack import REST, WRONG, Attack, Target, beside, cheating, inside
from grader.course.redteam.forging import attack, defines
from grader.exercises import exercise
from grader.probe import run

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


ATTACKS = (
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
