"""Where things are on a picture of CORTO, in pixels of a picture 1,100 wide.

A page is a pile of bands as wide as the picture: head, one band a strip, players. Nothing leaves its
band, so that a band can be kept and laid again while others change.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.corto.view import COLUMNS, Square

WIDTH = 1100
MARGIN = 12
INNER = WIDTH - 2 * MARGIN
FIRST = 140
"""Width of column 0, which holds the deck."""
PANEL = 126
"""Width of a character's panel on every board."""
PITCH = 133
HEAD = 76
RULER = 30


@dataclass(frozen=True, slots=True)
class Rows:
    """The heights of one kind of strip band.

    ``gutter``: white above the strip; ``strip``: its height; ``top``: of the panels, below the strip's;
    ``panel``: height of a panel; ``plate``: of its name; ``lane``: middle of the quest lane, below the
    strip's top; ``swell``: how large markers are.
    """

    gutter: int
    strip: int
    top: int
    panel: int
    plate: int
    lane: int
    swell: float

    @property
    def band(self) -> int:
        """Return the height of a band."""
        return self.gutter + self.strip

    @property
    def panel_top(self) -> int:
        """Return the upper edge of the panels, from the band's top."""
        return self.gutter + self.top

    @property
    def base(self) -> int:
        """Return the lower edge of a panel's picture, above its name, from the panel's top."""
        return self.panel - (self.plate or 8) - 2


BOARD = Rows(gutter=14, strip=230, top=7, panel=174, plate=34, lane=206, swell=1.0)
SMALL = Rows(gutter=13, strip=150, top=5, panel=108, plate=0, lane=132, swell=0.82)


def left_of(column: int) -> int:
    """Return the left edge of a panel; of column 0: of the strip."""
    return MARGIN if column == 0 else MARGIN + FIRST + 8 + PITCH * (column - 1)


def middle_of(column: int) -> int:
    """Return the middle of a column."""
    return MARGIN + FIRST // 2 if column == 0 else left_of(column) + PANEL // 2


def place(square: Square) -> tuple[str, int]:
    """Return the strip's letter and the column of a square: ``"c3"`` → ``("C", 3)``."""
    return square[0].upper(), int(square[1:])


def square_of(strip: str, column: int) -> Square:
    """Return the square of a strip in a column."""
    return f"{strip.lower()}{column}"


SQUARES = range(1, COLUMNS + 1)
"""Columns of the squares."""
