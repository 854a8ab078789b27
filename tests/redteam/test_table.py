"""`python -m grader redteam`: the same attacks, and what stock nbgrader gives to those that it can be given."""

import re

import pytest

from grader.cli import main
from grader.course.redteam import ATTACKS

# Points for nothing, measured with nbgrader 0.9.6 on this lesson's own cells.
FALLS_FOR = ("own-check", "package-check", "judge", "recorder", "displayhook")


def test_one_line_for_each(capsys):
    assert main(["redteam", "aaron", "own-check", "--no-stock", "--jobs", "1"]) == 0
    head, _, *lines = capsys.readouterr().out.splitlines()
    assert head.split()[-4:] == ["ours", "the", "instructor", "reads"] and head.startswith("attack")
    assert lines[0].split()[-4:] == ["20", "–", "20", "passed"] and lines[1].split()[-4:] == ["0", "–", "0", "wrong"]
    assert lines[-1] == "2 attacks, and no point was gained."


def test_an_attack_that_is_not_known(capsys):
    assert main(["redteam", "nothing-like-it"]) == 2
    assert "No such attack. Known: aaron, " in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_beside_stock_nbgrader(capsys):
    """Everyone who is harmless through stock nbgrader, and its own tricks work there."""
    assert main(["redteam", *FALLS_FOR, "aaron", "zoe", "check-doubled", "link-right", "--jobs", "2"]) == 0
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line}
    assert points(rows["aaron"]) == ["20", "20", "20"] and points(rows["link-right"]) == ["0", "20", "0"]
    for name in FALLS_FOR:
        assert points(rows[name]) == ["0", "20", "0"]
    assert points(rows["check-doubled"]) == ["0", "ends the batch", "0"]


def points(row: str) -> list[str]:
    """What it is worth, stock nbgrader's score, ours."""
    return re.split(r"  +", row)[2:5]


def test_those_that_could_harm_are_never_given_to_stock_nbgrader():
    harmless = {attack.name for attack in ATTACKS if attack.stock}
    assert not harmless & {
        "forks",
        "memory",
        "fills",
        "inodes",
        "kills",
        "writes",
        "plants",
        "daemon",
        "network",
        "reads",
    }
