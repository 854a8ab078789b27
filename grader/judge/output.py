"""A verdict as the output of a notebook cell."""

from grader.judge.verdict import Verdict

VERDICT_MIME = "application/vnd.transformer-internals.verdict+json"


def as_output(verdict: Verdict) -> dict:
    """An nbformat execute_result: the points for stock nbgrader, the card for people, the verdict as JSON.

    It has to be an execute_result: for a cell without one, stock nbgrader gives full marks.
    """
    data = {"text/plain": repr(verdict), "text/html": verdict._repr_html_(), VERDICT_MIME: verdict.to_json()}
    return {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}
