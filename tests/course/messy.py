"""A class of 30 whose submissions are named as Moodle, Canvas and students name them: made anew each time."""

import csv
import io
import os
import stat
import time
import unicodedata
import zipfile
from pathlib import Path

from tests.course.classroom import RIGHT, as_notebook, built, cells_with, plain

# id in submitted/, first name, last name. Some differ by little.
CLASS = [
    ("ada", "Ada", "Lovelace"),
    ("jmueller", "Jürgen", "Müller"),
    ("jmuller", "Jurgen", "Muller"),
    ("amschmidt", "Anna Maria", "Schmidt"),
    ("aschmidt", "Anna", "Schmidt"),
    ("oconnor", "Séan", "O'Connor"),
    ("vdberg", "Eva", "van der Berg"),
    ("gross", "Max", "Groß"),
    ("soerensen", "Søren", "Sørensen"),
    ("lwalesa", "Łucja", "Wałęsa"),
    ("zhang", "Wei", "Zhang"),
    ("liwei", "Li", "Wei"),
    ("ben", "Ben", "Becker"),
    ("bbecker", "Benjamin", "Becker"),
    ("carla", "Carla", "Díaz"),
    ("dora", "Dóra", "Nagy"),
    ("emil", "Emil", "Norm"),
    ("frieda", "Frieda", "Kästner"),
    ("gina", "Gina", "Rossi"),
    ("hugo", "Hugo", "Lefèvre"),
    ("ines", "Inês", "Gonçalves"),
    ("jan", "Jan", "Novák"),
    ("karl", "Karl-Heinz", "Jäger"),
    ("lena", "Lena", "Vogel"),
    ("mia", "Mia", "Öztürk"),
    ("nils", "Nils", "Åkesson"),
    ("olga", "Olga", "Petrova"),
    ("paul", "Paul", "Schuster"),
    ("rosa", "Rosa", "Parks"),
    ("tom", "Tom", "Sawyer"),
]
MOODLE, CANVAS = 4100, 52000  # the platforms' numbers of the first of the class
WITHOUT = {"paul", "rosa", "tom", "olga", "nils"}  # what they hand in is not clear, or nothing


def moodle_number(student: str) -> int:
    return MOODLE + [one for one, *_ in CLASS].index(student)


def canvas_number(student: str) -> int:
    return CANVAS + [one for one, *_ in CLASS].index(student)


def name(student: str) -> str:
    return next(f"{first} {last}" for one, first, last in CLASS if one == student)


def notebook(student: str, note: str = "") -> bytes:
    """All right, and marked with who wrote it."""
    return as_notebook([*cells_with(**RIGHT), plain(f"# by {student} {note}")])


def roster(kind: str = "canvas") -> bytes:
    """All of the class, as a platform lists it."""
    rows = {"canvas": _canvas, "moodle": _moodle, "own": _own}[kind]()
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode("utf-8-sig" if kind == "canvas" else "utf-8")


def _canvas() -> list[list]:
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Homework 0 (890)", "03 RMS Norm (901)"]
    hidden = ["", "", "", "", "", "", "Manual Posting"]
    possible = ["    Points Possible", "", "", "", "", "10.00", "25.00"]
    rows = [
        [f"{last}, {first}", canvas_number(one), f"m{canvas_number(one)}", one, "Monday group", "7.50", ""]
        for one, first, last in CLASS
    ]
    test = ["Student, Test", "59999", "", "0a1b2c", "Monday group", "", ""]
    total = ["Final Score", "(read only)", "88.10"]
    lines = [head, hidden, possible, *rows, test]
    return [[*line, total[0] if line is head else total[1] if line is possible else total[2]] for line in lines]


def _moodle() -> list[list]:
    head = ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade", "Grade can be changed"]
    head += ["Last modified (submission)", "Last modified (grade)", "Feedback comments"]
    said = ["Submitted for grading", "", "25.00", "Yes", "Saturday, 31 January 2026, 11:30 AM", "-", ""]
    people = [
        [f"Participant {moodle_number(one)}", f"{first} {last}", f"{one}@uni.example"] for one, first, last in CLASS
    ]
    return [head, *([*one, *said] for one in people)]


def _own() -> list[list]:
    return [["id", "first_name", "last_name", "email"], *([*one, f"{one[0]}@uni.example"] for one in CLASS)]


def zipped(files: dict[str, bytes], utf8: bool = True) -> bytes:
    """utf8: False as an old Mac packs: UTF-8 without saying so."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(_info(path if utf8 else path.encode().decode("cp437")), content)
    data = made.getvalue()
    return data if utf8 else _without_flag(data)


def _info(path: str, when: tuple = (2026, 1, 31, 9, 0, 0)) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(path, when)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _without_flag(data: bytes) -> bytes:
    """Names of more than ASCII get a flag from Python that those programs do not set."""
    source, made = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for info in source.infolist():
            new = _Dos(info.filename, info.date_time)
            archive.writestr(new, source.read(info))
    return made.getvalue()


class _Dos(zipfile.ZipInfo):
    def _encodeFilenameFlags(self):
        return self.filename.encode("cp437"), self.flag_bits


def link(path: str, to: str) -> bytes:
    """A zip with one symbolic link in it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        info = _info(path)
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, to)
    return made.getvalue()


def from_moodle(student: str, file: str, slash: str = "_/") -> str:
    return f"{name(student)}_{moodle_number(student)}_assignsubmission_file{slash}{file}"


