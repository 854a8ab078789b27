"""The wall from inside: what code in a kernel sees, what it can touch, and what ends it."""

import asyncio
import os
import platform
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

import grader
from grader.paths import find_course
from grader.sandbox import Caps, seccomp
from tests.notebook.kernels import soon
from tests.redteam.kernels import answers, printed, run, standing_kernel, status, traces

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the wall is Linux's")
ROOT = Path(grader.__file__).parents[1]
WRITABLE = ("/scratch", "/tmp", "/dev/shm")
MB = 2**20

LOOKS = {
    "files": """
        import socket
        found = []
        for number in sorted(map(int, os.listdir("/proc/self/fd"))):
            try: target = os.readlink(f"/proc/self/fd/{number}")
            except OSError: continue
            facts = {"number": number, "target": target}
            if target.startswith("socket"):
                with socket.socket(fileno=os.dup(number)) as it:
                    facts |= {"type": it.type, "family": it.family, "peer": attempt(it.getpeername)}
            found.append(facts)
        answer(found)
    """,
    "others": """
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit() and not os.path.islink("/proc/" + name)]
        reached = [pid for pid in range(1, 3000) if attempt(lambda: os.pidfd_open(pid)).startswith("done")]
        pidfd = os.pidfd_open(1)
        answer({"proc": pids, "me": [os.getpid(), int(os.readlink("/proc/self"))], "reached": reached,
                "init's files": [call(438, pidfd, number, 0) for number in range(20)],
                "init's entry": [attempt(lambda: open(f"/proc/1/{name}").read()) for name in ("maps", "mem")],
                "trace": call(101, 16, 1, 0, 0), "read": call(310, 1, 0, 0, 0, 0, 0)})
    """,
    "privileges": """
        lines = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
        answer({"status": lines, "uid": os.getresuid(), "groups": os.getgroups(),
                "become": [attempt(lambda: os.setuid(0)), attempt(lambda: os.setgroups([0])),
                           attempt(lambda: os.setresuid(0, 0, 0)), attempt(lambda: os.chroot("/scratch")),
                           attempt(lambda: os.mknod("/scratch/device", 0o60600, os.makedev(254, 0)))],
                "su": os.system("su -c id </dev/null >/dev/null 2>&1"),
                "mounts": [line for line in open("/proc/self/mountinfo") if "nosuid" not in line]})
    """,
    "sockets": """
        import socket
        made = {}
        for family in range(50):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
                try: socket.socket(family, kind).close()
                except OSError: continue
                made.setdefault(family, []).append(kind)
        answer(made)
    """,
    "network": """
        import socket
        def ask(address, family=socket.AF_INET):
            with socket.socket(family) as it:
                it.settimeout(3)
                return attempt(lambda: it.connect(address))
        def datagram():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as it: return it.sendto(b"x", ("1.1.1.1", 53))
        names = [line.split()[7:] for line in open("/proc/self/net/unix").read().splitlines()[1:]]
        answer({"canary": ask(("127.0.0.1", PORT)), "abroad": ask(("1.1.1.1", 53)), "udp": attempt(datagram),
                "v6": ask(("::1", PORT), socket.AF_INET6), "abstract": ask("\\0ABSTRACT", socket.AF_UNIX),
                "dns": attempt(lambda: socket.getaddrinfo("example.org", 80)),
                "interfaces": [name for _, name in socket.if_nameindex()], "unix": [n for n in names if n]})
    """,
    "writes": """
        def writable():
            for folder, folders, files in os.walk("/", followlinks=False):
                if folder.startswith(("/scratch", "/tmp", "/dev/shm", "/proc")):
                    folders.clear()
                    continue
                for name in [".", *files]:
                    path = os.path.join(folder, name)
                    if os.access(path, os.W_OK) and not os.path.islink(path): yield path
        def create(path):
            with open(path, "w") as file: file.write("planted")
        folders = ["/", "/dev", "/etc", "/usr/lib", "/course", "/course/grader", "/proc", "/proc/sys/kernel", "/sys",
                   sys.prefix, sys.base_prefix, *sys.path, os.path.dirname(os.__file__), "/root", "/home", "/var"]
        answer({"open": list(writable()), "made": {f: attempt(lambda: create(f + "/planted.pth")) for f in folders},
                "again": [attempt(lambda: os.chmod("/course", 0o777)), attempt(lambda: os.link(os.__file__, "/tmp"))]})
    """,
    "settings": """
        wrote = []
        for root in ("/proc/sys", "/proc/self"):
            for folder, folders, files in os.walk(root):
                if folder.split("/")[3:4] in (["task"], ["net"], ["fd"], ["map_files"]): folders.clear(); continue
                for name in files:
                    try: file = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_NONBLOCK)
                    except OSError: continue
                    try: os.write(file, b"-17"); wrote.append(os.path.join(folder, name))
                    except OSError: pass
                    os.close(file)
        answer(wrote)
    """,
    "secrets": """
        tree = [os.path.join(folder, name) for folder, _, files in os.walk("/") for name in files
                if not folder.startswith(("/proc", "/usr"))]
        words = ("gradebook", "solutions/", "submitted", "autograded", "feedback", "/answers", "/judge", ".ssh",
                 "/notebook/", "/author/", "quiz/bank", "shadow", "secret",
                 "passwd", ".git/", "id_rsa", ".netrc", "kernel.json")
        mine = [p for p in tree if "site-packages" not in p and sys.base_prefix not in p and sys.prefix not in p]
        answer({"env": dict(os.environ), "found": [p for p in mine if any(word in p for word in words)],
                "imports": {name: attempt(lambda: __import__(name)) for name in (
                    "grader.answers", "grader.judge", "grader.notebook", "grader.course", "quiz.bank")},
                "paths": [p for p in PATHS if os.path.lexists(p)], "command": open("/proc/self/cmdline").read()})
    """,
    "namespaces": """
        answer({name: os.readlink(f"/proc/self/ns/{name}") for name in os.listdir("/proc/self/ns")})
    """,
    "calls": """
        answer({name: call(number, 0, 0, 0, 0, 0, 0) for name, number in NUMBERS.items()})
    """,
    "clones": """
        flags = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x8000000,
                 "uts": 0x4000000, "cgroup": 0x2000000, "time": 0x80}
        answer({"clone": {n: call(CLONE, f | 17, 0, 0, 0, 0) for n, f in flags.items() if n != "time"},
                "unshare": {n: attempt(lambda: os.system(f"unshare --{n} true 2>/dev/null") and 1 / 0) for n in flags
                            if n != "time"}})
    """,
    "memory": """
        import mmap
        zero = os.open("/dev/zero", os.O_RDWR)
        answer([attempt(lambda: mmap.mmap(-1, 4096)), attempt(lambda: mmap.mmap(zero, 4096)),
                attempt(lambda: mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))[:4]])
    """,
    "works": """
        import getpass, multiprocessing, subprocess, threading, torch
        with multiprocessing.Pool(2) as pool: found = pool.map(abs, [-1, -2])
        get_ipython().system("echo hi > /tmp/out")
        answer([found, getpass.getuser(), open("/tmp/out").read(), torch.ones(2).share_memory_().tolist(),
                subprocess.run(["sh", "-c", "echo $HOME"], capture_output=True, text=True).stdout.strip()])
    """,
}


