"""Bank files are read, or refused with what is wrong; `validate` counts. Broken questions: test_broken_banks.py."""

import json
import shutil
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from quiz import schema
from quiz.bank import FOLDER, lessons, load, read
from quiz.cli import main
from quiz.errors import QuizError
from quiz.schema import TYPE_NAMES
from tests.quiz.make import LESSON, whole_bank


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lesson: [", ": not valid YAML: "),
        ("lesson: 03_rms_norm\nlesson: 03_rms_norm\n", "line 2: not valid YAML: `lesson` stands twice"),
        ("!!python/object/apply:os.getcwd []", "line 1: not valid YAML: could not determine a constructor"),
        ("? [lesson]\n: 1\n? [lesson]\n: 2", "line 3: not valid YAML"),
        ("", "holds no bank: it has `lesson`"),
        ("- a\n- list", "holds no bank: it has `lesson`"),
        ("\x00", "cannot be read"),
    ],
)
def test_a_file_that_is_no_bank_is_refused(text, message, tmp_path):
    path = tmp_path / f"{LESSON}.yaml"
    path.write_text(text, encoding="utf-8")
    bank, problems = read(path)
    assert bank is None and message in str(problems[0]) and str(problems[0]).startswith(f"{LESSON}.yaml")
    with pytest.raises(QuizError, match=f"{LESSON}.yaml"):
        load(LESSON, tmp_path)


def test_an_unknown_lesson_gets_a_suggestion():
    with pytest.raises(QuizError, match=r"no quiz for the lesson '3_rmsnorm': did you mean '03_rms_norm'\?"):
        load("3_rmsnorm")
    with pytest.raises(QuizError, match=r"known: .*03_rms_norm"):
        load("zzz")


def test_the_projects_bank_has_no_problem(capsys):
    assert main(["validate"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["lesson", *TYPE_NAMES, "easy", "medium", "hard", "total"]
    assert [line.split()[0] for line in lines[1:-2]] == lessons()
    assert lines[-1] == "0 problems"
    totals, types = list(map(int, lines[-2].split()[1:])), len(TYPE_NAMES)
    assert sum(totals[:types]) == sum(totals[types:-1]) == totals[-1] >= 3


def test_all_problems_of_all_files_are_printed(tmp_path, capsys):
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    (tmp_path / "98_broken.yaml").write_text("lesson: 98_broken\ntitle: T\nquestions: []\nauthor: me\n")
    assert main(["validate", "--bank", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "98_broken.yaml, questions:" in printed and "98_broken.yaml, author: is not a field" in printed
    assert printed.endswith("2 problems\n")


def test_a_folder_without_banks_is_an_error(tmp_path, capsys):
    assert main(["validate", "--bank", str(tmp_path)]) == 2
    assert "There is no bank file" in capsys.readouterr().err


def test_the_schema_for_editors_is_the_one_in_force(capsys):
    assert main(["schema"]) == 0
    copy = Path(schema.__file__).parent / "bank.schema.json"
    assert copy.read_text(encoding="utf-8") == capsys.readouterr().out, "python -m quiz schema > " + str(copy)


def test_every_bank_names_the_schema_in_its_first_line():
    line = "# yaml-language-server: $schema=../schema/bank.schema.json"
    assert [name for name in lessons() if (FOLDER / f"{name}.yaml").read_text("utf-8").splitlines()[0] != line] == []


def test_an_editor_would_accept_the_banks_and_refuse_a_typo():
    validator = Draft202012Validator(json.loads((Path(schema.__file__).parent / "bank.schema.json").read_text()))
    for name in lessons():
        assert list(validator.iter_errors(yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8")))) == []
    assert list(validator.iter_errors(whole_bank())) == []
    broken = whole_bank()
    broken["questions"][0]["promt"] = broken["questions"][0].pop("prompt")
    assert list(validator.iter_errors(broken))
