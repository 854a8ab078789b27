"""The given norms equal PyTorch's; the traffic counter counts what is read and written once, and views as nothing."""

import pytest
import torch
import torch.nn.functional as F

from lessons.support.norms import given_layer_norm, given_rms_norm
from lessons.support.traffic import bytes_moved


@pytest.mark.parametrize("shape", [(5,), (3, 7), (2, 3, 8), (2, 1, 3, 6), (0, 4)])
@pytest.mark.parametrize("eps", [1e-6, 0.1])
@pytest.mark.parametrize(("scale", "mean"), [(1.0, 2.0), (1e-3, 0.0)])
def test_given_norms_equal_torchs(shape, eps, scale, mean):
    torch.manual_seed(0)
    x = (torch.randn(shape) * scale + mean).requires_grad_()
    weight, bias = torch.rand(shape[-1:]) + 0.5, torch.randn(shape[-1:])
    pairs = [
        (given_rms_norm(x, weight, eps), F.rms_norm(x, shape[-1:], weight, eps)),
        (given_layer_norm(x, weight, bias, eps), F.layer_norm(x, shape[-1:], weight, bias, eps)),
    ]
    for given, torchs in pairs:
        torch.testing.assert_close(given, torchs, rtol=1e-5, atol=2e-6)
        gradients = [torch.autograd.grad(y.square().sum(), x, retain_graph=True)[0] for y in (given, torchs)]
        torch.testing.assert_close(*gradients, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_given_norms_keep_the_dtype(dtype):
    x, one = torch.randn(2, 6).to(dtype), torch.ones(6, dtype=dtype)
    assert given_rms_norm(x, one, 1e-6).dtype == given_layer_norm(x, one, one, 1e-6).dtype == dtype


def test_each_side_of_a_kernel_counts_once():
    x = torch.ones(100, 10)
    assert bytes_moved(lambda: x.clone()) == 2 * 4000
    assert bytes_moved(lambda: x * x) == 2 * 4000  # x is read once
    assert bytes_moved(lambda: x + torch.ones(10)) == 2 * 4000 + 2 * 40  # torch.ones writes 40 bytes, + reads them
    assert bytes_moved(lambda: x.mean(-1)) == 4000 + 400


def test_views_are_free_and_expanded_tensors_are_small():
    x = torch.ones(100, 10)
    assert bytes_moved(lambda: x.T[3:].unsqueeze(0).transpose(1, 2)) == 0
    assert bytes_moved(lambda: x + x[:1].expand(100, 10)) == 2 * 4000 + 40


def test_a_fused_norm_moves_little_more_than_a_copy():
    x, one = torch.ones(64, 512), torch.ones(512)
    least = bytes_moved(lambda: x.clone())
    fused = bytes_moved(lambda: F.layer_norm(x, (512,), one, one))
    assert least < fused < 1.05 * least
    spelled_out = bytes_moved(lambda: given_layer_norm(x, one, one, 1e-6))
    assert spelled_out > bytes_moved(lambda: given_rms_norm(x, one, 1e-6)) > 3 * least
