"""The rule of tests/conftest.py, tried on small test files of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"
SKIPS = "import pytest\n{mark}\ndef test_it():\n    pytest.skip('no such thing here')\n"
SKIPS_WHOLE_FILE = "import pytest\npytest.importorskip('a_package_nobody_has')\n"
EXPECTED = "import pytest\n@pytest.mark.xfail\ndef test_it():\n    assert False\n"


def _pytest(folder: Path, text: str, **environment: str) -> subprocess.CompletedProcess:
    (folder / "conftest.py").write_text(CONFTEST.read_text())
    (folder / "test_small.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    gpu\n    other_os\n    slow\n")
    clean = {name: value for name, value in os.environ.items() if name != "COURSE_NO_SKIPS"}
    command = [sys.executable, "-m", "pytest", "-ra", "-p", "no:cacheprovider", str(folder)]
    return subprocess.run(command, cwd=folder, env=clean | environment, capture_output=True, text=True)


@pytest.mark.parametrize("mark", ["", "@pytest.mark.slow"])
def test_a_skip_is_a_failure_that_says_what_was_missing(tmp_path, mark):
    result = _pytest(tmp_path, SKIPS.format(mark=mark), COURSE_NO_SKIPS="1")
    assert result.returncode == 1
    assert "Skipped where nothing may skip" in result.stdout
    assert "no such thing here" in result.stdout


@pytest.mark.parametrize("mark", ["@pytest.mark.gpu", "@pytest.mark.other_os"])
def test_what_needs_other_hardware_may_skip(tmp_path, mark):
    result = _pytest(tmp_path, SKIPS.format(mark=mark), COURSE_NO_SKIPS="1")
    assert result.returncode == 0 and "1 skipped" in result.stdout


def test_a_file_that_skips_itself_is_a_failure(tmp_path):
    result = _pytest(tmp_path, SKIPS_WHOLE_FILE, COURSE_NO_SKIPS="1")
    assert result.returncode not in (0, 5)
    assert "a_package_nobody_has" in result.stdout


def test_an_expected_failure_is_not_a_skip(tmp_path):
    assert _pytest(tmp_path, EXPECTED, COURSE_NO_SKIPS="1").returncode == 0


def test_elsewhere_a_skip_says_what_is_missing(tmp_path):
    result = _pytest(tmp_path, SKIPS.format(mark=""))
    assert result.returncode == 0
    assert "no such thing here" in result.stdout
