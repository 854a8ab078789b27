"""Reports tell what a log holds: as data, as text, as a page."""

import json
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup

from quiz.bank import lessons
from quiz.cli import main
from quiz.event import form_of
from quiz.reporting import as_text, of_class, of_person, page
from quiz.store import FileStore
from tests.quiz.make import ANSWERS, NOON, WHOLE, event, log_of, session, whole

DAY = timedelta(days=1)


def play(person: int, answers: list[tuple], now=NOON, bank=None) -> list:
    """The log of somebody who gives these (question, 0 for right or 1 for wrong, confidence)."""
    here = session(person, bank or whole(), now=now)
    for name, which, confidence in answers:
        here.answer(f"{WHOLE}/{name}", ANSWERS[name][which], confidence)
    return log_of(here)


MINE = [
    ("one", 1, "fairly"),
    ("some", 1, "certain"),
    ("steps", 1, "certain"),
    ("steps", 0, "certain"),  # the second try does not count
    ("pairs", 0, "certain"),
    ("word", 1, None),
]


@pytest.fixture
def report() -> dict:
    return of_person([*play(1, MINE), event("gone", right=False, confidence="guess")], [whole()], NOON)


def test_what_somebody_was_sure_of_and_had_wrong_comes_first_with_the_misconception(report):
    assert [(one["key"].partition("/")[2], one["confidence"], one["misconceptions"]) for one in report["wrong"]] == [
        ("some", "certain", ["both", "none"]),
        ("steps", "certain", ["the root comes first"]),
        ("one", "fairly", ["RMS is L2"]),
        ("word", None, ["it is the state of an RNN"]),
    ]
    assert report["wrong"][2]["heading"] == "The formula"
    assert report["wrong"][3]["prompt"] in [f"Which stream do {n} blocks read and write?" for n in (2, 3)]


def test_calibration_counts_first_tries_those_of_removed_questions_too(report):
    rows = {row["confidence"]: (row["n"], row["right"], row["share"]) for row in report["calibration"]}
    assert list(rows) == ["certain", "fairly", "guess", None]
    assert rows == {"certain": (3, 1, 0.333), "fairly": (1, 0, 0.0), "guess": (1, 0, 0.0), None: (1, 0, 0.0)}
    assert (report["answers"], report["removed"]) == (6, 1)


def test_lessons_and_what_is_due(report):
    assert report["lessons"] == [
        {"lesson": WHOLE, "title": whole().title, "questions": 6, "answered": 5, "right": 1, "share": 0.2}
    ]
    assert (report["due"], report["unseen"], report["next_due"]) == ([], 1, "2026-01-03")
    tomorrow = of_person(play(1, MINE), [whole()], NOON + DAY)
    assert tomorrow["due"][:2] == [f"{WHOLE}/some", f"{WHOLE}/steps"] and len(tomorrow["due"]) == 4


def test_what_was_put_right_later_is_no_longer_wrong():
    log = play(1, MINE)
    later = event("some", round=1, at=NOON + DAY, form=form_of(whole().questions[1]))
    keys = [one["key"] for one in of_person([*log, later], [whole()], NOON + DAY)["wrong"]]
    assert f"{WHOLE}/some" not in keys and len(keys) == 3


def test_a_report_of_nothing(capsys):
    report = of_person([], [whole()], NOON)
    assert report["calibration"] == report["wrong"] == [] and report["unseen"] == 6
    assert "0 answers at first try" in as_text(report) and "6 not seen yet" in as_text(report)
    assert page(report)
    assert "0 logs" in as_text(of_class([], [whole()])) and page(of_class([], [whole()]))


@pytest.fixture
def group() -> dict:
    logs = [
        play(1, [("one", 1, "certain"), ("one", 0, None), ("steps", 0, None)]),
        play(2, [("one", 1, None), ("steps", 0, None), ("some", 1, None)]),
        play(3, [("one", 0, None), ("steps", 1, None)]),
    ]
    other = whole().model_copy(deep=True)
    other.questions[0].prompt = "Another?"
    logs.append([*play(4, [("one", 0, None)], bank=other), event("gone")])
    logs.append(logs[0] + [event("word", form=form_of(whole().questions[5]))])  # the first one's, exported again
    return of_class(logs, [whole()])


