"""What is wrong with a word that cannot be read: the nearest word of a program, and what to change."""

from __future__ import annotations

import re

from engines.core.contract import Msg, msg
from engines.volt.view import ARROWS, UNITS

_DIE = re.compile(r"(?P<colour>[A-Za-z]?)(?P<number>[0-9]+)(?P<arrow>[A-Za-z]*)")
_COLOURS = ("b", "r")
_NUMBERS = tuple("123456")


def misread(word: str) -> Msg:
    """Return the message for a word that is none of the game."""
    shown = word[:20]
    name, colon, rest = word.partition(":")
    if not colon:
        return msg("error.unreadable", word=shown)
    if name == "tile":
        return msg("error.tile_number", word=shown)
    if name == "swap":
        return msg("error.swap_signs", word=shown)
    if name == "order":
        return msg("error.order_words", word=shown)
    if name not in UNITS:
        return msg("error.no_unit", unit=name[:20])
    return _unit(name, rest.partition("+")[0], shown)


def _unit(unit: str, die: str, shown: str) -> Msg:
    """Return what is wrong with what stands after the name of a unit."""
    found = _DIE.fullmatch(die)
    if found is None:
        arrow = die in ARROWS or not die
        return msg("error.unit_uses" if arrow else "error.no_die", unit=unit, die=die[:20])
    if found["colour"] not in _COLOURS:
        return msg("error.no_colour", unit=unit, die=die[:20])
    if found["number"] not in _NUMBERS:
        return msg("error.no_number", unit=unit, number=found["number"][:20])
    if found["arrow"] and found["arrow"] not in ARROWS:
        return msg("error.no_arrow", unit=unit, arrow=found["arrow"][:20])
    return msg("error.unit_uses", unit=unit, die=shown)
