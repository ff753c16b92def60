"""Where things are on a picture of CORTO, in pixels of a picture 1,100 wide.

A page is a pile of bands as wide as the picture: ruler, one band a strip, players or hand. Nothing leaves
its band, so that a band can be kept and laid again while others change. Pages are between 1:1 and 1.3:1, as
a client shows a single picture largest; their lower left corner is free for the client's ALT mark.
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
RULER = 40
"""Height of the row of column numbers above the first strip."""
CORNER = (200, 96)
"""Width and height of the lower left corner, where nothing that matters may be."""


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
        return self.panel - (self.plate or 6) - 2


_BOARD = {
    3: Rows(gutter=12, strip=244, top=7, panel=188, plate=36, lane=220, swell=1.0),
    4: Rows(gutter=10, strip=196, top=7, panel=142, plate=36, lane=172, swell=0.96),
}
_SMALL = {
    3: Rows(gutter=11, strip=218, top=7, panel=162, plate=0, lane=194, swell=1.0),
    4: Rows(gutter=10, strip=184, top=7, panel=130, plate=0, lane=160, swell=0.96),
}


def board_rows(strips: int) -> Rows:
    """Return the strips' heights on the public page of so many strips."""
    return _BOARD[max(3, strips)]


def small_rows(strips: int) -> Rows:
    """Return the strips' heights, without names, on the private page of so many strips."""
    return _SMALL[max(3, strips)]


PLAIN = Rows(gutter=8, strip=108, top=4, panel=100, plate=0, lane=0, swell=1.0)
"""The strips' heights where they show who controls what, and nothing else."""
CARD = Rows(gutter=12, strip=228, top=7, panel=172, plate=36, lane=204, swell=1.0)
"""The heights that the cards are drawn for; the close-up enlarges them."""


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
