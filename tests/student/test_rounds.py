"""The rounds as a student plays them: what is shown, what is judged, what is told before and after."""

import json
import re
from pathlib import Path

import pytest

from grader import answers, blank_page, find_the_bug, study_next
from grader.exercises import exercise, ids
from grader.judge import Verdict
from grader.paths import short_name
from grader.student.page import Page
from grader.student.rounds import find_the_bug as bug_rounds
from grader.student.rounds.bugs import bugs
from grader.student.rounds.clock import Clock, in_words
from quiz.bank import load
from quiz.engine import solution
from quiz.session import Session
from quiz.store import FileStore
from tests.student.test_bugs import mended

ABLE = [name for name in ids() if not exercise(name).missing()]


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """A workspace of its own, and nothing met or written before."""
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "quiz_progress.jsonl"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bug_rounds, "found", {})
    monkeypatch.setattr("grader.student.rounds.study_next.found", bug_rounds.found)
    monkeypatch.setattr("grader.student.rounds.blank_page._written", set())
    return tmp_path


def answer_wrongly(folder: Path, lesson: str, confidence: str = "certain", count: int = 2) -> None:
    """Gives wrong answers to a lesson's first questions with one right option."""
    bank = load(lesson)
    session = Session([bank], FileStore(folder / "quiz_progress.jsonl"), 0)
    singles = [key for key in session.keys if session.variant(key).question.type == "single"]
    for key in singles[:count]:
        variant = session.variant(key)
        wrong = [option.id for option in variant.options if option.id not in solution(variant)]
        assert not session.answer(key, wrong[:1], confidence).right


@pytest.mark.parametrize("name", ABLE)
def test_a_blank_page_serves_every_exercise(name):
    names: dict[str, object] = {}
    page = blank_page(name, names=names)
    assert isinstance(page.check(), Page) and "before this round" in str(page.check())
    assert f"{exercise(name).points} points" in repr(page) and page.stub in repr(page)
    assert "minutes of work" in repr(page)
    exec(page.stub, names)
    untouched = page.check()
    assert (untouched.score, untouched.status) == (0, "not attempted")
    known = answers.of(name)
    exec(known.source(known.reference), names)
    verdict = page.check()
    assert verdict.score == verdict.points == exercise(name).points
    assert verdict.notes[-1].startswith("On the clock: ")


def test_the_stub_is_what_the_lesson_gives_and_no_answer():
    page = blank_page("rms_norm", names={})
    assert page.stub.startswith("def rms_norm(x, weight, eps):") and page.stub.endswith("raise NotImplementedError()")


def test_a_page_on_which_all_is_right_is_not_given_again():
    names: dict[str, object] = {}
    first = blank_page(seed=5, names=names)
    known = answers.of(first.exercise)
    exec(known.source(known.reference), names)
    assert first.check().status == "passed"
    assert blank_page(seed=5, names=names).exercise != first.exercise


def test_an_exercise_that_is_not_there_is_one_sentence():
    page = blank_page("rms_nrom")
    assert "Did you mean 'rms_norm'?" in repr(page) and page.check() is page
    bug = find_the_bug(99)
    assert "from 1 to" in repr(bug) and bug.line(1) is bug.mended() is bug


def test_the_clock_counts_stops_and_tells_the_page(monkeypatch):
    clock, said = Clock(), []
    monkeypatch.setattr(clock, "send", said.append)
    clock._handle_custom_msg({"kind": "ready"}, [])
    stopped = clock.stop()
    assert clock.stop() == clock.seconds == stopped >= 0
    assert [(message["runs"], message["seconds"] >= 0) for message in said] == [(True, True), (False, True)]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 seconds"), (1.9, "1 second"), (61, "1 minute 1 second"), (600, "10 minutes 0 seconds")],
)
def test_times_are_told_in_words(seconds, words):
    assert in_words(seconds) == words


def test_a_bug_is_named_only_after_it_is_mended():
    names: dict[str, object] = {}
    bug = find_the_bug(1, names=names)
    (known,) = [m for m in answers.of(bug.exercise).mistakes if m.key == bug.bug.mistake]
    exec("rms_norm = 0", names)
    asked = [bug, bug.line(2), bug.line(3), bug.line(0), bug.hint(), bug.mend()]
    exec(bug.bug.code, names)
    still = bug.mended()
    asked.append(still)
    assert "The bug is still in it." in still.notes and 0 < still.score < still.points
    for said in asked:
        assert known.name not in str(said) + said._repr_html_() and known.hint not in str(said)
    exec(mended(bug.bug), names)
    done = bug.mended()
    assert done.score == done.points and known.name in done.notes[-1] and known.hint in done.notes[-1]


