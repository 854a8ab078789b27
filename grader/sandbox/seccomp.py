"""The system calls that no notebook needs and that reach around the limits: they fail, as on a kernel without them.

A classic BPF program, because it is all that is needed: compare the number, answer. Sockets other than the
usual families are refused, too: some of them (vsock) are in no network namespace.
"""

import ctypes
import errno
import platform
import struct

from grader.sandbox.linux import NO_NEW_PRIVILEGES, SET_SECCOMP, prctl

ALLOW, ERRNO, FILTER = 0x7FFF0000, 0x00050000, 2
LOAD, AND, EQUAL, AT_LEAST, ANY_OF, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, FOURTH_ARGUMENT = 0, 4, 16, 40  # offsets in struct seccomp_data
X32 = 0x40000000
UNIX, INET, INET6, NETLINK = 1, 2, 10, 16
NEW_NAMESPACES = 0x7E020000  # of clone's flags
SHARED_ANONYMOUS = 0x21  # of mmap's: memory that stays where no process shows it, and that RLIMIT_DATA passes over

# name: (x86_64, aarch64). Memory that no limit counts, namespaces and mounts, other processes, kernel doors.
REFUSED = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "io_setup": (206, 0),
    "inotify_init": (253, 244),  # (aarch64 has none; its number there is nobody's)
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
    "clone3": (435, 435),  # its flags cannot be looked at; glibc then takes clone
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_getfd": (438, 438),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "kcmp": (312, 272),
    "syslog": (103, 116),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "open_by_handle_at": (304, 265),
    "quotactl": (179, 60),
    "swapon": (167, 224),
    "reboot": (169, 142),
}
SOCKET, CLONE, MMAP = (41, 198), (56, 220), (9, 222)
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def supported() -> bool:
    """Whether the numbers of this machine's system calls are known here."""
    return platform.machine() in ARCHITECTURES


def refuse_calls() -> None:
    """From now on, for this process and all that it starts. Raises OSError where there is no seccomp."""
    code = program(platform.machine())
    buffer = ctypes.create_string_buffer(code, len(code))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer)))
    prctl(NO_NEW_PRIVILEGES, 1)
    prctl(SET_SECCOMP, FILTER, ctypes.addressof(header))


def program(machine: str) -> bytes:
    """The filter for a machine, one instruction of 8 bytes after the other."""
    which = list(ARCHITECTURES).index(machine)
    no = (RETURN, 0, 0, ERRNO | errno.ENOSYS)
    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, ARCHITECTURES[machine]), no, (LOAD, 0, 0, NUMBER)]
    steps += [(AT_LEAST, 0, 1, X32), no]  # the same calls by other numbers
    for numbers in REFUSED.values():
        steps += [(EQUAL, 0, 1, numbers[which]), no]
    steps += [(EQUAL, 0, 4, CLONE[which]), (LOAD, 0, 0, FIRST_ARGUMENT)]
    steps += [(ANY_OF, 0, 1, NEW_NAMESPACES), no, (RETURN, 0, 0, ALLOW)]
    steps += [(EQUAL, 0, 5, MMAP[which]), (LOAD, 0, 0, FOURTH_ARGUMENT), (AND, 0, 0, SHARED_ANONYMOUS)]
    steps += [(EQUAL, 0, 1, SHARED_ANONYMOUS), no, (RETURN, 0, 0, ALLOW)]
    steps += [(EQUAL, 0, 6, SOCKET[which]), (LOAD, 0, 0, FIRST_ARGUMENT)]
    steps += [(EQUAL, 4, 0, UNIX), (EQUAL, 3, 0, INET), (EQUAL, 2, 0, INET6), (EQUAL, 1, 0, NETLINK)]
    steps += [(RETURN, 0, 0, ERRNO | errno.EAFNOSUPPORT), (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)
