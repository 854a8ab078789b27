"""The process ends, or is ended, in every way."""

from grader.course.redteam.attack import ALL, REST, Attack, beside, inside, solving

DELETED = """
import time
class Endless:
    def __del__(self):
        while True:
            try: time.sleep(0.05)
            except BaseException: pass
it = Endless()
del it
"""
KILLS = """
import os, signal
for pid in (os.getppid(), 1, -1):
    try: os.kill(pid, signal.SIGKILL)
    except OSError as error: print(error)
"""
DIED = ("died", "Python ended while")

ATTACKS = (
    Attack("exit", "os._exit(0)", beside("import os; os._exit(0)"), 0, DIED, stock=True),
    Attack("exit-inside", "os._exit(0) in the function", inside("import os; os._exit(0)"), 0, DIED, stock=True),
    Attack(
        "exit-last",
        "os._exit(0) in the last exercise",
        beside("", rms_norm_backward="import os; os._exit(0)"),
        10,
        DIED,
    ),
    Attack("sys-exit", "sys.exit() in a cell", beside("import sys; sys.exit()"), ALL, ("passed",), stock=True),
    Attack(
        "sys-exit-inside",
        "sys.exit() in the function",
        inside("import sys; sys.exit()"),
        REST,
        ("rms_norm raised",),
        stock=True,
    ),
    Attack("quit", "IPython's quit()", beside("quit()"), ALL, ("passed",), stock=True),
    Attack(
        "interrupt",
        "KeyboardInterrupt in the function",
        inside("raise KeyboardInterrupt"),
        REST,
        ("rms_norm raised (Your code raised KeyboardInterrupt while it was being checked)",),
        stock=True,
    ),
    Attack("segfault", "a segmentation fault", solving("import ctypes; ctypes.string_at(0)"), 0, DIED, stock=True),
    Attack("abort", "os.abort()", solving("import os; os.abort()"), 0, DIED, stock=True),
    Attack("kills", "kills its parent, init and everybody", beside(KILLS), ALL, ("passed",)),
    Attack("deleted", "a __del__ that never ends", beside(DELETED), 0, ("timed out",), slow=True),
)
