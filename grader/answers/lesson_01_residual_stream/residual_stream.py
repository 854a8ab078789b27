"""Right and wrong ways to write `residual_stream(x, layers)`."""

import itertools

import torch
import torch.nn.functional as F

from grader.answers import Answers

answers = Answers(
    "residual_stream",
    why="Each layer reads the newest state and its result is added to that state: a new tensor, so that the earlier "
    "states stay as they were. The list begins with x itself, so it is right without layers too.",
)


@answers.right
def plain(x, layers):
    states = [x]
    for layer in layers:
        states.append(states[-1] + layer(states[-1]))
    return torch.stack(states)


@answers.right
def accumulated(x, layers):
    steps = itertools.accumulate(layers, lambda state, layer: state + layer(state), initial=x)
    return torch.stack(list(steps), dim=0)


@answers.right
def recursive(x: torch.Tensor, layers: list) -> torch.Tensor:
    if not layers:
        return x[None]
    return torch.cat([x[None], recursive(x + layers[0](x), layers[1:])])


@answers.right
def sums_of_branches(x, layers):
    """Every state is x plus all that has been written so far."""
    state, written, states = x, torch.zeros_like(x), [x]
    for layer in layers:
        written = written + layer(state)
        state = x + written
        states += [state]
    return torch.stack(states)


@answers.right
def cumulative_sum(x, layers, verbose=False):
    parts, state = [x], x
    for layer in layers:
        parts.append(layer(state))
        state = torch.add(state, parts[-1])
    return torch.cumsum(torch.stack(parts), dim=0)


@answers.right
def written_into_a_tensor(x, layers):
    """In place, but every layer reads a copy, so autograd finds what it needs."""
    states = x.new_empty((len(layers) + 1, *x.shape))
    states[0] = x
    for i, layer in enumerate(layers):
        state = states[i].clone()
        states[i + 1] = state + layer(state)
    return states


@answers.right
def in_place_on_a_clone(x, layers):
    states = [x.clone()]
    for layer in layers:
        state = states[-1].clone()
        state += layer(states[-1])
        states.append(state)
    return torch.stack(states)


@answers.right
def concatenated(x, layers):
    states = x.unsqueeze(0)
    for layer in layers:
        states = torch.cat((states, (states[-1] + layer(states[-1])).unsqueeze(0)))
    return states


@answers.right
def compiled(x, layers):
    @torch.compile
    def step(state, branch):
        return state + branch

    states = [x]
    for layer in layers:
        states.append(step(states[-1], layer(states[-1])))
    return torch.stack(states)


@answers.mistake(
    "every layer reads x",
    "Each person reads the page as it is by then, not as it was at first: the layer gets the newest state.",
)
def layers_read_x(x, layers):
    states = [x]
    for layer in layers:
        states.append(states[-1] + layer(x))
    return torch.stack(states)


@answers.mistake("the state is replaced", "A layer adds to the stream. What it returns is not yet the next state.")
def replaced(x, layers):
    states = [x]
    for layer in layers:
        states.append(layer(states[-1]))
    return torch.stack(states)


@answers.mistake(
    "x is added in place of the state",
    "Each layer's result is added to the state it has read. With x, all that was written between is lost.",
)
def adds_x(x, layers):
    states = [x]
    for layer in layers:
        states.append(x + layer(states[-1]))
    return torch.stack(states)


@answers.mistake("the first state is missing", "The first state is x itself: there is one state more than layers.")
def no_first_state(x, layers):
    states, state = [], x
    for layer in layers:
        state = state + layer(state)
        states.append(state)
    return torch.stack(states)


@answers.mistake("the last state is missing", "The last layer's result has to be kept too: L layers, L + 1 states.")
def no_last_state(x, layers):
    states, state = [], x
    for layer in layers:
        states.append(state)
        state = state + layer(state)
    return torch.stack(states)


@answers.mistake("only the last state is returned", "Keep every state on the way and stack them along a new axis.")
def last_state_only(x, layers):
    for layer in layers:
        x = x + layer(x)
    return x


@answers.mistake("the last layer is not used", "The loop ends one layer early: L layers make L + 1 states.")
def last_layer_unused(x, layers):
    states = [x]
    for layer in layers[:-1]:
        states.append(states[-1] + layer(states[-1]))
    return torch.stack(states)


@answers.mistake("the layers run backwards", "The first layer of the list reads x. Go through the list in its order.")
def backwards(x, layers):
    states = [x]
    for layer in reversed(layers):
        states.append(states[-1] + layer(states[-1]))
    return torch.stack(states)


@answers.mistake(
    "x is changed in place",
    "`x += …` writes into the caller's tensor, and every entry of your list is that one tensor. Make new ones.",
)
def in_place(x, layers):
    states = [x]
    for layer in layers:
        x += layer(x)
        states.append(x)
    return torch.stack(states)


@answers.mistake(
    "all states are one tensor",
    "The clone saves x, but `+=` then changes the one tensor that every entry of your list refers to.",
)
def one_tensor(x, layers):
    state = x.clone()
    states = [state]
    for layer in layers:
        state += layer(state)
        states.append(state)
    return torch.stack(states)


