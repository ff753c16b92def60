"""The public page: the columns' numbers, the strips, the players."""

from __future__ import annotations

from PIL import Image

from engines.corto.view import View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.type import Weight, sans
from renderers.corto.layout import RULER, WIDTH, board_rows, middle_of
from renderers.corto.page import flat, pile
from renderers.corto.players import players
from renderers.corto.strip_model import strip_models
from renderers.corto.strips import ALL_COLUMNS, public_strip
from renderers.corto.theme import Theme

_COLUMN = sans(44, Weight.BLACK)


def board(view: View, theme: Theme, captions: Captions) -> Image.Image:
    """Return the page that everybody sees."""
    discard, rows = captions.text("board.discard"), board_rows(len(view.strips))
    strips = [public_strip(theme, model, rows, discard) for model in strip_models(view)]
    return pile(theme, [ruler(theme), *strips, players(theme, captions, view)])


@sprite
def ruler(theme: Theme) -> Image.Image:
    """Return the band above the first strip: the number of each column, 0 for the decks."""
    canvas = Canvas(Image.new("RGB", (WIDTH, RULER), theme.paper))
    for column in ALL_COLUMNS:
        canvas.sign(str(column), (middle_of(column), RULER / 2 + 3), _COLUMN, theme.ink)
    return flat(theme, canvas.image)
