"""Cards on damask: the grey identity, cards face up in their owner's colour, places of cards that are gone.

Frames are sprites without anything on them; emblems and words are printed on the picture. So no cached file
depends on which card somebody holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from PIL import Image, ImageChops

from engines.core.contract import Seat
from engines.doge.view import CRAFTS, Card
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point, polar
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import Colour, mix
from renderers.core.type import Face, Weight, serif
from renderers.doge.emblems import ROUNDEL, SHIELD, hatching, print_emblem
from renderers.doge.squeezed import put_squeezed
from renderers.doge.theme import Theme

CARD = (204, 250)
IDENTITY = (300, 356)
_ROOM = 12
"""Pixels around a card for its rim and its shadow."""

_EMBLEM_Y, _NAME_Y, _VERDICT_Y = 80, 167, 217
_SEAL_Y = 144
"""The middle of an identity's shield or roundel."""

_STEEL, _STONE, _ASH, _CHALK = "#2E3439", "#E4E1D9", "#C9C8C2", "#F2F0EA"
"""The greys of the identity cards."""
_SHADOW = "#0B1216"
_LETTERS = "#FFF3E2"


class Verdict(StrEnum):
    """What stands at the foot of a card that lies face up."""

    TRUE = "true"
    FALSE = "false"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class CardTable:
    """Where cards are laid; corners are their upper left ones."""

    canvas: Canvas
    theme: Theme
    captions: Captions

    def name(self, card: Card) -> str:
        """Return what a card is called."""
        return self.captions.text(f"card.{card.value}")

    def lay_identity(self, card: Card, corner: Point) -> None:
        """Lay one of the two grey cards of an identity."""
        middle = corner[0] + IDENTITY[0] / 2
        frame = _grey_frame(craft=card in CRAFTS)
        self.canvas.put(frame, (middle, corner[1] + IDENTITY[1] / 2))
        print_emblem(self.canvas.image, card, (middle, corner[1] + _SEAL_Y), 142, _STEEL)
        name = serif(40, Weight.BOLD)
        self._line(self.name(card), (middle, corner[1] + 293), name, IDENTITY[0] - 40, _CHALK)

    def lay(self, seat: Seat, card: Card, verdict: Verdict, corner: Point, zoom: float = 1) -> None:
        """Lay a card of a seat, face up; it is ``zoom`` times as large as :data:`CARD`."""
        x, y = corner[0] + CARD[0] * zoom / 2, corner[1]
        self.canvas.put(_frame(self.theme, seat, verdict, zoom), (x, y + CARD[1] * zoom / 2))
        dull = verdict is Verdict.FALSE
        ink = mix(self.theme.ink, self.theme.soft, 0.6) if dull else self.theme.ink
        print_emblem(self.canvas.image, card, (x, y + _EMBLEM_Y * zoom), round(114 * zoom), ink)
        name, wide = serif(round(30 * zoom)), round((CARD[0] - 10) * zoom)
        self._line(self.name(card), (x, y + _NAME_Y * zoom), name, wide, self.theme.ink)
        word, at = self.captions.text(f"card.{verdict.value}"), (x, y + _VERDICT_Y * zoom)
        if verdict is Verdict.TRUE:
            face = serif(round(31 * zoom), Weight.BOLD)
            put_spaced(self.canvas, word, at, face, self.theme.gilt_edge, 5 * zoom)
        else:
            face = serif(round((33 if dull else 30) * zoom), Weight.SEMIBOLD_ITALIC)
            self._line(word, at, face, wide, _LETTERS)

    def lay_place(self, card: Card, words: str, corner: Point, *, laid_out: bool) -> None:
        """Draw the place of a card that is not in the hand, and words that say why."""
        x, y = corner[0] + CARD[0] / 2, corner[1]
        self.canvas.put(_place(self.theme, laid_out=laid_out), (x, y + CARD[1] / 2))
        ink = mix(self.theme.damask, "#FFFFFF", 0.64)
        print_emblem(self.canvas.image, card, (x, y + 78), 100, mix(self.theme.damask, "#FFFFFF", 0.38))
        wide = self._line(self.name(card), (x, y + 160), serif(30), CARD[0] - 12, ink)
        self._line(words, (x, y + 209), serif(30, Weight.SEMIBOLD_ITALIC), CARD[0] - 12, ink)
        if laid_out:
            half = math.ceil(wide / 2) + 6
            red = mix(self.theme.rubric, "#FFFFFF", 0.25)
            self.canvas.fill((round(x) - half, y + 160), (2 * half, 4), red)

    def _line(self, text: str, centre: Point, face: Face, width: int, ink: Colour) -> float:
        """Write a line, narrower if need be; return how wide it is."""
        return put_squeezed(self.canvas, text, centre, face, width, ink, "mm")


def put_spaced(canvas: Canvas, text: str, centre: Point, face: Face, ink: Colour, gap: float) -> None:
    """Write letters farther apart than usual, their middle on ``centre``."""
    x = centre[0] - (face.width(text) + gap * (len(text) - 1)) / 2
    for letter in text:
        canvas.words(letter, (x, centre[1]), face, ink, "lm")
        x += face.width(letter) + gap


# --- frames ---------------------------------------------------------------------------------------


