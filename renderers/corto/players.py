"""The players' boxes below the strips: stock, gold, pieces taken, hands by their backs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from PIL import Image

from engines.core.contract import Seat
from engines.corto.view import PlayerView, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Captions
from renderers.core.theme import mix
from renderers.core.type import Weight, sans
from renderers.corto import markers, pieces
from renderers.corto.layout import INNER, MARGIN, WIDTH
from renderers.corto.markers import marker_of
from renderers.corto.page import Box, box, caps, flat, put_name
from renderers.corto.theme import Theme

GAP = 10
TOP, HIGH = 24, 178
_NAME = sans(33, Weight.BOLD)
_BACK = (36, 48)
_TEXT_X = 96
_BROAD = 1.15
"""How many times as wide as high the picture of an item may be."""
_ROW, _ROWS = 43, 2
"""Height of a row of pieces, and how many there are at most."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that a player has won, and how many; the number is shown from two on, or ``always``."""

    kind: str
    number: int
    always: bool = False


def loot(view: View, seat: Seat) -> tuple[Item, ...]:
    """Return what a seat has won: cards under its seal, gold through Corto, pieces of quests."""
    player = view.players[seat]
    found = [Item("seal", len(player.seal), always=True)]
    if player.corto_gold:
        found.append(Item("coin", player.corto_gold, always=True))
    held: Counter[str] = Counter()
    for quest in view.quests:
        for piece in quest.pieces:
            if piece.holder == seat:
                held[piece.kind] += piece.number if piece.kind == "carriage" else 1
    found += [Item(kind, number, always=kind == "carriage") for kind, number in held.items() if number]
    found += [Item("kept", len(player.kept))] if player.kept else []
    return tuple(found)


def players(theme: Theme, captions: Captions, view: View) -> Image.Image:
    """Return the band below the last strip."""
    canvas = Canvas(Image.new("RGB", (WIDTH, TOP + HIGH + 14), theme.paper))
    seats = len(view.players)
    wide = (INNER - (seats - 1) * GAP) / seats
    for player in view.players:
        left = round(MARGIN + player.seat * (wide + GAP))
        _put(canvas, theme, captions, view, player, (left, TOP, round(wide), HIGH))
    return flat(theme, canvas.image)


def is_lit(view: View, seat: Seat) -> bool:
    """Return whether a seat's box is lit: it must decide, or it has won."""
    return seat in (view.asked if view.ranks is None else view.ranks[0])


def _put(canvas: Canvas, theme: Theme, captions: Captions, view: View, player: PlayerView, at: Box) -> None:
    left, top, wide, high = at
    lit = is_lit(view, player.seat)
    ground = theme.glow if lit else mix(theme.card, theme.soft, 0.25) if player.gone else theme.card
    if lit:
        canvas.put(_tail(theme, inside=False), (left + 62, top - 4))
    box(canvas, at, ground, theme.ink, 5 if lit else 2, theme.ink)
    if lit:
        # Over the box's edge, which would else part the tail from the box.
        canvas.put(_tail(theme, inside=True), (left + 62, top - 2))
    canvas.put(marker_of(theme, player.colour, player.stock, 70, control=True), (left + 50, top + 54))
    caps(canvas, captions.text("board.stock"), (left + 50, top + 126), 33, theme.ink, "mm", 84)
    x, room = left + _TEXT_X, wide - _TEXT_X - 12
    colour = theme.soft if player.gone else theme.ink
    put_name(canvas, captions, player.seat, (x, top + 26), _NAME, room, colour)
    used = _put_items(canvas, theme, loot(view, player.seat), (x, top + 66, room))
    if view.ranks is not None:
        total = next((gold.total for gold in view.gold if gold.seat == player.seat), 0)
        caps(canvas, captions.text("board.gold", n=total), (x, top + high - 30), 44, theme.ink, "lm", room)
    elif player.gone:
        caps(canvas, captions.text("board.left"), (x, top + high - 30), 34, theme.soft, "lm", room)
    else:
        y = top + (149 if used > 1 else 136)
        if not player.hand:
            caps(canvas, captions.text("board.no_cards"), (x, y), 31, theme.soft, "lm", room)
        for held in player.hand:
            canvas.put(pieces.card_back(held.deck, *_BACK, theme), (x + 18, y))
            x += 40


def _put_items(canvas: Canvas, theme: Theme, items: tuple[Item, ...], at: tuple[int, int, int]) -> int:
    """Put won items in rows, smaller if they would need more than two; return the number of rows."""
    left, top, room = at
    # Large if all fit into two rows, else smaller.
    for size in (40, 32, 26):
        face = sans(round(size * 0.85), Weight.BLACK)
        found: list[tuple[Image.Image, str, int, int]] = []
        right = row = 0
        for item in items:
            made = icon(theme, item.kind, size)
            number = str(item.number) if item.always or item.number > 1 else ""
            wide = made.width + (round(face.width(number)) + 4 if number else 0)
            if right and right + wide > room:
                right, row = 0, row + 1
            found.append((made, number, right, row))
            right += wide + size // 5
        if row < _ROWS:
            break
    for made, number, x, line in found:
        y = top + line * _ROW
        canvas.put(made, (left + x + made.width / 2, y))
        canvas.words(number, (left + x + made.width + 2, y), face, theme.ink)
    return row + 1


def icon(theme: Theme, kind: str, size: int) -> Image.Image:
    """Return a small picture of something that brings gold, about ``size`` pixels high and wide."""
    if kind == "seal":
        return markers.seal(size, theme)
    if kind == "kept":
        return pieces.tag("!", size, theme, glow=True)
    name = "gold" if kind == "coin" else kind
    wide, high = pieces.SIZES.get(name, (1, 1))
    return pieces.piece(name, min(size, round(size * _BROAD * high / wide)), theme, number=1)


@sprite
def _tail(theme: Theme, *, inside: bool) -> Image.Image:
    pen = Pen(44, 30 if inside else 26)
    if inside:
        pen.polygon([(10, 30), (22, 10), (34, 30)], theme.glow)
    else:
        pen.polygon([(2, 26), (22, 1), (42, 26)], theme.ink)
    return pen.finish()
