"""From a machine with only Python to a working course: makes .venv, installs the pinned versions, runs a command.

python3 start.py lab            on Windows: py start.py lab
python3 start.py test -- -k rms_norm
"""

import hashlib
import importlib.util
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed.txt"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
VERSIONS = ["pyproject.toml", "constraints.txt"]
CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
NO_TESTS = 5  # pytest's status when nothing was selected

LINT = ["-m ruff check .", "-m ruff format --check ."]
QUICK = [*LINT, "-m grader build --check"]
# name: (what it does, what the virtual environment's python runs, one after the other)
COMMANDS = {
    "lab": ("JupyterLab on your own copy of the lessons", ["-m grader lab"]),
    "quiz": ("the quiz on its own; with arguments the question bank, as in: start.py quiz validate", ["-m quiz"]),
    "test": ("prove the course", [*QUICK, "-m pytest -m 'not slow'"]),
    "test-slow": ("the long proofs", ["-m pytest -m slow"]),
    "grade": ("demo: a generated class from release to report", ["-m grader demo"]),
    "redteam": ("attacks on the grader, and what stock nbgrader gives them", ["-m grader redteam"]),
    "bench": (
        "the performance tables; with arguments one of them, as in: start.py bench --kernels --json",
        ["-m grader bench"],
    ),
    "build": ("solutions -> lessons (--check: only compare)", ["-m grader build"]),
    "doctor": ("what this machine can do, and what to do where it cannot", ["-m grader doctor"]),
    "lint": ("ruff, as `test` runs it", LINT),
    "setup": ("only install", []),
}
# What is installed: for using the course, and what proving it needs on top. A student needs no browser driver.
USING, PROVING = "course,exports", "course,exports,cluster,postgres,hub,otter,dev"
PROVES = {"test", "test-slow", "lint", "setup"}
# Side by side, but for some of the long proofs (tests/conftest.py says which those are).
TOGETHER, APART = "-m pytest -n logical --maxprocesses 4 --dist loadscope --no-loadscope-reorder", "-m pytest"
# What a command runs when nothing follows it, if that is something else.
ALONE = {
    "quiz": ["-m grader lab --quiz"],
    "bench": ["-m grader bench --kernels", "-m grader bench"],
    "test": [*QUICK, f"{TOGETHER} -m 'not slow'"],
    "test-slow": [f"{TOGETHER} -m 'slow and not apart'", f"{APART} -m 'slow and apart'"],
}


def main(arguments):
    name, *extra = arguments or [""]
    if name not in COMMANDS:
        asked = name in ("-h", "--help", "help")
        wrong = f"There is no command {name!r}. " if name and not asked else ""
        print(wrong + usage(), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    install(PROVING if name in PROVES else USING)
    chosen = COMMANDS[name][1] if extra else ALONE.get(name, COMMANDS[name][1])
    steps = [[str(PYTHON), *shlex.split(step)] for step in chosen]
    if steps:
        steps[-1] += extra[1:] if extra[:1] == ["--"] else extra
    for step in steps:
        status = call(step)
        if status == NO_TESTS and name == "test-slow":
            print("No test is marked slow (or none fits what you asked for).")
        elif status:
            return status
    return 0


def usage():
    known = "\n".join(f"  {command:10} {text}" for command, (text, _) in COMMANDS.items())
    return f"Usage: python3 start.py COMMAND [arguments passed on]. Commands:\n{known}"


def install(extras):
    """Makes .venv what pyproject.toml and constraints.txt ask for; does nothing when it is that already."""
    there = STAMP.read_text().split() if PYTHON.exists() and STAMP.is_file() else []
    if there in ([fingerprint(), extras], [fingerprint(), PROVING]):
        return
    if there == [fingerprint(), USING]:
        print("Proving the course needs some more packages.", flush=True)
    need_a_good_python()
    STAMP.unlink(missing_ok=True)  # an installation that breaks off is made again
    if not PYTHON.exists() or call([str(PYTHON), "-m", "pip", "--version"], stdout=subprocess.DEVNULL):
        print("Making the virtual environment .venv", flush=True)
        if call([sys.executable, "-m", "venv", "--clear", str(VENV)]):
            sys.exit(f"Could not make {VENV}: see the lines above. Is the folder writable, the disk full?")
    print("Installing the pinned versions into .venv: some minutes the first time", flush=True)
    pip = [str(PYTHON), "-m", "pip", "install", "--no-compile", "-c", "constraints.txt", "-e", f".[{extras}]"]
    sources = [["--extra-index-url", CPU_WHEELS], []] if cpu_wheels() else [[]]
    # The second try is for a machine that sees PyTorch's index but whose pip does not (a mirror, a proxy).
    if all(call(pip + source) for source in sources):
        sys.exit(
            "Installing failed: see pip's last lines above. Run the same command again to go on. If pip found no "
            f"torch for your Python ({sys.version.split()[0]}), take an older one, from 3.11 on."
        )
    compile_packages()
    STAMP.write_text(f"{fingerprint()} {extras}")


def compile_packages():
    """pip would do it on one processor, and takes a third of its time for it; some packages hold files that only
    another Python reads, which is no failure."""
    packages = VENV / ("Lib" if os.name == "nt" else "lib")
    call([str(PYTHON), "-m", "compileall", "-qq", "-j", "0", str(packages)])


def need_a_good_python():
    if sys.version_info < (3, 11):  # noqa: UP036 (pip, which would say so, has not run yet)
        found = ".".join(map(str, sys.version_info[:3]))
        sys.exit(f"This course needs Python 3.11 or newer; this is {found} ({sys.executable}).")
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        sys.exit("This Python cannot make virtual environments: on Debian or Ubuntu, apt install python3-venv.")


def fingerprint():
    """Changes when the versions do, and when the folder has moved (the installation points into it)."""
    parts = [(ROOT / name).read_bytes() for name in VERSIONS] + [str(ROOT).encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def cpu_wheels():
    """Whether PyTorch's CPU wheels, a tenth of the default download, are wanted and there."""
    if not sys.platform.startswith("linux") or shutil.which("nvidia-smi"):
        return False
    answers = []

    def ask():
        try:
            with urllib.request.urlopen(CPU_WHEELS + "/torch/", timeout=3) as reply:
                answers.append(reply.status == 200)
        except OSError:
            answers.append(False)

    # A thread, because the timeout does not cover looking up the name.
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(3)
    return answers == [True]


def call(command, **options):
    """Runs a command in the course's folder and returns its status. Ctrl-C is the command's to answer."""
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONUTF8": "1"}, **options)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
