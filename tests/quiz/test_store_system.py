"""The progress file on a full disk and under permissions: in a process of its own, with a real limit on it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.other_os,
    pytest.mark.skipif(os.name == "nt", reason="these limits and permissions are those of POSIX systems"),
]
ROOT = Path(__file__).parents[2]
NOBODY = 65534
# Root may write everything: for the test it becomes an ordinary user, once all that is needed is imported.
SCRIPT = """
import json, os, resource, sys, tempfile
from pathlib import Path
from quiz.store import FileStore, read_log
from tests.quiz.make import session, whole, ANSWERS, WHOLE
from tests.quiz.make import event
with tempfile.TemporaryDirectory() as warm:
    FileStore(Path(warm) / "log").append(event())
    try:
        FileStore(Path(warm) / "no" / "log").append(event())
    except Exception:
        pass
if os.geteuid() == 0 and os.stat(sys.argv[1]).st_uid:
    os.setgroups([])
    os.setegid(os.stat(sys.argv[1]).st_gid)
    os.seteuid(os.stat(sys.argv[1]).st_uid)
store = FileStore(Path(sys.argv[1]) / "quiz_progress.jsonl", patience=0.2)
here = session(1, whole(), store)
told = []
def answer(name):
    right = here.answer(f"{WHOLE}/{name}", ANSWERS[name][1]).right
    shown = here.state(f"{WHOLE}/{name}").grade is not None
    kept = len(read_log(store.path)) if store.path.exists() else 0
    told.append({"right": right, "shown": shown, "unsaved": here.unsaved, "kept": kept})
"""
FULL = """
answer("one")
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
size = store.path.stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, hard))
answer("some")
told.append(store.path.stat().st_size == size)
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
answer("word")
print(json.dumps(told))
"""
READ_ONLY_FILE = """
answer("one")
store.path.chmod(0o444)
answer("some")
store.path.chmod(0o644)
answer("word")
print(json.dumps(told))
"""
READ_ONLY_FOLDER = """
store.path.parent.chmod(0o555)
answer("one")
answer("some")
store.path.parent.chmod(0o755)
answer("word")
print(json.dumps(told))
"""
DAMAGED_AND_READ_ONLY = """
answer("one")
with store.path.open("ab") as file:
    file.write(b"junk\\n")
store.path.chmod(0o444)
answer("some")
told.append([store.path.read_bytes().endswith(b"junk\\n"), len(store.set_aside())])
store.path.chmod(0o644)
answer("word")
told.append([store.path.read_bytes().endswith(b"junk\\n"), len(store.set_aside())])
print(json.dumps(told))
"""


@pytest.fixture
def folder():
    """A folder that an ordinary user owns."""
    made = Path(tempfile.mkdtemp())
    if os.geteuid() == 0:
        os.chown(made, NOBODY, NOBODY)
    yield made
    shutil.rmtree(made)


def run(script: str, folder: Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", script, str(folder)], cwd=ROOT, capture_output=True, text=True)


def told_by(script: str, folder: Path) -> list:
    done = run(SCRIPT + script, folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("script", "reason", "kept"),
    [(FULL, "the disk is full. Free some space", 1), (READ_ONLY_FILE, "it may not be written. Allow it, or set", 1)],
    ids=["full disk", "read-only file"],
)
def test_an_answer_is_marked_and_written_later(script, reason, kept, folder):
    first, second, *checks, third = told_by(script, folder)
    assert first == {"right": False, "shown": True, "unsaved": None, "kept": 1}
    assert (second["right"], second["shown"], second["kept"]) == (False, True, kept)
    assert reason in second["unsaved"] and "quiz_progress.jsonl" in second["unsaved"]
    assert "kept in memory" in second["unsaved"] and all(checks)
    assert third == {"right": False, "shown": True, "unsaved": None, "kept": 3}


def test_a_folder_that_may_not_be_written(folder):
    first, second, third = told_by(READ_ONLY_FOLDER, folder)
    assert first["shown"] and second["shown"] and "it may not be written" in second["unsaved"]
    assert third == {"right": False, "shown": True, "unsaved": None, "kept": 3}


def test_a_damaged_file_that_may_not_be_written_waits(folder):
    _, second, waiting, third, repaired = told_by(DAMAGED_AND_READ_ONLY, folder)
    assert second["shown"] and "it may not be written" in second["unsaved"] and waiting == [True, 0]
    assert third["unsaved"] is None and third["kept"] == 3 and repaired == [False, 1]


def test_a_disk_that_is_really_full(tmp_path):
    """A small file system of its own, where that may be made."""
    mounted = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path)]
    if not shutil.which("mount") or subprocess.run(mounted, capture_output=True).returncode:
        pytest.skip("this user may not mount a file system")
    try:
        fill = 'big = Path(sys.argv[1]) / "big"; answer("one")\n'
        fill += "try: big.write_bytes(bytes(10**6))\nexcept OSError: pass\n"
        fill += 'for name in ("some", "word", "steps", "pairs") * 20: answer(name)\n'
        fill += 'big.unlink(); answer("some"); print(json.dumps(told))'
        told = told_by(fill, tmp_path)
        assert all(one["shown"] for one in told) and "the disk is full" in told[-2]["unsaved"]
        assert told[-1]["unsaved"] is None and told[-1]["kept"] == len(told) == 82
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)