def from_canvas(student: str, file: str, upload: int, late: bool = False) -> str:
    last_first = next(last + first for one, first, last in CLASS if one == student).lower()
    squashed = "".join(c for c in last_first if c.isalnum())
    return f"{squashed}{'_LATE' if late else ''}_{canvas_number(student)}_{upload}_{file}"


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def downloads() -> dict[str, bytes]:
    """By path: one file or more of each of the class. Everything of all but WITHOUT is clear."""
    return {**_by_moodle(), **_by_canvas(), **_by_students(), **_rubbish(), **_not_clear()}


def _by_moodle() -> dict[str, bytes]:
    return {
        from_moodle("ada", "rms norm (1).ipynb"): notebook("ada"),
        from_moodle("jmueller", "Übung 3 – Müller.ipynb", "/"): notebook("jmueller"),
        nfd(from_moodle("dora", "Nagy Dóra.ipynb")): notebook("dora"),
        from_moodle("aschmidt", "abgabe.zip"): zipped({"Abgabe/rms_norm_final_FINAL.ipynb": notebook("aschmidt")}),
        from_moodle("emil", "rms_norm.ipynb.txt"): notebook("emil"),
        from_moodle("gross", "Untitled3.ipynb"): notebook("gross"),
        from_moodle("oconnor", "rms_norm_late.ipynb"): notebook("oconnor"),
        from_moodle("zhang", "hw.zip"): zipped(
            {"a/b.zip": zipped({"c/d.zip": zipped({"e.ipynb": notebook("zhang")})})}
        ),
        from_moodle("liwei", "rms_norm.ipynb"): notebook("liwei"),
        from_moodle("liwei", "plots/figure.png"): b"\x89PNG",
        from_moodle("lena", "ben_becker.ipynb"): notebook("lena"),  # who was logged in counts
    }


def _by_canvas() -> dict[str, bytes]:
    both = {"old.ipynb": notebook("frieda", "old"), "new.ipynb": notebook("frieda")}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(_info("old.ipynb", (2026, 1, 30, 9, 0, 0)), both["old.ipynb"])
        archive.writestr(_info("new.ipynb", (2026, 1, 31, 9, 0, 0)), both["new.ipynb"])
        archive.writestr(_info(".ipynb_checkpoints/new-checkpoint.ipynb"), both["old.ipynb"])
    return {
        from_canvas("jmuller", "rms_norm-2.ipynb", 678901, late=True): notebook("jmuller"),
        from_canvas("amschmidt", "rms_norm.ipynb", 678902): notebook("amschmidt"),
        from_canvas("vdberg", "My Notebook.ipynb", 678903): notebook("vdberg"),
        from_canvas("soerensen", "rms_norm (3).ipynb", 678904): notebook("soerensen"),
        from_canvas("frieda", "work.zip", 678905): packed.getvalue(),
        from_canvas("karl", "rms_norm.ipynb", 678906): notebook("karl"),
        from_canvas("karl", "layer_norm.pdf", 678907): b"%PDF-1.7",
        from_canvas("mia", "rms_norm.ipynb", 678908, late=True): notebook("mia"),
    }


def _by_students() -> dict[str, bytes]:
    return {
        "lwalesa/Łucja Wałęsa.ipynb": notebook("lwalesa"),
        "from mail/Carla Diaz rms_norm(2).ipynb": notebook("carla"),
        "from mail/bbecker_rms_norm_late.ipynb": notebook("bbecker"),
        "from mail/rms-norm_GinaRossi.ipynb": notebook("gina"),
        nfd("from mail/Lefèvre, Hugo.ipynb"): notebook("hugo"),
        "from mail/mac.zip": zipped(
            {
                nfd("Inês Gonçalves/rms_norm.ipynb"): notebook("ines"),
                nfd("__MACOSX/Inês Gonçalves/._rms_norm.ipynb"): b"\0\5\x16\7 not a notebook",
            },
            utf8=False,
        ),
        "jan@uni.example/notebook.ipynb": notebook("jan"),
        "from mail/ben_becker.ipynb": notebook("ben"),
    }


def _rubbish() -> dict[str, bytes]:
    return {
        "__MACOSX/._rms_norm.ipynb": b"\0\5\x16\7",
        ".DS_Store": b"\0\0\0\1Bud1",
        "from mail/.ipynb_checkpoints/Ada Lovelace-checkpoint.ipynb": notebook("ada", "of yesterday"),
    }


def _not_clear() -> dict[str, bytes]:
    return {
        from_moodle("paul", "rms_norm.ipynb"): notebook("paul", "one"),  # two of one person, no order
        from_moodle("paul", "rms_norm (1).ipynb"): notebook("paul", "two"),
        "from mail/my solution.ipynb": notebook("rosa"),  # nobody's name
        "from mail/Olga Petrova and Nils Akesson.ipynb": notebook("olga"),  # two people's
        from_canvas("tom", "essay.pdf.ipynb", 678990): built()[:650],  # cut short
    }


def write(folder: Path, files: dict[str, bytes], when: float | None = None) -> Path:
    """when: seconds since 1970, that all were saved; default: now, as after copying."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        if when is not None:
            os.utime(folder / path, (when, when))
    return folder


def hours_ago(hours: float) -> float:
    return time.time() - 3600 * hours
