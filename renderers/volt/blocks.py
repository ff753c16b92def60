"""What stands up in the arena: pillars, lamp masts, walls; each shows its pale top and its striped front."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.sprite_builder import Stencil, Studio
from renderers.core.theme import mix
from renderers.volt.theme import Theme
from renderers.volt.tiles import SOFTNESS

WALL = 24
"""How thick a wall's top is, in units; its front below is :data:`FRONT` high."""
FRONT = 17


def _stripes(studio: Studio, corner: tuple[float, float], size: tuple[float, float]) -> Stencil:
    """Return slanted stripes inside a box."""
    x, y = corner
    width, height = size
    stripes = studio.empty()
    step = 22.0
    start = x - height
    while start < x + width:
        slab = [
            (start, y + height),
            (start + step / 2, y + height),
            (start + step / 2 + height, y),
            (start + height, y),
        ]
        stripes.paste(255, mask=studio.polygon(slab))
        start += step
    inside = studio.box(corner, size)
    return Image.composite(stripes, studio.empty(), inside)


@sprite
def pillar(theme: Theme, cell: int, *, mast: bool) -> Image.Image:
    """Return a solid block that fills its space; a mast carries four lamps."""
    size = round(cell * 1.3)
    studio = Studio(size, size, zoom=cell / 100, centred=True)
    studio.cast(studio.box((-42, -40), (90, 88), 8), theme.ink, (10, 10), 6, 0.75)
    studio.lay(studio.box((-46, -44), (92, 91), 8), theme.ink)
    studio.lay(studio.box((-44, 14), (88, 31), 6), theme.stripe_dark)
    studio.lay(_stripes(studio, (-42, 26), (84, 16)), theme.stripe)
    top = studio.box((-44, -42), (88, 66), 8)
    studio.lay(top, (theme.steel_lit, theme.steel, mix(theme.steel, theme.steel_dark, 0.35)))
    if mast:
        for x in (-21, 21):
            for y in (-25, 7):
                studio.lay(studio.discs([(x, y)], 16), theme.steel_dark)
                studio.lay(studio.discs([(x, y)], 12.5), theme.lamp)
    else:
        inner = studio.box((-32, -32), (64, 46), 6)
        studio.lay(inner, mix(theme.steel, theme.steel_dark, 0.45))
        studio.lay(studio.line([(-27, -27), (27, 9)], 5), theme.steel)
        studio.lay(studio.line([(-27, 9), (27, -27)], 5), theme.steel)
    return studio.finish(SOFTNESS)


@sprite
def wide_wall(theme: Theme, cell: int) -> Image.Image:
    """Return a wall that runs from west to east, its line on the sprite's middle."""
    size = round(cell * 1.5)
    studio = Studio(size, size, zoom=cell / 100, centred=True)
    half = WALL / 2
    studio.cast(studio.box((-52, -4), (108, 30)), theme.ink, (6, 12), 5, 0.8)
    studio.lay(studio.box((-58, -half - 3), (116, WALL + FRONT + 6), 6), theme.ink)
    studio.lay(studio.box((-55, half - 4), (110, FRONT + 4), 3), theme.stripe_dark)
    studio.lay(_stripes(studio, (-55, half), (110, FRONT)), theme.stripe)
    studio.lay(studio.box((-55, -half), (110, WALL), 4), (theme.steel_lit, theme.steel_lit, theme.steel))
    return studio.finish(SOFTNESS)


@sprite
def tall_wall(theme: Theme, cell: int) -> Image.Image:
    """Return a wall that runs from north to south, its line on the sprite's middle."""
    size = round(cell * 1.6)
    studio = Studio(size, size, zoom=cell / 100, centred=True)
    half = WALL / 2
    studio.cast(studio.box((-4, -48), (30, 108)), theme.ink, (12, 4), 5, 0.8)
    studio.lay(studio.box((-half - 3, -58), (WALL + 6, 116 + FRONT), 6), theme.ink)
    studio.lay(studio.box((-half, 50), (WALL, FRONT + 5), 3), theme.stripe_dark)
    studio.lay(_stripes(studio, (-half, 55), (WALL, FRONT)), theme.stripe)
    studio.lay(studio.box((-half, -55), (WALL, 110), 4), (theme.steel_lit, theme.steel_lit, theme.steel))
    return studio.finish(SOFTNESS)
