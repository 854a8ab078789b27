"""Markdown becomes HTML in Python: mathematics as MathML, code coloured, nothing that runs or loads."""

import re

import pytest

from quiz.errors import QuizError
from quiz.render import block, mathml, phrasing


def test_mathematics_is_mathml_and_no_tex_is_shown():
    html = block(r"The norm $\sqrt{\frac{1}{d}\sum_i x_i^2 + \epsilon}$ and" + "\n\n$$y = x / r$$\n")
    assert html.count("<math ") == 2 and 'display="block"' in html and "<msqrt>" in html
    assert "\\" not in re.sub(r'alttext="[^"]*"', "", html) and "$" not in html


def test_mathematics_says_its_tex_to_those_who_cannot_see_it():
    assert 'alttext="a &lt; b"' in mathml("a < b")


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![x](https://e.org/x.png)"]
)
def test_nothing_runs_and_nothing_loads(text):
    assert not re.search("<(script|img)", block(text) + phrasing(text))


def test_a_script_link_stays_text():
    assert "<a " not in block("[x](javascript:alert(1))")


def test_links_leave_the_lab_alone():
    assert '<a href="https://e.org" target="_blank" rel="noopener">' in block("[x](https://e.org)")


@pytest.mark.parametrize(
    ("tex", "signs"), [("(3, -1)", 1), ("x = -1", 1), ("[-1, -2]", 2), ("a - b", 0), ("(a) - b", 0), ("|a| - b", 0)]
)
def test_a_minus_that_is_a_sign_stands_close(tex, signs):
    assert mathml(tex).count('<mo form="prefix">') == signs


def test_code_is_coloured_in_an_element_that_a_label_may_hold():
    html = phrasing("```python\nreturn x < 1\n```")
    assert html.startswith('<code class="quiz-code"><span class="k">return</span>') and "&lt;" in html
    assert not re.search("<(p|pre|div)", html)


def test_a_line_has_no_paragraph_around_it():
    assert phrasing("`x` is *small*") == "<code>x</code> is <em>small</em>"


@pytest.mark.parametrize("text", ["a\n\nb", "- a", "# a", "> a", "$$x$$\n\nb"])
def test_blocks_do_not_fit_in_a_line(text):
    with pytest.raises(QuizError, match="only one paragraph"):
        phrasing(text)


@pytest.mark.parametrize("tex", [r"\sqrt{", r"\frac{1}", r"x_", r"}", r"\nosuchthing", r"x^{2", r"\left( x"])
def test_tex_that_does_not_convert_is_named(tex):
    with pytest.raises(QuizError, match="does not convert") as caught:
        mathml(tex)
    assert tex in str(caught.value)
