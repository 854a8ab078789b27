"""The quiz in a notebook: an anywidget whose view is `quiz.js` and `quiz.css`. No question is marked here.

The widget's state is what `view.public` gives. Answers come as messages, feedback goes back as messages, so
that neither the saved notebook nor the page holds a key before its question is answered.
"""

from pathlib import Path

import anywidget
from traitlets import Dict, List, Unicode

from quiz import static
from quiz.dialogue import replies
from quiz.session import Session
from quiz.view import public

_HERE = Path(__file__).parent


class QuizWidget(anywidget.AnyWidget):
    """Shows a session's questions; a notebook that is only viewed shows the static form instead."""

    _esm = _HERE / "quiz.js"
    _css = _HERE / "quiz.css"
    title = Unicode().tag(sync=True)
    questions = List(Dict()).tag(sync=True)

    def __init__(self, session: Session):
        super().__init__(title=session.title, questions=[public(k, session.variant(k)) for k in session.keys])
        self._session = session
        self.on_msg(self._receive)

    def _receive(self, _widget, message, _buffers) -> None:
        for reply in replies(self._session, message):
            self.send(reply)

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        count = len(self.questions)
        plain = f"{self.title}: {count} questions. Run this cell in JupyterLab to answer them."
        return {**data, "text/plain": plain, "text/html": static.form(self._session)}, metadata
