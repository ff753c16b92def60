"""The parts of a page: bands piled up, strips laid in tiles, boxes, dashes, comic lettering.

A band is a part of the page in the colours of its theme, kept by what it shows. It is painted in full colour
once, then laid in the palette: a page of known bands needs no new colours and is encoded as it is. Bands stay
in memory only, for they show positions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from PIL import Image, ImageDraw

from engines.core.contract import Seat
from renderers.core.caches import MIB, ImageCache, remembered, remembered_together
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.theme import Colour, rgb
from renderers.core.type import Face, comic, shrunk, suited
from renderers.corto.layout import SQUARES, WIDTH, left_of
from renderers.corto.palette import palette
from renderers.corto.strip_model import StripModel
from renderers.corto.theme import Theme

BANDS = ImageCache(8 * MIB, 0)
"""Some ten pages. None is compressed: nearly every act brings bands, and few of those come again later."""

Columns: TypeAlias = frozenset[int]

_GAP = 4
"""Pixels between a tile's left edge and its panel."""
_LEFTS = (0, *(left_of(column) - _GAP for column in SQUARES), WIDTH)


def band(theme: Theme, key: Hashable, paint: Callable[[], Image.Image]) -> Image.Image:
    """Return what ``paint`` paints in the palette of ``theme``, from memory where ``key`` is known."""
    return remembered(BANDS, (theme, key), lambda: flat(theme, paint()))


def flat(theme: Theme, image: Image.Image) -> Image.Image:
    """Return a picture converted to the palette of ``theme``."""
    return image.quantize(palette=palette(theme), dither=Image.Dither.NONE)


def pile(theme: Theme, bands: Sequence[Image.Image]) -> Image.Image:
    """Return a page: bands below each other."""
    page = Image.new("P", (WIDTH, sum(one.height for one in bands)))
    page.putpalette(palette(theme).getpalette() or ())
    top = 0
    for one in bands:
        page.paste(one, (0, top))
        top += one.height
    return page


Box = tuple[int, int, int, int]
"""Left, top, width, height."""

_LEAST, _SMALLEST = 18, 26
"""Pixels to which comic lettering and other lines shrink."""


def box(
    canvas: Canvas, at: Box, fill: Colour, edge: Colour, width: int = 3, shadow: Colour | None = None
) -> None:
    """Draw a box with an edge inside it, and a hard shadow to the lower right."""
    left, top, wide, high = at
    if shadow is not None:
        canvas.fill((left + 4, top + 5), (wide, high), shadow)
    canvas.fill((left, top), (wide, high), edge)
    canvas.fill((left + width, top + width), (wide - 2 * width, high - 2 * width), fill)


def dashes(canvas: Canvas, at: Box, colour: Colour, width: int, dash: int = 16, gap: int = 10) -> None:
    """Draw a dashed frame, ``width`` pixels inwards."""
    left, top, wide, high = at
    for x in range(left, left + wide, dash + gap):
        length = min(dash, left + wide - x)
        canvas.fill((x, top), (length, width), colour)
        canvas.fill((x, top + high - width), (length, width), colour)
    for y in range(top, top + high, dash + gap):
        length = min(dash, top + high - y)
        canvas.fill((left, y), (width, length), colour)
        canvas.fill((left + wide - width, y), (width, length), colour)


def put_line(
    canvas: Canvas, text: str, at: Point, face: Face, width: int, fill: Colour, anchor: str = "lm"
) -> None:
    """Write a line, smaller if it needs more than ``width`` pixels; what does not fit even then is cut."""
    shown, small = shrunk(text, face, width, _SMALLEST)
    canvas.words(shown, at, small, fill, anchor)


def put_name(
    canvas: Canvas,
    captions: Captions,
    seat: Seat,
    at: Point,
    face: Face,
    width: int,
    fill: Colour,
    anchor: str = "lm",
) -> None:
    """Write a player's name as :func:`put_line` writes a line."""
    name, small = captions.shrunk_name(seat, face, width, _SMALLEST)
    canvas.words(name, at, small, fill, anchor)


def caps(
    canvas: Canvas, text: str, at: Point, size: int, fill: Colour, anchor: str = "lm", width: int = 0
) -> None:
    """Write in comic lettering; with a ``width`` it becomes smaller until it fits."""
    while width and size > _LEAST and comic(size).width(text) > width:
        size -= 1
    face = suited(text, comic(size))
    # The comic lettering is too thin for small sizes; a stroke makes it bold.
    mask = _mask(text, face)
    ascent, descent = face.font.getmetrics()
    x = at[0] - {"l": 0.0, "m": 0.5, "r": 1.0}[anchor[0]] * face.width(text)
    y = at[1] + (ascent - descent) / 2
    canvas.image.paste(rgb(fill), (round(x) - 4, round(y) - ascent - 4), mask)


@lru_cache(maxsize=512)
def _mask(text: str, face: Face) -> Image.Image:
    ascent, descent = face.font.getmetrics()
    mask = Image.new("L", (round(face.width(text)) + 8, ascent + descent + 8))
    ImageDraw.Draw(mask).text(
        (4, 4 + ascent), text, fill=255, font=face.font, anchor="ls", stroke_width=face.size * 0.02
    )
    return mask


def tiled(
    theme: Theme, kind: Hashable, model: StripModel, paint: Callable[[Columns], Image.Image]
) -> Image.Image:
    """Return a strip in the palette of ``theme``, of tiles that are remembered where they are known.

    A tile is a column of a strip, from top to bottom: what an act leaves as it was is neither painted nor
    converted again. What stands in a column reaches into the next one at most (a leaning card, a sound,
    pieces side by side), so a tile is known by three columns.
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
