"""The palettes of Volo's pictures, one a theme: shipped as data, so that nothing is learnt at the start."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from PIL import Image

from renderers.core.encode import learnt_colours, shipped_palette
from renderers.core.theme import Colour, mix, rgb
from renderers.volo.birds import gone_colours
from renderers.volo.clouds import SHADE
from renderers.volo.regions import coast, deeper, tinted
from renderers.volo.theme import THEMES, Theme

COLOURS = 104
"""How many a palette has: fewer than a file can hold, for it packs smaller."""


@cache
def shipped(theme: Theme) -> Image.Image:
    """Return the palette of a theme; raises ``KeyError`` for a theme that none is shipped for."""
    return shipped_palette("renderers.volo", THEMES, theme)


def learnt(theme: Theme, samples: Sequence[Image.Image]) -> list[Colour]:
    """Return a palette for a theme: the colours that stand alone in it exactly, others from ``samples``."""
    # Learning would blend what stands alone: inks, birds, shadows on every second band, regions.
    colours = [theme.ink, theme.slate, theme.name]
    colours += [theme.cream, theme.paper, theme.white, theme.gold, theme.chosen]
    for side in theme.sides:
        colours += [side.dark, side.light, side.mark, side.cloud, side.rim, side.thread]
        colours += gone_colours(theme, side)
    colours += [mix(band, theme.shade, SHADE / 255) for band in theme.water[1::2]]
    for region in theme.regions:
        colours += [region, coast(theme, region), tinted(theme, region), deeper(theme, region)]
        colours.append(mix(region, theme.white, 0.35))
    colours += [mix(band, theme.shade, 0.4) for band in theme.scenery.sky[:2]]
    colours += [*theme.scenery.pole, *theme.water, *theme.scenery.sky, *theme.scenery.bank]
    exact = list(dict.fromkeys(rgb(colour) for colour in colours))
    found = learnt_colours(samples, exact[0], COLOURS - len(exact), kmeans=1)
    return ["#{:02X}{:02X}{:02X}".format(*colour) for colour in dict.fromkeys([*exact, *found])]
