import json
import shutil
import subprocess
import sys

import pytest

from grader.lab import environment as look
from grader.lab import versions
from grader.sandbox import bubblewrap
from tests.lab.serving import grader, small_course


def test_this_machine_has_what_the_course_needs(tmp_path):
    lines = look.environment(tmp_path / "not" / "there" / "yet")
    assert [str(line) for line in lines if line.status == look.FAIL] == []
    words = ("Python", "Packages", "PyTorch", "Device", "JupyterLab", "Notebooks run", "Widgets", "nbgrader", "free in")
    assert all(any(word in line.text for line in lines) for word in words)


def test_every_line_that_is_not_ok_says_what_to_do():
    lines = [look.python((3, 9, 1)), look.torch_version("1.0.0")]
    assert [line.status for line in lines] == [look.FAIL, look.NOTE]
    assert all("\n       -> " in str(line) and line.remedy for line in lines)


def test_torch_is_compared_without_the_builds_name():
    wanted = versions.pinned()["torch"]
    assert look.torch_version(wanted).status == look.OK
    assert look.torch_version(f"{wanted}+cpu").status == look.OK
    assert wanted in look.torch_version("0.1").text


@pytest.mark.parametrize("pretend", ["compiler", "header"])
def test_no_compiler_is_a_note_with_a_remedy(monkeypatch, tmp_path, pretend):
    if pretend == "compiler":
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.delenv("CXX", raising=False)
    else:
        monkeypatch.setenv("CXX", sys.executable)  # something that is there
        monkeypatch.setattr(look.sysconfig, "get_path", lambda name: str(tmp_path))
    line = look.compiler()
    assert line.status == look.NOTE and "install" in line.remedy
    assert {"compiler": "no C++ compiler", "header": "no Python.h"}[pretend] in line.text


def test_a_compiler_named_by_cxx_counts(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CXX", sys.executable)
    monkeypatch.setattr(look.sysconfig, "get_path", lambda name: str(tmp_path))
    (tmp_path / "Python.h").touch()
    assert look.compiler() == look.Line(look.OK, f"C++ compiler {sys.executable}")


def test_missing_widgets_are_named(monkeypatch, tmp_path):
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda *names: [str(tmp_path)])
    line = look.widgets()
    assert line.status == look.FAIL
    assert "anywidget" in line.text and "jupyterlab-manager" in line.text and line.remedy


@pytest.mark.parametrize(("free", "status"), [(10, look.FAIL), (100, look.NOTE), (10_000, look.OK)])
def test_little_room_on_the_disk_is_said(monkeypatch, tmp_path, free, status):
    usage = shutil.disk_usage(tmp_path)._replace(free=free * 2**20)
    monkeypatch.setattr(look.shutil, "disk_usage", lambda folder: usage)
    line = look.disk(tmp_path / "workspace")
    assert line.status == status and bool(line.remedy) == (status != look.OK)


def test_a_folder_that_cannot_be_written_is_said(monkeypatch, tmp_path):
    def refuse(dir):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(look.tempfile, "TemporaryFile", refuse)
    line = look.disk(tmp_path)
    assert line.status == look.FAIL and "Permission denied" in line.text and "--workspace" in line.remedy


def test_a_package_that_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(look, "required", lambda: ["torch", "numpy", "no-such-package"])
    line = look.packages()
    assert line.status == look.FAIL and line.text == "Not installed: no-such-package" and line.remedy


def test_a_package_of_another_version_is_a_note(monkeypatch):
    monkeypatch.setattr(look, "differing", lambda: ["numpy 1.0 (pinned: 2.0)", "dask 1.0 (pinned: 2.0)"])
    line = look.packages()
    assert line.status == look.NOTE and "numpy 1.0" in line.text and "dask" not in line.text and line.remedy


def test_what_the_course_requires_is_known():
    assert {"anywidget", "ipywidgets", "torch", "transformers"} <= set(versions.required())
    assert not {"nbgrader", "pytest"} & set(versions.required())


def test_a_kernel_of_another_python_is_named(monkeypatch, tmp_path):
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    other = tmp_path / "elsewhere" / "python"
    content = {"argv": [str(other), "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "Mine"}
    (spec / "kernel.json").write_text(json.dumps(content))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    line = look.kernel()
    assert line.status == look.FAIL and str(other) in line.text and str(spec) in line.remedy
    content["argv"][0] = "python"
    (spec / "kernel.json").write_text(json.dumps(content))
    assert look.kernel().status == look.OK


def test_no_nbgrader_is_no_harm_to_a_student(monkeypatch):
    monkeypatch.setattr(look, "installed", lambda name: None)
    line = look.nbgrader()
    assert line.status == look.NOTE and "students need none" in line.remedy


def test_logs_that_cannot_be_written_are_named(monkeypatch, tmp_path):
    assert look.kept(tmp_path).status == look.OK
    (tmp_path / "check_progress.jsonl").mkdir()
    line = look.kept(tmp_path)
    assert line.status == look.NOTE and "check_progress.jsonl" in line.text and line.remedy


def test_check_only_prints_the_lines_and_copies_nothing(tmp_path):
    result = grader(small_course(tmp_path), "lab", "--check-only")
    assert result.returncode == 0, result.stderr
    assert "[OK]   JupyterLab" in result.stdout
    assert not (tmp_path / "workspace").exists()


def test_check_only_tells_a_script_that_something_is_missing(tmp_path):
    start = "from grader.cli import main; sys.exit(main(['lab', '--check-only']))"
    hide = f"import sys; sys.modules['torch'] = None; {start}"
    result = subprocess.run([sys.executable, "-c", hide], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 1
    assert "[FAIL] PyTorch cannot be imported" in result.stdout


@pytest.mark.parametrize(
    "setting, remedy",
    [
        ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "apparmor_restrict_unprivileged_userns=0"),
        ("/proc/sys/kernel/unprivileged_userns_clone", "unprivileged_userns_clone=1"),
        ("/proc/sys/user/max_user_namespaces", "max_user_namespaces=10000"),
        (None, "another Linux machine"),
    ],
)
def test_what_forbids_the_wall_is_named(monkeypatch, setting, remedy):
    values = {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"}
    monkeypatch.setattr(bubblewrap, "_setting", lambda path: values.get(path, "0") if path == setting else None)
    monkeypatch.setattr(bubblewrap.Path, "exists", lambda path: False)
    assert remedy in bubblewrap._remedy()


def test_doctor_looks_at_the_course(tmp_path):
    course = small_course(tmp_path)
    (course / "solutions" / "03_rms_norm").mkdir(parents=True)
    (course / "solutions" / "03_rms_norm" / "rms_norm.py").touch()
    (course / "submitted" / "ada" / "03_rms_norm").mkdir(parents=True)
    (course / "constraints.txt").write_text("numpy==0.1\n")
    (course / "gradebook.db").write_text("this is no database")
    result = grader(course, "doctor")
    assert result.returncode == 1, "a damaged gradebook"
    assert "[FAIL] Gradebook gradebook.db: file is not a database" in result.stdout
    assert "(pinned: 0.1)" in result.stdout
    assert "[OK]   Submissions: 03_rms_norm: 1" in result.stdout


def test_doctor_outside_a_course_says_so(tmp_path):
    result = grader(tmp_path, "doctor")
    assert "[NOTE] No course here" in result.stdout
