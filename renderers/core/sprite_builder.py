"""Sprites with light and shade, built from stencils that are blurred, shaded and coloured.

A stencil is an ``L`` picture of the builder's enlarged size; laying it paints a colour through it.
All of this is slow compared with a paste: a game builds its sprites once and caches them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from renderers.core.geometry import Point
from renderers.core.theme import Colour, rgb
from renderers.core.type import Face, ink_shift

Stencil: TypeAlias = Image.Image
"""An ``L`` picture: 0 keeps what is there, 255 paints over it."""

Paint: TypeAlias = Colour | tuple[Colour, ...]
"""One colour, or the stops of a gradient from the stencil's upper left to its lower right."""

_REACH = 3.5
"""How many standard deviations a blur reaches: what is farther from a stencil is left out, for speed."""
_EDGE_IN, _EDGE_OUT = 214, 41
"""What is left of a full stencil one standard deviation inside and outside its edge."""


class SpriteBuilder:
    """A transparent sprite in progress, ``width`` × ``height`` pixels when it is finished.

    A unit of all shapes is ``zoom`` output pixels; everything is drawn ``scale`` times as large.
    """

    def __init__(
        self, width: int, height: int, *, zoom: float = 1, scale: int = 3, centred: bool = False
    ) -> None:
        self._reduce = scale
        self._unit = scale * zoom
        self._size = (width * scale, height * scale)
        self._origin = (self._size[0] / 2, self._size[1] / 2) if centred else (0.0, 0.0)
        self._image = Image.new("RGBA", self._size)

    # --- stencils ---------------------------------------------------------------------------------

    def empty(self) -> Stencil:
        """Return a stencil that paints nothing."""
        return Image.new("L", self._size)

    def polygon(self, *outlines: Sequence[Point]) -> Stencil:
        """Return filled polygons."""
        stencil = self.empty()
        draw = ImageDraw.Draw(stencil)
        for points in outlines:
            draw.polygon([self._at(point) for point in points], fill=255)
        return stencil

    def discs(self, centres: Sequence[Point], radius: float) -> Stencil:
        """Return equal discs."""
        stencil = self.empty()
        draw = ImageDraw.Draw(stencil)
        r = radius * self._unit
        for x, y in (self._at(point) for point in centres):
            draw.ellipse((x - r, y - r, x + r, y + r), fill=255)
        return stencil

    def ring(self, centre: Point, radius: float, width: float) -> Stencil:
        """Return a circle's line: ``radius`` to its outer edge, ``width`` inwards."""
        return ImageChops.subtract(self.discs([centre], radius), self.discs([centre], radius - width))

    def line(self, points: Sequence[Point], width: float, *, closed: bool = False) -> Stencil:
        """Return a line with round ends and corners."""
        stencil = self.empty()
        draw = ImageDraw.Draw(stencil)
        large = [self._at(point) for point in ([*points, points[0]] if closed else points)]
        draw.line(large, fill=255, width=max(1, round(width * self._unit)))
        r = width * self._unit / 2
        for x, y in large:
            draw.ellipse((x - r, y - r, x + r, y + r), fill=255)
        return stencil

    def box(self, corner: Point, size: Point, radius: float = 0) -> Stencil:
        """Return a box with round corners."""
        stencil = self.empty()
        x, y = self._at(corner)
        # Pillow paints the far corner too.
        far = (x + size[0] * self._unit - 1, y + size[1] * self._unit - 1)
        ImageDraw.Draw(stencil).rounded_rectangle((x, y, *far), radius * self._unit, fill=255)
        return stencil

    def word(self, text: str, centre: Point, face: Face) -> Stencil:
        """Return a short label, the middle of its ink on ``centre``; the face's size is in units."""
        stencil = self.empty()
        large = Face(face.family, face.weight, round(face.size * self._unit))
        dx, dy = ink_shift(text, large)
        x, y = self._at(centre)
        ImageDraw.Draw(stencil).text((x + dx, y + dy), text, fill=255, font=large.font, anchor="ls")
        return stencil

    # --- what is done to stencils -----------------------------------------------------------------

    def soft(self, stencil: Stencil, blur: float) -> Stencil:
        """Return the stencil blurred by a standard deviation of ``blur`` units."""
        box = stencil.getbbox()
        if box is None:
            return stencil
        # Most stencils are small on their sheet: only what the blur can reach is blurred.
        reach = math.ceil(_REACH * blur * self._unit) + 1
        left, top = max(0, box[0] - reach), max(0, box[1] - reach)
        right, low = min(stencil.width, box[2] + reach), min(stencil.height, box[3] + reach)
        part = stencil.crop((left, top, right, low)).filter(ImageFilter.GaussianBlur(blur * self._unit))
        blurred = self.empty()
        blurred.paste(part, (left, top))
        return blurred

    def grown(self, stencil: Stencil, by: float) -> Stencil:
        """Return the stencil with its edge moved out by ``by`` units, or in if ``by`` is negative."""
        # A blur is much faster than a filter of that width; the threshold decides how far the edge moves.
        limit = _EDGE_OUT if by > 0 else _EDGE_IN
        return self.soft(stencil, abs(by)).point([0] * limit + [255] * (256 - limit))

    def shifted(self, stencil: Stencil, dx: float, dy: float) -> Stencil:
        """Return the stencil moved."""
        moved = self.empty()
        moved.paste(stencil, (round(dx * self._unit), round(dy * self._unit)))
        return moved

    # --- painting ---------------------------------------------------------------------------------

    def lay(self, stencil: Stencil, paint: Paint, opacity: float = 1) -> None:
        """Paint through a stencil."""
        box = stencil.getbbox()
        if box is None:
            return
        part = stencil.crop(box)
        if opacity < 1:
            part = part.point([round(v * opacity) for v in range(256)])
        if isinstance(paint, str):
            layer = Image.new("RGB", part.size, rgb(paint))
        else:
            layer = gradient(part.size, paint)
        layer.putalpha(part)
        self._image.alpha_composite(layer, box[:2])

    def shade(self, stencil: Stencil, colour: Colour, shift: Point, blur: float, opacity: float = 1) -> None:
        """Darken or lighten the inside of a stencil along its edges, as a distant light would.

        ``shift`` moves the stencil's hole: (3, 4) shades the upper and left edges.
        """
        box = stencil.getbbox()
        if box is None:
            return
        reach = math.ceil(_REACH * blur * self._unit) + 1
        # Only as much of the outside as the blur can bring back in.
        window = self.empty()
        window.paste(255, (box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach))
        outside = ImageChops.subtract(window, self.shifted(stencil, *shift))
        self.lay(ImageChops.multiply(self.soft(outside, blur), stencil), colour, opacity)

    def cast(self, stencil: Stencil, colour: Colour, shift: Point, blur: float, opacity: float) -> None:
        """Put the stencil's shadow, or its glow."""
        self.lay(self.soft(self.shifted(stencil, *shift), blur), colour, opacity)

    def finish(self, softness: float = 0) -> Image.Image:
        """Return the sprite in its output size; colours are weighted by their opacity.

        ``softness``: the standard deviation of a blur, in output pixels. If a chat shows half the
        pixels, half a pixel of it is invisible, but spares an encoder the hardest edges.
        """
        # Weighted by opacity: colours of transparent pixels must not show as dark fringes.
        small = self._image.convert("RGBa").reduce(self._reduce)
        if softness:
            small = small.filter(ImageFilter.GaussianBlur(softness))
        return small.convert("RGBA")

    def _at(self, point: Point) -> Point:
        return point[0] * self._unit + self._origin[0], point[1] * self._unit + self._origin[1]


