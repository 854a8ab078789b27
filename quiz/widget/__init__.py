"""The quiz in a notebook: an anywidget whose view is the scripts and the style here. Nothing is marked here.

The widget's state is what `view.public` gives. Answers come as messages, feedback goes back as messages, so
that neither the saved notebook nor the page holds a key before its question is answered.
"""

import re
from pathlib import Path

import anywidget
from traitlets import Dict, List, Unicode

from quiz.dialogue import replies
from quiz.session import Session
from quiz.view import public

_HERE = Path(__file__).parent
# In an order in which each uses only those before it. A new type of question is a new file here.
SCRIPTS = ("dom", "choice", "order", "match", "links", "question", "quiz")


def script() -> str:
    """All scripts as the one module that anywidget can load: it has no address, so it cannot import another."""
    text = "\n".join((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    text = re.sub(r'^import .* from "\./\w+\.js";\n', "", text, flags=re.MULTILINE)
    return re.sub(r"^export (?!default)", "", text, flags=re.MULTILINE)


class QuizWidget(anywidget.AnyWidget):
    """Shows a session's questions. `intro` stands above them, `outro` below when all are answered."""

    _esm = script()
    _css = _HERE / "quiz.css"
    title = Unicode().tag(sync=True)
    intro = Unicode().tag(sync=True)
    outro = Unicode().tag(sync=True)
    questions = List(Dict()).tag(sync=True)

    def __init__(self, session: Session, intro: str = "", outro: str = ""):
        questions = [public(key, session.variant(key)) for key in session.keys]
        super().__init__(title=session.title, intro=intro, outro=outro, questions=questions)
        self._session = session
        self.on_msg(self._receive)

    def _receive(self, _widget, message, _buffers) -> None:
        for reply in replies(self._session, message):
            self.send(reply)

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        count = f"{len(self.questions)} question{'s' * (len(self.questions) != 1)}"
        return {**data, "text/plain": f"{self.title}: {count}. Run this cell in JupyterLab to answer."}, metadata
