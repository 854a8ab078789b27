"""A student's first minutes with the lesson, in a real browser, served by the course's own lab command."""

import pytest

from grader import answers
from grader.exercises import exercise
from tests.browser import lab, notebook

LESSON, EXERCISE = "03_rms_norm", "rms_norm"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with notebook.lesson(LESSON, tmp_path_factory.mktemp("lab") / "workspace") as page:
        yield page


def _answer(page, text: str):
    notebook.write(page, EXERCISE, text)
    notebook.run(page, EXERCISE)
    return notebook.run(page, f"check_{EXERCISE}").get_by_role("group", name=f"Check of {EXERCISE}")


def test_a_wrong_answer_is_told_its_mistake(page):
    known = answers.of(EXERCISE)
    mistake = next(m for m in known.mistakes if m.key == "subtracts_mean")
    card = _answer(page, known.source(mistake.implementation))
    assert f"Your mistake: {mistake.name}." in card.inner_text()


def test_a_right_answer_gets_all_points(page):
    known, points = answers.of(EXERCISE), exercise(EXERCISE).points
    card = _answer(page, known.source(known.reference))
    assert f"{EXERCISE}: {points} of {points} points." in card.inner_text()
    assert "mistake" not in card.inner_text()


def test_a_quiz_question_is_answered(page):
    question = notebook.run(page, 'quiz("').locator("form.quiz-question").first
    question.wait_for()
    options, said = question.get_by_role("radio"), question.get_by_role("status")
    verdicts = []
    for option in options.all():
        option.check()
        question.get_by_role("button", name="fairly sure").click()
        page.wait_for_function("form => ['right', 'wrong'].includes(form.dataset.state)", arg=question.element_handle())
        verdicts.append(said.inner_text()[0])
    assert len(verdicts) >= 3 and sorted(verdicts) == sorted("✓" + "✗" * (len(verdicts) - 1))
    assert question.get_by_role("group", name="Solution").inner_text()
