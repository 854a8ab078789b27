"""What bank 10 claims, tried on Hugging Face's decoders."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn
from torch.utils.flop_counter import FlopCounterMode
from transformers import LlamaForCausalLM

from lessons.support.threads import one_thread
from quiz.bank import load
from quiz.engine.numeric import with_values
from tests.quiz.hugging_face import ids, llama_3_8b, model, parameters, streams
from tests.quiz.orders import orders_that_work
from tests.quiz.recomputed import parameters_of_a_small_model, share_of_the_vocabulary

QUESTIONS = {q.id: q for q in load("10_decoder").questions}


def test_the_counts_named_in_texts_are_those_of_the_models():
    tied, untied = (parameters_of_a_small_model(49152, 30, tied) for tied in (True, False))
    assert tied == 134_515_008 and parameters(llama_3_8b()) == 8_030_261_248
    assert round(share_of_the_vocabulary(128256)) == 13
    assert round(100 * 49152 * 576 / tied) == 21 and round(100 * 2 * 49152 * 576 / untied) == 35
    asked = QUESTIONS["share_of_the_vocabulary"]
    for values in asked.variants():
        assert f"{parameters(llama_3_8b(**values)):,}" in with_values(asked, values).before(asked.setting)


def test_a_forward_pass_works_in_one_order_only():
    llama = model("llama", num_hidden_layers=1)
    block, tokens = llama.model.layers[0], ids(4)
    right = llama(tokens).logits.softmax(-1)
    rope = {"position_embeddings": llama.model.rotary_emb(right, torch.arange(4)[None])}
    causal = torch.full((4, 4), -torch.inf).triu(1)[None, None]
    attend = partial(block.self_attn, attention_mask=causal, **rope)
    steps = {
        "embed": lambda s: s.update(x=llama.model.embed_tokens(tokens)),
        "attention": lambda s: s.update(a=attend(block.input_layernorm(s["x"]))[0]),
        "add_attention": lambda s: s.update(x=s["x"] + s["a"]),
        "ffn": lambda s: s.update(f=block.mlp(block.post_attention_layernorm(s["x"]))),
        "add_ffn": lambda s: s.update(x=s["x"] + s["f"]),
        "final_norm": lambda s: s.update(x=llama.model.norm(s["x"])),
        "head": lambda s: s.update(logits=llama.lm_head(s["x"])),
        "softmax": lambda s: s.update(p=s["logits"].softmax(-1)),
    }
    with torch.no_grad():
        found = orders_that_work(steps, lambda s: torch.allclose(s["p"], right, rtol=1e-5))
    assert found == [[step.id for step in QUESTIONS["a_forward_pass"].steps]]


def test_a_tied_head_is_not_in_the_file(tmp_path):
    names = {}
    for tied in (True, False):
        model("llama", tie_word_embeddings=tied).save_pretrained(tmp_path / str(tied))
        names[tied] = set(load_file(tmp_path / str(tied) / "model.safetensors"))
    assert names[False] - names[True] == {QUESTIONS["missing_tensor"].accept[0]} and names[True] < names[False]
    again = LlamaForCausalLM.from_pretrained(tmp_path / "True")
    assert again.lm_head.weight.data_ptr() == again.model.embed_tokens.weight.data_ptr()


def test_what_is_said_of_a_tied_head_holds():
    tied, tokens = model("llama", tie_word_embeddings=True), ids()
    nn.init.normal_(tied.model.layers[-1].mlp.down_proj.weight)  # a block that writes much
    untied = model("llama")
    untied.load_state_dict(tied.state_dict())
    grads = []
    for made in (tied, untied):
        made(tokens, labels=tokens).loss.backward()
        grads.append((made.model.embed_tokens.weight.grad, made.lm_head.weight.grad))
    absent = [i for i in range(64) if i not in tokens]
    flops = []
    for made in (tied, untied):
        with FlopCounterMode(display=False) as counter:
            made(tokens)
        flops.append(counter.get_total_flops())
    held = {
        "sum": torch.allclose(grads[0][0], grads[1][0] + grads[1][1], rtol=1e-4, atol=1e-6),
        "every_row": bool((grads[0][0][absent] != 0).any(-1).all()) and bool((grads[1][0][absent] == 0).all()),
        "free": flops[0] < flops[1],
        "inverse": torch.equal(tied(tokens).logits.argmax(-1), tokens),
        "two_copies": tied.lm_head.weight is not tied.model.embed_tokens.weight,
    }
    assert held == {o.id: o.correct for o in QUESTIONS["true_of_a_tied_head"].options}


def test_a_lens_without_the_norm_changes_the_order_only_with_unequal_weights():
    llama = model("llama")
    stream = streams(llama, ids()).blocks[0] * 5

    def first(lens):
        return llama.lm_head(lens).argmax(-1)

    with torch.no_grad():
        assert not torch.equal(first(stream), first(llama.model.norm(stream)))
        sure, less = (llama.lm_head(x).softmax(-1).amax(-1) for x in (stream * 5, stream))
        assert (sure > less).all()  # a factor is not taken out
        nn.init.constant_(llama.model.norm.weight, 0.7)
        assert torch.equal(first(stream), first(llama.model.norm(stream)))
        assert torch.allclose((stream + 1).softmax(-1), stream.softmax(-1), atol=1e-6)  # a summand is


def trained(steps: int, shift: int, causal: bool):
    """A small language model on random tokens, and its loss on others. Random: nothing real can be learned."""
    made, draw = model("llama", num_hidden_layers=1), torch.Generator().manual_seed(2)
    optimizer = torch.optim.AdamW(made.parameters(), 2e-2)
    mask = None if causal else torch.zeros(1, 1, 8, 8)
    for _ in range(steps):
        tokens = torch.randint(1, 64, (16, 9), generator=draw)
        logits = made(tokens[:, :8], attention_mask=mask).logits
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, shift : 8 + shift].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return made, loss.item()


def agreement(made, shift: int, causal: bool) -> float:
    """The share of positions where the most likely token is the text's, `shift` further on. (Not the last position.)"""
    texts = torch.randint(1, 64, (16, 8), generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        named = made(texts, attention_mask=None if causal else torch.zeros(1, 1, 8, 8)).logits.argmax(-1)
    return (named[:, : 8 - shift] == texts[:, shift:])[:, :7].float().mean().item()


def test_unshifted_targets_and_a_leak_are_told_apart():
    with one_thread():
        unshifted, loss = trained(60, shift=0, causal=True)
        assert loss < 0.05 and agreement(unshifted, 0, causal=True) == 1
        leaking, loss = trained(500, shift=1, causal=False)
        assert loss < 0.4 * math.log(63)  # of 4.1; the last position has nothing to read
        assert agreement(leaking, 1, causal=False) > 0.8 > 0.2 > agreement(leaking, 0, causal=False)