@pytest.fixture(scope="module")
def canary():
    """A socket on this machine's loopback that must see nobody, and one with an abstract name."""
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0grader-canary")
        abstract.listen()
        yield tcp.getsockname()[1], (tcp, abstract)
        for one in (tcp, abstract):
            one.setblocking(False)
            with pytest.raises(BlockingIOError):
                one.accept()


@pytest.fixture(scope="module")
def seen(canary, tmp_path_factory) -> dict:
    """The answer to each look, all from one kernel."""
    os.environ["SECRET_TOKEN"] = "hunter2"
    course = find_course(ROOT)
    paths = [course.solutions, course.root / "gradebook.db", ROOT / "grader" / "answers", ROOT / "tests", Path.home()]
    numbers = {
        name: both[list(seccomp.ARCHITECTURES).index(platform.machine())] for name, both in seccomp.REFUSED.items()
    }
    clone = seccomp.CLONE[list(seccomp.ARCHITECTURES).index(platform.machine())]
    head = f"PORT, PATHS, NUMBERS, CLONE = {canary[0]}, {[str(p) for p in paths[:-1]]!r}, {numbers!r}, {clone}\n"
    head = head.replace("ABSTRACT", "grader-canary")
    looks = [source.replace("ABSTRACT", "grader-canary") for source in LOOKS.values()]
    made = run(head, *looks, output_bytes=4 * MB)
    del os.environ["SECRET_TOKEN"]
    assert status(made) == "finished" and printed(made, 0) == ""
    return {name: answers(made, number) for number, name in enumerate(LOOKS, 1)}


