"""A folder of its own for all that the tests here leave in the system's temporary folder: it has to be empty again."""

import multiprocessing.util
import shutil
import tempfile
from pathlib import Path

import pytest

from grader.notebook.walled import view
from grader.sandbox.folders import one_for_this_process
from grader.sandbox.warm import warm


@pytest.fixture(scope="package", autouse=True)
def own_temporary_folder(tmp_path_factory):
    """Short, because sockets lie in it. Other graders on this machine use /tmp meanwhile."""
    # What is kept until this process ends lies elsewhere.
    multiprocessing.util.get_temp_dir(), one_for_this_process(), tmp_path_factory.getbasetemp(), warm(view())
    folder = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", str(folder))
        yield folder
    # (torch makes an empty cache wherever it is imported.)
    left = [path.name for path in folder.iterdir() if not path.name.startswith("torchinductor_")]
    shutil.rmtree(folder, ignore_errors=True)
    assert left == [], "kernels and graders leave nothing behind"
