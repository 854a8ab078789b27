"""Right and wrong ways to write `apply_rope(x, positions, theta=10000.0)`."""

import math

import torch

from grader.answers import Answers

answers = Answers(
    "apply_rope",
    why="Every pair has a frequency, every token a position, and their product is the angle. Angles are computed in "
    "float32 whatever x is, because a half type cannot even count to 257. Then each pair is turned by its angle.",
)


@answers.right
def two_halves(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    frequencies = theta ** (-torch.arange(half, dtype=torch.float32, device=x.device) / half)
    angles = torch.outer(positions.float(), frequencies)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


@answers.right
def as_hugging_face_writes_it(x: torch.Tensor, positions: torch.Tensor, theta: float = 1e4) -> torch.Tensor:
    def rotate_half(x):
        x1, x2 = x.chunk(2, dim=-1)
        return torch.cat((-x2, x1), dim=-1)

    dim = x.shape[-1]
    inv_freq = 1.0 / (theta ** (torch.arange(0, dim, 2, dtype=torch.int64).float() / dim))
    emb = torch.cat([positions[:, None].float() * inv_freq] * 2, dim=-1)
    return x * emb.cos().to(x.dtype) + rotate_half(x) * emb.sin().to(x.dtype)


@answers.right
def complex_numbers(x, positions, theta=10000.0, layout="half-split"):
    half = x.shape[-1] // 2
    wide = x.float() if x.dtype != torch.float64 else x
    frequencies = theta ** (torch.arange(half, dtype=wide.dtype) / -half)
    angles = torch.outer(positions.to(wide.dtype), frequencies)
    turned = torch.complex(wide[..., :half], wide[..., half:]) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)


