"""The wall without root: the tests of `test_wall`, run by a user who is nobody."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import grader
from tests.notebook.kernels import ON_LINUX

pytestmark = list(ON_LINUX)
ROOT = Path(grader.__file__).parents[1]
USER = "12345"
# All but those that only take longer: each of the looks, and an end of each kind.
CHOSEN = "not stack and not processor and not sockets and not inode and not terminals"
# In a mount namespace of its own root uncovers what that user cannot reach (a clone or a Python in /root), at the
# place where it lies: nothing of it is seen outside.
UNCOVER = """
set -e
mount --make-rprivate /
for path in $NEEDED; do mkdir -p "$STAGE$path"; mount --rbind "$path" "$STAGE$path"; done
for path in $CLOSED; do mount -t tmpfs -o mode=0755 tmpfs "$path"; done
for path in $NEEDED; do mkdir -p "$path"; mount --rbind "$STAGE$path" "$path"; done
cd "$ROOT"
exec setpriv --reuid USER --regid USER --clear-groups --inh-caps=-all --bounding-set=-all "$@"
""".replace("USER", USER)


def closed_to_others(paths: list[Path]) -> list[Path]:
    """The outermost folders above these that only their owner may enter."""
    above = sorted({parent for path in paths for parent in path.parents})
    closed = [folder for folder in above if not folder.stat().st_mode & 0o001]
    return [folder for folder in closed if not any(other in folder.parents for other in closed)]


@pytest.mark.skipif(os.geteuid() != 0, reason="is an ordinary user already: test_wall has shown it")
def test_the_wall_stands_for_an_ordinary_user():
    python = [Path(sys.prefix), Path(sys.base_prefix), Path(os.path.realpath(sys.base_prefix))]
    closed = closed_to_others([ROOT, *python])
    needed = sorted({path for path in (ROOT, *python) if any(folder in path.parents for folder in closed)})
    with tempfile.TemporaryDirectory(prefix="u-", dir="/tmp") as folder:
        os.chown(folder, int(USER), int(USER))
        stage = Path(folder, "stage")
        stage.mkdir()
        names = {"NEEDED": needed, "CLOSED": closed, "STAGE": [stage], "ROOT": [ROOT]}
        env = {name: " ".join(map(str, paths)) for name, paths in names.items()}
        env |= {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "TMPDIR": folder,
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
        }
        env |= {"PYTHONDONTWRITEBYTECODE": "1"}
        tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", CHOSEN, "tests/redteam/test_wall.py"]
        command = ["unshare", "--mount", "sh", "-c", UNCOVER, "sh", sys.executable, *tests]
        done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout + done.stderr)[-5000:]
    assert " passed" in done.stdout and "skipped" not in done.stdout
