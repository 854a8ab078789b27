"""Attacks upon the grader: by submissions (`test_attacks`), and upon the wall from inside a kernel (`test_wall`)."""
