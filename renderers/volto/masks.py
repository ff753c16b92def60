"""The masks as sprites: a blank one a seat, and a figure for each kind, at any size."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.geometry import Point, star
from renderers.core.sprite_builder import Studio, resized
from renderers.core.type import Weight, sans
from renderers.volto.faces import moon, sun
from renderers.volto.figures import FIGURES, Smith
from renderers.volto.theme import Theme

BOX = 150
"""Pixels of a mask's square at zoom 1, with the room that its shadow needs."""
KINDS = tuple(FIGURES)
"""The letters of the kinds, in the order in which they are shown everywhere."""

SOFTNESS = 0.6
"""Pixels by which all rich sprites are softened."""
_SHRINK = 0.93
"""Figures are drawn a little larger than the box has room for with their rims."""
_BADGE: Point = (45, 47)


@sprite
def figure(theme: Theme, seat: int, kind: str, zoom: float = 1) -> Image.Image:
    """Return a mask whose kind is known, seen from behind: hollow, with its emblem inside."""
    if zoom != 1:
        return resized(figure(theme, seat, kind), zoom)
    studio = Studio(BOX, BOX, zoom=_SHRINK, centred=True)
    FIGURES[kind](Smith(studio, theme, seat))
    if theme.letters:
        _badge(studio, theme, seat, kind)
    return studio.finish(SOFTNESS)


def _badge(studio: Studio, theme: Theme, seat: int, kind: str) -> None:
    """Lay the owner's badge with the kind's letter: rays for the Sun, a smooth disc for the Moon."""
    side = theme.sides[seat]
    edge = studio.polygon(star(10, 27, 21, _BADGE)) if seat == 0 else studio.discs([_BADGE], 24)
    studio.lay(studio.grown(edge, 2), theme.ink)
    studio.lay(edge, side.shine)
    studio.lay(studio.word(kind, _BADGE, sans(32, Weight.BOLD)), theme.ink)


@sprite
def blank(theme: Theme, seat: int, zoom: float = 1) -> Image.Image:
    """Return a mask that shows nothing but its owner: a sun with rays, or a moon with its crescent."""
    if zoom != 1:
        return resized(blank(theme, seat), zoom)
    studio = Studio(BOX, BOX, centred=True)
    (sun if seat == 0 else moon)(studio, theme)
    return studio.finish(SOFTNESS)
