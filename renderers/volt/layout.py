"""Where things are on a VOLT picture, in pixels.

A space begins half a block off an encoder's grid and is whole blocks wide, so that the seams between
plates fill blocks of their own and everything flat stays clean.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.volt.view import Space
from renderers.core.geometry import Point
from renderers.volt.public_data import COLUMNS, ROWS

WIDTH = 1100
SEAM = 8
RIM = 20
"""How thick the arena's border is."""
GAP = 8


@dataclass(frozen=True, slots=True)
class Grid:
    """The spaces of an arena on a picture: the size of one, and the upper left corner of a1."""

    cell: int
    left: int
    top: int

    @property
    def span(self) -> int:
        """Return the width of all spaces."""
        return self.cell * len(COLUMNS)

    @property
    def right(self) -> int:
        """Return the right edge of column i."""
        return self.left + self.span

    @property
    def bottom(self) -> int:
        """Return the lower edge of row 9."""
        return self.top + self.span

    @property
    def zoom(self) -> float:
        """Return the pixels of a unit: a space is 100 of them wide."""
        return self.cell / 100

    def corner(self, space: Space) -> Point:
        """Return the upper left corner of a space."""
        return self.left + COLUMNS.index(space[0]) * self.cell, self.top + ROWS.index(space[1]) * self.cell

    def centre(self, space: Space) -> Point:
        """Return the middle of a space."""
        x, y = self.corner(space)
        return x + self.cell / 2, y + self.cell / 2


PUBLIC = Grid(112, 44, 68)
OWN = Grid(88, 44, 60)
REPLAY = Grid(56, 36, 44)

PANEL = (544, 120)
"""Width and height of a score panel."""
PANELS_TOP = PUBLIC.bottom + RIM + 12


def public_height(seats: int) -> int:
    """Return the height of the public picture: a row of panels for two seats."""
    return PANELS_TOP + (seats + 1) // 2 * (PANEL[1] + GAP)


def panel_corner(number: int, seats: int) -> Point:
    """Return the upper left corner of a panel; an odd last one stands in the middle."""
    row, column = divmod(number, 2)
    if column == 0 and number == seats - 1:
        return (WIDTH - PANEL[0]) // 2, PANELS_TOP + row * (PANEL[1] + GAP)
    return column * (PANEL[0] + GAP) + 2, PANELS_TOP + row * (PANEL[1] + GAP)


OWN_HEIGHT = 1272
COLUMN = (864, 230)
"""Left edge and width of the right column of the private picture."""
UNITS_TOP = OWN.bottom + RIM + 12
UNIT = (360, 372)
UNIT_PITCH = 366
KEY = 100
KEY_PITCH = 104
