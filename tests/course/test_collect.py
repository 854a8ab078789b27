"""A folder of 30 submissions named as Moodle, Canvas and students name them: nothing lost, nobody mistaken."""

import io
import os
import shutil
import sys
import zipfile

import pexpect
import pytest

from grader.cli import main
from grader.course.collect import collect
from grader.course.gradebook import Book
from grader.course.roster import from_gradebook
from grader.errors import CourseError
from tests.course import messy
from tests.course.classroom import LESSON, NAME, as_notebook, cells_with, plain
from tests.course.messy import CLASS, WITHOUT, from_canvas, from_moodle, notebook, write, zipped


@pytest.fixture
def course(with_gradebook):
    return with_gradebook


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "downloads"


@pytest.fixture
def rosters(tmp_path):
    for kind in ("canvas", "moodle", "own"):
        (tmp_path / f"{kind}.csv").write_bytes(messy.roster(kind))
    return lambda kind: tmp_path / f"{kind}.csv"


@pytest.fixture
def collected(course, folder, rosters):
    """Collects files into the course; the roster is the CSV with our own ids."""

    def collecting(files=None, kind="own", **chosen):
        if files is not None:
            shutil.rmtree(folder, ignore_errors=True)
            write(folder, files)
        return collect(course, LESSON, chosen.pop("source", folder), rosters(kind), **chosen)

    return collecting


def there(course) -> dict[str, bytes]:
    return {path.parts[-3]: path.read_bytes() for path in course.submitted.glob(f"*/{LESSON}/{NAME}")}


def stamps(course) -> dict:
    files = [path for path in course.submitted.rglob("*") if path.is_file()]
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def asked(done) -> dict[str, str]:
    return {found.item.shown: question.why for question in done.questions for found in question.files}


@pytest.mark.parametrize(("kind", "packed"), [("canvas", False), ("own", True), ("moodle", False)])
def test_everyone(course, collected, folder, tmp_path, kind, packed):
    source = folder
    if packed:
        source = tmp_path / "all.zip"
        source.write_bytes(zipped(messy.downloads()))
    done = collected(messy.downloads(), kind, source=source)
    ids = {one: f"{one}@uni.example" if kind == "moodle" else one for one, *_ in CLASS}
    assert there(course) == {ids[one]: notebook(one) for one in ids.keys() - WITHOUT}
    assert sorted(done.done["new"]) == sorted(ids[one] for one in ids.keys() - WITHOUT)
    why = {name.split("/")[-1]: text for name, text in asked(done).items()}
    two = "2 different notebooks of " + ids["paul"]
    assert why.pop("rms_norm (1).ipynb").startswith(two) and why.pop("rms_norm.ipynb").startswith(two)
    assert why.pop("my solution.ipynb") == "nobody in the roster fits the name"
    assert why.pop("Olga Petrova and Nils Akesson.ipynb") == "2 people fit the name"
    assert "not valid JSON" in why.pop(from_canvas("tom", "essay.pdf.ipynb", 678990))
    assert not why
    assert done.missing == [ids["rosa"]]
    before = stamps(course)
    again = collected(None, kind, source=source)
    assert sorted(again.done["same"]) == sorted(done.done["new"]) and not again.done["new"]
    assert asked(again) == asked(done)
    assert stamps(course) == before


def test_who_handed_in_before_is_not_missed(collected):
    """A second download need not have everybody's file in it."""
    collected(messy.downloads())
    done = collected({from_canvas("rosa", "rms_norm.ipynb", 679000): notebook("rosa")})
    assert done.done["new"] == ["rosa"] and set(done.missing) == WITHOUT - {"rosa"}


def test_answers_in_a_file(course, collected, tmp_path):
    who = tmp_path / "who.csv"
    collected(messy.downloads(), who=who)
    text = who.read_text("utf-8-sig")
    assert text.startswith("file,student,why,could be\n") and "Olga Petrova and Nils Akesson.ipynb,,2 people" in text
    moodle = from_moodle("paul", "rms_norm (1).ipynb")
    settled = {
        "from mail/my solution.ipynb": "rosa",
        "from mail/Olga Petrova and Nils Akesson.ipynb": "Olga",
        moodle: "paul",
        from_canvas("tom", "essay.pdf.ipynb", 678990): "-",
    }
    lines = [line for line in text.splitlines() if line.rsplit(",,", 1)[0] not in settled]
    who.write_text("\n".join([*lines, *(f"{file},{student},," for file, student in settled.items())]) + "\n")
    done = collected(who=who)
    assert not done.questions and sorted(done.done["new"]) == ["olga", "paul", "rosa"]
    assert done.missing == ["nils", "tom"]
    assert there(course)["paul"] == notebook("paul", "two") and there(course)["rosa"] == notebook("rosa")
    again = collected()
    assert not again.questions, "answers are remembered"
    assert len(again.done["same"]) == len(CLASS) - 2
    who.write_text(who.read_text("utf-8-sig").replace(",rosa,", ",rosi,"))
    with pytest.raises(CourseError, match="rosi is nobody's id"):
        collected(who=who)


