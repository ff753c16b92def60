"""The public page: the columns' numbers, the strips, and the low strip of the players.

The players' strip has their stock, pieces taken, hands by their backs, and at the end their gold.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image

from engines.core.contract import Seat
from engines.corto.view import PlayerView, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas, Pen
from renderers.core.captions import Captions
from renderers.core.geometry import Point
from renderers.core.theme import mix
from renderers.core.type import Weight, sans
from renderers.corto import markers, pieces
from renderers.corto.layout import CORNER, MARGIN, RULER, WIDTH, board_rows, middle_of
from renderers.corto.markers import marker_of
from renderers.corto.page import Box, box, caps, flat, pile, put_name
from renderers.corto.strip_model import strip_models
from renderers.corto.strips import ALL_COLUMNS, public_strip
from renderers.corto.theme import Theme

_COLUMN = sans(44, Weight.BLACK)
_HIGH, _CROWDED = 140, 176
"""Height of the players' strip, and where more than two share it: Discord's ALT mark covers its left end."""
_TOP, _LOW = 10, 8
_GAP = 8
_NAME = sans(36, Weight.BOLD)
_BACK, _NARROW_BACK = (40, 48), (35, 48)
_STOCK = 60
_ITEM = 46
"""Pixels of height of a won item; where many were won they become smaller."""
_SEAL, _NARROW_SEAL = 80, 66
"""Pixels from a box's right edge for the cards under its seal, which are nearly always some."""
_BROAD = 1.15
"""How many times as wide as high the picture of an item may be."""


def board(view: View, theme: Theme, captions: Captions) -> Image.Image:
    """Return the page that everybody sees."""
    discard, rows = captions.text("board.discard"), board_rows(len(view.strips))
    strips = [public_strip(theme, model, rows, discard) for model in strip_models(view, captions)]
    return pile(theme, [ruler(theme), *strips, players(theme, captions, view)])


@sprite
def ruler(theme: Theme) -> Image.Image:
    """Return the band above the first strip: the number of each column, 0 for the decks."""
    canvas = Canvas(Image.new("RGB", (WIDTH, RULER), theme.paper))
    for column in ALL_COLUMNS:
        canvas.sign(str(column), (middle_of(column), RULER / 2 + 3), _COLUMN, theme.ink)
    return flat(theme, canvas.image)


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
    """Return the band below the last strip: the title, then a box for each seat."""
    high = _HIGH if len(view.players) < 3 else _CROWDED
    canvas = Canvas(title_band(theme, high))
    left = CORNER[0] + _GAP
    wide = (WIDTH - MARGIN - left + _GAP) / len(view.players)
    for player in view.players:
        at = (round(left + player.seat * wide), _TOP, round(wide) - _GAP, high - _TOP - _LOW)
        _put(canvas, theme, captions, view, player, at)
    return flat(theme, canvas.image)


@sprite
def title_band(theme: Theme, high: int) -> Image.Image:
    """Return a band of this height with nothing but the game's title, in the lower left corner."""
    canvas = Canvas(Image.new("RGB", (WIDTH, high), theme.paper))
    # The wave below the title is drawn as a row of discs: thick in the middle, thin at both ends.
    pen = Pen(172, 20)
    points = [(6.0, 14.0), (32, 8), (58, 13), (86, 16), (114, 9), (142, 12), (164, 7)]
    for (x, y), (u, v) in pairwise(points):
        for step in range(8):
            share = step / 8
            width = 1.5 + 3.0 * (1 - abs((x + (u - x) * share) / 86 - 1))
            pen.disc((x + (u - x) * share, y + (v - y) * share), width, theme.ink)
    canvas.put(pen.finish(), (CORNER[0] / 2, high - 14))
    caps(canvas, "CORTO", (CORNER[0] / 2, high - 50), 78, theme.ink, "mm")
    return canvas.image


def is_lit(view: View, seat: Seat) -> bool:
    """Return whether a seat's box is lit: it must decide, or it has won."""
    return seat in (view.asked if view.ranks is None else view.ranks[0])


