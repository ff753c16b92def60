"""Where things are on a clue sheet, in pixels: bands of ten rows, and in them a section for each other seat.

All sections stand in one band while their columns are wide enough; what does not fit goes into another
band below, with the rows repeated. So any number of clues can be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.core.contract import Seat
from engines.doge.view import CARDS, CRAFTS, Card

LEFT, LABELS_RIGHT, RIGHT = 24, 314, 1078
"""The edges of the rows, and of their labels."""

MARGIN = 33
"""Pixels of the column in which the own cards are crossed off."""

_TOP = 62
_HEAD, _SOURCES = 62, 44
"""Heights of a section's head, and of the signs below it."""
_GAP = 14
"""Between crafts and institutions."""
_ROW, _LOW_ROW = 58, 50
"""Height of a row where one band does, and where there are more."""
_BETWEEN = 44
"""Between bands: room for the pawns on the heads of the lower one."""
_FOOT = 338

SURE, WIDEST_SURE = 56, 78
"""How wide the column of certain marks is."""
COLUMN, WIDEST_COLUMN = 33, 84
"""How wide a clue's column is; what is left is room for clues to come."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a section asks for: columns, and pixels in which its head is complete."""

    seat: Seat
    clues: int
    head: float

    @property
    def columns(self) -> int:
        """Return the columns that are drawn; a section never looks empty."""
        return max(1, self.clues)

    @property
    def least(self) -> int:
        """Return the pixels without which its columns cannot be read."""
        return SURE + COLUMN * self.columns


@dataclass(frozen=True, slots=True)
class SectionBox:
    """Where a seat's section lies."""

    seat: Seat
    left: float
    width: float
    columns: int

    @property
    def right(self) -> float:
        """Return its right edge."""
        return self.left + self.width

    @property
    def sure(self) -> float:
        """Return the width of the column of certain marks."""
        return min(WIDEST_SURE, max(SURE, self.width / (self.columns + 1)))

    @property
    def column(self) -> float:
        """Return the width of a clue's column."""
        return min(WIDEST_COLUMN, (self.width - self.sure) / self.columns)

    def column_left(self, number: int) -> float:
        """Return the left edge of a clue's column; the number of all is the right edge of the last."""
        return self.left + self.sure + number * self.column


@dataclass(frozen=True, slots=True)
class Band:
    """Ten rows, and the sections side by side over them."""

    top: int
    row: int
    sections: tuple[SectionBox, ...]

    @property
    def heads_bottom(self) -> int:
        """Return the lower edge of the heads."""
        return self.top + _HEAD

    @property
    def rows_top(self) -> int:
        """Return the upper edge of the first row."""
        return self.top + _HEAD + _SOURCES

    def row_top(self, card: Card) -> int:
        """Return the upper edge of a card's row."""
        number = CARDS.index(card)
        return self.rows_top + number * self.row + (0 if card in CRAFTS else _GAP)

    def middle(self, card: Card) -> float:
        """Return the middle of a card's row."""
        return self.row_top(card) + self.row / 2

    @property
    def bottom(self) -> int:
        """Return the lower edge of the last row."""
        return self.row_top(CARDS[-1]) + self.row


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """A whole sheet."""

    bands: tuple[Band, ...]

    @property
    def foot(self) -> int:
        """Return the upper edge of the foot, with the treasures and the key of the marks."""
        return self.bands[-1].bottom

    @property
    def height(self) -> int:
        """Return the height of the picture."""
        return self.foot + _FOOT


def sheet_layout(needs: Sequence[Need]) -> SheetLayout:
    """Return where the sections are, in the order of ``needs``, each in the first band with room for it."""
    room = RIGHT - LABELS_RIGHT
    groups: list[list[Need]] = []
    for need in needs:
        group = next((one for one in groups if sum(n.least for n in [*one, need]) <= room), None)
        if group is None:
            groups.append([need])
        else:
            group.append(need)
    row = _ROW if len(groups) == 1 else _LOW_ROW
    bands: list[Band] = []
    for group in groups:
        top = bands[-1].bottom + _BETWEEN if bands else _TOP
        bands.append(Band(top, row, _boxes(group)))
    return SheetLayout(tuple(bands))


def _boxes(group: Sequence[Need]) -> tuple[SectionBox, ...]:
    """Return sections that fill a band: what columns need, then what names need, the rest by columns."""
    room = RIGHT - LABELS_RIGHT
    # A section alone may have more columns than fit: they become narrower.
    least = [min(room, need.least) for need in group]
    spare = room - sum(least)
    wanted = [max(0.0, need.head - width) for need, width in zip(group, least, strict=True)]
    share = min(1.0, spare / (sum(wanted) or 1))
    left_over, columns = spare - share * sum(wanted), sum(need.columns for need in group)
    boxes: list[SectionBox] = []
    left = float(LABELS_RIGHT)
    for need, alone, more in zip(group, least, wanted, strict=True):
        width = alone + share * more + left_over * need.columns / columns
        boxes.append(SectionBox(need.seat, left, width, need.columns))
        left = boxes[-1].right
    return tuple(boxes)
