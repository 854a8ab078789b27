"""Runs a notebook's cells in a kernel of its own, and ends that kernel with all its processes.

How the kernel is started and ended is its kind's: `fresh` (no wall) and `walled`.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbformat import NotebookNode

from grader.notebook.client import Client
from grader.notebook.frame import dump
from grader.notebook.runner import CannotRun, Limits
from grader.notebook.surroundings import private_folder

GRACE = 3.0  # seconds from the kill to giving up on the client's noticing it
# A kernel holds the key that signs its messages, so code in it can send anything, in any shape.
GARBLED = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError, nbformat.ValidationError)


class KernelRunner:
    """A Runner: one new kernel for each notebook, killed with all its children afterwards."""

    sandboxed = False

    def manager(self, folder: Path) -> AsyncKernelManager:
        """Manages one kernel whose sockets lie in `folder`."""
        raise NotImplementedError

    async def start(self, manager: AsyncKernelManager, folder: Path) -> None:
        """Raises OSError or RuntimeError where it cannot be started, CannotRun where none ever can."""
        raise NotImplementedError

    def kill(self, manager: AsyncKernelManager) -> None:
        """SIGKILL for the kernel and all that it has started; called from any thread, more than once."""
        raise NotImplementedError

    def fate(self, manager: AsyncKernelManager) -> str | None:
        """Why a kernel that has ended has been ended, if it has been: "memory" or "processes"."""
        return None

    def run(self, notebook: bytes, limits: Limits) -> bytes:
        nb = nbformat.reads(notebook.decode("utf-8"), as_version=4)
        with private_folder() as folder:
            nb.metadata["run"] = asyncio.run(self._run(nb, folder, limits)) | {"sandboxed": self.sandboxed}
        return dump(nb)

    async def _run(self, nb: NotebookNode, folder: Path, limits: Limits) -> dict:
        asked = time.monotonic()
        async with self._kernel(nb, folder, limits) as client:
            started = time.monotonic()
            # A thread and not a task: a flood of messages must not keep the deadline from coming.
            with self._deadline(limits.notebook_seconds, client.km) as stopped:
                status = await _run_cells(client, limits)
            if status != "finished":
                status = self.fate(client.km) or status
            return {
                "status": "stopped" if stopped.is_set() else status,
                "cell": client.running,
                "seconds": round(time.monotonic() - started, 3),
                "kernel_seconds": round(started - asked, 3),
            }

    @contextlib.contextmanager
    def _deadline(self, seconds: float, manager: AsyncKernelManager) -> Iterator[threading.Event]:
        """Kills the kernel after so many seconds; the event tells whether that came."""
        reached = threading.Event()

        def stop() -> None:
            reached.set()
            self.kill(manager)

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            yield reached
        finally:
            timer.cancel()
            timer.join()

    @contextlib.asynccontextmanager
    async def _kernel(self, nb: NotebookNode, folder: Path, limits: Limits) -> AsyncIterator[Client]:
        client = Client(nb, self.manager(folder), limits)
        try:
            await self.start(client.km, folder)
            await client.connect()
        except (OSError, RuntimeError, TimeoutError) as error:
            await self._end(client)
            raise CannotRun(f"no kernel could be started: {error or type(error).__name__}") from error
        try:
            yield client
        finally:
            await self._end(client)

    async def _end(self, client: Client) -> None:
        if client.kc is not None:
            client.kc.stop_channels()
        if client.km.has_kernel:
            # Not asked to shut down but killed: nothing of the student's may run on, and nobody waits for it.
            self.kill(client.km)
            await client.km.provisioner.wait()
            await client.km.cleanup_resources()


async def _run_cells(client: Client, limits: Limits) -> str:
    try:
        await asyncio.wait_for(client.run_cells(), limits.notebook_seconds + GRACE)
    except GARBLED:
        return "garbled"
    except (RuntimeError, TimeoutError):  # nbclient's DeadKernelError is a RuntimeError
        return "died"
    return "finished"
