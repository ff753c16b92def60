"""The close-up of a strip: its squares in two rows, twice as large, each with what it does in words."""

from __future__ import annotations

from PIL import Image

from engines.corto.view import ADVENTURES, CARDS, Border, Card, Figurine, View
from renderers.core.caches import scene
from renderers.core.canvas import Canvas
from renderers.core.captions import Voice
from renderers.core.type import Weight, sans
from renderers.corto import art
from renderers.corto.bands import band
from renderers.corto.boxes import box, caps, shrunk
from renderers.corto.counters import put_counters
from renderers.corto.layout import BOARD, MARGIN, PANEL, WIDTH
from renderers.corto.lettering import wrapped
from renderers.corto.looks import Cell, StripLook, looks
from renderers.corto.strips import ASIDE, piece_sprite, put_sprite
from renderers.corto.theme import Theme

ZOOM = 2
_WIDE, _HIGH = PANEL * ZOOM, BOARD.panel * ZOOM
_PITCH = 270
_LEFT = 21
_HEAD = 72
_CAPTION = 46
_LANE = 62
"""Room for the pieces of the quest below each row."""
_ROW = _CAPTION + 18 + _HIGH + _LANE
_BODY = 2 * _ROW + 8
_SQUARE = sans(38, Weight.BLACK)
_WORD = sans(31, Weight.BOLD)
_COUNT = sans(32, Weight.BOLD)
_TEXT = sans(29, Weight.SEMIBOLD)
_LINE = 38
_FIGURE = 320
_DECK = (184, 252)


def closeup(view: View, theme: Theme, voice: Voice, strip: str) -> Image.Image:
    """Return the close-up of the strip with this letter."""
    look = next(found for found in looks(view) if found.strip == strip)
    told = wrapped(ADVENTURES[strip].text, _TEXT, WIDTH - 2 * MARGIN - 44)
    told += _discards(voice, view, strip)
    key = ("closeup", look, tuple(told), voice.table.language)
    return band(theme, key, lambda: _paint(theme, voice, look, told))


def _paint(theme: Theme, voice: Voice, look: StripLook, told: list[str]) -> Image.Image:
    strip = look.strip
    high = _HEAD + _BODY + 30 + _LINE * len(told) + 24
    canvas = Canvas(Image.new("RGB", (WIDTH, high), theme.paper))
    caps(canvas, ADVENTURES[strip].name, (MARGIN + 6, 38), 62, theme.ink, "lm", 600)
    counts = voice.say("closeup.counts", deck=look.deck, discards=look.discards)
    canvas.words(counts, (WIDTH - MARGIN - 6, 40), _COUNT, theme.ink, "rm")
    canvas.image.paste(_ground(theme, strip), (0, _HEAD))
    order = sorted(look.cells, key=lambda cell: cell.fresh)
    for cell in order:
        _put(canvas, theme, look, cell)
    for cell in look.cells:
        _put_caption(canvas, theme, voice, look, cell)
    top = _HEAD + _BODY + 16
    box(canvas, (MARGIN, top, WIDTH - 2 * MARGIN - 4, high - top - 14), theme.box, theme.ink, 3, theme.ink)
    for number, line in enumerate(told):
        text, face = shrunk(line, _TEXT, WIDTH - 2 * MARGIN - 40, 26)
        canvas.words(text, (MARGIN + 18, top + 27 + number * _LINE), face, theme.ink)
    return canvas.image


def _discards(voice: Voice, view: View, strip: str) -> list[str]:
    """Return the names of the discarded cards, the latest first, in one line; nothing if there are none."""
    cards = view.discards[view.strips.index(strip)]
    if not cards:
        return []
    return [voice.say("closeup.discards", names=", ".join(CARDS[card].name for card in reversed(cards)))]


@scene
def _ground(theme: Theme, strip: str) -> Image.Image:
    """Return the landscape behind the squares."""
    canvas = Canvas(Image.new("RGB", (WIDTH, _BODY), theme.paper))
    wide = WIDTH - 2 * MARGIN
    canvas.fill((MARGIN - 3, 0), (wide + 6, _BODY), theme.ink)
    canvas.image.paste(art.panorama(strip, wide, _BODY - 6, theme), (MARGIN, 3))
    return canvas.image


