"""Where things are on a VOLTO picture, in pixels. The near side's palace is below."""

from __future__ import annotations

from dataclasses import dataclass

from renderers.core.geometry import Point

FILES = "abcde"
ROWS = "1234567"

CELL = 144
WIDTH, HEIGHT = 1100, 1276
LEFT, TOP = 190, 134
RIGHT, BOTTOM = LEFT + CELL * len(FILES), TOP + CELL * len(ROWS)
PLATE = (16.0, WIDTH - 16.0, 78.0)
"""Left and right edge of a name plate, and its height."""
PLATE_TOPS = (HEIGHT - 90.0, 12.0)
"""Upper edge of the near and of the far plate."""
SHELF_X = (82.0, WIDTH - 82.0)
"""Middle of the shelf of lost masks: the near side's, the far side's."""
SHELF_HALF = 62.0
SHELF_SLOT = (BOTTOM - TOP) / 10
FILE_Y = (106.0, BOTTOM + 26.0)
ROW_X = (167.0, WIDTH - 167.0)


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

    def palace_top(self, seat: int) -> float:
        """Return the upper edge of a seat's palace row."""
        return BOTTOM - CELL if seat == self.near else TOP

    def place(self, seat: int) -> int:
        """Return 0 for the near side, 1 for the far one: an index into the pairs above."""
        return 0 if seat == self.near else 1
