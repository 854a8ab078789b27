"""The start page's numbers and words, from a workspace's logs; and the notebook that shows it."""

import json
import re
import shutil
import subprocess
from datetime import datetime
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from grader.exercises import of_lesson
from grader.judge import Verdict
from grader.lab import start, syllabus
from grader.lab.progress import Progress, next_lesson
from grader.lab.syllabus import CORE, ELECTIVE
from grader.paths import find_course
from grader.student import log
from tests.lab.begun import begun
from tests.lab.serving import grader, small_course

COURSE = find_course(Path(__file__))
LESSONS = syllabus.lessons(COURSE.lessons)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    return begun(tmp_path_factory.mktemp("begun"))[1]


@pytest.fixture(scope="module")
def page(workspace) -> BeautifulSoup:
    return BeautifulSoup(start.start(workspace)._repr_html_(), "html.parser")


def test_every_lesson_tells_what_it_is():
    assert [lesson.name for lesson in LESSONS] == COURSE.lesson_names()
    assert all(lesson.kind in (CORE, ELECTIVE) and lesson.minutes > 0 for lesson in LESSONS)
    assert all((COURSE.lessons / lesson.notebook).is_file() for lesson in LESSONS)


def test_a_lessons_exercises_are_those_of_the_course():
    for lesson in LESSONS:
        known = of_lesson(lesson.name)
        assert lesson.exercises == tuple(e.id for e in known if not e.extra)
        assert lesson.extra == tuple(e.id for e in known if e.extra)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": [3, {}]}'])
def test_a_notebook_that_cannot_be_read_is_still_in_the_list(tmp_path, text):
    (tmp_path / "07_swiglu").mkdir()
    (tmp_path / "07_swiglu" / "swiglu.ipynb").write_text(text)
    (lesson,) = syllabus.lessons(tmp_path)
    assert (lesson.title, lesson.kind, lesson.minutes, lesson.exercises) == ("swiglu", "", 0, ())


def test_a_lesson_between_two_others_has_its_place_and_number(tmp_path):
    for name in ("10b_between", "10_decoder", "11_families", "notes"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name.partition('_')[2]}.ipynb").write_text("{}")
    assert [lesson.number for lesson in syllabus.lessons(tmp_path)] == ["10", "10b", "11"]


def test_hours_are_summed_by_path(page):
    for title, kind in (("Core path", CORE), ("Electives", ELECTIVE)):
        (heading,) = [h.text for h in page("h2") if h.text.startswith(title)]
        hours, minutes = re.search(r": (\d+) h (\d+) min", heading).groups()
        assert 60 * int(hours) + int(minutes) == sum(one.minutes for one in LESSONS if one.kind == kind)
        rows = page.find("table", {"aria-label": title}).tbody("tr")
        assert [row.a["href"] for row in rows] == [one.notebook for one in LESSONS if one.kind == kind]


def test_what_is_done_and_what_comes_next(page):
    done, begun_, *others = page.find("table", {"aria-label": "Core path"}).tbody("tr")
    assert [cell.text for cell in done("td")][1:] == ["✓ 3 of 3", "4 of 9 answered, 2 right; 4 due"]
    assert begun_("td")[1].text == "1 of 3" and begun_["aria-current"] == "step"
    assert all(row("td")[1].text.startswith(("0 of ", "–")) and not row.has_attr("aria-current") for row in others)
    said = page.select_one(".course-next")
    assert said.text.startswith("Go on with 3. RMSNorm: one number per token, exercise rms_norm_module.")
    assert "4 questions are due in the quiz today" in said.text


def test_what_the_last_update_changed(page, workspace):
    edited, unedited = page.ul("li")
    assert "Changed: “The idea in plain words”." in edited.text and "stays as it is" in edited.text
    assert edited("a")[1]["href"] == "03_rms_norm/rms_norm%20%28new%20version%29.ipynb"
    assert (workspace / "03_rms_norm" / "rms_norm (new version).ipynb").is_file()
    assert "You had not edited it" in unedited.text


def test_as_text_it_says_the_same(page, workspace):
    text = repr(start.start(workspace))
    assert "Go on with 3. RMSNorm: one number per token (03_rms_norm/rms_norm.ipynb), exercise rms_norm_module." in text
    assert "✓ 3 of 3" in text and "Electives: 4 h" in text and "(new version).ipynb" in text


