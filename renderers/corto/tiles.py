"""Strips laid column by column: what an act leaves as it was is neither painted nor converted again.

A tile is a column of a strip, from top to bottom. What stands in a column reaches into the next one at most:
a leaning card, a sound, pieces side by side. So a tile is known by three columns.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeAlias

from PIL import Image

from renderers.core.caches import remembered_together
from renderers.corto.layout import SQUARES, WIDTH, left_of
from renderers.corto.page import BANDS, flat
from renderers.corto.palette import palette
from renderers.corto.strip_model import StripModel
from renderers.corto.theme import Theme

Columns: TypeAlias = frozenset[int]

_GAP = 4
"""Pixels between a tile's left edge and its panel."""
_LEFTS = (0, *(left_of(column) - _GAP for column in SQUARES), WIDTH)


def tiled(
    theme: Theme, kind: Hashable, model: StripModel, paint: Callable[[Columns], Image.Image]
) -> Image.Image:
    """Return a strip in the palette of ``theme``, of tiles that are remembered where they are known.

    ``paint`` paints a strip of this ``kind``, of which only the columns that it is given have to be right.
    """

    def tiles(new: Sequence[int]) -> Iterator[Image.Image]:
        painted = paint(frozenset(new))
        for column in new:
            yield flat(theme, painted.crop((_LEFTS[column], 0, _LEFTS[column + 1], painted.height)))

    columns = range(len(model.cells))
    found = remembered_together(BANDS, [(theme, kind, _seen(model, column)) for column in columns], tiles)
    strip = Image.new("P", (WIDTH, found[0].height))
    strip.putpalette(palette(theme).getpalette() or ())
    for left, tile in zip(_LEFTS, found, strict=False):
        strip.paste(tile, (left, 0))
    return strip


def _seen(model: StripModel, column: int) -> Hashable:
    """Return all that a tile depends on."""
    cells = model.cells[max(0, column - 1) : column + 2]
    near = [piece for piece in model.pieces if abs((piece.column or 0) - column) <= 1]
    deck = () if column else (model.deck, model.discards, model.holder, model.draw)
    return model.strip, column, cells, tuple(near), deck, model.asking
