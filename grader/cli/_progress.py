"""What is seen of grading while it runs: a bar with rate, time left and the verdicts so far."""

import sys
from collections import Counter

from tqdm import tqdm

from grader.course.changes import Change, in_a_line
from grader.course.listener import Listener
from grader.judge import STATUSES
from grader.notebook.graded import Graded


class Progress(Listener):
    """A bar on stderr, if that is a terminal and `shown`; and all that there is to say about it afterwards."""

    def __init__(self, name: str, shown: bool):
        hidden = not (shown and sys.stderr.isatty())
        self._bar = tqdm(disable=hidden, unit="notebook", desc=name, file=sys.stderr, dynamic_ncols=True)
        self._verdicts: Counter[str] = Counter()
        self.sentences: list[str] = []
        self.changes: dict[str, list[Change]] = {}

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *error) -> None:
        self._bar.close()

    def migrated(self, sentence: str) -> None:
        self.sentences.append(sentence)

    def begun(self, submissions: int) -> None:
        self._bar.reset(submissions)

    def saved(self, student: str, changes: list[Change] | None) -> None:
        if changes is not None:
            self.changes.setdefault(student, []).extend(changes)

    def graded(self, one: Graded) -> None:
        self._verdicts.update(verdict.status for verdict in one.verdicts)
        self._verdicts["no verdict"] += bool(one.problem)
        self._bar.set_postfix_str(self.counts(), refresh=False)
        self._bar.update()

    def counts(self) -> str:
        """The verdicts so far, in the order in which they are good: "41 passed, 3 partly, 1 died"."""
        return ", ".join(f"{n} {status}" for status in (*STATUSES, "no verdict") if (n := self._verdicts[status]))

    def changed(self) -> str | None:
        """A line on grades that are others now; None if nobody was graded before."""
        return in_a_line(self.changes.items(), len(self.changes)) if self.changes else None
