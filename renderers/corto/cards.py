"""The cards: characters as panels of the page, and cards of every kind in a hand.

All sizes are pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from engines.corto.view import ADVENTURES, Card, Kind
from renderers.core.caches import sprite
from renderers.core.type import Weight, sans, wrapped
from renderers.corto.brush import Brush
from renderers.corto.curves import boxed
from renderers.corto.drawing import draw, drawings, inks
from renderers.corto.figures import WIDTH as BUST
from renderers.corto.figures import bust, emblem, figure
from renderers.corto.frames import (
    CORNER,
    LETTER,
    MARGIN,
    PLATE,
    WIDTH,
    Box,
    backdrop,
    bubble,
    corner,
    far_arrows,
    far_sign,
    framed,
    named,
    power_signs,
    stage,
)
from renderers.corto.lettering import number, titled, words
from renderers.corto.theme import Theme

_SMALL = (14.5, 13, 11.5, 10, 8.5)
"""Units of the text on an advantage; one that has no room in any of them is left out."""
_FIGURINES = {Kind.CORTO, Kind.RASPUTIN}


@dataclass(frozen=True, slots=True)
class Print:
    """What is printed on a card: its name and, on an advantage, its rule."""

    name: str
    rule: str = ""


def face(card: Card, width: int, height: int, theme: Theme, text: Print | None = None) -> Image.Image:
    """Return a card, face up: a character as a panel of the page, or a card of any kind.

    ``width`` × ``height`` are the card's; the sprite is larger on all sides, for signs that break the frame.
    Without ``text``, a card with a border has no plate for its name.
    """
    # Adventures can be replaced, so the landscape is part of the key.
    return _painted(card, land(card.deck), width, height, theme, text)


def land(key: str) -> str:
    """Return the name of an adventure's landscape: that of its quest."""
    return ADVENTURES[key].quest


@sprite
def _painted(card: Card, land: str, width: int, height: int, theme: Theme, text: Print | None) -> Image.Image:
    zoom, plate = width / WIDTH, 0 if text is None else PLATE
    tall = height / zoom
    margin = round(MARGIN * zoom)
    brush = Brush(width + 2 * margin, height + 2 * margin, zoom, theme.ink)
    with brush.at(MARGIN, MARGIN):
        if card.border is not None:
            box = framed(brush, card.border, tall, plate, theme)
            with brush.at(box.x, box.y), brush.clip(boxed(0, 0, box.width, box.height)):
                stage(brush, card.border, land, theme.strip(card.deck), box, theme)
                _inside(brush, card, box, theme)
            _signs(brush, card, box, tall, plate, theme)
        else:
            box = Box(8.5, 8.5, WIDTH - 17, tall - 17)
            brush.fill(boxed(0, 0, WIDTH, tall), theme.ink)
            brush.fill(boxed(2, 2, WIDTH - 4, tall - 4), theme.cream)
            brush.fill(boxed(7, 7, WIDTH - 14, tall - 14), theme.ink)
            with brush.at(box.x, box.y), brush.clip(boxed(0, 0, box.width, box.height)):
                _plain_inside(brush, card, land, box, theme)
    image = brush.finish()
    _put_words(image, card, tall, text, zoom, theme)
    return image


def _inside(brush: Brush, card: Card, box: Box, theme: Theme) -> None:
    # The panels of a private page's strips are wider than high.
    low = box.height < box.width
    if card.kind is Kind.CHARACTER:
        who = figure(card.emblem)
        scale = box.width / BUST * (0.8 if low else 1)
        left = (box.width - BUST * scale) / 2
        with brush.at(box.width - left if who.flip else left, -4 if low else 2, scale, flip=who.flip):
            bust(brush, who, theme)
        return
    x, y, radius = (40.0, box.height / 2, 37.0) if low else (box.width / 2, box.height * 0.39, 44.0)
    brush.dot(x, y, radius, radius, theme.card)
    with brush.at(x, y, 0.84 * radius / 44):
        emblem(brush, card.emblem, theme)


