"""What stands on the board: pawns, the ghost, the die.

All pawns of a size are made and cached together, so that no file is made or read because one seat alone
thinks of a square.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image, ImageChops

from engines.core.contract import Seat
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.geometry import Point
from renderers.core.sprite_builder import SpriteBuilder, Stencil
from renderers.core.theme import Colour, mix
from renderers.core.type import Weight, serif
from renderers.doge.curves import outline, oval
from renderers.doge.emblems import HEADS, LETTERS, hatching
from renderers.doge.theme import Theme

PAWN = (84, 108)
"""The size of a pawn's sprite, its shadow included."""

PAWN_FOOT = (33, 92)
"""Where a pawn touches the ground, from its sprite's upper left corner."""

_SEATS = range(len(HEADS))
_BODY = outline(
    "M-24 84 C-25 90 -14 93.5 0 93.5 C14 93.5 25 90 24 84 C24 79 19 75 15 70 C11 63 9 53 8 43 L-8 43 "
    "C-9 53 -11 63 -15 70 C-19 75 -24 79 -24 84 Z"
)
_BASE = outline("M-24 84 C-25 90 -14 93.5 0 93.5 C14 93.5 25 90 24 84 C18 89 -18 89 -24 84 Z")
_COLLAR = tuple(oval((0, 43), 13.5, 5))
_HEAD, _HEAD_Y = 15.5, 23.5
_LETTER = 30
_LETTER_Y = 73.0
_SHADE = "#1E140A"
_LIGHT = "#FFF9EA"


def pawn(theme: Theme, seat: Seat, *, hollow: bool = False, zoom: float = 1) -> Image.Image:
    """Return a seat's pawn; a hollow one marks where it came from, or would go."""
    pawns = _pawns(theme, zoom)
    width, number = pawns.width // (2 * len(HEADS)), seat + (len(HEADS) if hollow else 0)
    return pawns.crop((number * width, 0, (number + 1) * width, pawns.height))


def put_pawn(
    canvas: Canvas, theme: Theme, seat: Seat, foot: Point, *, hollow: bool = False, zoom: float = 1
) -> None:
    """Stand a pawn, or a hollow one, on a point."""
    aside, up = (PAWN_FOOT[0] - PAWN[0] / 2) * zoom, (PAWN_FOOT[1] - PAWN[1] / 2) * zoom
    canvas.put(pawn(theme, seat, hollow=hollow, zoom=zoom), (foot[0] - aside, foot[1] - up))


@sprite
def _pawns(theme: Theme, zoom: float) -> Image.Image:
    """Return the pawns of all seats, then the hollow ones, side by side."""
    width, height = round(PAWN[0] * zoom), round(PAWN[1] * zoom)
    sheet = Image.new("RGBA", (2 * len(HEADS) * width, height))
    for number, (hollow, seat) in enumerate((hollow, seat) for hollow in (False, True) for seat in _SEATS):
        builder = SpriteBuilder(width, height, zoom=zoom, scale=4)
        (_lay_hollow if hollow else _lay_solid)(builder, theme, seat)
        sheet.paste(builder.finish(), (number * width, 0))
    return sheet


def _shifted(points: Sequence[Point]) -> list[Point]:
    return [(x + PAWN_FOOT[0], y) for x, y in points]


def _shapes(builder: SpriteBuilder, seat: Seat) -> tuple[Stencil, Stencil]:
    """Return the head of a pawn, its corners rounded, and the whole pawn."""
    head = builder.line(_head(seat), 3, closed=True)
    head = ImageChops.lighter(head, builder.polygon(_head(seat)))
    whole = ImageChops.lighter(head, builder.polygon(_shifted(_BODY), _shifted(_COLLAR)))
    return head, whole


def _head(seat: Seat) -> list[Point]:
    return _shifted([(x * _HEAD, _HEAD_Y + y * _HEAD) for x, y in HEADS[seat]])


def _swollen(builder: SpriteBuilder, seat: Seat, by: float) -> Stencil:
    """Return the whole pawn with its edge moved out; a blur would fill the notch of a merlon."""
    shapes = [builder.line(_shifted(part), 2 * by, closed=True) for part in (_BODY, _COLLAR)]
    shapes += [builder.line(_head(seat), 2 * by + 3, closed=True), _shapes(builder, seat)[1]]
    grown = shapes[0]
    for shape in shapes[1:]:
        grown = ImageChops.lighter(grown, shape)
    return grown


