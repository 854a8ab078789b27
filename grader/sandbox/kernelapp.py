"""IPython's own kernel, listening on sockets that were opened for it, outside."""

import os
import random
import signal
import sys
import traceback

import zmq
from ipykernel.kernelapp import IPKernelApp

from grader.sandbox.messages import ORDER


class ForkedKernel(IPKernelApp):
    """No connection file, no heartbeat, no history; everything else as in any ipykernel.

    The address of a socket is never seen here: the file system in which it lies is not this one's.
    """

    files: list[int]

    def parse_command_line(self, argv=None):
        """There is none, and to find that out takes a tenth of a kernel's start."""

    def init_connection_file(self):
        self.connection_file = "/scratch/home/kernel.json"

    def write_connection_file(self, **kwargs):
        pass

    def init_heartbeat(self):
        self.hb_port = 0

    def _apply_curve_client_options(self, sock):
        sock.reconnect_ivl = -1  # the debugger's own line to the shell socket: its address leads nowhere here
        super()._apply_curve_client_options(sock)

    def _try_bind_socket(self, s, port):
        s.setsockopt(zmq.USE_FD, self.files.pop(0))
        s.bind(f"ipc:///socket-{port}")
        return port


def serve(connection: dict, files: list[int], entropy: int) -> None:
    """Runs the kernel until it is ended. connection: `key` and `signature_scheme`; files: as in ORDER."""
    _reseed(entropy)
    log = os.dup(2)
    quiet = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(quiet, standard)
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.default_int_handler if name == signal.SIGINT else signal.SIG_DFL)
    ForkedKernel.files = list(files)
    app = ForkedKernel.instance()
    app.transport, app.ip = "ipc", "/socket"
    for port, name in enumerate(ORDER, 1):
        setattr(app, f"{name}_port", port)
    app.config.Session.key = connection["key"].encode()
    app.config.Session.signature_scheme = connection["signature_scheme"]
    app.config.HistoryManager.enabled = False
    try:
        app.initialize([])
    except BaseException:
        os.write(log, traceback.format_exc().encode())
        raise
    app.shell.ask_exit = _stay
    os.close(log)  # a file of the grader's: not for the student's code
    app.start()


def _stay() -> None:
    """What `quit()` does: the kernel would end a moment later, in one cell or the next."""


def _reseed(entropy: int) -> None:
    """Each fork its own numbers, whatever the warm process had."""
    random.seed(entropy)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(entropy % 2**32)
    if torch := sys.modules.get("torch"):
        torch.manual_seed(entropy)
        torch.set_num_threads(1)
