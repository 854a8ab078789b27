"""Figures state a finding, name their axes, and say the same in words to those who do not see them."""

import base64
import re

import pytest

from lessons.support import plots
from lessons.support.timing import Timing


def drawn(panels: int = 1):
    figure, axes = plots.new_axes(panels)
    for ax in [axes] if panels == 1 else axes:
        plots.points(ax, [1, 2, 3], [1, 4, 9], plots.RMS)
        plots.formula(ax, [1, 3], [1, 9])
        ax.set(xlabel="size", ylabel="gain <1>")
    return figure, axes


def test_a_figure_shows_itself_as_image_with_alternative_text_and_sentence():
    figure, _ = drawn()
    shown = plots.show(figure, "It grows", "The gain & the size grow.")
    html = shown._repr_html_()
    image = base64.b64decode(re.search(r"base64,([^\"]+)", html)[1])
    assert image.startswith(b"\x89PNG")
    assert 'alt="Plot. It grows. Axes: gain &lt;1&gt; against size."' in html
    assert "<figcaption>The gain &amp; the size grow.</figcaption>" in html
    assert repr(shown) == "The gain & the size grow."


@pytest.mark.parametrize(("title", "sentence", "ylabel"), [("", "s", "y"), ("t", "", "y"), ("t", "s", "")])
def test_a_figure_that_does_not_explain_itself_is_refused(title, sentence, ylabel):
    figure, axes = drawn(panels=2)
    axes[1].set_ylabel(ylabel)
    with pytest.raises(ValueError, match="title that states its finding, both axis labels and a sentence"):
        plots.show(figure, title, sentence)


def test_bars_name_what_could_not_be_timed():
    figure, ax = plots.new_axes()
    rows = {
        "RMSNorm, compiled": "no compiler: none was found",
        "LayerNorm, built in": Timing(3.0, 2.5, 4.0),
        "plain copy": Timing(2.0, 2.0, 2.0),
    }
    plots.timing_bars(ax, rows, floor="plain copy")
    ax.set(xlabel="milliseconds", ylabel="norm")
    words = [text.get_text() for text in ax.texts]
    assert words == ["2 ms = 1.0 × plain copy", "3 ms = 1.5 × plain copy", "no compiler: none was found"]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(reversed(rows))
    assert len({(bar.get_facecolor(), bar.get_hatch()) for bar in ax.patches}) == 2
    assert "milliseconds" in plots.show(figure, "Title", "Sentence.").alt