def _lay_solid(builder: SpriteBuilder, theme: Theme, seat: Seat) -> None:
    side = theme.sides[seat]
    head, whole = _shapes(builder, seat)
    body = builder.polygon(_shifted(_BODY))
    builder.cast(builder.polygon(oval((39, 90), 26, 9)), _SHADE, (0, 0), 3.2, 0.5)
    builder.lay(builder.soft(_swollen(builder, seat, 2.2), 0.6), theme.tints.paper_lit, 0.8)
    builder.lay(_swollen(builder, seat, 1.3), mix(side.dark, theme.ink, 0.45))
    builder.lay(whole, side.body)
    # Turned wood, lit from the upper left: a bright shoulder, a dark flank, a glint on the head.
    builder.shade(whole, side.dark, (-7, -2), 4.5, 0.85)
    builder.shade(whole, side.light, (6, 1), 3.5, 0.75)
    lines = ImageChops.multiply(hatching(seat, body.size, 16 * _scale(body), 4 * _scale(body)), body)
    builder.lay(lines, side.dark, 0.3)
    builder.lay(builder.polygon(_shifted(_BASE)), side.dark, 0.55)
    under = ImageChops.multiply(builder.soft(builder.polygon(oval((33, 49), 13, 5)), 1.6), body)
    builder.lay(under, side.dark, 0.7)
    builder.lay(builder.polygon(_shifted(_COLLAR)), mix(side.body, side.light, 0.35))
    builder.lay(builder.line(_shifted(_COLLAR), 1.3, closed=True), mix(side.dark, theme.ink, 0.5), 0.8)
    glint = builder.soft(builder.polygon(oval((27, 17), 5, 6)), 2.2)
    builder.lay(ImageChops.multiply(glint, head), mix(side.light, "#FFFFFF", 0.6), 0.85)
    # A small pawn's letter is as high as a large one's.
    face = serif(max(_LETTER, math.ceil(_LETTER / _scale(whole))), Weight.BOLD)
    letter = builder.word(LETTERS[seat], (PAWN_FOOT[0], _LETTER_Y), face)
    builder.lay(builder.grown(letter, 0.9), mix(side.dark, theme.ink, 0.3))
    builder.lay(letter, _LIGHT)


def _scale(stencil: Stencil) -> float:
    """Return a quarter of the pixels that a unit of a pawn takes, enlarged."""
    return stencil.width / PAWN[0] / 4


def _lay_hollow(builder: SpriteBuilder, theme: Theme, seat: Seat) -> None:
    side = theme.sides[seat]
    _, whole = _shapes(builder, seat)
    builder.lay(builder.soft(_swollen(builder, seat, 2.6), 0.6), theme.tints.paper_lit)
    builder.lay(_swollen(builder, seat, 1.9), mix(side.body, side.dark, 0.65))
    inner = builder.grown(whole, -1.2)
    builder.lay(inner, mix(side.tint, theme.sign, 0.35))
    lines = hatching(seat, whole.size, 24 * _scale(whole), 6 * _scale(whole))
    builder.lay(ImageChops.multiply(inner, lines), side.body, 0.6)


# --- the ghost ------------------------------------------------------------------------------------

GHOST = (104, 132)
GHOST_FOOT = (52, 114)
"""Where the ghost's hem ends, from its sprite's upper left corner."""

_CLOAK = outline(
    "M-15 -80 C-28 -74 -33 -62 -35 -46 C-37 -28 -40 -12 -45 2 C-39 -3 -37 2 -34 8 C-31 1 -27 0 -24 6 "
    "C-21 13 -18 4 -14 2 C-9 0 -7 10 -3 12 C1 13 1 2 6 2 C11 2 12 12 16 10 C20 8 20 0 25 2 C29 4 30 9 34 6 "
    "C37 3 40 -2 45 2 C40 -12 37 -28 35 -46 C33 -62 28 -74 15 -80 Z"
)
_CAP = outline(
    "M-18 -82 C-20 -91 -14 -100 -4 -102 C3 -103 8 -105 12 -111 C17 -112 20 -107 20 -102 C21 -94 21 -89 "
    "18 -82 C8 -87 -8 -87 -18 -82 Z"
)
_CAP_LIT = outline("M-12 -88 C-13 -94 -8 -98 0 -99.5 C7 -100.5 11 -103 14 -108 C14 -100 5 -95 3 -87 Z")
_CAP_RIM = outline("M-18.5 -81 L-19 -88 C-8 -94 8 -94 20 -88 L19 -81 C8 -86.5 -8 -86.5 -18.5 -81 Z")
_HOOD = outline("M-19 -78 C-22 -64 -17 -50 0 -44 C17 -50 22 -64 19 -78 C8 -84 -8 -84 -19 -78 Z")
_MASK = outline(
    "M-15 -77 C-17 -68 -15 -62 -10 -58 C-9 -54 -10 -50 -11 -46 L11 -46 C10 -50 9 -54 10 -58 C15 -62 17 -68 "
    "15 -77 C7 -81 -7 -81 -15 -77 Z"
)
_MASK_SHADE = outline(
    "M1 -69 L6 -56 L11 -46 L11 -47 C10 -50 9 -54 10 -58 C15 -62 17 -68 15 -77 C11 -79 6 -79.5 1 -79.5 Z"
)
_NOSE = outline("M0 -70 L-4.5 -57.5 L4.5 -57 Z")
_NOSE_LIT = outline("M0 -70 L-4.5 -57.5 L1 -56 Z")
_EYE = outline("M3 -66 C5 -71 11 -72 14 -69 C13 -64 7 -62 3 -66 Z")
_FOLDS: Sequence[tuple[str, Colour, float]] = (
    ("M-22 -56 C-27 -36 -29 -20 -33 -2", "#16222A", 2.4),
    ("M-9 -44 C-13 -28 -16 -14 -16 -2", "#16222A", 2.4),
    ("M4 -42 C5 -28 4 -14 5 -2", "#121C22", 2.4),
    ("M15 -46 C19 -30 20 -14 22 -2", "#0F181D", 2.4),
    ("M25 -56 C29 -38 31 -18 36 -2", "#0F181D", 2.0),
    ("M-16 -50 C-20 -34 -23 -16 -24 0", "#A9C4CA", 2.0),
    ("M-3 -42 C-5 -28 -7 -14 -6 0", "#6E8F9B", 2.0),
    ("M10 -44 C13 -28 13 -14 14 0", "#4F6E7A", 2.0),
)