def gradient(size: tuple[int, int], stops: tuple[Colour, ...]) -> Image.Image:
    """Return a gradient from the upper left corner to the lower right one."""
    # A picture of a few pixels, enlarged: the filter blends them.
    count = len(stops)
    seed = Image.new("RGB", (count, count))
    for i in range(count):
        for j in range(count):
            seed.putpixel((i, j), rgb(stops[(i + j) // 2]))
    return seed.resize(size, Image.Resampling.BICUBIC)


def resized(sprite: Image.Image, share: float) -> Image.Image:
    """Return a smaller sprite without dark or light fringes."""
    size = (round(sprite.width * share), round(sprite.height * share))
    # Weighted by opacity, as when a builder finishes.
    return sprite.convert("RGBa").resize(size, Image.Resampling.LANCZOS).convert("RGBA")


def pool(diameter: tuple[int, int], strength: float, power: float = 1.3) -> Image.Image:
    """Return an oval of light, ``L``: ``strength`` (0 to 1) in its middle, nothing at its edge."""
    fall = [round(255 * strength * max(0.0, 1 - v / 180) ** power) for v in range(256)]
    return Image.radial_gradient("L").point(fall).resize(diameter, Image.Resampling.BICUBIC)


def lit(image: Image.Image, light: Image.Image, centre: Point, colour: Colour) -> None:
    """Add a coloured light, as :func:`pool` returns it, to an ``RGB`` picture."""
    left, top = round(centre[0] - light.width / 2), round(centre[1] - light.height / 2)
    box = (
        max(0, left),
        max(0, top),
        min(image.width, left + light.width),
        min(image.height, top + light.height),
    )
    if box[0] >= box[2] or box[1] >= box[3]:
        return
    part = light.crop((box[0] - left, box[1] - top, box[2] - left, box[3] - top))
    bands = [part.point([v * share // 255 for v in range(256)]) for share in rgb(colour)]
    # Added, not blended: a light brightens what is there and never covers it.
    image.paste(ImageChops.add(image.crop(box), Image.merge("RGB", bands)), box[:2])
