"""Arenas: walls, pits, and where a step leads. Source: the rules page, *Arena* and *Activation*."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from engines.core.canonical_json import read_data

Space: TypeAlias = str
Arrow: TypeAlias = str

ARROWS: tuple[Arrow, ...] = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Clockwise from north, which is up for everybody."""

COLUMNS = "abcdefghi"
ROWS = "123456789"
SPACES: tuple[Space, ...] = tuple(column + row for row in ROWS for column in COLUMNS)
SIDES = ("N", "E", "S", "W")
STRAIGHT = ("N", "E", "S", "W")
DIAGONAL = ("NE", "SE", "SW", "NW")

WALL = "#"
"""Where a step leads that a wall, a solid or the closed rim stops."""
OUT = "~"
"""Where a step over an open edge leads."""

_MIDDLE = 4
_DELTA = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
_INSIDE = frozenset(SPACES)


def turned(arrow: Arrow, eighths: int) -> Arrow:
    """Return the arrow turned clockwise by ``eighths`` of a circle."""
    return ARROWS[(ARROWS.index(arrow) + eighths) % len(ARROWS)]


def beside(space: Space, arrow: Arrow, steps: int = 1) -> Space | None:
    """Return the space ``steps`` away, whatever lies between; ``None`` outside."""
    column, row = COLUMNS.index(space[0]), ROWS.index(space[1])
    for letter in arrow:
        column += steps * _DELTA[letter][0]
        row += steps * _DELTA[letter][1]
    if not (0 <= column < len(COLUMNS) and 0 <= row < len(ROWS)):
        return None
    return COLUMNS[column] + ROWS[row]


def distance(one: Space, other: Space) -> int:
    """Return the columns and rows between two spaces, added."""
    return abs(ord(one[0]) - ord(other[0])) + abs(ord(one[1]) - ord(other[1]))


@dataclass(frozen=True, slots=True)
class Arena:
    """One of the four arenas. ``steps``: where each step from each space leads."""

    key: str
    tokens: dict[int, Space] = field(repr=False)
    pits: frozenset[Space] = field(repr=False)
    repair: frozenset[Space] = field(repr=False)
    shock: frozenset[Space] = field(repr=False)
    solid: frozenset[Space] = field(repr=False)
    start: dict[str, tuple[Space, ...]] = field(repr=False)
    plain: frozenset[Space] = field(repr=False)
    steps: dict[tuple[Space, Arrow], str] = field(repr=False)

    def step(self, space: Space, arrow: Arrow) -> str:
        """Return the space that a step reaches, :data:`WALL` or :data:`OUT`; robots don't count."""
        return self.steps[space, arrow]

    def obstacle(self, space: Space, arrow: Arrow) -> str:
        """Return what stops a step to :data:`WALL`: ``"wall"``, ``"pillar"``, ``"rim"`` or ``"corner"``.

        A corner stops a diagonal where both ways round it are blocked.
        """
        target = beside(space, arrow)
        if target is None:
            return "rim"
        if target in self.solid:
            return "pillar"
        return "wall" if arrow in STRAIGHT else "corner"

    def lands(self, space: Space, arrow: Arrow, steps: int) -> int:
        """Return the most spaces, up to ``steps``, after which a flight along the arrow may come down."""
        for count in range(steps, 0, -1):
            target = beside(space, arrow, count)
            if target is not None and target not in self.solid:
                return count
        return 0

    def edge(self, side: str) -> tuple[Space, ...]:
        """Return the plain spaces of a side's edge row, nearest its middle first."""
        row = {"N": "1", "S": "9", "W": "a", "E": "i"}[side]
        found = [space for space in SPACES if row in space and space in self.plain]
        places = {s: COLUMNS.index(s[0]) if side in "NS" else ROWS.index(s[1]) for s in found}
        return tuple(sorted(found, key=lambda space: (abs(places[space] - _MIDDLE), places[space])))


class _Maker:
    """Derives the steps of an arena from its walls."""

    def __init__(
        self, walls: frozenset[frozenset[Space]], solid: frozenset[Space], edges: frozenset[str]
    ) -> None:
        self._walls, self._solid, self._edges = walls, solid, edges

    def straight(self, space: Space, arrow: Arrow) -> str:
        target = beside(space, arrow)
        if target is None:
            return OUT if space + arrow in self._edges else WALL
        blocked = target in self._solid or frozenset((space, target)) in self._walls
        return WALL if blocked else target

    def step(self, space: Space, arrow: Arrow) -> str:
        if len(arrow) == 1:
            return self.straight(space, arrow)
        # A diagonal passes a corner unless both ways round it are blocked (rules page, Activation).
        ways = {self._way(space, arrow), self._way(space, arrow[::-1])} - {WALL}
        return ways.pop() if ways else WALL

    def _way(self, space: Space, letters: str) -> str:
        for letter in letters:
            space = self.straight(space, letter)
            if space in (WALL, OUT):
                return space
        return space


def _arena(data: dict[str, Any]) -> Arena:
    pits, repair, shock, solid = (frozenset(data[key]) for key in ("pits", "repair", "shock", "solid"))
    walls = frozenset(frozenset((wall[:2], wall[3:])) for wall in data["walls"])
    maker = _Maker(walls, solid, frozenset(data["open_edges"]))
    special = pits | repair | shock | solid | set(data["vp"].values())
    special |= {space for side in data["start"].values() for space in side}
    return Arena(
        key=data["key"],
        tokens={int(number): space for number, space in data["vp"].items()},
        pits=pits,
        repair=repair,
        shock=shock,
        solid=solid,
        start={side: tuple(data["start"][side]) for side in SIDES},
        plain=_INSIDE - special,
        steps={(s, arrow): maker.step(s, arrow) for s in SPACES for arrow in ARROWS},
    )


@cache
def arenas() -> dict[str, Arena]:
    """Return all arenas by key."""
    return {data["key"]: _arena(data) for data in read_data("engines.volt", "arenas.json")}


def arena(key: str) -> Arena:
    """Return the arena ``key``; raises ``KeyError``."""
    return arenas()[key]
