"""The network, and what a page would run."""

from grader.course.redteam.attack import ALL, RIGHT, Attack, Target, beside

CALLS = """
import os, socket, urllib.request
socket.setdefaulttimeout(2)
for address in (("127.0.0.1", PORT), ("localhost", PORT), ("1.1.1.1", 53), ("169.254.169.254", 80), ("10.0.2.2", 80)):
    try: print("CONNECTED", socket.create_connection(address, 2).getpeername())
    except OSError as error: print(address, error)
for family, kind in ((socket.AF_INET, socket.SOCK_RAW), (17, socket.SOCK_RAW), (40, socket.SOCK_STREAM)):
    try: print("MADE", socket.socket(family, kind, 1))
    except OSError as error: print(error)
try: print("RESOLVED", socket.getaddrinfo("example.org", 80))
except OSError as error: print(error)
os.system("curl -sm 2 http://127.0.0.1:PORT")
"""
SCRIPT = "<script>document.title = 'hacked'</script>"
SHOWS = f"""
from IPython.display import HTML, Javascript, display
display(HTML({SCRIPT!r}), Javascript("document.title = 'hacked'"))
print({SCRIPT!r})
raise ValueError({SCRIPT!r})
"""
LEAKS = RIGHT["rms_norm"].replace("    return", '    import sys; print("x was", x, file=sys.stderr)\n    return', 1)


def calls(target: Target) -> bytes:
    return beside(CALLS.replace("PORT", str(target.port)))(target)


ATTACKS = (
    Attack("network", "sockets, DNS, raw sockets, vsock", calls, ALL, ("passed",)),
    Attack("scripts", "scripts in outputs", beside(SHOWS), ALL, ("passed",), stock=True),
    Attack("shows-inputs", "shows the hidden inputs", beside("", rms_norm=LEAKS), ALL, ("passed",)),
)
