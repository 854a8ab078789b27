"""The report's plots: each drawn twice, for light and for dark pages, with its finding and its contents in words."""

import io
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from textwrap import fill

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator

from grader.course.flags import times
from grader.notebook.graded import Graded

# Of Okabe and Ito's palette, which colour-blind people can tell apart; bars, ink, grid.
LIGHT, DARK = ("#0072B2", "#222222", "#DDDDDD"), ("#56B4E9", "#E6E6E6", "#3A3F45")
MOST = 12  # mistakes in a plot; the table beside it has all
BARS = 24  # of a distribution, at most


@dataclass(frozen=True)
class Plot:
    """title: the finding. alt: for those who do not see the picture. light, dark: SVG."""

    title: str
    alt: str
    light: bytes
    dark: bytes


def scores(graded: list[Graded]) -> Plot | None:
    """How many students have how many points."""
    found = [one for one in graded if one.verdicts]
    if not found:
        return None
    most, half = max(one.points for one in found), median(one.score for one in found)
    width = max(1, math.ceil((most + 1) / BARS))  # points in a bar
    count = Counter(one.score // width for one in found)
    names = {bar: _range(bar * width, min(most, bar * width + width - 1)) for bar in range(most // width + 1)}

    def draw(ax: Axes, colour: str) -> None:
        ax.bar(list(names), [count[bar] for bar in names], color=colour, width=0.8)
        step = math.ceil(len(names) / 13)
        ax.set_xticks(list(names)[::step], list(names.values())[::step])
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set(xlabel="points", ylabel="students")

    said = ", ".join(f"{names[bar]} points: {count[bar]}" for bar in sorted(count))
    return _plot(f"Half of the class has {half:g} of {most} points or more", f"Students by points. {said}.", draw)


def frequent(mistakes: list[dict]) -> Plot | None:
    """The mistakes of `grader.course.report.mistakes`, by how many students make them."""
    if not mistakes:
        return None
    shown = mistakes[:MOST]

    def draw(ax: Axes, colour: str) -> None:
        names = [fill(f"{m['exercise']}: {m['mistake']}", 44) for m in shown]
        bars = ax.barh(range(len(shown)), [len(m["students"]) for m in shown], color=colour, height=0.7)
        ax.bar_label(bars, padding=4, color=matplotlib.rcParams["text.color"])
        ax.set_yticks(range(len(shown)), names)
        ax.invert_yaxis()
        ax.grid(visible=False, axis="y")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set(xlabel="students")

    first = shown[0]
    said = "; ".join(f"{m['exercise']}, {m['mistake']}: {len(m['students'])}" for m in shown)
    title = f"Most frequent: {first['mistake']} ({first['exercise']}), {_students(len(first['students']))}"
    return _plot(title, f"Students by mistake. {said}.", draw, height=1.2 + 0.45 * len(shown))


def durations(graded: list[Graded]) -> Plot | None:
    """How long the cells of submissions ran."""
    if not (found := times(graded)):
        return None
    low, high, half = max(min(found), 1e-3), max(found), median(found)
    wide = high > 10 * low  # then on a logarithmic axis
    bars = min(BARS, max(4, len(found) // 2))
    edges = [low * (high / low) ** (i / bars) if wide else low + (high - low) * i / bars for i in range(bars + 1)]

    def draw(ax: Axes, colour: str) -> None:
        ax.hist(found, bins=edges if high > low else 1, color=colour, rwidth=0.9)
        if wide:
            ax.set_xscale("log")
            ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            ax.xaxis.set_minor_formatter("")
        ax.xaxis.set_major_formatter("{x:g}")
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set(xlabel="seconds that its cells ran", ylabel="submissions")

    title = f"Half of the submissions ran for {half:.1f} s or less, the slowest {high:.1f} s"
    over = sum(took > 2 * half for took in found)
    more = f"{over} of {len(found)} ran for more than twice the median"
    said = f"Submissions by seconds, from {low:.1f} to {high:.1f}; {more}."
    return _plot(title, said, draw)


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def _students(count: int) -> str:
    return f"{count} student{'s' * (count != 1)}"


def _plot(title: str, said: str, draw: Callable[[Axes, str], None], height: float = 3.2) -> Plot:
    return Plot(title, f"Plot. {title}. {said}", _svg(title, draw, height, LIGHT), _svg(title, draw, height, DARK))


def _svg(title: str, draw: Callable[[Axes, str], None], height: float, theme: tuple[str, str, str]) -> bytes:
    colour, ink, grid = theme
    style = dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), ink)
    style |= {"axes.grid": True, "axes.axisbelow": True, "grid.color": grid, "svg.hashsalt": "report"}
    style |= {"axes.spines.top": False, "axes.spines.right": False, "font.size": 10}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(8, height), layout="constrained")  # no pyplot: nothing global
        draw(figure.subplots(), colour)
        figure.suptitle(fill(title, 78), x=0.012, ha="left", fontsize=11.5, fontweight="bold", color=ink)
        image = io.BytesIO()
        # Without the date: the same class gives the same file.
        figure.savefig(image, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return image.getvalue()
