"""The marks on the plate: what became of a slot, where one may go and what awaits there, the last move."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from PIL import Image, ImageChops

from engines.core.contract import Seat
from engines.doge.view import LOCATIONS, Source, Square, Way
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen, painted
from renderers.core.geometry import Point, moved, polar, star
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import mix
from renderers.core.type import Weight, serif
from renderers.doge.emblems import LETTERS, hatching, print_emblem
from renderers.doge.layout import EDGE, SLOT, WIDTH, square_box
from renderers.doge.theme import Theme

_LIGHT = "#FFF9EA"
_LETTER = serif(29, Weight.BOLD)
_SEAL = 18.0
"""Radius of a seal."""

_SEAL_AT = (21.0, 20.0)


# --- slots ----------------------------------------------------------------------------------------

_SLOT_SPRITE = 2 * (SLOT + 18)


class SlotMark(IntEnum):
    """What became of a slot; a seat's number is added to the first two."""

    REFUTED = 0
    IDENTITY = 4
    LAID_OUT = 8
    NAMED = 9
    TREASURE = 10


def put_slot_mark(canvas: Canvas, theme: Theme, mark: SlotMark, at: Point, seat: Seat = 0) -> None:
    """Put a mark on a slot.

    Refuted: a bar in the guesser's colour, sealed. Identity: a ring in its owner's colour, sealed. Laid out:
    ruled over. Named: a gilt ring. Treasure: gilt rays.
    """
    left = _SLOT_SPRITE * (mark + seat)
    canvas.put(_slot_marks(theme).crop((left, 0, left + _SLOT_SPRITE, _SLOT_SPRITE)), at)


@sprite
def _slot_marks(theme: Theme) -> Image.Image:
    # All together: no file is made because one seat alone thinks of a pair, or knows the treasure.
    made = [_refuted(theme, seat) for seat in range(len(LETTERS))]
    made += [_identity(theme, seat) for seat in range(len(LETTERS))]
    made += [_laid_out(theme), _named(theme), _treasure(theme)]
    sheet = Image.new("RGBA", (len(made) * _SLOT_SPRITE, _SLOT_SPRITE))
    for number, image in enumerate(made):
        sheet.paste(image, (number * _SLOT_SPRITE, 0))
    return sheet


def _builder() -> SpriteBuilder:
    return SpriteBuilder(_SLOT_SPRITE, _SLOT_SPRITE, scale=4, centred=True)


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


def _refuted(theme: Theme, seat: Seat) -> Image.Image:
    side, builder = theme.sides[seat], _builder()
    builder.lay(builder.discs([(0, 0)], SLOT - 1.5), mix(side.tint, side.light, 0.3), 0.2)
    bar = [(-26, 21), (26, -21)]
    for width, colour in ((13.0, theme.cream), (9.6, mix(side.dark, theme.ink, 0.4)), (7.0, side.body)):
        builder.lay(builder.line(bar, width), colour)
    _lay_seal(builder, theme, seat, wax=True)
    return builder.finish()


def _identity(theme: Theme, seat: Seat) -> Image.Image:
    side, builder = theme.sides[seat], _builder()
    dark = mix(side.dark, theme.ink, 0.4)
    for radius, width, colour in (
        (SLOT + 7, 12, theme.cream),
        (SLOT + 5.5, 9.5, dark),
        (SLOT + 4.2, 7, side.body),
    ):
        builder.lay(builder.ring((0, 0), radius, width), colour)
    _lay_seal(builder, theme, seat, wax=False)
    return builder.finish()


def _laid_out(theme: Theme) -> Image.Image:
    builder = _builder()
    slot = builder.discs([(0, 0)], SLOT - 1)
    builder.lay(slot, theme.tints.pavement, 0.72)
    builder.lay(
        ImageChops.multiply(hatching(3, slot.size, 22, 6).transpose(Image.Transpose.FLIP_LEFT_RIGHT), slot),
        theme.soft,
    )
    for width, colour in ((8, theme.cream), (5, theme.rubric)):
        builder.lay(builder.line([(-25, 11), (25, -11)], width), colour)
    return builder.finish()


def _named(theme: Theme) -> Image.Image:
    builder = _builder()
    for radius, width, colour in (
        (SLOT + 8, 11, theme.gilt_edge),
        (SLOT + 6.6, 8.2, theme.gilt),
        (SLOT + 4.4, 2.4, theme.gilt_pale),
    ):
        builder.lay(builder.ring((0, 0), radius, width), colour)
    return builder.finish()


def _treasure(theme: Theme) -> Image.Image:
    builder = _builder()
    hole = builder.discs([(0, 0)], SLOT + 1)
    for inset, colour in ((0, theme.gilt_edge), (2, theme.gilt_lit)):
        rays = builder.polygon(star(24, SLOT + 17 - inset, SLOT + 8 - inset))
        builder.lay(ImageChops.subtract(rays, hole), colour)
    builder.lay(builder.ring((0, 0), SLOT + 3, 2), theme.gilt_edge)
    return builder.finish()


