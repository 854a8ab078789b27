"""The sentences that the text and the page share."""

SURE = {"certain": "certain", "fairly": "fairly sure", "guess": "a guess", None: "not said"}


def heading(report: dict) -> str:
    """What the report is about."""
    if report["kind"] == "lessons":
        return "The quiz by lesson"
    if report["kind"] == "class":
        return f"Quiz report of a class: {counted(report['people'], 'log')}"
    return f"Quiz report: {counted(report['answers'], 'answer')} at first try"


def missed(one: dict) -> str:
    """One question that a person had wrong."""
    thought = f": {'; '.join(one['misconceptions'])}" if one["misconceptions"] else " is none that the bank knows"
    place = f", under “{one['heading']}”" if one["heading"] else ""
    return f"wrong ({SURE[one['confidence']]}); the thought behind it{thought} (lesson {one['lesson']}{place})"


BY_LESSON = ("Lesson", "Questions", "Due", "Weak", "Not seen")


def by_lesson(report: dict) -> list[tuple]:
    """A row for each lesson, below BY_LESSON, and one for all of them."""
    counts = ("questions", "due", "weak", "unseen")
    rows = [(f"{one['lesson'][:2]} {one['title']}", *(one[name] for name in counts)) for one in report["lessons"]]
    return [*rows, ("All", *(sum(one[name] for one in report["lessons"]) for name in counts))]


def calibrated(row: dict) -> str:
    """How sure a person was."""
    return SURE[row["confidence"]]


def remarks(report: dict) -> list[str]:
    """What is due, and what the report leaves out."""
    if report["kind"] == "lessons":
        return ["Due: to be asked again today. Weak: wrong at the first try of its last round."]
    said = [_due(report)] if report["kind"] == "person" else []
    if report["removed"]:
        said.append(f"{counted(report['removed'], 'answer')} to questions that are no longer in the bank.")
    if other := sum(one["other_form"] for one in report.get("questions", [])):
        said.append(f"{counted(other, 'answer')} to an earlier or later form of a question are not counted.")
    return said


def percent(row: dict) -> str:
    """The share that is right."""
    return "–" if row["share"] is None else f"{row['share']:.0%}"


def counted(n: int, what: str) -> str:
    """3 answers, 1 answer."""
    return f"{n} {what}{'' if n == 1 else 's'}"


def _due(report: dict) -> str:
    then = f" The next is due on {report['next_due']}." if report["next_due"] else ""
    return f"{counted(len(report['due']), 'question')} due today, {report['unseen']} not seen yet.{then}"
