"""Any verdict again: the same, or what differs and what has changed since."""

import json

import pytest

from grader.cli import main
from grader.course.kept import Kept, content_name
from grader.course.replay import replay
from grader.course.replay_words import as_text
from grader.course.results import Results
from grader.errors import CourseError
from tests.course.classroom import HALF, LESSON, NAME, RIGHT, Classroom, as_notebook, built, cells_with
from tests.course.quick import Quick

WORK = as_notebook(cells_with(**{**RIGHT, "rms_norm": HALF}))


@pytest.fixture
def quick(course, monkeypatch) -> Quick:
    Classroom(course).hand_in("ben", WORK)
    made = Quick(course, monkeypatch)
    made.autograde()
    return made


def again(quick: Quick, **chosen):
    return replay(quick.course, LESSON, "ben", walled=False, **chosen)


def test_behind_the_wall(classroom, graded, monkeypatch, capsys):
    monkeypatch.chdir(classroom.course.root)
    assert main(["replay", "half", LESSON, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["same"] is True and said["since"] == []
    assert [one["now"]["score"] for one in said["exercises"]] == [2, 4, 0]
    (facts,) = said["results"].values()
    assert set(facts["decided_by"]["seeds"]) == set(RIGHT) and facts["decided_by"]["walled"] is True
    assert "torch" in facts["decided_by"]["versions"] and facts["seconds"] > 0 and facts["graded"].endswith("UTC")


@pytest.mark.parametrize("student", ["broken", "empty-folder"])
def test_what_could_not_be_read_is_the_same_again(classroom, graded, student):
    found = replay(classroom.course, LESSON, student)
    assert found.same and {one.now.status for one in found.exercises} == {"unreadable"}


def test_the_same(quick):
    found = again(quick)
    assert found.same and found.since == ()
    text = as_text(found)
    assert text.endswith("The same verdict.") and "2/6 partly (eps outside the root)" in text
    assert content_name(WORK) in text and "Code and versions are those of that time." in text
    assert [one.exercise for one in again(quick, exercise="rms_norm").exercises] == ["rms_norm"]


def test_another_verdict(quick):
    quick.mend()
    found = again(quick)
    assert [one.differs for one in found.exercises] == [["status", "score", "mistake"], [], []]
    assert found.since == ("Code that decides verdicts has changed since: grader/judge/judge.py.",)
    text = as_text(found)
    assert "rms_norm differs in status, score, mistake." in text and text.endswith("NOT the same verdict.")


def test_other_versions_another_file_another_release(quick, monkeypatch):
    now = {"python": "9.0", "numpy": "1.0"}
    monkeypatch.setattr("grader.course.since.versions", lambda: now)
    Classroom(quick.course).hand_in("ben", built())
    quick.course.release(LESSON).write_bytes(built() + b"\n")
    found = again(quick)
    assert found.same, "it is about what was graded"
    versions, released, other_file = found.since
    assert "python" in versions and "now 9.0" in versions and "torch" in versions and "now none" in versions
    assert "released anew" in released and "another one now" in other_file


def test_one_exercise_that_was_graded_again_alone(quick):
    quick.mend()
    quick.autograde(exercise="rms_norm")
    found = again(quick)
    assert found.same and len(found.journal) == 2
    assert [one.then.score for one in found.exercises] == [6, 4, 10]


def test_exit_status(quick, monkeypatch, capsys):
    monkeypatch.chdir(quick.course.root)
    command = ["replay", "ben", LESSON, "--unsafe-no-sandbox"]
    assert main(command) == 0
    quick.mend()
    assert main(command) == 1 and "DIFFERS" in capsys.readouterr().out
    assert main([*command, "--exercise", "rms_norm_module"]) == 0
    assert main([*command, "--exercise", "nothing"]) == 2
    assert "ben has no verdict on 'nothing' in 03_rms_norm, but on rms_norm" in capsys.readouterr().err


@pytest.mark.parametrize("student, said", [("nobody", "There is no graded notebook of nobody"), ("../x", "no student")])
def test_no_such_student(quick, student, said):
    with pytest.raises(CourseError, match=said):
        replay(quick.course, LESSON, student)


def test_graded_by_nbgrader_alone(quick):
    path = quick.course.autograded / "ben" / LESSON / NAME
    path.chmod(0o644)
    path.write_bytes(built())
    with pytest.raises(CourseError, match="by nbgrader alone"):
        again(quick)


def test_what_was_written_down_is_gone_or_changed(quick):
    (facts,) = Results(quick.course, LESSON).folder.glob("*.json")
    text = facts.read_text()
    facts.write_text(text.replace('"rms_norm": ', '"rms_norm": 1'))
    with pytest.raises(CourseError, match="not there, or not as it was written"):
        again(quick)
    facts.write_text(text)
    assert again(quick).same
    facts.unlink()
    with pytest.raises(CourseError, match="not there"):
        again(quick)


def test_the_file_that_was_kept_is_damaged_or_gone(quick):
    kept = Kept(quick.course)
    path = kept.folder / content_name(WORK)[:2] / f"{content_name(WORK)}.gz"
    assert kept.get(content_name(WORK)) == WORK
    for content, said in ((path.read_bytes()[:-9], "cannot be read"), (b"", "damaged"), (None, "There is no")):
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(CourseError, match=said):
            again(quick)
        path.touch()


def test_kept_files_are_named_by_their_content(course):
    kept = Kept(course)
    names = {kept.put(content) for content in (b"one", b"two", b"one")}
    assert len(names) == 2 and len(list(kept.folder.rglob("*.gz"))) == 2
    assert {kept.get(name) for name in names} == {b"one", b"two"}
