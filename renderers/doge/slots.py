"""What became of the slots: refuted, laid out, an identity, the treasure, named in a draft."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import product

from PIL import Image, ImageChops

from engines.core.contract import Seat
from engines.doge.view import CRAFTS, INSTITUTIONS, LOCATIONS, Card, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.geometry import star
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import Colour, mix
from renderers.core.type import Weight, serif
from renderers.doge.emblems import LETTERS, hatching
from renderers.doge.layout import KEY, SIGN_NUMBER, SLOT, slot
from renderers.doge.squares import Words, key_spans, sign
from renderers.doge.theme import Theme

_LIGHT = "#FFF9EA"
_LETTER = serif(31, Weight.BOLD)
_SEAL = 18.0
"""Radius of a seal."""

_SEAL_AT = (21.0, 20.0)


_SPRITE = 2 * (SLOT + 18)


class SlotMark(IntEnum):
    """What became of a slot; a seat's number is added to the first two."""

    REFUTED = 0
    IDENTITY = 4
    LAID_OUT = 8
    NAMED = 9
    TREASURE = 10


def mark_slots(
    canvas: Canvas, theme: Theme, words: Words, view: View, named: Sequence[tuple[Card, Card]]
) -> None:
    """Mark the slots of the board; cards laid out are struck on the map and in the key too.

    Refuted: a bar in the guesser's colour, sealed. Identity: a ring in its owner's colour, sealed. Laid out:
    ruled over. Named in a draft: a gilt ring. Treasure: gilt rays.
    """
    laid_out = view.laid_out
    slots = product(INSTITUTIONS, CRAFTS)
    found: list[tuple[int, tuple[Card, Card]]] = [
        (SlotMark.LAID_OUT, pair) for pair in slots if not {*pair}.isdisjoint(laid_out)
    ]
    if view.treasure is not None:
        found.append((SlotMark.TREASURE, view.treasure.cards))
    if view.truth is not None:
        found += [(SlotMark.IDENTITY + seat, pair.cards) for seat, pair in enumerate(view.truth.pairs)]
    wrong = [guess for guess in view.guesses if not guess.right]
    found += [(SlotMark.REFUTED + guess.seat, guess.pair.cards) for guess in wrong]
    found += [(SlotMark.NAMED, pair) for pair in named]
    sprites = _slot_marks(theme)
    for mark, pair in found:
        canvas.put(sprites.crop((_SPRITE * mark, 0, _SPRITE * (mark + 1), _SPRITE)), slot(*pair))
    for card in laid_out:
        left, right, y = _name_of(words, card)
        canvas.put(_strike(theme, round(right - left)), ((left + right) / 2, y))


def _name_of(words: Words, card: Card) -> tuple[float, float, float]:
    """Return where a card's name stands on the plate: its left and right end, the middle of its line."""
    if card in CRAFTS:
        return *key_spans(words)[card], KEY + 2.0
    square = next(square for square, institution in LOCATIONS.items() if institution is card)
    left, top, right, low = sign(words, square)
    return left + SIGN_NUMBER + 2, right, (top + low) / 2


@sprite
def _strike(theme: Theme, length: int) -> Image.Image:
    pen = Pen(length + 8, 24, centred=True)
    half = length / 2
    pen.line([(-half, 3), (-half * 0.2, -2), (half, 1)], 4, theme.rubric)
    return pen.finish()


@sprite
def _slot_marks(theme: Theme) -> Image.Image:
    # All together: no file is made because one seat alone thinks of a pair, or knows the treasure.
    dark = [mix(side.dark, theme.ink, 0.4) for side in theme.sides]
    made = [_refuted(theme, seat) for seat in range(len(LETTERS))]
    for seat, side in enumerate(theme.sides):
        ring = _ringed(((7, 12, theme.cream), (5.5, 9.5, dark[seat]), (4.2, 7, side.body)))
        _lay_seal(ring, theme, seat, wax=False)
        made.append(ring)
    gilt = ((8, 11, theme.gilt_edge), (6.6, 8.2, theme.gilt), (4.4, 2.4, theme.gilt_pale))
    rays = _ringed(((3, 2, theme.gilt_edge),))
    hole = rays.discs([(0, 0)], SLOT + 1)
    for inset, colour in ((0, theme.gilt_edge), (2, theme.gilt_lit)):
        glory = rays.polygon(star(24, SLOT + 17 - inset, SLOT + 8 - inset))
        rays.lay(ImageChops.subtract(glory, hole), colour)
    made += [_laid_out(theme), _ringed(gilt), rays]
    sheet = Image.new("RGBA", (len(made) * _SPRITE, _SPRITE))
    for number, builder in enumerate(made):
        sheet.paste(builder.finish(), (number * _SPRITE, 0))
    return sheet


def _builder() -> SpriteBuilder:
    return SpriteBuilder(_SPRITE, _SPRITE, scale=4, centred=True)


def _lay_seal(builder: SpriteBuilder, theme: Theme, seat: Seat, *, wax: bool) -> None:
    """Lay an owner's letter on a disc, or on a blot of wax."""
    side = theme.sides[seat]
    blot = star(9, _SEAL + 1, _SEAL - 1, _SEAL_AT, 11 * seat)
    builder.lay(builder.polygon(blot) if wax else builder.discs([_SEAL_AT], _SEAL), theme.cream)
    builder.lay(builder.discs([_SEAL_AT], _SEAL - 2), mix(side.dark, theme.ink, 0.4))
    builder.lay(builder.discs([_SEAL_AT], _SEAL - 3.6), mix(side.body, side.dark, 0.25 if wax else 0))
    letter = builder.word(LETTERS[seat], _SEAL_AT, _LETTER)
    builder.lay(builder.grown(letter, 1), mix(side.dark, theme.ink, 0.4))
    builder.lay(letter, _LIGHT)


def _refuted(theme: Theme, seat: Seat) -> SpriteBuilder:
    side, builder = theme.sides[seat], _builder()
    builder.lay(builder.discs([(0, 0)], SLOT - 1.5), mix(side.tint, side.light, 0.3), 0.2)
    bar = [(-26, 21), (26, -21)]
    for width, colour in ((13.0, theme.cream), (9.6, mix(side.dark, theme.ink, 0.4)), (7.0, side.body)):
        builder.lay(builder.line(bar, width), colour)
    _lay_seal(builder, theme, seat, wax=True)
    return builder


def _ringed(rings: Sequence[tuple[float, float, Colour]]) -> SpriteBuilder:
    """Return rings around a slot: how far out, how wide, their colours."""
    builder = _builder()
    for out, width, colour in rings:
        builder.lay(builder.ring((0, 0), SLOT + out, width), colour)
    return builder


def _laid_out(theme: Theme) -> SpriteBuilder:
    builder = _builder()
    slot = builder.discs([(0, 0)], SLOT - 1)
    builder.lay(slot, theme.tints.pavement, 0.72)
    builder.lay(
        ImageChops.multiply(hatching(3, slot.size, 22, 6).transpose(Image.Transpose.FLIP_LEFT_RIGHT), slot),
        theme.soft,
    )
    for width, colour in ((8, theme.cream), (5, theme.rubric)):
        builder.lay(builder.line([(-25, 11), (25, -11)], width), colour)
    return builder
