"""What was collected before: from which file, when, and what the instructor has answered. One file a lesson."""

import hashlib
import json
from pathlib import Path

from grader.course.collect.archive import Item
from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import Course


def content_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


class Record:
    """students: id -> notebook's name -> what is there now: `hash`, `file` (its parts in the download), `upload`,
    `when`, and `seen` (hashes of what is or was there). answers: a file and its content -> student, or "-".
    """

    def __init__(self, course: Course, lesson: str):
        self.path = course.state / "collected" / f"{lesson}.json"
        self.students: dict[str, dict[str, dict]] = {}
        self.answers: dict[str, str] = {}
        try:
            known = json.loads(self.path.read_bytes())
            self.students, self.answers = known["students"], known["answers"]
        except FileNotFoundError:
            pass
        except (ValueError, KeyError, TypeError) as error:
            raise CourseError(f"{self.path} is damaged: restore it from a backup, or remove it.") from error

    def save(self) -> None:
        known = {"students": self.students, "answers": self.answers}
        write_atomically(self.path, json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False).encode())

    def of(self, student: str, name: str) -> dict:
        return self.students.get(student, {}).get(name, {})

    def note(self, student: str, name: str, facts: dict) -> None:
        seen = [*self.of(student, name).get("seen", []), facts["hash"]]
        self.students.setdefault(student, {})[name] = facts | {"seen": list(dict.fromkeys(seen))}

    def others_with(self, student: str, name: str, hashed: str, item: Item) -> list[str]:
        """Who else has this very file of the download: after an answer was changed."""
        same = {"hash": hashed, "file": list(item.parts)}
        return [
            one
            for one, files in self.students.items()
            if one != student and same.items() <= files.get(name, {}).items()
        ]

    def answer(self, item: Item) -> str | None:
        return self.answers.get(_key(item))

    def note_answer(self, item: Item, answer: str) -> None:
        self.answers[_key(item)] = answer


def _key(item: Item) -> str:
    return f"{content_hash(item.content)} {item.shown}"


def earlier(course: Course, lesson: str, student: str) -> Path:
    """Where what was replaced is kept: never graded, never removed."""
    return course.state / "earlier" / lesson / student
