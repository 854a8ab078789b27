"""Text to train small language models on: the Python standard library's own source, from the reader's own disk.

Nothing is downloaded. The text depends on the installed version of Python, and on nothing else.
"""

import sysconfig
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

ALPHABET = "\n" + "".join(map(chr, range(32, 127)))  # a newline and printable ASCII: 96 characters
_OTHER = "?"
_CODE = {character: code for code, character in enumerate(ALPHABET)}


@dataclass(frozen=True)
class Text:
    """Character codes, [n] each: `train` to learn from; `held_out`, other files, to measure on."""

    train: Tensor
    held_out: Tensor


def standard_library(characters: int = 2_000_000) -> Text:
    """The first modules by name, about `characters` long; every tenth file is held out.

    Raises FileNotFoundError where Python's library is not stored as files (some embedded Pythons).
    """
    folder = Path(sysconfig.get_path("stdlib"))
    train, held_out = [], []
    for place, file in enumerate(sorted(folder.glob("*.py"), key=lambda file: file.name)):
        (held_out if place % 10 == 9 else train).append(file.read_text(encoding="utf-8", errors="replace"))
        if sum(map(len, train + held_out)) >= characters:
            break
    if not train or not held_out:
        raise FileNotFoundError(f"There are too few .py files in {folder}: this Python keeps its library elsewhere.")
    return Text(encode("".join(train)), encode("".join(held_out)))


def encode(text: str) -> Tensor:
    """Codes of the characters, [n], int64. A tab becomes four spaces; what is not in ALPHABET becomes a "?"."""
    other = _CODE[_OTHER]
    return torch.tensor([_CODE.get(character, other) for character in text.replace("\t", "    ")])


def decode(codes: Tensor) -> str:
    """The text that the codes [n] stand for."""
    return "".join(ALPHABET[code] for code in codes.tolist())


def sample(codes: Tensor, batch: int, length: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Random windows of a text and the same shifted by one: inputs and targets, [batch, length] each."""
    starts = torch.randint(len(codes) - length, (batch, 1), generator=generator)
    windows = codes[starts + torch.arange(length + 1)]
    return windows[:, :-1], windows[:, 1:]
