"""The system calls that Python has no function for. Each raises OSError, naming what was asked."""

import ctypes
import fcntl
import os
import socket
import struct

# From linux/sched.h, sys/mount.h, linux/prctl.h.
NEWNS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
READ_ONLY, NO_SUID, NO_DEV, NO_EXEC, REMOUNT, BIND, MOVE = 1, 2, 4, 8, 32, 4096, 8192
RECURSIVE, PRIVATE = 16384, 1 << 18
SET_DEATH_SIGNAL, SET_DUMPABLE, SET_SECCOMP, BOUNDING_SET_DROP, NO_NEW_PRIVILEGES, AMBIENT = 1, 4, 22, 24, 38, 47
AMBIENT_CLEAR_ALL = 4
SET_FLAGS, UP = 0x8914, 1
COLLAPSE = 25  # from asm/mman.h
CAPABILITIES_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def unshare(flags: int) -> None:
    """Gives this process new namespaces of its own."""
    _ask("unshare", flags)


def mount(source: str, target: str, kind: str, flags: int = 0, options: str = "") -> None:
    """Mounts in this process's mount namespace."""
    texts = [text.encode() for text in (source, target, kind)]
    _ask("mount", *texts, ctypes.c_ulong(flags), options.encode())


def prctl(option: int, *arguments: int) -> None:
    """Changes how the kernel treats this process."""
    padded = [*arguments, 0, 0, 0, 0][:4]
    _ask("prctl", option, *map(ctypes.c_ulong, padded))


def drop_capabilities() -> None:
    """Gives up all privileges within the namespaces, for this process and all that it starts."""
    for number in range(last_capability() + 1):
        prctl(BOUNDING_SET_DROP, number)
    prctl(AMBIENT, AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION_3, 0)
    _ask("capset", header, (ctypes.c_uint32 * 6)())


def loopback_up() -> None:
    """In a new network namespace even 127.0.0.1 is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh", b"lo", UP))


def use_huge_pages() -> None:
    """Puts this process's own memory into huge pages: a fork then copies one entry in place of 512.

    Where the system cannot (before Linux 6.1), all stays as it is.
    """
    with open("/proc/self/maps") as file:  # noqa: PTH123 (as below)
        mapped = [line.split() for line in file]
    for where, rights, _, _, _, *name in mapped:
        if rights == "rw-p" and name in ([], ["[heap]"]):
            start, end = (int(address, 16) for address in where.split("-"))
            _libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), COLLAPSE)


def last_capability() -> int:
    with open("/proc/sys/kernel/cap_last_cap") as file:  # noqa: PTH123 (before /proc is covered)
        return int(file.read())


def _ask(name: str, *arguments) -> None:
    if getattr(_libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}{arguments}: {os.strerror(number)}")
