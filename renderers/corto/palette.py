"""The palettes of CORTO's pages, one a theme: shipped as data, so that nothing is learnt at the start.

If the adventures are replaced, the palette is learnt once from the new cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from PIL import Image

from engines.core.texts import load
from engines.corto.view import ADVENTURES, CARDS, Figurine, Kind
from renderers.core.captions import Captions
from renderers.core.contract import Table
from renderers.core.encode import colours_of, commonest_colours, palette_of, shipped_colours
from renderers.core.theme import Colour, mix, rgb
from renderers.corto import cards, landscapes, pieces
from renderers.corto.drawing import CLOTHS, SKINS
from renderers.corto.layout import CARD, INNER, PANEL
from renderers.corto.names import card_name, card_rule
from renderers.corto.theme import THEMES, Theme

COLOURS = 192
"""How many a palette has: fewer than a file can hold, for it packs smaller."""

_APART = 900
"""How far apart two washes are, as :func:`commonest_colours` takes it."""


@cache
def palette(theme: Theme) -> Image.Image:
    """Return the palette of a theme; the same object every time."""
    name = THEMES.name_of(theme)
    found = [rgb(colour) for colour in shipped_colours("renderers.corto", name)]
    # Adventures that were replaced bring colours that the shipped palette lacks.
    if not {rgb(colour) for colour in exact(theme)} <= set(found):
        found = [rgb(colour) for colour in learnt(theme)]
    return palette_of(found)


def exact(theme: Theme) -> list[Colour]:
    """Return the colours that must be exact: inks and papers, markers, washes, cloth, skin."""
    found = [*colours_of(theme)]
    for strip in theme.strips:
        found += [strip.shadow, strip.margin, mix(strip.deep, strip.mid, 0.28)]
    for side in theme.sides:
        found += [mix(side.colour, side.words, 0.5), mix(side.colour, theme.card, 0.55)]
    found += [mix(theme.card, theme.ink, share) for share in (0.36, 0.68)]
    found += [mix(theme.card, theme.soft, share) for share in (0.25, 0.35, 0.6)]
    found += [mix(theme.paper, theme.ink, 0.28), mix(theme.glow, theme.ink, 0.5)]
    tints = [*CLOTHS.values(), *SKINS.values()]
    return list(dict.fromkeys("#{:02x}{:02x}{:02x}".format(*rgb(colour)) for colour in [*found, *tints]))


def learnt(theme: Theme) -> list[Colour]:
    """Return a palette: the exact colours, then the commonest washes of cards and landscapes."""
    found = commonest_colours(_samples(theme), map(rgb, exact(theme)), COLOURS, _APART)
    return ["#{:02x}{:02x}{:02x}".format(*colour) for colour in found]


def _samples(theme: Theme) -> Iterator[Image.Image]:
    # All that is painted with washes: the palette is learnt from these.
    for key in ADVENTURES:
        yield landscapes.panorama(key, INNER, CARD.strip, theme).convert("RGB")
    ground = Image.new("RGBA", (PANEL, CARD.panel), theme.paper)
    captions = Captions(load("renderers.corto"), Table(()))
    for card in CARDS.values():
        width = PANEL if card.kind is Kind.CHARACTER else 2 * PANEL
        text = cards.Print(card_name(captions, card.id), card_rule(captions, card))
        face = cards.face(card, width, round(CARD.panel * width / PANEL), theme, text)
        yield _on(ground, face)
    for figure in Figurine:
        yield _on(ground, pieces.figurine(figure, 184, theme))
    for kind, (_, height) in pieces.SIZES.items():
        yield _on(ground, pieces.piece(kind, height, theme, number=1))


def _on(ground: Image.Image, made: Image.Image) -> Image.Image:
    sheet = ground.resize(made.size)
    sheet.alpha_composite(made)
    return sheet.convert("RGB")
