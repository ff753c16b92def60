"""What stands up in the arena: pillars, lamp masts, walls; each shows its pale top and its striped front."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import mix
from renderers.volt.theme import Theme
from renderers.volt.tiles import SOFTNESS, stripes

WALL = 24
"""How thick a wall's top is, in units; its front below is :data:`FRONT` high."""
FRONT = 17


@sprite
def pillar(theme: Theme, cell: int, *, mast: bool) -> Image.Image:
    """Return a solid block that fills its space; a mast carries four lamps."""
    size = round(cell * 1.3)
    builder = SpriteBuilder(size, size, zoom=cell / 100, centred=True)
    builder.cast(builder.box((-42, -40), (90, 88), 8), theme.ink, (10, 10), 6, 0.75)
    builder.lay(builder.box((-46, -44), (92, 91), 8), theme.ink)
    builder.lay(builder.box((-44, 14), (88, 31), 6), theme.stripe_dark)
    builder.lay(stripes(builder, (-42, 26), (84, 16)), theme.stripe)
    top = builder.box((-44, -42), (88, 66), 8)
    builder.lay(top, (theme.steel_lit, theme.steel, mix(theme.steel, theme.steel_dark, 0.35)))
    if mast:
        for x in (-21, 21):
            for y in (-25, 7):
                builder.lay(builder.discs([(x, y)], 16), theme.steel_dark)
                builder.lay(builder.discs([(x, y)], 12.5), theme.lamp)
    else:
        inner = builder.box((-32, -32), (64, 46), 6)
        builder.lay(inner, mix(theme.steel, theme.steel_dark, 0.45))
        builder.lay(builder.line([(-27, -27), (27, 9)], 5), theme.steel)
        builder.lay(builder.line([(-27, 9), (27, -27)], 5), theme.steel)
    return builder.finish(SOFTNESS)


@sprite
def wide_wall(theme: Theme, cell: int) -> Image.Image:
    """Return a wall that runs from west to east, its line on the sprite's middle."""
    size = round(cell * 1.5)
    builder = SpriteBuilder(size, size, zoom=cell / 100, centred=True)
    half = WALL / 2
    builder.cast(builder.box((-52, -4), (108, 30)), theme.ink, (6, 12), 5, 0.8)
    builder.lay(builder.box((-58, -half - 3), (116, WALL + FRONT + 6), 6), theme.ink)
    builder.lay(builder.box((-55, half - 4), (110, FRONT + 4), 3), theme.stripe_dark)
    builder.lay(stripes(builder, (-55, half), (110, FRONT)), theme.stripe)
    builder.lay(builder.box((-55, -half), (110, WALL), 4), (theme.steel_lit, theme.steel_lit, theme.steel))
    return builder.finish(SOFTNESS)


@sprite
def tall_wall(theme: Theme, cell: int) -> Image.Image:
    """Return a wall that runs from north to south, its line on the sprite's middle."""
    size = round(cell * 1.6)
    builder = SpriteBuilder(size, size, zoom=cell / 100, centred=True)
    half = WALL / 2
    builder.cast(builder.box((-4, -48), (30, 108)), theme.ink, (12, 4), 5, 0.8)
    builder.lay(builder.box((-half - 3, -58), (WALL + 6, 116 + FRONT), 6), theme.ink)
    builder.lay(builder.box((-half, 50), (WALL, FRONT + 5), 3), theme.stripe_dark)
    builder.lay(stripes(builder, (-half, 55), (WALL, FRONT)), theme.stripe)
    builder.lay(builder.box((-half, -55), (WALL, 110), 4), (theme.steel_lit, theme.steel_lit, theme.steel))
    return builder.finish(SOFTNESS)
