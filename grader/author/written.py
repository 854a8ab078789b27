"""Written answers switched off: for classes in which nobody has the time to mark them."""

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import List, Unicode

NOT_GRADED = "*Your notes. They are not graded.*"


class WithoutWritten(NbGraderPreprocessor):
    """Makes the cells of written answers plain text, in some lessons. Stands first when a lesson is released."""

    lessons = List(Unicode(), help="The lessons without written answers, such as 03_rms_norm").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        if resources["nbgrader"]["assignment"] in self.lessons:
            for cell in nb.cells:
                if cell.cell_type == "markdown" and is_grade(cell) and is_solution(cell):
                    cell.source = NOT_GRADED  # in place of the model answer
                    del cell.metadata["nbgrader"]
        return nb, resources
