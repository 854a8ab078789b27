"""A fresh Jupyter kernel for each notebook, with the rights of whoever runs the grader: for trusted code."""

import sys
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager

from grader.notebook.kernel import KernelRunner
from grader.notebook.surroundings import environment
from grader.sandbox.processes import kill_tree


class FreshKernel(KernelRunner):
    """Starts this Python's own ipykernel. No wall, and seconds for its imports, each time."""

    def manager(self, folder: Path) -> AsyncKernelManager:
        manager = AsyncKernelManager(kernel_spec_manager=_ThisPython(), shutdown_wait_time=0)
        manager.connection_file = str(folder / "k.json")
        if sys.platform != "win32":
            # Sockets in the private folder: ports on localhost could be taken by another kernel just starting.
            manager.transport, manager.ip = "ipc", str(folder / "k")
        return manager

    async def start(self, manager: AsyncKernelManager, folder: Path) -> None:
        await manager.start_kernel(cwd=str(folder / "work"), env=environment(folder))

    def kill(self, manager: AsyncKernelManager) -> None:
        if (process := manager.provisioner.process) is not None:
            kill_tree(process.pid)


class _ThisPython(KernelSpecManager):
    """Knows one kernel, whatever kernelspecs are installed on the machine: the Python that runs the grader."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python", interrupt_mode="signal")