@sprite
def _grey_frame(*, craft: bool) -> Image.Image:
    wide, high = IDENTITY
    builder = SpriteBuilder(wide + 2 * _ROOM, high + 2 * _ROOM, scale=2)
    card = builder.box((_ROOM, _ROOM), IDENTITY, 16)
    builder.cast(card, _SHADOW, (4, 6), 4, 0.7)
    builder.lay(card, "#23262A")
    builder.lay(builder.box((_ROOM + 2, _ROOM + 2), (wide - 4, high - 4), 14), _STONE)
    builder.lay(builder.box((_ROOM + 12, _ROOM + 12), (wide - 24, high - 24), 8), "#4E5459")
    field = builder.box((_ROOM + 14, _ROOM + 14), (wide - 28, high - 28), 6)
    builder.lay(field, _ASH)
    centre = (_ROOM + wide / 2, _ROOM + _SEAL_Y)
    rays = [
        [polar(angle - 0.3, 400, centre), polar(angle + 0.3, 400, centre), centre]
        for angle in range(0, 360, 6)
    ]
    builder.lay(ImageChops.multiply(builder.polygon(*rays), field), "#B2B3AF")
    for inset, colour in ((0.0, "#3A4046"), (2.5, _CHALK), (8.0, "#6B7177"), (9.6, _CHALK)):
        edge = [
            (centre[0] + x * (108 - inset), centre[1] + y * (108 - inset))
            for x, y in (ROUNDEL if craft else SHIELD)
        ]
        builder.lay(builder.polygon(edge), colour)
    builder.lay(builder.box((_ROOM + 14, _ROOM + 264), (wide - 28, 58)), _STEEL)
    return builder.finish()


@sprite
def _frame(theme: Theme, seat: Seat, verdict: Verdict, zoom: float) -> Image.Image:
    side, room = theme.sides[seat], _ROOM
    wide, high = CARD
    size = (round((wide + 2 * room) * zoom), round((high + 2 * room) * zoom))
    # Large cards need less enlarging, and cost more.
    builder = SpriteBuilder(*size, zoom=zoom, scale=2 if zoom > 1 else 3)
    builder.lay(builder.box((room, room), CARD, 13), "#0F1519")
    field = builder.box((room + 2, room + 2), (wide - 4, high - 4), 11)
    builder.lay(field, side.body)
    pitch = 6 * field.width / (wide + 2 * room)
    lines = ImageChops.multiply(hatching(seat, field.size, pitch, pitch / 3), field)
    builder.lay(lines, mix(side.body, side.dark, 0.6))
    paper = mix(theme.cream, theme.tints.stone_dim, 0.8) if verdict is Verdict.FALSE else theme.sign
    edge = mix(side.dark, theme.ink, 0.4)
    builder.lay(builder.box((room + 11, room + 11), (wide - 22, 149), 6), edge)
    builder.lay(builder.box((room + 12.5, room + 12.5), (wide - 25, 147), 5), paper)
    builder.lay(builder.box((room + 2, room + 146), (wide - 4, 44)), edge)
    builder.lay(builder.box((room + 2, room + 147.5), (wide - 4, 41)), paper)
    _lay_foot(builder, theme, seat, verdict)
    return builder.finish()


def _lay_foot(builder: SpriteBuilder, theme: Theme, seat: Seat, verdict: Verdict) -> None:
    """Lay what the verdict is written on: gilt for a true card, else the owner's dark."""
    at, size = (_ROOM + 2, _ROOM + 195), (CARD[0] - 4, 45)
    if verdict is not Verdict.TRUE:
        builder.lay(builder.box(at, size), mix(theme.sides[seat].dark, theme.ink, 0.2))
        return
    builder.lay(builder.box(at, size), theme.gilt_edge)
    builder.lay(builder.box((at[0], at[1] + 2), (size[0], size[1] - 4)), theme.gilt_lit)
    for x in (_ROOM + 24, _ROOM + CARD[0] - 24):
        y = _ROOM + _VERDICT_Y + 0.5
        stud = builder.polygon([(x, y - 9), (x + 9, y), (x, y + 9), (x - 9, y)])
        builder.lay(stud, mix(theme.gilt_edge, theme.gilt, 0.25))


@sprite
def _place(theme: Theme, *, laid_out: bool) -> Image.Image:
    wide, high = CARD
    builder = SpriteBuilder(wide, high)
    whole = builder.box((3, 3), (wide - 6, high - 6), 12)
    inside = builder.box((5, 5), (wide - 10, high - 10), 10)
    builder.lay(ImageChops.subtract(whole, inside), mix(theme.damask, "#FFFFFF", 0.38))
    if laid_out:
        ruled = hatching(3, inside.size, 26, 4).transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        builder.lay(ImageChops.multiply(ruled, inside), mix(theme.damask, "#FFFFFF", 0.2))
        builder.lay(builder.box((5, 138), (wide - 10, 96)), theme.damask)
    return builder.finish()


# --- what is chosen -------------------------------------------------------------------------------


@sprite
def rim(theme: Theme) -> Image.Image:
    """Return what lies behind a card that is chosen."""
    wide, high = CARD[0] + 2 * _ROOM, CARD[1] + 2 * _ROOM
    builder = SpriteBuilder(wide, high)
    builder.lay(builder.box((5, 5), (wide - 10, high - 10), 19), theme.gilt_edge)
    builder.lay(builder.box((6, 6), (wide - 12, high - 12), 18), theme.gilt_lit)
    return builder.finish()


@sprite
def tick(theme: Theme) -> Image.Image:
    """Return the sign of a card that is chosen."""
    builder = SpriteBuilder(50, 50, centred=True)
    builder.lay(builder.discs([(0, 0)], 23), theme.gilt_edge)
    builder.lay(builder.discs([(0, 0)], 21), theme.gilt_disc)
    builder.lay(builder.line([(-11, 1), (-3, 9), (11, -9)], 6), theme.gilt_edge)
    return builder.finish()
