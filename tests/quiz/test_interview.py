"""The thirty questions that interviewers really ask are in the bank, and every question says where it is taught."""

import re
from collections import Counter
from pathlib import Path

import nbformat
import pytest

from grader.paths import short_name
from quiz.bank import lessons, load

LESSONS = Path(__file__).parents[2] / "lessons"
EVERY = {f"{lesson}/{q.id}": q for lesson in lessons() for q in load(lesson).questions}
TAUGHT = {
    lesson: LESSONS / lesson / f"{short_name(lesson)}.ipynb" for lesson in lessons() if (LESSONS / lesson).is_dir()
}

INTERVIEW = {
    "1 Why residuals?": ["01_residual_stream/why_residuals"],
    "2 What is the residual stream?": ["01_residual_stream/who_does_what", "01_residual_stream/which_loop"],
    "3 Which shapes may a layer have?": ["01_residual_stream/shape_of_a_layer"],
    "4 Write pre- and post-norm": ["05_norm_placement/name_the_placement", "05_norm_placement/steps_of_a_block"],
    "5 Why does post-norm want warm-up?": ["05_norm_placement/why_post_norm_warms_up"],
    "6 Does pre-norm remove warm-up?": ["06_warmup/does_pre_norm_end_warm_up"],
    "7 Why a final norm?": ["05_norm_placement/why_a_final_norm"],
    "8 What does pre-norm cost?": ["05_norm_placement/price_of_pre_norm", "05_norm_placement/share_of_the_last_branch"],
    "9 GPT-2's residual init?": ["01_residual_stream/gpt2_init"],
    "10 Why not BatchNorm?": ["02_layer_norm/why_not_batch_norm"],
    "11 LayerNorm's axis?": ["02_layer_norm/which_axis", "02_layer_norm/which_statistics"],
    "12 RMSNorm's formula?": ["03_rms_norm/name_the_norm", "03_rms_norm/which_formula"],
    "13 When does RMSNorm equal LayerNorm?": ["03_rms_norm/when_equal"],
    "14 Why RMSNorm?": ["03_rms_norm/why_rms_norm"],
    "15 How many parameters have Llama-2-7B's norms?": ["03_rms_norm/norm_parameters"],
    "16 What is RMSNorm invariant to?": ["03_rms_norm/what_always_holds"],
    "17 Where is eps?": ["03_rms_norm/which_formula"],
    "18 Why an FFN?": ["07_swiglu/why_an_ffn"],
    "19 GLU and SwiGLU?": ["07_swiglu/name_the_gate", "07_swiglu/which_forward"],
    "20 Why does SwiGLU work?": ["07_swiglu/why_it_works"],
    "21 Why 8d/3?": ["07_swiglu/why_eight_thirds"],
    "22 What if SwiGLU keeps 4d?": ["07_swiglu/keeping_the_width"],
    "23 Where does 11008 come from?": ["07_swiglu/hidden_dim_rule"],
    "24 Where does 14336 come from?": ["07_swiglu/width_with_multiplier"],
    "25 The FFN's share of a block?": ["08_ffn_bakeoff/share_of_a_block"],
    "26 Why float32 in norms?": ["04_norm_precision/true_of_bfloat16", "04_norm_precision/which_16_bits"],
    "27 Llama's cast and Gemma's?": ["04_norm_precision/whose_last_line", "04_norm_precision/llamas_cast_order"],
    "28 Where does a float16 square overflow?": ["04_norm_precision/where_squares_overflow"],
    "29 Norm placement in Gemma 2 and 3, OLMo 2?": ["11_model_families/where_the_norm_stands"],
    "30 QK-norm and activations across families?": [
        "11_model_families/activations",
        "11_model_families/parameters_of_qk_norm",
        "11_model_families/norm_or_rope_first",
    ],
}


def test_every_question_that_is_really_asked_is_asked_here():
    assert [int(asked.split()[0]) for asked in INTERVIEW] == list(range(1, 31))
    assert {name for names in INTERVIEW.values() for name in names} - set(EVERY) == set()


def test_every_lesson_has_enough_questions_of_every_kind():
    first_eight = {name: q for name, q in EVERY.items() if name < "09"}
    assert min(Counter(name.split("/")[0] for name in first_eight).values()) >= 7
    kinds = Counter(q.type for q in first_eight.values())
    assert min(kinds[kind] for kind in ("order", "match", "short")) >= 4 and kinds["numeric"] >= 15


def headings(notebook: Path) -> list[str]:
    """A notebook's headings, without their marks."""
    cells = nbformat.read(notebook, nbformat.NO_CONVERT).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE)


@pytest.mark.parametrize("lesson", TAUGHT)
def test_every_question_names_the_heading_under_which_it_is_taught(lesson):
    found = headings(TAUGHT[lesson])
    assert len(found) > 10
    for question in load(lesson).questions:
        assert found.count(question.heading) == 1, f"{lesson}/{question.id}: {question.heading}"


def test_the_eight_lessons_have_their_headings_looked_up():
    assert len([lesson for lesson in TAUGHT if lesson < "09"]) >= 8
