"""What was missed comes back tomorrow, what was sure comes back later, and a wrong clock loses no question."""

import time
from datetime import timedelta

import pytest
from fsrs import Rating
from hypothesis import given
from hypothesis import strategies as st

from quiz import schedule
from quiz.event import form_of
from tests.quiz.make import NOON, WHOLE, event, untimed, whole

KEY = f"{WHOLE}/one"
DAY = timedelta(days=1)
FORMS = {q.id: form_of(q) for q in whole().questions}


def answered(right: bool, confidence=None, days: float = 0, round: int = 0, question: str = "one", **more):
    at, form = NOON + days * DAY, FORMS[question]
    return event(question, right=right, confidence=confidence, at=at, round=round, **{"form": form, **more})


def hinted(round: int = 0):
    return event(kind="hinted", round=round, form=FORMS["one"])


def due(log, days: float = 0) -> list[str]:
    return [key.partition("/")[2] for key in schedule.due(log, [whole()], NOON + days * DAY)]


def days_away(log) -> int:
    return (schedule.card(log, KEY).due - schedule.study_day(NOON).date()).days


RATINGS = {
    "wrong": ([answered(False)], Rating.Again),
    "wrong and certain": ([answered(False, "certain")], Rating.Again),
    "wrong with a hint": ([hinted(), answered(False)], Rating.Again),
    "a guess": ([answered(True, "guess")], Rating.Hard),
    "with a hint": ([hinted(), answered(True, "certain")], Rating.Hard),
    "fairly sure": ([answered(True, "fairly")], Rating.Good),
    "not said": ([answered(True)], Rating.Good),
    "certain": ([answered(True, "certain")], Rating.Easy),
    "a hint afterwards": ([answered(True, "certain"), hinted()], Rating.Easy),
    "right at the second try": ([answered(False), answered(True, "certain")], Rating.Again),
    "a hint in an earlier round": ([hinted(round=0), answered(True, round=1)], Rating.Good),
}


@pytest.mark.parametrize(("log", "rating"), RATINGS.values(), ids=RATINGS)
def test_the_first_answer_of_a_round_is_rated(log, rating):
    assert [schedule.rating(*review) for review in schedule._reviews(log)] == [rating]


def test_what_was_missed_is_due_the_next_day_and_not_before():
    log = [answered(False)]
    assert days_away(log) == 1
    assert due(log) == [] and due(log, 0.5) == [] and due(log, 1) == ["one"] == due(log, 0.8) == due(log, 30)


def test_the_surer_the_later():
    logs = [[answered(*how)] for how in ((False,), (True, "guess"), (True,), (True, "certain"))]
    intervals, stability = zip(*((days_away(log), schedule.card(log, KEY).card.stability) for log in logs), strict=True)
    assert intervals == tuple(sorted(intervals)) and intervals[0] == 1 and intervals[-1] >= 7
    assert stability == tuple(sorted(set(stability)))
    again = days_away([answered(True), answered(True, days=2, round=1)])
    assert again - 2 > intervals[2]  # known twice: later than after once


def test_practice_in_the_same_round_changes_nothing():
    log = [answered(False)]
    assert schedule.card([*log, answered(True, "certain", days=0.1)], KEY) == schedule.card(log, KEY)
    assert due([*log, answered(True, "certain", days=0.1)], 1) == ["one"]


def test_rounds_count_in_their_order_also_in_a_log_that_was_put_together():
    first, second = answered(False, "certain"), answered(True, days=2, round=1)
    assert schedule.card([second, first], KEY) == schedule.card([first, second], KEY)


def test_what_was_sure_and_wrong_comes_first_then_what_fades_most():
    log = [
        answered(True, question="some", days=-40),
        answered(True, question="word", days=-3),
        answered(False, "fairly", question="steps", days=-20),
        answered(False, "certain", question="pairs", days=-1),
        answered(False, "certain", question="number", days=-9),
    ]
    assert due(log)[:2] == ["number", "pairs"] and due(log)[2:] == ["steps", "some", "word"]
    put_right = answered(True, question="number", round=1)
    assert "number" not in due([*log, put_right])


def test_unseen_is_what_has_no_answer_in_its_present_form():
    log = [answered(False), hinted(), answered(True, question="some", form="another"), event("gone", form="f")]
    assert [key.partition("/")[2] for key in schedule.unseen(log, [whole()], NOON)] == [
        "some", "number", "steps", "pairs", "word"
    ]  # fmt: skip
    assert due(log, 99) == ["one", "some"]  # and in its old form it is still due
    assert f"{WHOLE}/some" not in schedule.unseen(log, [whole()], NOON + 99 * DAY)


def test_a_removed_question_is_never_due():
    assert due([event("gone", right=False)], 99) == []
    assert schedule.next_due([event("gone", right=False)], [whole()], NOON) is None


def test_the_next_day_on_which_something_is_due():
    log = [answered(False), answered(True, "certain", question="some")]
    assert schedule.next_due(log, [whole()], NOON) == (NOON + DAY).date()
    assert schedule.next_due(log, [whole()], NOON + DAY) == schedule.card(log, f"{WHOLE}/some").due
    assert schedule.next_due([], [whole()], NOON) is None


# The clock.


def test_a_clock_that_went_back_counts_as_no_time():
    log = [answered(True, days=0), answered(False, days=-300, round=1)]
    assert schedule.card(log, KEY).due == (NOON - 299 * DAY).date()
    assert due(log, -299) == ["one"]


def test_a_review_in_the_future_does_not_hide_its_question():
    """The clock was a year ahead once, and was put right."""
    log = [answered(True, "certain", days=365)]
    assert due(log) == ["one"]
    log.append(answered(True, round=1))
    assert due(log) == [] and days_away(log) < 30
    assert due(log, 30) == ["one"]


@pytest.mark.other_os
@pytest.mark.skipif(not hasattr(time, "tzset"), reason="Windows sets its zone in another way")
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/Los_Angeles", "Pacific/Auckland"])
def test_a_day_is_the_students_own_and_begins_at_four(zone, monkeypatch):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        evening = NOON.astimezone().replace(hour=23, minute=50)
        log = [event(right=False, at=evening, form=FORMS["one"])]
        for hours, is_due in ((0.1, False), (3, False), (5, True), (9, True)):
            later = evening + timedelta(hours=hours)
            assert bool(schedule.due(log, [whole()], later)) == is_due, hours
    finally:
        monkeypatch.undo()
        time.tzset()


REVIEWS = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from([None, "guess", "fairly", "certain"]),
        st.floats(-400, 400),
        st.integers(0, 5),
        st.sampled_from(["one", "some", "gone"]),
    ),
    max_size=12,
)


@untimed
@given(REVIEWS, st.floats(-800, 800))
def test_any_log_has_a_schedule(reviews, days):
    log = [
        event(q, right=r, confidence=c, at=NOON + d * DAY, round=n, form=FORMS.get(q, "f")) for r, c, d, n, q in reviews
    ]
    now = NOON + days * DAY
    waiting, fresh = schedule.due(log, [whole()], now), schedule.unseen(log, [whole()], now)
    assert not set(waiting) & set(fresh)
    seen = {e.key for e in log} - {f"{WHOLE}/gone"}
    assert set(waiting) <= seen and set(fresh) == {f"{WHOLE}/{name}" for name in FORMS} - seen
    assert schedule.due(log, [whole()], now) == waiting
    for key in seen:
        assert 0 <= schedule.card(log, key).retrievability(now) <= 1
    then = schedule.next_due(log, [whole()], now)
    assert (then is None) == (seen == set(waiting))
    assert then is None or then > schedule.study_day(now).date()
