"""Whether other machines would give the same grades as this one."""

from grader.course.job import code_hash, versions
from grader.errors import CourseError

SHOWN = 5


def mine() -> dict:
    """What has to be equal where a notebook is graded: the code, and the versions of what it stands on."""
    return {"code": code_hash(), "versions": versions()}


def demand_same(workers: dict[str, dict | BaseException], walled: bool) -> None:
    """Raises CourseError, naming who differs.

    workers   address -> what each says (`mine`, and `wall`: None or why there is none), or what kept it from telling
    """
    expected = mine()
    wrong = {address: why for address, said in workers.items() if (why := _wrong(said, expected, walled))}
    if wrong:
        named = [f"{address}: {why}" for address, why in list(wrong.items())[:SHOWN]]
        more = f"; and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        raise CourseError(
            f"{len(wrong)} of {len(workers)} Dask workers would not grade as this machine does. {'; '.join(named)}"
            f"{more}. Install the same version of the course in the same environment there, or stop them."
        )


def _wrong(said: dict | BaseException, expected: dict, walled: bool) -> str | None:
    if isinstance(said, BaseException):
        return f"it cannot load this grader ({type(said).__name__}: {said})"
    if differs := differences(said, expected):
        return differs
    return f"it has no sandbox: {said['wall']}" if walled and said["wall"] else None


def differences(found: dict, expected: dict) -> str:
    """In words; empty where there are none."""
    here = expected["versions"]
    other = [f"{name} {found['versions'].get(name)} (here {here[name]})" for name in here]
    words = [text for text, name in zip(other, here, strict=True) if found["versions"].get(name) != here[name]]
    if found["code"] != expected["code"]:
        words.append("the text of its grader or lessons is not that of this one")
    return ", ".join(words)
