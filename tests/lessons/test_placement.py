"""The networks behind lesson 05's experiments: only the norms' places differ, and what is measured is what is said."""

import pytest
import torch

from lessons.support.logs import plain_log
from lessons.support.placement import INITS, PLACES, look, unit_norm
from lessons.support.plots import new_axes
from lessons.support.progress import progress
from lessons.support.threads import one_thread

CPU = torch.device("cpu")


def test_the_places_are_what_their_names_say():
    torch.manual_seed(0)
    x, w = torch.randn(3, 8) * 4, torch.randn(8, 8)
    branch = lambda x: torch.relu(x @ w)  # noqa: E731
    torch.testing.assert_close(PLACES["post"](x, branch), unit_norm(x + branch(x)))
    torch.testing.assert_close(PLACES["pre"](x, branch), x + branch(unit_norm(x)))
    torch.testing.assert_close(PLACES["sandwich"](x, branch), x + unit_norm(branch(unit_norm(x))))


@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("place", PLACES)
def test_a_look_has_a_number_a_block_and_depends_on_the_seed_only(place, init):
    one, again, other = (look(place, 3, init, seed, CPU, width=16) for seed in (0, 0, 1))
    assert one.gradients.shape == (3,) and one.stream.shape == (4,)
    assert torch.equal(one.gradients, again.gradients) and not torch.equal(one.gradients, other.gradients)
    assert one.stream[0] == look("pre", 3, init, 0, CPU, width=16).stream[0], "the same start for every place"


def test_what_enters_the_last_norm():
    pre, post = look("pre", 3, "Xavier", 0, CPU, width=16), look("post", 3, "Xavier", 0, CPU, width=16)
    assert pre.last == pytest.approx(pre.stream[-1].item())
    assert post.stream[-1].item() == pytest.approx(1, abs=1e-3) and post.last > 1.01


def test_the_scaled_start_writes_less_to_the_stream():
    plain, scaled = (look("pre", 8, "Xavier", 0, CPU, width=16, scaled=s).stream for s in (False, True))
    assert plain[0] == scaled[0] and scaled[-1] < 1.5 < plain[-1]


def test_threads_are_given_back(monkeypatch):
    before = torch.get_num_threads()
    with pytest.raises(ZeroDivisionError), one_thread():
        assert torch.get_num_threads() == 1
        raise ZeroDivisionError
    assert torch.get_num_threads() == before


def test_progress_yields_everything_and_draws_a_bar(capsys):
    steps = progress(["a", "b"], "letters")
    assert next(steps) == "a"
    assert capsys.readouterr().out == "letters, 2 steps: "
    assert list(steps) == ["b"]
    written = capsys.readouterr()
    assert (written.out, written.err) == ("## done\n", "")


def test_log_axes_have_plain_numbers():
    figure, ax = new_axes()
    ax.plot([1, 2], [0.2, 3])
    plain_log(ax, "y")
    figure.canvas.draw()
    labels = {text.get_text() for text in ax.get_yticklabels()}
    assert {"0.2", "0.5", "1", "2"} <= labels and ax.get_xscale() == "linear"
