"""Code run behind the wall, and what it answers."""

import asyncio
import contextlib
import json
import tempfile
import textwrap
from pathlib import Path

from grader.notebook import Limits, execute
from grader.notebook.walled import WalledKernel
from grader.sandbox import Caps
from tests.notebook.frames import code, notebook
from tests.notebook.kernels import processes

# For all that is sent in: answers as one line of JSON, and system calls by number.
TOOLS = '''
import ctypes, errno, json, os, sys, time
from pathlib import Path
libc = ctypes.CDLL(None, use_errno=True)
def answer(value): print(json.dumps(value, default=str))
def call(number, *arguments):
    """None if the call was possible, else the error's name."""
    result = libc.syscall(number, *[ctypes.c_void_p(a) if isinstance(a, int) else a for a in arguments])
    return None if result >= 0 else errno.errorcode[ctypes.get_errno()]
def attempt(action):
    try: return "done: " + repr(action())[:100]
    except BaseException as error: return type(error).__name__
'''


def run(*sources: str, caps: Caps | None = None, seconds: float = 120, **limits) -> dict:
    """The executed notebook of these cells, the tools before them."""
    cells = [code(TOOLS, "tools"), *(code(textwrap.dedent(s), f"c{n}") for n, s in enumerate(sources))]
    wanted = Limits(**{"cell_seconds": seconds, "notebook_seconds": 2 * seconds} | limits)
    return json.loads(execute(notebook(cells), wanted, WalledKernel(caps or Caps())))


def printed(made: dict, number: int) -> str:
    """What a cell (the first is 0) printed; an error is shown as it is."""
    outputs = made["cells"][number + 1]["outputs"]
    wrong = ["\n".join(o["traceback"]) for o in outputs if o["output_type"] == "error"]
    return "".join(o.get("text", "") for o in outputs) + "".join(wrong)


def answers(made: dict, number: int = 0):
    """The JSON in what a cell printed."""
    text = printed(made, number)
    try:
        return json.loads(text.strip().splitlines()[-1])
    except (ValueError, IndexError):
        raise AssertionError(text[-3000:]) from None


def status(made: dict) -> str:
    return made["metadata"]["run"]["status"]


def traces() -> set:
    """Folders and processes of kernels."""
    folders = (p for kind in ("grade-*", "kernel-*") for p in Path(tempfile.gettempdir()).glob(kind))
    return {str(path) for path in folders} | processes()


@contextlib.asynccontextmanager
async def standing_kernel(source: str):
    """A walled kernel that has run `source` and stays."""
    with tempfile.TemporaryDirectory(prefix="two-") as folder:
        runner, path = WalledKernel(), Path(folder)
        manager = runner.manager(path)
        await runner.start(manager, path)
        client = manager.client()
        client.start_channels(hb=False)
        try:
            await client.wait_for_ready(timeout=120)
            reply = await asyncio.wait_for(client.execute_interactive(TOOLS + source), 120)
            assert reply["content"]["status"] == "ok", reply
            yield manager
        finally:
            client.stop_channels()
            runner.kill(manager)
            await manager.provisioner.wait()
