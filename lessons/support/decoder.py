"""The decoder that lesson 10's experiments fall back on, and how one starts: everyone can run them, solved or not.

`given_block` and `given_decoder` have the contract's names throughout. The exercises that ask for them forbid them.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lessons.support.llama import Attention, DecoderConfig, RMSNorm, SwiGLU


class _Block(nn.Module):
    """x: [B, T, dim] both ways; positions: [T]."""

    def __init__(self, config: DecoderConfig):
        super().__init__()
        self.attn_norm, self.ffn_norm = (RMSNorm(config.dim, eps=config.norm_eps) for _ in range(2))
        self.attn, self.ffn = Attention(config), SwiGLU(config.dim, config.hidden_dim)

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        middle = torch.add(x, self.attn(self.attn_norm(x), positions))
        return torch.add(middle, self.ffn(self.ffn_norm(middle)))


class _Decoder(nn.Module):
    """ids: [B, T] -> logits: [B, T, vocab]. A tied head is the embedding's own tensor."""

    def __init__(self, config: DecoderConfig):
        super().__init__()
        sizes = config.vocab_size, config.dim
        self.tok_embeddings, self.norm = nn.Embedding(*sizes), RMSNorm(config.dim, eps=config.norm_eps)
        self.layers = nn.ModuleList(_Block(config) for _ in range(config.n_layers))
        self.lm_head = nn.Linear(*reversed(sizes), bias=False)
        one = self.tok_embeddings if config.tie_embeddings else self.lm_head
        self.lm_head.weight = one.weight

    def forward(self, ids: Tensor) -> Tensor:
        return head(self, stream(self, ids)[-1])


def given_block(config: DecoderConfig) -> nn.Module:
    """A block as exercise 1 asks for it, whatever has become of your own."""
    return _Block(config)


def given_decoder(config: DecoderConfig) -> nn.Module:
    """A decoder as exercise 2 asks for it."""
    return _Decoder(config)


def stream(model: nn.Module, ids: Tensor) -> list[Tensor]:
    """The residual stream of any decoder with the contract's names: before the first block, and after each."""
    states, positions = [model.tok_embeddings(ids)], torch.arange(ids.shape[-1], device=ids.device)
    for layer in model.layers:
        states.append(layer(states[-1], positions))
    return states


def head(model: nn.Module, x: Tensor, renormed: bool = True) -> Tensor:
    """The logits that a state of the stream leads to, through the final norm (or without it) and the head."""
    x = model.norm(x) if renormed else x
    return F.linear(x, getattr(model, "lm_head", model.tok_embeddings).weight)


def start_small(model: nn.Module, seed: int) -> nn.Module:
    """Matrices and embedding from N(0, 0.02²), those that write to the stream smaller by √(2L), as in GPT-2."""
    torch.manual_seed(seed)
    into_stream = (2 * len(model.layers)) ** -0.5
    for name, weight in model.named_parameters():
        if weight.ndim > 1:
            last = name.split(".")[-2]
            nn.init.normal_(weight, std=0.02 * (into_stream if last in ("o_proj", "down_proj") else 1.0))
    return model


def make_random(model: nn.Module, seed: int) -> nn.Module:
    """Every weight random and away from its default, norms around 1: what a comparison needs to see anything."""
    torch.manual_seed(seed)
    for weight in model.parameters():
        if weight.ndim > 1:
            nn.init.normal_(weight, std=weight.shape[-1] ** -0.5)
        else:
            nn.init.normal_(weight, mean=1.0, std=0.3)
    return model.eval()


Make = Callable[[DecoderConfig], nn.Module]


def own_or_given(own: Make) -> Make:
    """`own` where it gives the given decoder's logits, tied and untied; else `given_decoder`. Prints which, and why."""
    why = next(filter(None, (_what_differs(own, tied) for tied in (False, True))), None)
    if why is None:
        print("The experiments use your own Decoder.")
        return own
    print(f'The experiments use the given decoder: {why}. check("decoder") says more.')
    return given_decoder


@torch.no_grad()
def _what_differs(own: Make, tied: bool) -> str | None:
    config = DecoderConfig(23, 12, 2, 6, 2, 4, 20, norm_eps=1e-2, rope_theta=500.0, tie_embeddings=tied)
    given, ids = make_random(given_decoder(config), seed=1), torch.arange(14).view(2, 7)
    try:
        mine = own(config)
        copy_weights(mine, given.state_dict())
        if not any(isinstance(part, Attention) for part in mine.modules()):
            return "yours has an attention of its own, which cannot be given a cache"
        same = torch.allclose(mine(ids), given(ids), rtol=1e-4, atol=1e-4)
        same = same and torch.allclose(head(mine, stream(mine, ids)[-1]), given(ids), rtol=1e-4, atol=1e-4)
    except NotImplementedError:
        return "yours is not written yet"
    except Exception as error:  # whatever a student's code does, the experiments go on
        return f"yours raises {type(error).__name__}"
    return None if same else f"yours gives other logits ({'tied' if tied else 'not tied'})"


def copy_weights(model: nn.Module, state: dict[str, Tensor]) -> nn.Module:
    """Loads weights under our names, strictly, but that a tied head may be absent on either side.

    Raises ValueError with the names that do not fit.
    """
    own = model.state_dict(keep_vars=True)
    tied = "lm_head.weight" not in own or own["lm_head.weight"] is own["tok_embeddings.weight"]
    wanted = {name: tensor for name, tensor in state.items() if not (tied and name == "lm_head.weight")}
    missing, unexpected = model.load_state_dict(wanted, strict=False)
    missing = [name for name in missing if not (tied and name == "lm_head.weight")]
    if missing or unexpected:
        raise ValueError(f"the weights do not fit. Missing: {missing or 'none'}; not expected: {unexpected or 'none'}.")
    return model
