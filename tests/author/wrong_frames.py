"""Ways to get a lesson's frame wrong: (text of the fixture lesson, what replaces it, what `build` says)."""

CHECK_META = '"grade_id": "check_rms_norm", "locked": true, "points": 6, '
INIT = """\
        super().__init__()
        ### BEGIN SOLUTION
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        ### END SOLUTION
"""
HIDDEN = """\
### BEGIN HIDDEN TESTS
check("rms_norm", seed="held-out")
### END HIDDEN TESTS
"""
WRONG = {
    "a cell that is not Python": (
        "        self.eps = eps\n",
        "        self.eps = (eps\n",
        "source: line 5 of the cell is not Python: '(' was never closed",
    ),
    "two cells with one grade_id": (
        '"grade_id": "written_why"',
        '"grade_id": "setup"',
        "grade_id: 2 cells are called 'setup'",
    ),
    "a grade_id that is no cell id": (
        '"grade_id": "written_why"',
        '"grade_id": "written why"',
        "(written why): grade_id: must be 1 to 64 letters",
    ),
    "a check of an unknown exercise": (
        '"grade_id": "check_rms_norm",',
        '"grade_id": "check_rms_norn",',
        "cell 5 (check_rms_norn): grade_id: a graded code cell is the check of one of the lesson's exercises",
    ),
    "other points than the exercise's": (
        '"points": 6',
        '"points": 5',
        "cell 5 (check_rms_norm): points: the exercise gives 6, the cell 5",
    ),
    "points that are no integer": (
        '"points": 6',
        '"points": 6.0',
        "cell 5 (check_rms_norm): points: must be a whole number, is 6.0",
    ),
    "points that are a word": ('"points": 5', '"points": "5"', "(written_why): points: must be a whole number, is '5'"),
    "points that are true": ('"points": 5', '"points": true', "(written_why): points: must be a whole number, is True"),
    "a check cell that does more": (
        'check("rms_norm")\n### BEGIN',
        'print(1)\ncheck("rms_norm")\n### BEGIN',
        "cell 5 (check_rms_norm): source: a check cell is exactly",
    ),
    "a check cell without hidden tests": (HIDDEN, "", "cell 5 (check_rms_norm): source: a check cell is exactly"),
    "a check cell of another exercise": (
        'check("rms_norm_module")\n### BEGIN',
        'check("rms_norm")\n### BEGIN',
        "cell 8 (check_rms_norm_module): source: a check cell is exactly",
    ),
    "a check cell that is not locked": (
        CHECK_META,
        CHECK_META.replace("true", "false"),
        "cell 5 (check_rms_norm): locked: a check cell must be locked",
    ),
    "a solution cell without a region": (INIT, "", "cell 7 (rms_norm_module): source"),
    "a region around a class body": (
        "class RMSNorm(nn.Module):\n    def __init__(self, dim, eps=1e-6):\n" + INIT + "\n",
        "class RMSNorm(nn.Module):\n    ### BEGIN SOLUTION\n    size = 3\n    ### END SOLUTION\n\n",
        "cell 7 (rms_norm_module): source: a ### BEGIN SOLUTION region stands around the body of class RMSNorm",
    ),
    "a region around a function": (
        'def rms_norm(x, weight, eps):\n    """Divide by the root mean square over the last dimension, then scale."""\n'
        "    ### BEGIN SOLUTION\n",
        "### BEGIN SOLUTION\ndef rms_norm(x, weight, eps):\n",
        "cell 4 (rms_norm): source: a ### BEGIN SOLUTION region stands around code outside any function",
    ),
    "a stub that leaves no valid Python": (
        "    ### BEGIN SOLUTION\n    mean_square",
        "    mean_square = (\n    ### BEGIN SOLUTION\n    mean_square",
        "cell 4 (rms_norm): source: the student's copy is not valid Python",
    ),
    "a region that is not closed": (
        "* self.weight\n        ### END SOLUTION\n",
        "* self.weight\n",
        "cell 7 (rms_norm_module): source: every ### BEGIN SOLUTION needs its ### END SOLUTION",
    ),
    "a region in a cell that is no solution": (
        'hint("rms_norm")\n',
        "### BEGIN SOLUTION\n1\n### END SOLUTION\n",
        "cell 6 (code, '### BEGIN SOLUTION'): source: a ### BEGIN SOLUTION region in a cell that is no solution",
    ),
    "hidden tests in a cell that is no check": (
        'hint("rms_norm")\n',
        HIDDEN,
        "source: a hidden tests region in a cell that is no check cell",
    ),
    "no setup cell": ('"grade_id": "setup"', '"grade_id": "start"', "there is no locked cell with grade_id 'setup'"),
    "a setup cell that students can change": (
        '"grade_id": "setup", "locked": true',
        '"grade_id": "setup", "locked": false',
        "cell 2 (setup): locked: the setup cell must be a locked code cell",
    ),
    "a second title": ("# ## Say it", "# # Say it", "a lesson has one heading of level 1 (`# Title`); this one has 2"),
    "no title": ("# # A small lesson", "# ## A small lesson", "this one has 0"),
    "a written answer of another name": (
        '"grade_id": "written_why"',
        '"grade_id": "why"',
        "cell 14 (why): grade_id: a written answer's is written_<topic>",
    ),
    "a check cell that grading would leave out": (
        '{"grade": true, ' + CHECK_META + '"schema_version": 3, "solution": false, "task": false}',
        '{"grade": true, ' + CHECK_META + '"schema_version": 3, "solution": false, "task": false} tags=["experiment"]',
        "cell 5 (check_rms_norm): tags: grading leaves out cells tagged 'experiment'",
    ),
    "a flag that is missing": (
        '"grade_id": "setup", "locked": true, ',
        '"grade_id": "setup", ',
        "cell 2 (setup): locked: must be true or false, is None",
    ),
    "an old schema": (
        '"locked": true, "schema_version": 3, "solution": false, "task": false}\nimport torch',
        '"locked": true, "schema_version": 2, "solution": false, "task": false}\nimport torch',
        "cell 2 (setup): schema_version: must be 3, is 2",
    ),
    "a cell marker that is not JSON": (
        '{"grade": false, "grade_id": "setup",',
        '{"grade": false, grade_id: "setup",',
        "cell 2: what follows `# %%` is not valid",
    ),
    "a line of the solution shown elsewhere": (
        'hint("rms_norm")\n',
        "print(torch.ones(dim))\nself.weight  =  nn.Parameter( torch.ones(dim) )\n",
        "cell 6 (code, 'print(torch.ones(dim))'): source: students would read a solution's",
    ),
}
