"""A hand-tinted copperplate in the making: flat washes under hatching in ink.

Files stay small because there is neither grain nor gradient: four strengths of ink, and hatching that lies
on one lattice for the whole plate, so that areas join and rows repeat.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, TypeAlias

from PIL import Image, ImageChops, ImageDraw

from renderers.core.geometry import Point
from renderers.core.theme import Colour
from renderers.core.type import Face, ink_shift, suited
from renderers.doge.emblems import Sign, emblem
from renderers.doge.theme import Tints

Slope: TypeAlias = Literal["-", "|", "/", "\\"]
Width: TypeAlias = float | tuple[float, float]
"""One width, or two: lines swell from the first to the second across an area, as a round body is modelled."""

FULL = 255
"""Ink at its full strength; less of it is paler."""

SCALE = 3
"""How many times larger than its result a plate is drawn."""

_STRENGTHS = tuple(0 if v < 70 else 85 if v < 135 else 170 if v < 188 else FULL for v in range(256))
"""The faintest edges go, the others are rounded: crisper, and a smaller file."""


class Plate:
    """An engraving in progress; all coordinates are pixels of the result, moved by :meth:`at`."""

    def __init__(self, width: int, height: int, tints: Tints, ground: Colour) -> None:
        self.tints = tints
        self.wash = Image.new("RGB", (width * SCALE, height * SCALE), ground)
        self.ink = Image.new("L", self.wash.size)
        self._washing = ImageDraw.Draw(self.wash)
        self._inking = ImageDraw.Draw(self.ink)
        self._origin: Point = (0.0, 0.0)
        self._zoom = 1.0

    @contextmanager
    def at(self, x: float, y: float, zoom: float = 1) -> Iterator[None]:
        """Draw around (x, y) and ``zoom`` times as large for a while; lines keep their widths."""
        before = self._origin, self._zoom
        self._origin = (self._origin[0] + x * self._zoom, self._origin[1] + y * self._zoom)
        self._zoom *= zoom
        yield
        self._origin, self._zoom = before

    def enlarged(self, points: Iterable[Point]) -> list[Point]:
        """Return points in pixels of the enlarged pictures."""
        (x, y), zoom = self._origin, self._zoom
        return [((x + px * zoom) * SCALE, (y + py * zoom) * SCALE) for px, py in points]

    # --- the brush and the burin ------------------------------------------------------------------

    def tint(self, points: Iterable[Point], wash: Colour) -> None:
        """Wash an area and leave its ink."""
        self._washing.polygon(self.enlarged(points), fill=wash)

    def area(
        self, points: Iterable[Point], wash: Colour | None = None, width: float = 1.2, ink: int = FULL
    ) -> None:
        """Draw a body that hides the ink behind it: washed, with an outline (``width`` 0: none)."""
        large = self.enlarged(points)
        self._inking.polygon(large, fill=0)
        if wash is not None:
            self._washing.polygon(large, fill=wash)
        if width:
            self._stroke([*large, *large[:2]], width, ink)

    def solid(self, points: Iterable[Point], ink: int = FULL) -> None:
        """Fill an area with ink."""
        self._inking.polygon(self.enlarged(points), fill=ink)

    def line(self, points: Iterable[Point], width: float = 1, ink: int = FULL) -> None:
        """Draw a line."""
        self._stroke(self.enlarged(points), width, ink)

    def road(self, points: Iterable[Point], width: float, wash: Colour, ink: int) -> None:
        """Lay a road: washed, with an edge of ink that later parts of the same road open again."""
        large = self.enlarged(points)
        self._stroke(large, width + 2, ink)
        self._washing.line(large, fill=wash, width=round(width * SCALE), joint="curve")

    def dot(self, centre: Point, radius: float, ink: int = FULL) -> None:
        """Draw a disc of ink; with no ink, a hole in it."""
        ((x, y),) = self.enlarged([centre])
        r = radius * self._zoom * SCALE
        self._inking.ellipse((x - r, y - r, x + r, y + r), fill=ink)

    def stamp(self, sign: Sign, centre: Point, size: float, ink: int = FULL) -> None:
        """Print a woodcut ``size`` wide."""
        ((x, y),) = self.enlarged([centre])
        mask = emblem(sign, round(size * self._zoom) * SCALE)
        self.ink.paste(ink, (round(x - mask.width / 2), round(y - mask.height / 2)), mask)

    def word(self, text: str, centre: Point, face: Face, gap: float = 0, ink: int = FULL) -> None:
        """Write a text, the middle of its ink on ``centre``; ``gap``: pixels put between letters.

        Capitals are centred upon its height, so that texts beside each other stand on one line.
        """
        large = suited(text, Face(face.family, face.weight, face.size * SCALE))
        ((x, y),) = self.enlarged([centre])
        dx, dy = ink_shift(text, large)[0], ink_shift("H", large)[1]
        x, y = x + dx - gap * SCALE * (len(text) - 1) / 2, y + dy
        for letter in text if gap else (text,):
            self._inking.text((x, y), letter, fill=ink, font=large.font, anchor="ls")
            x += large.width(letter) + gap * SCALE

    def hatch(
        self,
        points: Iterable[Point],
        slope: Slope,
        period: int,
        width: Width = 1.0,
        ink: int = FULL,
        holes: Sequence[Iterable[Point]] = (),
    ) -> None:
        """Rule an area with lines, ``period`` pixels apart; ``holes`` in it are left free."""
        large = self.enlarged(points)
        left, top = (max(0, math.floor(min(part))) for part in zip(*large, strict=True))
        right, low = (
            min(most, math.ceil(max(part)) + 1)
            for part, most in zip(zip(*large, strict=True), self.ink.size, strict=True)
        )
        if left >= right or top >= low:
            return
        mask = Image.new("L", (right - left, low - top))
        draw = ImageDraw.Draw(mask)
        draw.polygon([(x - left, y - top) for x, y in large], fill=FULL)
        for hole in holes:
            draw.polygon([(x - left, y - top) for x, y in self.enlarged(hole)], fill=0)
        ruled = _ruled(mask.size, (left, top), slope, period * SCALE, width)
        self.ink.paste(ink, (left, top), ImageChops.multiply(mask, ruled))

    def impression(self) -> Image.Image:
        """Return the print."""
        ink = self.ink.reduce(SCALE).point(_STRENGTHS)
        wash = self.wash.reduce(SCALE)
        wash.paste(Image.new("RGB", wash.size, self.tints.ink), None, ink)
        return wash

    def _stroke(self, large: Sequence[Point], width: float, ink: int) -> None:
        self._inking.line(large, fill=ink, width=max(1, round(width * SCALE)), joint="curve")


def _ruled(
    size: tuple[int, int], corner: tuple[int, int], slope: Slope, period: int, width: Width
) -> Image.Image:
    """Return ruled lines on the lattice of the whole plate; ``corner``: where the part lies on it."""
    (wide, high), (left, top) = size, corner
    first, last = width if isinstance(width, tuple) else (width, width)
    ruled = Image.new("L", size)
    draw = ImageDraw.Draw(ruled)

    def thick(share: float) -> int:
        return max(1, round((first + (last - first) * min(1.0, max(0.0, share))) * SCALE))

    if slope == "-":
        for y in range(-(top % period), high, period):
            draw.rectangle((0, y, wide, y + thick(y / high) - 1), fill=FULL)
    elif slope == "|":
        for x in range(-(left % period), wide, period):
            draw.rectangle((x, 0, x + thick(x / wide) - 1, high), fill=FULL)
    else:
        # An oblique line of the same width crosses more pixels of a row.
        fall = high if slope == "\\" else -high
        across = left - top if slope == "\\" else left + top
        start = min(0, -fall) - (across + min(0, -fall)) % period
        for x in range(start, wide + max(0, -fall) + period, period):
            share = (x + fall / 2) / wide
            draw.line((x, 0, x + fall, high), fill=FULL, width=round(thick(share) * 1.25))
    return ruled
