"""A brush: flat washes of colour, and lines of ink that are thin towards the light and thick away from it.

The brush draws on a sheet several times as large as its result, washes and ink separately. At board size
washes keep hard edges and ink has three steps (none, half, full): it looks like ink and compresses well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from PIL import Image, ImageChops, ImageDraw

from renderers.core.canvas import reduced
from renderers.core.geometry import Point
from renderers.core.theme import Colour, mix, rgb
from renderers.corto.curves import area, divided, flattened, oval

Outline: TypeAlias = str | Sequence[Point]
"""A path of :mod:`renderers.corto.curves`, or points that straight lines join."""

LARGE = 1.5
"""Pixels a unit from which on a sheet is smoothed."""

SHADE = "#3A2834"
"""What a second coat moves a colour towards."""
SHINE = "#FFFAEE"
"""What a dry edge moves a colour towards."""

_LIGHT = (0.62, 0.78)
"""Where shadows fall: right and down."""

_Matrix: TypeAlias = tuple[float, float, float, float, float, float]
_Box: TypeAlias = tuple[int, int, int, int]

TAPERS: Mapping[str, Callable[[float], float]] = {
    "both": lambda along: 0.30 + 0.70 * math.pow(math.sin(math.pi * along), 0.6),
    "swell": lambda along: 0.12 + 0.88 * math.sin(math.pi * along),
    "start": lambda along: 0.25 + 0.75 * min(1.0, along * 2.2),
    "end": lambda along: 0.25 + 0.75 * min(1.0, (1 - along) * 2.2),
    "none": lambda _: 1.0,
}
"""How thick a line is at a share of its length: 1 where it is thickest."""


def stepped(mask: Image.Image) -> Image.Image:
    """Return a mask whose edges have one step only between nothing and all."""
    return mask.point([0] * 76 + [128] * 104 + [255] * 76)


class Brush:
    """Draws on a transparent sheet of ``width`` × ``height`` pixels; a unit is ``zoom`` of them.

    A colour equal to ``ink`` is ink; all others are washes, and a wash covers the ink below it.
    """

    def __init__(
        self, width: int, height: int, zoom: float, ink: Colour, ground: Colour | None = None
    ) -> None:
        self.zoom = zoom
        self.size = (width, height)
        # Large sheets need less enlarging, and cost more.
        self._fine = 3 if zoom >= LARGE else 4
        large = (width * self._fine, height * self._fine)
        self._ink = rgb(ink)
        self._washes = Image.new("RGBA", large, ground or (0, 0, 0, 0))
        self._inked = Image.new("L", large)
        self._wash_pen = ImageDraw.Draw(self._washes)
        self._ink_pen = ImageDraw.Draw(self._inked)
        self._unit = zoom * self._fine
        self._matrix: _Matrix = (self._unit, 0.0, 0.0, 0.0, self._unit, 0.0)

    @contextmanager
    def at(
        self, x: float, y: float, scale: float = 1, turn: float = 0, *, flip: bool = False
    ) -> Iterator[None]:
        """Move the origin, scale, turn (degrees, clockwise on the screen) and mirror what is drawn inside."""
        old = a, b, c, d, e, f = self._matrix
        unit, angle = self._unit, math.radians(turn)
        cos, sin, across = math.cos(angle), math.sin(angle), -scale if flip else scale
        p, q, r, s = cos * across, -sin * scale, sin * across, cos * scale
        # The old matrix times the new one: what is drawn goes through the inner one first.
        self._matrix = (
            a * p + b * r, a * q + b * s, a * x + b * y + c,
            d * p + e * r, d * q + e * s, d * x + e * y + f,
        )  # fmt: skip
        self._unit = unit * scale
        try:
            yield
        finally:
            self._matrix, self._unit = old, unit

    @contextmanager
    def clip(self, outline: Outline) -> Iterator[None]:
        """Cut off what is drawn inside where it leaves an outline."""
        stencil = _mask(self._inked.size, self._placed(outline))
        box = stencil.getbbox()
        # Drawing goes on on copies, of which only the inside is taken over at the end.
        washes, inked = self._washes, self._inked
        self._take(washes.copy(), inked.copy())
        try:
            yield
        finally:
            if box is not None:
                part = stencil.crop(box)
                washes.paste(self._washes.crop(box), box[:2], part)
                inked.paste(self._inked.crop(box), box[:2], part)
            self._take(washes, inked)

    def fill(self, outline: Outline, colour: Colour) -> None:
        """Fill an outline with one flat colour, or with ink."""
        points = self._placed(outline)
        if len(points) < 3:
            return
        inked = rgb(colour) == self._ink
        if not inked:
            self._wash_pen.polygon(points, fill=colour)
        self._ink_pen.polygon(points, fill=255 if inked else 0)

    def wash(self, outline: Outline, colour: Colour, dark: float, lite: float, off: float) -> None:
        """Fill an outline with a tint, and a second coat of ``dark`` where it turns from the light.

        ``off``: units that the second coat keeps from the lit edge. ``lite``: a dry edge, on large sheets.
        """
        points = self._placed(outline)
        xs, ys = [x for x, _ in points], [y for _, y in points]
        width, height = self._inked.size
        left, top = max(0, int(min(xs)) - 2), max(0, int(min(ys)) - 2)
        box = left, top, min(width, int(max(xs)) + 3), min(height, int(max(ys)) + 3)
        if box[2] <= box[0] or box[3] <= box[1]:
            return
        base = _stencil(points, box)
        if rgb(colour) == self._ink:
            self._inked.paste(255, box, base)
            return
        self._washes.paste((*rgb(colour), 255), box, base)
        self._inked.paste(0, box, base)
        if dark:
            reach = off * self._unit
            # Moved towards the light, the outline leaves its shaded side uncovered.
            lit = _stencil(points, box, -reach, -0.8 * reach)
            self._washes.paste((*rgb(mix(colour, SHADE, dark)), 255), box, ImageChops.subtract(base, lit))
        if lite and self.zoom >= LARGE:
            reach = 1.1 * self._unit
            edge = ImageChops.subtract(base, _stencil(points, box, reach, reach))
            self._washes.paste((*rgb(mix(colour, SHINE, lite)), 255), box, edge)

    def outline(
        self, outline: Outline, width: float, contrast: float = 1, colour: Colour | None = None
    ) -> None:
        """Draw an outline with a brush; ``contrast`` 0 is the same width all round."""
        points = divided(self._placed(outline), 2.2 * self._fine, closed=True)
        count = len(points)
        if count < 3:
            return
        side = 1 if area(points) > 0 else -1
        raw: list[float] = []
        for i in range(count):
            before, after = points[i - 2], points[(i + 2) % count]
            dx, dy = after[0] - before[0], after[1] - before[1]
            # Thick where the edge faces away from the light, and a little uneven, as a hand draws.
            away = side * (dy * _LIGHT[0] - dx * _LIGHT[1]) / (math.hypot(dx, dy) or 1)
            hand = 1 + 0.10 * math.sin(i * 0.23 + points[0][0] * 0.05)
            swelling = hand * (1 - contrast * 0.45 + contrast * 0.75 * max(-0.35, away))
            raw.append(width * self._unit * swelling)
        # Averaged with its neighbours, for the direction of an edge jumps at corners.
        widths = [(raw[i - 1] + raw[i] + raw[(i + 1) % count]) / 3 for i in range(count)]
        self._stroke(points, widths, colour, closed=True)

    def line(
        self,
        outline: Outline,
        width: float,
        taper: str = "both",
        colour: Colour | None = None,
        *,
        closed: bool = False,
    ) -> None:
        """Draw an open line whose ends are thinner, as ``taper`` says: one of :data:`TAPERS`."""
        points = divided(self._placed(outline, closed=closed), 2.2 * self._fine, closed=closed)
        last = max(1, len(points) - 1)
        widths = [width * self._unit * TAPERS[taper](i / last) for i in range(len(points))]
        self._stroke(points, widths, colour, closed=closed)

    def dot(self, x: float, y: float, rx: float, ry: float, colour: Colour) -> None:
        """Fill an ellipse."""
        self.fill(oval(x, y, rx, ry, 20 if max(rx, ry) * self.zoom < 12 else 44), colour)

    def finish(self) -> Image.Image:
        """Return the sheet in its own size: a large one smoothed, else flat colours and stepped ink."""
        if self.zoom >= LARGE:
            inked = self._inked.convert("1", dither=Image.Dither.NONE)
            self._washes.paste((*self._ink, 255), (0, 0), inked)
            return reduced(self._washes, self._fine)
        ink = stepped(self._inked.reduce(self._fine))
        flat = self._washes.resize(self.size, Image.Resampling.NEAREST)
        alpha = ImageChops.lighter(flat.getchannel("A"), ink)
        # A wash's own colour would be a fringe where its edge is half covered: such pixels are ink.
        hollow = alpha.point([0, *[255] * 254, 0])
        sheet = flat.convert("RGB")
        sheet.paste(self._ink, (0, 0), ImageChops.lighter(ink, hollow))
        sheet.putalpha(alpha)
        return sheet

    def _take(self, washes: Image.Image, inked: Image.Image) -> None:
        self._washes, self._inked = washes, inked
        self._wash_pen, self._ink_pen = ImageDraw.Draw(washes), ImageDraw.Draw(inked)

    def _placed(self, outline: Outline, *, closed: bool = True) -> list[Point]:
        points = flattened(outline, closed=closed) if isinstance(outline, str) else outline
        a, b, c, d, e, f = self._matrix
        return [(a * x + b * y + c, d * x + e * y + f) for x, y in points]

    def _stroke(
        self, points: Sequence[Point], widths: Sequence[float], colour: Colour | None, *, closed: bool
    ) -> None:
        if colour is None or rgb(colour) == self._ink:
            _sweep(self._ink_pen, points, widths, 255, closed=closed)
            return
        _sweep(self._wash_pen, points, widths, rgb(colour), closed=closed)
        _sweep(self._ink_pen, points, widths, 0, closed=closed)


def _stencil(points: Sequence[Point], box: _Box, dx: float = 0, dy: float = 0) -> Image.Image:
    """Return the inside of an outline, moved by ``dx`` and ``dy``, as a mask of the size of ``box``."""
    inside = [(x - box[0] + dx, y - box[1] + dy) for x, y in points]
    return _mask((box[2] - box[0], box[3] - box[1]), inside)


def _mask(size: tuple[int, int], points: Sequence[Point]) -> Image.Image:
    # All edges here are hard, and a mask of one bit is pasted through far faster than a soft one.
    mask = Image.new("1", size)
    ImageDraw.Draw(mask).polygon(points, fill=1)
    return mask


def _sweep(
    pen: ImageDraw.ImageDraw,
    points: Sequence[Point],
    widths: Sequence[float],
    fill: int | tuple[int, int, int],
    *,
    closed: bool,
) -> None:
    # Some ten thousand parts a drawing: the pen looks a colour up for each, so its own methods are called.
    polygon, ellipse, ink = pen.draw.draw_polygon, pen.draw.draw_ellipse, pen.draw.draw_ink(fill)
    ends = [*points[1:], points[0]] if closed else points[1:]
    radii = [width / 2 for width in widths]
    for (x0, y0), (x1, y1), r0, r1 in zip(points, ends, radii, [*radii[1:], radii[0]], strict=False):
        length = math.dist((x0, y0), (x1, y1))
        if length > 0.01:
            nx, ny = (y0 - y1) / length, (x1 - x0) / length
            corners = (
                x0 + nx * r0, y0 + ny * r0, x1 + nx * r1, y1 + ny * r1,
                x1 - nx * r1, y1 - ny * r1, x0 - nx * r0, y0 - ny * r0,
            )  # fmt: skip
            polygon(corners, ink, 1)
        # A disc on every joint, for the parts leave gaps where a line bends.
        if r0 > 0.6:
            ellipse((x0 - r0, y0 - r0, x0 + r0, y0 + r0), ink, 1)
    if not closed and widths[-1] > 1.2:
        (x, y), r = points[-1], widths[-1] / 2
        pen.ellipse((x - r, y - r, x + r, y + r), fill=fill)
