"""A broken bank is refused, and the message names file, question and field: name -> edit -> what is said."""

import copy

import pytest
import yaml

from quiz.bank import read
from quiz.cli import main
from tests.quiz.make import WHOLE, whole_bank

FILE = f"{WHOLE}.yaml"
WRONG = {"misconception": "m", "feedback": "f"}


def put(question: str, *path, to):
    """Puts a value at a path in a question."""

    def change(bank):
        place = _question(bank, question)
        for step in path[:-1]:
            place = place[step]
        if isinstance(place, list) and path[-1] == len(place):
            place.append(to)
        else:
            place[path[-1]] = to

    return change


def drop(question: str, *path):
    """Takes a field out."""

    def change(bank):
        place = _question(bank, question)
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return change


def rename(question: str, old: str, new: str):
    """Misspells a field."""

    def change(bank):
        found = _question(bank, question)
        found[new] = found.pop(old)

    return change


def twice(question: str, part: str):
    """Puts a part in a second time."""
    return lambda bank: _question(bank, question)[part].append(copy.deepcopy(_question(bank, question)[part][1]))


def mostly_longest(bank):
    single = _question(bank, "one")
    single["options"][0]["text"] += " and so on" * 20
    bank["questions"] += [copy.deepcopy(single) | {"id": f"again_{i}"} for i in range(3)]


def all_right(bank):
    _question(bank, "some")["options"] = [{"id": f"o{i}", "text": str(i), "correct": True} for i in range(3)]


def _question(bank, name: str) -> dict:
    return next(q for q in bank["questions"] if q["id"] == name)


