"""What Canvas and Moodle take back: checked as their importers read it, against nbgrader's own export."""

import csv
import io
import subprocess
import sys
import zipfile

import pytest

from grader.cli import main
from grader.course.collect import collect
from grader.course.gradebook import Book
from grader.course.roster import from_gradebook, from_sheet
from grader.course.sheet import read_sheet
from grader.paths import CONFIG
from tests.course import messy
from tests.course.classroom import HALF, LESSON, RIGHT, Classroom, as_notebook, cells_with
from tests.course.contents import give
from tests.course.messy import canvas_number, from_canvas, from_moodle, notebook
from tests.course.quick import Quick

# Of the 30: one with all right and a marked answer, one late, one with a mistake; others have handed in nothing.
IDS = ("ada", "jmueller", "soerensen")


def half() -> bytes:
    return as_notebook(cells_with(**{**RIGHT, "rms_norm": HALF}, written_speed="It depends."))


@pytest.fixture
def graded(with_gradebook, tmp_path, monkeypatch):
    """Collected from a download of both platforms, graded, one answer marked; a day late costs a tenth."""
    course = with_gradebook
    with (course.root / CONFIG).open("a") as config:
        config.write("\nc.LatePenalty.percent_per_day = 12.5\n")
    files = {
        from_canvas("ada", "rms_norm-2.ipynb", 678901): notebook("ada"),
        from_moodle("jmueller", "Übung 3.ipynb"): notebook("jmueller"),
        from_canvas("soerensen", "work.zip", 678904): messy.zipped({"x.ipynb": half()}),
    }
    (tmp_path / "canvas.csv").write_bytes(messy.roster("canvas"))
    (tmp_path / "moodle.csv").write_bytes(messy.roster("moodle"))
    assert not collect(course, LESSON, messy.write(tmp_path / "downloads", files), tmp_path / "canvas.csv").questions
    with Book(course, LESSON).open() as book:
        book.update_or_create_assignment(LESSON, duedate="2026-01-31 12:00:00 UTC")
        for one in IDS:  # as Moodle's table has them: by e-mail address
            book.update_or_create_student(one, email=f"{one}@uni.example")
    (course.submitted / "jmueller" / LESSON / "timestamp.txt").write_text("2026-01-31 13:00:00 UTC")
    quick = Quick(course, monkeypatch)
    quick.autograde()
    book = Book(course, LESSON)
    with book.open() as opened:
        give(opened, "ada", 4.5, "Nearly.")
    monkeypatch.chdir(course.root)
    return quick


@pytest.fixture
def export(graded, tmp_path, capsys):
    """`python -m grader export`: what it says, and what it wrote."""

    def exporting(*words: str, status: int = 0) -> tuple[str, bytes]:
        to = tmp_path / "out"
        assert main(["export", LESSON, *words, "--to", str(to)]) == status
        said = capsys.readouterr()
        return said.out + said.err, to.read_bytes() if to.exists() else b""

    return exporting


def table(content: bytes, encoding: str = "utf-8") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(encoding), newline="")))


def gradebooks_numbers(export) -> dict[str, float]:
    """By nbgrader's own export, of those who have handed in."""
    head, *rows = table(export("--format", "csv")[1])
    found = (dict(zip(head, row, strict=True)) for row in rows)
    return {one["student_id"]: float(one["score"]) for one in found if one["timestamp"] or one["student_id"] in IDS}


def test_the_numbers(export):
    assert gradebooks_numbers(export) == {"ada": 24.5, "jmueller": 17.5, "soerensen": 16}


def imported_by_canvas(content: bytes) -> tuple[list[str], dict[str, str]]:
    """As Canvas reads it: people by ID, assignments by the number in their heading, rows of points left out."""
    assert content.startswith(b"\xef\xbb\xbf"), "as Canvas gives it"
    head, *rows = table(content, "utf-8-sig")
    assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    place = next(i for i, heading in enumerate(head) if heading.endswith("(901)"))
    return head, {row[1]: row[place] for row in rows if row[1]}


def test_canvas(export, tmp_path):
    said, content = export("--format", "canvas", "--roster", str(tmp_path / "canvas.csv"))
    _, found = imported_by_canvas(content)
    wanted = {str(canvas_number(one)): score for one, score in gradebooks_numbers(export).items()}
    assert {number: float(score) for number, score in found.items() if score} == wanted
    before, after = table(messy.roster("canvas"), "utf-8-sig"), table(content, "utf-8-sig")
    changed = [
        (row, place) for row, line in enumerate(after) for place, cell in enumerate(line) if cell != before[row][place]
    ]
    assert {place for _, place in changed} == {6} and len(changed) == 3, "nothing else is touched"
    assert after[2][0] == "    Points Possible" and content.count(b"\r\n") == len(before)
    assert "3 grades in the column '03 RMS Norm (901)'" in said and "left as it is: jmuller, amschmidt, " in said
    assert "Not marked by hand yet, so not final: soerensen." in said


