"""Learns the palettes that painters ship: ``python -m tests.renderers.palettes``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from PIL import Image

from renderers.core.contract import Table
from renderers.core.encode import RESOURCE, colours_of, commonest_colours
from renderers.core.painter import Order
from renderers.core.theme import Colour, mix, rgb
from renderers.corto.palette import learnt as learn_corto
from renderers.corto.theme import THEMES as CORTO_THEMES
from renderers.doge import RENDERER as DOGE
from renderers.doge.theme import THEMES as DOGE_THEMES
from renderers.doge.theme import Theme as DogeTheme
from renderers.volo.birds import gone_colours
from renderers.volo.clouds import SHADE
from renderers.volo.regions import coast, deeper, tinted
from renderers.volo.theme import THEMES as VOLO_THEMES
from renderers.volo.theme import Theme as VoloTheme
from tests.renderers.comparing import learnt_colours
from tests.renderers.looks import LOOKS, TABLE, named
from tests.renderers.looks.volo import MORE, painted

DOGE_SAMPLES = tuple(name for name in LOOKS if name.startswith("doge_"))
FOLDER = Path(__file__).parents[2] / "renderers"
SAMPLES = (*MORE, "regions", "regions", "chosen")
"""What Volo's palettes are learnt from; regions have many tints and count twice."""

VOLO_COLOURS, DOGE_COLOURS = 104, 160
"""How many a palette has: fewer than a file can hold, for it packs smaller."""

DOGE_APART = 120
"""How far apart two colours are, as :func:`commonest_colours` takes it."""


def learn_volo(theme: VoloTheme, samples: Sequence[Image.Image]) -> list[Colour]:
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
    found = learnt_colours(samples, exact[0], VOLO_COLOURS - len(exact), kmeans=1)
    return ["#{:02X}{:02X}{:02X}".format(*colour) for colour in dict.fromkeys([*exact, *found])]


def learn_doge(theme: DogeTheme, samples: Iterable[Image.Image]) -> list[Colour]:
    """Return a palette for a theme: its own colours exactly, then the commonest of ``samples``."""
    exact = dict.fromkeys(rgb(colour) for colour in colours_of(theme))
    found = commonest_colours(samples, exact, DOGE_COLOURS, DOGE_APART)
    return ["#{:02X}{:02X}{:02X}".format(*colour) for colour in found]


def main() -> None:
    """Write the palettes of all themes."""
    corto = {name: learn_corto(CORTO_THEMES.choose(name)) for name in CORTO_THEMES.names}
    volo = {}
    for name in VOLO_THEMES.names:
        samples = [painted(sample, name).reduce(2) for sample in SAMPLES]
        volo[name] = learn_volo(VOLO_THEMES.choose(name), samples)
    doge = {}
    for name in DOGE_THEMES.names:
        table = Table(TABLE.names, theme=name)
        orders = [Order(one.view, one.key, table, one.draft, one.menu) for one in map(named, DOGE_SAMPLES)]
        doge[name] = learn_doge(DOGE_THEMES.choose(name), map(DOGE.full_colours, orders))
    for game, found in (("corto", corto), ("volo", volo), ("doge", doge)):
        (FOLDER / game / RESOURCE).write_text(json.dumps(found, indent=1) + "\n", "ascii")


if __name__ == "__main__":
    main()
