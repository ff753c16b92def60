"""Recognizes texts of messages by patterns from the bot's catalogue, independent of their wording.

Only the catalogue is used, as data; so rewording or translating a text changes nothing here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from engines.core.texts import Template, forms

ROOT = Path(__file__).parents[3]
CATALOGUES = ROOT / "bot" / "locale"

SEATED = (
    "SELECT seat, chair.name, person, level, game FROM chair JOIN match ON match.id = chair.match"
    " WHERE chair.match = '{}' AND seat IS NOT NULL"
)
"""Asks for what :func:`chair_name` needs of a match's seats."""

_GAP = re.compile(r"\{(\w+)\}")
_BEFORE = re.compile(r"^(?:[^\w\s*`<\u2068{]+\s+)+")
"""The prefixes of a line: signs, and markup for small text and headings."""

_COMMAND = re.compile(r"</([^:<>\n]+):\d+>|`/([a-z_]+)`")
"""A command as a mention, or as code; the catalogue may name it either as code or plainly."""

FEWEST = 3
"""The minimum of fixed characters by which a text can be recognized."""

_TIME = re.compile(r"<t:(-?\d+):")


@dataclass(frozen=True, slots=True)
class Said:
    """A recognized text of the catalogue."""

    key: str
    gaps: Mapping[str, str]
    is_bold: bool = False

    def time(self, name: str) -> float | None:
        """Return the Unix time in a parameter; ``None``: there is none."""
        found = _TIME.search(self.gaps.get(name, ""))
        return None if found is None else float(found[1])


@lru_cache(maxsize=4_096)
def _compiled(form: str) -> re.Pattern[str]:
    return re.compile(_pattern(bare(form)), re.DOTALL)


def says(line: str, text: Template) -> bool:
    """Return whether a line is a catalogue's text, in any of its forms, whatever fills its gaps."""
    return any(_compiled(form).fullmatch(bare(line)) for form in forms(text))


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str], int], ...]:
    """Return key, pattern and number of fixed characters of every text, most characters first."""
    texts = json.loads((CATALOGUES / f"{language}.json").read_text(encoding="utf-8"))
    found = []
    for key, text in texts.items():
        for form in forms(text):
            plain = bare(form)
            fixed = len(_GAP.sub("", plain).strip())
            if fixed >= FEWEST:
                found.append((key, re.compile(_pattern(plain), re.DOTALL), fixed))
    return tuple(sorted(found, key=lambda each: -each[2]))


@cache
def _among(keys: frozenset[str], language: str) -> tuple[tuple[str, re.Pattern[str], int], ...]:
    """Return the patterns of some texts; no keys: of all texts."""
    return tuple(each for each in _patterns(language) if not keys or each[0] in keys)


def keys_of(*beginnings: str, language: str = "en") -> frozenset[str]:
    """Return the keys of the catalogue with this prefix."""
    return frozenset(key for key, _, _ in _patterns(language) if key.startswith(beginnings))


def _pattern(form: str) -> str:
    """Return a pattern for a text with parameters; repeated parameters must be equal."""
    parts: list[str] = []
    seen: set[str] = set()
    for number, part in enumerate(_GAP.split(form)):
        if number % 2 == 0:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(rf"(?P={part})")
        else:
            parts.append(rf"(?P<{part}>.+?)")
            seen.add(part)
    return "".join(parts)


def bare(line: str) -> str:
    """Return a line with plain commands, and without leading signs and emphasis, which notifications lack."""
    plain = _COMMAND.sub(lambda found: f"/{found[1] or found[2]}", line)
    return _BEFORE.sub("", plain).strip().replace("**", "")


@lru_cache(maxsize=16_384)
def read(line: str, keys: frozenset[str] = frozenset(), language: str = "en") -> Said | None:
    """Recognize a line as a text of the catalogue with its parameters; ``None``: it is none.

    ``keys``: the possible texts; none: all.
    """
    stripped = bare(line)
    for key, pattern, _ in _among(keys, language):
        found = pattern.fullmatch(stripped)
        if found is not None:
            return Said(key, found.groupdict(), line.strip().startswith("**"))
    return None


def read_all(text: str, keys: frozenset[str] = frozenset(), language: str = "en") -> Iterator[Said]:
    """Yield the recognized lines of a text; repeated lines may have a name as prefix."""
    for line in text.split("\n"):
        said = read(line, keys, language) or read(line.partition(": ")[2], keys, language)
        if said is not None:
            yield said


def chair_name(name: str, person: int | None, level: str | None, game: str) -> str:
    """Return what a stored name is shown as in English.

    A computer player has a number, and a person who deleted their data no name.
    """
    house = _texts(CATALOGUES)
    if person is not None or not name.isdecimal():
        return name or house["former.name"]
    if level is None:
        return house["computer.name"].replace("{n}", name)
    own = _texts(ROOT / "engines" / game / "locale")[f"level.{level}"]
    return own if name == "1" else house["computer.another"].replace("{name}", own).replace("{n}", name)


@cache
def _texts(folder: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((folder / "en.json").read_text(encoding="utf-8"))
    return found
