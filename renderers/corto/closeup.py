"""The close-up of a strip: its squares in two rows, twice as large, each with what it does in words."""

from __future__ import annotations

from PIL import Image

from engines.corto.view import CARDS, Border, Card, Figurine, View
from renderers.core.caches import scene
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.type import Weight, sans, wrapped
from renderers.corto import cards, landscapes, markers, pieces, sounds
from renderers.corto.lane import ASIDE, piece_sprite
from renderers.corto.layout import CARD, CORNER, MARGIN, PANEL, WIDTH
from renderers.corto.markers import put_markers
from renderers.corto.names import adventure_name, card_name, quest_rule
from renderers.corto.page import band, box, caps, put_line
from renderers.corto.strip_model import Cell, StripModel, strip_models
from renderers.corto.theme import Theme

ZOOM = 1.7
_WIDE, _HIGH = round(PANEL * ZOOM), round(CARD.panel * ZOOM)
_PITCH = 270
_LEFT = 39
_TOP = 12
_CAPTION = 46
_LANE = 60
_BESIDE = 20
"""Pixels that a caption is wider on either side than its panel."""
"""Room for the pieces of the quest below each row."""
_ROW = _CAPTION + 18 + _HIGH + _LANE
_BODY = 2 * _ROW + 8
_SQUARE = sans(38, Weight.BLACK)
_WORD = sans(31, Weight.BOLD)
_TEXT = sans(31, Weight.SEMIBOLD)
_LINE = 38
_FIGURE = 280
_DECK = (160, 220)
_WORDS = WIDTH - MARGIN - CORNER[0] - 12
"""Width of the box of words, right of the corner where the client lays its ALT mark."""


def closeup(view: View, theme: Theme, captions: Captions, strip: str) -> Image.Image:
    """Return the close-up of the strip with this letter."""
    model = next(found for found in strip_models(view, captions) if found.strip == strip)
    told = wrapped(quest_rule(captions, strip), _TEXT, _WORDS - 36)
    told.append(captions.text("closeup.counts", undrawn=model.deck, discards=model.discards))
    discards = view.discards[view.strips.index(strip)]
    if discards:
        names = tuple(card_name(captions, card) for card in reversed(discards))
        told.append(captions.text("closeup.discards", cards=names))
    # What each square does is painted in words, so the language is part of the key.
    key = ("closeup", model, tuple(told), captions.table.language)
    return band(theme, key, lambda: _paint(theme, captions, model, told))


def _paint(theme: Theme, captions: Captions, model: StripModel, told: list[str]) -> Image.Image:
    strip = model.strip
    top = _TOP + _BODY + 12
    high = top + _LINE * len(told) + 32
    canvas = Canvas(Image.new("RGB", (WIDTH, high), theme.paper))
    lines = two_lines(adventure_name(captions, strip))
    for number, line in enumerate(lines):
        y = (top + high) / 2 + (number - (len(lines) - 1) / 2) * 46
        caps(canvas, line, ((MARGIN + CORNER[0]) / 2, y), 50, theme.ink, "mm", CORNER[0] - MARGIN)
    canvas.image.paste(_ground(theme, strip), (0, _TOP))
    # The star round the card played last lies over the cards beside it.
    order = sorted(model.cells, key=lambda cell: cell.fresh)
    for cell in order:
        _put(canvas, theme, model, cell)
    for cell in model.cells:
        _put_caption(canvas, theme, captions, model, cell)
    left = CORNER[0] + 8
    box(canvas, (left, top, _WORDS, high - top - 10), theme.box, theme.ink, 3, theme.ink)
    for number, line in enumerate(told):
        put_line(canvas, line, (left + 18, top + 30 + number * _LINE), _TEXT, _WORDS - 36, theme.ink)
    return canvas.image


def two_lines(title: str) -> tuple[str, ...]:
    """Return a title in two lines of about the same length, or in one where it is one word."""
    parts = title.split()
    if len(parts) < 2:
        return (title,)
    cuts = [(" ".join(parts[:at]), " ".join(parts[at:])) for at in range(1, len(parts))]
    return min(cuts, key=lambda cut: abs(len(cut[0]) - len(cut[1])))


