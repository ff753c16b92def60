"""A seat's hand on damask: the secret identity, the cards, and the gift that is chosen or left in advance."""

from __future__ import annotations

from PIL import Image

from engines.doge.view import CARDS, Card, View
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.theme import Colour, mix
from renderers.core.type import Weight, serif, wrapped
from renderers.doge.grounds import damask
from renderers.doge.hand_cards import CARD, CardTable, Verdict, rim, tick
from renderers.doge.hand_model import ChosenGift, given, note, places
from renderers.doge.pieces import pawn
from renderers.doge.theme import Theme

_HEIGHT = 1070
"""With a foot below the cards, where a chat lays its mark over the lower left corner."""
_IDENTITY = (424, 34)
_IDENTITY_PITCH = 326
_CARDS = (22, 430)
_PITCH = (213, 280)
_LIFT = 10
"""How far a chosen card is raised."""

LARGE = 1.9
"""How many times as large as on the board a pawn stands on damask."""

_PLAYER = serif(60, Weight.BOLD)
_NOTE = serif(35, Weight.SEMIBOLD_ITALIC)
_COUNT = serif(31, Weight.SEMIBOLD_ITALIC)
_PLATE = serif(33, Weight.BOLD)
_WIDE = 366
"""How wide the notes are."""
_LEAST = 31


def words_on(theme: Theme) -> Colour:
    """Return the colour of words on damask."""
    return mix(theme.cream, theme.gilt_lit, 0.12)


def figures_on(theme: Theme) -> Colour:
    """Return the colour of what is counted on damask."""
    return mix(theme.gilt, theme.cream, 0.35)


def hand(view: View, theme: Theme, captions: Captions, gift: ChosenGift | None) -> Image.Image:
    """Return the hand of the viewer's seat; ``gift``: what is chosen, or was left."""
    assert view.viewer is not None
    assert view.own is not None
    table = CardTable(Canvas(damask(theme, _HEIGHT)), theme, captions)
    canvas = table.canvas
    canvas.put(pawn(theme, view.viewer, zoom=LARGE, hollow=view.viewer in view.out), (134, 136))
    name, face = captions.shrunk_name(view.viewer, _PLAYER, 222, _LEAST)
    canvas.words(name, (190, 124), face, words_on(theme))
    for number, line in enumerate(wrapped(note(captions, view, gift), _NOTE, _WIDE)[:3]):
        canvas.words(line, (44, 252 + 42 * number), _NOTE, words_on(theme))
    held, false = view.cards_in_hand(view.viewer), view.false_cards(view.viewer)
    canvas.words(captions.text("hand.count", n=held, false=false), (44, 376), _COUNT, figures_on(theme))
    for number, card in enumerate(view.own.cards):
        table.lay_identity(card, (_IDENTITY[0] + number * _IDENTITY_PITCH, _IDENTITY[1]))
    _lay_cards(table, view, gift)
    return canvas.image


def _lay_cards(table: CardTable, view: View, gift: ChosenGift | None) -> None:
    assert view.viewer is not None
    chosen = () if gift is None else gift.cards
    away = given(view)
    for number, card in enumerate(CARDS):
        x, y = _CARDS[0] + number % 5 * _PITCH[0], _CARDS[1] + number // 5 * _PITCH[1]
        if card not in view.hand:
            laid_out = card in view.laid_out
            words = table.captions.text("hand.laid_out") if laid_out else places(table.captions, away[card])
            table.lay_place(card, words, (x, y), laid_out=laid_out)
            continue
        verdict = verdict_of(view, card)
        _lay_rim(table, (x, y - _LIFT), lit=card in chosen)
        table.lay(view.viewer, card, verdict, (x, y - _LIFT if card in chosen else y))
        if gift is not None and card in chosen:
            _lay_signs(table, gift, verdict, (x, y - _LIFT))


def verdict_of(view: View, card: Card) -> Verdict:
    """Return whether a card of the viewer's is true."""
    return Verdict.TRUE if view.own is not None and card in view.own.cards else Verdict.FALSE


def _lay_rim(table: CardTable, corner: Point, *, lit: bool) -> None:
    # Loaded for every card: no file that is read must tell of a draft.
    made = rim(table.theme), tick(table.theme)
    if lit:
        table.canvas.put(made[0], (corner[0] + CARD[0] / 2, corner[1] + CARD[1] / 2))


def _lay_signs(table: CardTable, gift: ChosenGift, verdict: Verdict, corner: Point) -> None:
    """Lay a tick, and a plate that says where the card goes; it is gilt for a gift that was left."""
    canvas, theme, (x, y) = table.canvas, table.theme, corner
    canvas.put(tick(theme), (x + CARD[0] - 24, y + 24))
    words = table.captions.text("hand.stays")
    if verdict is Verdict.FALSE:
        if gift.square is None:
            return
        words = table.captions.text("hand.to", square=gift.square)
    wide = round(_PLATE.width(words)) + 24
    left, top = round(x) - 8, round(y) - 26
    canvas.fill((left, top), (wide, 46), theme.gilt_edge if gift.left else theme.gilt_lit)
    canvas.fill((left + 2, top + 2), (wide - 4, 42), theme.gilt_disc if gift.left else theme.ink)
    canvas.words(words, (left + wide / 2, top + 22), _PLATE, theme.ink if gift.left else theme.sign, "mm")
