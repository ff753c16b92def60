"""The pictures of a match of VOLT: the arena with its score panels, or with the viewer's control unit."""

from __future__ import annotations

from PIL import Image

from engines.volt.view import Phase, View
from renderers.core.captions import Captions
from renderers.volt.arena import put_arena
from renderers.volt.background import empty_arena
from renderers.volt.column import put_column
from renderers.volt.highlights import Highlights
from renderers.volt.layout import BOARD
from renderers.volt.panels import put_panels
from renderers.volt.public_data import plan
from renderers.volt.theme import Theme

_UNPROGRAMMED = (Phase.START, Phase.SECOND, Phase.OVER)


def is_private(view: View) -> bool:
    """Return whether the viewer sees its control unit: while there is something to program."""
    if view.viewer is None or view.robots[view.viewer].gone:
        return False
    # While robots enter the arena nobody has programmed yet.
    return view.phase not in _UNPROGRAMMED and (view.phase, view.round) != (Phase.REBOOT, 1)


def board(view: View, theme: Theme, captions: Captions, highlights: Highlights) -> Image.Image:
    """Return the arena; beside it the panels of all seats, or the viewer's control unit."""
    canvas = empty_arena(theme, view, BOARD)
    put_arena(canvas, theme, plan(view.arena), BOARD, view, highlights)
    if is_private(view):
        put_column(canvas, theme, captions, view, highlights)
    else:
        put_panels(canvas, theme, captions, view)
    return canvas.image
