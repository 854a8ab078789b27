"""Every attack and accident as a submission, graded with honest neighbours by the real autograde behind the wall.

No point is gained, the words are right, the neighbours' grades exact, and the host is as it was.
"""

import json
import os
import socket
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from grader.author import solution_text
from grader.course.gradebook import Book
from grader.course.redteam import ATTACKS, honest, trial
from grader.course.redteam.attack import LESSON, NAME
from grader.course.redteam.files import CANARY
from grader.course.report import in_words
from grader.notebook import Limits
from grader.notebook.graded import Graded
from grader.paths import Course, find_course

QUICK = [attack for attack in ATTACKS if not attack.slow]
SLOW = [attack for attack in ATTACKS if attack.slow]
NEIGHBOURS = [attack for attack in honest.ATTACKS if attack.name in ("aaron", "mia", "nobody", "zoe")]
# What lasts until a deadline waits rather than works, so many can be waited for at once.
PATIENT = Limits(cell_seconds=8.0, notebook_seconds=60.0)
PLANTED = ("planted.pth", "00-planted.py", "sitecustomize.py", "usercustomize.py", "planted.txt")


@dataclass
class Outcome:
    course: Course
    graded: dict[str, Graded]
    files: tuple[dict, dict]
    processes: tuple[set, set]
    connections: int


def grade(attacks: list, course: Course, workers: int, limits: Limits, canary: socket.socket) -> Outcome:
    trial.hand_in(course, attacks, canary.getsockname()[1])
    before = snapshot(course), processes()
    graded = trial.ours(course, workers, limits)
    return Outcome(course, graded, (before[0], snapshot(course)), (before[1], processes()), connections(canary))


def snapshot(course: Course) -> dict:
    """All that an attacker would like to change, with its content."""
    home, here = Path.home(), Path(trial.__file__).parents[3]
    watched = [*course.solutions.rglob("*"), *course.lessons.rglob("*"), *course.submitted.rglob("*")]
    watched += [course.root / "nbgrader_config.py", course.root / "canary", home / canary_name(), here / "start.py"]
    watched += [Path(tempfile.gettempdir(), canary_name()), *(here / "grader").rglob("*.py")]
    return {path: _content(path) for path in watched if path.exists() or path.is_symlink()}


def _content(path: Path) -> object:
    facts = path.lstat()
    regular = stat.S_ISREG(facts.st_mode) and facts.st_size < 10**7
    return path.read_bytes() if regular else (facts.st_mode, facts.st_size)


def canary_name() -> str:
    return f".canary-{os.getpid()}"


def processes() -> set:
    return {p.pid for p in psutil.process_iter() if _of_ours(p)}


def _of_ours(process: psutil.Process) -> bool:
    """Grader's own processes, and what the attacks start."""
    try:
        words = " ".join(process.cmdline())
        children = psutil.Process().children()
        if "multiprocessing" in words and process in children:  # Python's own helpers, for this process's life
            return False
        return "987654" in words or process in psutil.Process().children(recursive=True)
    except psutil.NoSuchProcess:
        return False


def connections(canary: socket.socket) -> int:
    canary.setblocking(False)
    try:
        canary.accept()[0].close()
    except BlockingIOError:
        return 0
    return 1


@pytest.fixture(scope="module")
def canary(own_temporary_folder):
    """Files that nobody may read or change, and a port that nobody may reach."""
    places = [Path.home() / canary_name(), own_temporary_folder / canary_name()]
    for place in places:
        place.write_text(CANARY)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening
    for place in places:
        place.unlink()


def fresh_course(folder: Path) -> Course:
    course = trial.new_course(find_course(Path(__file__).parent), folder)
    (course.root / "canary").write_text(CANARY)
    return course


@pytest.fixture(scope="module")
def quick(canary, tmp_path_factory) -> Outcome:
    return grade(QUICK, fresh_course(tmp_path_factory.mktemp("quick")), 3, trial.LIMITS, canary)


@pytest.fixture(scope="module")
def slow(canary, tmp_path_factory) -> Outcome:
    return grade([*SLOW, *NEIGHBOURS], fresh_course(tmp_path_factory.mktemp("slow")), 4, PATIENT, canary)


@pytest.mark.parametrize("attack", QUICK, ids=lambda attack: attack.name)
def test_attack(quick, attack):
    demand(attack, quick.graded[attack.name])


@pytest.mark.slow
@pytest.mark.parametrize("attack", [*SLOW, *NEIGHBOURS], ids=lambda attack: attack.name)
def test_slow_attack(slow, attack):
    one = slow.graded[attack.name]
    if attack.name == "deep" and one.run["status"] == "finished":
        # A quick machine gets through with it: then the right answers beside it count, as far as they could be seen.
        assert one.problem is None and one.verdicts[0].score == 0 and one.score in (0, 4, 10, 14), in_words(one)
    else:
        demand(attack, one)


def demand(attack, graded: Graded) -> None:
    assert graded.problem is None, "a verdict, whatever it is"
    assert graded.score == attack.earned, in_words(graded)
    assert attack.is_told(in_words(graded)), in_words(graded)


def test_the_batch_finishes_and_the_gradebook_agrees(quick):
    with Book(quick.course, LESSON).open() as book:
        scores = {s.student.id: s.score for s in book.assignment_submissions(LESSON)}
    assert scores == {attack.name: attack.earned for attack in QUICK}


def test_the_host_is_as_it_was(quick):
    before, after = quick.files
    changed = [str(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    assert changed == [] and len(before) > 200
    for folder in (Path(os.__file__).parent, Path(pytest.__file__).parents[1], Path.home(), quick.course.root):
        assert [name for name in PLANTED if (folder / name).exists()] == []


def test_no_process_and_no_file_is_left(quick, own_temporary_folder):
    before, after = quick.processes
    assert after <= before
    assert [path.name for path in own_temporary_folder.glob("grade-*")] == []
    assert [path.name for path in own_temporary_folder.glob("kernel-*")] == []


def test_nobody_was_called(quick):
    assert quick.connections == 0
    notebook = json.loads(text_of(quick, "network"))
    printed = json.dumps([cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"])
    assert "Errno" in printed and not any(word in printed for word in ("CONNECTED", "RESOLVED", "MADE"))


def text_of(outcome: Outcome, student: str) -> str:
    return (outcome.course.autograded / student / LESSON / NAME).read_text()


def test_nothing_secret_is_in_anybodys_notebook(quick):
    secret = (quick.course.state / "secret").read_bytes()
    lines = solution_text.solution_lines(quick.course, LESSON)
    for student in ("reads", "writes", "plants", "link", "link-right"):
        text = text_of(quick, student)
        assert CANARY not in text and "root:x:0" not in text
        assert secret.decode("utf-8", "replace")[:8] not in json.dumps(text, ensure_ascii=False)
    # All the others have the answers in them: it is their own work.
    for student in ("link", "link-right", "nobody"):
        assert not solution_text.found_in_folder(lines, quick.course.autograded / student)


def test_the_grading_calls_and_seeds_are_in_nobodys_notebook(quick):
    assert len(list(quick.course.autograded.glob(f"*/{LESSON}/{NAME}"))) == len(QUICK)
    for path in quick.course.autograded.glob(f"*/{LESSON}/{NAME}"):
        assert "grader.exercises.emit import emit" not in path.read_text().replace("EMIT", "")


def test_names_are_students_ids_and_differ():
    names = [attack.name for attack in ATTACKS]
    assert len(set(names)) == len(names) > 120
    assert all(attack.does and (attack.notebook or attack.lay) for attack in ATTACKS)
