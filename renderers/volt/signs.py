"""Small things of the control unit: deck signs, cards, dice, number tiles, arrow keys."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.geometry import heading, moved, polar
from renderers.core.sprite_builder import SpriteBuilder, Stencil
from renderers.core.theme import mix
from renderers.core.type import Weight, sans
from renderers.volt.public_data import DELTA
from renderers.volt.theme import Theme
from renderers.volt.tiles import SOFTNESS, cut_square

IVORY, IVORY_LOW = "#F6F2E6", "#B9B29C"


@sprite
def deck_sign(theme: Theme, deck: str, size: int) -> Image.Image:
    """Return a deck's sign in its light colour, ``size`` pixels wide."""
    builder = SpriteBuilder(size, size, zoom=size / 32, centred=True)
    # Shape tells decks apart as well as colour: arrowheads, a crosshair, a nut.
    if deck == "blue":
        stencil = builder.line([(-11, -9), (-2, 0), (-11, 9)], 5.5)
        stencil.paste(255, mask=builder.line([(2, -9), (11, 0), (2, 9)], 5.5))
    elif deck == "red":
        stencil = builder.ring((0, 0), 11, 4)
        for angle in (0, 90, 180, 270):
            stencil.paste(255, mask=builder.line([polar(angle, 6), polar(angle, 14)], 3.6))
    else:
        stencil = builder.polygon([polar(60 * k + 30, 14) for k in range(6)])
        stencil.paste(0, mask=builder.discs([(0, 0)], 6))
    builder.lay(stencil, theme.deck(deck).light)
    return builder.finish()


@sprite
def card(theme: Theme, deck: str, size: tuple[int, int], *, dim: bool = False) -> Image.Image:
    """Return an empty card of a deck: a plain ground for its name, dark if ``dim``."""
    width, height = size
    colours = theme.deck(deck)
    base = mix(colours.dark, theme.panel, 0.62) if dim else mix(colours.base, colours.dark, 0.45)
    rim = mix(colours.base, theme.panel, 0.45) if dim else colours.base
    builder = SpriteBuilder(width, height, scale=2)
    whole = builder.box((0, 0), (width, height), 9)
    builder.lay(whole, rim)
    field = builder.box((3, 3), (width - 6, height - 6), 7)
    builder.lay(field, base)
    return builder.finish()


@sprite
def back(theme: Theme, deck: str, size: tuple[int, int]) -> Image.Image:
    """Return the small back of a spare module, its deck's sign on it."""
    width, height = size
    made = card(theme, deck, size).copy()
    sign = deck_sign(theme, deck, round(min(width, height) * 0.86))
    made.alpha_composite(sign, ((width - sign.width) // 2, (height - sign.height) // 2))
    return made


@sprite
def die(theme: Theme, colour: str, number: int, size: int) -> Image.Image:
    """Return a die seen from above and the front: blue is round, red has cut corners; 0: no number."""
    builder = SpriteBuilder(size, size, zoom=size / 100, centred=True)
    deck = theme.deck(colour)

    def face(dy: float, half: float) -> Stencil:
        if colour == "blue":
            return builder.box((-half, -half + dy), (2 * half, 2 * half), half * 0.62)
        return builder.polygon(moved(cut_square(half, half * 0.42), 0, dy))

    builder.lay(face(4, 46), theme.ink)
    builder.lay(face(4, 42), deck.dark)
    builder.lay(face(-4, 42), (deck.light, deck.base, deck.base))
    builder.lay(face(-4, 36), deck.base)
    if number:
        builder.lay(builder.word(str(number), (0, -4), sans(66, Weight.BLACK)), "#FFFFFF")
    return builder.finish(SOFTNESS)


@sprite
def tile(theme: Theme, number: int | None, state: str, size: int) -> Image.Image:
    """Return a number tile. ``state``: ``"done"`` ivory, ``"thinking"`` dark with dots, ``"gone"`` dark."""
    builder = SpriteBuilder(size, size, zoom=size / 100, centred=True)
    bright = state == "done"
    builder.lay(builder.box((-48, -48), (96, 96), 18), theme.ink)
    builder.lay(builder.box((-44, -44), (88, 88), 15), IVORY_LOW if bright else theme.line)
    builder.lay(builder.box((-44, -44), (88, 80), 15), IVORY if bright else theme.panel)
    if state == "thinking":
        builder.lay(builder.discs([(-22, -4), (0, -4), (22, -4)], 8), theme.words)
    elif number is None:
        builder.lay(builder.line([(-22, -2), (-6, 14), (24, -24)], 13), theme.ink if bright else theme.quiet)
    else:
        colour = theme.ink if bright else mix(theme.line, theme.quiet, 0.4)
        builder.lay(builder.word(str(number), (0, -4), sans(84, Weight.BLACK)), colour)
    return builder.finish(SOFTNESS)


@sprite
def key(theme: Theme, arrow: str, state: str, size: int) -> Image.Image:
    """Return an arrow key of a unit.

    ``state``: ``"idle"``, ``"off"`` (no die may lie there), ``"white"`` (chosen, no die yet), ``"blue"``
    or ``"red"`` (a die of that colour lies on it: its arrow head is moved to the key's edge).
    """
    builder = SpriteBuilder(size, size, zoom=size / 100, centred=True)
    dx, dy = DELTA[arrow]
    rim, ground, colour = {
        "idle": (theme.line, theme.panel_lit, theme.quiet),
        "off": (theme.panel, theme.night, mix(theme.panel, theme.line, 0.35)),
        "white": ("#FFFFFF", theme.panel, "#FFFFFF"),
        "blue": (theme.blue.light, theme.blue.dark, "#FFFFFF"),
        "red": (theme.red.light, theme.red.dark, "#FFFFFF"),
    }[state]
    builder.lay(builder.box((-48, -48), (96, 96), 14), rim)
    builder.lay(builder.box((-44, -44), (88, 88), 11), ground)
    angle = heading(dx, dy)
    if state in ("blue", "red"):
        # The die covers the middle of the key.
        head = [polar(angle + turn, radius) for turn, radius in ((0, 13.0), (128, 15.0), (232, 15.0))]
        shape = moved(head, *polar(angle, 34.0 if 0 in (dx, dy) else 40.0))
    else:
        whole = [(-9, 28), (9, 28), (9, -2), (25, -2), (0, -31), (-25, -2), (-9, -2)]
        shape = moved(whole, 0, 0, 1, angle)
    builder.lay(builder.polygon(shape), colour)
    return builder.finish(SOFTNESS)


@sprite
def crossed(theme: Theme, size: int) -> Image.Image:
    """Return the cross over a robot that is off the board."""
    builder = SpriteBuilder(size, size, zoom=size / 130, centred=True)
    for width, colour in ((19.0, theme.ink), (10.0, theme.hot)):
        for line in ([(-26, -26), (26, 26)], [(-26, 26), (26, -26)]):
            builder.lay(builder.line(line, width), colour)
    return builder.finish(SOFTNESS)
