"""Files of others: read, written, linked to, planted, shadowed."""

import os
import shutil
import zipfile
from pathlib import Path

from grader.course.redteam.attack import ALL, LESSON, NAME, RIGHT, Attack, Target, beside

CANARY = "canary-c0ffee"  # what must be seen in no student's file
TOUCH = """
import os, pathlib
course = pathlib.Path(COURSE)
home = os.path.expanduser("~")
places = [course, course / "submitted/zoe/03_rms_norm", course / "submitted/aaron/03_rms_norm",
          course / "solutions/03_rms_norm", course / "autograded", course / ".grader", course / "lessons/03_rms_norm",
          "/tmp", "/root", "/home", "/etc", os.path.dirname(os.__file__), os.path.dirname(torch.__file__), TMP, HOME]
"""
READS = (
    TOUCH
    + """
for place in places:
    for folder, _, names in os.walk(place):
        for name in names:
            if name.endswith((".ipynb", ".py", ".db", ".txt", "secret", "canary")) and "site-packages" not in folder:
                try: print(name, open(os.path.join(folder, name), errors="replace").read(200000)[-2000:])
                except OSError as error: print(error)
for path in ("/etc/shadow", "/etc/passwd", "/proc/1/environ", course / ".grader/secret", course / "gradebook.db"):
    try: print(open(path, errors="replace").read())
    except OSError as error: print(error)
"""
)
WRITES = (
    TOUCH
    + """
import shutil, sqlite3
for place in places:
    for name in ("canary", "rms_norm.ipynb", "gradebook.db", "secret", "rms_norm.py", "planted.txt"):
        try: open(os.path.join(place, name), "w").write("changed")
        except OSError as error: print(error)
    shutil.rmtree(os.path.join(place, "03_rms_norm"), ignore_errors=True)
try: sqlite3.connect(course / "gradebook.db").execute("update grade set manual_score = 20")
except sqlite3.Error as error: print(error)
"""
)
PLANTS = (
    TOUCH
    + """
import site, sys
bomb = "import os; os._exit(3)"
for place in [*places, *sys.path, *site.getsitepackages(), site.getusersitepackages(), os.getcwd(), home,
              home + "/.ipython/profile_default/startup", home + "/ipython/profile_default/startup"]:
    for name in ("sitecustomize.py", "usercustomize.py", "planted.pth", "00-planted.py", "torch.py", "grader.py"):
        try:
            os.makedirs(place, exist_ok=True)
            open(os.path.join(place, name), "w").write(bomb)
        except OSError: pass
"""
)
SHADOWS = """
import sys
for name in ("grader", "torch", "lessons", "safetensors"):
    open(f"{name}.py", "w").write("check = emit = lambda *a, **k: 99\\ndef __getattr__(name): return check")
sys.path.insert(0, "")
for name in list(sys.modules):
    if name.split(".")[0] in ("grader", "lessons"): del sys.modules[name]
"""


def knowing(source: str):
    """The source with the instructor's paths filled in, as one who knows the machine would write it."""

    def made(target: Target) -> bytes:
        temp = os.environ.get("TMPDIR", "/tmp")
        head = f"COURSE, TMP, HOME = {str(target.course)!r}, {temp!r}, {str(Path.home())!r}\n"
        return beside(head + source)(target)

    return made


def link_to(path: str):
    def lay(folder: Path, target: Target) -> None:
        (folder / NAME).symlink_to(path if path.startswith("/") else target.course / path)

    return lay


def linked_folder(folder: Path, target: Target) -> None:
    folder.rmdir()
    folder.symlink_to(target.course / "submitted" / "zoe" / LESSON)


def pipe(folder: Path, target: Target) -> None:
    os.mkfifo(folder / NAME)


def folder_for_file(folder: Path, target: Target) -> None:
    (folder / NAME).mkdir()


def sparse(folder: Path, target: Target) -> None:
    with (folder / NAME).open("wb") as file:
        file.truncate(500 * 2**20)


def archive(folder: Path, target: Target) -> None:
    """A zip in the notebook's place, with a bomb and with names that climb out of the folder."""
    with zipfile.ZipFile(folder / "rms_norm.zip", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("../../zoe/03_rms_norm/rms_norm.ipynb", "stolen")
        bomb.writestr("rms_norm.ipynb", bytes(2**26))
    shutil.copy(folder / "rms_norm.zip", folder / "rms_norm.ipynb")


def company(folder: Path, target: Target) -> None:
    """Modules and settings handed in beside the notebook."""
    for name in ("torch.py", "grader.py", "sitecustomize.py", "nbgrader_config.py", "ipython_config.py", "conftest.py"):
        (folder / name).write_text("import os; os._exit(3)\n")


ATTACKS = (
    Attack(
        "link",
        "the notebook is a link to the solution",
        None,
        0,
        ("is a link to another file",),
        lay=link_to(f"solutions/{LESSON}/rms_norm.py"),
    ),
    Attack(
        "link-right",
        "the notebook is a link to a neighbour's",
        None,
        0,
        ("is a link to another file",),
        lay=link_to(f"submitted/zoe/{LESSON}/{NAME}"),
        stock=True,
    ),
    Attack(
        "link-system",
        "the notebook is a link to /etc/passwd",
        None,
        0,
        ("is a link to another file",),
        lay=link_to("/etc/passwd"),
        stock=True,
    ),
    Attack(
        "link-folder",
        "the folder is a link to a neighbour's",
        None,
        0,
        ("is not a folder of its own",),
        lay=linked_folder,
        stock=True,
    ),
    Attack("pipe", "the notebook is a named pipe", None, 0, ("is not a regular file",), lay=pipe),
    Attack("folder", "the notebook is a folder", None, 0, ("cannot be read (Is a directory)",), lay=folder_for_file),
    Attack("sparse", "the notebook has 500 MB", None, 0, ("500 MiB",), lay=sparse),
    Attack("zip", "a zip bomb that climbs out of the folder", None, 0, ("unreadable",), lay=archive),
    Attack(
        "company",
        "torch.py, grader.py, … handed in beside it",
        lambda t: t.notebook(t.cells(**RIGHT)),
        ALL,
        ("passed",),
        lay=company,
    ),
    Attack("reads", "reads solutions, neighbours, gradebook, secrets", knowing(READS), ALL, ("passed",)),
    Attack("writes", "writes and deletes all of them", knowing(WRITES), ALL, ("passed",)),
    Attack("plants", "start-up files for the next student", knowing(PLANTS), ALL, ("passed",)),
    Attack(
        "shadows",
        "writes its own grader.py and torch.py",
        beside(SHADOWS),
        0,
        ("raised", "The check itself was broken by what the notebook did before"),
    ),
)
