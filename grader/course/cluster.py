"""The steps on a Dask cluster, behind the same small interface as on this machine: an executor.

Jobs go out as bytes and come back as bytes; nothing but `grader` itself, in the same version, has to be there.
"""

import contextlib
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from grader.course import cluster_worker
from grader.course.batch import Lost
from grader.course.job import Job
from grader.course.same import demand_same, mine
from grader.errors import CourseError

if TYPE_CHECKING:
    from distributed import Client

CONNECT = 15  # seconds for the scheduler to answer
WORKERS = 60  # seconds for a first worker: a cluster that grows when it is needed has none before
LOOK = 5  # seconds between two looks at how many workers there are
INSTALL = "`pip install '.[cluster]'`, here and where the workers run"


def cluster_pool(address: str, walled: bool) -> Callable[[int], "ClusterExecutor"]:
    """For Settings.pool. address: "tcp://host:port", or "tls://host:port" with Dask's own configuration.

    Raises CourseError, here and when it is called, if the cluster cannot grade as this machine would.
    """
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise CourseError(f"--scheduler needs Dask's `distributed`, which is not installed: {INSTALL}.") from error
    return lambda workers: ClusterExecutor(_checked(address, walled))


def _checked(address: str, walled: bool) -> "Client":
    client = _connected(address)
    try:
        _demand_workers(client, address)
        demand_same(client.run(cluster_worker.facts, on_error="return"), walled)
    except BaseException:
        client.close()
        raise
    return client


def _connected(address: str) -> "Client":
    from distributed import Client

    try:
        return Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise CourseError(
            f"No Dask scheduler answers at {address}: {said[:300]}. Start one with `dask scheduler`, and workers with "
            "`dask worker ADDRESS`; tls:// needs certificates in Dask's configuration (distributed.comm.tls)."
        ) from error


def _demand_workers(client: "Client", address: str) -> None:
    """Asks for some work to be done: then a cluster that adapts starts a worker."""
    try:
        client.submit(time.time, pure=False).result(timeout=WORKERS)
    except TimeoutError as error:
        raise CourseError(
            f"The scheduler at {address} has no worker that is free: none took a job within {WORKERS} seconds. "
            f"Start some with `dask worker {address} --nthreads 1`, one for each processor."
        ) from error


@dataclass
class ClusterExecutor(Executor):
    """Runs jobs on a cluster. A job whose worker is lost is sent to another one, by Dask."""

    client: "Client"
    _slots: int = field(default=1, init=False)
    _looked: float = field(default=float("-inf"), init=False)

    def __post_init__(self):
        self._executor = self.client.get_executor(pure=False)

    @property
    def slots(self) -> int:
        """Jobs that can be worked on at a time. Workers come and go. Raises CourseError where the scheduler is gone."""
        if time.monotonic() - self._looked > LOOK:
            with _in_reach(self.client):
                self._slots = max(1, sum(self.client.nthreads().values()))
            self._looked = time.monotonic()
        return self._slots

    def submit(self, function: Callable[[Job], bytes], job: Job) -> Future:
        with warnings.catch_warnings(), _in_reach(self.client):
            warnings.filterwarnings("ignore", "Sending large graph")  # a notebook is as large as it is
            inner = self._executor.submit(cluster_worker.run, function, job, mine())
        return _translated(inner, self.client)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait=wait and not cancel_futures)
        self.client.close()


def _translated(inner: Future, client: "Client") -> Future:
    """The same outcome, in this package's words for it."""
    outer: Future = Future()

    def done(_: Future) -> None:
        try:
            outer.set_result(inner.result())
        except CancelledError:
            outer.set_exception(_gone(client))
        except Exception as error:
            outer.set_exception(Lost(_said(error)) if type(error).__name__ == "KilledWorker" else error)

    inner.add_done_callback(done)
    return outer


def _said(error: Exception) -> str:
    try:
        return str(error)
    except Exception:  # Dask's words name a worker, of which nothing may be known any more
        return type(error).__name__


@contextlib.contextmanager
def _in_reach(client: "Client") -> Iterator[None]:
    """Asked between the scheduler's end and the moment when Dask tells of it, or after that: the same sentence."""
    try:
        yield
    except Exception as error:
        if isinstance(error, OSError) or client.status in ("closing", "closed"):
            raise _gone(client) from error
        raise


def _gone(client: "Client") -> CourseError:
    where = client.scheduler.address if client.scheduler else "the cluster"
    return CourseError(
        f"The scheduler at {where} is gone, or has dropped the work. What has come back is kept: start it again, "
        "then give the same command, and it goes on where it stopped."
    )
