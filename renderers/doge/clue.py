"""What one player alone has just seen: the pair shown in a meeting, or a card from a pile or by the ghost."""

from __future__ import annotations

from PIL import Image

from engines.core.contract import Seat
from engines.doge.view import Clue, Source, View
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.theme import mix
from renderers.core.type import Weight, serif, shrunk, wrapped
from renderers.doge.emblems import print_emblem
from renderers.doge.grounds import damask
from renderers.doge.hand import LARGE, figures_on, words_on
from renderers.doge.hand_cards import CARD, CardTable, Verdict
from renderers.doge.hand_model import where
from renderers.doge.layout import WIDTH
from renderers.doge.pieces import pawn
from renderers.doge.theme import Theme

_HEIGHT = 880
_ZOOM = 1.85
_TOP = 300
_BETWEEN = 70
"""Between two cards."""
_MIDDLE = WIDTH / 2

_PLAYER = serif(66, Weight.BOLD)
_NOTE = serif(40, Weight.SEMIBOLD_ITALIC)
_COUNT = serif(36, Weight.SEMIBOLD_ITALIC)
_LEFT, _WIDE = 226, 820
"""Where the words begin, and how wide they are."""
_LEAST = 30


def clue(view: View, theme: Theme, captions: Captions) -> Image.Image:
    """Return the newest clue of the viewer's sheet; there must be one."""
    assert view.newest_clue is not None
    seat, newest = view.newest_clue
    table = CardTable(Canvas(damask(theme, _HEIGHT)), theme, captions)
    canvas = table.canvas
    canvas.put(pawn(theme, seat, zoom=LARGE), (148, 152))
    name, face = captions.shrunk_name(seat, _PLAYER, _WIDE, _LEAST)
    canvas.words(name, (_LEFT, 88), face, words_on(theme))
    for number, line in enumerate(wrapped(sentence(captions, view, newest), _NOTE, _WIDE)[:2]):
        canvas.words(line, (_LEFT, 160 + 50 * number), _NOTE, words_on(theme))
    _lay_cards(table, seat, newest)
    treasures = None if view.sheet is None else view.sheet.treasures
    if treasures is not None:
        told, face = shrunk(captions.text("clue.treasures", n=len(treasures)), _COUNT, 700, _LEAST)
        canvas.words(told, (_MIDDLE, _HEIGHT - 56), face, figures_on(theme), "mm")
    return canvas.image


def sentence(captions: Captions, view: View, newest: Clue) -> str:
    """Return what the clue says of its owner, and where its false card lies."""
    if newest.source is Source.LOOK:
        looked = next(discard for discard in view.discards if discard.gift == newest.gift)
        return captions.text("clue.look", square=looked.square)
    square = where(view, newest.gift)
    if square is None:
        return captions.text(f"clue.{newest.source.value}_gone")
    return captions.text(f"clue.{newest.source.value}", square=square)


def _lay_cards(table: CardTable, seat: Seat, newest: Clue) -> None:
    wide, high = CARD[0] * _ZOOM, CARD[1] * _ZOOM
    count = len(newest.cards)
    left = _MIDDLE - (count * wide + (count - 1) * _BETWEEN) / 2
    verdict = Verdict.EITHER if newest.source is Source.MEETING else Verdict.FALSE
    for number, card in enumerate(newest.cards):
        table.lay(seat, card, verdict, (left + number * (wide + _BETWEEN), _TOP), _ZOOM)
    if count > 1:
        return
    ink = mix(table.theme.fillet, table.theme.damask, 0.35)
    for x in (left / 2, WIDTH - left / 2):
        # The sign that stands over this clue's column on the sheet.
        print_emblem(table.canvas.image, newest.source, (x, _TOP + high / 2), 150, ink)
