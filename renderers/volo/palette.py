"""The palette of Volo's pictures: learnt from a sheet that shows everything once."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.encode import colours_of, palette
from renderers.volo import marks
from renderers.volo.birds import bird, ghost
from renderers.volo.clouds import RIM, put_cloud
from renderers.volo.layout import HEADINGS, REST, layout
from renderers.volo.scene import lagoon
from renderers.volo.theme import Theme


@sprite
def learnt(theme: Theme) -> Image.Image:
    """Return the palette for a theme."""
    places = layout("standard")
    canvas = Canvas(lagoon(theme, "standard"))
    for index in range(len(theme.regions)):
        put_cloud(canvas, places, (f"e{index + 2}",), marks.tint(theme, index), 0)
        canvas.put(marks.region(theme, index, "b3", 1), places.at(f"h{index + 2}"))
    rows = (("b", "c", "d"), ("j", "k", "l"))
    for seat in (0, 1):
        held = [name for name in places.points if name[0] in rows[seat]]
        put_cloud(canvas, places, held, theme.sides[seat].rim, RIM)
        put_cloud(canvas, places, held, theme.sides[seat].cloud, 0)
        for name in held[::2]:
            canvas.put(bird(theme, seat, REST[seat], 1), places.at(name))
        for name, heading in zip(held[1::2], HEADINGS.values(), strict=False):
            canvas.put(ghost(theme, seat, heading, 1, theme.paper), places.at(name))
    sheet = (
        marks.landed(theme.white, theme.sides[0].rim, 1),
        marks.landed(theme.gold, theme.ink, 1),
        marks.landing(theme, "NW3", 1),
        marks.place(theme, "c4", 1),
        marks.tag("c4", theme.ink, theme.gold, theme.paper),
        marks.flown(theme, 0, 1),
        marks.flown(theme, 1, 1),
    )
    for number, item in enumerate(sheet, 2):
        canvas.put(item, places.at(f"f{number}"))
    return palette([canvas.image], colours_of(theme))
