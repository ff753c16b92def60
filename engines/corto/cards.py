"""The cards and adventures of CORTO: data files, read once, checked, and hashed for the manifest.

A reconstruction: the printed decks and quest pages are not public. Owners of the box put its cards into these
files and their names into the texts (docs/corto-data.md); the code knows no card and no adventure by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engines.core.canonical_json import read_data


class Kind(Enum):
    """What a card is played as."""

    CHARACTER = "character"
    OBJECT = "object"
    ADVANTAGE = "advantage"
    CORTO = "corto"
    RASPUTIN = "rasputin"


class Border(Enum):
    """What a character does, or what colour an object has: white adds markers, black hits."""

    WHITE = "white"
    BLACK = "black"
    BOTH = "both"

    @property
    def adds(self) -> bool:
        """Return whether it may add a marker."""
        return self is not Border.BLACK

    @property
    def hits(self) -> bool:
        """Return whether it may hit."""
        return self is not Border.WHITE


@dataclass(frozen=True, slots=True)
class Card:
    """A card's face. What a kind does not have is left at its default.

    ``id`` is deck letter and number, ``"A04"``; ``emblem`` names its picture. ``border``: of a character, or
    the colour of an object (never both). ``colours``: letters of the strips on which a character may stand.
    ``power``: adds or hits of an object. ``steps``: of a figurine. ``effect``: of an advantage, ``"swap"``.
    """

    id: str
    deck: str
    kind: Kind
    emblem: str
    border: Border | None = None
    friend: bool = False
    long_range: bool = False
    colours: tuple[str, ...] = ()
    power: int = 0
    steps: int = 0
    vehicle: bool = False
    effect: str = ""

    @property
    def stands(self) -> bool:
        """Return whether it is a character or a figurine: what objects come with, and the end counts."""
        return self.kind in (Kind.CHARACTER, Kind.CORTO, Kind.RASPUTIN)


@dataclass(frozen=True, slots=True)
class Adventure:
    """A strip: its letter, background colour (``#rrggbb``) and quest.

    ``quest`` names the quest's rules (a module of :mod:`engines.corto.quests`); ``pieces`` it begins with,
    ``values`` are the gold of its parts, ``places`` its columns and limits, as the quest's own module reads
    them.
    """

    key: str
    colour: str
    quest: str
    pieces: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, int], ...]
    places: tuple[tuple[str, int], ...]


# --- the data files -------------------------------------------------------------------------------

ADVENTURES_FILE, CARDS_FILE = "adventures-2.json", "cards-2.json"
EARLIER_FILES = ("adventures.json", "cards.json")
"""The same with English names and rules, which nothing reads any more: earlier matches name their hashes."""

DECK_SIZE = 20
EFFECTS = ("swap", "transfer", "refill", "drop-in", "safe-conduct", "bribe", "pickpocket")
"""The advantages whose rules the engine knows."""


class BadData(ValueError):  # noqa: N818 - it says what is wrong with a file, not with the program
    """A data file does not hold what it must; the text names the file, the entry and the matter."""


_COMMON: Mapping[str, type] = {"id": str, "deck": str, "kind": str, "emblem": str}
_KINDS: Mapping[str, Mapping[str, type]] = {
    "character": {"border": str, "friend": bool, "long_range": bool, "colours": list},
    "object": {"border": str, "long_range": bool, "power": int},
    "advantage": {"effect": str},
    "corto": {"steps": int, "vehicle": bool},
    "rasputin": {"steps": int, "vehicle": bool},
}
_ADVENTURE: Mapping[str, type] = {
    "key": str,
    "colour": str,
    "quest": str,
    "pieces": dict,
    "values": dict,
    "places": dict,
}


def _shape(where: str, entry: object, fields: Mapping[str, type]) -> dict[str, Any]:
    if not isinstance(entry, dict) or set(entry) != set(fields):
        raise BadData(f"{where}: must have exactly the fields {', '.join(sorted(fields))}")
    for key, kind in fields.items():
        # Not isinstance: true and false are whole numbers to it.
        if type(entry[key]) is not kind:
            raise BadData(f"{where}: {key} must be of type {kind.__name__}")
    return entry


def _demand(condition: bool, where: str, what: str) -> None:
    if not condition:
        raise BadData(f"{where}: {what}")


def parse_adventures(entries: object) -> dict[str, Adventure]:
    """Return the adventures by their letters; raises :class:`BadData`."""
    _demand(isinstance(entries, list) and bool(entries), ADVENTURES_FILE, "must be a list of adventures")
    found: dict[str, Adventure] = {}
    assert isinstance(entries, list)
    for number, entry in enumerate(entries, 1):
        where = f"{ADVENTURES_FILE}, entry {number}"
        data = _shape(where, entry, _ADVENTURE)
        key = data["key"]
        _demand(re.fullmatch("[A-Z]", key) is not None, where, "key must be one capital letter")
        _demand(key not in found, where, f"key {key} is there twice")
        _demand(re.fullmatch("#[0-9a-f]{6}", data["colour"]) is not None, where, "colour must be #rrggbb")
        for part in ("pieces", "values", "places"):
            whole = all(type(value) is int for value in data[part].values())
            _demand(whole, f"{where}, {part}", "must hold whole numbers")
        numbers: dict[str, Any] = {part: tuple(data[part].items()) for part in ("pieces", "values", "places")}
        found[key] = Adventure(**{**data, **numbers})
    return found


def parse_cards(entries: object, adventures: Mapping[str, Adventure]) -> dict[str, Card]:
    """Return the cards by their ids; raises :class:`BadData`."""
    _demand(isinstance(entries, list), CARDS_FILE, "must be a list of cards")
    assert isinstance(entries, list)
    found: dict[str, Card] = {}
    for number, entry in enumerate(entries, 1):
        card = _card(f"{CARDS_FILE}, entry {number}", entry, adventures)
        _demand(card.id not in found, f"{CARDS_FILE}, {card.id}", "is there twice")
        found[card.id] = card
    for key in adventures:
        count = sum(card.deck == key for card in found.values())
        _demand(count == DECK_SIZE, f"{CARDS_FILE}, deck {key}", f"has {count} cards, not {DECK_SIZE}")
        begins = any(card.deck == key and card.kind is Kind.CHARACTER for card in found.values())
        _demand(begins, f"{CARDS_FILE}, deck {key}", "has no character to begin with")
    return found


def _card(where: str, entry: object, adventures: Mapping[str, Adventure]) -> Card:
    kind = entry.get("kind") if isinstance(entry, dict) else None
    _demand(isinstance(kind, str) and kind in _KINDS, where, f"kind must be one of {', '.join(_KINDS)}")
    assert isinstance(kind, str)
    data = _shape(where, entry, {**_COMMON, **_KINDS[kind]})
    _demand(data["deck"] in adventures, where, f"no adventure {data['deck']}")
    _demand(
        re.fullmatch(f"{data['deck']}[0-9]{{2}}", data["id"]) is not None, where, "id must be deck and number"
    )
    border = data.pop("border", None)
    allowed = ("white", "black", "both") if kind == "character" else ("white", "black")
    _demand(border is None or border in allowed, where, f"border must be one of {', '.join(allowed)}")
    colours = tuple(data.pop("colours", ()))
    _demand(all(colour in adventures for colour in colours), where, "colours must be letters of adventures")
    _demand(
        kind != "character" or 1 <= len(set(colours)) == len(colours) <= 2, where, "has one or two colours"
    )
    _demand(data.get("power", 1) in {1, 2}, where, "power must be 1 or 2")
    _demand(data.get("steps", 1) >= 1, where, "steps must be at least 1")
    _demand(data.get("effect", "swap") in EFFECTS, where, f"effect must be one of {', '.join(EFFECTS)}")
    del data["kind"]
    return Card(**data, kind=Kind(kind), border=None if border is None else Border(border), colours=colours)


ADVENTURES: Mapping[str, Adventure] = parse_adventures(read_data("engines.corto", ADVENTURES_FILE))
"""All adventures by their letters."""

CARDS: Mapping[str, Card] = parse_cards(read_data("engines.corto", CARDS_FILE), ADVENTURES)
"""All cards by their ids."""