def test_an_answer_that_was_wrong(course, collected, tmp_path):
    who = tmp_path / "who.csv"
    who.write_text("file,student\nx.ipynb,rosa\n")
    collected({"x.ipynb": notebook("tom")}, who=who)
    who.write_text("file,student\nx.ipynb,tom\n")
    done = collected(who=who)
    assert there(course)["tom"] == notebook("tom")
    assert any("rosa has the same file from before: remove submitted/rosa/03_rms_norm" in note for note in done.notes)


def test_a_resubmission_replaces_and_the_earlier_is_kept(course, collected):
    first, second = (from_canvas("ada", f"rms_norm{n}.ipynb", 100 + n) for n in (1, 2))
    collected({first: notebook("ada", "one")})
    done = collected({second: notebook("ada", "two")})
    assert done.done["replaced"] == ["ada"] and there(course)["ada"] == notebook("ada", "two")
    kept = course.state / "earlier" / LESSON / "ada" / "rms_norm_1.ipynb"
    assert kept.read_bytes() == notebook("ada", "one")
    done = collected({first: notebook("ada", "one")})
    assert done.done["older"] == ["ada"] and there(course)["ada"] == notebook("ada", "two")
    assert collected({from_canvas("ada", "rms_norm.ipynb", 99): notebook("ada", "zero")}).done["older"] == ["ada"]


def test_another_notebook_without_an_order_is_asked(course, collected):
    collected({from_moodle("ada", "a.ipynb"): notebook("ada", "one")})
    done = collected({from_moodle("ada", "b.ipynb"): notebook("ada", "two")})
    assert "nothing says which is the later one" in next(iter(asked(done).values()))
    assert there(course)["ada"] == notebook("ada", "one")


def test_a_resubmission_by_moodles_time(course, collected, rosters):
    collected({from_moodle("ada", "a.ipynb"): notebook("ada", "one")}, "moodle")
    later = rosters("moodle").read_bytes().replace(b"Saturday, 31 January 2026", b"Sunday, 1 February 2026")
    rosters("moodle").write_bytes(later)
    done = collected({from_moodle("ada", "b.ipynb"): notebook("ada", "two")}, "moodle")
    assert done.done["replaced"] == ["ada@uni.example"]
    assert there(course)["ada@uni.example"] == notebook("ada", "two")
    earlier = course.state / "earlier" / LESSON / "ada@uni.example"
    assert sorted(path.name for path in earlier.iterdir()) == ["rms_norm_1.ipynb", "rms_norm_1_timestamp.txt"]


def test_what_others_put_there_is_never_overwritten(course, collected, tmp_path):
    write(course.submitted, {f"ada/{LESSON}/{NAME}": notebook("ada", "by the exchange")})
    file = from_canvas("ada", "rms_norm.ipynb", 5)
    done = collected({file: notebook("ada")})
    assert "was not put there by this command" in asked(done)[file]
    assert there(course)["ada"] == notebook("ada", "by the exchange")
    collected({file: notebook("ada")}, who=_answer(tmp_path, file, "ada"))
    assert there(course)["ada"] == notebook("ada")
    kept = course.state / "earlier" / LESSON / "ada" / "rms_norm_1.ipynb"
    assert kept.read_bytes() == notebook("ada", "by the exchange")


def _answer(folder, file: str, student: str):
    (folder / "who.csv").write_text(f"file,student\n{file},{student}\n")
    return folder / "who.csv"


def test_platforms_that_contradict_the_roster_are_asked(collected):
    number = messy.moodle_number("ben")
    done = collected({f"Ada Lovelace_{number}_assignsubmission_file/x.ipynb": notebook("ada")}, "moodle")
    (question,) = done.questions
    assert question.people == ("ben@uni.example", "ada@uni.example")
    assert question.why == f"the number {number} is ben@uni.example's, the name 'Ada Lovelace' is not"
    done = collected({"lovelaceada_777_888_x.ipynb": notebook("ada")}, "canvas")
    assert "the name fits, but the number 777 is not in the roster" in asked(done).values()


