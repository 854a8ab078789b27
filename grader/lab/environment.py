"""A look at the machine: one line a finding, each with what to do when something is missing."""

import os
import shutil
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader.lab.versions import differing, installed, pinned, required

OK, NOTE, FAIL = "OK", "NOTE", "FAIL"
REINSTALL = "run `python3 start.py setup` again (in a class: install the course's wheel again)"
COMPILERS = ("g++", "clang++", "c++", "cl")
WIDGETS = ("@jupyter-widgets/jupyterlab-manager", "anywidget")
NEEDED_MB, WANTED_MB = 50, 500


@dataclass(frozen=True)
class Line:
    """One finding. NOTE: the course works, but something will differ. FAIL: it will not work."""

    status: str
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{f'[{self.status}]':7}{self.text}"
        return f"{line}\n       -> {self.remedy}" if self.remedy else line


def environment(workspace: Path) -> list[Line]:
    """What a student needs, in the order in which it would be missed."""
    machine = [python(), packages(), *torch_and_device(), compiler()]
    return [*machine, jupyterlab(), kernel(), widgets(), nbgrader(), disk(workspace), kept(workspace)]


def python(version: tuple = tuple(sys.version_info[:3])) -> Line:
    text = f"Python {'.'.join(map(str, version))}"
    if version < (3, 11):
        return Line(FAIL, text, "the course needs Python 3.11 or newer: install it, then run start.py with it")
    return Line(OK, text)


def packages() -> Line:
    """What the lessons import, but for PyTorch, which has lines of its own."""
    names = [name for name in required() if name != "torch"]
    missing = [name for name in names if not installed(name)]
    if missing:
        return Line(FAIL, f"Not installed: {', '.join(missing)}", REINSTALL)
    if other := [text for text in differing() if text.split()[0] in names]:
        return Line(NOTE, f"Other versions than the lessons were proved with: {', '.join(other)}", REINSTALL)
    return Line(OK, f"Packages: all {len(names)}, as the lessons were proved with")


def torch_and_device() -> list[Line]:
    try:
        import torch

        from lessons.support.device import describe
    except (ImportError, OSError) as error:  # OSError: a library of Windows' that torch needs is not there
        return [Line(FAIL, f"PyTorch cannot be imported: {error}", REINSTALL)]
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    text = f"Device: {describe(device)}"
    if device.type == "cpu" and shutil.which("nvidia-smi"):
        remedy = "every lesson works on the CPU; for the GPU install a CUDA build of PyTorch into this environment"
        return [torch_version(torch.__version__), Line(NOTE, f"{text}; an NVIDIA GPU is not used", remedy)]
    return [torch_version(torch.__version__), Line(OK, text)]


def torch_version(found: str) -> Line:
    """`found` may end in a build's name, as in 2.1.0+cpu, which is the same version."""
    wanted = pinned().get("torch")
    if wanted and found.split("+")[0] != wanted:
        return Line(NOTE, f"PyTorch {found}, but the lessons were proved with {wanted}", REINSTALL)
    return Line(OK, f"PyTorch {found}")


def compiler() -> Line:
    """What `torch.compile` needs. Only the timing experiments use it."""
    remedy = "the timing experiment shows a row without numbers; to have it, "
    found = next(filter(None, map(shutil.which, filter(None, (os.environ.get("CXX"), *COMPILERS)))), None)
    if found is None:
        install = {"darwin": "xcode-select --install", "win32": "install Visual Studio's Build Tools for C++"}
        return Line(NOTE, "no C++ compiler", remedy + install.get(sys.platform, "apt install g++"))
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return Line(NOTE, f"C++ compiler {found}, but no Python.h", remedy + "apt install python3-dev")
    return Line(OK, f"C++ compiler {found}")


def jupyterlab() -> Line:
    missing = [name for name in ("jupyterlab", "ipykernel") if not installed(name)]
    if missing:
        return Line(FAIL, f"{' and '.join(missing)} not installed", REINSTALL)
    return Line(OK, f"JupyterLab {installed('jupyterlab')}")


def kernel() -> Line:
    """The Python in which notebooks run. A kernel of the same name, made by another Python, would take its place."""
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    try:
        spec = KernelSpecManager().get_kernel_spec("python3")
    except NoSuchKernel:
        return Line(FAIL, "JupyterLab has no kernel python3", REINSTALL)
    program = Path(spec.argv[0])
    # A bare name is this Python; links are not followed, because those of all environments lead to the same one.
    if program.is_absolute() and program.parent != Path(sys.executable).parent:
        remedy = f"remove the folder {spec.resource_dir}, or choose this Python in the notebook's menu Kernel"
        return Line(FAIL, f"Notebooks would run in another Python, {program}", remedy)
    return Line(OK, f"Notebooks run in this Python, {sys.executable}")


def widgets() -> Line:
    """The quiz's parts in the page: the Python package alone shows nothing."""
    from jupyter_core.paths import jupyter_path

    folders = [Path(folder) for folder in jupyter_path("labextensions")]
    missing = [name for name in WIDGETS if not any((f / name / "package.json").is_file() for f in folders)]
    if missing:
        return Line(FAIL, f"JupyterLab lacks {' and '.join(missing)}: no quiz in the page", REINSTALL)
    return Line(OK, f"Widgets: ipywidgets {installed('ipywidgets')}, anywidget {installed('anywidget')}")


def nbgrader() -> Line:
    version = installed("nbgrader")
    if version is None:
        return Line(NOTE, "no nbgrader", "students need none; to teach, install the whole course with start.py setup")
    return Line(OK, f"nbgrader {version}")


def disk(workspace: Path) -> Line:
    """Looked at in the nearest folder that is there, because the workspace may not be yet."""
    folder = next(parent for parent in (workspace, *workspace.parents) if parent.is_dir())
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
    except OSError as error:
        return Line(FAIL, f"{folder} cannot be written: {error.strerror}", "choose another with --workspace")
    free = shutil.disk_usage(folder).free // 2**20
    status = FAIL if free < NEEDED_MB else NOTE if free < WANTED_MB else OK
    return Line(status, f"{free / 1024:.1f} GB free in {folder}", "" if status == OK else "make some room")


def kept(workspace: Path) -> Line:
    """What is remembered of a student: the points of checks, and the answers in the quiz."""
    from grader.student import log
    from quiz.store import place

    logs = [path for path in (place(workspace), log.place(workspace)) if path.exists()]
    closed = [str(path) for path in logs if not path.is_file() or not os.access(path, os.W_OK)]
    if closed:
        return Line(NOTE, f"Cannot be written: {', '.join(closed)}", "allow it, or what you do is forgotten at the end")
    return Line(OK, f"What you have done is kept in {' and '.join(path.name for path in logs) or workspace}")