def _corner(column: int) -> tuple[int, int]:
    """Return the upper left corner of a panel."""
    row, place = divmod(column, 4)
    return _LEFT + place * _PITCH, _HEAD + 10 + row * _ROW + _CAPTION + 16


def _put(canvas: Canvas, theme: Theme, look: StripLook, cell: Cell) -> None:
    x, y = _corner(cell.column)
    if cell.column == 0:
        canvas.put(art.deck(look.strip, look.deck, *_DECK, theme), (x + _WIDE / 2, y + _HIGH / 2))
    elif cell.card is None:
        put_sprite(canvas, art.Sprite(art.window(look.strip, _WIDE, _HIGH, theme), 0, 0), (x, y))
    else:
        if cell.fresh:
            canvas.put(art.just_played(_WIDE, _HIGH, theme), (x + _WIDE / 2, y + _HIGH / 2))
        else:
            canvas.fill((x + 8, y + 9), (_WIDE, _HIGH), theme.strip(look.strip).shadow)
        put_sprite(canvas, art.character(CARDS[cell.card], _WIDE, _HIGH, theme), (x, y))
    _put_pieces(canvas, theme, look, cell)
    _put_figurines(canvas, theme, cell)
    put_counters(canvas, theme, cell.chips, (x, y), BOARD, ZOOM)
    if cell.sound and cell.card is None:
        canvas.put(art.lettering(cell.sound, 128, theme), (x + _WIDE / 2, y + 170))


def _put_pieces(canvas: Canvas, theme: Theme, look: StripLook, cell: Cell) -> None:
    """Lay the pieces of a column over the foot of its panel; those beside the board below the deck."""
    x, y = _corner(cell.column)
    here = [piece for piece in look.pieces if piece.column == cell.column]
    for piece in here:
        made = piece_sprite(theme, piece, 1.25)
        left = min(max(x + _WIDE / 2, MARGIN + made.width / 2), WIDTH - MARGIN - made.width / 2)
        canvas.put(made, (left, y + _HIGH + _LANE / 2 - (14 if piece.kind == "vessel" else -2)))
    if cell.column == 0:
        loose = [piece for piece in look.pieces if piece.column is None and piece.kind not in ASIDE]
        for number, piece in enumerate(loose):
            canvas.put(piece_sprite(theme, piece, 1.0), (x + 26 + number * 50, y + _HIGH + _LANE / 2 + 2))


def _put_figurines(canvas: Canvas, theme: Theme, cell: Cell) -> None:
    x, y = _corner(cell.column)
    both = len(cell.figurines) > 1
    for name in cell.figurines:
        right = name == Figurine.RASPUTIN.value or not both
        alone = cell.card is None and not both and cell.column
        dx = _WIDE / 2 if alone else _WIDE - 34 if right else 34
        made = art.figurine(Figurine(name), _FIGURE, theme)
        canvas.put(made, (x + dx, y + _HIGH + 30 - made.height / 2))


def _put_caption(canvas: Canvas, theme: Theme, voice: Voice, look: StripLook, cell: Cell) -> None:
    x, y = _corner(cell.column)
    box(canvas, (x, y - _CAPTION - 10, _WIDE, _CAPTION), theme.card, theme.ink, 3)
    name = look.square(cell.column)
    canvas.words(name, (x + 12, y - _CAPTION / 2 - 11), _SQUARE, theme.ink)
    key = "deck" if cell.column == 0 else "empty" if cell.card is None else None
    told = voice.say(f"closeup.{key}") if key else deed(voice, CARDS[cell.card or ""])
    text, face = shrunk(told, _WORD, _WIDE - 78, 26)
    canvas.words(text, (x + _WIDE - 11, y - _CAPTION / 2 - 11), face, theme.soft if key else theme.ink, "rm")


def deed(voice: Voice, card: Card) -> str:
    """Return in a few words what a character may do: ``"adds / hits far"``."""
    key = {Border.WHITE: "adds", Border.BLACK: "hits", Border.BOTH: "both"}[card.border or Border.BOTH]
    told = voice.say(f"deed.{key}")
    return voice.say("deed.far", deed=told) if card.long_range else told