@pytest.mark.parametrize(
    ("file", "people"),
    [
        ("Anna Schmidt.ipynb", ("amschmidt", "aschmidt")),
        ("Muller Jurgen.ipynb", ("jmueller", "jmuller")),
        ("rms_norm emil.ipynb", ("emil",)),  # his last name is Norm, the lesson's too; the id says it
        ("rms_norm.ipynb", ()),
        ("Lovelace.ipynb", ()),
        ("ada.ipynb", ("ada",)),
        ("ada becker.ipynb", ("ada", "ben", "bbecker")),
        ("Anna Maria Schmidt.ipynb", ("amschmidt",)),
        ("SchmidtAnnaMaria.ipynb", ("amschmidt", "aschmidt")),
        ("eva berg, with notes by van der Berg.ipynb", ()),
        ("van der Berg_Eva (1).ipynb", ("vdberg",)),
        ("karl jaeger.ipynb", ("karl",)),
        ("Ben, with help of Rosa Parks.ipynb", ("ben", "rosa")),
        ("wei.ipynb", ()),
        ("ben becker and ada lovelace.ipynb", ("ada", "ben")),
    ],
)
def test_own_names(course, collected, file, people):
    done = collected({file: notebook("x")})
    if len(people) == 1:
        assert set(there(course)) == set(people)
    else:
        (question,) = done.questions
        assert set(question.people) == set(people) and not there(course)


def test_which_is_told_by_content(course, collected):
    """Another lesson's notebook under this one's name; and a copy that has lost its metadata."""
    bare = [
        {key: value for key, value in cell.items() if key != "metadata"} | {"metadata": {}} for cell in cells_with()
    ]
    done = collected({"ada lovelace/a.ipynb": as_notebook(bare), "carla diaz/rms_norm.ipynb": _nothing_of_ours()})
    assert set(there(course)) == {"ada"}
    assert asked(done) == {"carla diaz/rms_norm.ipynb": "it is a notebook, but of no lesson of this course"}


def _nothing_of_ours() -> bytes:
    return as_notebook([plain("print(1)")])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
@pytest.mark.other_os
def test_names_that_are_not_utf8(course, folder, collected):
    folder.mkdir()
    (folder / os.fsdecode("Mia Öztürk.ipynb".encode("cp1252"))).write_bytes(notebook("mia"))
    (folder / os.fsdecode("Jürgen.ipynb".encode("cp1252"))).write_bytes(notebook("jmuller"))
    done = collected()
    assert set(there(course)) == {"mia"} and list(asked(done)) == ["Jürgen.ipynb"]


def test_the_time_of_files_counts_where_it_is_one(course, folder, collected):
    """Saved over days and unpacked with their times: order and lateness. All at one time: neither."""
    files = {f"ada lovelace/{n}.ipynb": notebook("ada", str(n)) for n in (1, 2)}
    write(folder, files)
    for number, name in enumerate(files):
        os.utime(folder / name, (1769860800 + 90000 * number,) * 2)
    done = collected()
    assert there(course)["ada"] == notebook("ada", "2") and not done.questions
    time = (course.submitted / "ada" / LESSON / "timestamp.txt").read_text()
    assert time == "2026-02-01 13:00:00 UTC" and done.by_file == ["ada"]
    assert len(asked(collected(file_times=False))) == 2
    for name in files:
        os.utime(folder / name, (1769860800,) * 2)
    write(folder, {"carla diaz/x.ipynb": notebook("carla")}, 1769860800)
    shutil.rmtree(course.submitted)
    done = collected()
    assert done.done["new"] == ["carla"] and done.without_time == ["carla"] and len(asked(done)) == 2


