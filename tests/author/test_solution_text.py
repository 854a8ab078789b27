"""What counts as a lesson's solution text, and where the search for it looks."""

import json

import nbformat
import pytest

from grader.author.solution_text import found_in, found_in_folder, lines_of, solution_lines, tells
from tests.author.conftest import LESSON

LINE = 'y = {"a": x / r} if x < 1 else w'


def test_the_telling_lines_of_every_solution_region_in_order(course):
    lines = solution_lines(course, LESSON)
    assert lines[:3] == [
        "mean_square = x.pow(2).mean(-1, keepdim=True)",
        "return x * torch.rsqrt(mean_square + eps) * weight",
        "self.weight = nn.Parameter(torch.ones(dim))",
    ]
    assert lines[-1] == "Because nothing is subtracted, the mean stays where it was."
    assert not {"self.eps = eps", "return grad_x, grad_weight", "super().__init__()"} & set(lines)


@pytest.mark.parametrize(
    ("line", "telling"),
    [
        ("return x", False),
        ("return grad_x, grad_weight", False),
        ("self.eps = eps", False),
        ("super().__init__()", False),
        ("def forward(self, x):", False),
        ("import torch.nn.functional", False),
        ("})", False),
        ("return normalised * self.weight", True),
        ("# divide by the root", True),
        ("normalised = self.norm(x)", True),
    ],
)
def test_a_line_tells_if_it_is_long_enough_and_does_something(line, telling):
    assert tells(line, "code") == telling


def test_prose_tells_without_any_operation():
    assert tells("Because the mean stays", "markdown")


def test_a_written_answer_without_a_region_is_solution_from_end_to_end():
    cell = nbformat.v4.new_markdown_cell("The mean is not\nsubtracted here.", metadata={"nbgrader": {"solution": True}})
    assert lines_of(nbformat.v4.new_notebook(cells=[cell])) == ["The mean is not", "subtracted here."]


def test_spacing_hides_nothing():
    assert found_in(["r = (x * x).mean()"], "if a:\n\tr=(x*x).mean( )") == ["r = (x * x).mean()"]
    assert found_in(["r = (x * x).mean()"], "r = (x + x).mean()") == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.py", f"def f():\n    {LINE}\n"),
        ("data.bin", b"\xff\xfe" + LINE.encode()),
        ("list.ipynb", json.dumps({"source": ["def f():\n", f"    {LINE}\n"]})),
        ("output.json", json.dumps({"text/html": "<pre>y <b>=</b> {&quot;a&quot;: x / r} if x &lt; 1 else w</pre>"})),
        ("page.html", '<p><span>y</span> = {<i>"a"</i>: x <em>/</em> r} if x &lt; 1 else w</p>'),
    ],
)
def test_a_line_is_found_in_any_kind_of_file(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "innocent.html").write_text("<p>y = x / r</p>")
    assert found_in_folder([LINE], tmp_path) == [(path, LINE)]
