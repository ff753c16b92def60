"""Cards on the board: piles fanned out on their squares, the ghost's deck, hands seen from behind.

Faces are printed anew on each picture, and the cards of all owners are made together: no file is made or
read because of a card that one seat alone knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from PIL import Image, ImageChops

from engines.core.contract import Seat
from engines.doge.view import Card, Source
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen, written
from renderers.core.geometry import Point
from renderers.core.sprite_builder import SpriteBuilder, Stencil
from renderers.core.theme import mix
from renderers.core.type import Weight, serif
from renderers.doge.curves import oval
from renderers.doge.emblems import LETTERS, emblem, hatching, print_emblem
from renderers.doge.theme import Theme

CARD = (68, 92)
"""Width and height of a card."""

SHOWN = 8
"""The most cards of a pile that are seen; its number tells of the others."""

_PILE_WIDTH, _PITCH = 252, 61
_ROOM = 10
"""The room around a card's sprite, for its shadow."""
_SPRITE = (CARD[0] + 2 * _ROOM, CARD[1] + 2 * _ROOM)
_COVERED = 12
"""Pixels of a card that its sprite has beyond the strip that is seen: the card above has round corners."""
_SHADE = "#1E140A"
_LETTER = serif(42, Weight.BOLD)
_STRIP_LETTER = serif(32, Weight.BOLD)
_FACED_LETTER = serif(30, Weight.BOLD)
_COUNT = serif(31, Weight.BOLD)
_BADGE = 42
_EMBLEM, _SMALL_EMBLEM = 50, 50
_EMBLEM_DROP = 13
"""How far below a card's middle its emblem is: above the heads of pawns that stand before it."""


@dataclass(frozen=True, slots=True, repr=False)
class PileCard:
    """A card of a pile: its owner, its face where the viewer knows it; ``drafted``: it would come there."""

    owner: Seat
    face: Card | None = None
    drafted: bool = False


def load_cards(theme: Theme) -> None:
    """Load what a pile may need, whatever lies there and whoever knows it."""
    _cards(theme)
    for strip in _STRIPS:
        emblem(Source.LOOK, _emblem_size(strip))


def put_pile(canvas: Canvas, theme: Theme, pile: Sequence[PileCard], top: Point) -> None:
    """Fan out a pile, its top card at the left; ``top``: the middle of the upper edge of all that is seen."""
    # A card that is drafted would lie at the bottom, and is seen however high the pile is.
    shown = [*pile[: SHOWN - 1], pile[-1]] if len(pile) > SHOWN else pile
    pitch = _pitch(len(shown))
    width, middle = CARD[0] + pitch * (len(shown) - 1), top[1] + CARD[1] / 2
    left = round(top[0] - width / 2)
    for number, card in reversed(list(enumerate(shown))):
        x = left + number * pitch
        sprite = _card(theme, card, pitch if number else 0)
        canvas.put(sprite, (x + CARD[0] + _ROOM - sprite.width / 2, middle))
        if card.face is not None:
            strip = pitch if number else 0
            at = x + CARD[0] - (strip or CARD[0]) / 2 - (0.5 if strip else 0), middle + _EMBLEM_DROP
            print_emblem(canvas.image, card.face, at, _emblem_size(strip), theme.ink)
    count = sum(not card.drafted for card in pile)
    if count > 1:
        canvas.put(_badge(theme, count), (left - 7, middle))


