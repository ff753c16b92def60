"""How words are written, and what each of them is. Source: the rules page, *Notation*.

A sentence is its words with spaces between. While a person builds a program, shorter words change
it: ``I:b3`` puts a die, ``I:E`` an arrow, ``I-`` takes the arrow off, ``I+strafe-left`` adds a module
to a unit, ``I-strafe`` takes it off; so do ``order+shield``, ``order-shield``, ``swap+turbo``,
``swap-turbo`` and ``swap+turbo-anchor``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from engines.core.contract import InvalidAction, Msg, Words, msg
from engines.volt.arena import SPACES
from engines.volt.modules import MODULES, in_order, name_of
from engines.volt.view import ARROWS, DECKS, UNITS, DieView, ProgramView

COLOURS = {"b": "blue", "r": "red"}

_ARROW = "NE|NW|SE|SW|N|E|S|W"
_USE = r"[a-z]+(?:-[a-z0-9]+)?"
_UNIT = re.compile(rf"(I{{1,3}}):(?:([br])([1-6]))?({_ARROW})?((?:\+{_USE})*)")
_UNIT_EDIT = re.compile(rf"(I{{1,3}})([+-])({_USE})")
_UNIT_OPEN = re.compile(r"(I{1,3})-")
_SWAP = re.compile(r"swap:([+-][a-z]+(?:,[+-][a-z]+)*)")
_SWAP_EDIT = re.compile(r"swap(?:\+([a-z]+))?(?:-([a-z]+))?")
_ORDER = re.compile(r"order:([a-z]+(?:,[a-z]+)*)")
_ORDER_EDIT = re.compile(r"order([+-])([a-z]+)")
_TILE = re.compile(r"tile:([0-9])")
_DIE = re.compile(r"(?P<colour>[A-Za-z]?)(?P<number>[0-9]+)(?P<arrow>[A-Za-z]*)")
"""What somebody means as a die, whether there is such a die or not."""


class Kind(Enum):
    """What a word is."""

    PROGRAM = "program"
    SWAP = "swap"
    SWAP_EDIT = "swap_edit"
    UNIT = "unit"
    UNIT_EDIT = "unit_edit"
    UNIT_OPEN = "unit_open"
    ORDER = "order"
    ORDER_EDIT = "order_edit"
    TILE = "tile"
    START = "start"
    SPACE = "space"
    DRAW = "draw"
    DECK = "deck"
    PASS = "pass"  # noqa: S105 - a word of the game
    REPAIR = "repair"


PROGRAM_KINDS = frozenset(list(Kind)[:9])

_FIXED = {word.value: word for word in (Kind.PROGRAM, Kind.START, Kind.DRAW, Kind.PASS, Kind.REPAIR)}

_SHAPES = (
    (Kind.UNIT, _UNIT),
    (Kind.UNIT_EDIT, _UNIT_EDIT),
    (Kind.UNIT_OPEN, _UNIT_OPEN),
    (Kind.SWAP, _SWAP),
    (Kind.SWAP_EDIT, _SWAP_EDIT),
    (Kind.ORDER, _ORDER),
    (Kind.ORDER_EDIT, _ORDER_EDIT),
    (Kind.TILE, _TILE),
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its parts, as its kind has them; ``""`` for a part left out."""

    kind: Kind
    text: str
    parts: tuple[str, ...] = ()


@lru_cache(maxsize=1024)
def parse(word: str) -> Word:
    """Return what a word is; raises :class:`InvalidAction` for what is no word of the game."""
    if word in _FIXED:
        return Word(_FIXED[word], word)
    if word in SPACES:
        return Word(Kind.SPACE, word)
    if word in DECKS:
        return Word(Kind.DECK, word)
    for kind, shape in _SHAPES:
        found = shape.fullmatch(word)
        # Digits of other scripts match, too; and a unit or a swap may match without saying anything.
        if found is not None and word.isascii() and any(found[group] for group in _NEEDED.get(kind, (0,))):
            parts = tuple(part or "" for part in found.groups())
            _check_modules(kind, parts)
            return Word(kind, word, parts)
    raise InvalidAction(_misread(word))


_NEEDED = {Kind.UNIT: (2, 4), Kind.SWAP_EDIT: (1, 2)}
"""The groups of which one must be there: a die or an arrow, what comes in or what goes out."""


