"""What a graded cell runs in place of `check`, in the process that runs the student's code."""

from IPython import get_ipython
from IPython.display import display

from grader.exercises import exercise
from grader.probe import RECORD_MIME, Record, pack_record, run


def emit(exercise_id: str, seed: int) -> None:
    """Probes the notebook's own object with these inputs and shows the record as the cell's output."""
    chosen = exercise(exercise_id)
    namespace = get_ipython().user_ns
    if chosen.name not in namespace:
        record = Record(problem=("defined", f"`{chosen.name}` is not defined in the notebook."))
    else:
        record = run(chosen, namespace[chosen.name], seed)
    display({RECORD_MIME: pack_record(record), "text/plain": "record"}, raw=True)
