"""A broken bank is refused, and the message names file, question and field."""

import copy
import shutil

import pytest
import yaml

from quiz.bank import FOLDER, lessons, load, read
from quiz.cli import main
from quiz.errors import QuizError
from quiz.schema import TYPE_NAMES
from tests.quiz.make import LESSON, raw_bank

SINGLE, MULTI, NUMERIC = 0, 1, 2


def _set(question: int, *path, to):
    def change(bank):
        place = bank["questions"][question]
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


def _drop(question: int, *path):
    def change(bank):
        place = bank["questions"][question]
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return change


def _rename(question: int, old: str, new: str):
    def change(bank):
        bank["questions"][question][new] = bank["questions"][question].pop(old)

    return change


def _mostly_longest(bank):
    single = bank["questions"][SINGLE]
    single["options"][0]["text"] += " and so on" * 20
    bank["questions"] += [copy.deepcopy(single) | {"id": f"again_{i}"} for i in range(3)]


def _twice(question: int, part: str):
    return lambda bank: bank["questions"][question][part].append(copy.deepcopy(bank["questions"][question][part][1]))


BROKEN = {
    "no key": (_set(SINGLE, "options", 0, to={"id": "a", "text": "A", "misconception": "m", "feedback": "f"}),
               "question which_formula, options: exactly one option is `correct: true`; here: none"),
    "two keys": (_set(SINGLE, "options", 1, to={"id": "b", "text": "B", "correct": True}),
                 "question which_formula, options: exactly one option is `correct: true`; here: eps_outside_root, b"),
    "all right": (lambda bank: bank["questions"][MULTI].update(
        options=[{"id": f"o{i}", "text": str(i), "correct": True} for i in range(3)]),
        "question what_always_holds, options: at least one option is right and at least one is wrong"),
    "too few options": (lambda bank: bank["questions"][SINGLE].update(options=bank["questions"][SINGLE]["options"][:2]),
                        "question which_formula, options: List should have at least 3 items"),
    "no misconception": (_drop(SINGLE, "options", 2, "misconception"),
                         "question which_formula, options[2]: a wrong option needs `misconception`"),
    "no feedback": (_drop(MULTI, "options", 1, "feedback"),
                    "question what_always_holds, options[1]: a wrong option needs `feedback`"),
    "right with mistake": (_set(SINGLE, "options", 0, "mistake", to="rms_norm/no_eps"),
                           "question which_formula, options[0]: a right option has no `misconception`"),
    "mistake's form": (_set(SINGLE, "options", 1, "mistake", to="no eps"),
                       "question which_formula, options[1].mistake: String should match pattern"),
    "double option id": (_twice(SINGLE, "options"),
                         "question which_formula, options: the option id no_eps is used more than once"),
    "double trap id": (_twice(NUMERIC, "traps"),
                       "question norm_parameters, traps: the trap id with_bias is used more than once"),
    "double question id": (lambda bank: bank["questions"].append(bank["questions"][0]),
                           f"{LESSON}.yaml, questions: the question id which_formula is used more than once"),
    "equal options": (_set(SINGLE, "options", 2, "text", to=" $y = \\dfrac{x}{\\sqrt{\\operatorname{mean}(x^2)}}$ "),
                      "question which_formula, options[2].text: says the same as option no_eps"),
    "longest is right": (_mostly_longest, f"{LESSON}.yaml, questions: the longest option is the right one in"),
    "unknown type": (_set(SINGLE, "type", to="singel"), "question which_formula: `type` is missing or unknown; known"),
    "no type": (_drop(SINGLE, "type"), "`type` is missing or unknown; known types: single, multi, numeric"),
    "no id": (_drop(MULTI, "id"), "question number 2, id: is missing"),
    "typo": (_rename(MULTI, "setting", "seting"),
             "question what_always_holds, seting: is not a field; did you mean `setting`?"),
    "missing field": (_drop(NUMERIC, "formula"), "question norm_parameters, formula: is missing"),
    "empty text": (_set(SINGLE, "prompt", to="  "), "question which_formula, prompt: String should have at least 1"),
    "difficulty": (_set(SINGLE, "difficulty", to="trivial"),
                   "question which_formula, difficulty: Input should be 'easy', 'medium' or 'hard'"),
    "one hint": (_set(SINGLE, "hints", to=["Look."]), "question which_formula, hints: List should have at least 2"),
    "short explanation": (_set(SINGLE, "explanation", to="Because it is. So there."),
                          "question which_formula, explanation: an explanation has at least 3 sentences; this"),
    "broken TeX": (_set(SINGLE, "hints", 0, to=r"See $\frac{x}{\sqrt{d}$."),
                   r"question which_formula, hints[0]: the TeX `\frac{x}{\sqrt{d}` does not convert"),
    "unknown TeX": (_set(MULTI, "options", 0, "text", to=r"$\rmsnorm{x}$"),
                    r"question what_always_holds, options[0].text: the TeX `\rmsnorm{x}` does not convert: unknown"),
    "TeX without argument": (_set(MULTI, "setting", to=r"$\frac{x}$"),
                             r"question what_always_holds, setting: the TeX `\frac{x}` does not convert: an argument"),
    "blocks in a legend": (_set(SINGLE, "prompt", to="# Which?"),
                           "question which_formula, prompt: only one paragraph, or code, can stand here"),
    "unknown language": (_set(SINGLE, "setting", to="```pyhton\n1\n```"),
                         "question which_formula, setting: unknown language of a code block: pyhton"),
    "formula's name": (_set(NUMERIC, "formula", to="(2 * layer + 1) * dim"),
                       "question norm_parameters, formula: `(2 * layer + 1) * dim` has no value: 'layer' is not"),
    "formula's value": (_set(NUMERIC, "traps", 0, "formula", to="dim / (layers - 24)"),
                        "question norm_parameters, traps[0].formula: `dim / (layers - 24)` has no value: division by"),
    "trap is the key": (_set(NUMERIC, "traps", 3, "formula", to="dim + 2 * dim * layers"),
                        "question norm_parameters, traps[3].formula: 67,584 is within the tolerance of `formula`"),
    "trap is a trap": (_set(NUMERIC, "traps", 3, "formula", to="dim * layers + dim"),
                       "question norm_parameters, traps[3].formula: 34,816 is within the tolerance of `traps[2]"),
    "unused parameter": (_set(NUMERIC, "params", "heads", to=[8]),
                         "question norm_parameters, params.heads: is used in no formula and no text"),
    "answer in the prompt": (_set(NUMERIC, "prompt", to="Is it {{ answer }}?"),
                             "question norm_parameters, prompt: `answer` has no value"),
    "negative tolerance": (_set(NUMERIC, "tolerance", "rel", to=-1),
                           "question norm_parameters, tolerance.rel: Input should be greater than or equal to 0"),
    "lesson": (lambda bank: bank.update(lesson="04_norm_precision"),
               f"{LESSON}.yaml, lesson: is '04_norm_precision'; the file's name says '{LESSON}'"),
    "no questions": (lambda bank: bank.update(questions=[]), f"{LESSON}.yaml, questions: List should have at least 1"),
    "not a list": (lambda bank: bank.update(questions={"a": 1}), f"{LESSON}.yaml, questions: Input should be a valid"),
    "not a question": (lambda bank: bank.update(questions=["Why?"]), "question number 1: Input should be a valid dict"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_bank_is_refused(change, message, tmp_path, capsys):
    bank = raw_bank()
    change(bank)
    (tmp_path / f"{LESSON}.yaml").write_text(yaml.safe_dump(bank, sort_keys=False), encoding="utf-8")
    assert main(["validate", "--bank", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert message in printed and f"{LESSON}.yaml" in printed
    assert printed.splitlines()[-1] == "1 problem", printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lesson: [", "line 1: not valid YAML: "),
        ("lesson: 03_rms_norm\nlesson: 03_rms_norm\n", "line 2: not valid YAML: `lesson` stands twice"),
        ("!!python/object/apply:os.getcwd []", "line 1: not valid YAML: could not determine a constructor"),
        ("", "Input should be a valid dictionary"),
        ("\x00", "cannot be read"),
    ],
)
def test_a_file_that_is_no_bank_is_refused(text, message, tmp_path):
    path = tmp_path / f"{LESSON}.yaml"
    path.write_text(text, encoding="utf-8")
    bank, problems = read(path)
    assert bank is None and message in str(problems[0]) and str(problems[0]).startswith(f"{LESSON}.yaml")
    with pytest.raises(QuizError, match=f"{LESSON}.yaml"):
        load(LESSON, tmp_path)


def test_an_unknown_lesson_gets_a_suggestion():
    with pytest.raises(QuizError, match=r"no quiz for the lesson '3_rmsnorm': did you mean '03_rms_norm'\?"):
        load("3_rmsnorm")
    with pytest.raises(QuizError, match=r"known: .*03_rms_norm"):
        load("zzz")


def test_the_projects_bank_has_no_problem(capsys):
    assert main(["validate"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["lesson", *TYPE_NAMES, "easy", "medium", "hard", "total"]
    assert [line.split()[0] for line in lines[1:-2]] == lessons()
    assert lines[-1] == "0 problems"
    totals, types = list(map(int, lines[-2].split()[1:])), len(TYPE_NAMES)
    assert sum(totals[:types]) == sum(totals[types:-1]) == totals[-1] >= 3


def test_all_problems_of_all_files_are_printed(tmp_path, capsys):
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    (tmp_path / "98_broken.yaml").write_text("lesson: 98_broken\ntitle: T\nquestions: []\nauthor: me\n")
    assert main(["validate", "--bank", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "98_broken.yaml, questions:" in printed and "98_broken.yaml, author: is not a field" in printed
    assert printed.endswith("2 problems\n")


def test_a_folder_without_banks_is_an_error(tmp_path, capsys):
    assert main(["validate", "--bank", str(tmp_path)]) == 2
    assert "There is no bank file" in capsys.readouterr().err
