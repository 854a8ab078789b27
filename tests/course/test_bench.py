"""The same class through this grader, stock nbgrader and otter: each for real. What is measured is not looked at."""

import json
import sys

import pytest

from grader.__main__ import main

LESSON = "03_rms_norm"


@pytest.mark.slow
def test_three_graders_give_the_same_points(capsys):
    assert main(["bench", "--students", "2", "--lesson", LESSON, "--otter", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["grades_equal"] and found["otter_grades_equal"] and found["students"] == 2
    assert found["ratio"] == found["nbgrader_seconds"] / found["seconds"]
    assert found["otter_ratio"] == found["otter_seconds"] / found["seconds"]
    assert set(found["steps"]) == {"rebuild", "kernel", "run", "judge", "save"}


def test_without_otter_it_says_how_to_get_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "otter", None)
    assert main(["bench", "--students", "2", "--otter"]) == 2
    assert "otter-grader is not installed: pip install" in capsys.readouterr().err
