"""A course in a temporary folder, and what its students hand in."""

import functools
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from grader.answers import of
from grader.author.build import build
from grader.exercises import of_lesson
from grader.notebook import Limits
from grader.paths import CONFIG, Course, find_course

LESSON = "03_rms_norm"
NAME = "rms_norm.ipynb"
# Long for an honest cell on a busy machine; the one endless loop in the class costs that much once.
LIMITS = Limits(cell_seconds=20.0, notebook_seconds=200.0)
PIPES = hasattr(os, "mkfifo")
IDS = [exercise.id for exercise in of_lesson(LESSON)]
RIGHT = {name: of(name).source(of(name).reference) for name in IDS}
HALF = of("rms_norm").source(next(m for m in of("rms_norm").mistakes if m.key == "eps_outside_root").implementation)
SCRIPT = "<script>document.title = 'hacked'</script>"
HOSTILE_HTML = (
    f"{SCRIPT}<img src=x onerror=\"document.title='hacked'\"><svg onload=\"document.title='hacked'\"><g/></svg>"
    "<a href=\"javascript:document.title='hacked'\">hacklink</a><iframe srcdoc='x'></iframe>"
    "<form action='https://example.org'><input name=q></form><p onclick=\"document.title='hacked'\">hackpara</p>"
    "<object data='x'></object><style>body { display: none }</style>"
)
HOSTILE_MARKDOWN = (
    f"My answer with `x < 1 & y > 2`.\n\n{HOSTILE_HTML}\n\n[hacklink](javascript:document.title='hacked')\n\n"
    "![pic](attachment:nothing.png)\n\n> quoted\n\n$a < b$\n\n```python\nif a < b and c > d: pass\n```\n"
)


@functools.cache
def built() -> bytes:
    """The lesson's student copy, made from its source."""
    return build(find_course(Path(__file__).parent), LESSON).release


def new_course(root: Path) -> Course:
    here, course = find_course(Path(__file__).parent), Course(root)
    shutil.copy(here.root / CONFIG, root)
    (course.solutions / LESSON).mkdir(parents=True)
    shutil.copy(here.source(LESSON), course.solutions / LESSON)
    (course.lessons / LESSON).mkdir(parents=True)
    (course.lessons / LESSON / NAME).write_bytes(built())
    return course


def cells_with(**sources: str) -> list[dict]:
    """The released cells with these sources by grade_id."""
    cells = json.loads(built())["cells"]
    for cell in cells:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = sources.get(name, "".join(cell["source"]))
    return cells


def as_notebook(cells: list[dict]) -> bytes:
    return json.dumps(json.loads(built()) | {"cells": cells}).encode()


def place(cells: list[dict], grade_id: str) -> int:
    return next(i for i, c in enumerate(cells) if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def plain(source: str, kind: str = "code") -> dict:
    cell = {"cell_type": kind, "metadata": {}, "source": source, "id": f"new-{abs(hash(source)) % 10**9}"}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})


@dataclass
class Classroom:
    course: Course

    def folder(self, student: str) -> Path:
        path = self.course.submitted / student / LESSON
        path.mkdir(parents=True, exist_ok=True)
        return path

    def hand_in(self, student: str, content: bytes, timestamp: str | None = None) -> None:
        (self.folder(student) / NAME).write_bytes(content)
        if timestamp is not None:
            (self.folder(student) / "timestamp.txt").write_text(timestamp)

    def hand_in_everything(self) -> None:
        self.hand_in("accidents", as_notebook(accidents()))  # the slowest comes first
        self.hand_in("blank", built(), "2026-01-31 11:00:00 UTC")
        self.hand_in("half", as_notebook(half()), "2026-01-31 13:00:00 UTC")
        self.hand_in("hostile", as_notebook(hostile()), "no time at all")
        self.hand_in("moved", as_notebook(moved()))
        self.hand_in("empty-file", b"")
        self.hand_in("broken", built()[:500])
        self.hand_in("not-utf8", "{}".encode("utf-16"))
        self.folder("empty-folder")
        (self.folder("renamed") / "RMSNorm final (2).ipynb").write_bytes(built())
        (self.folder("link") / NAME).symlink_to(self.folder("blank") / NAME)
        (self.course.submitted / "linked-folder").mkdir()
        (self.course.submitted / "linked-folder" / LESSON).symlink_to(self.folder("blank"))
        if PIPES:
            os.mkfifo(self.folder("pipe") / NAME)
        (self.course.submitted / "-rf *").mkdir()
        shutil.copytree(self.folder("blank"), self.course.submitted / "-rf *" / LESSON)


def half() -> list[dict]:
    """Partial credit, a right one, and no cell at all for the third."""
    cells = cells_with(**{**RIGHT, "rms_norm": HALF}, written_speed="It depends.")
    del cells[place(cells, "rms_norm_backward")]
    return cells


def hostile() -> list[dict]:
    """All right, with scripts wherever a script can be put."""
    show = (
        "from IPython.display import HTML, Javascript, Markdown, SVG, display\n"
        f"display(HTML({HOSTILE_HTML!r}), Javascript('document.title = \"hacked\"'), Markdown({HOSTILE_MARKDOWN!r}),\n"
        '    SVG(\'<svg xmlns="http://www.w3.org/2000/svg" onload="top.document.title=1"/>\'),\n'
        f"    {{'text/latex': {SCRIPT!r}}}, {{'image/png': '\">' + {SCRIPT!r}}}, raw=False)\n"
        f"display({{'text/latex': {SCRIPT!r}}}, raw=True)\n"
        f"display({{'image/png': '\">' + {SCRIPT!r}}}, raw=True)\n"
        f"print({SCRIPT!r})\nraise ValueError({SCRIPT!r})"
    )
    cells = cells_with(**RIGHT, written_speed=HOSTILE_MARKDOWN)
    return [plain(HOSTILE_MARKDOWN, "markdown"), plain(HOSTILE_HTML, "raw"), *cells, plain(show)]


def moved() -> list[dict]:
    """All right, in a file that was handled roughly: a double, a helper, forged and deleted checks, stderr."""
    cells = cells_with(
        rms_norm="import sys, warnings\nwarnings.warn('old'); sys.stderr.write('careful')\n" + RIGHT["rms_norm"],
        rms_norm_module="class RMSNorm(nn.Module):\n    def forward(self, x):\n        return x",
        rms_norm_backward="def rms_norm_backward(grad_out, x, weight, eps):\n"
        "    return my_backward(grad_out, x, weight, eps)",
    )
    cells[place(cells, "check_rms_norm")] |= {"source": "99"}
    cells[place(cells, "check_rms_norm_module")]["metadata"]["nbgrader"]["points"] = 100
    del cells[place(cells, "check_rms_norm_backward")]
    module = cells[place(cells, "rms_norm_module")]
    helper = plain(RIGHT["rms_norm_backward"].replace("rms_norm_backward", "my_backward"))
    cells.insert(place(cells, "rms_norm_backward"), helper)
    return [*cells, module | {"source": RIGHT["rms_norm_module"], "id": "a-copy"}]


def accidents() -> list[dict]:
    """A syntax error, an endless loop, a kernel that dies."""
    return cells_with(
        rms_norm="def rms_norm(x, weight, eps):\n    return x *",
        rms_norm_module="import time\nwhile True:\n    time.sleep(0.01)",
        rms_norm_backward="import os\nos._exit(1)",
    )
