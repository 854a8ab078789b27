"""A proof as text: one table of the exercises, one of the mistakes, then what does not hold."""

from grader.author.prove import Proof, Run
from grader.probe import Exercise
from grader.table import table


def text(proof: Proof) -> str:
    parts = [f"{proof.lesson}, {len(proof.seeds)} seeds, experiment cells left out"]
    parts += [_exercises(proof), _mistakes(proof), *map(_note, proof.stale)]
    parts += [f"Note: {name} was not tried. {why}" for name, why in proof.left_out.items()]
    parts.append(_conclusion(proof))
    return "\n\n".join(parts)


def _exercises(proof: Proof) -> str:
    head = ("exercise", "solution", "untouched", "mistakes caught", "named", "right variants")
    return table(head, [_exercise(proof, exercise) for exercise in proof.exercises])


def _exercise(proof: Proof, exercise: Exercise) -> tuple[str, ...]:
    count = len(proof.seeds)
    mistakes, variants = proof.mistakes[exercise.id], proof.variants[exercise.id]
    return (
        exercise.id,
        _score(proof.solution, exercise),
        _score(proof.untouched, exercise),
        f"{sum(trial.full == 0 for trial in mistakes)} of {len(mistakes)}",
        f"{sum(trial.named == count for trial in mistakes)} of {len(mistakes)}",
        f"{sum(trial.full == count for trial in variants)} of {len(variants)}",
    )


def _score(run: Run, exercise: Exercise) -> str:
    return "extra" if exercise.extra else f"{run.verdicts[exercise.id].score} of {exercise.points}"


def _mistakes(proof: Proof) -> str:
    rows = [
        (exercise.id, trial.mistake, f"{trial.scores} of {exercise.points}", f"{trial.named} of {len(proof.seeds)}")
        for exercise in proof.exercises
        for trial in proof.mistakes[exercise.id]
    ]
    return table(("exercise", "mistake", "points", "named"), rows)


def _note(stale: str) -> str:
    return f"Note: {stale} (`python -m grader build {stale.split('/')[1]}` writes it)"


def _conclusion(proof: Proof) -> str:
    trials = [trial for found in proof.mistakes.values() for trial in found]
    survivors = ", ".join(trial.name for trial in trials if trial.full) or "none"
    problems = proof.problems()
    lines = [f"Survivors: {survivors}", *(f"PROBLEM  {problem}" for problem in problems)]
    count = f"{len(problems)} problem{'s' * (len(problems) > 1)}"
    lines.append(f"{count}: not proved." if problems else "Proved.")
    return "\n".join(lines)
