"""Whoever reads what a command prints may stop reading."""

import os
import subprocess
import sys

import pytest


@pytest.mark.other_os
@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error on Windows")
def test_a_reader_who_has_seen_enough_is_no_error():
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "grader", "doctor"], stdout=write, stderr=subprocess.PIPE, text=True
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (141, "")
