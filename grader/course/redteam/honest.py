"""Neighbours, whose grades must be exact, and honest accidents, which must cost nobody a point."""

from grader.answers import of
from grader.course.redteam.attack import ALL, REST, RIGHT, Attack, beside, solving

HALF = of("rms_norm").source(next(m for m in of("rms_norm").mistakes if m.key == "eps_outside_root").implementation)
WARNS = """
import logging, sys, warnings
warnings.warn("this is deprecated")
logging.getLogger("mine").warning("careful")
print("to stderr", file=sys.stderr)
"""
LOUD = RIGHT["rms_norm"].replace("    return", '    import warnings; warnings.warn("loud")\n    return', 1)
CHANGES = """
import random
import numpy
torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
torch.set_grad_enabled(False)
torch.set_default_device("meta")
random.seed(1); numpy.random.seed(1)
"""
THREADS = """
import atexit, threading, time
def forever():
    while True: time.sleep(0.2); print("still here")
threading.Thread(target=forever).start()
atexit.register(time.sleep, 1000)
"""
DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "987654"])
    os._exit(0)
"""

ATTACKS = (
    Attack("aaron", "all right, the first of the class", beside("1 + 1"), ALL, ("passed",), stock=True),
    Attack("mia", "eps outside the root", solving(HALF), REST + 2, ("partly (eps outside the root)",), stock=True),
    Attack("nobody", "handed in untouched", lambda target: target.release, 0, ("not attempted",), stock=True),
    Attack("zoe", "all right, the last of the class", beside("2 + 2"), ALL, ("passed",), stock=True),
    Attack("warns", "warnings and stderr everywhere", beside(WARNS, rms_norm=LOUD), ALL, ("passed",), stock=True),
    Attack(
        "changes", "other default dtype, device, seeds; no gradients", beside(CHANGES), ALL, ("passed",), stock=True
    ),
    Attack("threads", "threads and exit handlers outlive the cell", beside(THREADS), ALL, ("passed",)),
    Attack("daemon", "a daemon leaves the session", beside(DAEMON), ALL, ("passed",)),
    Attack(
        "syntax",
        "a syntax error",
        solving("def rms_norm(x, weight, eps):\n    return x *"),
        REST,
        ("rms_norm raised", "SyntaxError", "on line 2"),
        stock=True,
    ),
)