def _pitch(count: int) -> int:
    """Return how far apart so many cards of a pile lie."""
    return min(_PITCH, (_PILE_WIDTH - CARD[0]) // max(1, count - 1))


_STRIPS = (0, *sorted({_pitch(count) for count in range(2, SHOWN + 1)}))
"""How much of a card may be seen at its right; 0: a whole card."""


def _emblem_size(strip: int) -> int:
    return min(_SMALL_EMBLEM, strip - 2) if strip else _EMBLEM


def _card(theme: Theme, card: PileCard, strip: int) -> Image.Image:
    row = _STRIPS.index(strip)
    left = sum(map(_seen, _STRIPS[:row]))
    top = _SPRITE[1] * (4 * card.owner + 2 * card.drafted + (card.face is not None))
    return _cards(theme).crop((left, top, left + _seen(strip), top + _SPRITE[1]))


def _seen(strip: int) -> int:
    """Return the width of the sprite of a card of which such a strip is seen."""
    return min(strip + _COVERED + _ROOM, _SPRITE[0]) if strip else _SPRITE[0]


@sprite
def _cards(theme: Theme) -> Image.Image:
    """Return each owner's cards below each other: face down, with room for a face, and both drafted.

    There is a column for each strip of a card that may be seen; what the card above hides is cut off.
    """
    width, height = _SPRITE
    sheet = Image.new("RGBA", (sum(map(_seen, _STRIPS)), height * 4 * len(LETTERS)))
    for seat, drafted in product(range(len(LETTERS)), (False, True)):
        builder = SpriteBuilder(width, height, scale=4, centred=True)
        _lay_ground(builder, theme, seat, drafted=drafted)
        ground = builder.finish()
        for faced in (False, True):
            left, top = 0, (4 * seat + 2 * drafted + faced) * height
            for strip in _STRIPS:
                builder = SpriteBuilder(width, height, scale=4, centred=True)
                _lay_label(builder, theme, seat, strip, faced=faced)
                card = Image.alpha_composite(ground, builder.finish())
                sheet.paste(card.crop((width - _seen(strip), 0, width, height)), (left, top))
                left += _seen(strip)
    return sheet


def _lay_ground(builder: SpriteBuilder, theme: Theme, seat: Seat, *, drafted: bool) -> None:
    """Lay an owner's card: shadow, rim, border, hatched field; pale where it is drafted."""
    side = theme.sides[seat]

    def inside(inset: float, radius: float) -> Stencil:
        width, height = CARD[0] - 2 * inset, CARD[1] - 2 * inset
        return builder.box((-width / 2, -height / 2), (width, height), radius)

    builder.cast(inside(0, 8), _SHADE, (2, 3), 2.6, 0.5)
    builder.lay(inside(0, 8), mix(side.dark, theme.ink, 0.5))
    builder.lay(inside(1.6, 6.6), theme.cream)
    field = inside(5, 4.5)
    builder.lay(field, side.tint if drafted else side.body)
    lines = ImageChops.multiply(hatching(seat, field.size, 24, 8), field)
    builder.lay(lines, side.body if drafted else mix(side.body, side.dark, 0.65), 0.8)


def _lay_label(builder: SpriteBuilder, theme: Theme, seat: Seat, strip: int, *, faced: bool) -> None:
    """Lay the paper that holds the owner's letter, with a face below it or alone."""
    dark, (width, height) = theme.sides[seat].dark, CARD
    ink = mix(dark, theme.ink, 0.25)
    if not strip and not faced:
        builder.lay(builder.polygon(oval((0, 0), 22, 24)), dark)
        builder.lay(builder.polygon(oval((0, 0), 20, 22)), theme.cream)
        builder.lay(builder.word(LETTERS[seat], (0, 0), _LETTER), ink)
        return
    wide, x = (strip - 2.4, (width - strip) / 2 - 0.8) if strip else (width - 16, 0.0)
    half = height / 2 - 7 if faced else 19
    for out, colour in ((1, dark), (0, theme.cream)):
        builder.lay(builder.box((x - wide / 2, -half - out), (wide, 2 * (half + out))), colour)
    face, y = (_FACED_LETTER, 15 - half) if faced else (_STRIP_LETTER, 0)
    builder.lay(builder.word(LETTERS[seat], (x, y), face), ink)


@sprite
def _badge(theme: Theme, count: int) -> Image.Image:
    """Return the number of a pile's cards on a disc."""
    pen = Pen(_BADGE, _BADGE, centred=True)
    pen.disc((0, 0), _BADGE / 2, theme.cream)
    pen.disc((0, 0), _BADGE / 2 - 2.4, theme.ink)
    return written(pen.finish(), str(count), (_BADGE / 2, _BADGE / 2), _COUNT, theme.cream)


# --- on the strip ---------------------------------------------------------------------------------

SMALL = (36, 48)
"""The size of a card of a hand seen from behind."""

_FAN_PITCH = 8
_SMALL_LETTER = serif(31, Weight.BOLD)


@sprite
def hand_fan(theme: Theme, seat: Seat, count: int, *, hollow: bool = False) -> Image.Image:
    """Return so many small cards, the one in front with its owner's letter."""
    side, (width, height) = theme.sides[seat], SMALL
    builder = SpriteBuilder(width + _FAN_PITCH * (count - 1), height, scale=4)
    for number in range(count - 1, -1, -1):
        x = number * _FAN_PITCH
        builder.lay(builder.box((x, 0), SMALL, 5), mix(side.dark, theme.ink, 0.4))
        builder.lay(builder.box((x + 1.2, 1.2), (width - 2.4, height - 2.4), 4), theme.cream)
        builder.lay(builder.box((x + 3, 3), (width - 6, height - 6), 3), side.tint if hollow else side.body)
    field = builder.box((3, 3), (width - 6, height - 6), 3)
    lines = ImageChops.multiply(hatching(seat, field.size, 20, 5), field)
    builder.lay(lines, side.body if hollow else side.dark, 0.45)
    letter = builder.word(LETTERS[seat], (width / 2, height / 2), _SMALL_LETTER)
    edge, ink = (
        (theme.cream, mix(side.dark, theme.ink, 0.25))
        if hollow
        else (mix(side.dark, theme.ink, 0.3), "#FFF9EA")
    )
    builder.lay(builder.grown(letter, 1.1), edge)
    builder.lay(letter, ink)
    return builder.finish()


_DECK = (50, 68)


@sprite
def ghost_deck(theme: Theme, count: int) -> Image.Image:
    """Return the ghost's deck: up to five cards, an empty place where none is left."""
    width, height = _DECK
    pen = Pen(width + 16, height + 12)
    if not count:
        pen.box((6, 6), _DECK, 7, None, theme.soft, 2.5)
        return pen.finish()
    layers = min(count, 5)
    for number in range(layers):
        at = (2 + 3 * (layers - 1 - number), 2 + 2 * (layers - 1 - number))
        pen.box(at, _DECK, 7, theme.cream)
        pen.box((at[0] + 1.5, at[1] + 1.5), (width - 3, height - 3), 6, theme.night)
        pen.box((at[0] + 4, at[1] + 4), (width - 8, height - 8), 4, None, theme.pale, 1.2)
    image = pen.finish()
    print_emblem(image, Source.GHOST, (2 + width / 2, 2 + height / 2), 44, theme.mist)
    return image