def _signs(brush: Brush, card: Card, box: Box, height: float, plate: int, theme: Theme) -> None:
    if len(card.colours) > 1:
        corner(brush, WIDTH, 0, theme.strip(card.colours[1]).deep, theme)
    if card.friend:
        bubble(brush, box, theme)
    if card.kind is Kind.OBJECT and card.border is not None:
        power_signs(brush, card.border, card.power, box, theme)
    if card.long_range:
        far_arrows(brush, height, plate, theme)
    if card.long_range and card.kind is Kind.CHARACTER:
        down = CORNER + 16 if len(card.colours) > 1 else 24
        far_sign(brush, WIDTH - 25, down, theme)


def _plain_inside(brush: Brush, card: Card, land: str, box: Box, theme: Theme) -> None:
    strip = theme.strip(card.deck)
    if card.kind not in _FIGURINES:
        brush.fill(boxed(0, 0, box.width, box.height), theme.paper)
        brush.fill(f"0,0! {box.width},0! {box.width},40 76,50 44,42 0,52!", strip.mid)
        badge = drawings("signs").get(card.effect)
        with brush.at(box.width / 2 - (18 if badge else 0), 31, 0.58):
            emblem(brush, card.emblem, theme)
        if badge:
            brush.dot(box.width - 26, 33, 16.5, 16.5, theme.ink)
            brush.dot(box.width - 26, 33, 14.6, 14.6, theme.card)
            with brush.at(box.width - 26, 33):
                draw(brush, badge, inks(theme))
        return
    scale = 0.84 * min(1.0, (box.height - 2) / 155)
    backdrop(brush, land, strip, Box(0, 0, box.width, box.height), theme)
    low, right = box.height, box.width
    brush.fill(f"0,{low - 34}! {right},{low - 38}! {right},{low}! 0,{low}!", strip.deep)
    with brush.at(12, box.height - 155 * scale / 0.84, scale):
        draw(brush, drawings("figurines")[card.kind.value], inks(theme))
    with brush.at(right - 24, max(22, box.height - 102)):
        draw(brush, drawings("signs")["wheel" if card.vehicle else "boots"], inks(theme))


def _put_words(
    image: Image.Image, card: Card, height: float, text: Print | None, zoom: float, theme: Theme
) -> None:
    printed = text or Print("")
    if card.border is not None:
        if text is not None:
            named(image, card.border, text.name, height, zoom, theme)
        if len(card.colours) > 1:
            at = ((MARGIN + WIDTH - CORNER / 2 + 1) * zoom, (MARGIN + CORNER / 2) * zoom)
            number(image, card.colours[1], at, LETTER * zoom, theme.card, zoom)
    elif card.kind in _FIGURINES:
        title, face = titled(printed.name, 34 * zoom, (WIDTH - 24) * zoom)
        at = ((MARGIN + WIDTH / 2) * zoom, (MARGIN + height - 26) * zoom)
        words(image, title, at, face, theme.card, zoom, bold=round(0.6 * zoom, 2))
        at = ((MARGIN + WIDTH - 33) * zoom, (MARGIN + max(66, height - 74)) * zoom)
        number(image, str(card.steps), at, 36 * zoom, theme.ink, zoom)
    else:
        _advantage_words(image, printed, height, zoom, theme)


def _advantage_words(image: Image.Image, text: Print, height: float, zoom: float, theme: Theme) -> None:
    middle = (MARGIN + WIDTH / 2) * zoom
    title, face = titled(text.name, 28 * zoom, (WIDTH - 22) * zoom)
    words(image, title, (middle, (MARGIN + 80) * zoom), face, theme.ink, zoom, bold=round(0.5 * zoom, 2))
    for size in _SMALL:
        small = sans(max(6, round(size * zoom)), Weight.SEMIBOLD)
        lines = wrapped(text.rule, small, (WIDTH - 24) * zoom)
        if len(lines) * size * 1.12 > height - 108:
            continue
        for i, line in enumerate(lines):
            at = (middle, (MARGIN + 104 + i * size * 1.12) * zoom)
            words(image, line, at, small, theme.ink, zoom)
        return
