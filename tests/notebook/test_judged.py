"""From an executed notebook to verdicts: one record is judged, anything else is a verdict in words."""

import json

import nbformat
import pytest
from nbgrader.utils import determine_grade

from grader.judge import VERDICT_MIME, Verdict
from grader.notebook import CannotRun, Limits, execute, judge_notebook, rebuild, unjudged_notebook
from grader.notebook.frame import grade_id
from grader.probe import RECORD_MIME
from tests.notebook.frames import RIGHT, code, filled, frame, notebook, seed_for


def executed(solution: str, *before: str, **limits) -> bytes:
    cells = filled(rms_norm=solution)
    cells[4:4] = [code(source) for source in before]
    clean = rebuild(frame(), notebook(cells), "03_rms_norm", seed_for)
    return execute(clean, Limits(**limits))


def judged(ran: bytes) -> tuple[Verdict, dict]:
    """The verdict and the notebook, which is one that nbformat and stock nbgrader read the same way."""
    made = judge_notebook(ran, frame(), seed_for)
    notebook_node = nbformat.reads(made.decode(), as_version=4)
    nbformat.validate(notebook_node)
    (check,) = [cell for cell in notebook_node.cells if grade_id(cell) == "check_rms_norm"]
    assert check.source == 'check("rms_norm")'
    (output,) = check.outputs
    verdict = Verdict.from_json(output.data[VERDICT_MIME])
    assert determine_grade(check) == (verdict.score, 6)
    return verdict, json.loads(made)


@pytest.fixture(scope="module")
def right() -> bytes:
    """Right, but with a warning on stderr before, and an error after it in the same cell."""
    loud = "import sys\nsys.stderr.write('careful')\nprint('mine')\n"
    return executed(loud + RIGHT + "\nassert rms_norm(1, 2) == 3", "print('added')")


def changed(ran: bytes, change) -> bytes:
    """A notebook that really ran, with `change` made to the list of the check's outputs."""
    made = json.loads(ran)
    (check,) = [cell for cell in made["cells"] if grade_id(cell) == "check_rms_norm"]
    change(check["outputs"])
    return json.dumps(made).encode()


def test_right(right):
    verdict, made = judged(right)
    assert (verdict.status, verdict.score) == ("passed", 6)
    kept = [output["text"] for cell in made["cells"] for output in cell.get("outputs", []) if "text" in output]
    assert sorted(kept) == ["added\n", "careful", "mine\n"]
    assert made["metadata"]["run"]["status"] == "finished"
    assert RECORD_MIME not in json.dumps(made)
    assert any("TypeError" in note and "`assert rms_norm(1, 2) == 3`" in note for note in verdict.notes)


def test_not_attempted():
    ran = execute(rebuild(frame(), frame(), "03_rms_norm", seed_for))
    assert judged(ran)[0].status == "not attempted"


def test_syntax_error_names_the_line():
    verdict, _ = judged(executed("def rms_norm(x, weight, eps):\n    y = x *\n    return y"))
    assert (verdict.status, verdict.score) == ("raised", 0)
    message = verdict.checks[0].message
    assert "SyntaxError" in message and "on line 2 (`y = x *`)" in message


def test_undefined():
    assert judged(executed("other = 1"))[0].status == "not attempted"


def test_a_loop_while_being_checked():
    loop = "def rms_norm(x, weight, eps):\n    while True: pass"
    verdict, _ = judged(executed(loop, cell_seconds=10))
    assert (verdict.status, verdict.score) == ("timed out", 0)


def test_a_dead_kernel():
    verdict, _ = judged(executed("import os\nos._exit(1)"))
    assert verdict.status == "died" and "`import os`" in verdict.checks[0].message


@pytest.mark.parametrize("second", ["the same", 3])
def test_two_records(right, second):
    def twice(outputs):
        again = json.loads(json.dumps(outputs[0]))
        again["data"][RECORD_MIME] = again["data"][RECORD_MIME] if second == "the same" else second
        outputs.append(again)

    verdict, _ = judged(changed(right, twice))
    assert (verdict.status, verdict.score) == ("tampered", 0)
    assert "2 records" in verdict.checks[0].message