def test_who_is_not_in_canvas_is_listed(export, tmp_path):
    lines = messy.roster("canvas").decode("utf-8-sig").splitlines(keepends=True)
    kept = [line for line in lines if "Søren" not in line]
    kept[2] = kept[2].replace("25.00", "100.00")
    kept = [line.replace("7.50,,", "7.50,EX,") if "Lovelace" in line else line for line in kept]
    (tmp_path / "canvas.csv").write_text("".join(kept), encoding="utf-8-sig", newline="")
    said, content = export("--format", "canvas", "--roster", str(tmp_path / "canvas.csv"), status=1)
    assert "In the gradebook, but not in canvas.csv: soerensen." in said
    assert "excused, or not to be changed): ada." in said and imported_by_canvas(content)[1]["52000"] == "EX"
    assert "The platform has 100 points for it, the gradebook 25: set it there to 25." in said


def test_canvas_columns(export, tmp_path):
    roster = ["--format", "canvas", "--roster", str(tmp_path / "canvas.csv")]
    for column in ("Homework 0", "890", "Homework 0 (890)"):
        assert "in the column 'Homework 0 (890)'" in export(*roster, "--column", column)[0]
    said = export(*roster, "--column", "Homework", status=2)[0]
    assert "has no assignments called 'Homework': name the column with --column. It has: 'Homework 0 (890)'" in said


def test_a_german_canvas(export, tmp_path):
    """Semicolons and decimal commas, as Canvas exports them for some languages."""
    rows = table(messy.roster("canvas"), "utf-8-sig")
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\r\n").writerows(
        [[cell.replace(".", ",") if cell.replace(".", "").isdigit() else cell for cell in row] for row in rows]
    )
    (tmp_path / "canvas.csv").write_bytes(text.getvalue().encode("utf-8-sig"))
    _, content = export("--format", "canvas", "--roster", str(tmp_path / "canvas.csv"))
    assert b"24,50" in content and b"24.50" not in content
    assert content.decode("utf-8-sig").splitlines()[0].startswith("Student;ID;SIS User ID")


def imported_by_moodle(content: bytes) -> dict[str, str]:
    """As Moodle's offline grading reads it: comma and UTF-8, by the number at the end of the identifier."""
    head, *rows = table(content)
    number, grade, _ = (head.index(name) for name in ("Identifier", "Grade", "Last modified (grade)"))
    return {row[number].removeprefix("Participant "): row[grade] for row in rows}


def test_moodle(export, tmp_path):
    _, content = export("--format", "moodle", "--roster", str(tmp_path / "moodle.csv"))
    wanted = {str(messy.moodle_number(one)): score for one, score in gradebooks_numbers(export).items()}
    assert {number: float(grade) for number, grade in imported_by_moodle(content).items() if grade} == wanted
    before, after = table(messy.roster("moodle")), table(content)
    assert [row[:4] + row[5:] for row in after] == [row[:4] + row[5:] for row in before]


def test_a_worksheet_that_a_spreadsheet_program_has_saved(export, tmp_path):
    """Semicolons, the encoding of Windows, decimal commas: Moodle takes none of the first two."""
    text = messy.roster("moodle").decode().replace("25.00", "25,00")
    rows = table(text.replace("25,00", '"25,00"').encode())
    made = io.StringIO()
    csv.writer(made, delimiter=";", lineterminator="\r\n").writerows(rows)
    (tmp_path / "excel.csv").write_bytes(made.getvalue().replace("Łucja Wałęsa", "Lucja Walesa").encode("cp1252"))
    _, content = export("--format", "moodle", "--roster", str(tmp_path / "excel.csv"))
    assert imported_by_moodle(content)["4100"] == "24,50" and "Jürgen".encode() in content


def test_moodles_participants(export, tmp_path):
    """No column for grades: it gets one."""
    people = "First name,Last name,Email address,Groups\nAda,Lovelace,ada@uni.example,A\nZoë,New,zoe@uni.example,B\n"
    (tmp_path / "people.csv").write_text(people)
    said, content = export("--format", "moodle", "--roster", str(tmp_path / "people.csv"), status=1)
    head, ada, zoe = table(content)
    assert (head[-1], ada[-1], zoe[-1]) == (LESSON, "24.50", "")
    assert "but not in people.csv: jmueller, soerensen." in said and "left as it is: zoe@uni.example." in said


def test_moodle_does_not_let_a_grade_be_changed(export, tmp_path):
    lines = messy.roster("moodle").decode().splitlines(keepends=True)
    lines[1] = lines[1].replace(",Yes,", ",No,")
    (tmp_path / "moodle.csv").write_text("".join(lines), newline="")
    said, content = export("--format", "moodle", "--roster", str(tmp_path / "moodle.csv"))
    assert "not to be changed): ada." in said and imported_by_moodle(content)["4100"] == ""


def test_exercises(export):
    head, *rows = table(export("--format", "exercises")[1])
    found = [dict(zip(head, row, strict=True)) for row in rows]
    assert len(found) == 4 * 3
    mine = {one["exercise"]: (one["score"], one["max_score"], one["needs_manual_grade"]) for one in found[:4]}
    assert mine["check_rms_norm"] == ("6.0", "6.0", "no") and mine["written_speed"] == ("4.5", "5.0", "no")
    sums = {student: sum(float(one["score"]) for one in found if one["student_id"] == student) for student in IDS}
    assert sums == {"ada": 24.5, "jmueller": 20, "soerensen": 16}, "before the penalty"


