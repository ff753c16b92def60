"""The game's public data files and texts: arenas, modules and their names.

Data files never change once they are released.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from engines.core.contract import msg
from engines.core.texts import load
from engines.volt.view import Space
from renderers.core.captions import Captions

COLUMNS = "abcdefghi"
ROWS = "123456789"
DELTA = {
    "N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1),
    "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1),
}  # fmt: skip
"""Columns to the right and rows down of a step along each arrow."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An arena as it is drawn. ``tall`` walls lie east of their space, ``wide`` ones south of it.

    ``start`` are pairs of a space and its side, ``tokens`` of a space and its number, ``open`` of a space
    and the letter of the edge that is missing there.
    """

    key: str
    pits: tuple[Space, ...]
    repair: tuple[Space, ...]
    shock: tuple[Space, ...]
    solid: tuple[Space, ...]
    start: tuple[tuple[Space, str], ...]
    tokens: tuple[tuple[Space, int], ...]
    tall: tuple[Space, ...]
    wide: tuple[Space, ...]
    open: tuple[tuple[Space, str], ...]

    def token_space(self, number: int) -> Space:
        """Return the space of the tokens with a number."""
        return next(space for space, found in self.tokens if found == number)


@dataclass(frozen=True, slots=True)
class Card:
    """What a module is used with: ``die`` is ``""`` for a standing order."""

    deck: str
    die: str
    low: int
    high: int

    @property
    def span(self) -> str:
        """Return the numbers of its die."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


def _data(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((files("engines.volt") / "data" / name).read_text("utf-8"))
    return found


@cache
def plan(key: str) -> Plan:
    """Return the arena ``key``; raises ``KeyError``."""
    data = {arena["key"]: arena for arena in _data("arenas.json")}[key]
    return Plan(
        key=key,
        pits=tuple(data["pits"]),
        repair=tuple(data["repair"]),
        shock=tuple(data["shock"]),
        solid=tuple(data["solid"]),
        start=tuple((space, side) for side in sorted(data["start"]) for space in data["start"][side]),
        tokens=tuple((space, int(number)) for number, space in sorted(data["vp"].items())),
        # A wall is named by the space west of it ("|") or north of it ("-").
        tall=tuple(wall[:2] for wall in data["walls"] if wall[2] == "|"),
        wide=tuple(wall[:2] for wall in data["walls"] if wall[2] == "-"),
        open=tuple((edge[:2], edge[2]) for edge in data["open_edges"]),
    )


@cache
def cards() -> dict[str, Card]:
    """Return all modules by name."""
    return {
        data["key"]: Card(data["deck"], data.get("die", ""), data.get("low", 0), data.get("high", 0))
        for data in _data("modules.json")
    }


def along(origin: Space, target: Space) -> tuple[str, int]:
    """Return the arrow from one space to another and the steps between; ``("", 0)`` if none leads there."""
    dx = COLUMNS.index(target[0]) - COLUMNS.index(origin[0])
    dy = ROWS.index(target[1]) - ROWS.index(origin[1])
    steps = max(abs(dx), abs(dy))
    if not steps or (0 not in (dx, dy) and abs(dx) != abs(dy)):
        return "", 0
    unit = (dx // steps, dy // steps)
    return next(arrow for arrow, delta in DELTA.items() if delta == unit), steps


_GAME = "engines.volt"


def module_name(captions: Captions, name: str) -> str:
    """Return what a module is called."""
    return load(_GAME).render(msg(f"module.{name}"), str, captions.table.language)


def module_short(captions: Captions, name: str) -> str:
    """Return in a few words what a module does."""
    return load(_GAME).render(msg(f"module.{name}.short"), str, captions.table.language)


def use_name(captions: Captions, use: str) -> str:
    """Return a module with its choice, as a unit's strip says it."""
    name, _, choice = use.partition("-")
    said = module_name(captions, name)
    if not choice:
        return said
    key = f"use.{choice}" if choice in ("left", "right") else "use.more" if name == "turbo" else "use.other"
    return captions.text(key, module=said, choice=choice)
