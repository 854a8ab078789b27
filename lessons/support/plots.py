"""Figures that look alike in every lesson and say in words what they show.

Colours follow Okabe and Ito's palette, which colour-blind people can tell apart (its green darkened, to be
read as text); lessons add a marker, a hatch or a label all the same. Figures bring their own light paper, so
they read alike in Lab's light and dark themes.
"""

import base64
import io
from html import escape
from textwrap import fill

RMS, LAYER, THIRD = "#0072B2", "#D55E00", "#007A59"
FLOOR, INK, PAPER = "#6E6E6E", "#222222", "#FCFCFA"
STYLE = {
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.labelsize": 11,
    "grid.color": "#E2E2DE",
    "grid.linewidth": 0.8,
    "hatch.linewidth": 1.2,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
}


def new_axes(panels: int = 1, height: float = 3.8, share_y: bool = False):
    """A figure 8 inches wide with its axes: one Axes, or an array of them side by side."""
    import matplotlib
    from matplotlib.figure import Figure  # no pyplot: nothing global, and shown once, by `show`

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8, height), layout="constrained")
        return figure, figure.subplots(1, panels, sharey=share_y)


def points(ax, x, y, colour: str, marker: str = "o") -> None:
    """What was measured: dots."""
    ax.plot(x, y, marker, color=colour, markersize=5)


def formula(ax, x, y) -> None:
    """What the formula says: a thin dashed line."""
    ax.plot(x, y, "--", color=INK, linewidth=1)


def label(ax, x: float, y: float, text: str, colour: str = INK, shift=(6, 0), **options) -> None:
    """Words in the plot beside what they name, so that there is no legend to look up. `shift` in points."""
    ax.annotate(text, (x, y), shift, textcoords="offset points", color=colour, fontsize=10, **options)


def timing_bars(ax, rows: dict, floor: str) -> None:
    """One bar a row: its median, a line over the middle half of its runs, and its multiple of the row `floor`.

    rows: label -> Timing, or text that says why there is none. The norm that a label starts with gives the
    bar's colour and hatch.
    """
    timed = {name: row for name, row in rows.items() if not isinstance(row, str)}
    for place, (name, row) in enumerate(reversed(rows.items())):
        if name not in timed:
            label(ax, 0, place, fill(row, 70), va="center")
            continue
        colour = RMS if name.startswith("RMSNorm") else LAYER if name.startswith("LayerNorm") else FLOOR
        hatch = "///" if name.startswith("LayerNorm") else None
        ax.barh(place, row.median, color=colour, hatch=hatch, edgecolor=PAPER, height=0.7)
        ax.plot([row.low, row.high], [place, place], color=INK, linewidth=1.5)
        words = f"{row.median:.3g} ms = {row.median / rows[floor].median:.1f} × {floor}"
        label(ax, max(row.median, row.high), place, words, va="center")
    ax.set_yticks(range(len(rows)), reversed(rows))
    ax.set_xlim(0, 1.6 * max(max(row.median, row.high) for row in timed.values()))
    ax.grid(visible=False, axis="y")


class Shown:
    """A finished figure: an image with alternative text above a sentence; elsewhere the sentence alone."""

    def __init__(self, png: bytes, alt: str, sentence: str):
        self.png, self.alt, self.sentence = png, alt, sentence

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.png).decode()
        return (
            f'<figure style="margin:0"><img src="data:image/png;base64,{data}" alt="{escape(self.alt)}" '
            f'width="760" style="max-width:100%"><figcaption>{escape(self.sentence)}</figcaption></figure>'
        )


def show(figure, title: str, sentence: str) -> Shown:
    """The last expression of a plot's cell: `title` states the finding, `sentence` says in words what is shown.

    The alternative text is made from title and axis labels. Raises ValueError where one of them is missing.
    """
    unnamed = [ax for ax in figure.axes if not (ax.get_xlabel() and ax.get_ylabel())]
    if not title or not sentence or unnamed:
        raise ValueError("A plot needs a title that states its finding, both axis labels and a sentence.")
    figure.suptitle(fill(title, 72), x=0.012, ha="left", fontsize=12.5, fontweight="bold", color=INK)
    axes = "; ".join(f"{ax.get_ylabel()} against {ax.get_xlabel()}" for ax in figure.axes)
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)  # inches
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=190)
    return Shown(image.getvalue(), f"Plot. {title}. Axes: {axes}.", sentence)