@pytest.mark.parametrize("name", ["Canvas", "Moodle", "Exercises"])
def test_as_nbgraders_plugins(graded, tmp_path, name):
    """`nbgrader export --exporter`, in a process of its own."""
    roster = tmp_path / f"{name.lower()}.csv"
    words = [f"--exporter=grader.course.export.{name}", f"--assignment=['{LESSON}']", "--to", str(tmp_path / "out")]
    words += [f"--{name}.roster={roster}"] if roster.exists() else []
    command = [sys.executable, "-m", "nbgrader", "export", *words]
    done = subprocess.run(command, cwd=graded.course.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert b"4.5" in (tmp_path / "out").read_bytes()
    if name == "Canvas":
        assert "Not marked by hand yet" in done.stderr
        done = subprocess.run(command[:-1], cwd=graded.course.root, capture_output=True, text=True)
        assert done.returncode == 1 and "Name the table to fill: --Canvas.roster=FILE" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.fixture
def pages(graded):
    for one in IDS:
        path = graded.course.root / "feedback" / one / LESSON / "rms_norm.html"
        path.parent.mkdir(parents=True)
        path.write_text(f"<h1>{one}</h1>")
    return graded


def test_feedback_for_canvas(pages, export):
    """Canvas takes the first two names of digits between underscores for its numbers."""
    said, content = export("--format", "canvas-feedback", status=1)
    packed = zipfile.ZipFile(io.BytesIO(content))
    found = {tuple([p for p in name.split("_") if p.isdigit()][:2]): packed.read(name) for name in packed.namelist()}
    assert found == {("52000", "678901"): b"<h1>ada</h1>", ("52008", "678904"): b"<h1>soerensen</h1>"}
    assert set(packed.namelist()) == {
        "lovelaceada_52000_678901_rms_norm-2.html",
        "sørensensøren_52008_678904_work.html",
    }
    assert "Not in it, for the file came another way: jmueller." in said


def test_feedback_for_moodle(pages, export):
    """Moodle splits a folder's name at underscores: name, number, kind, plugin."""
    _, content = export("--format", "moodle-feedback", status=1)
    (name,) = zipfile.ZipFile(io.BytesIO(content)).namelist()
    folder, file = name.split("/")
    assert folder.split("_", 4)[1:4] == [str(messy.moodle_number("jmueller")), "assignsubmission", "file"]
    assert file == "rms_norm.html"


def test_feedback_that_is_not_there(graded, export):
    said, _ = export("--format", "canvas-feedback", status=2)
    assert f"run `nbgrader generate_feedback {LESSON}` first" in said


def test_sentences(export, tmp_path):
    assert "Name the table that you have downloaded from Canvas" in export("--format", "canvas", status=2)[0]
    said = export("--format", "canvas", "--roster", str(tmp_path / "moodle.csv"), status=2)[0]
    assert "moodle.csv is not Canvas's: its headings are Identifier, Full name" in said
    assert main(["export", "77_no", "--format", "csv"]) == 2


def test_nothing_graded(course, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    assert main(["export", LESSON, "--format", "exercises"]) == 2
    assert "`python -m grader autograde 03_rms_norm` comes first" in capsys.readouterr().err


def test_a_student_who_is_added_late(graded, export, tmp_path):
    """Another row in a newer download of the roster; nothing else is to be done."""
    lines = messy.roster("canvas").decode("utf-8-sig").splitlines(keepends=True)
    lines.insert(5, '"New, Nora",52100,m52100,nora,Monday group,,,\r\n')
    (tmp_path / "newer.csv").write_bytes("".join(lines).encode("utf-8-sig"))
    more = messy.write(tmp_path / "more", {"newnora_52100_700001_rms_norm.ipynb": notebook("nora")})
    done = collect(graded.course, LESSON, more, tmp_path / "newer.csv")
    assert done.done["new"] == ["nora"]
    graded.autograde()
    _, content = export("--format", "canvas", "--roster", str(tmp_path / "newer.csv"))
    assert imported_by_canvas(content)[1]["52100"] == "20.00"


def test_a_login_is_not_enough(graded, tmp_path):
    """Somebody else whose address begins like an id of the gradebook gets no grade of theirs."""
    (tmp_path / "people.csv").write_text("First name,Last name,Email address\nAda,Byron,ada@elsewhere.example\n")
    with Book(graded.course, LESSON).open() as book:
        (one,) = from_sheet(read_sheet(tmp_path / "people.csv"), from_gradebook(book))
    assert one.student == "ada@elsewhere.example"


def test_ids_are_those_of_the_gradebook(graded, tmp_path):
    with Book(graded.course, LESSON).open() as book:
        known = from_gradebook(book)
    people = from_sheet(read_sheet(tmp_path / "moodle.csv"), known)
    assert {one.student for one in people if "@" not in one.student} == set(IDS)
    assert Classroom(graded.course).folder("ada").is_dir()
