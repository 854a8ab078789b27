"""Prove a lesson: its solution passes, nothing is free, every known mistake is caught and named.

Experiment cells are left out, so that an author gets an answer in seconds; whether they run is for the long
tests.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from grader.author import trials
from grader.author.build import build, differences
from grader.errors import CourseError
from grader.exercises import of_lesson
from grader.judge import Verdict
from grader.notebook import CannotRun, execute, judge_notebook, rebuild
from grader.notebook.frame import grade_id, is_check, load
from grader.notebook.fresh import FreshKernel
from grader.notebook.graded import read_graded
from grader.notebook.reasons import describe_error, error_of
from grader.paths import Course
from grader.probe import Exercise

SEED = 0


@dataclass(frozen=True)
class Run:
    """A notebook that was run in a kernel and judged: verdicts by exercise, and what cells raised."""

    verdicts: dict[str, Verdict]
    errors: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Proof:
    """Everything that was found about a lesson. `problems` says in sentences what does not hold.

    left_out   exercises for extra credit that cannot be run on this machine, and why
    """

    lesson: str
    seeds: Sequence[int]
    exercises: list[Exercise]
    stale: list[str]
    solution: Run
    untouched: Run
    mistakes: dict[str, list[trials.Trial]]
    variants: dict[str, list[trials.Trial]]
    alike: dict[str, list[tuple[str, str]]]
    left_out: dict[str, str]

    def problems(self) -> list[str]:
        parts = [_run_problems(self)]
        for exercise in self.exercises:
            parts += [_mistake_problems(self, exercise), _variant_problems(self, exercise), _pairs(self, exercise)]
        return [sentence for part in parts for sentence in part]


def prove(course: Course, lesson: str, seeds: Sequence[int]) -> Proof:
    """Run everything. Raises CourseError if the lesson cannot be built or no kernel can be had."""
    built = build(course, lesson)
    chosen = [exercise for exercise in of_lesson(lesson) if not exercise.missing()]
    names = [exercise.id for exercise in chosen]
    return Proof(
        lesson,
        seeds,
        chosen,
        differences(course, lesson),
        run_notebook(built.release, built.source, lesson),
        run_notebook(built.release, built.release, lesson),
        {name: trials.mistakes(name, seeds) for name in names},
        {name: trials.variants(name, seeds) for name in names},
        {name: trials.alike(name, seeds) for name in names},
        {exercise.id: exercise.missing() for exercise in of_lesson(lesson) if exercise.missing()},
    )


def run_notebook(frame: bytes, filled: bytes, lesson: str) -> Run:
    """Run a notebook as a submission is graded: in a real kernel, experiments left out, judged outside."""
    try:
        # The author's own work: no wall, so that lessons can be written on any system.
        executed = execute(rebuild(frame, filled, lesson, lambda _: SEED), runner=FreshKernel())
        judged = judge_notebook(executed, frame, lambda _: SEED)
    except CannotRun as error:
        raise CourseError(f"The notebook of {lesson} cannot be run: {error}") from error
    graded = read_graded("author", judged)
    failed = [cell for cell in load(executed)["cells"] if error_of(cell) and not is_check(cell)]
    errors = {grade_id(cell) or cell["id"]: describe_error(cell) for cell in failed}
    return Run({verdict.exercise: verdict for verdict in graded.verdicts}, errors)


def _run_problems(proof: Proof) -> Iterator[str]:
    for cell, error in proof.solution.errors.items():
        yield f"solution notebook, cell {cell}: raised {error}"
    for exercise in (chosen for chosen in proof.exercises if not chosen.extra):
        verdict = proof.solution.verdicts[exercise.id]
        if verdict.score != exercise.points:
            yield f"{exercise.id}: the solution does not get full marks. {verdict}"
        if error := proof.untouched.errors.get(exercise.id):
            yield f"{exercise.id}: the untouched cell cannot even be defined: raised {error}"
        if score := proof.untouched.verdicts[exercise.id].score:
            yield f"{exercise.id}: the untouched notebook gets {score} points; it must get 0"


def _mistake_problems(proof: Proof, exercise: Exercise) -> Iterator[str]:
    count = len(proof.seeds)
    for trial in proof.mistakes[exercise.id]:
        if trial.full:
            yield f"{exercise.id}: mistake {trial.name} survives: full marks for {trial.full} of {count} seeds"
        elif trial.named < count:
            yield f"{exercise.id}: mistake {trial.name} is named for {trial.named} of {count} seeds only"


def _variant_problems(proof: Proof, exercise: Exercise) -> Iterator[str]:
    for trial in proof.variants[exercise.id]:
        if trial.full < len(proof.seeds):
            first = next(verdict for verdict in trial.verdicts if verdict.score != verdict.points)
            yield f"{exercise.id}: right variant {trial.name} does not get full marks. {first}"


def _pairs(proof: Proof, exercise: Exercise) -> Iterator[str]:
    for one, other in proof.alike[exercise.id]:
        yield f"{exercise.id}: no case tells {other} from {one}: add a case, or make them one mistake"
