"""jupyter_client's way to a walled kernel: a kernel provisioner, the entry point `walled`.

A kernelspec chooses it, and says what the kernel sees:

    "metadata": {"kernel_provisioner": {"provisioner_name": "walled", "config": {"view": {…}, "caps": {…}}}}
"""

import asyncio
import contextlib
import signal
import socket
from functools import partial
from pathlib import Path

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import KernelProvisionerBase
from traitlets import Dict

from grader.sandbox.folders import new_folder, remove
from grader.sandbox.limits import Caps
from grader.sandbox.view import View
from grader.sandbox.warm import ORDER, Kernel, warm

STARTUP = 30  # seconds for a kernel to be forked, on a busy machine
STEP = 0.02


class WalledProvisioner(KernelProvisionerBase):
    """Asks this process's zygote for a kernel. What it listens on is opened here, outside the wall."""

    view = Dict(help="The fields of View.").tag(config=True)
    caps = Dict(help="The fields of Caps.").tag(config=True)
    kernel: Kernel | None = None
    folder: Path | None = None

    @property
    def has_process(self) -> bool:
        return self.kernel is not None

    async def poll(self) -> int | None:
        """None while the kernel runs."""
        return 0 if self.kernel is None or self.kernel.poll() is not None else None

    async def wait(self) -> int | None:
        while self.kernel is not None and self.kernel.poll() is None:
            await asyncio.sleep(STEP)
        if self.kernel is not None:
            self.kernel.close()
            self.kernel = None
        return 0

    async def send_signal(self, signum: int) -> None:
        """Interrupts come as messages (`interrupt_mode` of the kernelspec); other signals end the kernel."""
        if signum not in (0, signal.SIGINT):
            await self.kill()

    async def kill(self, restart: bool = False) -> None:
        if self.kernel is not None:
            self.kernel.kill()

    terminate = kill

    async def cleanup(self, restart: bool = False) -> None:
        if self.folder is not None:
            remove(self.folder)
            self.folder = None

    async def pre_launch(self, **kwargs):
        manager = self.parent
        if manager.transport != "ipc":
            self.folder = new_folder("kernel")
            manager.transport, manager.ip = "ipc", str(self.folder / "s")
        for port, name in enumerate((*ORDER, "hb"), 1):
            setattr(manager, f"{name}_port", port)
        return await super().pre_launch(cmd=[], **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs) -> KernelConnectionInfo:
        """Raises NoWall where none can be built."""
        loop, caps = asyncio.get_running_loop(), Caps(**self.caps)
        zygote = await loop.run_in_executor(None, partial(warm, View.of(self.view)))
        session = self.parent.session
        connection = {"key": session.key.decode(), "signature_scheme": session.signature_scheme}
        with contextlib.ExitStack() as stack:
            listening = [stack.enter_context(_listening(f"{self.parent.ip}-{port}")) for port in (1, 2, 3, 4)]
            self.kernel = zygote.kernel(connection, listening, caps)
        await loop.run_in_executor(None, self.kernel.started, STARTUP)
        return self.parent.get_connection_info()


def _listening(path: str) -> socket.socket:
    """What is sent to it before the kernel is ready waits."""
    here = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    here.bind(path)
    here.listen(16)
    return here
