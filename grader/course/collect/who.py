"""Whose file it is, from its path in the download. Never guessed: whoever could be meant is named."""

import re
from dataclasses import dataclass

from grader.course.names import exact, same_name, spellings, variants, words
from grader.course.roster import CANVAS, MOODLE, Person

# As Moodle and Canvas name what one downloads: name, number, …
IN_MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?", re.DOTALL)
IN_CANVAS = re.compile(r"(?P<name>\w+?)_(?:(?P<late>LATE)_)?(?P<number>\d+)_(?P<upload>\d+)_.+", re.DOTALL)
FORMS = {MOODLE: IN_MOODLE, CANVAS: IN_CANVAS}
MIN_KEY, MIN_DIGITS = 3, 5


@dataclass(frozen=True)
class Fit:
    """Who a file can be from, and why it is not one person; `upload` and `late` as Canvas says it."""

    people: tuple[Person, ...]
    why: str = ""
    platform: str | None = None
    upload: int | None = None
    late: bool = False

    @property
    def person(self) -> Person | None:
        return self.people[0] if len(self.people) == 1 and not self.why else None


class Who:
    """people: the class. name: of the lesson's notebook, which is nobody's name."""

    def __init__(self, people: list[Person], names: list[str]):
        self.people = people
        noise = "|".join(r"[\W_]*".join(map(re.escape, words(name.replace("_", " ")))) for name in names)
        self.noise = re.compile(noise or r"(?!)", re.IGNORECASE)

    def fit(self, parts: tuple[str, ...]) -> Fit:
        """parts: the names of folders and archives, then the file's own. The outermost that a platform made counts:
        the platform knows who was logged in."""
        for part in parts:
            for platform, form in FORMS.items():
                if found := form.fullmatch(part):
                    return self._of_platform(platform, found)
        return self._of_own_name("/".join(parts))

    def _of_platform(self, platform: str, found: re.Match) -> Fit:
        facts = found.groupdict()
        upload = int(facts["upload"]) if "upload" in facts else None
        more = {"platform": platform, "upload": upload, "late": bool(facts.get("late"))}
        number, name = facts["number"], facts["name"]
        numbered = [one for one in self.people if getattr(one, platform) == number]
        named = self._named(name)
        if numbered and (numbered[0] in named or _agrees(numbered[0], name)):
            return Fit((numbered[0],), **more)
        if numbered:
            both = tuple(dict.fromkeys([*numbered, *named]))
            return Fit(both, f"the number {number} is {numbered[0].student}'s, the name {name!r} is not", **more)
        if any(getattr(one, platform) for one in named):
            return Fit(tuple(named), f"the name fits, but the number {number} is not in the roster", **more)
        return Fit(tuple(named), "" if len(named) == 1 else _how_many(named), **more)

    def _named(self, name: str) -> list[Person]:
        """Who has this whole name; of several spelled nearly alike, who is spelled just so."""
        found = [one for one in self.people if any(same_name(name, other) for other in _whole_names(one))]
        same = [one for one in found if exact(name) in {exact(other) for other in _whole_names(one)}]
        return same if len(same) == 1 else found

    def _of_own_name(self, text: str) -> Fit:
        """Named by the student: first and last name in any order, or an id, a login, an e-mail address."""
        text = self.noise.sub(" ", text)
        found = [one for one in self.people if _named_in(one, text)]
        for one in self.people:
            for key in filter(lambda key: _stands_in(key, text), one.keys):
                found += [one] if one in found or not key.isalpha() else [one, *self._others(one, key, text)]
        people = tuple(dict.fromkeys(found))
        return Fit(people, "" if len(people) == 1 else _how_many(people))

    def _others(self, one: Person, key: str, text: str) -> list[Person]:
        """Who else may be meant where an id is a word: of "ada" other Adas, and whoever's last name is there."""
        there = spellings(text)
        return [
            other
            for other in self.people
            if other != one
            and (_is_name_of(key, other) or all(variants(word) & there for word in _parts_of_name(other)[1] or "?"))
        ]


def _how_many(people) -> str:
    return "nobody in the roster fits the name" if not people else f"{len(people)} people fit the name"


def _agrees(one: Person, name: str) -> bool:
    """Moodle writes a group before the name, and "Participant" where names are hidden."""
    return not one.name or exact(name).startswith("participant") or _named_in(one, name)


def _whole_names(one: Person) -> set[str]:
    """As it is written, and with the last name first."""
    full = one.name.split()
    turned = (" ".join([*full[place:], *full[:place]]) for place in range(len(full)))
    return {name for name in (*turned, f"{one.first} {one.last}", f"{one.last} {one.first}") if name.strip()}


def _parts_of_name(one: Person) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the first and of the last name that have to be there."""
    if one.first and one.last:
        return words(one.first)[:1], words(one.last)
    whole = words(one.name)
    return (whole[:1], whole[-1:]) if len(whole) > 1 else ((), ())


def _named_in(one: Person, text: str) -> bool:
    """Whether first and last name stand side by side, in either order, with or without the other first names."""
    first, last = _parts_of_name(one)
    if not first or not last:
        return False
    if any(variants(exact(name)) & spellings(text) for name in _whole_names(one)):
        return True
    every, there = _first_names(one), [variants(word) for word in words(text)]
    return any(_stand_together(wanted, there) for some in (first, every) for wanted in ((*some, *last), (*last, *some)))


def _first_names(one: Person) -> tuple[str, ...]:
    return words(one.first) if one.first and one.last else words(one.name)[:-1]


def _stand_together(wanted: tuple[str, ...], there: list[frozenset[str]]) -> bool:
    places = range(len(there) - len(wanted) + 1)
    return any(all(variants(word) & there[place + n] for n, word in enumerate(wanted)) for place in places)


def _stands_in(key: str, text: str) -> bool:
    """A short id stands in too many names by chance, and so does a number that could be a year."""
    if len(key) < (MIN_DIGITS if key.isdigit() else MIN_KEY):
        return False
    return re.search(rf"(?<![^\W_]){re.escape(key)}(?![^\W_])", text.casefold()) is not None


def _is_name_of(key: str, other: Person) -> bool:
    """An id like "ada" is a name of others, too."""
    return any(variants(key) & variants(word) for word in words(other.name))
