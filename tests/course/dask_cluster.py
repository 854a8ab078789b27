"""A real Dask scheduler and real workers, started as their own processes."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECONDS = 300  # for a process to start, on a busy machine
QUICK = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s", "DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "1s"}


class Cluster:
    """Used in a `with` statement: everything that was started is ended."""

    def __init__(self, folder: Path, protocol: str = "tcp", **environment: str):
        self.folder, self.protocol = folder, protocol
        self.environment = {"PYTHONPATH": str(ROOT)} | QUICK | environment
        self.started: list[subprocess.Popen] = []

    def __enter__(self) -> "Cluster":
        where = ["--host", f"{self.protocol}://127.0.0.1", "--port", "0"]
        self.scheduler = self._start("scheduler", "dask_scheduler", *where)
        self.address = self._said("scheduler", rf"Scheduler at:\s+({self.protocol}://\S+)")
        return self

    def worker(self, *options: str, **environment: str) -> subprocess.Popen:
        """One slot, and no nanny that starts it anew."""
        name = f"worker{len(self.started)}"
        fixed = [self.address, "--nthreads", "1", "--name", name]
        process = self._start(name, "dask_worker", *fixed, *(options or ["--no-nanny"]), **environment)
        self._said(name, rf"Registered to:\s+({self.protocol}://\S+)")
        return process

    def address_of(self, worker: subprocess.Popen) -> str:
        return self._said(f"worker{self.started.index(worker)}", rf"Start worker at:\s+({self.protocol}://\S+)")

    def _start(self, name: str, module: str, *options: str, **environment: str) -> subprocess.Popen:
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *options]
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=os.environ | self.environment | environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.started.append(process)
        return process

    def _said(self, name: str, pattern: str) -> str:
        log, begun = self.folder / f"{name}.log", time.monotonic()
        while (found := re.search(pattern, log.read_text(errors="replace"))) is None:
            assert time.monotonic() - begun < SECONDS, log.read_text(errors="replace")[-2000:]
            time.sleep(0.1)
        return found[1]

    def __exit__(self, *error) -> None:
        for process in reversed(self.started):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
