"""Which answers are the same after normalising, and who is to be looked at."""

import pytest

from grader.answers import of
from grader.course.alike import WORDS, alike
from grader.course.demo_class import source
from grader.course.flags import flagged, slow
from grader.course.normal import form
from grader.course.report import as_text, graded_class
from grader.exercises import exercise
from grader.judge import unjudged
from grader.notebook.graded import Graded
from tests.course.classroom import HALF, LESSON, RIGHT, Classroom, as_notebook, cells_with
from tests.course.quick import Quick

PLAIN = """
def rms_norm(x, weight, eps):
    mean_square = (x * x).mean(-1, keepdim=True)
    root = torch.sqrt(mean_square + eps)
    return x / root * weight
"""
SAME = {
    "names": """
def rms_norm(row, gain, small):
    a = (row * row).mean(-1, keepdim=True)
    b = torch.sqrt(a + small)
    return row / b * gain
""",
    "comments and spacing": PLAIN.replace("\n    root", "  # of each row\n\n    root").replace("    ", "  "),
    "docstring": PLAIN.replace("eps):", 'eps):\n    """What it does."""\n'),
    "annotations": PLAIN.replace("(x,", "(x: torch.Tensor,").replace("):\n", ") -> torch.Tensor:\n", 1),
    "annotated name": PLAIN.replace("root =", "root: torch.Tensor ="),
    "pass": PLAIN.replace("    return", "    pass\n    return"),
}
OTHER = {
    "constant": PLAIN.replace("-1", "1"),
    "operator": PLAIN.replace("/ root", "* root"),
    "function": PLAIN.replace("sqrt", "rsqrt"),
    "order": PLAIN.replace("x / root * weight", "weight * x / root"),
    "names that mean others": PLAIN.replace("return x / root", "return weight / root"),
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_the_same(text):
    assert form(text).text == form(PLAIN).text and text != PLAIN


@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER)
def test_another(text):
    assert form(text).text != form(PLAIN).text


def test_helpers_and_their_keywords():
    one = "def helper(a, b):\n    return a + b\n\ndef f(x):\n    return helper(x, b=2) + torch.sum(x, dim=0)"
    two = one.replace("helper", "my_sum").replace("b=2", "q=2").replace("a, b", "p, q").replace("a + b", "p + q")
    assert form(one).text == form(two).text
    assert form(one).text != form(one.replace("dim=0", "keepdim=0")).text


def test_methods_and_attributes_are_the_contracts():
    one = "class A(nn.Module):\n    def forward(self, x):\n        y = self.weight * x\n        return y"
    assert form(one).text == form(one.replace("y", "z").replace("A(", "B(")).text
    assert form(one).text != form(one.replace("forward", "call")).text
    assert form(one).text != form(one.replace("weight", "gain")).text


@pytest.mark.parametrize("text", ["def f(:", "%timeit x", "x" * 200_000, "(" * 5000, "\0", "-" * 60_000 + "1"])
def test_no_python(text):
    assert form(text).text.startswith("no Python") and form(text).text == form(f"{text}  \n").text


@pytest.fixture
def quick(course, monkeypatch) -> Quick:
    room = Classroom(course)
    backward = RIGHT["rms_norm_backward"]
    renamed = backward.replace("grad_out", "g_out").replace("    ", "  ") + "\n# by myself"
    room.hand_in("ada", as_notebook(cells_with(**RIGHT)))
    room.hand_in("ben", as_notebook(cells_with(**{**RIGHT, "rms_norm": HALF, "rms_norm_backward": renamed})))
    own = source(exercise("rms_norm_backward"), _another("rms_norm_backward"))
    room.hand_in("cy", as_notebook(cells_with(rms_norm=HALF, rms_norm_backward=own)))
    room.hand_in("dee", as_notebook(cells_with()))
    room.hand_in("eve", as_notebook(cells_with()))
    made = Quick(course, monkeypatch)
    made.autograde()
    return made


def _another(name: str):
    return list(of(name).variants.values())[1]


def test_groups(quick):
    """Untouched cells and short answers (rms_norm in one line) are no groups."""
    groups = alike(quick.course, LESSON, graded_class(quick.course, LESSON))
    assert [(g.exercise, g.students, g.own) for g in groups] == [
        ("rms_norm_backward", ("ada", "ben"), True),
        ("rms_norm_module", ("ada", "ben"), True),
    ]
    assert groups[0].verdict == "10/10 passed" and groups[0].lines == 5
    text = as_text(LESSON, graded_class(quick.course, LESSON), groups)
    assert "no proof of anything" in WORDS and "no proof of anything" in text and "ada, ben" in text


def ended(student: str, status: str, sandboxed: bool = True, run: float = 1.0) -> Graded:
    verdict = unjudged("rms_norm", status, f"It was {status}.")
    return Graded(student, (verdict,), run={"sandboxed": sandboxed, "steps": {"kernel": 9.0, "run": run}})


def test_flags():
    graded = [
        ended("a", "died"),
        ended("b", "tampered", sandboxed=False),
        ended("c", "raised"),
        ended("d", "timed out"),
    ]
    assert [(e["student"], e["flag"]) for e in flagged(graded)] == [
        ("b", "tampered"),
        ("a", "died"),
        ("d", "timed out"),
        ("b", "not sandboxed"),
    ]
    assert flagged(graded)[0]["why"] == "It was tampered." and flagged(graded)[0]["exercises"] == ["rms_norm"]


def test_slow():
    graded = [ended(str(i), "passed", run=1.0) for i in range(5)]
    assert slow(graded) == [] == slow([Graded("x", problem="No kernel.")])
    graded += [ended("late", "passed", run=9.0), ended("later", "passed", run=30.0), ended("near", "passed", run=2.9)]
    assert slow(graded) == [{"student": "later", "seconds": 30.0}, {"student": "late", "seconds": 9.0}]
