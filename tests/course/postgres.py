"""A real PostgreSQL server for the tests, started in a folder of its own and stopped again."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = "PostgreSQL's server is not installed (Debian and Ubuntu: apt install postgresql)"
ACCOUNT = "postgres"  # made by Debian's package; the server refuses to run as root


def programs() -> Path:
    """The folder of `initdb` and `pg_ctl`, which Debian keeps off PATH. Skips, saying what to install, without."""
    found = shutil.which("initdb")
    there = [Path(found).resolve().parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not there:
        pytest.skip(PACKAGE)
    return there[-1]


@contextlib.contextmanager
def server() -> Iterator["Server"]:
    """A server without network, reached through a socket in its folder."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    root = os.geteuid() == 0
    if root:
        account = pwd.getpwnam(ACCOUNT)
        os.chown(folder, account.pw_uid, account.pw_gid)
    made = Server(programs(), folder, ACCOUNT if root else None)
    try:
        made.run("initdb", "--pgdata", folder / "data", "--auth", "trust", "--username", ACCOUNT, "--no-sync")
        listen = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        made.run("pg_ctl", "--pgdata", folder / "data", "--log", folder / "log", "-w", "-o", listen, "start")
        yield made
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            made.run("pg_ctl", "--pgdata", folder / "data", "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


class Server:
    def __init__(self, programs: Path, folder: Path, account: str | None):
        self.programs, self.folder, self.account = programs, folder, account

    def run(self, program: str, *arguments: object) -> None:
        command = [str(self.programs / program), *map(str, arguments)]
        # Output into a file: a pipe would stay open in the server that pg_ctl starts.
        with tempfile.TemporaryFile() as said:
            done = subprocess.run(command, user=self.account, cwd=self.folder, stdout=said, stderr=said, check=False)
            said.seek(0)
            if done.returncode:
                raise subprocess.CalledProcessError(done.returncode, command, said.read())

    def database(self, name: str) -> str:
        """Makes an empty one; its URL."""
        self.run("createdb", "--host", self.folder, "--username", ACCOUNT, name)
        return f"postgresql://{ACCOUNT}@/{name}?host={self.folder}"
