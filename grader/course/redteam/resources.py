"""Time, memory, processes, disks, output: taken without end."""

from grader.course.redteam.attack import ALL, REST, Attack, Target, beside, inside, place, plain, solving

CATCHES_ALL = """
import time
while True:
    try:
        while True: time.sleep(0.05)
    except BaseException: pass
"""
IGNORES = """
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
while True: time.sleep(0.05)
"""
FORKS = """
import os, time
while True:
    try: os.fork()
    except OSError: time.sleep(0.01)
"""
CHILDREN = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        data = bytearray(500 * 2**20)
        for i in range(0, len(data), 4096): data[i] = 1
        time.sleep(1000)
time.sleep(1000)
"""
SHARED = """
import mmap
data = mmap.mmap(-1, 64 * 2**30)
for i in range(0, len(data), 4096): data[i] = 1
"""
FILLS = """
import os
def fill(folder):
    for n in range(10**6):
        with open(f"{folder}/{n}", "wb") as file: file.write(bytes(2**20))
for folder in ("/", "/dev/shm", "/tmp", os.getcwd()):
    try: fill(folder)
    except OSError as error: print(folder, error)
"""
INODES = """
import os
for folder in ("/dev/shm", "/tmp"):
    try:
        for n in range(10**7): open(f"{folder}/{n}", "w").close()
    except OSError as error: print(folder, error)
"""
PRINTS = """
while True:
    try: print("x" * 2**20)
    except BaseException: pass
"""
MESSAGES = """
from IPython.display import display
for i in range(10**6): display({"text/plain": str(i)}, raw=True)
"""
FILES = """
kept = []
while True: kept.append(open("/dev/null"))
"""
DEEP = """
import sys
sys.setrecursionlimit(10**9)
f = lambda n: f(n + 1) + 1
f(0)
"""


def sleeps(target: Target) -> bytes:
    """A sleep in every cell."""
    cells = target.cells()
    for number in range(12):
        cells.insert(place(cells, "rms_norm"), plain("import time; time.sleep(1000)", number))
    return target.notebook(cells)


ATTACKS = (
    Attack(
        "loop", "an endless loop", solving("while True:\n    pass"), REST, ("rms_norm timed out", "ran out of time")
    ),
    Attack(
        "loop-inside",
        "an endless loop in the function",
        inside("while True:\n    pass"),
        REST,
        ("rms_norm timed out", "while it was being checked"),
        slow=True,
    ),
    Attack(
        "loop-catches", "a loop that catches everything", beside(CATCHES_ALL), 0, ("timed out", "begins `import time`")
    ),
    Attack("loop-ignores", "SIGINT ignored", beside(IGNORES), 0, ("timed out", "was still running"), slow=True),
    Attack("stops", "SIGSTOP on itself", beside("import os; os.kill(os.getpid(), 19)"), 0, ("timed out",), slow=True),
    Attack("sleeps", "a sleep in every cell", sleeps, 0, ("timed out", "was stopped after"), slow=True),
    Attack("forks", "a fork bomb", beside(FORKS), 0, ("died", "More processes and threads")),
    Attack(
        "memory", "a memory bomb", solving("data = bytearray(1 << 40)"), REST, ("rms_norm out of memory", "MemoryError")
    ),
    Attack(
        "memory-list",
        "a list that grows for ever",
        solving("data = []\nwhile True: data.append(bytes(2**28))"),
        REST,
        ("rms_norm out of memory", "MemoryError"),
    ),
    Attack(
        "memory-torch", "a tensor of 4 TB", inside("return torch.empty(1 << 40)"), REST, ("rms_norm out of memory",)
    ),
    Attack(
        "memory-children", "memory of many processes", beside(CHILDREN), 0, ("out of memory", "More memory"), slow=True
    ),
    Attack(
        "memory-shared", "shared memory, which limits pass over", solving(SHARED), REST, ("rms_norm raised", "OSError")
    ),
    Attack("fills", "fills every disk", beside(FILLS), ALL, ("passed",)),
    Attack("inodes", "a million empty files", beside(INODES), 0, ("raised", "No space left on device")),
    Attack(
        "output",
        "gigabytes on stdout",
        beside(PRINTS),
        0,
        ("the cell that begins `while True:`",),
        slow=True,
    ),
    Attack("messages", "a million tiny messages", beside(MESSAGES), ALL, ("passed",), slow=True),
    Attack("opens", "every file descriptor taken", solving(FILES), 0, ("timed out",), slow=True),
    Attack("deep", "recursion until the stack is full", solving(DEEP), 0, slow=True, or_says=("timed out", "died")),
)
