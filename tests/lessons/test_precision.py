"""Units in the last place are counted as they lie on the line; autocast is asked, not quoted."""

import pytest
import torch

from lessons.support.precision import autocast_dtypes, ulps


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_the_next_number_is_one_unit_away(dtype):
    step = torch.finfo(dtype).eps
    a = torch.tensor([1.0, 1.0, -1.0, 0.0, 2.0], dtype=dtype)
    b = torch.tensor([1.0, 1.0 + step, -1.0 - 2 * step, -0.0, 2.0 + 2 * step], dtype=dtype)
    assert ulps(a, b).tolist() == [0, 1, 2, 0, 1]
    assert ulps(b, a).tolist() == [0, 1, 2, 0, 1]


def test_across_zero_and_to_infinity():
    smallest = torch.tensor([2.0**-24], dtype=torch.float16)
    assert ulps(smallest, -smallest).tolist() == [2]
    assert ulps(torch.tensor([65504.0]).half(), torch.tensor([torch.inf]).half()).tolist() == [1]


def test_strides_do_not_matter():
    a = torch.arange(6.0).reshape(2, 3).half().T
    assert ulps(a, a.contiguous()).sum() == 0


@pytest.mark.parametrize("other", [torch.ones(1), torch.ones(1).bfloat16()])
def test_other_dtypes_are_refused(other):
    with pytest.raises(ValueError, match="one half-precision dtype"):
        ulps(torch.ones(1).half(), other)


def test_autocast_keeps_the_stream_in_float32_and_computes_branches_in_half():
    found = autocast_dtypes(torch.device("cpu"))
    assert found["x @ w, the branch"] == found["F.linear"] == torch.bfloat16
    assert found["x + the branch, the stream"] == torch.float32
