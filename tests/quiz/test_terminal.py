"""`python -m quiz take` as a person has it: a real terminal, every type of question, hints, quitting."""

import json
import os
import re
import shutil
import sys

import pexpect
import pytest

from quiz.bank import load_all
from quiz.engine import Unreadable, solution
from quiz.exchange import to_page
from quiz.terminal.mathematics import linear
from quiz.terminal.plain import plain
from quiz.terminal.reading import answer_of
from quiz.texts import texts
from tests.quiz.page import ROOT
from tests.quiz.pictures import WRONG
from tests.quiz.six import FILE, TYPES, variants

pytestmark = [
    pytest.mark.other_os,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty"),
]
LETTERS = "ABCDEFGH"


def typed(variant, answer) -> str:
    """An answer as a person types it."""
    if isinstance(answer, str):
        return answer
    letters = [LETTERS[i].lower() for i in to_page(variant, answer)]
    if variant.question.type == "match":
        return " ".join(f"{i}{letter}" for i, letter in enumerate(letters, 1))
    return " ".join(letters)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "bank").mkdir()
    shutil.copy(FILE, tmp_path / "bank" / "03_rms_norm.yaml")
    shutil.copytree(ROOT / "lessons" / "03_rms_norm", tmp_path / "03_rms_norm")
    return tmp_path


@pytest.fixture
def terminal(folder):
    """The quiz of six types, begun."""
    env = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "dumb", "PYTHONUTF8": "1", "COLUMNS": "80"}
    arguments = ["-m", "quiz", "take", "03_rms_norm", "--bank", "bank"]
    child = pexpect.spawn(sys.executable, arguments, cwd=folder, env=env, encoding="utf-8", timeout=60, echo=False)
    yield child
    child.close(force=True)


def log(folder) -> list[dict]:
    return [json.loads(line) for line in (folder / "quiz_progress.jsonl").read_text(encoding="utf-8").splitlines()]


def test_all_types_are_answered_wrongly_then_rightly(terminal, folder):
    for number, kind in enumerate(TYPES, 1):
        variant = variants()[kind]
        terminal.expect_exact(f"Question {number} of 6")
        terminal.expect_exact("(? for a hint): ")
        assert not re.search(r"[$\\]", terminal.before)
        terminal.sendline(typed(variant, WRONG[kind]))
        terminal.expect_exact("c certain: ")
        terminal.sendline("c")
        terminal.expect_exact("✗ Not yet")
        terminal.expect_exact("This is taught in 03_rms_norm/rms_norm.ipynb")
        terminal.expect_exact("s for the solution): ")
        terminal.sendline(typed(variant, solution(variant)))
        terminal.expect_exact("c certain: ")
        terminal.sendline("f")
        terminal.expect_exact("✓ Right")
        terminal.expect_exact("Source:")
        terminal.expect_exact("Enter goes on")
        terminal.sendline("")
    terminal.expect_exact("Answered: 6 of 6, right: 6.")
    terminal.expect_exact("quiz_progress.jsonl.")
    terminal.expect(pexpect.EOF)
    terminal.wait()
    assert terminal.exitstatus == 0
    events = log(folder)
    assert [(e["right"], e["confidence"]) for e in events] == [(False, "certain"), (True, "fairly")] * 6


def test_hints_a_mistyped_answer_the_solution_and_quitting(terminal, folder):
    for message in ("Hint 1 of 2", "Hint 2 of 2", "This is taught in", "no more hints"):
        if message != "This is taught in":
            terminal.expect_exact("(? for a hint): ")
            terminal.sendline("?")
        terminal.expect_exact(message)
    terminal.sendline("x")
    terminal.expect_exact("There is no x here: the letters go from A to C.")
    terminal.sendline(typed(variants()["single"], WRONG["single"]))
    terminal.expect_exact("c certain: ")
    terminal.sendline("what?")
    terminal.expect_exact("c certain: ")
    terminal.sendline("g")
    terminal.expect_exact('check("rms_norm")` names it.')
    terminal.sendline("s")
    terminal.expect_exact("The answer: ")
    terminal.sendline("q")
    terminal.expect_exact("Answered: 1 of 6, right: 0.")
    terminal.expect(pexpect.EOF)
    assert [event["kind"] for event in log(folder)] == ["hinted", "hinted", "answered", "revealed"]


@pytest.mark.parametrize("end", ["sendeof", "sendintr"])
def test_the_end_of_the_input_and_ctrl_c_end_it_politely(terminal, end):
    terminal.expect_exact("(? for a hint): ")
    getattr(terminal, end)()
    terminal.expect_exact("Answered: 0 of 6, right: 0.")
    terminal.expect(pexpect.EOF)
    assert "Traceback" not in terminal.before


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [("single", "d", "go from A to C"), ("match", "9a", "There is no line 9"), ("order", "a !", "There is no !")],
)
def test_what_is_not_there_is_said(kind, text, message):
    with pytest.raises(Unreadable, match=message):
        answer_of(variants()[kind], text)


def test_letters_may_be_large_together_or_with_commas():
    multi, match = variants()["multi"], variants()["match"]
    assert answer_of(multi, "AC") == answer_of(multi, "a, c") == [multi.options[0].id, multi.options[2].id]
    assert answer_of(match, "1: B 2: a 3=c") == answer_of(match, "bac")


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{1}{d}\sum_i x_i^2", "(1/d)∑ᵢ xᵢ²"),
        (r"\dfrac{x}{\sqrt{d + \epsilon}}", "x/√(d + ϵ)"),
        (r"\frac{8}{3}d", "(8/3)d"),
        (r"\frac{a + 1}{2}", "(a + 1)/2"),
        (r"e^{-0.041} \approx 0.96", "e^(−0.041) ≈ 0.96"),
        (r"({-3})({-2})", "(−3)(−2)"),
        (r"W_{gate}^T", "W_(gate)ᵀ"),
        (r"\hat{x}", "x\u0302"),
    ],
)
def test_a_formula_on_a_line(tex, text):
    assert linear(tex) == text


def test_paragraphs_lists_and_code_stay_apart():
    text = plain("One `x` and\n*two*.\n\n- a\n- b $x_1$\n\n```python\ny = 1\nz = 2\n```\n\n[Here](https://e.org).", 40)
    assert text == "One `x` and two.\n- a\n- b x₁\n\n    y = 1\n    z = 2\n\nHere (https://e.org)."


def test_no_text_of_the_banks_shows_tex_or_markup_in_a_terminal():
    for bank in load_all():
        for question in bank.questions:
            for place in texts(question):
                if place.render is not str and "{{" not in place.text:
                    shown = re.sub(r"`[^`]*`|    .*", "", plain(place.text))
                    assert not re.search(r"[$\\]|\*\*|<math", shown), (question.id, place.field, shown)
