"""`quiz(...)` in a notebook: shown, inert while graded, readable where no kernel is."""

import copy
import os
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from quiz import QuizError, notebook, quiz
from quiz.bank import load
from tests.quiz.make import LESSON

INERT = """
import sys
from quiz import quiz
assert quiz("03_rms_norm") is None and quiz("no such lesson") is None
print(sorted({"ipywidgets", "anywidget", "pydantic", "yaml", "IPython", "grader"} & set(sys.modules)))
"""


def test_it_is_inert_while_a_notebook_is_graded():
    env = os.environ | {"COURSE_GRADING": "1"}
    done = subprocess.run([sys.executable, "-c", INERT], env=env, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.fixture(scope="module")
def executed():
    """A notebook whose first two cells show the same quiz, executed in a real kernel."""
    cells = [nbformat.v4.new_code_cell(f"from quiz import quiz\nquiz({LESSON!r})") for _ in range(2)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    return NotebookClient(notebook, kernel_name="python3", store_widget_state=True).execute()


def test_it_displays_the_widget_and_no_other_result(executed):
    (output,) = executed.cells[0].outputs
    assert output.output_type == "display_data"
    assert {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"} == set(output.data)
    assert output.data["text/plain"].endswith("3 questions. Run this cell in JupyterLab to answer them.")


def test_running_the_cell_again_shows_the_same_questions(executed):
    first, second = (cell.outputs[0].data["text/html"] for cell in executed.cells)
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


def test_an_exported_notebook_shows_the_questions_and_no_answer(executed):
    as_lab_saves_it = copy.deepcopy(executed)
    as_lab_saves_it.metadata.pop("widgets")
    page, _ = HTMLExporter().from_notebook_node(as_lab_saves_it)
    form = page[page.index('<div class="quiz-static">') :]
    assert form.count("<details") == 6 and form.count("<math") > 6 and "Question 3 of 3" in form
    assert "<script" not in form and "src=" not in form and "<input" not in form
    assert "belongs inside the root" not in form and "Tempting" not in form


def test_a_lesson_shows_the_first_three_questions_of_its_bank(monkeypatch):
    shown = []
    monkeypatch.setattr("quiz.notebook.display", shown.append)
    notebook.show("01_residual_stream")
    (widget,) = shown
    bank = load("01_residual_stream").questions
    assert len(bank) > 3
    assert [one["id"] for one in widget.questions] == [f"01_residual_stream/{question.id}" for question in bank[:3]]