def put_ghost(canvas: Canvas, foot: Point) -> None:
    """Stand the ghost on a point."""
    canvas.put(ghost(), (foot[0] - GHOST_FOOT[0] + GHOST[0] / 2, foot[1] - GHOST_FOOT[1] + GHOST[1] / 2))


@sprite
def ghost(zoom: float = 1) -> Image.Image:
    """Return the doge's ghost: a dark cloak, a white bauta for a face, the horned cap of gold."""
    builder = SpriteBuilder(round(GHOST[0] * zoom), round(GHOST[1] * zoom), zoom=zoom, scale=4)

    def area(points: Sequence[Point], flip: int = 1) -> Stencil:
        return builder.polygon([(GHOST_FOOT[0] + flip * x, GHOST_FOOT[1] + y) for x, y in points])

    cloak = area(_CLOAK)
    whole = ImageChops.lighter(cloak, area(_CAP))
    builder.cast(builder.grown(whole, 2), "#EAF6F4", (0, 0), 4.5, 1)
    builder.lay(builder.grown(whole, 1.2), "#121A1F")
    builder.lay(cloak, "#2A3B45")
    builder.shade(cloak, "#7D9CA6", (12, 2), 6, 0.7)
    builder.shade(cloak, "#10191F", (-12, -2), 7, 0.85)
    for path, colour, width in _FOLDS:
        fold = builder.line([(GHOST_FOOT[0] + x, GHOST_FOOT[1] + y) for x, y in outline(path)], width)
        builder.lay(ImageChops.multiply(fold, cloak), colour)
    builder.lay(area(_HOOD), "#0E151A")
    for points, colour in (
        (_MASK, "#F7F3E8"),
        (_MASK_SHADE, "#C9CFCB"),
        (_NOSE, "#8FA0A3"),
        (_NOSE_LIT, "#FFFFFF"),
    ):
        builder.lay(area(points), colour)
    for flip in (-1, 1):
        builder.lay(area(_EYE, flip), "#0E151A")
    for points, colour in ((_CAP, "#B98F35"), (_CAP_LIT, "#F0D88F"), (_CAP_RIM, "#6F4E14")):
        builder.lay(area(points), colour)
    pearls = [
        (GHOST_FOOT[0] + x, GHOST_FOOT[1] + y)
        for x, y in ((-13, -85.7), (-4.5, -87.5), (4.5, -87.5), (13, -85.7))
    ]
    builder.lay(builder.discs(pearls, 2.1), "#FBF0C8")
    return builder.finish()


# --- the die --------------------------------------------------------------------------------------

PIPS: dict[int, Sequence[Point]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
}
"""Where the pips of each face are."""


@sprite
def die(number: int, size: int) -> Image.Image:
    """Return a bone die with its upper face showing."""
    builder = SpriteBuilder(size, size, scale=4)
    edge, wide = 8, size - 18
    whole = builder.box((edge, edge - 3), (wide, wide + 7), 11)
    builder.cast(whole, _SHADE, (2, 3), 2.4, 0.6)
    builder.lay(builder.grown(whole, 1), "#4A3720")
    builder.lay(whole, "#B99D6B")
    builder.lay(builder.box((edge, edge - 3), (wide, wide), 10), ("#FBF4E2", "#F3E6C6", "#E2CFA4"))
    middle, step = edge + wide / 2, wide * 0.25
    pips = [(middle + x * step, middle - 3 + y * step) for x, y in PIPS[number]]
    builder.lay(builder.discs(pips, 0.098 * wide), "#33261A")
    builder.lay(builder.discs([(x, y + 1) for x, y in pips], 0.07 * wide), "#57432C")
    return builder.finish()
