"""Makes pictures of every type of question, before and after, to be looked at:

python -m tests.quiz.pictures FOLDER
"""

import sys
import tempfile
from pathlib import Path

from quiz.engine import solution
from tests.browser import lab
from tests.quiz import page as hands
from tests.quiz.six import CELL, TYPES, variants

WRONG = {
    "single": ["length"],
    "multi": ["shifted", "scaled"],
    "numeric": "12",
    "order": ["square", "up", "root", "down"],
    "match": ["rms=length", "layer=one", "length=three"],
    "short": "scale",
}
LOOKS = {
    "light": (False, {"viewport": {"width": 1280, "height": 1000}}),
    "dark": (True, {"viewport": {"width": 1280, "height": 1000}}),
    "zoomed": (False, {"viewport": {"width": 640, "height": 1800}, "device_scale_factor": 2}),
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for look, (dark, context) in LOOKS.items():
        with tempfile.TemporaryDirectory() as place, hands.quiz_page(Path(place), CELL, **context) as page:
            lab.use_theme(page, dark)
            lab.command(page, "application:toggle-left-area")
            page.screenshot(path=folder / f"{look}.png")
            for kind in TYPES:
                _question(page, kind, folder / f"{look}-{kind}")
            page.screenshot(path=folder / f"{look}-end.png")


def _question(page, kind: str, path: Path) -> None:
    form, variant = hands.form_of(page, kind), variants()[kind]
    form.scroll_into_view_if_needed()
    form.screenshot(path=f"{path}-1.png")
    hands.fill_in(page, form, variant, WRONG[kind])
    hands.send(page, form, "certain")
    for _ in range(2):
        form.get_by_role("button", name="Hint (").click()
    form.get_by_role("button", name="No more hints").wait_for()
    form.screenshot(path=f"{path}-2.png")
    hands.fill_in(page, form, variant, solution(variant)) if kind != "multi" else None
    form.get_by_role("button", name="Show the solution").click()
    form.get_by_text("Source:").wait_for()
    form.screenshot(path=f"{path}-3.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