@scene
def _ground(theme: Theme, strip: str) -> Image.Image:
    canvas = Canvas(Image.new("RGB", (WIDTH, _BODY), theme.paper))
    wide = WIDTH - 2 * MARGIN
    canvas.fill((MARGIN - 3, 0), (wide + 6, _BODY), theme.ink)
    canvas.image.paste(landscapes.panorama(strip, wide, _BODY - 6, theme), (MARGIN, 3))
    return canvas.image


def _corner(column: int) -> tuple[int, int]:
    row, place = divmod(column, 4)
    return _LEFT + place * _PITCH, _TOP + 8 + row * _ROW + _CAPTION + 16


def _put(canvas: Canvas, theme: Theme, model: StripModel, cell: Cell) -> None:
    x, y = _corner(cell.column)
    middle = (x + _WIDE / 2, y + _HIGH / 2)
    if cell.column == 0:
        canvas.put(pieces.deck(model.strip, model.deck, *_DECK, theme), middle)
    elif cell.card is None:
        canvas.put(landscapes.window(model.strip, _WIDE, _HIGH, theme), middle)
    else:
        if cell.fresh:
            canvas.put(markers.just_played(_WIDE, _HIGH, theme, 0.5), middle)
        else:
            canvas.fill((x + 8, y + 9), (_WIDE, _HIGH), theme.strip(model.strip).shadow)
        canvas.put(cards.face(CARDS[cell.card], _WIDE, _HIGH, theme, cards.Print(cell.name)), middle)
    _put_pieces(canvas, theme, model, cell)
    _put_figurines(canvas, theme, cell)
    put_markers(canvas, theme, cell.chips, (x, y), CARD, ZOOM)
    if cell.sound and cell.card is None:
        canvas.put(sounds.lettering(cell.sound, 128, theme), (x + _WIDE / 2, y + 170))


def _put_pieces(canvas: Canvas, theme: Theme, model: StripModel, cell: Cell) -> None:
    # Pieces that lie beside the board are put below the deck.
    x, y = _corner(cell.column)
    here = [piece for piece in model.pieces if piece.column == cell.column]
    for piece in here:
        made = piece_sprite(theme, piece, 56)
        left = min(max(x + _WIDE / 2, MARGIN + made.width / 2), WIDTH - MARGIN - made.width / 2)
        canvas.put(made, (left, y + _HIGH + _LANE / 2 - (14 if piece.kind == "vessel" else -2)))
    if cell.column == 0:
        loose = [piece for piece in model.pieces if piece.column is None and piece.kind not in ASIDE]
        for number, piece in enumerate(loose):
            canvas.put(piece_sprite(theme, piece, 50), (x + 26 + number * 50, y + _HIGH + _LANE / 2 + 2))


def _put_figurines(canvas: Canvas, theme: Theme, cell: Cell) -> None:
    x, y = _corner(cell.column)
    both = len(cell.figurines) > 1
    for name in cell.figurines:
        right = name == Figurine.RASPUTIN.value or not both
        alone = cell.card is None and not both and cell.column
        dx = _WIDE / 2 if alone else _WIDE - 34 if right else 34
        made = pieces.figurine(Figurine(name), _FIGURE, theme)
        canvas.put(made, (x + dx, y + _HIGH + 30 - made.height / 2))


def _put_caption(canvas: Canvas, theme: Theme, captions: Captions, model: StripModel, cell: Cell) -> None:
    x, y = _corner(cell.column)
    x, wide = x - _BESIDE, _WIDE + 2 * _BESIDE
    box(canvas, (x, y - _CAPTION - 10, wide, _CAPTION), theme.card, theme.ink, 3)
    name = model.square(cell.column)
    canvas.words(name, (x + 12, y - _CAPTION / 2 - 11), _SQUARE, theme.ink)
    key = "deck" if cell.column == 0 else "empty" if cell.card is None else None
    told = captions.text(f"closeup.{key}") if key else deed(captions, CARDS[cell.card or ""])
    put_line(
        canvas,
        told,
        (x + wide - 11, y - _CAPTION / 2 - 11),
        _WORD,
        wide - 78,
        theme.soft if key else theme.ink,
        "rm",
    )


def deed(captions: Captions, card: Card) -> str:
    """Return in a few words what a character may do: ``"adds / hits far"``."""
    key = {Border.WHITE: "adds", Border.BLACK: "hits", Border.BOTH: "both"}[card.border or Border.BOTH]
    return captions.text(f"deed.{key}.far" if card.long_range else f"deed.{key}")
