"""The FFN bake-off: every variant trained with the same seeds, in a lesson's small run or in one larger run.

`python -m lessons.support.bakeoff` makes the larger run again and writes `bakeoff_large.json`: its outcomes with the
command, the versions, the duration and the machine in general words.
"""

import argparse
import json
import platform
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import torch

from lessons.support.ffns import VARIANTS
from lessons.support.text import ALPHABET, Text, standard_library
from lessons.support.tiny_lm import TinyLM
from lessons.support.train import held_out_loss, train

DATA = Path(__file__).with_name("bakeoff_large.json")


@dataclass(frozen=True)
class Size:
    """How large a run is. Learning rate: a tenth of the steps up to `peak`, then down to 0, in straight lines."""

    dim: int
    n_layers: int
    n_heads: int
    batch: int
    length: int
    steps: int
    peak: float = 4e-3

    def lr(self, step: int) -> float:
        rise = self.steps // 10
        return self.peak * min((step + 1) / rise, (self.steps - step) / (self.steps - rise))


SMALL = Size(dim=48, n_layers=2, n_heads=3, batch=16, length=64, steps=100)
LARGE = Size(dim=96, n_layers=3, n_heads=6, batch=16, length=64, steps=250)


def one_run(name: str, seed: int, size: Size, text: Text, device: str = "cpu") -> float:
    """Trains one variant; returns its held-out loss in nats a character.

    The seed decides the batches and all first weights outside the FFNs: those are the same for every variant.
    """
    torch.manual_seed(seed)
    model = TinyLM(len(ALPHABET), size.dim, size.n_layers, size.n_heads, size.length, VARIANTS[name]).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.95), weight_decay=0.1)
    train(model, text, optimizer, size.steps, size.batch, size.length, seed, size.lr)
    return held_out_loss(model, text, size.length)


def bake(
    size: Size, seeds: range, text: Text, device: str = "cpu", shown: Callable[[list], Iterable] = iter
) -> dict[str, list[float]]:
    """Outcomes by variant, one a seed. `shown` wraps the list of runs, to draw a bar while they are worked off."""
    outcomes: dict[str, list[float]] = {name: [] for name in VARIANTS}
    for seed, name in shown(list(product(seeds, VARIANTS))):
        outcomes[name].append(one_run(name, seed, size, text, device))
    return outcomes


def large_run() -> dict:
    """The larger run as data: `outcomes`, `size` and `made` (command, versions, minutes, machine)."""
    return json.loads(DATA.read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the larger bake-off again.")
    parser.add_argument("--minutes", type=float, default=600, help="no new seed is begun after this time")
    parser.add_argument("--seeds", type=int, default=5, help="how many seeds at most (default 5)")
    parser.add_argument("--threads", type=int, default=1, help="torch's threads (default 1)")
    parser.add_argument("--out", type=Path, default=DATA, help="the file to write")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    text, began = standard_library(), time.perf_counter()
    outcomes: dict[str, list[float]] = {name: [] for name in VARIANTS}
    for seed in range(options.seeds):
        if time.perf_counter() - began > 60 * options.minutes:
            break
        for name, losses in bake(LARGE, range(seed, seed + 1), text).items():
            outcomes[name] += losses
        options.out.write_text(_as_json(outcomes, began, options), encoding="utf-8")
        print(f"seed {seed} done after {(time.perf_counter() - began) / 60:.1f} minutes", flush=True)


def _as_json(outcomes: dict[str, list[float]], began: float, options: argparse.Namespace) -> str:
    seeds, threads = len(outcomes["ReLU"]), options.threads
    number = f"{threads} thread{'s' * (threads != 1)}"
    made = {
        "command": f"python -m lessons.support.bakeoff --seeds {seeds} --threads {threads}",
        "minutes": round((time.perf_counter() - began) / 60, 1),
        "processor_minutes": round(time.process_time() / 60, 1),
        "machine": f"{platform.machine()} processor shared with other work, {number}, no GPU",
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "text": "the standard library of that Python, 2 million characters",
    }
    return json.dumps({"made": made, "size": asdict(LARGE), "outcomes": outcomes}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
