"""Where things are on a VOLTO picture, in pixels. The near side's palace is below."""

from __future__ import annotations

from dataclasses import dataclass

from renderers.core.geometry import Point

FILES = "abcde"
ROWS = "1234567"

CELL = 144
WIDTH, HEIGHT = 1100, 1304
LEFT, TOP = 188, 148
"""Half a block off an encoder's grid, so that a band of stone fills whole blocks and stays clean."""
RIGHT, BOTTOM = LEFT + CELL * len(FILES), TOP + CELL * len(ROWS)
BAND = 8
"""Pixels of pale stone between two squares."""
PLATE = (8.0, 1088.0, 72.0)
"""Left and right edge of a name plate, and its height."""
PLATE_TOPS = (1224.0, 8.0)
"""Upper edge of the near and of the far plate."""
SHELF_X = (68.0, 1028.0)
"""Middle of the boat with the lost masks: the near side's, the far side's."""
SHELF_SLOT = 82.0
SHELF_TOP = 278.0
"""Upper edge of the first lost mask's place in a boat, and the height of each."""
BOAT = (120, 1128, 88.0)
"""A boat's width, height and upper edge."""
QUAY = 52
"""Pixels of stone on both sides of the square, and how far a palace reaches beyond it."""
ROOF = 60
FILE_Y = (TOP - ROOF / 2 + 1, BOTTOM + ROOF / 2 - 1)
ROW_X = (LEFT - QUAY / 2 - BAND / 4, RIGHT + QUAY / 2 + BAND / 4)
LAMPS = tuple((x, TOP + CELL * row) for row in (2, 5) for x in ROW_X)
"""Where the street lamps stand."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The board as ``near`` sees it: the seat whose palace lies at the lower edge."""

    near: int

    @property
    def far(self) -> int:
        """Return the seat across."""
        return 1 - self.near

    def corner(self, square: str) -> Point:
        """Return the upper left corner of a square."""
        # Seat 1 looks from the other side: the board is turned, not mirrored.
        column, row = FILES.index(square[0]), ROWS.index(square[1])
        if self.near == 0:
            row = len(ROWS) - 1 - row
        else:
            column = len(FILES) - 1 - column
        return LEFT + column * CELL, TOP + row * CELL

    def centre(self, square: str) -> Point:
        """Return the middle of a square."""
        x, y = self.corner(square)
        return x + CELL / 2, y + CELL / 2

    def place(self, seat: int) -> int:
        """Return 0 for the near side, 1 for the far one: an index into the pairs above."""
        return 0 if seat == self.near else 1
