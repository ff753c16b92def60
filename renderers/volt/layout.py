"""Where things are on a VOLT picture, in pixels.

A chat shows a picture at most 350 pixels high on a desktop and 330 wide on a phone. So the arena fills the
height, and what else there is stands in a column at its left, whose foot stays empty: there a client lays its
mark for descriptions.

A space begins half a block off an encoder's grid and is whole blocks wide, so that the seams between
plates fill blocks of their own and everything flat stays clean.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.volt.view import Space
from renderers.core.geometry import Point
from renderers.volt.public_data import COLUMNS, ROWS

SEAM = 8


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
    def rim(self) -> int:
        """Return how thick the arena's border is."""
        return round(self.cell * 0.136)

    @property
    def size(self) -> tuple[int, int]:
        """Return the picture's width and height: the arena fills its height, at its right side.

        Above and right of the arena the coordinates have a band as wide as ``top``; left of it is a column.
        """
        return self.right + self.top - 4, self.bottom + self.rim

    @property
    def column(self) -> int:
        """Return the width of the column beside the arena."""
        return self.left - self.rim

    def corner(self, space: Space) -> Point:
        """Return the upper left corner of a space."""
        return self.left + COLUMNS.index(space[0]) * self.cell, self.top + ROWS.index(space[1]) * self.cell

    def centre(self, space: Space) -> Point:
        """Return the middle of a space."""
        x, y = self.corner(space)
        return x + self.cell / 2, y + self.cell / 2


BOARD = Grid(88, 268, 44)
REPLAY = Grid(56, 148, 28)

MARGIN = 4
FREE = 94
"""The height at the foot of the column that stays empty."""
COLUMN = BOARD.column - 2 * MARGIN
"""The width of what stands in the column."""
COLUMN_LOW = BOARD.size[1] - FREE
"""Where the column ends."""
