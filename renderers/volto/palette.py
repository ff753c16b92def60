"""The palette of VOLTO's pictures: learnt from a sheet that shows everything once."""

from __future__ import annotations

from PIL import Image

from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.encode import colours_of, palette
from renderers.volto import marks
from renderers.volto.layout import FILES, Layout
from renderers.volto.masks import KINDS, blank, figure
from renderers.volto.scene import mat
from renderers.volto.theme import Theme


@sprite
def learnt(theme: Theme) -> Image.Image:
    """Return the palette for a theme."""
    layout = Layout(0)
    canvas = Canvas(mat(theme, 0))
    for seat, row in ((0, "1"), (1, "7"), (0, "2"), (1, "6")):
        for file, kind in zip(FILES, KINDS, strict=True):
            canvas.put(figure(theme, seat, kind), layout.centre(file + row))
    sheet = (
        blank(theme, 0),
        blank(theme, 1),
        marks.origin(theme, theme.gold),
        marks.strike(theme, "c3"),
        marks.quiet_target(theme, "d3"),
        marks.candidates(theme, KINDS),
        marks.candidates(theme, KINDS[:1]),
        marks.frame(theme, theme.ivory, 8),
        marks.angles(theme, theme.gold),
        marks.glow(theme),
    )
    for i, item in enumerate(sheet):
        canvas.put(item, layout.centre(FILES[i % 5] + "45"[i // 5]))
    return palette([canvas.image], colours_of(theme))
