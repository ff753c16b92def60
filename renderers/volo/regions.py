"""The choice of regions: each region's water tinted and hatched, its birds rimmed, its name on a label."""

from __future__ import annotations

from PIL import Image, ImageChops

from engines.volo.view import VoloView
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.geometry import Point
from renderers.core.theme import Colour, mix, rgb
from renderers.core.type import Weight, sans
from renderers.volo.clouds import cells, own, put_shape, square
from renderers.volo.layout import HEIGHT, WIDTH, Layout, layout
from renderers.volo.marks import TAG_DROP, label
from renderers.volo.theme import Theme

_TAG = sans(46, Weight.BOLD)
_GROW, _COAST = 5.5, 8.5
_SHARE, _DEEPER, _MIDDLE = 0.42, 0.75, 5
"""How far a tint and the lines of its pattern go from the middle band of water to its colour."""
_CLEARING = 26
_HEIGHT, _EDGE = 52, 10
"""Pixels of the height of a region's name, and what it keeps from the picture's edges."""
_HARD = [0] * 128 + [255] * 128
PATTERNS, _LEVEL, _LEANING = 6, 1, (3, 4)


def style_of(theme: Theme, index: int) -> tuple[Colour, int]:
    """Return the colour and the pattern (0: plain) of a region: no two of the first 36 are alike."""
    turn, colour = divmod(index, len(theme.regions))
    return theme.regions[colour], (index + turn) % PATTERNS


def put_tints(canvas: Canvas, board: Layout, theme: Theme, view: VoloView) -> None:
    """Tint the water of every region, with a coast that follows its points."""
    for index, region in enumerate(view.regions):
        colour, pattern = style_of(theme, index)
        for name, ways in cells(board, region.points):
            patch = _tint(theme, board.key, colour, pattern, ways)
            canvas.cut(patch, _stencil(board.key, ways), board.at(name))


@sprite
def _stencil(key: str, ways: tuple[str, ...]) -> Image.Image:
    board = layout(key)

    def draw(pen: Pen) -> None:
        put_shape(pen, board, ways, _COAST, "#000000")
        pen.disc((0, 0), _CLEARING, "#00000000")

    # One bit: hard edges are pasted fastest and compress well.
    alpha = own(square(board, draw), board, ways).getchannel("A")
    return alpha.convert("1", dither=Image.Dither.NONE)


@sprite
def _tint(theme: Theme, key: str, colour: Colour, pattern: int, ways: tuple[str, ...]) -> Image.Image:
    """Return what is seen through a region's stencil: its tint, its coast, its pattern."""
    board = layout(key)

    def draw(pen: Pen) -> None:
        put_shape(pen, board, ways, _COAST, coast(theme, colour))
        put_shape(pen, board, ways, _GROW, tinted(theme, colour))

    patch = square(board, draw)
    if pattern:
        inside = square(board, lambda pen: put_shape(pen, board, ways, _GROW, theme.ink)).getchannel("A")
        lines = square(board, lambda pen: _put_pattern(pen, board, pattern, deeper(theme, colour)))
        lines.putalpha(ImageChops.darker(lines.getchannel("A"), inside).point(_HARD))
        patch = Image.alpha_composite(patch, lines)
    ground = Image.new("RGB", patch.size, rgb(theme.water[_MIDDLE]))
    ground.paste(patch, (0, 0), patch)
    return ground


def _put_pattern(pen: Pen, board: Layout, pattern: int, colour: Colour) -> None:
    # Patterns go on in the neighbours' cells, so that a region looks like one area.
    dx, dy = (part / board.zoom / 2 for part in board.step("SE"))
    far = 3 * dy
    lean = 3 * dx
    ends: dict[int, Point] = {1: (2 * far, 0), 2: (0, far), 3: (lean, far), 4: (-lean, far)}
    for side in (1,) if pattern in _LEANING else (-1, 1):
        if pattern in ends:
            x, y = ends[pattern]
            at = (0.0, side * dy) if pattern == _LEVEL else (side * dx, 0.0)
            pen.line([(at[0] - x, at[1] - y), (at[0] + x, at[1] + y)], 5, colour)
        else:
            for spot in ((side * 2 * dx, 0.0), (side * dx, dy), (side * dx, -dy)):
                pen.disc(spot, 7, colour)
    pen.disc((0, 0), _CLEARING, "#00000000")


def coast(theme: Theme, colour: Colour) -> Colour:
    """Return the colour of the line around a region's water."""
    return mix(colour, theme.shade, 0.3)


def tinted(theme: Theme, colour: Colour) -> Colour:
    """Return the colour of a region's water, which is calm and has no bands."""
    return mix(theme.water[_MIDDLE], colour, _SHARE)


def deeper(theme: Theme, colour: Colour) -> Colour:
    """Return the colour of the lines that hatch a region."""
    return mix(theme.water[_MIDDLE], colour, _DEEPER)


def rims_of(theme: Theme, view: VoloView) -> dict[str, Colour]:
    """Return the colour of the rim of every bird that a region holds."""
    return {
        name: style_of(theme, index)[0] for index, region in enumerate(view.regions) for name in region.birds
    }


def put_names(canvas: Canvas, board: Layout, theme: Theme, view: VoloView) -> None:
    """Name every region on its lowest point, which is its word, and say how many birds it keeps."""
    for index, region in enumerate(view.regions):
        x, y = board.at(region.word)
        text = f"{region.word}: {len(region.birds)}"
        pale = mix(style_of(theme, index)[0], theme.white, 0.35)
        coats = ((0, 16, theme.ink), (2, 14, theme.gold), (6, 10, theme.ink), (8, 8, pale))
        image = label(text, _TAG, theme.ink, (28, _HEIGHT), coats)
        # Below a bird that stands there, but within the picture.
        y += TAG_DROP * board.zoom if region.word in region.birds else 0
        across, down = image.width / 2 + _EDGE, _HEIGHT / 2 + _EDGE
        canvas.put(image, (min(max(x, across), WIDTH - across), min(y, HEIGHT - down)))