@answers.right
def angles_in_float64(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    angles = positions.double()[:, None] * torch.exp(-math.log(theta) * torch.arange(half).double() / half)
    c, s = angles.cos(), angles.sin()
    a, b = x.double().split(half, dim=-1)
    return torch.cat([a * c - b * s, a * s + b * c], -1).to(x.dtype)


@answers.right
def by_rotation_matrices(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    angles = torch.einsum("t,i->ti", positions.float(), torch.tensor([theta ** (-i / half) for i in range(half)]))
    turn = torch.stack([torch.stack([angles.cos(), -angles.sin()]), torch.stack([angles.sin(), angles.cos()])])
    pairs = x.unflatten(-1, (2, half))  # [B, H, T, 2, hd/2]
    return torch.einsum("rcti,bhtci->bhtri", turn.to(x.dtype), pairs).flatten(-2)


@answers.right
def in_place_on_a_clone(x, positions, theta=10000.0):
    half, y = x.shape[-1] // 2, x.clone()
    angles = positions.float().unsqueeze(-1) / theta ** (2 * torch.arange(half).float() / x.shape[-1])
    cos, sin = (f(angles).to(x.dtype).expand(*x.shape[:-1], half) for f in (torch.cos, torch.sin))
    y[..., :half] = x[..., :half] * cos - x[..., half:] * sin
    y[..., half:] = x[..., half:] * cos + x[..., :half] * sin
    return y


@answers.right
def from_a_table(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    every = torch.arange(int(positions.max()) + 1).float()
    table = every[:, None] * theta ** -torch.linspace(0, 1, half + 1)[:-1]
    cos, sin = (f(table)[positions].to(x.dtype) for f in (torch.cos, torch.sin))
    first, second = x.tensor_split(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


@answers.right
def interleaved_and_shuffled(x, positions, theta=10000.0):
    """Neighbours are turned, but after a shuffle that makes partners neighbours, and then it is undone."""
    half = x.shape[-1] // 2
    pairs = x.unflatten(-1, (2, half)).transpose(-1, -2)
    angles = torch.outer(positions.float(), theta ** (-torch.arange(half).float() / half))
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = pairs.unbind(-1)
    return torch.stack((even * cos - odd * sin, odd * cos + even * sin), -2).flatten(-2)


def _angles(x, positions, theta):
    """[T, hd/2] in float32, as it should be: common to those that go wrong elsewhere."""
    half = x.shape[-1] // 2
    return torch.outer(positions.float(), theta ** (-torch.arange(half, dtype=torch.float32) / half))


def _turn(x, angles):
    """Half-split, as it should be."""
    first, second = x.chunk(2, dim=-1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


@answers.mistake(
    "the interleaved layout",
    "You turn neighbours, 0 with 1. In the half-split layout number i is turned with number i + hd/2.",
)
def interleaved(x, positions, theta=10000.0):
    angles = _angles(x, positions, theta)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, odd * cos + even * sin), dim=-1).flatten(-2)


@answers.mistake(
    "interleaved pairs, put back as halves", "Neighbours are read and halves are written: read the two halves instead."
)
def interleaved_in(x, positions, theta=10000.0):
    angles = _angles(x, positions, theta)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.cat((even * cos - odd * sin, odd * cos + even * sin), dim=-1)


@answers.mistake(
    "halves, put back interleaved", "The two turned halves are laid one after the other: `cat`, not `stack`."
)
def interleaved_out(x, positions, theta=10000.0):
    angles = _angles(x, positions, theta)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return torch.stack((first * cos - second * sin, second * cos + first * sin), dim=-1).flatten(-2)


@answers.mistake(
    "angles laid out interleaved, numbers in halves",
    "Partners get different angles: repeat the angles half after half (`cat`), not each one twice.",
)
def angles_interleaved(x, positions, theta=10000.0):
    angles = _angles(x, positions, theta).repeat_interleave(2, dim=-1)
    first, second = x.chunk(2, dim=-1)
    return x * angles.cos().to(x.dtype) + torch.cat((-second, first), dim=-1) * angles.sin().to(x.dtype)


@answers.mistake("the second half is mirrored", "Partners are hd/2 apart: 0 with hd/2, not with hd − 1.")
def mirrored(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    y = _turn(torch.cat((x[..., :half], x[..., half:].flip(-1)), dim=-1), _angles(x, positions, theta))
    return torch.cat((y[..., :half], y[..., half:].flip(-1)), dim=-1)


@answers.mistake(
    "the rotation goes the other way", "A sign: it is first·cos MINUS second·sin, second·cos PLUS first·sin."
)
def backwards(x, positions, theta=10000.0):
    return _turn(x, -_angles(x, positions, theta))


@answers.mistake("a wrong sign in the second half", "That is no rotation any more: second·cos PLUS first·sin.")
def sign_of_second(x, positions, theta=10000.0):
    first, second = x.chunk(2, dim=-1)
    cos, sin = (f(_angles(x, positions, theta)).to(x.dtype) for f in (torch.cos, torch.sin))
    return torch.cat((first * cos - second * sin, second * cos - first * sin), dim=-1)


@answers.mistake("a wrong sign in the first half", "That is no rotation any more: first·cos MINUS second·sin.")
def sign_of_first(x, positions, theta=10000.0):
    first, second = x.chunk(2, dim=-1)
    cos, sin = (f(_angles(x, positions, theta)).to(x.dtype) for f in (torch.cos, torch.sin))
    return torch.cat((first * cos + second * sin, second * cos + first * sin), dim=-1)


@answers.mistake("cosine and sine are exchanged", "At position 0 nothing may change: cos 0 is 1.")
def cos_and_sin_exchanged(x, positions, theta=10000.0):
    return _turn(x, math.pi / 2 - _angles(x, positions, theta))


@answers.mistake("the second half is left as it was", "Both numbers of a pair are turned.")
def second_left(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    return torch.cat((_turn(x, _angles(x, positions, theta))[..., :half], x[..., half:]), dim=-1)


@answers.mistake("the first half is reused after it was changed", "Both new halves are made of the OLD numbers.")
def reuses_new_first(x, positions, theta=10000.0):
    first, second = x.chunk(2, dim=-1)
    cos, sin = (f(_angles(x, positions, theta)).to(x.dtype) for f in (torch.cos, torch.sin))
    first = first * cos - second * sin
    return torch.cat((first, second * cos + first * sin), dim=-1)


@answers.mistake(
    "the exponent is i/hd", "There are half as many pairs as numbers: pair i has the exponent 2i/hd, which is i/(hd/2)."
)
def exponent_over_head_dim(x, positions, theta=10000.0):
    hd = x.shape[-1]
    return _turn(x, torch.outer(positions.float(), theta ** (-torch.arange(hd // 2).float() / hd)))


@answers.mistake("the exponent is twice too large", "2i over hd, or i over hd/2. You have 2i over hd/2.")
def exponent_doubled(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    return _turn(x, torch.outer(positions.float(), theta ** (-2 * torch.arange(half).float() / half)))


@answers.mistake("the exponents start at 1", "Pairs count from 0: the first one turns by 1 radian a token.")
def exponent_from_one(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    return _turn(x, torch.outer(positions.float(), theta ** (-torch.arange(1, half + 1).float() / half)))


@answers.mistake(
    "the exponents end at 1", "`linspace(0, 1, hd/2)` includes its end: the last pair does not reach theta."
)
def exponent_to_one(x, positions, theta=10000.0):
    return _turn(x, torch.outer(positions.float(), theta ** -torch.linspace(0, 1, x.shape[-1] // 2)))


@answers.mistake("the exponent has no minus", "Pair i turns by one over theta to the 2i/hd: slower and slower.")
def no_minus(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    return _turn(x, torch.outer(positions.float(), theta ** (torch.arange(half).float() / half)))


@answers.mistake("all pairs turn alike", "Each pair has a frequency of its own.")
def one_frequency(x, positions, theta=10000.0):
    return _turn(x, positions.float()[:, None].expand(-1, x.shape[-1] // 2))


@answers.mistake("the order of the frequencies is reversed", "Pair 0 is the fastest.")
def reversed_frequencies(x, positions, theta=10000.0):
    return _turn(x, _angles(x, positions, theta).flip(-1))


@answers.mistake("whole turns in place of radians", "There is no 2π: pair 0 turns by 1 radian a token.")
def two_pi(x, positions, theta=10000.0):
    return _turn(x, 2 * math.pi * _angles(x, positions, theta))


@answers.mistake(
    "the positions are ignored",
    "You count 0, 1, 2, … yourself. A cache's next token is not at position 0: use `positions`.",
)
def counts_itself(x, positions, theta=10000.0):
    return _turn(x, _angles(x, torch.arange(x.shape[2]), theta))


@answers.mistake("counted on from the first position", "Positions may have gaps: use each of them as it is given.")
def counts_from_first(x, positions, theta=10000.0):
    return _turn(x, _angles(x, positions[0] + torch.arange(x.shape[2]), theta))


@answers.mistake("positions count from 1", "The first position given is used as it is, also when it is 0.")
def one_later(x, positions, theta=10000.0):
    return _turn(x, _angles(x, positions + 1, theta))


@answers.mistake("theta is always 10000", "Use the argument: Llama 3 has theta = 500000.")
def theta_ignored(x, positions, theta=10000.0):
    return _turn(x, _angles(x, positions, 10000.0))


@answers.mistake("another default for theta", "The signature says theta=10000.0.")
def other_default(x, positions, theta=500000.0):
    return _turn(x, _angles(x, positions, theta))


@answers.mistake("no default for theta", "`apply_rope(x, positions)` must work: theta=10000.0.")
def no_default(x, positions, theta):
    return _turn(x, _angles(x, positions, theta))


@answers.mistake(
    "positions in x's dtype", "bfloat16 knows no 257: it becomes 256. Keep positions and angles in float32."
)
def positions_in_half(x, positions, theta=10000.0):
    return _turn(x, _angles(x, positions.to(x.dtype), theta))


@answers.mistake(
    "frequencies in x's dtype", "A frequency with 8 bits is off by up to 0.4 %: after 1000 tokens that is radians."
)
def frequencies_in_half(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    frequencies = (theta ** (-torch.arange(half, dtype=torch.float32) / half)).to(x.dtype)
    return _turn(x, torch.outer(positions.float(), frequencies.float()))


@answers.mistake(
    "angles in x's dtype", "Compute the angles in float32, and cast the cosines and sines, not the angles."
)
def angles_in_half(x, positions, theta=10000.0):
    return _turn(x, _angles(x, positions, theta).to(x.dtype))


@answers.mistake(
    "all of it in x's dtype", "Positions, frequencies and angles in float32, whatever x is; cast cosines and sines."
)
def all_in_half(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    frequencies = theta ** (-torch.arange(half, dtype=x.dtype) / half)
    return _turn(x, torch.outer(positions.to(x.dtype), frequencies))


@answers.mistake("the result is float32", "Cast back to x's dtype: bfloat16 in, bfloat16 out.")
def result_in_float32(x, positions, theta=10000.0):
    return _turn(x.to(torch.promote_types(x.dtype, torch.float32)), _angles(x, positions, theta))


@answers.mistake("a position is added", "That is the encoding of 2017: sines added to x. RoPE turns and adds nothing.")
def added(x, positions, theta=10000.0):
    angles = _angles(x, positions, theta)
    return x + torch.cat((angles.sin(), angles.cos()), dim=-1).to(x.dtype)


@answers.mistake("cosines only", "x times a cosine is no rotation: the partner's part with the sine is missing.")
def cosines_only(x, positions, theta=10000.0):
    angles = _angles(x, positions, theta)
    return x * torch.cat((angles, angles), dim=-1).cos().to(x.dtype)


@answers.mistake("x is changed in place", "Writing into x spoils it for the caller, and for your own second half.")
def in_place(x, positions, theta=10000.0):
    x.copy_(_turn(x, _angles(x, positions, theta)))
    return x


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing upstream can learn.")
def no_gradient(x, positions, theta=10000.0):
    return _turn(x.detach(), _angles(x, positions, theta))


@answers.mistake("the given function is called", "`given_rope` is for exercise 4. Here you write it yourself.")
def the_given_one(x, positions, theta=10000.0):
    from lessons.support.llama import given_rope

    return given_rope(x, positions, theta)
