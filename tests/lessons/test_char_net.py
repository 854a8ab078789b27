"""The small network of lesson 02 learns, and its norms' halves are LayerNorm's."""

import pytest
import torch
import torch.nn.functional as F

from lessons.support.char_net import CONTEXT, CharNet, examples, halves, loss_of, train


def test_both_halves_make_layer_norm_and_scaling_alone_rms_norm():
    x = torch.randn(3, 7) + 1
    torch.testing.assert_close(halves(x, centre=True, scale=True), F.layer_norm(x, (7,)))
    torch.testing.assert_close(halves(x, centre=False, scale=True), F.rms_norm(x, (7,), eps=1e-5))
    torch.testing.assert_close(halves(x, centre=True, scale=False).mean(-1), torch.zeros(3), atol=1e-6, rtol=0)
    assert halves(x, centre=False, scale=False) is x


def test_examples_are_pieces_of_the_text_and_what_follows():
    ids, following = examples(50, torch.Generator().manual_seed(0))
    again, _ = examples(50, torch.Generator().manual_seed(0))
    assert ids.shape == (50, CONTEXT) and following.shape == (50,)
    assert torch.equal(ids, again)


def test_training_lowers_the_loss_and_follows_the_seed():
    losses = []
    for _ in range(2):
        torch.manual_seed(0)
        net = CharNet(dim=16, layers=1)
        before = loss_of(net, count=512)
        train(net, seed=0, steps=40, batch=64)
        losses.append(loss_of(net, count=512))
    assert losses[0] == losses[1] < before - 0.5


def test_the_switches_reach_every_norm():
    torch.manual_seed(0)
    net = CharNet(dim=16, layers=2, centre=False)
    norms = [*net.stream_norms, *net.relu_norms]
    assert len(norms) == 5 and not any(norm.centre for norm in norms) and all(norm.scale for norm in norms)
    without = loss_of(net, count=256)
    for norm in norms:
        norm.centre = True
    assert loss_of(net, count=256) != pytest.approx(without)
    assert all(norm.seen is not None for norm in norms)
