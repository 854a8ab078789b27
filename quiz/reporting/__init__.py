"""What logs say: about one person (what do I not know?) and about a class (what is hard, which distractors draw?).

`person`, `overview` and `group` make plain data; `text` and `page` show it. Nothing here writes to a log, and no report
holds a name, a seed or a time of day.
"""

from quiz.reporting.group import of_class
from quiz.reporting.overview import of_lessons
from quiz.reporting.page import page, section
from quiz.reporting.person import of_person
from quiz.reporting.text import as_text

__all__ = ["as_text", "of_class", "of_lessons", "of_person", "page", "section"]
