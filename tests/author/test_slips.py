"""An author's slips in an exercise: `build` says in one sentence what is wrong, and in which file."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.author.conftest import PROJECT, edit

EXERCISE = "grader/exercises/lesson_07_swiglu/silu.py"
ORDER = "grader/exercises/lesson_07_swiglu/__init__.py"
ANSWERS = "grader/answers/lesson_07_swiglu/silu.py"
DRAW = "    draw = Inputs(seed)\n"
# file, what stands there, what the author wrote in its place, what is said
SLIPS = {
    "a case that is not there": (
        EXERCISE, 'ORDINARY = ("vector"', 'ORDINARY = ("vectr"',
        f"error: {EXERCISE}: the Check 'values' names the case 'vectr', which `cases` does not make. It makes: vector,",
    ),
    "an error in cases": (EXERCISE, DRAW, f"{DRAW}    1 / 0\n", f"{EXERCISE}, line 18: ZeroDivisionError: division by"),
    "cases that gives nothing": (EXERCISE, DRAW, f"{DRAW}    return\n", "TypeError: 'NoneType' object is not iterable"),
    "another lesson": (
        EXERCISE, 'lesson="07_swiglu"', 'lesson="07_swigl"',
        f"error: {EXERCISE}: `lesson` is '07_swigl', but the file lies in the folder of '07_swiglu'",
    ),
    "one hint": (EXERCISE, "hints=(", 'hints=("Think.",) or (', f"error: {EXERCISE}: `hints` is a tuple of 3 texts"),
    "an import that is not there": (
        EXERCISE, "grader.exercises.inputs", "grader.exercises.input",
        f"{EXERCISE}, line 5: ModuleNotFoundError: No module named 'grader.exercises.input'",
    ),
    "another name": (
        ANSWERS, 'Answers(\n    "silu"', 'Answers(\n    "sillu"',
        f"error: {ANSWERS}: it has Answers('sillu'), but what the student writes is 'silu'",
    ),
    "two mistakes of one name": (
        ANSWERS, 'mistake("Mish"', 'mistake("ELU"', f"{ANSWERS}, line 135: silu: two mistakes are called 'ELU'",
    ),
    "no answers": (ANSWERS, "answers = Answers(", "answer = answers_ = Answers(", f"{ANSWERS}, line 17: NameError"),
    "no comma": (ORDER, '("silu", "swiglu", "swiglu_module", "ffn_hidden_dim")', '("silu")',
                 f"error: {ORDER}: ORDER is a tuple of ids, such as (\"rms_norm\",) with its comma; it is 'silu'"),
    "no order": (ORDER, "ORDER =", "ORDR =", f"error: {ORDER}: ORDER is a tuple of ids"),
    "bad syntax in the order": (ORDER, "ORDER =", "ORDER = (", f"{ORDER}, line 3: SyntaxError: '(' was never closed"),
}  # fmt: skip


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The course's packages and one lesson, free to be broken."""
    root = tmp_path_factory.mktemp("slips")
    for folder in ("grader", "lessons/support", "solutions/07_swiglu"):
        shutil.copytree(PROJECT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "nbgrader_config.py", root)
    return root


def build(root) -> tuple[int, str]:
    return grader(root, "build", "--check", "07_swiglu")


def grader(root, *arguments: str) -> tuple[int, str]:
    environment = os.environ | {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "grader", *arguments]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


# Each in a process of its own, which takes seconds: the quick tests have the first two.
QUICK = [*SLIPS][:2]


@pytest.mark.parametrize("slip", [*QUICK, *(pytest.param(n, marks=pytest.mark.slow) for n in SLIPS if n not in QUICK)])
def test_a_slip_is_one_sentence(copy, slip):
    file, old, new, says = SLIPS[slip]
    before = (copy / file).read_bytes()
    edit(copy / file, old, new)
    try:
        status, text = build(copy)
    finally:
        (copy / file).write_bytes(before)
    assert status == 2 and says in text and text.count("\n") == 1, text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (
            EXERCISE,
            'ORDINARY, ("y",)',
            'ORDINARY, ("z",)',
            "the Check 'values' compares z on the case 'vector', where the probe records y, grad_x.",
        ),
        (EXERCISE, 'rec.inputs("x")', 'rec.inputs("xx")', "or its probe, fails on case 'vector': KeyError: 'xx'."),
        (
            ANSWERS,
            "def plain(x):",
            "def plain():",
            "The reference of 'silu' cannot be called: It is called as `silu(x)`, but yours is `silu()`",
        ),
    ],
)
def test_a_reference_that_does_not_fit_its_probe_is_told(copy, file, old, new, says):
    """By `check`, whatever it is given: `build` runs no answers."""
    before = (copy / file).read_bytes()
    (copy / "mine.py").write_text("def silu(x):\n    return x * x.sigmoid()\n")
    edit(copy / file, old, new)
    try:
        status, text = grader(copy, "check", "silu", "mine.py")
    finally:
        (copy / file).write_bytes(before)
    assert status == 2 and says in text and "Traceback" not in text, text


@pytest.mark.slow
def test_answers_that_are_not_there_are_named(copy):
    (copy / ANSWERS).rename(copy / "aside.py")
    try:
        status, text = build(copy)
    finally:
        (copy / "aside.py").rename(copy / ANSWERS)
    assert (status, text) == (2, f"error: There is no {ANSWERS}: the exercise 'silu' needs its answers there.\n")
