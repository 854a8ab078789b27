"""Code nobody trusts, behind a wall: real Jupyter kernels forked from a warm process inside bubblewrap.

Knows kernels, namespaces and limits, and nothing of notebooks, exercises or grades: that is `grader.notebook`.
Linux only; `grader.sandbox.bubblewrap.why_not()` says what is missing elsewhere.

    worker ──socket──▶ zygote (warm, in bubblewrap) ──fork──▶ keeper ──fork──▶ init (own namespaces) ──fork──▶ kernel
"""

from grader.sandbox.limits import Caps
from grader.sandbox.view import View

__all__ = ["Caps", "View"]