BROKEN = {
    # The file.
    "lesson": (lambda bank: bank.update(lesson="04_norm"), f"lesson: is '04_norm'; the file's name says '{WHOLE}'"),
    "lesson's form": (lambda bank: bank.update(lesson="norm"), "lesson: String should match pattern"),
    "no title": (lambda bank: bank.pop("title"), "title: is missing"),
    "unknown field": (lambda bank: bank.update(titel="T"), "titel: is not a field; did you mean `title`?"),
    "no questions": (lambda bank: bank.update(questions=[]), "questions: List should have at least 1"),
    "not a list": (lambda bank: bank.update(questions={"a": 1}), "questions: Input should be a valid list"),
    "not a question": (lambda bank: bank.update(questions=["Why?"]), "question number 1: Input should be a valid dict"),
    "double question id": (lambda bank: bank["questions"].append(bank["questions"][0]),
                           "questions: the question id one is used more than once"),
    "longest is right": (mostly_longest, "questions: the longest option is the right one in one, again_0"),
    # Any question.
    "unknown type": (put("one", "type", to="singel"), "question one: `type` is missing or unknown; known types: si"),
    "no type": (drop("one", "type"), "question one: `type` is missing or unknown; known types: single, multi, num"),
    "no id": (drop("some", "id"), "question number 2, id: is missing"),
    "id's form": (put("some", "id", to="Which ones"), "question Which ones, id: String should match pattern"),
    "typo": (rename("one", "setting", "seting"), "question one, seting: is not a field; did you mean `setting`?"),
    "typo in an option": (put("some", "options", 1, "feedbck", to="f"),
                          "question some, options[1].feedbck: is not a field; did you mean `feedback`?"),
    "empty text": (put("one", "prompt", to="  "), "question one, prompt: String should have at least 1"),
    "empty heading": (put("one", "heading", to=" "), "question one, heading: String should have at least 1"),
    "difficulty": (put("one", "difficulty", to="trivial"),
                   "question one, difficulty: Input should be 'easy', 'medium' or 'hard'"),
    "one hint": (put("one", "hints", to=["Look."]), "question one, hints: List should have at least 2"),
    "short explanation": (put("one", "explanation", to="Because it is. So there."),
                          "question one, explanation: an explanation has at least 3 sentences; this one has 2"),
    "no source": (drop("word", "source"), "question word, source: is missing"),
    "broken TeX": (put("one", "hints", 0, to=r"See $\frac{x}{\sqrt{d}$."),
                   r"question one, hints[0]: the TeX `\frac{x}{\sqrt{d}` does not convert: its braces do not match"),
    "unknown TeX": (put("some", "options", 0, "text", to=r"$\rmsnorm{x}$"),
                    r"question some, options[0].text: the TeX `\rmsnorm{x}` does not convert: unknown command"),
    "TeX without argument": (put("some", "setting", to=r"$\frac{x}$"),
                             r"question some, setting: the TeX `\frac{x}` does not convert: an argument is missing"),
    "TeX in a swap": (put("steps", "swaps", 0, "feedback", to=r"$\nosuch$"),
                      "question steps, swaps[0].feedback: the TeX"),
    "TeX in a target": (put("pairs", "targets", 1, "text", to=r"$\nosuch$"),
                        "question pairs, targets[1].text: the TeX"),
    "TeX in a confusion": (put("pairs", "confusions", 0, "feedback", to=r"$\nosuch$"),
                           "question pairs, confusions[0].feedback: the TeX"),
    "TeX in a misconception": (put("some", "options", 1, "misconception", to=r"$\nosuch$"),
                               "question some, options[1].misconception: the TeX"),
    "TeX in a word's feedback": (put("word", "traps", 0, "feedback", to=r"$\nosuch$"),
                                 "question word, traps[0].feedback: the TeX"),
    "blocks in a legend": (put("one", "prompt", to="# Which of {{ d }}?"),
                           "question one, prompt: only one paragraph, or code, can stand here"),
    "blocks in a step": (put("steps", "steps", 0, "text", to="- Square."),
                         "question steps, steps[0].text: only one paragraph, or code, can stand here"),
    "unknown language": (put("one", "setting", to="```pyhton\n{{ d }}\n```"),
                         "question one, setting: unknown language of a code block: pyhton"),
    # Parameters.
    "no values": (put("one", "params", "d", to=[]), "question one, params.d: List should have at least 1"),
    "parameter's name": (put("one", "setting", to="{{ dims }}"),
                         "question one, setting: `dims` has no value: 'dims' is not defined"),
    "text's value": (put("one", "options", 1, "feedback", to="{{ 1 / (d - 8) }}"),
                     "question one, options[1].feedback: `1 / (d - 8)` has no value: division by zero"),
    "unused parameter": (put("number", "params", "heads", to=[8]),
                         "question number, params.heads: is used in no formula and no text"),
    "parameter of a hint": (put("some", "params", to={"n": [1]}), "question some, params.n: is used in no"),
    "answer in a hint": (put("number", "hints", 0, to="Is it {{ answer }}?"),
                         "question number, hints[0]: `answer` has no value"),
    "answer where none is computed": (put("word", "explanation", to="{{ answer }}. No. No."),
                                      "question word, explanation: `answer` has no value"),
    "misconception with values": (put("number", "traps", 0, "misconception", to="forgets {{ dim }}"),
                                  "question number, traps[0].misconception: holds a `{{ formula }}`"),
    # single, multi
    "no key": (put("one", "options", 0, to={"id": "a", "text": "A", **WRONG}),
               "question one, options: exactly one option is `correct: true`; here: none"),
    "two keys": (put("one", "options", 1, to={"id": "b", "text": "B {{ d }}", "correct": True}),
                 "question one, options: exactly one option is `correct: true`; here: right, b"),
    "all right": (all_right, "question some, options: at least one option is right and at least one is wrong"),
    "too few options": (drop("one", "options", 2), "question one, options: List should have at least 3 items"),
    "no misconception": (drop("one", "options", 2, "misconception"),
                         "question one, options[2]: a wrong option needs `misconception`"),
    "no feedback": (drop("some", "options", 1, "feedback"),
                    "question some, options[1]: a wrong option needs `feedback`"),
    "right with mistake": (put("one", "options", 0, "mistake", to="rms_norm/no_eps"),
                           "question one, options[0]: a right option has no `misconception` and no `mistake`"),
    "mistake's form": (put("one", "options", 1, "mistake", to="no eps"),
                       "question one, options[1].mistake: String should match pattern"),
    "double option id": (twice("one", "options"), "question one, options: the option id l2 is used more than once"),
    "equal options": (put("some", "options", 1, "text", to="  scale. "),
                      "question some, options[1].text: says the same as option scale"),
    "equal for some values": (lambda bank: (put("one", "options", 1, "text", to="{{ d }} numbers")(bank),
                                            put("one", "options", 2, "text", to="{{ 2 * d - 4 }} numbers")(bank)),
                              "question one, options[2].text: says the same as option l2, for {'d': 4}"),
    # numeric
    "no formula": (drop("number", "formula"), "question number, formula: is missing"),
    "formula's name": (put("number", "formula", to="(2 * layer + 1) * dim"),
                       "question number, formula: `(2 * layer + 1) * dim` has no value: 'layer' is not defined"),
    "not a formula": (put("number", "formula", to="2 *"), "question number, formula: `2 *` has no value"),
    "formula's value": (put("number", "traps", 0, "formula", to="dim / (layers - 12)"),
                        "question number, traps[0].formula: `dim / (layers - 12)` has no value: division by zero"),
    "negative tolerance": (put("number", "tolerance", "rel", to=-1),
                           "question number, tolerance.rel: Input should be greater than or equal to 0"),
    "trap is the key": (put("number", "traps", 1, "formula", to="dim + 2 * dim * layers"),
                        "question number, traps[1].formula: 2560 is within the tolerance of `formula`"),
    "trap is a trap": (put("number", "traps", 1, "formula", to="4 * dim * layers / 2"),
                       "question number, traps[1].formula: 2048 is within the tolerance of `traps[0].formula`"),
    "trap within rel": (put("number", "tolerance", "rel", to=0.5),
                        "question number, traps[0].formula: 2048 is within the tolerance of `formula`"),
    "double trap id": (twice("number", "traps"), "question number, traps: the trap id doubled is used more than once"),
    # order
    "two steps": (drop("steps", "steps", 1), "question steps, steps: List should have at least 3"),
    "double step id": (twice("steps", "steps"), "question steps, steps: the step id mean is used more than once"),
    "equal steps": (put("steps", "steps", 3, to={"id": "again", "text": "square."}),
                    "question steps, steps[3].text: says the same as step square"),
    "swap of no step": (put("steps", "swaps", 0, "first", to="norm"),
                        "question steps, swaps: a swap names norm, which is no step"),
    "swap is right": (put("steps", "swaps", 0, "first", to="square"),
                      "question steps, swaps: the swap square_before_mean is the right order"),
    "double swap": (lambda bank: _question(bank, "steps")["swaps"].extend(_question(bank, "steps")["swaps"]),
                    "question steps, swaps: the swap id root_before_mean is used more than once"),
    "swap without feedback": (drop("steps", "swaps", 0, "feedback"), "question steps, swaps[0].feedback: is missing"),
    # match
    "item without target": (put("pairs", "items", 0, "target", to="group"),
                            "question pairs, targets: the item llama has the target group, which is not there"),
    "target unexplained": (put("pairs", "targets", 3, to={"id": "group", "text": "GroupNorm"}),
                           "question pairs, confusions: no item and no confusion has the target group"),
    "confusion is right": (put("pairs", "confusions", 0, "target", to="rms"),
                           "question pairs, confusions: the confusion llama=rms is the right match"),
    "confusion of nothing": (put("pairs", "confusions", 0, "item", to="bert"),
                             "question pairs, confusions: the confusion bert=batch names an item or a target"),
    "double item id": (twice("pairs", "items"), "question pairs, items: the item id gpt is used more than once"),
    "equal items": (put("pairs", "items", 1, "text", to="llama"), "question pairs, items[1].text: says the same as"),
    "equal targets": (put("pairs", "targets", 1, "text", to="RMSNorm"),
                      "question pairs, targets[1].text: says the same as target rms"),
    # short
    "nothing accepted": (put("word", "accept", to=[]), "question word, accept: List should have at least 1"),
    "trap is accepted": (put("word", "traps", 0, "accept", 1, to="The Residual-Stream."),
                         "question word, traps[0].accept[1]: 'The Residual-Stream.' is also one of `accept`"),
    "words of two traps": (put("word", "traps", 1, "accept", 0, to="hidden-state"),
                           "question word, traps[1].accept[0]: 'hidden-state' is also one of `traps[0].accept`"),
    "nothing but marks": (put("word", "accept", 1, to="``"), "question word, accept[1]: nothing is left of it"),
    "answer in the prompt": (put("word", "prompt", to="Is the Residual stream read by {{ n }}?"),
                             "question word, prompt: holds the answer, 'residual stream'"),
}  # fmt: skip


def validated(bank, tmp_path, capsys) -> tuple[int, str]:
    (tmp_path / FILE).write_text(yaml.safe_dump(bank, sort_keys=False), encoding="utf-8")
    return main(["validate", "--bank", str(tmp_path)]), capsys.readouterr().out


def test_the_bank_to_be_broken_is_sound(tmp_path, capsys):
    status, printed = validated(whole_bank(), tmp_path, capsys)
    assert status == 0 and printed.endswith("\n0 problems\n"), printed


@pytest.mark.parametrize(("change", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_bank_is_refused(change, message, tmp_path, capsys):
    bank = whole_bank()
    change(bank)
    status, printed = validated(bank, tmp_path, capsys)
    assert status == 1 and f"{FILE}, {message}" in printed, printed
    assert printed.splitlines()[-1] == "1 problem", printed


@pytest.mark.parametrize("text", ["", "- a list\n"])
def test_a_file_that_is_no_bank_is_told_what_one_has(tmp_path, text):
    (tmp_path / "01_one.yaml").write_text(text)
    assert "holds no bank: it has `lesson`, `title` and `questions`" in str(read(tmp_path / "01_one.yaml")[1][0])
