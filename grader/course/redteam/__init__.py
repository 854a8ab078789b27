"""The red team: submissions that try to gain points, to do harm or to stop the batch, and honest accidents.

One list, `ATTACKS`, for the tests and for `python -m grader redteam`. What the grader does about them is not here.
"""

from grader.course.redteam import bending, exits, files, forging, honest, network, records, resources, structure
from grader.course.redteam.attack import Attack, Target

GROUPS = (honest, resources, exits, structure, files, forging, bending, records, network)
ATTACKS: tuple[Attack, ...] = tuple(attack for group in GROUPS for attack in group.ATTACKS)

__all__ = ["ATTACKS", "Attack", "Target"]
