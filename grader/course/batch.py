"""Jobs over workers: results as they come, however many workers are lost on the way."""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait

from grader.course.job import Job, grade
from grader.errors import CourseError
from grader.notebook import unjudged_notebook

Item = tuple[str, Job]  # student, job
Result = tuple[str, bytes | Exception]
LOST = "The grading process was killed twice while this notebook ran, so nothing of it could be judged."


def local_pool(workers: int) -> Executor:
    """Worker processes on this machine. Spawned, not forked: torch's threads do not survive a fork."""
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


def graded(items: Iterable[Item], workers: int, pool: Callable[[int], Executor] = local_pool) -> Iterator[Result]:
    """Student and judged notebook, in the order in which they are done; the error where there is none.

    At most two jobs a worker are in memory at a time. When a worker dies, those that were under way are tried
    again one by one, and the one that kills its worker a second time gets that as its verdict.
    """
    queue, suspects = iter(items), []
    while (broken := (yield from _together(queue, workers, pool))) is not None:
        suspects += broken
    for student, job in suspects:
        yield student, _alone(job, pool)


def _together(queue: Iterator[Item], workers: int, pool: Callable[[int], Executor]):
    """Yields results until the queue is empty (returns None) or the pool breaks (returns what was in it)."""
    executor, running = pool(workers), {}
    try:
        _fill(executor, queue, running, 2 * workers)
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            broken = [running[future] for future in done if isinstance(future.exception(), BrokenExecutor)]
            for future in done:
                item = running.pop(future)
                if item not in broken:
                    yield item[0], _result(future)
            if broken:
                return broken + list(running.values())
            _fill(executor, queue, running, 2 * workers)
        return None
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _fill(executor: Executor, queue: Iterator[Item], running: dict[Future, Item], window: int) -> None:
    while len(running) < window and (item := next(queue, None)) is not None:
        running[executor.submit(grade, item[1])] = item


def _alone(job: Job, pool: Callable[[int], Executor]) -> bytes | Exception:
    with pool(1) as executor:
        future = executor.submit(grade, job)
        if isinstance(future.exception(), BrokenExecutor):
            return unjudged_notebook(job.frame, LOST, "died")
        return _result(future)


def _result(future: Future) -> bytes | Exception:
    """CannotRun, or an error of the grader's own: neither may keep the others from their verdicts."""
    error = future.exception()
    if isinstance(error, CourseError):  # the lesson itself is wrong, for everyone
        raise error
    return future.result() if error is None else error
