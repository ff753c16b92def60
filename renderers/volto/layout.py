"""Where things are on a VOLTO picture, in pixels. The near side's palace is below.

The picture is a square: a chat shows it 350 points high, a phone 330 wide, and the mat is as large as both
allow. Beside it lie the plates and the boats, one above the other. A client lays a badge over the lower left
corner, 192 × 90 pixels at most: nothing but the bow of a boat lies there.
"""

from __future__ import annotations

from dataclasses import dataclass

from renderers.core.geometry import Point

FILES = "abcde"
ROWS = "1234567"

CELL = 144
WIDTH, HEIGHT = 1056, 1056
LEFT, TOP = 324, 4
"""Half a block off an encoder's grid, so that a band of stone fills whole blocks and stays clean."""
BOTTOM = TOP + CELL * len(ROWS)
BAND = 8
"""Pixels of pale stone between two squares."""
QUAY = 44
"""Pixels of stone left of the square, where its rows are numbered."""
ROOF = HEIGHT - BOTTOM
"""Pixels of the near palace below its row, where the files are named."""
ISLAND = (LEFT - QUAY, 0, WIDTH - LEFT + QUAY, HEIGHT)
"""Left and upper edge of all that is stone, its width, its height."""
FILE_Y = BOTTOM + ROOF / 2 + 1
ROW_X = LEFT - QUAY / 2 - BAND / 4
LAMPS = tuple((x, TOP + CELL * row) for row in (2, 5) for x in (ROW_X, WIDTH))
"""Where the street lamps stand; the right ones just beyond the edge."""

SIDE_X = (LEFT - QUAY) / 2
"""Middle of the plates and boats."""
PLATE = (272.0, 104.0)
"""A plate's width and height."""
PLATE_TOPS = (516.0, 4.0)
"""Upper edge of the near and of the far plate; each one's boat lies below it."""
BOAT = (264, 404)
"""A boat's width and height."""
LABEL_DROP = 25
"""How far below a boat's upper edge the middle of its label lies."""
SHELF_TOP = 50
"""How far below a boat's upper edge the first row of lost masks begins."""
SLOT = (82.0, 74.0)
"""Width and height of a lost mask's place."""
ABREAST = 3
"""Places in a row; the last one, in the bow, is alone."""
UNSEEN: Point = (60.0, 295.0)
"""How far right of a boat's middle and below its upper edge a mask lies that has left unseen."""


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

    def plate_top(self, seat: int) -> float:
        """Return the upper edge of a seat's plate."""
        return PLATE_TOPS[0 if seat == self.near else 1]

    def boat_top(self, seat: int) -> float:
        """Return the upper edge of a seat's boat."""
        return self.plate_top(seat) + PLATE[1]

    def slot(self, seat: int, number: int) -> Point:
        """Return the middle of a lost mask's place in its owner's boat; they are counted from the stern."""
        row, place = divmod(number, ABREAST)
        across = place - 1 if row < ABREAST else 0
        top = self.boat_top(seat) + SHELF_TOP
        return SIDE_X + across * SLOT[0], top + SLOT[1] * (row + 0.5)

    def unseen(self, seat: int) -> Point:
        """Return the middle of the place of a mask that has left unseen, in its owner's boat."""
        return SIDE_X + UNSEEN[0], self.boat_top(seat) + UNSEEN[1]
