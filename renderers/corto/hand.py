"""The private page: small strips, and below them the viewer's hand."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from engines.corto.view import CARDS, HAND, Border, View
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.theme import mix
from renderers.core.type import Weight, sans
from renderers.corto import markers, pieces
from renderers.corto.board import put_stock, ruler, title_band
from renderers.corto.hand_cards import broad
from renderers.corto.layout import CORNER, MARGIN, WIDTH, small_rows
from renderers.corto.names import card_name
from renderers.corto.narration import acting
from renderers.corto.page import band, box, caps, dashes, pile
from renderers.corto.previews import small_strip
from renderers.corto.strip_model import strip_models
from renderers.corto.theme import Theme

_HIGH = 222
_LEFT, _TOP = CORNER[0] + 14, 16
_PITCH = (WIDTH - MARGIN - _LEFT + 10) // HAND
_WIDE = _PITCH - 10
_TAB, _NAME = 42, 46
_BODY = 106
_CELL = (_WIDE, _TAB + _BODY + _NAME)
_ID = sans(40, Weight.BLACK)


def hand_page(view: View, theme: Theme, captions: Captions) -> Image.Image:
    """Return the page that only its seat sees."""
    assert view.viewer is not None
    player = view.players[view.viewer]
    taken = acting(view)
    held = [
        Held(
            one.deck,
            one.card,
            "" if one.card is None else captions.text(f"kind.{CARDS[one.card].kind.value}"),
            one.card is not None and one.card == taken,
            "" if one.card is None else card_name(captions, one.card),
        )
        for one in player.hand
    ]
    # A card that is being played has left the hand, but what is asked is about it.
    if taken is not None and not any(one.lit for one in held):
        held.append(Held(taken[0], taken, captions.text("kind.played"), True, card_name(captions, taken)))
    rivals = tuple(
        (one.colour, one.stock) for one in view.players if one.seat != player.seat and not one.gone
    )
    model = HandModel(player.colour, player.stock, rivals, tuple(held[:HAND]))
    rows = small_rows(len(view.strips))
    strips = [small_strip(theme, strip, rows) for strip in strip_models(view, captions)]
    return pile(theme, [ruler(theme), *strips, band(theme, ("hand", model), lambda: _hand(theme, model))])


@dataclass(frozen=True, slots=True, repr=False)
class Held:
    """A card of the hand, its kind and its name in words; ``lit``: it is selected, or acts on the board."""

    deck: str
    card: str | None
    kind: str
    lit: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class HandModel:
    """All that the lowest band shows; ``rivals``: colours and stocks of the others."""

    colour: str
    stock: int
    rivals: tuple[tuple[str, int], ...]
    held: tuple[Held, ...]


def _hand(theme: Theme, model: HandModel) -> Image.Image:
    canvas = Canvas(title_band(theme, _HIGH))
    _put_stocks(canvas, theme, model)
    for place in range(len(model.held), HAND):
        dashes(canvas, (_LEFT + place * _PITCH, _TOP, *_CELL), mix(theme.paper, theme.soft, 0.35), 4, 18, 14)
    # Lit cards last: their stars lie over the cards beside them.
    for place, held in sorted(enumerate(model.held), key=lambda item: item[1].lit):
        _put_card(canvas, theme, held, _LEFT + place * _PITCH)
    return canvas.image


def _put_stocks(canvas: Canvas, theme: Theme, model: HandModel) -> None:
    """Draw the viewer's stock, below it the others' stocks, above the title.

    What everybody has won is on the public page: here it would be too small to read.
    """
    put_stock(canvas, theme, model.colour, model.stock, (MARGIN + 40, _TOP + 28), 64)
    for number, (colour, stock) in enumerate(model.rivals):
        put_stock(canvas, theme, colour, stock, (MARGIN + 30 + 66 * number, _TOP + 92), 52)


def _put_card(canvas: Canvas, theme: Theme, held: Held, x: int) -> None:
    ground = theme.glow if held.lit else theme.card
    if held.lit:
        star = markers.just_played(*_CELL, theme, 0.35)
        canvas.put(star, (x + _WIDE / 2, _TOP + _CELL[1] / 2))
    else:
        canvas.fill((x + 5, _TOP + 6), _CELL, mix(theme.paper, theme.ink, 0.28))
    box(canvas, (x, _TOP, *_CELL), ground, theme.ink, 3)
    canvas.words(held.card or held.deck, (x + 10, _TOP + _TAB / 2), _ID, theme.ink)
    room = _WIDE - 26 - round(_ID.width(held.card or held.deck))
    caps(canvas, held.kind, (x + _WIDE - 10, _TOP + _TAB / 2), 38, theme.ink, "rm", room)
    middle = (x + _WIDE / 2, _TOP + _TAB + _BODY / 2)
    if held.card is None:
        canvas.put(pieces.card_back(held.deck, 70, _BODY - 6, theme), middle)
        return
    card = CARDS[held.card]
    canvas.put(broad(card, _WIDE, _BODY, theme), middle)
    _put_name(canvas, theme, held, (x, _TOP + _TAB + _BODY))


def _put_name(canvas: Canvas, theme: Theme, held: Held, at: tuple[int, int]) -> None:
    """Write a card's name on a plate in its border's colours: white adds, black hits."""
    x, y = at
    black = CARDS[held.card or ""].border is Border.BLACK
    canvas.fill((x, y), (_WIDE, _NAME), theme.ink)
    if not black:
        canvas.fill((x + 3, y + 3), (_WIDE - 6, _NAME - 6), theme.card)
    colour = theme.card if black else theme.ink
    caps(canvas, held.name, (x + _WIDE / 2, y + _NAME / 2 + 1), 43, colour, "mm", _WIDE - 16)
