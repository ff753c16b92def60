"""Cards of a hand, low and broad: a figure or an emblem in its landscape, and signs for what it does."""

from __future__ import annotations

from PIL import Image

from engines.corto.view import Border, Card, Kind
from renderers.core.caches import sprite
from renderers.core.geometry import star
from renderers.corto import landscapes
from renderers.corto.brush import Brush
from renderers.corto.cards import land
from renderers.corto.curves import boxed
from renderers.corto.drawing import draw, drawings, inks
from renderers.corto.figures import bust, emblem, figure
from renderers.corto.frames import CORNER, LETTER, checks, corner
from renderers.corto.lettering import number
from renderers.corto.theme import Theme

_UNIT = 46
"""Units that one sign takes."""
_SHOWN = 4
"""Signs that have room at most."""
_EDGE = 13
"""Pixels of the border that says what a card does."""
_CHECK = 26
"""About how many pixels long a white or black field of a checked border is."""
_LEFT = 96
"""Pixels from the left that belong to the figure; the signs have the rest."""
FIGURINES = frozenset({Kind.CORTO, Kind.RASPUTIN})


def signs_of(card: Card) -> tuple[str, ...]:
    """Return a card's signs by name: what it adds, hits, how far, whose friend it is, or its effect."""
    if card.kind in FIGURINES:
        return ("wheel" if card.vehicle else "boots", f"={card.steps}")
    if card.border is None:
        return (card.effect,) if card.effect in drawings("signs") else ()
    count = card.power if card.kind is Kind.OBJECT else 1
    found = ["add"] * count if card.border is not Border.BLACK else []
    found += ["hit"] * count if card.border is not Border.WHITE else []
    found += ["far"] if card.long_range else []
    found += ["bubble"] if card.friend else []
    return tuple(found[:_SHOWN])


def broad(card: Card, width: int, height: int, theme: Theme) -> Image.Image:
    """Return the picture of a card of any kind, ``width`` × ``height`` pixels, without its name."""
    # Adventures can be replaced, so the landscape is part of the key.
    return _broad(card, land(card.deck), width, height, theme)


@sprite
def _broad(card: Card, _land: str, width: int, height: int, theme: Theme) -> Image.Image:
    image = _bordered(card, width, height, theme)
    brush = Brush(width, height, 1, theme.ink)
    inside = boxed(_EDGE, _EDGE, width - 2 * _EDGE, height - 2 * _EDGE)
    with brush.clip(inside):
        if len(card.colours) > 1:
            corner(brush, width - _EDGE, _EDGE, theme.strip(card.colours[1]).deep, theme)
        _put_figure(brush, card, height, theme)
    signs = signs_of(card)
    # Beside a turned corner, not below: a card is low.
    right = width - (CORNER + 4 if len(card.colours) > 1 else 0) - _EDGE
    places = _places(signs, (_LEFT - (12 if len(card.colours) > 1 else 0), 0, right - _LEFT, height))
    for name, (x, y, scale) in zip(signs, places, strict=True):
        with brush.at(x, y, scale):
            _put_sign(brush, name, theme)
    made = brush.finish()
    image.paste(made, (0, 0), made)
    for name, (x, y, scale) in zip(signs, places, strict=True):
        if name.startswith("="):
            number(image, name[1:], (x, y), 46 * scale, theme.ink, 1)
    if len(card.colours) > 1:
        at = (width - _EDGE - CORNER / 2 + 1, _EDGE + CORNER / 2)
        number(image, card.colours[1], at, LETTER, theme.card, 1)
    return image


def _bordered(card: Card, width: int, height: int, theme: Theme) -> Image.Image:
    """Return a landscape in the card's border: white adds, black hits, checks of both do either."""
    image = Image.new("RGBA", (width, height), theme.ink)
    inner = (width - 2 * _EDGE, height - 2 * _EDGE)
    around = (_EDGE - 3, _EDGE - 3, width - _EDGE + 3, height - _EDGE + 3)
    if card.border is None or card.border is Border.WHITE:
        image.paste(theme.card if card.border else theme.cream, (2, 2, width - 2, height - 2))
        image.paste(theme.ink, around)
    else:
        # A fine line parts a dark picture from a black border.
        image.paste(theme.hair, around)
    if card.border is Border.BOTH:
        for box in checks(width - 4, height - 4, _CHECK):
            left, top = 2 + round(box.x), 2 + round(box.y)
            image.paste(theme.card, (left, top, 2 + round(box.x + box.width), 2 + round(box.y + box.height)))
    image.paste(theme.ink, (_EDGE - 2, _EDGE - 2, width - _EDGE + 2, height - _EDGE + 2))
    image.paste(landscapes.panorama(card.deck, *inner, theme), (_EDGE, _EDGE))
    return image


def _put_figure(brush: Brush, card: Card, height: int, theme: Theme) -> None:
    middle = height / 2
    if card.kind is Kind.CHARACTER:
        who = figure(card.emblem)
        with brush.at(_LEFT if who.flip else _EDGE, _EDGE - 2, 0.8, flip=who.flip):
            bust(brush, who, theme)
    elif card.kind in FIGURINES:
        with brush.at(_EDGE + 16, _EDGE + 4, 0.8):
            draw(brush, drawings("figurines")[card.kind.value], inks(theme))
    else:
        brush.dot(_EDGE + 42, middle, 38, 38, theme.card)
        with brush.at(_EDGE + 42, middle, 0.74):
            emblem(brush, card.emblem, theme)


def _places(
    signs: tuple[str, ...], at: tuple[float, float, float, float]
) -> list[tuple[float, float, float]]:
    """Return middle and scale of each sign, in one or two columns of a box."""
    left, top, wide, high = at
    columns = 1 if len(signs) < 3 and len(signs) * _UNIT <= high else 2
    lines = max(1, -(-len(signs) // columns))
    scale = min(wide / columns, high / lines, 56) / _UNIT * 0.92
    found = []
    for place in range(len(signs)):
        column, line = place % columns - (columns - 1) / 2, place // columns - (lines - 1) / 2
        found.append(
            (left + wide / 2 + column * wide / columns, top + high / 2 + line * _UNIT * scale, scale)
        )
    return found


def _put_sign(brush: Brush, name: str, theme: Theme) -> None:
    if name.startswith("="):
        brush.dot(0, 0, 22, 22, theme.card)
        return
    if name == "hit":
        points = star(9, 21.5, 14, turn=10)
        brush.fill(points, theme.card)
        brush.outline(points, 3.4, 0, theme.card)
        brush.fill(points, theme.ink)
    elif name not in {"add", "bubble", "far"}:
        brush.dot(0, 0, 22, 22, theme.card)
    draw(brush, drawings("signs")[name], inks(theme))
