"""Compares tensors, and says in a sentence where and by how much they differ."""

import torch

from grader.probe import Case


def close(actual: torch.Tensor, wanted: torch.Tensor, case: Case) -> torch.Tensor:
    """Element by element: is `actual` within the case's tolerance of `wanted`? NaN equals NaN. bool, same shape."""
    actual, wanted = actual.double(), wanted.double()
    finite = wanted[wanted.isfinite()]
    scale = finite.square().mean().sqrt().item() if finite.numel() else 0.0
    return torch.isclose(actual, wanted, rtol=case.rtol, atol=case.atol * (scale or 1.0), equal_nan=True)


def unequal_share(actual: torch.Tensor, wanted: torch.Tensor) -> float:
    """The share of numbers that are not, bit for bit, `wanted` rounded to the dtype of `actual`. NaN equals NaN."""
    rounded = wanted.to(actual.dtype)
    different = (actual != rounded) & ~(actual.isnan() & rounded.isnan())
    return different.double().mean().item() if different.numel() else 0.0


def equal(actual: torch.Tensor, wanted: torch.Tensor, case: Case) -> bool:
    """Whether two outputs are the same within the case's tolerance."""
    # Many mistakes do the same on most cases, bit for bit, which is seen in a hundredth of the time.
    if actual.dtype == wanted.dtype and torch.equal(actual, wanted):
        return True
    if actual.shape != wanted.shape or not close(actual, wanted, case).all():
        return False
    return _rounding(actual, wanted, case) is None


def difference(actual: torch.Tensor, wanted: torch.Tensor, case: Case) -> str | None:
    """None when they agree, else expected, actual, the worst index, and by how much."""
    bad = ~close(actual, wanted, case)
    if not bad.any():
        return _rounding(actual, wanted, case)
    actual, wanted = actual.double(), wanted.double()
    distance = torch.where(bad, (actual - wanted).abs().nan_to_num(float("inf")), -1.0)
    worst = tuple(int(i) for i in torch.unravel_index(distance.argmax(), distance.shape))
    got, want = actual[worst].item(), wanted[worst].item()
    where = f" at {list(worst)}" if worst else ""
    share = f"; {int(bad.sum())} of {bad.numel()} numbers differ" if bad.dim() else ""
    shown_want, shown_got = _shown(want, got)
    return f"expected {shown_want}{where}, got {shown_got}{_ratio(got, want)}{share}"


def _shown(want: float, got: float) -> tuple[str, str]:
    """Two different numbers as texts that differ: whole ones in full, others with as many digits as it takes."""
    if all(value.is_integer() and abs(value) < 1e15 for value in (want, got)):
        return f"{want:.0f}", f"{got:.0f}"
    pairs = [(f"{want:.{digits}g}", f"{got:.{digits}g}") for digits in (6, 9, 17)]
    return next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1])


def _rounding(actual: torch.Tensor, wanted: torch.Tensor, case: Case) -> str | None:
    """For numbers within the tolerances: None, or that too many of them are rounded otherwise than once, at the end."""
    if case.unequal is None or (share := unequal_share(actual, wanted)) <= case.unequal:
        return None
    dtype = str(actual.dtype).removeprefix("torch.")
    return (
        f"{share:.0%} of the numbers are not the exact answer rounded to {dtype} once, though close to it; "
        f"at most {case.unequal:.0%} may differ"
    )


def _ratio(got: float, want: float) -> str:
    """The factor between two numbers, where it says more than the numbers do."""
    if want == 0 or got != got or abs(got) == float("inf"):
        return ""
    ratio = got / want
    says_something = 0.01 < abs(ratio) < 100 and f"{ratio:.4g}" != "1"
    return f" ({ratio:.4g} times that)" if says_something else ""
