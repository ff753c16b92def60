"""The choice of regions: each region's water tinted and hatched, its birds rimmed, its name on a disc."""

from __future__ import annotations

from functools import cache

from PIL import Image, ImageDraw

from engines.volo.view import VoloView
from renderers.core.caches import scene, sprite
from renderers.core.canvas import Canvas, Pen, painted, written
from renderers.core.theme import Colour, mix, rgb
from renderers.core.type import Weight, sans, serif
from renderers.volo.clouds import put_edge, put_through, shape
from renderers.volo.layout import HEIGHT, WIDTH, Layout, layout
from renderers.volo.marks import TAG_DROP
from renderers.volo.scene import lagoon
from renderers.volo.theme import Theme

_NAME = serif(44, Weight.BOLD)
_TAG = sans(33, Weight.BOLD)
_GROW, _COAST = 5.5, 8.5
SHARE, _DEEPER, _MIDDLE = 0.42, 0.75, 5
"""Opacity of a tint; how far the lines of its pattern go from the middle band of water to its colour."""
_CLEARING = 22
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
    for index, region in enumerate(view.regions):
        cloud = shape(board.key, region.points)
        put_edge(canvas, board, cloud, coast(theme, look_of(theme, index)[0]), _COAST)
        put_through(canvas, board, cloud, _GROW, _tinted(theme, board.key, *look_of(theme, index)))


def coast(theme: Theme, colour: Colour) -> Colour:
    """Return the colour of the line around a region's water."""
    return mix(colour, theme.shade, 0.3)


def deeper(theme: Theme, colour: Colour) -> Colour:
    """Return the colour of the lines that hatch a region."""
    return mix(theme.water[_MIDDLE], colour, _DEEPER)


@scene
def _tinted(theme: Theme, key: str, colour: Colour, pattern: int) -> Image.Image:
    """Return the empty board in the tint of a region; its hatching leaves the points free."""
    water = lagoon(theme, key)
    tinted = Image.blend(water, Image.new("RGB", water.size, rgb(colour)), SHARE)
    if pattern:
        lines = hatching(pattern).copy()
        draw, board = ImageDraw.Draw(lines), layout(key)
        for x, y in (board.at(name) for name in board.points):
            draw.ellipse((x - _CLEARING, y - _CLEARING, x + _CLEARING, y + _CLEARING), fill=0)
        tinted.paste(rgb(deeper(theme, colour)), (0, 0, *tinted.size), lines)
    return tinted


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
