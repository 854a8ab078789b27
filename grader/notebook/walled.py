"""A kernel behind the wall, forked from a warm process: for everybody's code."""

from dataclasses import dataclass, field
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager

from grader.notebook.kernel import KernelRunner
from grader.notebook.runner import CannotRun
from grader.sandbox import Caps, View
from grader.sandbox.bubblewrap import NoWall
from grader.sandbox.provisioner import WalledProvisioner
from grader.shown import shown


@dataclass(frozen=True)
class WalledKernel(KernelRunner):
    """Forks a kernel that sees nothing of this machine but Python. See `grader.sandbox`."""

    caps: Caps = field(default_factory=Caps)
    sandboxed = True

    def manager(self, folder: Path) -> AsyncKernelManager:
        specs = _Walled()
        specs.metadata = {"view": view().to_json(), "caps": self.caps.to_json()}
        manager = AsyncKernelManager(kernel_spec_manager=specs, shutdown_wait_time=0)
        manager.connection_file = str(folder / "k.json")
        manager.transport, manager.ip = "ipc", str(folder / "k")
        return manager

    async def start(self, manager: AsyncKernelManager, folder: Path) -> None:
        try:
            await manager.start_kernel()
        except NoWall as error:
            raise CannotRun(f"{error}. What to do: {error.remedy}") from error

    def kill(self, manager: AsyncKernelManager) -> None:
        kernel = manager.provisioner.kernel
        if kernel is not None:
            kernel.kill()

    def fate(self, manager: AsyncKernelManager) -> str | None:
        provisioner: WalledProvisioner = manager.provisioner
        ended = provisioner.kernel.wait(SECONDS)["ended"] if provisioner.kernel else None
        return ended if ended in ("memory", "processes") else None


SECONDS = 2.0  # from a kernel's last message to its keeper's word


class _Walled(KernelSpecManager):
    metadata: dict

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        chosen = {"provisioner_name": "walled", "config": self.metadata}
        return KernelSpec(
            argv=[],
            display_name="Python 3",
            language="python",
            interrupt_mode="message",
            metadata={"kernel_provisioner": chosen},
        )


def view() -> View:
    """What is shown of the course, from where this process has it."""
    return View(*shown())
