"""What students hand in to get points from plain tests, or to see what they should not."""

import nbformat

from grader.paths import Course
from tests.course.classroom import HOSTILE_HTML, SCRIPT
from tests.course.plain_class import NO_ERROR, POINTS, RIGHT, UP_TO_3, answered, cell

FULL = tuple(POINTS.values())
WRONG = "def squares(n):\n    return [0]"
FORGE = "import sys\ndef squares(n):\n    sys.displayhook({})\n    return [0]"
LEAK = """\
seen = []
def squares(n):
    seen.append(n)
    print(n, get_ipython().user_ns["In"][-1])
    if n < 1:
        raise ValueError(f"n is {n}: {get_ipython().user_ns['In'][-1]}")
    return [i ** 2 for i in range(1, n + 1)]"""
SHOW = """\
from IPython.display import HTML, display
print(seen, In)
display(HTML(repr(In)))
raise ValueError(repr((seen, In)))"""
SCRIPTS = f"""\
from IPython.display import HTML, display
def squares(n):
    display(HTML({HOSTILE_HTML!r}))
    print({SCRIPT!r})
    raise ValueError({SCRIPT!r})"""
WALL = """\
import os, pathlib, socket
paths = ["/etc/passwd", "{root}", "{root}/gradebook.db", "{root}/solutions", "{root}/submitted"]
print("seen:", [path for path in paths if pathlib.Path(path).exists()])
try:
    socket.create_connection(("1.1.1.1", 53), 1)
    print("reached:", True)
except OSError:
    print("reached:", False)"""
# What is handed in as `squares`, what each test gives, and what the instructor reads.
ATTACKS = {
    "wrong-sum": (WRONG, (0, 0, 0, 0.5), "problem1/correct_squares, problem1/invalid_squares"),
    "forges-results": (FORGE.format(99), (0, 0, 3, 0.5), "a result that it does not give by itself"),
    "forges-and-raises": (
        "import sys\ndef squares(n):\n    sys.displayhook(3)\n    raise ValueError",
        (0, 0, 0, 0.5),
        "a result that it does not give by itself",
    ),
    "nan": ("import builtins\nbuiltins.sum = lambda *a: float('nan')\n" + WRONG, (0, 0, 0, 0), "not a number"),
    "negative": ("import builtins\nbuiltins.sum = lambda *a: -1\n" + WRONG, (0, 0, 0, 0), "counts as 0"),
    "too-much": ("import builtins\nbuiltins.sum = lambda *a: 99\n" + WRONG, (0, 0, 3, 0), "was cut to them"),
    "no-text": (
        "get_ipython().display_formatter.format = lambda *a, **k: ({}, {})\n" + NO_ERROR,
        (1, 0, 3, 0.5),
        "problem1/invalid_squares wrong",
    ),
    "dies": (
        "import os\ndef squares(n):\n    os._exit(0)",
        (0, 0, 0, 0),
        "Python ended while the cell that begins `squares(3)`",
    ),
    "dies-late": (
        RIGHT["squares"].replace("    if n < 1", "    if n == 10: __import__('os')._exit(0)\n    if n < 1"),
        (1, 0, 0, 0),
        "died",
    ),
    "loops": (
        RIGHT["squares"].replace("    if n < 1", "    while n == 6: pass\n    if n < 1"),
        (1, 2, 0, 0.5),
        "problem1/partly_squares timed out",
    ),
    "floods": ("def squares(n):\n    print('x' * 3_000_000)\n    return [0]", (0, 0, 0, 0.5), "tampered"),
    "floods-before": ("print('x' * 20_000_000)\n" + RIGHT["squares"], FULL, "passed"),
    "own-copy": (UP_TO_3, (1, 0, 1.5, 0.5), "problem1/partly_squares partly"),
    "leaks": (LEAK, FULL, "passed"),
    "scripts": (SCRIPTS, (0, 0, 0, 0.5), "raised (ValueError: <script>"),
    "walled": (RIGHT["squares"], FULL, "passed"),
    "deleted-tests": (WRONG, (0, 0, 0, 0.5), "wrong"),
    "double-tests": (WRONG, (0, 0, 0, 0.5), "wrong"),
}


def attacked(course: Course, student: str) -> nbformat.NotebookNode:
    notebook = answered(course, **RIGHT | {"squares": ATTACKS[student][0]})
    tests = [one for one in notebook.cells if one.metadata.get("nbgrader", {}).get("grade_id") in POINTS]
    if student == "deleted-tests":
        notebook.cells = [one for one in notebook.cells if one not in tests]
    if student == "double-tests":
        notebook.cells += [nbformat.from_dict(dict(one) | {"source": "pass", "id": f"{one.id}-2"}) for one in tests]
    if student == "leaks":
        notebook.cells.append(nbformat.from_dict(cell("code", SHOW)))
    if student == "walled":
        notebook.cells.insert(0, nbformat.from_dict(cell("code", WALL.format(root=course.root))))
    return notebook
