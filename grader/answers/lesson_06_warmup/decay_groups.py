"""Right and wrong ways to write `decay_groups(model, weight_decay)`."""

import itertools

from torch import nn

from grader.answers import Answers

answers = Answers(
    "decay_groups",
    why="Matrices have two dimensions; biases and the gains of norms have one. `model.parameters()` yields each "
    "parameter once, however many names it has. The second group says 0.0: left out, AdamW puts its own default there.",
)


def _groups(decayed, others, weight_decay):
    """Two groups as AdamW takes them, common to many of these: their differences lie elsewhere."""
    return [{"params": decayed, "weight_decay": weight_decay}, {"params": others, "weight_decay": 0.0}]


def _sorted_by(model, decays, weight_decay):
    """Groups by a rule on (name, parameter)."""
    named = list(model.named_parameters())
    return _groups([p for n, p in named if decays(n, p)], [p for n, p in named if not decays(n, p)], weight_decay)


@answers.right
def by_dimensions(model, weight_decay):
    matrices = [p for p in model.parameters() if p.dim() >= 2]
    vectors = [p for p in model.parameters() if p.dim() < 2]
    return [{"params": matrices, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]


@answers.right
def only_what_trains(model: nn.Module, weight_decay: float) -> list[dict]:
    named = {name: p for name, p in model.named_parameters() if p.requires_grad}
    decay = [p for p in named.values() if p.ndim > 1]
    rest = [p for p in named.values() if p.ndim <= 1]
    return [
        {"params": decay, "weight_decay": weight_decay, "name": "decay"},
        {"params": rest, "weight_decay": 0, "name": "no decay"},
    ]


@answers.right
def a_group_for_each(model, weight_decay):
    return [{"params": [p], "weight_decay": weight_decay if len(p.shape) == 2 else 0.0} for p in model.parameters()]


@answers.right
def with_names(model, weight_decay):
    rest = list(model.named_parameters())
    decay = [(name, p) for name, p in rest if p.dim() == 2]
    chosen = {name for name, _ in decay}
    rest = [(name, p) for name, p in rest if name not in chosen]
    return [{"params": rest, "weight_decay": 0.0}, {"params": decay, "weight_decay": weight_decay}]


@answers.right
def all_names_by_identity(model, weight_decay):
    unique = {id(p): p for _, p in model.named_parameters(remove_duplicate=False)}
    decay = {key: p for key, p in unique.items() if p.dim() >= 2}
    others = (p for key, p in unique.items() if key not in decay)
    return ({"params": decay.values(), "weight_decay": weight_decay}, {"params": others, "weight_decay": 0.0})


@answers.right
def walk_over_modules(model, weight_decay):
    seen, groups = set(), {True: [], False: []}

    def visit(module):
        for p in module._parameters.values():
            if p is not None and p not in seen:
                seen.add(p)
                groups[p.dim() > 1].append(p)
        for child in module.children():
            visit(child)

    visit(model)
    return [{"params": ps, "weight_decay": weight_decay * decays} for decays, ps in groups.items()]


@answers.right
def grouped_by_a_key(model, weight_decay, *, key=lambda p: p.ndim < 2):
    in_order = sorted(model.parameters(), key=key)
    return [
        {"params": list(members), "weight_decay": 0.0 if vectors else weight_decay}
        for vectors, members in itertools.groupby(in_order, key)
    ]


@answers.right
def by_sets(model, weight_decay):
    everything = set(model.parameters())
    vectors = {p for p in everything if p.squeeze(0).dim() <= 1 and p.dim() == 1}
    return [
        {"params": list(everything - vectors), "weight_decay": weight_decay},
        {"params": [*vectors], "weight_decay": 0.0},
    ]


@answers.mistake(
    "everything decays",
    "Norms and biases should not. Decay pulls towards 0, and a norm's weight of 0 would silence what it scales.",
)
def everything_decays(model, weight_decay):
    return [{"params": list(model.parameters()), "weight_decay": weight_decay}]


@answers.mistake("nothing decays", "The group of the matrices should carry `weight_decay`.")
def nothing_decays(model, weight_decay):
    return [{"params": list(model.parameters()), "weight_decay": 0.0}]


@answers.mistake("the two groups are swapped", "Matrices decay; what has one dimension does not. Yours is the reverse.")
def swapped(model, weight_decay):
    return _sorted_by(model, lambda n, p: p.dim() < 2, weight_decay)


@answers.mistake(
    "only biases are spared: the norms decay",
    "You go by the name `bias`. A norm's weight is called `weight`, like a matrix: look at its dimensions instead.",
)
def spares_biases(model, weight_decay):
    return _sorted_by(model, lambda n, p: not n.endswith("bias"), weight_decay)


@answers.mistake(
    "only names with `bias` in them are spared",
    "A name tells little: `bias_table` is a matrix, and a norm's weight is no bias. Look at the dimensions.",
)
def spares_bias_in_name(model, weight_decay):
    return _sorted_by(model, lambda n, p: "bias" not in n, weight_decay)


@answers.mistake(
    "going by names with `norm` and `bias`",
    "Names are a habit, not a rule: one model's norm is called `ln_1`, and another's `norm_mixer` is a matrix.",
)
def by_names(model, weight_decay):
    return _sorted_by(model, lambda n, p: "norm" not in n and not n.endswith("bias"), weight_decay)


@answers.mistake(
    "going by names with `norm`, `ln` and `bias`",
    "The list of names has no end: `scale`, `gain`, `norm_mixer`, … The number of dimensions is what decides.",
)
def by_more_names(model, weight_decay):
    return _sorted_by(model, lambda n, p: not any(word in n for word in ("norm", "ln", "bias")), weight_decay)


@answers.mistake(
    "going by `norm` and `bias` anywhere in the name",
    "Names are a habit, not a rule: one norm is called `ln_1`, and `bias_table` and `norm_mixer` are matrices.",
)
def by_parts_of_names(model, weight_decay):
    return _sorted_by(model, lambda n, p: "norm" not in n and "bias" not in n, weight_decay)


@answers.mistake("only the norms are spared: the biases decay", "Biases have one dimension too: they do not decay.")
def biases_decay(model, weight_decay):
    return _sorted_by(model, lambda n, p: p.dim() >= 2 or n.endswith("bias"), weight_decay)


@answers.mistake("the biases decay, the norms' too", "Going by names with `norm` or `ln` misses every bias elsewhere.")
def spares_norm_names(model, weight_decay):
    return _sorted_by(model, lambda n, p: "norm" not in n and "ln" not in n, weight_decay)


@answers.mistake(
    "only PyTorch's LayerNorm is known as a norm",
    "A model's own norm class has a weight that decays in your groups. Ask the parameter for its dimensions.",
)
def only_layer_norm(model, weight_decay):
    spared = {p for m in model.modules() if isinstance(m, nn.LayerNorm) for p in m.parameters()}
    return _sorted_by(model, lambda n, p: p not in spared and not n.endswith("bias"), weight_decay)


@answers.mistake(
    "embeddings do not decay",
    "An embedding is a matrix, and here all matrices decay. (Some recipes spare it; then a tied head is in doubt.)",
)
def spares_embeddings(model, weight_decay):
    spared = {p for m in model.modules() if isinstance(m, nn.Embedding) for p in m.parameters()}
    return _sorted_by(model, lambda n, p: p.dim() >= 2 and p not in spared, weight_decay)


@answers.mistake(
    "embeddings and tables of positions do not decay",
    "You spare what is called an embedding or a position. They are matrices, and here all matrices decay.",
)
def spares_embedding_names(model, weight_decay):
    return _sorted_by(model, lambda n, p: p.dim() >= 2 and "emb" not in n and "pos" not in n, weight_decay)


@answers.mistake(
    "only the weights of nn.Linear decay",
    "Embeddings and matrices that stand in the model by themselves decay as well: go by dimensions, not by classes.",
)
def only_linear(model, weight_decay):
    decayed = {m.weight for m in model.modules() if isinstance(m, nn.Linear)}
    return _sorted_by(model, lambda n, p: p in decayed, weight_decay)


@answers.mistake(
    "only the weights of nn.Linear and nn.Embedding decay",
    "A matrix that stands in the model by itself decays as well: go by dimensions, not by classes.",
)
def only_known_classes(model, weight_decay):
    decayed = {m.weight for m in model.modules() if isinstance(m, (nn.Linear, nn.Embedding))}
    return _sorted_by(model, lambda n, p: p in decayed, weight_decay)


@answers.mistake(
    "only the weights of nn.Linear and nn.Embedding decay, and a tied one twice",
    "A walk over the layers misses matrices that stand in the model by themselves, and meets a tied weight in each of "
    "its layers. `model.parameters()` yields each once.",
)
def known_classes_tied_twice(model, weight_decay):
    decayed = [m.weight for m in model.modules() if isinstance(m, (nn.Linear, nn.Embedding))]
    others = [p for p in model.parameters() if id(p) not in {id(q) for q in decayed}]
    return _groups(decayed, others, weight_decay)


@answers.mistake(
    "the head does not decay",
    "The head is a matrix like the others.",
)
def spares_the_head(model, weight_decay):
    return _sorted_by(model, lambda n, p: p.dim() >= 2 and "head." not in n, weight_decay)


@answers.mistake(
    "a small matrix is taken for a vector",
    "A matrix with a single row is still a matrix: ask for `p.dim()`, not for its sizes.",
)
def squeezes(model, weight_decay):
    return _sorted_by(model, lambda n, p: p.squeeze().dim() >= 2, weight_decay)


@answers.mistake(
    "a tied parameter twice",
    "`remove_duplicate=False`, or a walk over the modules, meets a tied parameter under each of its names. "
    "AdamW would take it twice.",
)
def tied_twice(model, weight_decay):
    named = list(model.named_parameters(remove_duplicate=False))
    return _groups([p for _, p in named if p.dim() >= 2], [p for _, p in named if p.dim() < 2], weight_decay)


@answers.mistake(
    "a parameter that two modules hold, twice",
    "Each of your modules yields its own parameters, so a tied one comes once from each. Take `model.parameters()`, "
    "which yields it once.",
)
def tied_twice_by_modules(model, weight_decay):
    found = [p for m in model.modules() for p in m.parameters(recurse=False)]
    return _groups([p for p in found if p.dim() >= 2], [p for p in found if p.dim() < 2], weight_decay)


@answers.mistake(
    "a tied parameter is left out",
    "You drop what has two names altogether. It should be listed once: `model.parameters()` does that.",
)
def tied_left_out(model, weight_decay):
    every = [id(p) for _, p in model.named_parameters(remove_duplicate=False)]
    once = [p for p in model.parameters() if every.count(id(p)) == 1]
    return _groups([p for p in once if p.dim() >= 2], [p for p in once if p.dim() < 2], weight_decay)


@answers.mistake(
    "equal names are taken for one parameter",
    "Your dict has one entry for each last part of a name (`weight`, `bias`): all the others are overwritten.",
)
def keyed_by_last_name(model, weight_decay):
    kept = {name.rsplit(".", 1)[-1]: p for name, p in model.named_parameters()}.values()
    return _groups([p for p in kept if p.dim() >= 2], [p for p in kept if p.dim() < 2], weight_decay)


@answers.mistake(
    "what does not decay is forgotten",
    "A parameter in no group is never trained. Norms and biases need a group too, with a decay of 0.0.",
)
def vectors_forgotten(model, weight_decay):
    return [{"params": [p for p in model.parameters() if p.dim() >= 2], "weight_decay": weight_decay}]


@answers.mistake("the biases are forgotten", "A parameter in no group is never trained. Biases belong in the second.")
def biases_forgotten(model, weight_decay):
    named = [(n, p) for n, p in model.named_parameters() if not n.endswith("bias")]
    return _groups([p for _, p in named if p.dim() >= 2], [p for _, p in named if p.dim() < 2], weight_decay)


@answers.mistake(
    "what is not called `weight` is forgotten",
    "Biases and bare parameters are in no group, so they are never trained. Take all of `model.parameters()`.",
)
def only_weights(model, weight_decay):
    named = [(n, p) for n, p in model.named_parameters() if n.endswith("weight")]
    return _groups([p for _, p in named if p.dim() >= 2], [p for _, p in named if p.dim() < 2], weight_decay)


@answers.mistake(
    "the norms are forgotten", "A parameter in no group is never trained. Norms belong in the second group."
)
def norms_forgotten(model, weight_decay):
    named = [(n, p) for n, p in model.named_parameters() if p.dim() >= 2 or n.endswith("bias")]
    return _groups([p for _, p in named if p.dim() >= 2], [p for _, p in named if p.dim() < 2], weight_decay)


@answers.mistake(
    "bare parameters are forgotten",
    "You collect from the layer types you know. A parameter that stands in the model by itself is in none of them.",
)
def only_known_layers(model, weight_decay):
    known = [m for m in model.modules() if isinstance(m, (nn.Linear, nn.Embedding, nn.LayerNorm))]
    found = {id(p): p for m in known for p in m.parameters()}.values()
    return _groups([p for p in found if p.dim() >= 2], [p for p in found if p.dim() < 2], weight_decay)


@answers.mistake(
    "nested modules are not searched",
    "`children()` and `recurse=False` look one level deep. Blocks have modules inside: `parameters()` finds them all.",
)
def one_level(model, weight_decay):
    found = {id(p): p for child in [model, *model.children()] for p in child.parameters(recurse=False)}.values()
    return _groups([p for p in found if p.dim() >= 2], [p for p in found if p.dim() < 2], weight_decay)


@answers.mistake(
    "the second group holds everything",
    "Every parameter exactly once: what decays must not stand in the group without decay as well.",
)
def matrices_twice(model, weight_decay):
    return _groups([p for p in model.parameters() if p.dim() >= 2], list(model.parameters()), weight_decay)


@answers.mistake(
    "the second group does not say `weight_decay`",
    "A group that says nothing gets AdamW's default, 0.01: norms and biases decay after all. Say 0.0.",
)
def silent_second_group(model, weight_decay):
    decayed = {"params": [p for p in model.parameters() if p.dim() >= 2], "weight_decay": weight_decay}
    return [decayed, {"params": [p for p in model.parameters() if p.dim() < 2]}]


@answers.mistake(
    "the first group does not say `weight_decay`",
    "A group that says nothing gets AdamW's default, 0.01. Put the argument `weight_decay` there.",
)
def silent_first_group(model, weight_decay):
    return [
        {"params": [p for p in model.parameters() if p.dim() >= 2]},
        {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0},
    ]


@answers.mistake(
    "no group says `weight_decay`",
    "AdamW looks for the key `weight_decay`, spelt like that. Without it every group gets its default, 0.01.",
)
def key_misspelt(model, weight_decay):
    return [
        {"params": [p for p in model.parameters() if p.dim() >= 2], "decay": weight_decay},
        {"params": [p for p in model.parameters() if p.dim() < 2], "decay": 0.0},
    ]


@answers.mistake("a fixed weight decay of 0.1", "Your code does not use the argument `weight_decay`.")
def fixed_tenth(model, weight_decay):
    return _sorted_by(model, lambda n, p: p.dim() >= 2, 0.1)


@answers.mistake(
    "the key is not `params`", "AdamW looks for a group's parameters under the key `params`, spelt like that."
)
def wrong_key(model, weight_decay):
    return [{"parameters": g["params"], "weight_decay": g["weight_decay"]} for g in by_dimensions(model, weight_decay)]


@answers.mistake("names in place of parameters", "A group lists the parameters themselves, not what they are called.")
def lists_names(model, weight_decay):
    decayed = [n for n, p in model.named_parameters() if p.dim() >= 2]
    return _groups(decayed, [n for n, p in model.named_parameters() if p.dim() < 2], weight_decay)


@answers.mistake(
    "copies in place of parameters",
    "The optimizer would train your copies, and the model would never change. List the parameters themselves.",
)
def lists_copies(model, weight_decay):
    copies = [nn.Parameter(p.detach().clone()) for p in model.parameters()]
    return _groups([p for p in copies if p.dim() >= 2], [p for p in copies if p.dim() < 2], weight_decay)


@answers.mistake(
    "`in` compares parameters by value",
    "`p in some_list` asks `==`, and tensors answer that element by element. Sort by a rule, or compare `id(p)`.",
)
def compares_by_value(model, weight_decay):
    decayed = [p for p in model.parameters() if p.dim() >= 2]
    return _groups(decayed, [p for p in model.parameters() if p not in decayed], weight_decay)


@answers.mistake("sets of parameters", "AdamW refuses sets, because they have no order. Make lists of them.")
def lists_sets(model, weight_decay):
    vectors = {p for p in model.parameters() if p.dim() < 2}
    return _groups(set(model.parameters()) - vectors, vectors, weight_decay)


@answers.mistake(
    "lists in place of groups", "Each group is a dict: its parameters under `params`, its decay under `weight_decay`."
)
def two_lists(model, weight_decay):
    return [[p for p in model.parameters() if p.dim() >= 2], [p for p in model.parameters() if p.dim() < 2]]


@answers.mistake("a dict in place of a list", "AdamW takes a list of groups; each group is a dict of its own.")
def one_dict(model, weight_decay):
    decayed = [p for p in model.parameters() if p.dim() >= 2]
    return {"decay": decayed, "no_decay": [p for p in model.parameters() if p.dim() < 2]}
