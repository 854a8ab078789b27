"""Puts one notebook into submitted/, so that nothing that was there is lost."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grader.course.collect.plan import Found, Question
from grader.course.collect.record import Record, content_hash, earlier
from grader.course.submissions import TIMESTAMP, NotReadable, read_regular
from grader.files import write_atomically
from grader.paths import Course

NEW, REPLACED, SAME, OLDER = "new", "replaced", "same", "older"


@dataclass(frozen=True)
class Placing:
    """One file for one student. said: the instructor's own answer, which replaces whatever is there.

    when   seconds since 1970, of handing in; None if nothing says it
    """

    course: Course
    lesson: str
    student: str
    name: str
    found: Found
    when: float | None
    said: bool

    @property
    def folder(self) -> Path:
        return self.course.submitted / self.student / self.lesson

    @property
    def path(self) -> Path:
        return self.folder / f"{self.name}.ipynb"

    @property
    def has_time(self) -> bool:
        return (self.folder / TIMESTAMP).exists()

    def shown(self, name: str) -> str:
        return (self.folder / name).relative_to(self.course.root).as_posix()

    def put(self, record: Record) -> str | Question:
        """What was done: NEW, REPLACED, SAME or OLDER; or what has to be asked first, and then nothing was done."""
        try:
            there = self._there()
        except NotReadable as error:
            return self._question(str(error))
        known = record.of(self.student, self.name)
        if there is None:
            return self._write(record, NEW)
        if there == self.found.item.content:
            return self._same(record, known)
        by_us, shown = content_hash(there) == known.get("hash"), self.shown(self.path.name)
        if by_us and self.found.hash in known["seen"]:
            return OLDER
        if self.said:
            return self._replace(record, there)
        if not by_us:
            return self._question(f"{shown} is another notebook, and was not put there by this command")
        if (later := self._is_later(known)) is None:
            return self._question(f"{shown} is another notebook, and nothing says which is the later one")
        return self._replace(record, there) if later else OLDER

    def _there(self) -> bytes | None:
        for part in (self.folder.parent, self.folder):
            if part.is_symlink() or (part.exists() and not part.is_dir()):
                raise NotReadable(
                    f"{part.relative_to(self.course.root)} is not a folder of its own but a link or a file"
                )
        return read_regular(self.path) if self.path.exists() or self.path.is_symlink() else None

    def _is_later(self, known: dict) -> bool | None:
        """By Canvas's numbers, which grow with every file handed in, or by time; None if neither says it."""
        for mine, theirs in ((self.found.fit.upload, known.get("upload")), (self.when, known.get("when"))):
            if mine is not None and theirs is not None and mine != theirs:
                return mine > theirs
        return None

    def _question(self, why: str) -> Question:
        return Question(why, (self.found,), (self.student,))

    def _same(self, record: Record, known: dict) -> str:
        if known.get("hash") != self.found.hash:
            record.note(self.student, self.name, self._facts())
        if self.when is not None and not self.has_time:
            self._write_time()
        return SAME

    def _replace(self, record: Record, there: bytes) -> str:
        """The earlier one is kept, with its time."""
        kept = earlier(self.course, self.lesson, self.student)
        number = len(list(kept.glob(f"{self.name}_*.ipynb"))) + 1
        write_atomically(kept / f"{self.name}_{number}.ipynb", there)
        time = self.folder / TIMESTAMP
        if time.is_file():
            write_atomically(kept / f"{self.name}_{number}_{TIMESTAMP}", time.read_bytes())
        return self._write(record, REPLACED)

    def _write(self, record: Record, what: str) -> str:
        write_atomically(self.path, self.found.item.content)
        (self.folder / TIMESTAMP).unlink(missing_ok=True)
        if self.when is not None:
            self._write_time()
        record.note(self.student, self.name, self._facts())
        return what

    def _write_time(self) -> None:
        text = datetime.fromtimestamp(self.when, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        write_atomically(self.folder / TIMESTAMP, text.encode())

    def _facts(self) -> dict:
        fit = self.found.fit
        facts = {"hash": self.found.hash, "file": list(self.found.item.parts), "when": self.when}
        return facts | {"upload": fit.upload, "platform": fit.platform}
