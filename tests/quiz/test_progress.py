"""The student's progress is the student's: shown, taken along, deleted."""

import pytest

from quiz.cli import main
from quiz.store import FileStore
from tests.quiz.make import event


@pytest.fixture
def store(tmp_path, monkeypatch):
    path = tmp_path / "quiz_progress.jsonl"
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    made = FileStore(path)
    for _ in range(3):
        made.append(event())
    return made


def said(capsys, *arguments, status: int = 0) -> str:
    assert main(["progress", *map(str, arguments)]) == status
    out, err = capsys.readouterr()
    return err if status == 2 else out


def test_it_says_where_it_is_and_what_was_set_aside(store, capsys):
    assert said(capsys) == f"3 events in {store.path}\n"
    store.path.write_bytes(store.path.read_bytes() + b"junk\n")
    told = said(capsys)
    assert told.startswith("3 events") and f"set aside: {store.set_aside()[0]}" in told


def test_what_is_exported_can_be_imported_elsewhere_and_again(store, capsys, tmp_path, monkeypatch):
    taken = tmp_path / "taken.jsonl"
    assert "3 events copied" in said(capsys, "--export", taken)
    assert taken.read_bytes() == store.path.read_bytes()
    elsewhere = FileStore(tmp_path / "elsewhere" / "mine.jsonl")
    elsewhere.path.parent.mkdir()
    elsewhere.append(own := event())
    monkeypatch.setenv("COURSE_PROGRESS", str(elsewhere.path))
    assert "3 events added" in said(capsys, "--import", taken)
    assert "0 events added" in said(capsys, "--import", taken)
    assert list(elsewhere.events()) == [own, *store.events()]


def test_an_export_overwrites_nothing(store, capsys, tmp_path):
    taken = tmp_path / "taken.jsonl"
    taken.write_text("precious")
    assert "is there already: choose another name" in said(capsys, "--export", taken, status=2)
    assert taken.read_text() == "precious"
    assert "cannot be written" in said(capsys, "--export", tmp_path / "no" / "taken.jsonl", status=2)


def test_an_import_takes_what_can_be_read(store, capsys, tmp_path):
    source = tmp_path / "source.jsonl"
    source.write_bytes(b"junk\n" + event().to_json().encode())
    assert "1 event added" in (told := said(capsys, "--import", source)) and "damaged and were left out" in told
    assert len(store.events()) == 4 and store.set_aside() == [] and source.read_bytes().startswith(b"junk")
    source.write_bytes(b"\x89PNG")
    assert "holds no progress" in said(capsys, "--import", source, status=2)
    assert "cannot be read" in said(capsys, "--import", tmp_path / "no.jsonl", status=2)


@pytest.mark.parametrize(("answer", "gone"), [("y", True), ("n", False), ("", False)])
def test_deleting_asks_first(store, capsys, monkeypatch, answer, gone):
    monkeypatch.setattr("builtins.input", lambda question: answer)
    said(capsys, "--delete", status=0 if gone else 1)
    assert store.path.exists() != gone


def test_deleting_takes_damaged_copies_too_and_is_seen_by_an_open_notebook(store, capsys):
    store.path.write_bytes(store.path.read_bytes() + b"junk\n")
    assert len(store.events()) == 3 and len(store.set_aside()) == 1
    assert "is deleted" in said(capsys, "--delete", "--yes")
    assert not store.path.exists() and store.set_aside() == [] and store.events() == ()
    assert "There is no progress" in said(capsys, "--delete", "--yes")


def test_a_folder_that_is_gone_is_one_clear_sentence(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "no" / "mine.jsonl"))
    source = tmp_path / "source.jsonl"
    source.write_text(event().to_json())
    assert "there is no folder" in said(capsys, "--import", source, status=2)