# --- squares --------------------------------------------------------------------------------------

_ROOM = 12
"""The room around a frame's sprite."""

_DISC = 50


class Target(IntEnum):
    """What a disc on a frame says: which way, a first placing, or what awaits there."""

    CLOCKWISE = 0
    COUNTER_CLOCKWISE = 1
    PLACE = 2
    MEETING = 3
    LOOK = 4
    GHOST = 5


WAYS = {Way.CLOCKWISE: Target.CLOCKWISE, Way.COUNTER_CLOCKWISE: Target.COUNTER_CLOCKWISE}
AWAITS = {Source.MEETING: Target.MEETING, Source.LOOK: Target.LOOK, Source.GHOST: Target.GHOST}


def put_frame(canvas: Canvas, theme: Theme, square: Square, *, chosen: bool) -> None:
    """Frame a square in gilt; thicker, and gilt within, where it is chosen."""
    left, top, right, low = square_box(square)
    frames = _frames(theme, round(right - left), round(low - top))
    half = frames.width // 2
    part = frames.crop((half * chosen, 0, half * (1 + chosen), frames.height))
    canvas.put(part, ((left + right) / 2, (top + low) / 2))


@sprite
def _frames(theme: Theme, width: int, height: int) -> Image.Image:
    """Return the frame of a square that may be chosen, and of one that is."""
    sheet = Image.new("RGBA", (2 * (width + 2 * _ROOM), height + 2 * _ROOM))
    for number, thick in enumerate((7.0, 11.0)):
        pen = Pen(width + 2 * _ROOM, height + 2 * _ROOM)
        ground = theme.gilt_lit + "60" if number else None
        for inset, line, colour in (
            (-1.4, thick + 2.8, theme.gilt_edge),
            (0, thick, theme.gilt),
            (2, 2.2, theme.gilt_pale),
        ):
            at, size = _ROOM + inset, (width - 2 * inset, height - 2 * inset)
            pen.box((at, at), size, 15 - inset, ground if inset < 0 else None, colour, line)
        sheet.paste(pen.finish(), (number * sheet.width // 2, 0))
    return sheet


def put_discs(canvas: Canvas, theme: Theme, square: Square, signs: Sequence[Target]) -> None:
    """Put gilt discs on the frame of a square, free of signs, numbers and the ghost."""
    left, top, right, low = square_box(square)
    for number, sign in enumerate(signs):
        if square in LOCATIONS:
            at = right - 14 - number * (_DISC + 2), max(top + 5, EDGE + _DISC / 2)
        else:
            x = left + 3 if (left + right) / 2 > WIDTH / 2 else right - 3
            at = x, low - 24 - (len(signs) - 1 - number) * (_DISC + 2)
        canvas.put(_discs(theme).crop((_DISC * sign, 0, _DISC * (sign + 1), _DISC)), at)


@sprite
def _discs(theme: Theme) -> Image.Image:
    sheet = Image.new("RGBA", (_DISC * len(Target), _DISC))
    emblems = {Target.MEETING: Source.MEETING, Target.LOOK: Source.LOOK, Target.GHOST: Source.GHOST}
    for sign in Target:
        pen = Pen(_DISC, _DISC, centred=True)
        pen.disc((0, 0), 24, theme.gilt_edge)
        pen.disc((0, 0), 22, theme.gilt_disc)
        if sign in (Target.CLOCKWISE, Target.COUNTER_CLOCKWISE):
            _draw_arrow(pen, theme, 1 if sign is Target.CLOCKWISE else -1)
        elif sign is Target.PLACE:
            pen.disc((0, -9), 7, theme.gilt_edge)
            pen.polygon([(-4, -4), (4, -4), (11, 14), (-11, 14)], theme.gilt_edge)
        image = pen.finish()
        if sign in emblems:
            print_emblem(image, emblems[sign], (_DISC / 2, _DISC / 2), 34, theme.gilt_edge)
        sheet.paste(image, (sign * _DISC, 0))
    return sheet


def _draw_arrow(pen: Pen, theme: Theme, side: int) -> None:
    arc = [polar(side * angle, 12) for angle in range(-110, 141, 10)]
    pen.line(arc, 5, theme.gilt_edge)
    tip = moved([(side * -9, -8), (side * 9, -8), (0, 8)], *polar(side * 146, 12), turn=side * 56)
    pen.polygon(tip, theme.gilt_edge)


@sprite
def trail_dot(theme: Theme, seat: Seat) -> Image.Image:
    """Return a dot of the way that a pawn went."""
    side = theme.sides[seat]

    def draw(pen: Pen) -> None:
        pen.disc((0, 0), 8.5, theme.cream)
        pen.disc((0, 0), 7.4, mix(side.dark, theme.ink, 0.4))
        pen.disc((0, 0), 5.4, side.body)

    return painted(18, draw)
