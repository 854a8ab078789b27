"""The given stacks do what their names say: sizes, gains, and a stream with or without its skips."""

import pytest
import torch

from lessons.support import plots
from lessons.support.streams import curve, ffn_branches, rms, tanh_layers, travel


def test_a_stack_with_skips_adds_and_without_replaces():
    x = torch.tensor([1.0, 2.0])
    layers = [lambda s: 2 * s, lambda s: s + 1]
    assert [s.tolist() for s in travel(x, layers, skip=True)] == [[1, 2], [3, 6], [7, 13]]
    assert [s.tolist() for s in travel(x, layers, skip=False)] == [[1, 2], [2, 4], [3, 5]]
    assert x.tolist() == [1, 2]


@pytest.mark.parametrize("gain", [0.01, 0.02])
def test_the_gain_is_what_a_small_input_is_multiplied_by(gain):
    torch.manual_seed(0)
    x = torch.randn(200, 64, dtype=torch.float64)
    (layer,) = tanh_layers(1, 64, gain, dtype=torch.float64)
    assert rms(layer(x)) == pytest.approx(gain, rel=0.05)


def test_layers_differ_and_follow_the_seed():
    torch.manual_seed(1)
    first, second = tanh_layers(2, 8, 1.0)
    torch.manual_seed(1)
    (again,) = tanh_layers(1, 8, 1.0)
    x = torch.randn(3, 8)
    assert torch.equal(first(x), again(x)) and not torch.allclose(first(x), second(x))


def test_a_branch_ignores_the_size_of_the_stream_and_scales_with_its_output_matrix():
    torch.manual_seed(2)
    (plain,) = ffn_branches(1, 16, 0.25, 0.1)
    torch.manual_seed(2)
    (half,) = ffn_branches(1, 16, 0.25, 0.05)
    x = torch.randn(5, 16)
    torch.testing.assert_close(plain(100 * x), plain(x), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(half(x), plain(x) / 2)


def test_a_curve_shows_the_median_and_the_whole_spread():
    _, ax = plots.new_axes()
    middle = curve(ax, [0, 1], torch.tensor([[1.0, 5.0], [3.0, 4.0], [2.0, 9.0]]), plots.RMS)
    assert middle.tolist() == [2, 5]
    (band,) = ax.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (1, 9)