def test_lines_are_found_or_not():
    bug = find_the_bug(1, names={})
    titles = [bug.line(number).title for number in (1, 3, 6, -1)]
    assert titles == ["Not this one.", "Found.", "No such line.", "No such line."]
    assert "The lines of bug 1 are 1 to 5, and not 0." in str(bug.line(0))


def test_every_answer_says_which_bug_it_is_about():
    # In the notebook the answers about the last bug still stand below the next one.
    bug = find_the_bug(7, names={})
    for said in (bug, bug.line(1), bug.line(bug.bug.lines[0]), bug.line(0), bug.mend(), bug.give_up()):
        assert re.search(r"\b[Bb]ug 7\b", str(said))


def test_a_bugs_contract_keeps_its_lines():
    text = find_the_bug(1, names={})._page().text.split("\n")
    assert text[0].endswith("wrong in one place.") and text[-1] == "Returns [..., d] in x's dtype."


def test_the_hint_is_what_the_check_sees():
    hint = find_the_bug(1, names={}).hint()
    assert isinstance(hint, Verdict) and [one.passed for one in hint.checks] == [True, False, False]
    assert "expected" in hint.checks[1].message and hint.mistake is None


def test_another_mistake_is_named_as_always():
    names: dict[str, object] = {}
    bug = find_the_bug(1, names=names)
    exec(mended(bug.bug).replace("unit * weight", "unit"), names)
    assert bug.mended().mistake == "the weight is ignored"


def test_what_stood_there_before_is_not_taken_for_mended():
    names: dict[str, object] = {}
    known = answers.of("rms_norm")
    exec(known.source(known.reference), names)
    assert "before this round" in str(find_the_bug(1, names=names).mended())


def test_given_up_it_is_named_and_stays_to_be_mended():
    bug = find_the_bug(1, names={})
    assert "eps outside the root" in str(bug.give_up()) and bug_rounds.found == {1: False}


def test_bugs_are_not_given_twice_before_all_were_met():
    met = [find_the_bug(seed=seed, names={}).number for seed in range(len(bugs()))]
    assert sorted(met) == list(range(1, len(bugs()) + 1))


def test_both_rounds_begin_with_a_weak_lesson(alone):
    answer_wrongly(alone, "09_attention")
    assert exercise(blank_page(seed=1, names={}).exercise).lesson == "09_attention"
    assert exercise(find_the_bug(seed=1, names={}).exercise).lesson == "09_attention"


def test_with_nothing_to_go_by_the_last_page_says_so():
    said = repr(study_next())
    assert said.startswith("There is nothing to go by yet") and "12 Speed" in said


def test_the_last_page_names_what_was_wrong_and_where_to_read(alone):
    for lesson in ("03_rms_norm", "07_swiglu", "13_interview"):
        (alone / lesson).mkdir()
        (alone / lesson / f"{short_name(lesson)}.ipynb").write_text("{}", encoding="utf-8")
    answer_wrongly(alone, "07_swiglu")
    verdict = {"exercise": "rms_norm", "score": 2, "points": 6, "status": "partly"}
    lines = [
        {**verdict, "id": "1"},
        {**verdict, "exercise": "silu", "score": 6, "id": "2"},
        {**verdict, "exercise": "gone"},
    ]
    (alone / "check_progress.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    find_the_bug(9, names={})  # of silu
    said = repr(study_next())
    first, second = said.index("### 1. **[SwiGLU"), said.index("### 2. **[RMSNorm")
    assert (
        first
        < said.index("Wrong, and you were certain. The thought behind it: ")
        < said.index("Bug 9: met, and not mended yet.")
        < second
    )
    assert "](07_swiglu/swiglu.ipynb#" in said and "arXiv:2002.05202" in said[first:second]
    assert "Exercise `rms_norm`: 33% of its points at best." in said[second:]
    assert "`silu`" not in said and "gone" not in said
    assert "- 09 Attention" in said.partition("### Not begun yet")[2]