def test_moodles_worksheet_says_when(course, collected, monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    __import__("time").tzset()
    try:
        collected({from_moodle("ada", "x.ipynb"): notebook("ada")}, "moodle")
    finally:
        monkeypatch.undo()
        __import__("time").tzset()
    path = course.submitted / "ada@uni.example" / LESSON / "timestamp.txt"
    assert path.read_text() == "2026-01-31 10:30:00 UTC"


def test_names_go_to_the_gradebook_and_ids_stay(course, collected):
    """Collected with Canvas's roster; a later one of Moodle's does not make a second student of anyone."""
    with Book(course, LESSON).open() as book:
        book.add_student("al01", first_name="Ada", last_name="Lovelace", email="ada@uni.example")
    collected({from_moodle("ada", "x.ipynb"): notebook("ada")}, "moodle")
    assert set(there(course)) == {"al01"}
    collected({from_canvas("soerensen", "x.ipynb", 3): notebook("soerensen")}, "canvas")
    with Book(course, LESSON).open() as book:
        people = {one.student: (one.name, one.canvas) for one in from_gradebook(book)}
    number = str(messy.canvas_number("soerensen"))
    assert people == {"al01": ("Ada Lovelace", ""), "soerensen": ("Søren Sørensen", number)}


def test_bombs_links_and_ways_out(course, collected, folder, tmp_path):
    bomb = zipped({f"{n}.json": b"{" + b" " * (60 * 2**20) for n in range(5)})
    outside = tmp_path / "outside.ipynb"
    files = {
        from_moodle("ada", "bomb.zip"): bomb,
        from_moodle("ben", "out.zip"): zipped({"../../../outside.ipynb": notebook("ben")}),
        from_moodle("carla", "link.zip"): messy.link("rms_norm.ipynb", "/etc/passwd"),
        from_moodle("dora", "cut.zip"): zipped({"a.ipynb": notebook("dora")})[:300],
        from_moodle("emil", "work.rar"): b"Rar!\x1a\x07 and so on",
        from_moodle("gina", "fine.zip"): zipped({"../no.ipynb": b"{}", "yes.ipynb": notebook("gina")}),
        from_moodle("jan", "deep.zip"): _deep(8),
    }
    write(folder, files)
    (folder / "linked to Hugo Lefèvre.ipynb").symlink_to(tmp_path / "own.csv")
    done = collected()
    assert set(there(course)) == {"gina"} and not outside.exists()
    why = "\n".join(f"{name}: {text}" for name, text in asked(done).items())
    for said in (
        "bomb.zip unpacks to more than",
        "outside.ipynb: Its name leads out of its archive: refused",
        "rms_norm.ipynb: It is a link to another file",
        "is a damaged zip",
        "It is packed with rar",
        "packed more than 4 times",
        "linked to Hugo Lefèvre.ipynb is a link to another file",
    ):
        assert said in why, why


def _deep(levels: int) -> bytes:
    packed = notebook("jan")
    for level in range(levels):
        packed = zipped({f"{level}.zip" if level else "x.ipynb": packed})
    return packed


@pytest.fixture
def command(course, monkeypatch, capsys):
    """`python -m grader`, without the seconds that importing takes: exit status, stdout, stderr."""

    def running(*words: str) -> tuple[int, str, str]:
        monkeypatch.chdir(course.root)
        status = main(list(words))
        return status, *capsys.readouterr()

    return running


def test_command(course, command, folder, rosters, tmp_path):
    write(folder, messy.downloads())
    words = ["collect", LESSON, str(folder)]
    status, _, said = command(*words)
    assert status == 2 and "give the list that you can download as --roster FILE" in said
    status, said, _ = command(*words, "--roster", str(rosters("canvas")))
    assert status == 1 and "25 collected, 0 replaced, 0 there already" in said
    assert "4 to be answered; the files stay where they are" in said and "--who FILE.csv" in said
    assert "mia: Canvas says late, but not when" in said and "No file of 1 in the roster: rosa." in said
    status, said, _ = command(*words)  # the gradebook knows them now, and answers nothing more
    assert status == 1 and "0 collected, 0 replaced, 25 there already" in said
    assert command("collect", LESSON, str(tmp_path / "no"))[2].strip().endswith("that you have downloaded.")
    (tmp_path / "no.csv").write_text("a,b\n1,2\n")
    assert "is no list of people that this knows" in command(*words, "--roster", str(tmp_path / "no.csv"))[2]
    assert "There is no solutions/77_no" in command("collect", "77_no", str(folder))[2]


def test_in_a_terminal_it_asks(course, folder, rosters):
    write(folder, {"x.ipynb": notebook("tom"), "Anna Schmidt.ipynb": notebook("aschmidt")})
    words = ["-m", "grader", "collect", LESSON, str(folder), "--roster", str(rosters("own"))]
    asking = pexpect.spawn(sys.executable, words, cwd=str(course.root), timeout=60, encoding="utf-8")
    asking.expect("2 people fit the name")
    asking.expect("later >")
    asking.sendline("2")
    asking.expect("nobody in the roster fits")
    asking.expect("later >")
    asking.sendline("tom")
    asking.expect("2 collected")
    asking.expect(pexpect.EOF)
    asking.close()
    assert asking.exitstatus == 0
    assert there(course) == {"tom": notebook("tom"), "aschmidt": notebook("aschmidt")}


def test_the_fixture_is_what_it_says():
    files = messy.downloads()
    assert len(CLASS) == 30 and len({one for one, *_ in CLASS}) == 30
    old = zipfile.ZipFile(io.BytesIO(files["from mail/mac.zip"]))
    assert not any(info.flag_bits & 0x800 for info in old.infolist()), "packed as old Macs do"