def _put(canvas: Canvas, theme: Theme, captions: Captions, view: View, player: PlayerView, at: Box) -> None:
    left, top, wide, high = at
    lit = is_lit(view, player.seat)
    ground = theme.glow if lit else mix(theme.card, theme.soft, 0.25) if player.gone else theme.card
    box(canvas, at, ground, theme.ink, 5 if lit else 2, theme.ink)
    put_stock(canvas, theme, player.colour, player.stock, (left + 38, top + 38), _STOCK)
    x, room = left + 82, wide - 88
    colour = theme.soft if player.gone else theme.ink
    put_name(canvas, captions, player.seat, (x, top + 20), _NAME, room, colour)
    seal, *others = loot(view, player.seat)
    # A narrow box has a line of its own for what was won.
    won = (x, top + 58, room) if len(view.players) < 3 else (left + 12, top + 88, wide - 18)
    put_items(canvas, theme, tuple(others), won)
    line = top + high - 28
    narrow = len(view.players) > 3
    sealed = _NARROW_SEAL if narrow else _SEAL
    put_items(canvas, theme, (seal,), (left + wide - sealed, line, sealed - 4))
    room = wide - sealed - 16
    if view.ranks is not None:
        total = next((gold.total for gold in view.gold if gold.seat == player.seat), 0)
        caps(canvas, captions.text("board.gold", n=total), (left + 12, line), 44, theme.ink, "lm", room)
        return
    if player.gone:
        caps(canvas, captions.text("board.left"), (left + 12, line), 42, theme.soft, "lm", room)
    elif not player.hand:
        caps(canvas, captions.text("board.no_cards"), (left + 12, line), 42, theme.soft, "lm", room)
    back = _NARROW_BACK if narrow else _BACK
    for number, held in enumerate(player.hand):
        made = pieces.card_back(held.deck, *back, theme)
        canvas.put(made, (left + 7 + back[0] / 2 + number * (back[0] if narrow else back[0] + 4), line))


def put_stock(canvas: Canvas, theme: Theme, colour: str, stock: int, at: Point, size: int) -> None:
    """Draw a pile of a seat's markers, on the uppermost how many there are."""
    for step in range(2 if stock > 1 else 0, 0, -1):
        canvas.put(marker_of(theme, colour, None, size), (at[0] + 5 * step, at[1] + 5 * step))
    canvas.put(marker_of(theme, colour, stock, size, control=True), at)


def put_items(canvas: Canvas, theme: Theme, items: tuple[Item, ...], at: tuple[float, float, float]) -> None:
    """Put won items in a row, smaller where they would be wider than their room: left, middle, width."""
    left, middle, room = at
    size = _ITEM
    while size > 30 and _put_row(None, theme, items, (left, middle), size) > room:
        size -= 2
    _put_row(canvas, theme, items, (left, middle), size)


def _put_row(canvas: Canvas | None, theme: Theme, items: tuple[Item, ...], at: Point, size: int) -> float:
    """Put items in a row, or only measure it; return its width."""
    x, y = at
    face = sans(round(size * 1.04), Weight.BLACK)
    for item in items:
        made = icon(theme, item.kind, size)
        number = str(item.number) if item.always or item.number > 1 else ""
        if canvas is not None:
            canvas.put(made, (x + made.width / 2, y))
            canvas.words(number, (x + made.width + 2, y - 1), face, theme.ink)
        x += made.width + (round(face.width(number)) + 2 if number else 0) + size // 6
    return x - at[0]


def icon(theme: Theme, kind: str, size: int) -> Image.Image:
    """Return a small picture of something that brings gold, about ``size`` pixels high and wide."""
    if kind == "seal":
        return markers.seal(size, theme)
    if kind == "kept":
        return pieces.tag("!", size, theme, glow=True)
    name = "gold" if kind == "coin" else kind
    wide, high = pieces.SIZES.get(name, (1, 1))
    return pieces.piece(name, min(size, round(size * _BROAD * high / wide)), theme, number=1)
