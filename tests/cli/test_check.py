"""`python -m grader check EXERCISE FILE.py` as a person or a program calls it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli import main
from grader.lab.workspace import RECORD
from grader.student import log

RIGHT = "def rms_norm(x, weight, eps):\n    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight\n"
OUTSIDE = RIGHT.replace(" + eps).sqrt()", ").sqrt() + eps)").replace("(x.square", "((x.square")


@pytest.fixture(autouse=True)
def somewhere(tmp_path, monkeypatch):
    """Not in the project: whoever tests it may have a copy of the lessons there, and points of their own."""
    monkeypatch.chdir(tmp_path)


def write(tmp_path, text):
    path = tmp_path / "answer.py"
    path.write_text(text)
    return str(path)


def test_full_marks_exit_0(tmp_path, capsys):
    assert main(["check", "rms_norm", write(tmp_path, RIGHT)]) == 0
    assert "rms_norm: 6 of 6 points, passed." in capsys.readouterr().out


def test_json_has_the_fields_of_the_contract_and_nothing_else_on_stdout(tmp_path, capsys):
    assert main(["check", "rms_norm", write(tmp_path, "print('noise')\n" + OUTSIDE), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert {"exercise", "score", "points", "checks"} <= data.keys()
    assert all(c.keys() == {"name", "passed", "score", "points", "message", "mistake"} for c in data["checks"])
    assert [c["mistake"] for c in data["checks"]] == [None, "eps outside the root", "eps outside the root"]
    assert data["score"] == sum(c["score"] for c in data["checks"]) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def rms_norm(x:\n", "line 1: this is not valid Python"),
        ("import nowhere_to_be_found\n", "line 1: running the file raised ModuleNotFoundError"),
        ("import sys\nsys.exit(3)\n", "line 2: running the file raised SystemExit"),
    ],
)
def test_a_file_that_does_not_run_exits_2_with_its_line(tmp_path, capsys, text, message):
    assert main(["check", "rms_norm", write(tmp_path, text)]) == 2
    assert message in capsys.readouterr().err


def test_what_cannot_be_graded_exits_2(tmp_path, capsys):
    assert main(["check", "rms_nrom", write(tmp_path, RIGHT)]) == 2
    assert "Did you mean 'rms_norm'?" in capsys.readouterr().err
    assert main(["check", "rms_norm", str(tmp_path / "missing.py")]) == 2
    assert "There is no file" in capsys.readouterr().err


def test_a_file_without_the_object_is_not_attempted(tmp_path, capsys):
    assert main(["check", "rms_norm", write(tmp_path, "x = 1\n")]) == 1
    said = capsys.readouterr().out
    assert "answer.py does not define `rms_norm`." in said and "cell" not in said


def test_neighbours_can_be_imported_and_the_module_runs(tmp_path):
    (tmp_path / "neighbour.py").write_text(RIGHT)
    path = write(tmp_path, "from neighbour import rms_norm\n")
    done = subprocess.run([sys.executable, "-m", "grader", "check", "rms_norm", path], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_points_are_remembered_in_a_copy_of_the_lessons_only(tmp_path):
    path = write(tmp_path, RIGHT)
    main(["check", "rms_norm", path])
    assert not list(tmp_path.glob("*.jsonl"))
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / RECORD).touch()
    main(["check", "rms_norm", path])
    assert log.best_scores(tmp_path / "workspace" / log.NAME) == {"rms_norm": 1.0}


def test_a_python_without_the_course_s_packages_is_told_what_to_do():
    done = subprocess.run(
        [sys.executable, "-S", "-m", "grader", "check", "rms_norm", "none.py"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "has no torch. Activate the course's environment first" in done.stderr
