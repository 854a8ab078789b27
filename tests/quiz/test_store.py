"""The progress file: nothing acknowledged is ever lost, and nothing that can be read."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from quiz.errors import QuizError
from quiz.event import from_json
from quiz.store import FileStore, StoreError, person, place, read_log
from tests.quiz.make import NOON, event, untimed

# Adds events, and says of each when it is kept.
WRITER = """
import sys
from pathlib import Path
from quiz.store import FileStore
from tests.quiz.make import event
store = FileStore(Path(sys.argv[1]))
for n in range(int(sys.argv[2])):
    one = event("one", answer=(f"o{n}",))
    store.append(one)
    print(one.id, flush=True)
"""
HOLDER = """
import sys
from filelock import FileLock
with FileLock(sys.argv[1]):
    print(flush=True)
    input()
"""
NAME = "quiz_progress.jsonl"


@pytest.fixture
def path(tmp_path):
    return tmp_path / NAME


def store_at(path, **more) -> FileStore:
    return FileStore(path, lambda: NOON, **more)


def writer(path, count: int) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(count)], stdout=subprocess.PIPE, text=True)


def lines(count: int, **more) -> list[bytes]:
    return [event(answer=(f"o{n}",), **more).to_json().encode() for n in range(count)]


def ids(some) -> list[str]:
    return [(from_json(one) if isinstance(one, bytes) else one).id for one in some]


# Several at once, and killed.


def test_four_processes_at_once_lose_nothing(path):
    reader, seen = store_at(path), 0
    writers = [writer(path, 50) for _ in range(4)]
    while any(w.poll() is None for w in writers):
        assert len(reader.events()) >= seen  # a reader needs no lock, and never sees half a line
        seen = len(reader.events())
        time.sleep(0.01)
    kept = [w.communicate()[0].split() for w in writers]
    assert [w.returncode for w in writers] == [0] * 4 and [len(k) for k in kept] == [50] * 4
    assert sorted(ids(store_at(path).events())) == sorted(one for mine in kept for one in mine)
    for mine in kept:  # in the order in which each wrote
        assert [i for i in ids(reader.events()) if i in set(mine)] == mine
    assert reader.set_aside() == [] and path.read_bytes().count(b"\n") == 200


def test_a_writer_that_is_killed_loses_nothing_that_it_acknowledged(path):
    random, kept = Random(4), []
    for _ in range(6):
        running = writer(path, 10**6)
        kept.append(running.stdout.readline().strip())  # it is at work
        time.sleep(random.uniform(0, 0.1))
        running.kill()
        kept += running.communicate()[0].split()
        store_at(path).append(last := event())  # its lock is free again
        kept.append(last.id)
    found = ids(store_at(path).events())
    assert [i for i in found if i in set(kept)] == kept
    assert len(found) <= len(kept) + 6  # at most the one it was about to acknowledge


def test_half_a_line_at_the_end_never_joins_the_next_one(path):
    whole, half = lines(2)
    path.write_bytes(whole + b"\n" + half[:60])
    store = store_at(path)
    assert ids(store.events()) == ids([whole])  # it may be in the midst of being written: not damage yet
    assert store.set_aside() == []
    store.append(new := event())
    assert path.read_bytes() == whole + b"\n" + half[:60] + b"\n" + new.to_json().encode() + b"\n"
    assert ids(store_at(path).events()) == [*ids([whole]), new.id]
    assert half[:60] in store.set_aside()[0].read_bytes()
    assert path.read_bytes() == whole + b"\n" + new.to_json().encode() + b"\n"


def test_a_last_line_that_lacks_only_its_end_counts_once(path):
    first, last = lines(2)
    path.write_bytes(first + b"\n" + last)
    store = store_at(path)
    assert ids(store.events()) == ids([first, last])
    store.append(new := event())
    assert ids(store.events()) == ids(store_at(path).events()) == [*ids([first, last]), new.id]
    assert store.set_aside() == []


# Damaged.

A, B, C = lines(3)
HUGE = 3_000_000
DAMAGED = {
    "binary junk": (A + b"\n\x00\xff\x9f junk \x80\n" + B + b"\n", [A, B]),
    "junk alone": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9 + b"\n", []),
    "half a line": (A + b"\n" + B[:80] + b"\n" + C + b"\n", [A, C]),
    "half a line joined to the next": (A[:80] + B + b"\n" + C + b"\n", [B, C]),
    "two on a line": (A + B + b"\n", [A, B]),
    "not JSON": (b"hello\n" + A + b"\n", [A]),
    "not an object": (b"[1, 2]\n7\nnull\n" + A + b"\n", [A]),
    "Latin-1": (b"caf\xe9\n" + A + b"\n", [A]),
    "UTF-16": ((A + b"\n" + B + b"\n").decode().encode("utf-16"), [A, B]),
    "a UTF-16 mark alone": (b"\xff\xfe\n" + A + b"\n", [A]),
    "zeros of a crash": (A + b"\n" + bytes(4096) + b"\n" + B + b"\n", [A, B]),
    "zeros before a line": (A + b"\n" + bytes(512) + B + b"\n", [A, B]),
    "a huge line": (A + b"\n" + b"x" * HUGE + b"\n" + B + b"\n", [A, B]),
    "a huge object": (A + b"\n" + b'{"id": "' + b"x" * HUGE + b'"}\n' + B + b"\n", [A, B]),
    "nested without end": (A + b"\n" + b"[" * 100_000 + b"\n" + B + b"\n", [A, B]),
    "a huge number": (A + b'\n{"id": ' + b"9" * 10_000 + b"}\n" + B + b"\n", [A, B]),
    "HTML of a portal": (b"<!doctype html>\n<p>Log in</p>\n" + A + b"\n", [A]),
}


@pytest.mark.parametrize(("data", "kept"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_set_aside_and_what_can_be_read_is_kept(data, kept, path):
    path.write_bytes(data)
    store = store_at(path)
    assert ids(store.events()) == ids(kept)
    (copy,) = store.set_aside()
    assert copy.read_bytes() == data and copy.name == "quiz_progress.damaged-20260102T120000Z.jsonl"
    assert path.read_bytes() == b"".join(line + b"\n" for line in kept)
    store.append(new := event())
    assert ids(store_at(path).events()) == [*ids(kept), new.id]
    assert len(store.set_aside()) == 1 and not path.with_name(f".{NAME}.new").exists()


SOUND = {
    "nothing": (b"", []),
    "empty lines": (b"\n\n" + A + b"\n\n" + B + b"\n", [A, B]),
    "Windows' line ends": (A + b"\r\n" + B + b"\r\n", [A, B]),
    "a UTF-8 mark": (b"\xef\xbb\xbf" + A + b"\n", [A]),
    "a line twice": (A + b"\n" + B + b"\n" + A + b"\n", [A, B]),
}


@pytest.mark.parametrize(("data", "kept"), SOUND.values(), ids=SOUND)
def test_what_an_editor_does_is_no_damage(data, kept, path):
    path.write_bytes(data)
    store = store_at(path)
    assert ids(store.events()) == ids(kept)
    store.append(new := event())
    assert ids(store_at(path).events()) == [*ids(kept), new.id] and store.set_aside() == []


@untimed
@given(st.lists(st.one_of(st.just(None), st.binary(max_size=60).map(lambda junk: junk.replace(b"\n", b"")))))
def test_whole_lines_survive_whatever_stands_between_them(parts):
    events = [event() for part in parts if part is None]
    rest = iter(events)
    data = b"".join((next(rest).to_json().encode() if part is None else part) + b"\n" for part in parts)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.write_bytes(data)
        store = store_at(path)
        assert ids(store.events()) == ids(events)
        assert all(copy.read_bytes() == data for copy in store.set_aside())
        store.append(new := event())
        assert ids(store_at(path).events()) == [*ids(events), new.id]


def test_damage_twice_in_a_second_is_set_aside_twice(path):
    for n in range(3):
        path.write_bytes(b"junk %d\n" % n + A + b"\n")
        assert ids(store_at(path).events()) == ids([A])
    assert {copy.read_bytes()[:6] for copy in store_at(path).set_aside()} == {b"junk 0", b"junk 1", b"junk 2"}


def test_a_folder_in_the_files_place_is_set_aside(path):
    path.mkdir()
    (path / "precious.txt").write_text("mine")
    store = store_at(path)
    assert store.events() == ()
    store.append(new := event())
    assert ids(store_at(path).events()) == [new.id]
    assert (store.set_aside()[0] / "precious.txt").read_text() == "mine"


def test_what_a_newer_version_wrote_is_kept(path):
    more_fields = A[:-1] + b', "minutes": 3}'
    other_kind = B.replace(b'"answered"', b'"explained"')
    path.write_bytes(more_fields + b"\n" + other_kind + b"\njunk\n")
    store = store_at(path)
    assert ids(store.events()) == ids([A])  # the field that it does not know is left out
    assert path.read_bytes() == more_fields + b"\n" + other_kind + b"\n"


NOT_AN_EVENT = [
    b"{}",
    b'{"id": 1}',
    A.replace(b"2026-", b"9999-"),
    A.replace(b"+00:00", b""),
    A.replace(b"true", b'"x"'),
]


@pytest.mark.parametrize("line", NOT_AN_EVENT, ids=["empty", "a number", "in 9999", "no zone", "not a bool"])
def test_an_object_that_is_no_event_is_left_alone(line, path):
    path.write_bytes(line + b"\n" + B + b"\n")
    assert ids(store_at(path).events()) == ids([B]) and path.read_bytes().startswith(line)


# Changed by somebody else.


def test_nothing_new_is_the_same_object(path):
    store = store_at(path)
    store.append(event())
    assert store.events() is store.events()


def test_a_file_that_another_program_replaced_is_read_anew(path):
    store = store_at(path)
    for line in lines(3):
        store.append(from_json(line))
    assert len(store.events()) == 3
    path.write_bytes(b"".join(line + b"\n" for line in (A, B, C, *lines(3))))  # in place, and longer
    assert ids(store.events())[:3] == ids([A, B, C]) and len(store.events()) == 6
    path.write_bytes(B + b"\n")
    assert ids(store.events()) == ids([B])
    path.unlink()  # the student deleted it
    assert store.events() == ()
    store.append(new := event())
    assert ids(store.events()) == [new.id]


@pytest.mark.other_os
@pytest.mark.skipif(os.name == "nt", reason="making a link on Windows needs a right that most users lack")
def test_a_link_is_followed_and_stays_a_link(tmp_path, path):
    real = tmp_path / "drive" / "mine.jsonl"
    real.parent.mkdir()
    real.write_bytes(b"junk\n" + A + b"\n")
    path.symlink_to(real)
    assert ids(store_at(path).events()) == ids([A])
    assert path.is_symlink() and real.read_bytes() == A + b"\n" and list(real.parent.glob("*damaged*"))


# Cannot be written: what is done is kept in memory, and written later.


def test_a_folder_that_is_not_there(tmp_path):
    store = store_at(tmp_path / "drive" / NAME)
    with pytest.raises(StoreError, match=r"cannot save to .*drive.*: there is no folder .*kept in memory"):
        store.append(first := event())
    assert store.events() == (first,) and "no folder" in store.trouble and not store.path.parent.exists()
    store.path.parent.mkdir()
    store.append(second := event())
    assert store.trouble is None and ids(store_at(store.path).events()) == [first.id, second.id]


def test_a_folder_that_goes_away_and_comes_back(tmp_path):
    drive, away = tmp_path / "drive", tmp_path / "away"
    drive.mkdir()
    store = store_at(drive / NAME)
    store.append(event())
    drive.rename(away)
    with pytest.raises(StoreError):
        store.append(event())
    assert len(store.events()) == 2  # what was saved is still shown
    away.rename(drive)
    store.append(event())
    assert len(store_at(store.path).events()) == 3


def test_a_lock_that_another_program_holds(path):
    store = store_at(path, patience=0.05)
    command = [sys.executable, "-c", HOLDER, str(path.with_name(f".{NAME}.lock"))]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    holder.stdout.readline()
    with pytest.raises(StoreError, match="another program holds its lock"):
        store.append(event())
    assert len(store.events()) == 1 and not path.exists()
    holder.communicate("\n")
    store.append(event())
    assert len(store_at(path).events()) == 2


def test_reading_alone_writes_what_waits_but_not_at_every_call(path):
    store, lock = store_at(path, patience=0), FileLock(path.with_name(f".{NAME}.lock"))
    with lock, pytest.raises(StoreError):
        store.append(event())
    assert store.events() and not path.exists()  # tried a moment ago
    store._failed_at -= 10
    assert store.events() and path.exists() and store.trouble is None


@pytest.mark.other_os
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes in folders")
def test_what_is_no_file_is_not_waited_for(path):
    os.mkfifo(path)
    store = store_at(path)
    with pytest.raises(StoreError, match="it is not a file"):
        store.append(event())
    assert len(store.events()) == 1


# Where it is.

PLACES = {
    "a lesson of a workspace": ("workspace/03_rms_norm", "workspace"),
    "a workspace": ("workspace", "workspace"),
    "beside a workspace": (".", "workspace"),
    "anywhere else": ("elsewhere/lesson", "elsewhere/lesson"),
}


@pytest.mark.parametrize(("cwd", "folder"), PLACES.values(), ids=PLACES)
def test_all_lessons_share_one_file(cwd, folder, tmp_path):
    for made in ("workspace/03_rms_norm", "elsewhere/lesson"):
        (tmp_path / made).mkdir(parents=True)
    assert place(tmp_path / cwd, {}) == tmp_path / folder / NAME
    assert place(tmp_path / cwd, {"COURSE_PROGRESS": str(tmp_path / "my.jsonl")}) == tmp_path / "my.jsonl"


def test_a_person_is_a_number_that_stays(monkeypatch, path):
    mine = person()
    assert mine == person() and mine >= 0
    store_at(path).append(event())
    assert str(mine) not in path.read_text()
    monkeypatch.setattr("getpass.getuser", lambda: "somebody else")
    assert person() != mine


# Read for a report.


def test_a_log_for_a_report_is_left_as_it_is(path):
    path.write_bytes(A + b"\njunk\n" + B)
    assert ids(read_log(path)) == ids([A, B]) and path.read_bytes() == A + b"\njunk\n" + B
    assert list(path.parent.iterdir()) == [path]


def test_what_is_no_log_is_an_error(path):
    with pytest.raises(QuizError, match=r"quiz_progress\.jsonl cannot be read: there is no such file"):
        read_log(path)
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(QuizError, match="is not a log of the quiz"):
        read_log(path)
