"""The empty arena: plates, what lies flat, light, pits, rim, pillars, walls, coordinates. Painted once.

Large areas are flat or smoothly lit, so that they stay clean and leave the encoder's bytes to the details.
"""

from __future__ import annotations

from PIL import Image, ImageChops, ImageDraw

from engines.volt.view import View
from renderers.core.caches import scene, sprite
from renderers.core.canvas import Canvas
from renderers.core.geometry import Point
from renderers.core.sprite_builder import SpriteBuilder, lit, pool
from renderers.core.theme import mix, rgb
from renderers.core.type import Weight, sans
from renderers.volt import tiles
from renderers.volt.layout import SEAM, Grid
from renderers.volt.public_data import COLUMNS, DELTA, ROWS, Plan, plan
from renderers.volt.robots import emblem
from renderers.volt.theme import SIDES, Theme
from renderers.volt.tiles import SOFTNESS, stripes

WALL = 24
"""How thick a wall's top is, in units; its front below is :data:`FRONT` high and striped."""
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


_SIZES = {88: 46, 56: 29}
"""Pixels of the coordinates' type, by the width of a space."""


def empty_arena(theme: Theme, view: View, grid: Grid) -> Canvas:
    """Return a picture with the arena of ``view`` on it, nothing in it yet, and an empty column beside it."""
    used = {state.side for state in view.robots}
    return Canvas(arena(theme, plan(view.arena), grid, tuple(side for side in SIDES if side in used)))


@scene
def arena(theme: Theme, plan: Plan, grid: Grid, used: tuple[str, ...]) -> Image.Image:
    """Return a picture with the empty arena on it; ``used``: the sides that have a player."""
    canvas = Canvas(Image.new("RGB", grid.size, rgb(theme.night)))
    _rim(canvas, theme, grid, used)
    canvas.image.paste(_floor(theme, plan, grid, used), (grid.left, grid.top))
    for space, letter in plan.open:
        _gap(canvas, theme, grid, space, letter)
    _put_blocks(canvas, theme, plan, grid)
    # No lamp shines into the column.
    canvas.fill((0, 0), (grid.column, grid.size[1]), theme.night)
    _coordinates(canvas, theme, grid)
    return canvas.image


def _floor(theme: Theme, plan: Plan, grid: Grid, used: tuple[str, ...]) -> Image.Image:
    floor = Image.new("RGB", (grid.span, grid.span), rgb(theme.seam))
    half = SEAM // 2
    for row in range(len(ROWS)):
        for column in range(len(COLUMNS)):
            colour = (theme.plate, theme.plate_other)[(row + column) % 2]
            plate = tiles.plate_shine(theme, grid.cell, colour).convert("RGB")
            inner = plate.crop((half, half, grid.cell - half, grid.cell - half))
            floor.paste(inner, (column * grid.cell + half, row * grid.cell + half))
    _lay_flat(floor, theme, plan, grid, used)
    floor = ImageChops.multiply(floor, _light(theme, grid, used))
    # Pits are out of the light.
    for space in plan.pits:
        _put(floor, tiles.pit(theme, grid.cell), _inside(grid, space))
    # The rim is higher than the floor and throws a shadow on it.
    shadow = Image.new("L", floor.size)
    draw = ImageDraw.Draw(shadow)
    for step in range(16):
        share = round(150 * (1 - step / 16) ** 1.5)
        draw.line([(0, step), (grid.span, step)], fill=share)
        draw.line([(step, step), (step, grid.span)], fill=share)
    floor.paste(rgb(theme.ink), mask=shadow)
    return floor


def _inside(grid: Grid, space: str) -> Point:
    x, y = grid.centre(space)
    return x - grid.left, y - grid.top


def _put(image: Image.Image, sprite: Image.Image, centre: Point) -> None:
    image.paste(sprite, (round(centre[0] - sprite.width / 2), round(centre[1] - sprite.height / 2)), sprite)


def _lay_flat(floor: Image.Image, theme: Theme, plan: Plan, grid: Grid, used: tuple[str, ...]) -> None:
    for space, side in plan.start:
        colours, there = theme.side(side), side in used
        colour = mix(colours.glow, colours.dark, 0.3) if there else theme.steel_dark
        figure = emblem(theme, side, colour, round(grid.cell * 0.66))
        _put(floor, tiles.pad(theme, side, figure, grid.cell, used=there), _inside(grid, space))
    for space, number in plan.tokens:
        _put(floor, tiles.token_space(theme, number, grid.cell), _inside(grid, space))
    for space in plan.repair:
        _put(floor, tiles.repair(theme, grid.cell), _inside(grid, space))
    for space in plan.shock:
        _put(floor, tiles.shock(theme, grid.cell), _inside(grid, space))