@pytest.mark.parametrize(
    "record",
    [
        3,
        {},
        {"facts": {"problem": None, "forbidden": [], "stderr": "", "cases": {}}, "tensors": "AAAA"},
        {"facts": {"problem": None, "forbidden": [], "stderr": "", "cases": {"x": {}}}, "tensors": ""},
        {"facts": {"problem": None, "forbidden": [], "stderr": "", "cases": 7}, "tensors": "eyJ9"},
        {"facts": {"problem": None, "forbidden": [], "stderr": "", "cases": {}}, "tensors": "A" * 2**26},
    ],
    ids=["no object", "empty", "short", "no tensors", "no cases", "64 MiB"],
)
def test_forged_records_earn_nothing(right, record):
    verdict, _ = judged(changed(right, lambda outputs: outputs[0]["data"].update({RECORD_MIME: record})))
    assert verdict.score == 0 and verdict.status in ("tampered", "unreadable", "wrong")
    assert verdict.checks[0].message


def test_a_truncated_record(right):
    def cut(outputs):
        record = outputs[0]["data"][RECORD_MIME]
        record["tensors"] = record["tensors"][: len(record["tensors"]) // 8 * 4]

    verdict, _ = judged(changed(right, cut))
    assert (verdict.status, verdict.score) == ("tampered", 0)


def test_a_withheld_record(right):
    verdict, _ = judged(changed(right, lambda outputs: outputs.clear()))
    assert (verdict.status, verdict.score) == ("tampered", 0)


def test_forged_code_is_not_believed():
    """A result of the student's making, a blinded watch and a forbidden built-in."""
    blind = (
        "import grader.probe.watch\n"
        "grader.probe.watch.Watch.__torch_function__ = lambda self, f, types, a=(), k=None: f(*a, **(k or {}))\n"
        "import sys\nget_ipython().display_formatter.formatters['text/plain'].for_type(object, lambda *a: '99')\n"
        "sys.displayhook(99)"
    )
    cheat = "def rms_norm(x, weight, eps):\n    return torch.nn.functional.rms_norm(x, x.shape[-1:], weight, eps)"
    verdict, _ = judged(executed(cheat, blind))
    assert verdict.score == 0 and "F.rms_norm" in verdict.checks[0].message


def test_hostile_outputs_are_made_plain(right):
    ran = json.loads(right)
    hostile = [
        {"output_type": "display_data", "data": {"application/javascript": "alert(1)"}, "metadata": {}},
        {"output_type": "display_data", "data": {"image/png": '"><script>'}, "metadata": {"x": 1}},
        {"output_type": "display_data", "data": 5, "metadata": {}},
        {"output_type": "execute_result", "data": {"text/plain": ["a", "b"]}, "metadata": {"isolated": True}},
        {"output_type": "error", "ename": 1, "evalue": None, "traceback": [2, "x"]},
        {"output_type": "stream", "name": 7, "text": 8},
        {"output_type": "nonsense"},
    ]
    added = next(cell for cell in ran["cells"] if cell["id"] == "added-1")
    added["outputs"] = hostile
    _, made = judged(json.dumps(ran).encode())
    kept = next(cell["outputs"] for cell in made["cells"] if cell["id"] == "added-1")
    assert [output["output_type"] for output in kept] == ["display_data", "error", "stream"]
    assert kept[0]["data"] == {"text/plain": "ab"} and kept[0]["metadata"] == {}


def test_a_broken_setup_is_nobodys_answer():
    cells = json.loads(frame())["cells"]
    cells[1]["source"] = "import no_such_package"
    broken = notebook(cells)
    ran = execute(rebuild(broken, frame(), "03_rms_norm", seed_for))
    with pytest.raises(CannotRun, match="no_such_package"):
        judge_notebook(ran, broken, seed_for)


def test_unreadable_page():
    page = json.loads(unjudged_notebook(frame(), "The file is `<b>` not JSON."))
    nbformat.validate(nbformat.from_dict(page))
    assert "The file is `<b>` not JSON." in page["cells"][0]["source"]
    (check,) = [cell for cell in page["cells"] if grade_id(cell) == "check_rms_norm"]
    verdict = Verdict.from_json(check["outputs"][0]["data"][VERDICT_MIME])
    assert (verdict.status, verdict.score) == ("unreadable", 0)
    written = next(cell for cell in page["cells"] if grade_id(cell) == "written_why")
    assert written["source"] == "YOUR ANSWER HERE"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "def rms_norm(x, weight, eps):\n    raise KeyboardInterrupt",
            ("raised", "Your code raised KeyboardInterrupt"),
        ),
        ("data = bytearray(1 << 60)", ("out of memory", "its cell raised MemoryError, on line 1 (`data")),
    ],
)
def test_interrupts_and_memory_have_words_of_their_own(source, said):
    verdict, _ = judged(executed(source))
    assert verdict.status == said[0] and said[1] in verdict.checks[0].message
