"""Runs one implementation of one exercise and records what it did. The only code that touches a student's.

Here live the types (Case, Check, Exercise, Record) and the run itself; no exercise, no right answer and
no judgement does.
"""

from grader.probe.case import Case
from grader.probe.exercise import Check, Exercise
from grader.probe.record import CaseRecord, Record
from grader.probe.recorder import Recorder
from grader.probe.run import run
from grader.probe.transport import RECORD_MIME, BadRecord, pack_record, read_record

__all__ = [
    "RECORD_MIME",
    "BadRecord",
    "Case",
    "CaseRecord",
    "Check",
    "Exercise",
    "Record",
    "Recorder",
    "pack_record",
    "read_record",
    "run",
]
