"""Makes the README's pictures from the lesson itself, as a student sees them. Run it after changing their look:

python -m tests.browser.pictures
"""

import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

from grader import answers
from tests.browser import notebook

FOLDER = Path(__file__).parents[2] / ".github" / "pictures"
LESSON, EXERCISE, MISTAKE = "03_rms_norm", "rms_norm", "eps_outside_root"
# The cell that draws the plot, and those it needs before, each by a piece of its code.
PLOT = ("norms = {", "rms, layer = (lambda", "tenth = difference")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        notebook.lesson(LESSON, Path(folder, "workspace"), device_scale_factor=1.5) as page,
    ):
        _save("verdict", _verdict(page))
        for cell in PLOT:
            active = notebook.run(page, cell)
        _save("plot", active.locator("img").screenshot())


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