def test_no_file_of_the_graders_is_open(seen):
    for file in seen["files"]:
        assert file["target"].startswith(("/dev/null", "pipe:", "anon_inode:", "socket:")), file
        # The lines to keeper and zygote are of the kind SEQPACKET; a kernel's own are streams.
        assert file.get("type", socket.SOCK_STREAM) == socket.SOCK_STREAM, file


def test_other_processes_cannot_be_seen_or_reached(seen):
    others = seen["others"]
    assert others["proc"] == [others["me"][1]]
    assert set(others["reached"]) == {1, others["me"][0]}, "its own init, which cannot be signalled, and itself"
    assert set(others["init's files"]) == {"ENOSYS"}
    assert all(error == "FileNotFoundError" for error in others["init's entry"])
    assert (others["trace"], others["read"]) == ("ENOSYS", "ENOSYS")


def test_no_privileges(seen):
    found, lines = seen["privileges"], seen["privileges"]["status"]
    assert all(int(lines[f"Cap{kind}"], 16) == 0 for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb"))
    assert (lines["NoNewPrivs"], lines["Seccomp"]) == ("1", "2")
    assert found["uid"] == [1000] * 3
    assert not any(error.startswith("done") for error in found["become"]), found["become"]
    assert found["su"] != 0 and found["mounts"] == []


def test_only_harmless_kinds_of_sockets(seen):
    usual = {str(int(f)) for f in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)}
    assert seen["sockets"].keys() <= usual
    for family in (socket.AF_INET, socket.AF_INET6):
        assert socket.SOCK_RAW not in seen["sockets"].get(str(int(family)), [])


def test_no_network(seen):
    found = seen["network"]
    assert found["canary"] == "ConnectionRefusedError", "its own loopback, not this machine's"
    assert found["dns"] == "gaierror" and found["interfaces"] == ["lo"] and found["unix"] == []
    assert not any(str(found[way]).startswith("done") for way in ("abroad", "udp", "v6", "abstract")), found


