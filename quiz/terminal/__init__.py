"""The quiz in a terminal: texts as plain text, answers as letters typed. Nothing is marked or chosen here."""

from quiz.terminal.talk import take

__all__ = ["take"]