def _light(theme: Theme, grid: Grid, used: tuple[str, ...]) -> Image.Image:
    span = grid.span
    light = Image.new("RGB", (span, span), rgb(theme.shade))
    wide = round(span * 0.9)
    for x, y in ((0, 0), (span, 0), (0, span), (span, span)):
        light.paste(rgb(theme.lamp), (x - wide // 2, y - wide // 2), pool((wide, wide), 0.55, 1.2))
    wide = round(span * 1.25)
    light.paste(rgb(theme.lamp), ((span - wide) // 2, (span - wide) // 2), pool((wide, wide), 1.0, 0.9))
    for side in used:
        dx, dy = DELTA[side]
        size = (round(span * (0.42 if dx else 1.2)), round(span * (0.42 if dy else 1.2)))
        corner = (((1 + dx) * span - size[0]) // 2, ((1 + dy) * span - size[1]) // 2)
        light.paste(rgb(theme.side(side).glow), corner, pool(size, 0.6, 1.2))
    return light


def _rim(canvas: Canvas, theme: Theme, grid: Grid, used: tuple[str, ...]) -> None:
    rim, span = grid.rim, grid.span
    left, top = grid.left - rim, grid.top - rim
    # The bands of the coordinates, then a lip of steel with a strip of light on each side.
    canvas.fill((left, 0), (grid.size[0] - left, grid.size[1]), mix(theme.panel, theme.night, 0.4))
    canvas.fill((left, top), (span + 2 * rim, span + 2 * rim), theme.ink)
    canvas.fill((left + 1, top + 1), (span + 2 * rim - 2, span + 2 * rim - 2), theme.steel_dark)
    inset, wide = round(rim * 0.25), round(rim * 0.5)
    far = span + rim + inset
    for side, (x, y), size in (
        ("N", (rim, inset), (span, wide)),
        ("S", (rim, far), (span, wide)),
        ("W", (inset, rim), (wide, span)),
        ("E", (far, rim), (wide, span)),
    ):
        colour = theme.side(side).glow if side in used else theme.seam
        canvas.fill((left + x - 1, top + y - 1), (size[0] + 2, size[1] + 2), theme.ink)
        canvas.fill((left + x, top + y), size, colour)


def _gap(canvas: Canvas, theme: Theme, grid: Grid, space: str, letter: str) -> None:
    # Nothing stops a robot there, so the rim must look open.
    (x, y), (dx, dy), cell, deep = grid.corner(space), DELTA[letter], grid.cell, grid.rim
    if dx:
        corner: Point = (x + cell if dx > 0 else x - deep, y + 4)
        size: Point = (deep, cell - 8)
    else:
        corner, size = (x + 4, y + cell if dy > 0 else y - deep), (cell - 8, deep)
    canvas.fill(corner, size, theme.depth)
    canvas.put(tiles.way_out(theme, letter, cell), (x + cell / 2, y + cell / 2))


def _put_blocks(canvas: Canvas, theme: Theme, plan: Plan, grid: Grid) -> None:
    # From north to south: what is nearer overlaps what is behind it.
    cell = grid.cell
    corners = {a + b for a in "ai" for b in "19"}
    for space in plan.tall:
        x, y = grid.centre(space)
        canvas.put(tall_wall(theme, cell), (x + cell / 2, y))
    standing = [*((space, "pillar") for space in plan.solid), *((space, "wide") for space in plan.wide)]
    for space, kind in sorted(standing, key=lambda item: (item[0][1], item[1])):
        x, y = grid.centre(space)
        if kind == "pillar":
            canvas.put(pillar(theme, cell, mast=space in corners), (x, y))
        else:
            canvas.put(wide_wall(theme, cell), (x, y + cell / 2))
    for space in sorted(corners & set(plan.solid)):
        wide = round(cell * 2.2)
        lit(canvas.image, pool((wide, wide), 0.4, 1.5), grid.centre(space), theme.lamp)


def _coordinates(canvas: Canvas, theme: Theme, grid: Grid) -> None:
    face, rim = sans(_SIZES[grid.cell], Weight.BOLD), grid.rim
    for column in COLUMNS:
        x, _ = grid.centre(column + "1")
        # On one line, whatever hangs below it.
        canvas.words(column, (x, (grid.top - rim + face.size * 0.66) // 2), face, theme.words, "ms")
    middle = (grid.right + rim + grid.size[0]) / 2
    for row in ROWS:
        canvas.sign(row, (middle, grid.centre("a" + row)[1]), face, theme.words)
