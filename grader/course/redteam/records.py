"""Forged records and forged messages: a kernel can send whatever it likes, and does."""

from grader.course.redteam.attack import Attack, cheating

FORGE = """
import base64, json
from IPython.display import display
import grader.exercises.emit as place
from grader.exercises import exercise
from grader.probe import RECORD_MIME, pack_record, run
def record(name, seed):
    return pack_record(run(exercise(name), get_ipython().user_ns[exercise(name).name], seed))
def show(*records):
    for one in records: display({RECORD_MIME: one, "text/plain": "record"}, raw=True)
def packed(dtype, shape, data=b""):
    header = json.dumps({"vector/y": {"dtype": dtype, "shape": shape, "data_offsets": [0, len(data)]}}).encode()
    return base64.b64encode(len(header).to_bytes(8, "little") + header + data).decode()
def with_tensors(true, change):
    import safetensors.torch
    tensors = safetensors.torch.load(base64.b64decode(true["tensors"]))
    changed = safetensors.torch.save({name: change(tensor) for name, tensor in tensors.items()})
    return true | {"tensors": base64.b64encode(changed).decode()}
def with_fact(true, **facts):
    cases = {name: case | facts for name, case in true["facts"]["cases"].items()}
    return true | {"facts": true["facts"] | {"cases": cases}}
"""
KERNEL = """
kernel = get_ipython().kernel
session, iopub = kernel.session, kernel.iopub_socket
def send(kind, content, **more): session.send(iopub, kind, content, parent=kernel.get_parent(), ident=b"x", **more)
"""


def forged(name: str, does: str, body: str, says: tuple[str, ...] = ("tampered",)) -> Attack:
    """Each check gives what the function `emit` with this body shows, where `true` is the record it should give."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    source = f"{FORGE}\ndef emit(name, seed):\n    true = record(name, seed)\n{lines}\nplace.emit = emit\n"
    return Attack(name, does, cheating(source), 0, says)


def sent(name: str, does: str, body: str, says: tuple[str, ...] = ("tampered",)) -> Attack:
    """The function itself sends messages while it is being checked."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    source = f"def rms_norm(x, weight, eps):\n{lines}\n    return x + weight"
    return Attack(name, does, cheating(KERNEL, rms_norm=source), 0, says)


DAMAGED = ("tampered", "is damaged")
ATTACKS = (
    forged(
        "two-records", "two records", "show(true, true)", ("tampered (The check gave 2 records; it gives exactly one)",)
    ),
    forged("many-records", "a thousand records", "show(*[true] * 1000)"),
    forged("no-record", "no record", "print('all is well')", ("tampered", "withheld")),
    forged("truncated", "a truncated record", "show(true | {'tensors': true['tensors'][:100]})", DAMAGED),
    forged(
        "gigabyte",
        "a record of a gigabyte",
        "show({'facts': true['facts'], 'tensors': 'A' * 2**30})",
        ("died", "while this check was running"),
    ),
    forged(
        "large",
        "a record of 64 MB",
        "show({'facts': true['facts'], 'tensors': 'A' * 2**26})",
        ("tampered", "more than any record is long"),
    ),
    forged("megabytes", "a record of 30 MB", "show({'facts': true['facts'], 'tensors': 'A' * (30 * 2**20)})", DAMAGED),
    forged(
        "words",
        "a record with megabytes of words",
        "show(true | {'facts': true['facts'] | {'stderr': 'full marks! ' * 10**6}})",
    ),
    forged(
        "pickle",
        "a hostile pickle",
        "show(true | {'tensors': base64.b64encode(b'cos\\nsystem\\n(S\"touch /tmp/owned\"\\ntR.').decode()})",
        DAMAGED,
    ),
    forged("nan", "nan everywhere", "show(with_tensors(true, lambda t: torch.full_like(t, float('nan'))))", ("wrong",)),
    forged(
        "infinite", "inf everywhere", "show(with_tensors(true, lambda t: torch.full_like(t, float('inf'))))", ("wrong",)
    ),
    forged("empty-tensors", "tensors of no numbers", "show(with_tensors(true, lambda t: torch.empty(0)))", ("wrong",)),
    forged("complex", "complex numbers", "show(with_tensors(true, lambda t: t.to(torch.complex64)))", ("wrong",)),
    forged("booleans", "booleans", "show(with_tensors(true, lambda t: t.bool()))", ("wrong",)),
    forged(
        "shapes",
        "a tensor whose size overflows",
        "show(true | {'tensors': packed('F32', [0, 2**62, 9])})",
    ),
    forged(
        "types",
        "a type nobody knows",
        "show(true | {'tensors': packed('F4', [2], b'x')})",
    ),
    forged("nonsense", "facts of other types", "show(with_fact(true, types={'y': ['Tensor'], 'result': 5}))", DAMAGED),
    forged(
        "marks",
        "a record that says its score",
        "show({**true, 'score': 6, 'facts': {**true['facts'], 'score': 99}})",
        ("wrong",),
    ),
    forged("text", "a record that is text", "show('full marks')"),
    forged("list", "a record that is a list", "show([[[]]])"),
    forged("other", "another exercise's record", "show(record('rms_norm', seed))", ("wrong",)),
    forged("old-seed", "the record of other inputs", "show(record(name, 0))", ("wrong",)),
    forged(
        "unfinished",
        "says that it is not attempted",
        "show(with_fact(true, raised={'type': 'NotImplementedError', 'message': ''}))",
        ("not attempted",),
    ),
    sent(
        "result",
        "a forged execute_result",
        "send('execute_result', {'data': {'text/plain': '6'}, 'metadata': {}, 'execution_count': 1})",
        ("wrong",),
    ),
    sent(
        "nan-result",
        "a result of nan",
        "send('execute_result', {'data': {'text/plain': 'nan'}, 'metadata': {}, 'execution_count': 1})",
        ("wrong",),
    ),
    sent("idle", "says early that it has finished", "send('status', {'execution_state': 'idle'})"),
    sent("garbled", "messages that are not Jupyter's", "send('status', {})"),
    sent("garbled-list", "a message that is a list", "send('stream', b'[1]')"),
    sent("garbled-kind", "a stream without text", "send('stream', {'name': 'stdout', 'text': 7})", ()),
    sent("garbled-display", "a display without data", "send('display_data', {'data': None})", ()),
    sent("garbled-error", "an error without traceback", "send('error', {})", ()),
    sent("garbled-parts", "frames that are no message", "iopub.send_multipart([b'x', b'<IDS|MSG>', b'bad'])"),
    sent(
        "garbled-nested",
        "a message nested too deep",
        "import zmq\nsession.pack = lambda it: b'[' * 10**5\nsend('stream', {})",
    ),
    sent(
        "shutdown", "says that the kernel shuts down", "send('shutdown_reply', {'status': 'ok', 'restart': False})", ()
    ),
    sent(
        "clears", "clears its outputs again and again", "for _ in range(100): send('clear_output', {'wait': False})", ()
    ),
)