def test_core_lessons_come_before_electives_and_then_nothing():
    progress = [Progress(lesson, (), ()) for lesson in LESSONS if lesson.exercises]
    order = []
    while (now := next_lesson(progress)) is not None:
        order.append(now.lesson)
        progress[progress.index(now)] = Progress(now.lesson, now.lesson.exercises, ())
    assert order == sorted(order, key=lambda lesson: (lesson.kind, lesson.name)) and len(order) == len(progress)
    assert "All lessons are done" in repr(start.StartPage(progress, {}, datetime.now()))


def test_the_notebook_shows_the_page_before_it_is_run(workspace):
    notebook = nbformat.read(start.write(workspace), as_version=4)
    nbformat.validate(notebook)
    (output,) = notebook.cells[1].outputs
    assert "What comes next" in output.data["text/html"] and "What comes next" not in notebook.cells[1].source


def test_the_notebook_follows_until_it_is_edited(tmp_path):
    path = start.write(tmp_path)
    log.remember(Verdict("residual_stream", 6, 6, "passed"), tmp_path / log.NAME)
    assert "✓" not in path.read_text() and "exercise `" not in path.read_text()
    content = json.loads(start.write(tmp_path).read_text())
    assert "exercise stream_jacobian" in content["cells"][1]["outputs"][0]["data"]["text/plain"]
    content["cells"].append({"cell_type": "markdown", "id": "mine", "metadata": {}, "source": "My plan."})
    path.write_text(json.dumps(content))
    assert start.write(tmp_path).read_text() == json.dumps(content)


def test_only_the_copy_for_another_editor(tmp_path):
    course = small_course(tmp_path / "course")
    done = grader(course, "lab", "--copy-only")
    assert done.returncode == 0 and "Open start.ipynb" in done.stdout, done.stderr
    names = {path.name for path in (course / "workspace").rglob("*.ipynb")}
    assert names == {"start.ipynb", "quiz.ipynb", "rms_norm.ipynb"}


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_after_a_git_pull_the_work_is_untouched_and_the_change_is_told(tmp_path):
    def git(folder: Path, *arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "safe.directory=*"]
        subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)

    origin = small_course(tmp_path / "origin")
    lesson = origin / "lessons" / "03_rms_norm" / "rms_norm.ipynb"
    lesson.write_text(notebook("As it was."))
    git(origin, "init")
    git(origin, "add", ".")
    git(origin, "commit", "-m", "The course")
    git(tmp_path, "clone", str(origin), "mine")
    grader(tmp_path / "mine", "lab", "--copy-only")
    work = tmp_path / "mine" / "workspace" / "03_rms_norm" / "rms_norm.ipynb"
    work.write_text(notebook("As it was.", "My work."))
    lesson.write_text(notebook("As it is now."))
    git(origin, "commit", "-am", "Another sentence")
    git(tmp_path / "mine", "pull")
    done = grader(tmp_path / "mine", "lab", "--copy-only")
    assert "yours is edited and stays" in done.stdout and "Changed: “The idea”." in done.stdout
    assert work.read_text() == notebook("As it was.", "My work.")
    assert "Changed: “The idea”." in repr(start.start(tmp_path / "mine" / "workspace"))


def notebook(*texts: str) -> str:
    cells = [nbformat.v4.new_markdown_cell(text, id=f"c{i}") for i, text in enumerate(("# A lesson", "## The idea"))]
    cells[1].source += "\n\n" + "\n".join(texts)
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells))


def test_a_place_where_it_cannot_be_written_is_one_sentence(tmp_path):
    course = small_course(tmp_path / "course")
    (course / "workspace" / "start.ipynb").mkdir(parents=True)
    done = grader(course, "lab", "--copy-only")
    assert done.returncode == 2 and done.stderr.startswith("error: Cannot write") and done.stderr.count("\n") == 1


def test_colab_is_told_what_does_not_work(workspace, monkeypatch):
    monkeypatch.setitem(start.sys.modules, "google.colab", start)
    assert "This is Colab" in start.start(workspace)._repr_html_()
