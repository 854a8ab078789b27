"""Jobs over workers: results as they come, however many workers are lost on the way."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait

from grader.course.job import Job, grade
from grader.course.pool import local_pool
from grader.errors import CourseError
from grader.notebook import unjudged_notebook

Item = tuple[str, Job]  # student, job
Result = tuple[str, bytes | Exception]
LOST = "The grading process was killed twice while this notebook ran, so nothing of it could be judged."


class Lost(Exception):
    """A job was given up because its worker was lost, again and again. Those beside it are not touched."""


def graded(items: Iterable[Item], workers: int, pool: Callable[[int], Executor] = local_pool) -> Iterator[Result]:
    """Student and judged notebook, in the order in which they are done; the error where there is none.

    At most two jobs a worker are in memory at a time. When a worker dies, those that were under way are tried
    again one by one, and the one that kills its worker a second time gets that as its verdict.
    """
    queue, suspects = iter(items), []
    while (yield from _together(queue, suspects, workers, pool)):
        pass
    for student, job in suspects:
        yield student, _alone(job, pool)


def _together(queue: Iterator[Item], suspects: list[Item], workers: int, pool: Callable[[int], Executor]):
    """Yields results until the queue is empty (returns False) or the pool breaks (returns True)."""
    executor, running = pool(workers), {}
    try:
        _fill(executor, queue, running, workers)
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            broken = [running[future] for future in done if isinstance(future.exception(), BrokenExecutor)]
            for future in done:
                item = running.pop(future)
                if isinstance(future.exception(), Lost):
                    suspects.append(item)
                elif item not in broken:
                    yield item[0], _result(future)
            if broken:
                suspects += broken + list(running.values())
                return True
            _fill(executor, queue, running, workers)
        return False
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _fill(executor: Executor, queue: Iterator[Item], running: dict[Future, Item], workers: int) -> None:
    window = 2 * getattr(executor, "slots", workers)  # a cluster knows itself how many it has
    while len(running) < window and (item := next(queue, None)) is not None:
        running[executor.submit(grade, item[1])] = item


def _alone(job: Job, pool: Callable[[int], Executor]) -> bytes | Exception:
    with pool(1) as executor:
        future = executor.submit(grade, job)
        if isinstance(future.exception(), (BrokenExecutor, Lost)):
            return unjudged_notebook(job.frame, LOST, "died")
        return _result(future)


def _result(future: Future) -> bytes | Exception:
    """CannotRun, or an error of the grader's own: neither may keep the others from their verdicts."""
    error = future.exception()
    if isinstance(error, CourseError):  # the lesson itself is wrong, for everyone
        raise error
    return future.result() if error is None else error
