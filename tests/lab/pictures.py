"""Makes pictures of the start page, to be looked at: light, dark, and on a small screen.

python -m tests.lab.pictures FOLDER
"""

import sys
import tempfile
from pathlib import Path

from tests.browser import lab
from tests.lab.begun import begun
from tests.lab.serving import course_lab

LOOKS = {
    "light": (False, {"width": 1280, "height": 1400}),
    "dark": (True, {"width": 1280, "height": 1400}),
    "small": (False, {"width": 400, "height": 1400}),
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        course, workspace = begun(Path(place))
        with course_lab(course, workspace) as url:
            for look, (dark, size) in LOOKS.items():
                with lab.chromium(viewport=size) as page:
                    lab.open_notebook(page, url, "start.ipynb")
                    lab.use_theme(page, dark)
                    if look == "small":
                        lab.command(page, "application:toggle-left-area")
                    page.screenshot(path=folder / f"start-{look}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
