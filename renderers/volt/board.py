"""The pictures of a match of VOLT: the arena with its score panels, or with the viewer's control unit."""

from __future__ import annotations

from PIL import Image

from engines.volt.view import Phase, View
from renderers.core.captions import Captions
from renderers.core.type import Weight, sans
from renderers.volt import tiles
from renderers.volt.arena import put_arena
from renderers.volt.background import empty_arena
from renderers.volt.column import put_column
from renderers.volt.control_unit import put_units
from renderers.volt.highlights import Highlights
from renderers.volt.layout import OWN, OWN_HEIGHT, PUBLIC, UNITS_TOP, WIDTH, public_height
from renderers.volt.panels import put_panels
from renderers.volt.public_data import plan
from renderers.volt.theme import Theme

_ROUND = sans(38, Weight.BLACK)
_COUNT = sans(34, Weight.BOLD)


_UNPROGRAMMED = (Phase.START, Phase.SECOND, Phase.OVER)


def is_private(view: View) -> bool:
    """Return whether the viewer sees its control unit: while there is something to program."""
    if view.viewer is None or view.robots[view.viewer].gone:
        return False
    return view.phase not in _UNPROGRAMMED


def public_board(view: View, theme: Theme, captions: Captions, highlights: Highlights) -> Image.Image:
    """Return the arena with the panels of all seats."""
    canvas = empty_arena(theme, view, PUBLIC, (WIDTH, public_height(len(view.robots))))
    put_arena(canvas, theme, plan(view.arena), PUBLIC, view, highlights)
    y = (PUBLIC.top - 22) / 2
    if view.round:
        canvas.sign(str(view.round), (22, y), _ROUND, theme.gold)
    canvas.put(tiles.token(theme, sum(view.supply), 40), (WIDTH - 24, y))
    put_panels(canvas, theme, captions, view)
    return canvas.image


def own_board(view: View, theme: Theme, captions: Captions, highlights: Highlights) -> Image.Image:
    """Return the arena with the viewer's column and control unit."""
    canvas = empty_arena(theme, view, OWN, (WIDTH, OWN_HEIGHT))
    put_arena(canvas, theme, plan(view.arena), OWN, view, highlights)
    put_column(canvas, theme, captions, view, highlights, UNITS_TOP - 6)
    put_units(canvas, theme, captions, highlights, (4, UNITS_TOP))
    return canvas.image
