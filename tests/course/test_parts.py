"""The parts of a batch that need no kernel: secret, seeds, results, lock, tables, reports."""

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from grader.course.job import Job
from grader.course.lock import only_grader
from grader.course.report import as_csv, as_json, as_text, in_words, mistakes
from grader.course.results import Results, key_of
from grader.course.seeds import course_secret, seed
from grader.course.submissions import STUDENT
from grader.errors import CourseError
from grader.judge import CheckResult, Verdict, unjudged
from grader.notebook import Limits
from grader.notebook.graded import Graded
from grader.table import table
from tests.course.classroom import LESSON


def test_secret_is_made_once_and_private(course):
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(lambda _: course_secret(course), range(32)))
    assert len(found) == 1 and len(found.pop()) == 32
    path = course.state / "secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in course.state.iterdir()] == ["secret"]
    path.write_bytes(b"short")
    with pytest.raises(CourseError, match="backup"):
        course_secret(course)


def test_seeds_depend_on_everything():
    facts = [b"s" * 32, LESSON, "rms_norm", b"notebook"]
    seeds = {seed(*facts)}
    for place, other in enumerate((b"t" * 32, "other", "rms_norm_module", b"notebook ")):
        seeds.add(seed(*facts[:place], other, *facts[place + 1 :]))
    assert len(seeds) == 5 and all(0 <= s < 2**31 for s in seeds)
    assert seed(*facts) in seeds


def test_a_result_is_named_by_all_that_decides_it():
    facts = {
        "lesson": LESSON,
        "frame": b"f",
        "submitted": b"s",
        "problem": None,
        "seeds": {"a": 1},
        "limits": Limits(),
    }
    others = {
        "lesson": "other",
        "frame": b"g",
        "submitted": b"t",
        "problem": "p",
        "seeds": {"a": 2},
        "limits": Limits(cell_seconds=1.0),
    }
    keys = {Job(**facts).key()} | {Job(**facts | {name: other}).key() for name, other in others.items()}
    assert len(keys) == 7
    assert Job(**facts).key() == Job(**facts).key()


def test_results(course):
    results = Results(course, LESSON)
    assert results.get("abc") is None
    facts = {"decided_by": {"seeds": {"rms_norm": 7}}, "seconds": 1.5}
    key = key_of(facts["decided_by"])
    results.put(key, b"{}\n", facts)
    assert results.get(key) == b"{}\n" and results.facts(key) == facts
    assert sorted(path.name for path in results.folder.iterdir()) == [f"{key}.ipynb", f"{key}.json"]
    results.put("another", b"{}\n", facts)
    assert results.facts("another") is None, "facts that give another key are not those of this result"


HOLD = """
import sys
from pathlib import Path
from grader.course.lock import only_grader
from grader.paths import Course
with only_grader(Course(Path(sys.argv[1]))):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_second_grader_is_told_who_holds_the_course(course):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(course.root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(CourseError, match=f"process {holder.pid}, since"), only_grader(course):
            raise AssertionError("two graders at once")
        holder.kill()
        holder.wait()
        with only_grader(course):
            assert json.loads((course.state / "holder.json").read_text())["pid"] == os.getpid()
    finally:
        holder.kill()
        holder.communicate()
    assert not (course.state / "holder.json").exists()


@pytest.mark.parametrize("name", ["ada", "a.b-c_d@e", "12345", "Zoë", "x" * 100])
def test_student_ids(name):
    assert STUDENT.fullmatch(name)


@pytest.mark.parametrize("name", ["", ".", "..", "-x", "a b", "a/b", "a*", "a\n", "x" * 101, "a+b", "[a]"])
def test_no_student_ids(name):
    assert not STUDENT.fullmatch(name)


def verdict(exercise: str, score: int, status: str, mistake: str | None = None) -> Verdict:
    return Verdict(exercise, score, 6, status, (), mistake, "Look again." if mistake else None)


CLASS = [
    Graded("ada", (verdict("rms_norm", 6, "passed"), verdict("other", 6, "passed"))),
    Graded("ben", (verdict("rms_norm", 2, "partly", "eps outside"), verdict("other", 0, "wrong"))),
    Graded("cy", (verdict("rms_norm", 2, "partly", "eps outside"), verdict("other", 0, "wrong", "no root"))),
    Graded("dee", (unjudged("rms_norm", "died", "Python ended."), verdict("other", 6, "passed"))),
    Graded("eve", problem="No kernel."),
]


def test_report():
    text = as_text(LESSON, CLASS)
    rows = {line.split()[0]: line for line in reversed(text.splitlines()) if line}  # the first of each name
    assert "6/6" in rows["ada"] and rows["ada"].endswith("passed")
    assert rows["ben"].endswith("rms_norm partly (eps outside); other wrong")
    assert rows["dee"].endswith("rms_norm died (Python ended)")
    assert rows["eve"].endswith("No kernel.")
    assert "Flagged" in text and "dee      died  rms_norm   Python ended." in text
    assert [(m["mistake"], m["students"]) for m in mistakes(CLASS)] == [
        ("eps outside", ["ben", "cy"]),
        ("no root", ["cy"]),
    ]


def test_a_gate_that_failed_is_named():
    """A forbidden function is no mistake of the list, and "wrong" alone would hide it."""
    used = CheckResult("forbidden", False, 0, 0, "Line 3 of your code uses F.rms_norm.")
    behind = CheckResult("values", False, 0, 6, "The check above has to pass first.")
    one = Graded("fay", (replace(verdict("rms_norm", 0, "wrong"), checks=(used, behind)), *CLASS[0].verdicts[1:]))
    assert in_words(one) == "rms_norm wrong (Line 3 of your code uses F.rms_norm)"
    failed = replace(one.verdicts[0], checks=(behind,))
    assert in_words(replace(one, verdicts=(failed,))) == "wrong"


def test_report_as_data():
    lines = as_csv(CLASS).splitlines()
    assert lines[0] == "student,exercise,score,points,status,mistake,why,judged"
    assert lines[3] == "ben,rms_norm,2,6,partly,eps outside,eps outside,outside"
    assert lines[-1] == "eve,,,,,,No kernel.,"
    data = json.loads(json.dumps(as_json(LESSON, CLASS)))
    assert data["students"][1]["verdicts"][0]["mistake"] == "eps outside"
    assert data["mistakes"][0]["students"] == ["ben", "cy"]


def test_table():
    assert table(["a", "number"], [["long", 5], ["x", 10]], right=["number"]) == (
        "a     number\n----  ------\nlong       5\nx         10"
    )
