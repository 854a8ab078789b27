"""What a kernel behind the wall is shown of the course, and the environment that all kernels for grading get.

Data, imported in no time: the warm process is started from it before anything heavy is imported.
"""

import os
from importlib.util import find_spec
from pathlib import Path

SETTINGS = {
    "COURSE_GRADING": "1",
    "NBGRADER_EXECUTION": "autograde",  # what nbgrader tells the notebooks that it grades
    "TORCH_COMPILE_DISABLE": "1",
    # One thread: results do not depend on the machine, and kernels side by side do not fight for cores.
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "CUDA_VISIBLE_DEVICES": "",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
}
# What a kernel sees of the course: contracts, cases and probes. No reference, no mistake, no judge, no solution.
COURSE = ("grader/__init__.py", "grader/errors.py", "grader/sandbox", "grader/probe", "grader/exercises")
LESSONS = ("lessons/__init__.py", "lessons/support", "quiz/__init__.py", "quiz/errors.py")
# What torch imports at the first gradient, and `with torch.device`: half of what a lesson's checks took.
LATER = ("torch.fx.experimental.symbolic_shapes", "torch.utils._device")
# What the lessons' setup cells import. Imported once, it costs a kernel nothing.
PRELOAD = (
    "torch",
    "torch.func",
    *LATER,
    "numpy.ctypeslib",
    "safetensors.torch",
    "matplotlib.pyplot",
    "matplotlib_inline.backend_inline",
    "grader.exercises.*",
    "grader.probe.*",
    "lessons.support.*",
    "quiz",
)
PASSED_ON = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
HOME = {
    "HOME": "/scratch/home",
    "USER": "student",
    "IPYTHONDIR": "/scratch/home/ipython",
    "MPLCONFIGDIR": "/scratch/home/matplotlib",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "TMPDIR": "/scratch/tmp",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "PYTHONPATH": "/course",
}


def shown() -> tuple[tuple, tuple, tuple]:
    """The fields of a `grader.sandbox.View`: modules from where this process has them, preloads, environment."""
    modules = {name: str(_root(name) / name) for name in (*COURSE, *LESSONS) if (_root(name) / name).exists()}
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ} | SETTINGS | HOME
    return tuple(modules.items()), PRELOAD, tuple(env.items())


def _root(name: str) -> Path:
    """Where the top-level package of a module lies."""
    found = find_spec(name.split("/")[0])
    return Path(found.origin).parents[1] if found and found.origin else Path("/nowhere")
