"""The 24 modules as data: decks, dice, numbers, choices. What they do: :mod:`engines.volt.activation`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engines.core.canonical_json import read_data
from engines.core.contract import Msg, msg
from engines.volt.arena import Arena
from engines.volt.view import DECKS

COPIES = 2
ACTIVE = 2
"""Modules that may be active at once."""
MINES = 4
"""Mines of a seat."""


class Use(Enum):
    """How a module is used. ``ARROW`` is Diagonal Drive: no word, the arrow says it."""

    INSTEAD = "instead"
    MODIFIER = "modifier"
    AFTER = "after"
    STANDING = "standing"
    ARROW = "arrow"


@dataclass(frozen=True, slots=True)
class Module:
    """A design. ``die`` is the colour of its die, ``""`` for a standing order."""

    key: str
    deck: str
    use: Use
    die: str
    low: int
    high: int

    @property
    def span(self) -> str:
        """Return the numbers of its die in a text: ``"1–3"``."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"

    def fits(self, colour: str, number: int) -> bool:
        """Return whether it can be used with that die."""
        return self.die == colour and self.low <= number <= self.high


MODULES: dict[str, Module] = {
    data["key"]: Module(
        data["key"],
        data["deck"],
        Use(data["use"]),
        data.get("die", ""),
        data.get("low", 0),
        data.get("high", 0),
    )
    for data in read_data("engines.volt", "modules.json")
}


def deck_of(name: str) -> str:
    """Return the deck of a module."""
    return MODULES[name].deck


def cards(deck: str) -> tuple[str, ...]:
    """Return the cards of a deck, sorted: two of each design."""
    return tuple(sorted(name for name in MODULES if deck_of(name) == deck for _ in range(COPIES)))


def in_order(names: frozenset[str] | set[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Return names in the order of decks, then letters."""
    return tuple(sorted(names, key=lambda name: (DECKS.index(deck_of(name)), name)))


def goes_together(names: tuple[str, ...]) -> bool:
    """Return whether these may be active at once: at most two, never two red, never two blue."""
    decks = [deck_of(name) for name in names]
    return len(decks) <= ACTIVE and decks.count("red") < ACTIVE and decks.count("blue") < ACTIVE


def name_of(use: str) -> str:
    """Return the module of a use: ``strafe`` of ``strafe-left``."""
    return use.partition("-")[0]


def choices(name: str, number: int, arena: Arena, side: str) -> tuple[str, ...]:
    """Return the choices that a use of a module needs, with a die of that number; ``("",)``: none."""
    if name in ("swivel", "strafe"):
        return ("left", "right")
    if name == "turbo":
        return ("1", "2")
    if name == "brakes":
        return tuple(str(k) for k in range(1, number))
    return arena.start[side] if name == "recall" else ("",)


def named(name: str) -> Msg:
    """Return a module's name as a text."""
    return msg(f"module.{name}")


def use_text(use: str) -> Msg:
    """Return a use of a module as a text: ``strafe-left`` is *Strafe to the left*."""
    name, _, choice = use.partition("-")
    if not choice:
        return named(name)
    said = msg(f"turn.{choice}") if choice in ("left", "right") else choice
    return msg(f"use.{name}", module=named(name), choice=said)


def worded(name: str, choice: str) -> str:
    """Return the use of a module with a choice, as it is written."""
    return f"{name}-{choice}" if choice else name
