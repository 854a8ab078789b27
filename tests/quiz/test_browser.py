"""A quiz of all six types as a person meets it: JupyterLab in a real browser, by keyboard, in light and dark."""

from urllib.parse import urlsplit

import pytest

from quiz.engine import solution
from tests.browser import lab
from tests.browser.axe import axe_in_both_themes
from tests.quiz import page as hands
from tests.quiz.pictures import WRONG
from tests.quiz.six import CELL, TYPES, variants

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]
NUMBER_OF_CELLS = "() => window.jupyterapp.shell.currentWidget.content.widgets.length"
FOCUSED = "() => document.activeElement.textContent || document.activeElement.type"

# Where Tab should stop, by number: a group of radios is one stop, its first radio.
STOPS = """() => {
  const all = [...document.querySelectorAll('.quiz :is(input, button)')];
  const first = node => node.type !== 'radio' || all.find(one => one.name === node.name) === node;
  return all.map((node, i) => !node.hidden && first(node) ? i : -1).filter(i => i >= 0);
}"""
# Going back, a group is entered at its last radio: it counts as the group.
STOP = """() => {
  const all = [...document.querySelectorAll('.quiz :is(input, button)')], here = document.activeElement;
  return all.findIndex(one => one === here || (here.type === 'radio' && one.name === here.name));
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with hands.quiz_page(tmp_path_factory.mktemp("quiz"), CELL, "1") as page:
        yield page


@pytest.fixture
def form(page):
    return lambda kind: hands.form_of(page, kind)


def test_each_type_is_a_form_with_a_name(page):
    names = [f"Question {i} of {len(TYPES)}" for i in range(1, len(TYPES) + 1)]
    assert page.get_by_role("form").count() == len(TYPES)
    assert all(page.get_by_role("form", name=name).get_by_role("group").first.is_visible() for name in names)


def test_tab_goes_through_the_whole_quiz_in_reading_order_and_back(page):
    wanted = page.evaluate(STOPS)
    assert len(wanted) > 40
    for key, order in (("Tab", wanted), ("Shift+Tab", wanted[::-1])):
        page.evaluate("number => document.querySelectorAll('.quiz :is(input, button)')[number].focus()", order[0])
        seen = [page.evaluate(STOP)]
        while len(seen) < len(order):
            page.keyboard.press(key)
            seen.append(page.evaluate(STOP))
        assert seen == order


def test_axe_finds_nothing_before_an_answer(page):
    assert axe_in_both_themes(page, ".quiz") == ""


@pytest.mark.parametrize(("kind", "role"), [("single", "radio"), ("match", "radio"), ("short", "textbox")])
def test_labs_shortcuts_do_not_fire_inside(page, form, kind, role):
    before = page.evaluate(NUMBER_OF_CELLS)
    form(kind).get_by_role(role).first.focus()
    for key in ["a", "b", "d", "d", "ArrowDown", "x", "Shift+Enter", "m"]:
        page.keyboard.press(key)
    assert page.evaluate(NUMBER_OF_CELLS) == before == 2
    assert page.locator(".jp-Cell.jp-CodeCell").count() == 2
    assert form(kind).locator(":focus").count() == 1


def test_enter_asks_how_sure_one_is_and_sends_nothing(page, form):
    field = form("short").get_by_role("textbox")
    field.fill("scale")
    field.press("Enter")
    assert page.evaluate(FOCUSED) == "I am guessing"
    assert form("short").get_attribute("data-state") in (None, "none")


def test_a_number_that_is_none_is_asked_for_again(page, form):
    numeric = form("numeric")
    numeric.get_by_label("Your number:").fill("lots")
    numeric.get_by_role("button", name="certain").click()
    numeric.get_by_text("Type one number").wait_for()
    assert numeric.get_by_role("textbox").evaluate("input => input === document.activeElement")
    assert numeric.get_by_role("button", name="Show the solution").count() == 0


def test_a_step_moves_by_button_and_by_arrow_and_says_where_it_is(page, form):
    order = form("order")
    row = order.get_by_role("listitem").first
    text, down = row.locator(".quiz-text").inner_text(), row.get_by_role("button", name="Move down")
    down.focus()
    page.keyboard.press("Enter")
    assert order.locator("li .quiz-text").all_inner_texts()[1] == text
    assert "now 2 of 4" in order.locator(".quiz-unseen").inner_text()
    assert text.split()[0] in page.evaluate("() => document.activeElement.closest('li').innerText")
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowDown")  # at the end nothing moves, and the focus stays
    assert order.locator("li .quiz-text").all_inner_texts()[3] == text
    assert page.evaluate("() => document.activeElement.getAttribute('aria-disabled')") == "true"


@pytest.mark.parametrize("kind", TYPES)
def test_a_question_is_answered_wrongly_by_keyboard_alone(page, form, kind):
    hands.fill_in(page, form(kind), variants()[kind], WRONG[kind])
    said = hands.send(page, form(kind), "certain")
    assert said.startswith("✗ Not yet") and len(said) > 20
    assert page.evaluate(FOCUSED) == "certain"  # the focus has survived the reply


def test_a_mistake_of_an_exercise_is_named_with_its_check(form):
    assert 'check("rms_norm") names it' in form("single").locator(".quiz-status").inner_text()


@pytest.mark.parametrize("kind", TYPES)
def test_hints_come_by_keyboard_and_keep_the_focus(page, form, kind):
    form(kind).get_by_role("button", name="Hint (2 left)").focus()
    page.keyboard.press("Enter")
    form(kind).get_by_role("button", name="Hint (1 left)").wait_for()
    page.keyboard.press("Enter")
    form(kind).get_by_role("button", name="No more hints").wait_for()
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED) == "No more hints"
    assert form(kind).get_by_role("list", name="Hints").get_by_role("listitem").count() == 2


def test_axe_finds_nothing_after_wrong_answers_and_hints(page):
    assert axe_in_both_themes(page, ".quiz") == ""


@pytest.mark.parametrize("kind", ["multi", "order", "match", "short"])
def test_the_solution_comes_by_keyboard_and_keeps_the_focus(page, form, kind):
    form(kind).get_by_role("button", name="Show the solution").focus()
    page.keyboard.press("Enter")
    form(kind).get_by_text("Source:").wait_for()
    assert "Solution" in page.evaluate(FOCUSED)  # not lost with the button that is gone


def test_the_solution_shows_what_is_right(form):
    assert form("multi").get_by_text("✓ right").count() == 2
    assert form("match").locator(".quiz-mark").all_inner_texts() == [
        f"✓ {letter} is right" for letter in letters_of_the_match()
    ]
    first = form("order").get_by_role("group", name="Solution").get_by_role("listitem").first
    assert first.inner_text().startswith("Cast")
    assert "The answer: shift" in form("short").get_by_role("group", name="Solution").inner_text()


def letters_of_the_match() -> list[str]:
    variant = variants()["match"]
    places = [target.id for target in variant.options]
    return ["ABCD"[places.index(item.target)] for item in variant.question.items]


@pytest.mark.parametrize("kind", TYPES)
def test_a_question_is_answered_rightly_by_keyboard_alone(page, form, kind):
    if kind == "multi":
        hands.fill_in(page, form(kind), variants()[kind], ["shifted", "scaled"])  # pressed twice: none is ticked
    assert hands.answer_right(page, form(kind), variants()[kind]).startswith("✓ Right")
    assert form(kind).get_by_role("group", name="Solution").get_by_text("Source:").count() == 1


def test_the_quiz_says_how_many_are_answered(page):
    assert page.locator(".quiz-count").inner_text() == "6 of 6 answered, 6 right."


def test_axe_finds_nothing_with_everything_open(page):
    assert axe_in_both_themes(page, ".quiz") == ""


def answers_are_there(page) -> None:
    for kind in TYPES:
        page.wait_for_function(hands.MARKED, arg=hands.form_of(page, kind).element_handle())
        assert hands.form_of(page, kind).locator(".quiz-status").inner_text().startswith("✓ Right")
    number = hands.form_of(page, "numeric").get_by_role("textbox").input_value()
    assert number == str(solution(variants()["numeric"]))
    chosen = hands.form_of(page, "match").get_by_role("radio", checked=True)
    assert chosen.count() == 3
    assert hands.form_of(page, "order").locator("li[data-step] .quiz-text").first.inner_text().startswith("Cast")
    assert page.locator(".quiz-count").inner_text() == "6 of 6 answered, 6 right."


def test_answers_are_still_there_after_a_reload(page):
    lab.command(page, "docmanager:save")
    page.reload()
    page.locator("form.quiz-question").first.wait_for(timeout=60_000)
    answers_are_there(page)


def test_no_request_has_left_the_machine(page):
    hosts = {urlsplit(url).hostname for url in page.asked if url.startswith(("http", "ws"))}
    assert hosts == {"127.0.0.1"}
