"""What all exports share: the command, its errors, ids, and that the same export is the same file."""

import dataclasses
import re
import shutil
import sys
from pathlib import Path

import pytest

from quiz.bank import FOLDER, lessons
from quiz.cli import main
from quiz.errors import QuizError
from quiz.export import FORMATS, export, gather
from quiz.export.files import write
from quiz.export.spelling import spellings
from quiz.schema import TYPE_NAMES
from tests.quiz.export_banks import batch, every_type


def run(capsys, *arguments) -> tuple[int, str, str]:
    status = main(["export", *map(str, arguments)])
    return status, *capsys.readouterr()


@pytest.mark.parametrize("name", FORMATS)
def test_the_command_writes_the_file_and_accounts_for_every_question(name, tmp_path, capsys):
    status, said, _ = run(
        capsys, "--format", name, "--out", tmp_path / "q", "--lesson", "03_rms_norm", "05_norm_placement"
    )
    wanted = gather(["03_rms_norm", "05_norm_placement"])
    assert status == 0
    assert (tmp_path / "q").read_bytes() == export(name, wanted).data
    counts = [int(n) for n in re.findall(r"^  \w+ +(\d+) -> +[1-9]\d*  \w", said, re.M)]
    assert sum(counts) == sum(len(bank.questions) for bank in wanted.banks)
    assert f"{sum(counts)} questions of 2 lessons, seed 0" in said


@pytest.mark.parametrize("name", FORMATS)
def test_every_type_goes_out_in_every_format_and_says_how(name):
    made = export(name, batch(every_type()))
    assert set(made.how) == set(TYPE_NAMES) == {kind for kind, count in made.made.items() if count}


def test_without_names_all_lessons_go_to_the_exports_folder(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "--format", "moodle")[0] == 0
    text = (tmp_path / "exports/quiz.xml").read_text(encoding="utf-8")
    assert [name for name in lessons() if f"<idnumber>{name}</idnumber>" in text] == lessons()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("again", [gather, lambda: batch(every_type("$x$"), made=7)], ids=["course", "all types"])
def test_the_same_export_is_the_same_file(name, again):
    assert export(name, again()).data == export(name, again()).data


@pytest.mark.parametrize("name", FORMATS)
def test_another_seed_draws_other_parameters(name):
    assert len({export(name, batch(every_type(), seed=seed)).data for seed in range(8)}) > 4


@pytest.mark.parametrize("name", FORMATS)
def test_the_course_goes_out_with_many_seeds(name):
    for seed in range(1, 6):
        assert export(name, dataclasses.replace(gather(), seed=seed)).data


def test_an_unknown_lesson_is_named_with_the_likely_one(tmp_path, capsys):
    status, _, error = run(capsys, "--format", "json", "--out", tmp_path / "q", "--lesson", "03_rms_nrom")
    assert status == 2
    assert "'03_rms_nrom'" in error and "'03_rms_norm'" in error
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_is_refused_with_those_there_are(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["export", "--format", "pdf"])
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert all(name in error for name in ("pdf", *FORMATS))
    with pytest.raises(QuizError, match="'pdf'; known: anki, json, moodle, qti"):
        export("pdf", batch(every_type()))


def test_a_damaged_bank_is_named_and_nothing_is_written(tmp_path, capsys):
    (tmp_path / "99_bad.yaml").write_text("lesson: 99_bad\ntitle: x\nquestions: []\n")
    status, _, error = run(capsys, "--format", "json", "--out", tmp_path / "q", "--bank", tmp_path)
    assert status == 2 and "99_bad.yaml, questions" in error
    assert not (tmp_path / "q").exists()


def test_a_folder_without_banks_is_an_error(tmp_path, capsys):
    status, _, error = run(capsys, "--format", "json", "--bank", tmp_path)
    assert status == 2 and "no bank file" in error


@pytest.mark.parametrize("where", ["folder", "file/below"])
def test_where_no_file_can_be_is_an_error_that_names_it(where, tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept")
    status, _, error = run(capsys, "--format", "json", "--out", tmp_path / where)
    assert status == 2
    assert f"{tmp_path / where} cannot be written: " in error and "--out" in error
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.parametrize("step", ["write_bytes", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(step, tmp_path, monkeypatch):
    target = tmp_path / "quiz.json"
    target.write_text("old")

    def fails(self, what):
        if step == "write_bytes":
            with self.open("wb") as file:
                file.write(what[:2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, step, fails)
    with pytest.raises(QuizError, match="No space left on device"):
        write(target, b"new content")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(("name", "package"), [("anki", "genanki"), ("qti", "text2qti")])
def test_a_missing_package_is_one_sentence_with_the_command_that_installs_it(name, package, monkeypatch, capsys):
    for loaded in [m for m in sys.modules if m.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, package, None)
    status, said, error = run(capsys, "--format", name, "--out", "unused")
    assert (status, said) == (2, "")
    assert error.count("\n") == 1 and f"python -m pip install {package}" in error


def test_banks_of_another_folder_can_be_exported(tmp_path, capsys):
    shutil.copy(FOLDER / "03_rms_norm.yaml", tmp_path)
    status, said, _ = run(capsys, "--format", "json", "--out", tmp_path / "q.json", "--bank", tmp_path)
    assert status == 0 and "questions of 1 lessons" in said


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("pre-norm", {"pre-norm", "pre norm", "prenorm"}),
        ("root mean square", {"root mean square", "root-mean-square", "rootmeansquare"}),
        ("`dim=-1`", {"`dim=-1`", "dim=-1"}),
        ("x + y", {"x + y", "x+y"}),
        ("1e-3", {"1e-3"}),
        ("a norm", {"a norm", "norm"}),
    ],
)
def test_spellings_are_those_that_the_engine_takes_for_the_same(text, wanted):
    assert set(spellings([text])) == wanted
