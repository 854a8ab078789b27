"""A student's outputs made fit to be kept: known shapes, known types, plain text. What a kernel sends is not
to be relied on, and one malformed output would keep the feedback page of the whole notebook from being made."""

import base64
import binascii

KEPT_TYPES = ("text/plain", "text/html", "text/markdown", "text/latex", "image/png", "image/jpeg")


def cleaned(outputs: list[dict]) -> list[dict]:
    """What of these outputs can be shown, consecutive pieces of one stream joined."""
    kept: list[dict] = []
    for output in outputs:
        new = _cleaned(output)
        if new is None:
            continue
        if new["output_type"] == "stream" and kept and kept[-1].get("name") == new["name"]:
            kept[-1]["text"] += new["text"]
        else:
            kept.append(new)
    return kept


def _cleaned(output: dict) -> dict | None:
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return {"output_type": kind, "name": name, "text": text(output.get("text"))}
    if kind == "error":
        lines = output.get("traceback")
        lines = [text(line) for line in lines] if isinstance(lines, list) else []
        names = {key: text(output.get(key)) for key in ("ename", "evalue")}
        return {"output_type": kind, **names, "traceback": lines}
    data = _data(output.get("data"))
    # A result becomes a display: only a verdict is the result of a cell here.
    return {"output_type": "display_data", "data": data, "metadata": {}} if data else None


def _data(data: object) -> dict[str, str]:
    if not isinstance(data, dict):
        return {}
    kept = {kind: text(data[kind]) for kind in KEPT_TYPES if kind in data}
    return {kind: value for kind, value in kept.items() if not kind.startswith("image/") or _is_base64(value)}


def _is_base64(value: str) -> bool:
    try:
        base64.b64decode("".join(value.split()), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def text(value: object) -> str:
    """`value` as text that fits into a UTF-8 file, whatever it is."""
    if isinstance(value, list):
        value = "".join(map(str, value))
    return ("" if value is None else str(value)).encode("utf-8", "replace").decode("utf-8")
