"""Runs an implementation on all cases of an exercise, whatever it does."""

import contextlib
import inspect
import os
import sys
import warnings
from collections.abc import Iterator, Sequence

import torch

from grader.probe.case import Case
from grader.probe.exercise import Exercise
from grader.probe.quiet import captured_stderr
from grader.probe.record import CaseRecord, Record
from grader.probe.recorder import Recorder
from grader.probe.watch import Watch, traceback_line


def run(exercise: Exercise, implementation: object, seed: int) -> Record:
    """The record of `implementation` on `exercise.cases(seed)`.

    Never raises for what the implementation does, but for an interrupt: that one is the person's.
    """
    with _same_for_all():  # a notebook may have changed the default dtype, and so what is drawn
        cases = exercise.drawn(seed)
    return run_cases(exercise, implementation, cases)


def run_cases(exercise: Exercise, implementation: object, cases: Sequence[Case]) -> Record:
    record = Record(problem=_problem(exercise, implementation))
    if record.problem is not None:
        return record
    watch = Watch(exercise.forbidden)
    with captured_stderr() as stderr, _same_for_all(), watch:
        for case in cases:
            record.cases[case.name] = _run_case(exercise, implementation, case)
    record.forbidden, record.stderr = watch.seen, stderr[0]
    return record


def _run_case(exercise: Exercise, implementation: object, case: Case) -> CaseRecord:
    recorder = Recorder(case)
    torch.default_generator.manual_seed(0)  # manual_seed also leaves notes for GPUs, at ten times the price
    try:
        exercise.probe(implementation, recorder)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() and home-made BaseExceptions are results too
        recorder.record.facts["raised"] = {
            "type": type(error).__name__,
            "message": _message(error),
            **traceback_line(error),
        }
    return recorder.finish()


def _message(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except Exception as second:  # an exception whose own __str__ raises still has to be reported
        return f"(its message cannot be shown: {type(second).__name__})"


@contextlib.contextmanager
def _same_for_all() -> Iterator[None]:
    """The same surroundings for everyone: RNG, default dtype and device, gradients on, no compiler, one thread.

    On a busy machine a second thread makes small products 25 times as slow. Whatever the notebook had set before is
    set again afterwards.
    """
    dtype, device, threads = torch.get_default_dtype(), torch.get_default_device(), torch.get_num_threads()
    try:
        torch.set_default_dtype(torch.float32)
        torch.set_num_threads(1)
        with (
            torch.random.fork_rng(devices=[]),
            _on_the_cpu(device),
            torch.enable_grad(),
            _eager(),
            warnings.catch_warnings(),
        ):
            warnings.showwarning = _show_warning
            yield
    finally:
        torch.set_default_dtype(dtype)
        torch.set_num_threads(threads)
        if torch.get_default_device() != device:  # left so by the implementation
            torch.set_default_device(None if device.type == "cpu" else device)


def _on_the_cpu(device: torch.device) -> contextlib.AbstractContextManager:
    """New tensors are the CPU's. Where they are anyway, torch need not look at each call."""
    return contextlib.nullcontext() if device.type == "cpu" else torch.device("cpu")


def _eager() -> contextlib.AbstractContextManager:
    """Nothing is compiled. Where the environment says so already, a second of imports is spared."""
    if os.environ.get("TORCH_COMPILE_DISABLE") == "1":
        return contextlib.nullcontext()
    return torch.compiler.set_stance("force_eager")


def _show_warning(message, category, *_where) -> None:
    """A warning in the student's words: which library line it came from helps nobody."""
    print(f"{category.__name__}: {message}", file=sys.stderr)


def _problem(exercise: Exercise, implementation: object) -> tuple[str, str] | None:
    """Why this object cannot be run as the contract says, or None."""
    name = exercise.name
    if exercise.kind == "module":
        if not isinstance(implementation, type):
            return "kind", f"`{name}` should be a class; it is {_article(implementation)}."
        if not issubclass(implementation, torch.nn.Module):
            return "kind", f"`{name}` should derive from nn.Module: `class {name}(nn.Module)`."
    elif isinstance(implementation, type):
        return "kind", f"`{name}` should be a function; it is a class."
    elif not callable(implementation):
        return "kind", f"`{name}` should be a function; it is {_article(implementation)}."
    return _signature_problem(exercise, implementation)


def _signature_problem(exercise: Exercise, implementation: object) -> tuple[str, str] | None:
    try:
        signature = inspect.signature(implementation)
    except (TypeError, ValueError):  # some callables have none; then the call itself will tell
        return None
    try:
        signature.bind(*exercise.arguments, **dict.fromkeys(exercise.keywords))
    except TypeError as error:
        yours = f"{exercise.name}{signature}"
        return "signature", f"It is called as `{exercise.signature}`, but yours is `{yours}`: {error}."
    return None


def _article(value: object) -> str:
    kind = "function" if inspect.isroutine(value) else type(value).__name__
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"
