"""The choice of regions: each region's water tinted and hatched, its birds rimmed, its name on a disc."""

from __future__ import annotations

from functools import cache

from PIL import Image, ImageDraw

from engines.volo.view import VoloView
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen, painted, written
from renderers.core.theme import Colour, mix, rgb
from renderers.core.type import Weight, sans, serif
from renderers.volo.clouds import put_edge, put_through, shape
from renderers.volo.layout import HEIGHT, WIDTH, Layout
from renderers.volo.marks import TAG_DROP
from renderers.volo.scene import lagoon
from renderers.volo.theme import Theme

_NAME = serif(44, Weight.BOLD)
_TAG = sans(33, Weight.BOLD)
_GROW, _COAST = 5.5, 8.5
SHARE, _DEEPER, _MIDDLE = 0.42, 0.75, 5
"""Opacity of a tint; how far the lines of its pattern go from the middle band of water to its colour."""
_STEP = 40
"""Pixels between the lines of a hatching."""
PATTERNS = 6


def look_of(theme: Theme, index: int) -> tuple[Colour, int]:
    """Return the colour and the pattern (0: plain) of a region: no two of the first 36 are alike."""
    turn, colour = divmod(index, len(theme.regions))
    pattern = (index + turn if theme.hatched else turn) % PATTERNS
    return theme.regions[colour], pattern


@cache
def hatching(pattern: int) -> Image.Image:
    """Return the mask of a pattern over the whole picture: lines of four kinds, or dots."""
    sheet = Image.new("L", (WIDTH, HEIGHT))
    draw = ImageDraw.Draw(sheet)
    far = WIDTH + HEIGHT
    for at in range(0, far, _STEP):
        lines = {
            1: ((at, 0), (at - HEIGHT, HEIGHT)),
            2: ((at - HEIGHT, 0), (at, HEIGHT)),
            3: ((0, at), (WIDTH, at)),
            4: ((at, 0), (at, HEIGHT)),
        }
        if pattern in lines:
            draw.line(lines[pattern], fill=255, width=5)
        for x in range(0, WIDTH if pattern == PATTERNS - 1 and at < HEIGHT else 0, _STEP):
            draw.ellipse((x - 7, at - 7, x + 7, at + 7), fill=255)
    return sheet


def put_tints(canvas: Canvas, board: Layout, theme: Theme, view: VoloView) -> None:
    """Tint the water of every region, with a coast that follows its points."""
    water = lagoon(theme, board.key)
    for index, region in enumerate(view.regions):
        colour, pattern = look_of(theme, index)
        cloud = shape(board.key, region.points)
        put_edge(canvas, board, cloud, mix(colour, theme.shade, 0.3), _COAST)
        box = _around(board, region.points)
        tinted = water.crop(box)
        tinted = Image.blend(tinted, Image.new("RGB", tinted.size, rgb(colour)), SHARE)
        if pattern:
            deeper = rgb(mix(theme.water[_MIDDLE], colour, _DEEPER))
            tinted.paste(deeper, (0, 0, *tinted.size), hatching(pattern).crop(box))
        put_through(canvas, board, cloud, _GROW, tinted, box[:2])


def _around(board: Layout, points: tuple[str, ...]) -> tuple[int, int, int, int]:
    """Return a box around the shape over ``points``, in whole pixels."""
    places = [board.at(name) for name in points]
    margin = 60 * board.zoom
    left, top = min(x for x, _ in places) - margin, min(y for _, y in places) - margin
    right, low = max(x for x, _ in places) + margin, max(y for _, y in places) + margin
    return int(left), int(top), int(right), int(low)


def rims_of(theme: Theme, view: VoloView) -> dict[str, Colour]:
    """Return the colour of the rim of every bird that a region holds."""
    return {
        name: look_of(theme, index)[0] for index, region in enumerate(view.regions) for name in region.birds
    }


def put_names(canvas: Canvas, board: Layout, theme: Theme, view: VoloView) -> None:
    """Name every region, on its lowest point: that is its word; below a bird that stands there."""
    for index, region in enumerate(view.regions):
        x, y = board.at(region.word)
        colour = look_of(theme, index)[0]
        if region.word in region.birds:
            canvas.put(_small(theme, region.word, colour), (x, y + TAG_DROP * board.zoom))
        else:
            canvas.put(_sign(theme, region.word, colour, board.zoom), (x, y))


@sprite
def _sign(theme: Theme, name: str, colour: Colour, zoom: float) -> Image.Image:
    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 37, theme.ink)
        pen.disc((0, 0), 34.5, theme.white)
        pen.disc((0, 0), 31.5, mix(colour, theme.white, 0.25))

    image = painted(round(78 * zoom), draw, zoom)
    return written(image, name, (image.width / 2, image.height / 2), _NAME, theme.ink)


@sprite
def _small(theme: Theme, name: str, colour: Colour) -> Image.Image:
    width = round(_TAG.width(name)) + 22

    def draw(pen: Pen) -> None:
        pen.box((-width / 2, -20), (width, 40), 15, theme.ink)
        pen.box((-width / 2 + 2.5, -17.5), (width - 5, 35), 13, theme.white)
        pen.box((-width / 2 + 5, -15), (width - 10, 30), 10, mix(colour, theme.white, 0.25))

    image = painted(width + 4, draw)
    return written(image, name, (image.width / 2, image.height / 2), _TAG, theme.ink)
