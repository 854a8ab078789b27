"""What an author wrote wrongly is told with file and line, and no traceback."""

import sys

import pytest

from grader.answers import Answers
from grader.errors import CourseError
from grader.exercises import load


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\ndef broken(:\n", r"lesson_one_of_an_author.py, line 2: SyntaxError: invalid syntax"),
        ("import no_such_package\n", r"line 1: ModuleNotFoundError: No module named 'no_such_package'"),
        ("\n\nfloat('x')\n", r"line 3: ValueError: could not convert"),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path, monkeypatch, text, says):
    name = "lesson_one_of_an_author"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(CourseError, match=says):
        load(name)


def test_what_is_not_there_stays_an_import_error():
    with pytest.raises(ModuleNotFoundError):
        load("grader.answers.lesson_none.none")


def test_two_mistakes_of_one_function_name_are_refused():
    answers = Answers("f", why="")

    def wrong(x):
        return x

    answers.mistake("one", "a hint")(wrong)
    with pytest.raises(CourseError, match="f: two mistakes are written as 'wrong': rename one"):
        answers.mistake("another", "a hint")(wrong)


def test_two_mistakes_of_one_name_are_refused():
    answers = Answers("f", why="")

    def wrong(x):
        return x

    def another(x):
        return x

    answers.mistake("one", "a hint")(wrong)
    with pytest.raises(CourseError, match="f: two mistakes are called 'one'"):
        answers.mistake("one", "another hint")(another)