def test_nothing_can_be_written_outside_the_scratch(seen):
    found = seen["writes"]
    devices = {f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty", "pts/ptmx")}
    assert set(found["open"]) <= devices
    assert not any(how.startswith("done") for how in found["made"].values()), found["made"]
    assert not any(how.startswith("done") for how in found["again"])


def test_no_setting_of_the_machine_can_be_changed(seen):
    own = {"coredump_filter", "clear_refs", "comm", "timerslack_ns", "autogroup", "oom_adj", "oom_score_adj", "sched"}
    assert {Path(path).name for path in seen["settings"] if path.startswith("/proc/self")} <= own
    assert [path for path in seen["settings"] if not path.startswith("/proc/self")] == []


def test_nothing_secret_is_there(seen):
    found = seen["secrets"]
    assert "hunter2" not in str(found["env"]) and set(found["imports"].values()) == {"ModuleNotFoundError"}
    assert found["found"] == [] and found["paths"] == []


def test_own_namespaces(seen):
    for name in ("user", "pid", "mnt", "ipc", "net", "uts"):
        assert seen["namespaces"][name] != str(Path(f"/proc/self/ns/{name}").readlink()), name


def test_calls_that_no_notebook_needs_fail(seen):
    assert set(seen["calls"].values()) == {"ENOSYS"}, seen["calls"]
    assert set(seen["clones"]["clone"].values()) == {"ENOSYS"}
    assert set(seen["clones"]["unshare"].values()) == {"ZeroDivisionError"}


def test_no_memory_that_nobody_counts(seen):
    assert seen["memory"] == ["OSError", "OSError", "done"]


def test_what_notebooks_need_works(seen):
    assert seen["works"] == [[1, 2], "student", "hi\n", [1.0, 1.0], "/scratch/home"]


# Caps that are reached soon. The kernel's own threads count among the processes.
SMALL = Caps(memory_bytes=256 * MB, processes=64, scratch_bytes=8 * MB, file_bytes=4 * MB, cpu_seconds=3)
HUNGRY = "data = bytearray(150 * 2**20)\nfor i in range(0, len(data), 4096): data[i] = 1\ntime.sleep(100)"
ENDS = {
    "fork bomb": (
        "while True:\n    if attempt(os.fork) != 'done: 0': attempt(lambda: time.sleep(0.01))",
        ("processes",),
    ),
    "patient fork bomb": (
        "for _ in range(200):\n    if not attempt(os.fork).startswith('done'): break\ntime.sleep(100)",
        ("processes",),
    ),
    "threads": (
        "import threading\nwhile True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        ("processes",),
    ),
    "memory in children": (
        f"for _ in range(3):\n    if os.fork() == 0:\n        exec({HUNGRY!r})\ntime.sleep(100)",
        ("memory",),
    ),
    "page tables": (
        "import mmap\nlibc.mmap.restype = ctypes.c_void_p\n"
        "libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]\n"
        "size = 2 * 2**40\nplace = libc.mmap(None, size, mmap.PROT_READ, 0x4022, -1, 0)\n"
        "libc.madvise(ctypes.c_void_p(place), ctypes.c_size_t(size), 15)\n"
        "for step in range(0, size, 2**21): ctypes.string_at(place + step, 1)\ntime.sleep(100)",
        ("memory",),
    ),
    "sockets": (
        "import socket\nfor _ in range(3):\n    if os.fork() == 0:\n"
        "        kept = [socket.socketpair() for _ in range(70)]\n        time.sleep(100)\ntime.sleep(100)",
        ("memory",),
    ),
    "processor": ("while True: attempt(lambda: sum(range(10**9)))", ("died",)),
    "kills itself": ("os.kill(os.getpid(), 9)", ("died",)),
    "stack": ("import sys; sys.setrecursionlimit(10**9)\nf = lambda: f()\nwhile True: f()", ("died", "finished")),
}


@pytest.mark.parametrize("bomb", ENDS)
def test_over_a_limit_it_ends(bomb):
    source, fates = ENDS[bomb]
    before = traces()
    started = time.monotonic()
    # (A thread's stack counts as memory: of many threads the small cap would be reached first.)
    made = run(
        source, "print('next')", caps=replace(SMALL, memory_bytes=2048 * MB) if bomb == "threads" else SMALL, seconds=60
    )
    assert status(made) in fates and time.monotonic() - started < 100
    assert soon(lambda: traces() <= before)


LIVES = {
    "one bomb of memory": ("answer(attempt(lambda: bytearray(1 << 30)))", "MemoryError"),
    "torch": ("import torch\nanswer(attempt(lambda: torch.ones(1 << 30)))", "RuntimeError"),
    "a large file": (
        "def fill(): \n    with open('/scratch/a', 'wb') as f:\n        while True: f.write(bytes(2**20))\n"
        "answer([attempt(fill), os.path.getsize('/scratch/a') // 2**20])",
        ["OSError", 4],
    ),
    "every disk": (
        "def fill(folder):\n    for n in range(10**6): Path(folder, str(n)).write_bytes(bytes(2**20))\n"
        "answer([attempt(lambda: fill(f)) for f in ('/scratch', '/tmp', '/dev/shm', '/', '/dev', '/proc')])",
        ["OSError"] * 6,
    ),
    "every inode": (
        "def fill(folder):\n    for n in range(10**6): Path(folder, str(n)).touch()\n"
        "answer([attempt(lambda: fill(f)) for f in ('/scratch', '/dev/shm')])",
        ["OSError"] * 2,
    ),
    "terminals": ("def all():\n    while True: os.openpty()\nanswer(attempt(all))", "OSError"),
    "files": (
        "kept = []\ndef all():\n    while True: kept.append(open('/dev/null'))\n"
        "found = attempt(all)\nkept.clear()\nanswer(found)",
        "OSError",
    ),
    "all others": (
        "answer([attempt(lambda: os.kill(-1, 9)), attempt(lambda: os.kill(1, 9)), attempt(lambda: os.kill(1, 19))])",
        None,
    ),
    "its parent": ("answer(attempt(lambda: os.kill(os.getppid(), 9)))", None),
}


@pytest.mark.parametrize("greed", LIVES)
def test_up_to_a_limit_it_lives(greed):
    """The code gets an error, and the next cell runs: what was earned before stays earned."""
    source, wanted = LIVES[greed]
    made = run(source, "answer('next')", caps=SMALL)
    assert status(made) == "finished"
    assert wanted is None or answers(made) == wanted
    assert answers(made, 1) == "next"


def test_stopped_processes_are_ended():
    before = traces()
    made = run("os.kill(os.getpid(), 19)", seconds=60, notebook_seconds=3)
    assert status(made) == "stopped" and soon(lambda: traces() <= before)


DAEMON = """
import subprocess
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for name in (1, 2, 15): __import__("signal").signal(name, __import__("signal").SIG_IGN)
        os.execvp("sleep", ["sleep", "98765"])
    os._exit(0)
subprocess.Popen(["sh", "-c", "setsid nohup sleep 98765 & sleep 98765"], start_new_session=True)
time.sleep(0.5)
"""


def test_daemons_end_with_the_kernel():
    before = traces()
    assert status(run(DAEMON)) == "finished"
    assert soon(lambda: traces() <= before)
    deadline = time.monotonic() + 10
    while (left := [p for p in psutil.process_iter(["cmdline"]) if "98765" in (p.info["cmdline"] or [])]) and (
        time.monotonic() < deadline
    ):
        time.sleep(0.1)
    assert not left


MARKS = """
for folder in ("/scratch", "/scratch/work", "/scratch/home", "/tmp", "/dev/shm"):
    Path(folder, "mark-of-the-first").touch()
import socket
name = socket.socket(socket.AF_UNIX); name.bind("\\0first"); name.listen()
path = socket.socket(socket.AF_UNIX); path.bind("/tmp/first.sock"); path.listen()
door = socket.create_server(("127.0.0.1", 45454))
terminal = os.openpty()
"""
SEEN = """
import socket
marks = [os.path.join(f, n) for f, _, names in os.walk("/") if f[:5] not in ("/usr/", "/proc")
         for n in names if "mark-of" in n]
reach = [attempt(lambda: socket.socket(socket.AF_UNIX).connect(n)) for n in ("\\0first", "/tmp/first.sock")]
reach.append(attempt(lambda: socket.create_connection(("127.0.0.1", 45454), 3)))
answer({"marks": marks, "reach": reach, "pts": os.listdir("/dev/pts"), "up": [
    pid for pid in range(2, 3000) if pid != os.getpid() and attempt(lambda: os.pidfd_open(pid)).startswith("done")],
    "ns": os.readlink("/proc/self/ns/pid"), "zmq": [l for l in open("/proc/self/net/unix") if "/" in l]})
"""


def test_two_kernels_know_nothing_of_each_other():
    async def both() -> dict:
        async with standing_kernel(MARKS):
            return await asyncio.to_thread(lambda: answers(run(SEEN)))

    found = asyncio.run(both())
    assert found["marks"] == [] and found["up"] == [] and found["pts"] == ["ptmx"] and found["zmq"] == []
    assert not any(how.startswith("done") for how in found["reach"]), found["reach"]


PLANT = """
import site
code = "import os; os._exit(3)"
wrote = []
places = {*sys.path, *site.getsitepackages(), site.getusersitepackages(), os.getcwd(), "/course", "/scratch/home",
          "/scratch/home/.ipython/profile_default/startup", "/scratch/home/ipython/profile_default/startup", "/tmp",
          "/scratch/home/.local/lib", "/scratch/home/matplotlib", "/dev/shm", os.path.dirname(os.__file__)}
for place in filter(None, places):
    for name in ("sitecustomize.py", "usercustomize.py", "evil.pth", "00-startup.py", "torch.py", "grader.py"):
        try:
            os.makedirs(place, exist_ok=True)
            Path(place, name).write_text(code)
            wrote.append(os.path.abspath(place))
        except OSError: pass
answer(wrote)
"""


LEFT = """
import grader.probe, torch
found = [os.path.join(folder, name) for top in ("/scratch", "/tmp", "/dev/shm") for folder, _, names in os.walk(top)
         if sys.prefix not in folder and sys.base_prefix not in folder for name in names]  # which may lie in /tmp
answer([found, torch.__file__.startswith(sys.prefix), os.system("python3 -c pass") in (0, 256, 32512)])
"""


def test_nothing_is_left_for_the_next_one():
    made = run(PLANT)
    assert all(place.startswith(WRITABLE) for place in answers(made))
    after = run(LEFT)
    assert answers(after)[1:] == [True, True]
    assert [path for path in answers(after)[0] if "ipython" not in path] == []
