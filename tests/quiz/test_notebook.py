"""`quiz(...)` in a notebook: shown, inert while graded, readable where no kernel is."""

import copy
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from quiz import QuizError, notebook, quiz
from quiz.bank import load, load_all
from quiz.choosing import of_lesson, whatever_is_due
from tests.quiz.make import LESSON, NOON
from tests.quiz.six import CELL

INERT = """
import sys
from quiz import quiz
assert quiz("03_rms_norm") is None and quiz("no such lesson") is None and quiz() is None and quiz.report() is None
print(sorted({"ipywidgets", "anywidget", "pydantic", "yaml", "IPython", "grader"} & set(sys.modules)))
"""
ROOT = Path(__file__).parents[2]
CELLS = [f"from quiz import quiz\nquiz({LESSON!r})", f"quiz({LESSON!r})", "quiz(most=4)", CELL, "quiz.report()"]
QUIZ, AGAIN, DUE, SIX, REPORT = range(len(CELLS))


def test_it_is_inert_while_a_notebook_is_graded():
    env = os.environ | {"COURSE_GRADING": "1"}
    done = subprocess.run([sys.executable, "-c", INERT], env=env, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """A notebook with a cell for each thing to show, executed in a real kernel."""
    made = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, CELLS)))
    folder = tmp_path_factory.mktemp("notebook")
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(made, kernel_name="python3", store_widget_state=True, resources=resources)
    return client.execute(env=os.environ | {"PYTHONPATH": str(ROOT)})  # the kernel's folder is not this one


@pytest.fixture(scope="module")
def exported(executed):
    """It as a page, without the widget's state, as Lab saves it."""
    as_lab_saves_it = copy.deepcopy(executed)
    as_lab_saves_it.metadata.pop("widgets")
    page, _ = HTMLExporter().from_notebook_node(as_lab_saves_it)
    return page


def test_it_displays_the_widget_and_the_form_and_no_other_result(executed):
    widget, form = executed.cells[QUIZ].outputs
    assert widget.output_type == form.output_type == "display_data"
    assert {"application/vnd.jupyter.widget-view+json", "text/plain"} == set(widget.data)
    assert widget.data["text/plain"].endswith("3 questions. Run this cell in JupyterLab to answer.")
    assert form.data["text/html"].startswith('<div class="quiz-static">')


def test_running_the_cell_again_shows_the_same_questions(executed):
    first, second = (executed.cells[i].outputs[1].data["text/html"] for i in (QUIZ, AGAIN))
    assert first == second


def test_the_saved_notebook_holds_the_questions_and_no_answer(executed):
    assert executed.metadata.widgets  # saved state included
    saved = nbformat.writes(executed)
    assert "Which formula did they write?" in saved and "norm_parameters" in saved
    for secret in ("belongs inside the root", "Tempting", "rms_norm/no_eps", "final norm", "eps_outside_root"):
        assert secret not in saved


def test_an_unknown_lesson_is_one_clear_sentence():
    with pytest.raises(QuizError, match="did you mean '03_rms_norm'") as caught:
        quiz("rms_norm")
    assert "\n" not in str(caught.value)


def test_an_exported_notebook_shows_the_questions_of_all_types_and_no_answer(exported):
    six = exported[exported.index("<strong>One question of each type") :]
    form = six[: six.index("</details></div>")]
    assert form.count("<details open") == 6 and form.count("<math") > 10 and "Question 6 of 6" in form
    assert "A. " in form and "<li>LayerNorm</li>" in form and "(parameters)" in form
    for forbidden in ("<script", "src=", "<input", "Leaving out the mean", "shift", "Squares need room"):
        assert forbidden not in form


def test_no_order_in_an_export_is_the_right_one(exported):
    steps = [exported.index(text) for text in ("to float32.", "over the features.", "of the sum.", "to bfloat16.")]
    assert steps != sorted(steps)


def test_the_report_is_shown(executed):
    (output,) = executed.cells[REPORT].outputs
    assert "quiz-report" in output.data["text/html"] and output.data["text/plain"]


def test_a_lesson_shows_the_first_three_questions_of_its_bank():
    bank = load("01_residual_stream").questions
    assert len(bank) > 3
    assert of_lesson("01_residual_stream").keys == [f"01_residual_stream/{question.id}" for question in bank[:3]]


def test_without_a_lesson_it_shows_what_is_new_if_nothing_is_due_and_says_so(executed):
    new = sum(len(bank.questions) for bank in load_all())
    chosen = whatever_is_due([], 4, NOON)
    assert len(chosen.keys) == 4 and chosen.intro == f"0 due today, {new} new; here are 4."
    assert "Question 4 of 4" in executed.cells[DUE].outputs[1].data["text/html"]


@pytest.mark.parametrize("most", [0, -3])
def test_less_than_one_question_is_refused(most):
    with pytest.raises(QuizError, match="1 or more"):
        notebook.show(most=most)