def test_a_class_by_difficulty_and_by_what_draws(group):
    rows = {row["key"].partition("/")[2]: row for row in group["questions"]}
    assert group["people"] == 4 and group["removed"] == 1
    assert list(rows) == ["some", "one", "steps", "word"]  # the hardest first
    assert {name: (row["n"], row["right"]) for name, row in rows.items()} == {
        "some": (1, 0), "one": (3, 1), "steps": (3, 2), "word": (1, 1)
    }  # fmt: skip
    assert rows["one"]["other_form"] == 1 and rows["steps"]["other_form"] == 0
    drew = [(one["id"], one["n"], one["misconception"]) for one in rows["one"]["distractors"]]
    assert drew == [("l2", 2, "RMS is L2"), ("centred", 0, "it centres")]


def test_the_text_says_what_the_data_say(report, group):
    said = as_text(report)
    assert said.index("wrong (certain); the thought behind it: both; none") < said.index(
        "wrong (fairly sure); the thought behind it: RMS is L2 (lesson 99_whole"
    )
    assert "certain      3        33%" in said and "under “The formula”" in said
    assert "99_whole  5 of 6    20%" in said and "1 answer to questions that are no longer in the bank." in said
    told = as_text(group)
    assert f"{WHOLE}/one (easy): 33% right of 3\n     2 l2: RMS is L2\n     0 centred: it centres" in told
    assert "a class: 4 logs" in told and "1 answer to an earlier or later form" in told


def test_the_page_is_whole_and_says_the_same(report, group):
    tree = BeautifulSoup(page(report), "html.parser")
    assert tree.html["lang"] == "en" and tree.title.text == tree.h1.text and not tree.find("script")
    assert [item.text.split(";")[0] for item in tree.ul("li")][:2] == ["wrong (certain)"] * 2
    tables = tree("table")
    assert [len(table("tr")) for table in tables] == [5, 2] and all(table.caption.text for table in tables)
    assert all(cell["scope"] in ("col", "row") for cell in tree("th"))
    assert "33% right of 3" in page(group) and "RMS is L2" in page(group)


def test_what_a_log_says_cannot_become_markup():
    evil = "<script>alert(1)</script>"
    log = [event("one", right=False, misconceptions=(evil, "l2")), event(evil, right=False), event("some", lesson=evil)]
    for report in (of_person(log, [whole()], NOON), of_class([log], [whole()])):
        assert "alert" not in page(report).replace("&lt;script&gt;alert", "")


def test_no_report_tells_who_or_when(report, group):
    for data in (report, group):
        told = json.dumps(data)
        assert '"seed"' not in told and "12:00" not in told


# On the command line, with the course's own bank.

KEY = "03_rms_norm/which_formula"


@pytest.fixture
def mine(tmp_path, monkeypatch):
    path = tmp_path / "quiz_progress.jsonl"
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    session(5, store=FileStore(path)).answer(KEY, ["no_eps"], "certain")
    return path


def test_ones_own_report(mine, capsys):
    assert main(["report"]) == 0
    said = capsys.readouterr().out
    assert "wrong (certain); the thought behind it: eps is only there for the look of it (lesson 03_rms_norm" in said
    assert main(["report", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["due"] == [KEY] and [one["lesson"] for one in data["lessons"]] == lessons()


def test_reports_of_logs(mine, tmp_path, capsys):
    folder = tmp_path / "logs"
    folder.mkdir()
    for person, answer in ((1, "no_eps"), (2, "eps_outside_root")):
        session(person, store=FileStore(folder / f"{person}.jsonl")).answer(KEY, [answer])
    assert main(["report", str(folder / "1.jsonl"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "person"
    for logs in ([str(folder)], [str(folder / "1.jsonl"), str(folder / "2.jsonl")]):
        assert main(["report", *logs]) == 0
        said = capsys.readouterr().out
        assert "a class: 2 logs" in said and f"{KEY} (medium): 50% right of 2\n     1 no_eps: eps is only" in said
    target = tmp_path / "report.html"
    assert main(["report", str(folder), "--html", str(target)]) == 0
    assert "50% right of 2" in target.read_text(encoding="utf-8")


def test_a_log_that_is_not_there_is_an_error(mine, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    for path, message in (("no.jsonl", "there is no such file"), ("empty", "There is no log (*.jsonl) in")):
        assert main(["report", str(tmp_path / path)]) == 2
        assert message in capsys.readouterr().err
    assert main(["report", "--html", str(tmp_path / "no" / "report.html")]) == 2
    assert "cannot be written" in capsys.readouterr().err
