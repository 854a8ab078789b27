"""The text of the cell or file in which something was defined, as Python itself remembers it."""

import inspect
import linecache


def defining_text(value: object) -> str:
    """The whole text of the cell or file that defines a function or class; "" where nobody knows it.

    `inspect.getsource` cannot find a class that was defined in a notebook; a method's code object can.
    """
    candidates = [inspect.unwrap(value)] if callable(value) else []
    if isinstance(value, type):
        candidates = [member for member in vars(value).values() if inspect.isfunction(member)]
    for candidate in candidates:
        if (code := getattr(candidate, "__code__", None)) is not None:
            return "".join(linecache.getlines(code.co_filename))
    return ""
