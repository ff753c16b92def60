"""Drawing: a pen that draws large and reduces, and a canvas for sprites and texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from renderers.core.caches import WORDS
from renderers.core.geometry import Point
from renderers.core.theme import Colour, rgb
from renderers.core.type import Face, extent, ink_shift, write

SCALE = 4
"""How many times larger than its result a pen draws."""

_STRIP = 256
"""Rows of the result that are reduced at a time."""


class Pen:
    """Draws filled shapes on a picture ``SCALE`` times as large as its result.

    ``width`` and ``height`` are output pixels; a unit of the shapes is ``zoom`` of them. Later shapes
    replace earlier ones; a colour with an opacity replaces too and does not blend.
    """

    def __init__(
        self, width: int, height: int, *, ground: Colour | None = None, zoom: float = 1, centred: bool = False
    ) -> None:
        size = (width * SCALE, height * SCALE)
        self._scale = SCALE * zoom
        self._image = Image.new("RGB", size, ground) if ground else Image.new("RGBA", size)
        self._draw = ImageDraw.Draw(self._image)
        self._origin = (size[0] / 2, size[1] / 2) if centred else (0.0, 0.0)

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """Fill a polygon."""
        self._draw.polygon([self._at(point) for point in points], fill=fill)

    def shape(self, points: Sequence[Point], fill: Colour, rim: Colour, width: float) -> None:
        """Fill a polygon with a rim of ``width`` around it, round at the corners."""
        self.line([*points, points[0]], 2 * width, rim)
        self.polygon(points, fill)

    def disc(self, centre: Point, radius: float, fill: Colour) -> None:
        """Fill a circle."""
        self.oval(centre, radius, radius, fill)

    def oval(self, centre: Point, rx: float, ry: float, fill: Colour) -> None:
        """Fill an upright ellipse."""
        x, y = self._at(centre)
        rx, ry = rx * self._scale, ry * self._scale
        self._draw.ellipse((x - rx, y - ry, x + rx, y + ry), fill=fill)

    def ring(self, centre: Point, radius: float, width: float, fill: Colour) -> None:
        """Draw a circle's line: ``radius`` to its outer edge, ``width`` inwards."""
        x, y = self._at(centre)
        r = radius * self._scale
        self._draw.ellipse((x - r, y - r, x + r, y + r), outline=fill, width=round(width * self._scale))

    def line(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        """Draw a line with round ends and corners."""
        large = [self._at(point) for point in points]
        self._draw.line(large, fill=fill, width=max(1, round(width * self._scale)))
        # Thick lines leave gaps where they bend; a disc at every point rounds corners and ends.
        r = width * self._scale / 2
        for x, y in large:
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)

    def box(
        self,
        corner: Point,
        size: Point,
        radius: float,
        fill: Colour | None,
        rim: Colour | None = None,
        width: float = 0,
    ) -> None:
        """Fill a box with round corners; a rim lies inside its edge."""
        x, y = self._at(corner)
        # Pillow paints the far corner too.
        far = (x + size[0] * self._scale - 1, y + size[1] * self._scale - 1)
        self._draw.rounded_rectangle(
            (x, y, *far), radius * self._scale, fill=fill, outline=rim, width=round(width * self._scale)
        )

    def finish(self, *, hard: bool = False) -> Image.Image:
        """Return the picture in its output size, with soft edges, or ``hard`` ones."""
        if hard:
            size = (self._image.width // SCALE, self._image.height // SCALE)
            return self._image.resize(size, Image.Resampling.NEAREST)
        return reduced(self._image, SCALE)

    def _at(self, point: Point) -> Point:
        return point[0] * self._scale + self._origin[0], point[1] * self._scale + self._origin[1]


def reduced(image: Image.Image, by: int) -> Image.Image:
    """Return a picture ``by`` times smaller; its sides are multiples of that."""
    # Pillow converts all that it reduces, which takes as much memory again: strip by strip it takes little.
    small = Image.new(image.mode, (image.width // by, image.height // by))
    for top in range(0, small.height, _STRIP):
        low = min(small.height, top + _STRIP)
        small.paste(image.crop((0, top * by, image.width, low * by)).reduce(by), (0, top))
    return small


def painted(size: int | tuple[int, int], draw: Callable[[Pen], None], zoom: float = 1) -> Image.Image:
    """Return a transparent picture that ``draw`` drew on, the origin in its middle.

    ``size``: its width and height in pixels, or the side of a square.
    """
    width, height = (size, size) if isinstance(size, int) else size
    pen = Pen(width, height, zoom=zoom, centred=True)
    draw(pen)
    return pen.finish()


def written(image: Image.Image, text: str, at: Point, face: Face, fill: Colour) -> Image.Image:
    """Return ``image`` with a short label, the middle of its ink on ``at``."""
    dx, dy = ink_shift(text, face)
    write(ImageDraw.Draw(image), (at[0] + dx, at[1] + dy), text, face, fill, "ls")
    return image


def _corner(text: str, face: Face, anchor: str) -> tuple[int, int]:
    # A pixel of room for soft edges, and for the fraction by which the anchor is moved.
    left, top, _, _ = extent(text, face, anchor)
    return math.floor(left) - 1, math.floor(top) - 1


def _written(text: str, face: Face, anchor: str, dx: float, dy: float) -> Image.Image:
    """Return the mask of a text; ``dx`` and ``dy``: its anchor, in fractions of a pixel."""
    _, _, right, low = extent(text, face, anchor)
    left, top = _corner(text, face, anchor)
    mask = Image.new("L", (math.ceil(right) - left + 2, math.ceil(low) - top + 2))
    write(ImageDraw.Draw(mask), (dx - left, dy - top), text, face, 255, anchor)
    return mask


class Canvas:
    """A picture in output size, for sprites and texts."""

    def __init__(self, ground: Image.Image) -> None:
        self.image = ground.convert("RGB")
        self._draw = ImageDraw.Draw(self.image)

    def put(self, sprite: Image.Image, centre: Point) -> None:
        """Put a sprite with its middle on ``centre``; what is outside the canvas is cut off."""
        self.cut(sprite, sprite, centre)

    def cut(self, sprite: Image.Image, stencil: Image.Image, centre: Point) -> None:
        """Put a sprite through a stencil of its size; hard edges (mode ``1``) are fastest."""
        x = math.floor(centre[0] - sprite.width / 2 + 0.5)
        y = math.floor(centre[1] - sprite.height / 2 + 0.5)
        self.image.paste(sprite, (x, y), stencil)

    def draw(self, points: Sequence[Point], margin: float, draw: Callable[[Pen, Point], None]) -> None:
        """Draw shapes that are no sprites: on a patch around ``points``, ``margin`` pixels wider.

        ``draw`` gets the pen and the patch's corner, which it subtracts from every point.
        """
        left = math.floor(min(x for x, _ in points) - margin)
        top = math.floor(min(y for _, y in points) - margin)
        right = math.ceil(max(x for x, _ in points) + margin)
        bottom = math.ceil(max(y for _, y in points) + margin)
        pen = Pen(right - left, bottom - top)
        draw(pen, (left, top))
        patch = pen.finish()
        self.image.paste(patch, (left, top), patch)

    def fill(self, corner: Point, size: Point, colour: Colour) -> None:
        """Fill a box on whole pixels."""
        x, y = corner
        self._draw.rectangle((x, y, x + size[0] - 1, y + size[1] - 1), fill=colour)

    def frame(self, corner: Point, size: Point, width: int, colour: Colour) -> None:
        """Draw an empty box on whole pixels, its lines ``width`` pixels inwards."""
        (x, y), (wide, high) = corner, size
        self.fill((x, y), (wide, width), colour)
        self.fill((x, y + high - width), (wide, width), colour)
        self.fill((x, y), (width, high), colour)
        self.fill((x + wide - width, y), (width, high), colour)

    def words(self, text: str, at: Point, face: Face, fill: Colour, anchor: str = "lm") -> None:
        """Write ``text``; ``anchor`` as in Pillow (``lm``: left, middle of the line)."""
        # Whole pixels only move a mask: one is cached for each fraction of a pixel.
        x, y = math.floor(at[0]), math.floor(at[1])
        key = (text, face, anchor, at[0] - x, at[1] - y)
        mask = WORDS.get(key, lambda: _written(*key))
        left, top = _corner(text, face, anchor)
        self.image.paste(rgb(fill), (x + left, y + top), mask)

    def sign(self, text: str, centre: Point, face: Face, fill: Colour) -> None:
        """Write a short label with the middle of its ink on ``centre``."""
        dx, dy = ink_shift(text, face)
        write(self._draw, (centre[0] + dx, centre[1] + dy), text, face, fill, "ls")
