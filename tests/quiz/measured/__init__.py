"""The numbers that the quiz asks for, measured: a function for each numeric question, of its parameters.

No key of a bank is used here.
"""

from collections.abc import Callable

from tests.quiz.measured import networks, norms, streams
from tests.quiz.test_content import norm_parameters, pre_norm_decoder

KEYS: dict[tuple[str, str], Callable[..., float]] = {
    ("01_residual_stream", "stream_size"): streams.stream_size,
    ("01_residual_stream", "gpt2_init"): streams.gpt2_init,
    ("01_residual_stream", "slope_of_a_stack"): streams.slope_of_a_stack,
    ("02_layer_norm", "share_removed"): norms.share_removed,
    ("02_layer_norm", "norm_parameters"): norms.layer_norm_parameters,
    ("03_rms_norm", "norm_parameters"): lambda layers, dim: norm_parameters(pre_norm_decoder(layers, dim)),
    ("03_rms_norm", "length_of_output"): norms.length_of_output,
    ("03_rms_norm", "gradient_through_the_norm"): norms.gradient_through_the_norm,
    ("04_norm_precision", "largest_whole_number"): norms.largest_whole_number,
    ("04_norm_precision", "where_squares_overflow"): norms.where_squares_overflow,
    ("05_norm_placement", "stream_of_a_sandwich"): lambda blocks: streams.rms(sum(streams.sandwich(blocks))),
    ("05_norm_placement", "share_of_the_last_branch"): lambda blocks: (
        100 * streams.rms(streams.sandwich(blocks)[1]) / streams.rms(streams.sandwich(blocks)[0])
    ),
    ("05_norm_placement", "norms_of_a_sandwich"): streams.norms_of_a_sandwich,
    ("06_warmup", "half_way_down"): networks.half_way_down,
    ("06_warmup", "undefended_gain"): networks.undefended_gain,
    ("07_swiglu", "swiglu_parameters"): lambda dim, hidden: networks.parameters(*networks.swiglu(dim, hidden)),
    ("07_swiglu", "hidden_dim_rule"): networks.hidden_width,
    ("07_swiglu", "keeping_the_width"): networks.keeping_the_width,
    ("07_swiglu", "width_with_multiplier"): networks.hidden_width,
    ("08_ffn_bakeoff", "flops_of_a_pass"): networks.flops_of_a_pass,
    ("08_ffn_bakeoff", "more_seeds"): networks.more_seeds,
    ("08_ffn_bakeoff", "share_of_a_block"): networks.share_of_a_block,
    ("08_ffn_bakeoff", "false_alarms"): networks.false_alarms,
}
