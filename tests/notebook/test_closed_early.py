"""A warm process that is closed at any moment of its start is gone, with all of the wall's processes."""

import contextlib
import sys
import time
import uuid
from dataclasses import replace
from random import Random

import psutil
import pytest

from grader.notebook.walled import view
from grader.sandbox.warm import Warm
from tests.notebook.kernels import soon

pytestmark = [pytest.mark.other_os, pytest.mark.skipif(sys.platform != "linux", reason="the wall is Linux's")]


def living(mark: str) -> list[psutil.Process]:
    """Processes with this in their environment. One that has ended has none."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get("MARK") == mark:
                found.append(process)
    return found


def test_nothing_of_it_waits_for_ever():
    random, mark = Random(0), str(uuid.uuid4())
    marked = replace(view(), env=(*view().env, ("MARK", mark)))
    for _ in range(25):
        warm = Warm(marked)
        time.sleep(random.uniform(0, 0.006))  # bubblewrap's process waits for its parent's word then
        warm.close()
    assert soon(lambda: living(mark) == []), living(mark)
    with contextlib.closing(Warm(marked)):
        assert living(mark) != []
