"""Makes the README's pictures from the lesson itself, as a student sees them. Run it after changing their look:

python -m tests.browser.pictures
"""

import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

from grader import answers
from tests.browser import lab, notebook
from tests.course.test_page import reported
from tests.lab.begun import begun
from tests.lab.serving import course_lab
from tests.quiz import page as hands

FOLDER = Path(__file__).parents[2] / ".github" / "pictures"
LESSON, EXERCISE, MISTAKE = "03_rms_norm", "rms_norm", "eps_outside_root"
# The cell that draws the plot, and those it needs before, each by a piece of its code.
PLOT = ("norms = {", "rms, layer = (lambda", "tenth = difference")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, picture in {"start": _start, "quiz": _quiz, "report": _report}.items():
        with tempfile.TemporaryDirectory() as folder:
            _save(name, picture(Path(folder)))
    with (
        tempfile.TemporaryDirectory() as folder,
        notebook.lesson(LESSON, Path(folder, "workspace"), device_scale_factor=1.5) as page,
    ):
        _save("verdict", _verdict(page))
        for cell in PLOT:
            active = notebook.run(page, cell)
        _save("plot", active.locator("img").screenshot())


def _start(folder: Path) -> bytes:
    """The start page of someone who has begun."""
    course, workspace = begun(folder)
    with course_lab(course, workspace) as url, lab.chromium(viewport={"width": 1180, "height": 1500}) as page:
        lab.open_notebook(page, url, "start.ipynb")
        lab.command(page, "application:toggle-left-area")
        return page.locator(".jp-OutputArea-output").first.screenshot()


def _quiz(folder: Path) -> bytes:
    """A wrong answer and what is said to it."""
    cell = 'from quiz import quiz\n\nquiz("03_rms_norm")'
    with hands.quiz_page(folder, cell, viewport={"width": 1180, "height": 1200}) as page:
        lab.command(page, "application:toggle-left-area")
        form = hands.form_of(page, "single")
        wrong = form.locator("input[type=radio][name]").nth(0)
        wrong.focus()
        page.keyboard.press("Space")
        hands.send(page, form, "certain")
        return form.screenshot()


def _report(folder: Path) -> bytes:
    """Its first screen."""
    path = reported(folder) / "reports" / "page.html"
    with lab.chromium(viewport={"width": 1000, "height": 900}) as page:
        page.goto(path.as_uri())
        return page.screenshot()


def _verdict(page) -> bytes:
    known = answers.of(EXERCISE)
    mistake = next(m for m in known.mistakes if m.key == MISTAKE)
    notebook.write(page, EXERCISE, known.source(mistake.implementation))
    notebook.run(page, EXERCISE)
    return notebook.run(page, f"check_{EXERCISE}").get_by_role("group", name=f"Check of {EXERCISE}").screenshot()


def _save(name: str, png: bytes) -> None:
    """Few colours make a small file."""
    path = FOLDER / f"{name}.png"
    Image.open(BytesIO(png)).convert("RGB").quantize(128, Image.Quantize.FASTOCTREE).save(path, optimize=True)
    print(f"{path}: {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