def _check_modules(kind: Kind, parts: tuple[str, ...]) -> None:
    if kind is Kind.UNIT:
        names = [name_of(use) for use in parts[4].split("+")[1:]]
    elif kind in (Kind.SWAP, Kind.ORDER):
        names = [name.lstrip("+-") for name in parts[0].split(",")]
    elif kind is Kind.UNIT_EDIT:
        names = [name_of(parts[2])]
    elif kind is Kind.ORDER_EDIT:
        names = [parts[1]]
    else:
        names = list(parts) if kind is Kind.SWAP_EDIT else []
    for name in names:
        if name and name not in MODULES:
            raise InvalidAction(msg("error.no_module", name=name[:20]))


# --- what cannot be read --------------------------------------------------------------------------


def _misread(word: str) -> Msg:
    shown = word[:20]
    name, colon, rest = word.partition(":")
    if not colon:
        return msg("error.unreadable", word=shown)
    if name in _FAULTS:
        return msg(_FAULTS[name], word=shown)
    if name not in UNITS:
        return msg("error.no_unit", unit=name[:20])
    die = rest.partition("+")[0]
    found = _DIE.fullmatch(die)
    if found is None:
        known = die in ARROWS or not die
        return msg("error.unit_uses" if known else "error.no_die", unit=name, die=die[:20])
    if found["colour"] not in COLOURS:
        return msg("error.no_colour", unit=name, die=die[:20])
    if found["number"] not in tuple("123456"):
        return msg("error.no_number", unit=name, number=found["number"][:20])
    if found["arrow"] and found["arrow"] not in ARROWS:
        return msg("error.no_arrow", unit=name, arrow=found["arrow"][:20])
    return msg("error.unit_uses", unit=name, die=shown)


_FAULTS = {"tile": "error.tile_number", "swap": "error.swap_signs", "order": "error.order_words"}


# --- sentences ------------------------------------------------------------------------------------


def read(text: str) -> Words:
    """Return the words of a text; raises :class:`InvalidAction`."""
    words = tuple(text.split())
    # One text says each thing once; words added to a draft may repeat: a later one changes an earlier one.
    said: set[tuple[Kind, str]] = set()
    for word in map(parse, words):
        for key, fault in _said(word):
            if key in said:
                raise InvalidAction(fault)
            said.add(key)
    return words


def _said(word: Word) -> Iterator[tuple[tuple[Kind, str], Msg]]:
    # What a word settles, and the fault of settling it twice.
    if word.kind is Kind.UNIT:
        unit, colour, _, arrow, _ = word.parts
        if colour:
            yield (Kind.UNIT, unit), msg("error.unit_twice", unit=unit)
        if arrow:
            yield (Kind.UNIT, f"{unit}:"), msg("error.arrow_twice", unit=unit)
    elif word.kind in (Kind.TILE, Kind.SWAP, Kind.ORDER):
        yield (word.kind, ""), msg(f"error.{word.kind.value}_again")


# --- programs -------------------------------------------------------------------------------------


def swap_word(came: frozenset[str], went: frozenset[str]) -> tuple[str, ...]:
    """Return the swaps of a program: what comes in, then what goes out."""
    return (*(f"+{name}" for name in in_order(came)), *(f"-{name}" for name in in_order(went)))


def swapped_in(swaps: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names that swaps put in, and those that they take out."""
    came = frozenset(name[1:] for name in swaps if name[0] == "+")
    return came, frozenset(name[1:] for name in swaps if name[0] == "-")


def program_of(words: Words) -> ProgramView:
    """Return the program of words in normal form, which may be a draft: only dice with arrows count."""
    dice: list[DieView] = []
    swaps: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    tile: int | None = None
    for word in map(parse, words):
        if word.kind is Kind.SWAP:
            swaps = tuple(word.parts[0].split(","))
        elif word.kind is Kind.ORDER:
            orders = tuple(word.parts[0].split(","))
        elif word.kind is Kind.TILE:
            tile = int(word.parts[0])
        elif word.kind is Kind.UNIT and word.parts[1] and word.parts[3]:
            unit, colour, number, arrow, uses = word.parts
            modules = tuple(uses.split("+")[1:])
            dice.append(DieView(UNITS.index(unit), COLOURS[colour], int(number), arrow, modules))
    return ProgramView(tuple(dice), swaps, orders, tile)
