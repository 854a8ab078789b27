"""A fresh Jupyter kernel for each notebook: the simplest Runner, with no wall around the student's code."""

import asyncio
import contextlib
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbformat import NotebookNode

from grader.notebook.client import Client
from grader.notebook.frame import dump
from grader.notebook.processes import kill_tree
from grader.notebook.runner import CannotRun, Limits
from grader.notebook.surroundings import environment, private_folder

GRACE = 3.0  # seconds from the kill to giving up on the client's noticing it
# A kernel holds the key that signs its messages, so code in it can send anything, in any shape.
GARBLED = (AttributeError, IndexError, KeyError, TypeError, ValueError)


class FreshKernel:
    """Starts this Python's own ipykernel for one notebook, and kills it with all its children afterwards."""

    sandboxed = False

    def run(self, notebook: bytes, limits: Limits) -> bytes:
        nb = nbformat.reads(notebook.decode("utf-8"), as_version=4)
        with private_folder() as folder:
            nb.metadata["run"] = asyncio.run(_run(nb, folder, limits)) | {"sandboxed": self.sandboxed}
        return dump(nb)


async def _run(nb: NotebookNode, folder: Path, limits: Limits) -> dict:
    async with _kernel(nb, folder, limits) as (client, pid):
        started = time.monotonic()
        # A thread and not a task: a flood of messages must not keep the deadline from coming.
        with _deadline(limits.notebook_seconds, pid) as stopped:
            status = await _run_cells(client, limits)
        return {
            "status": "stopped" if stopped.is_set() else status,
            "cell": client.running,
            "seconds": round(time.monotonic() - started, 3),
        }


async def _run_cells(client: Client, limits: Limits) -> str:
    try:
        await asyncio.wait_for(client.run_cells(), limits.notebook_seconds + GRACE)
    except (RuntimeError, TimeoutError):  # nbclient's DeadKernelError is a RuntimeError
        return "died"
    except GARBLED:
        return "garbled"
    return "finished"


@contextlib.contextmanager
def _deadline(seconds: float, pid: int) -> Iterator[threading.Event]:
    """Kills the process and its children after so many seconds; the event tells whether that came."""
    reached = threading.Event()

    def stop() -> None:
        reached.set()
        kill_tree(pid)

    timer = threading.Timer(seconds, stop)
    timer.start()
    try:
        yield reached
    finally:
        timer.cancel()
        timer.join()


@contextlib.asynccontextmanager
async def _kernel(nb: NotebookNode, folder: Path, limits: Limits) -> AsyncIterator[tuple[Client, int]]:
    manager = _manager(folder)
    client = Client(nb, manager, limits)
    try:
        await manager.start_kernel(cwd=str(folder / "work"), env=environment(folder))
        await client.connect()
    except (OSError, RuntimeError, TimeoutError) as error:
        await _end(manager, client)
        raise CannotRun(f"no kernel could be started: {error or type(error).__name__}") from error
    try:
        yield client, manager.provisioner.process.pid
    finally:
        await _end(manager, client)


class _ThisPython(KernelSpecManager):
    """Knows one kernel, whatever kernelspecs are installed on the machine: the Python that runs the grader."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python", interrupt_mode="signal")


def _manager(folder: Path) -> AsyncKernelManager:
    manager = AsyncKernelManager(kernel_spec_manager=_ThisPython(), shutdown_wait_time=0)
    manager.connection_file = str(folder / "k.json")
    if sys.platform != "win32":
        # Sockets in the private folder: ports on localhost could be taken by another kernel just starting.
        manager.transport, manager.ip = "ipc", str(folder / "k")
    return manager


async def _end(manager: AsyncKernelManager, client: Client) -> None:
    if client.kc is not None:
        client.kc.stop_channels()
    if manager.has_kernel:
        # Not asked to shut down but killed: nothing of the student's may run on, and nobody waits for it.
        kill_tree(manager.provisioner.process.pid)
        await manager.shutdown_kernel(now=True)