@answers.mistake(
    "a layer's result is changed in place",
    "The layer may still need what it returned, for its gradient (tanh does). Add into a new tensor.",
)
def in_place_on_the_result(x, layers):
    states = [x]
    for layer in layers:
        result = layer(states[-1])
        result += states[-1]
        states.append(result)
    return torch.stack(states)


@answers.mistake(
    "the states are views of a tensor that is still written to",
    "The values are right, but autograd refuses: a layer's input was changed later. Collect new tensors in a list.",
)
def preallocated(x, layers):
    states = x.new_zeros((len(layers) + 1, *x.shape))
    states[0] = x
    for i, layer in enumerate(layers):
        states[i + 1] = states[i] + layer(states[i])
    return states


@answers.mistake(
    "the states are float32 whatever x is",
    "`torch.zeros` and `torch.empty` make float32. The states have the dtype of x.",
)
def default_dtype(x, layers):
    states = torch.zeros(len(layers) + 1, *x.shape)
    states[0], state = x, x
    for i, layer in enumerate(layers):
        state = state + layer(state)
        states[i + 1] = state
    return states


@answers.mistake(
    "the state is detached where it is carried on",
    "With `.detach()` on the skip the highway is closed: the gradient has to go through every layer.",
)
def skip_detached(x, layers):
    states = [x]
    for layer in layers:
        states.append(states[-1].detach() + layer(states[-1]))
    return torch.stack(states)


@answers.mistake(
    "the layers read a detached state",
    "The values agree, but no gradient flows back through the layers: x is reached by the skip alone.",
)
def branch_detached(x, layers):
    states = [x]
    for layer in layers:
        states.append(states[-1] + layer(states[-1].detach()))
    return torch.stack(states)


@answers.mistake("the states are detached", "`.detach()` or `.data` on a state cuts the graph: nothing can learn.")
def states_detached(x, layers):
    states, state = [x], x
    for layer in layers:
        state = state + layer(state)
        states.append(state.detach())
    return torch.stack(states)


@answers.mistake("no gradient at all", "`no_grad`, or a detached result: nothing upstream can learn.")
def no_grad(x, layers):
    with torch.no_grad():
        return plain(x, layers)


@answers.mistake(
    "a list of states is returned", "Stack the list into one tensor with a new first axis: `[L + 1, *x.shape]`."
)
def a_list(x, layers):
    states = [x]
    for layer in layers:
        states.append(states[-1] + layer(states[-1]))
    return states


@answers.mistake("the states are joined, not stacked", "`torch.cat` joins along an old axis; `torch.stack` adds one.")
def joined(x, layers):
    return torch.cat(list(plain(x, layers)))


@answers.mistake("the states are stacked along the last axis", "The new axis is the first one: states[l] is a state.")
def stacked_last(x, layers):
    return torch.stack(list(plain(x, layers)), dim=-1)


@answers.mistake("the branches are kept, not the states", "Keep the sum after each layer, not what the layer wrote.")
def branches(x, layers):
    kept, state = [x], x
    for layer in layers:
        kept.append(layer(state))
        state = state + kept[-1]
    return torch.stack(kept)


@answers.mistake(
    "the layer is added to its own result",
    "The skip starts before the layer: keep the state it reads, and add the layer's result to that.",
)
def added_to_the_result(x, layers):
    states = [x]
    for layer in layers:
        result = layer(states[-1])
        states.append(result + layer(result))
    return torch.stack(states)


@answers.mistake(
    "all earlier states are added",
    "The newest state already holds everything that was written. Add the layer's result to that one alone.",
)
def adds_all_states(x, layers):
    states = [x]
    for layer in layers:
        states.append(sum(states) + layer(states[-1]))
    return torch.stack(states)


@answers.mistake("the average in place of the sum", "The stream is a sum: halving it fades the page at each step.")
def averaged(x, layers):
    states = [x]
    for layer in layers:
        states.append((states[-1] + layer(states[-1])) / 2)
    return torch.stack(states)


@answers.mistake(
    "the sum is divided by √2", "Some networks rescale the sum like that. Here the state is the plain sum."
)
def divided_by_root_two(x, layers):
    states = [x]
    for layer in layers:
        states.append((states[-1] + layer(states[-1])) * 0.5**0.5)
    return torch.stack(states)


@answers.mistake("the layer's result is subtracted", "The layer's result is added: state + layer(state).")
def subtracted(x, layers):
    states = [x]
    for layer in layers:
        states.append(states[-1] - layer(states[-1]))
    return torch.stack(states)


@answers.mistake(
    "the state is counted twice", "The layer's result is added to the state once; there is one skip, not two."
)
def counted_twice(x, layers):
    states = [x]
    for layer in layers:
        states.append(2 * states[-1] + layer(states[-1]))
    return torch.stack(states)


@answers.mistake(
    "a norm before each layer",
    "A pre-norm block does that, in lesson 05. Here each layer gets the state as it is.",
)
def pre_normed(x, layers):
    states = [x]
    for layer in layers:
        states.append(states[-1] + layer(F.rms_norm(states[-1], states[-1].shape[-1:], eps=1e-6)))
    return torch.stack(states)


@answers.mistake(
    "an empty list of layers is not handled", "Without layers the only state is x: start the list with x alone."
)
def first_layer_apart(x, layers):
    states = [x, x + layers[0](x)]
    for layer in layers[1:]:
        states.append(states[-1] + layer(states[-1]))
    return torch.stack(states)
