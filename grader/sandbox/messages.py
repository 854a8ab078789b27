"""What goes over the socket between a grader's process and the zygote: one JSON object, with open files."""

import array
import json
import socket

SIZE, FILES = 1 << 16, 8
ORDER = ("shell", "stdin", "control", "iopub")  # in which a kernel binds its sockets


def send(channel: socket.socket, message: dict, files: list[int] | tuple[int, ...] = ()) -> None:
    """Sends a message, and with it copies of open files."""
    packed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else []
    channel.sendmsg([json.dumps(message).encode()], packed)


def receive(channel: socket.socket) -> tuple[dict, list[int]] | None:
    """The next message and its files; None when the other side is gone."""
    try:
        data, files, _, _ = socket.recv_fds(channel, SIZE, FILES)
    except ConnectionError:
        return None
    return (json.loads(data), list(files)) if data else None
