"""How a module says what is right and what is wrong: decorators on implementations like a student's own."""

import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from grader.errors import CourseError


@dataclass(frozen=True)
class Mistake:
    """One wrong implementation. `name` completes the sentence "the mistake is: …"; `hint` leads out of it."""

    key: str
    name: str
    hint: str
    implementation: Callable


@dataclass
class Answers:
    """An exercise's reference, its known mistakes, and right answers that look wrong (`variants`).

    name  what the student defines; why  what `reveal` says beside the reference
    """

    name: str
    why: str
    reference: Callable | None = None
    mistakes: list[Mistake] = field(default_factory=list)
    variants: dict[str, Callable] = field(default_factory=dict)

    def right(self, implementation: Callable) -> Callable:
        """Decorator: the first one is the reference, all are variants that must get full marks."""
        self.reference = self.reference or implementation
        self.variants[implementation.__name__] = implementation
        return implementation

    def mistake(self, name: str, hint: str) -> Callable[[Callable], Callable]:
        """Decorator for a wrong implementation."""

        def keep(implementation: Callable) -> Callable:
            key = _key(implementation.__name__)
            if any(key == known.key for known in self.mistakes):
                raise CourseError(f"{self.name}: two mistakes are written as {implementation.__name__!r}: rename one.")
            if any(name == known.name for known in self.mistakes):
                raise CourseError(f"{self.name}: two mistakes are called {name!r}: a diagnosis could mean either.")
            self.mistakes.append(Mistake(key, name, hint, implementation))
            return implementation

        return keep

    def source(self, implementation: Callable) -> str:
        """The implementation's text as a student would hand it in: undecorated, under the contract's name."""
        text = textwrap.dedent(inspect.getsource(implementation))
        own = implementation.__name__
        text = text[re.search(rf"^(def|class) {own}\b", text, re.M).start() :]
        return re.sub(rf"\b{own}\b", self.name, text)


def _key(name: str) -> str:
    """`SiluOnUp` -> `silu_on_up`: keys are written one way, whatever is wrong."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
