"""The strips of the public page: a panorama, its squares, and what stands on them."""

from __future__ import annotations

from PIL import Image

from engines.corto.view import ADVENTURES, CARDS, COLUMNS, Figurine, PieceView
from renderers.core.caches import scene, sprite
from renderers.core.canvas import Canvas
from renderers.core.type import Weight, sans
from renderers.corto import cards, landscapes, markers, pieces, sounds
from renderers.corto.layout import BOARD, FIRST, INNER, MARGIN, PANEL, SQUARES, WIDTH, left_of, middle_of
from renderers.corto.markers import marker_of, put_markers
from renderers.corto.page import band, caps
from renderers.corto.strip_model import Cell, StripModel
from renderers.corto.theme import Theme

_NAME = sans(29, Weight.BOLD)
_COUNT = sans(28, Weight.BLACK)
_DECK = (86, 114)
ASIDE = frozenset({"carriage", "armed", "ingot", "crow"})
"""Pieces that are out of the game where nobody holds them."""
TILT = 3.5
_TINTS = 24
"""Colours of a leaning card: turning it would blend hundreds."""
_FIGURE = 184
_SOUND = 66


def public_strip(theme: Theme, model: StripModel, discard: str) -> Image.Image:
    """Return a strip's band; ``discard``: the word for its discard."""
    return band(theme, ("strip", model, discard), lambda: _paint(theme, model, discard))


def _paint(theme: Theme, model: StripModel, discard: str) -> Image.Image:
    canvas = Canvas(ground(theme, model.strip))
    for cell in model.cells:
        if cell.card is not None and not cell.fresh:
            # The shadow is a wash: black is for the borders, which say what a card does.
            x, y = left_of(cell.column), BOARD.panel_top
            canvas.fill((x + 4, y + 5), (PANEL, BOARD.panel), theme.strip(model.strip).shadow)
            made = cards.face(CARDS[cell.card], PANEL, BOARD.panel, theme)
            canvas.put(made, (x + PANEL / 2, y + BOARD.panel / 2))
    _put_pieces(canvas, theme, model)
    # The card played last leans over its neighbours, so it comes after them.
    for cell in model.cells:
        if cell.card is not None and cell.fresh:
            centre = (middle_of(cell.column), BOARD.panel_top + BOARD.panel / 2)
            canvas.put(markers.just_played(PANEL, BOARD.panel, theme), centre)
            canvas.put(tilted(theme, cell.card), centre)
    for cell in model.cells[1:]:
        _put_figurines(canvas, theme, cell)
    _put_deck(canvas, theme, model, discard)
    # Markers decide who controls whom: no figurine may hide one.
    for cell in model.cells:
        put_markers(canvas, theme, cell.chips, (left_of(cell.column), BOARD.panel_top), BOARD)
    for cell in model.cells:
        if cell.sound:
            # Over an empty square there is room; else it goes into the lane below.
            made = sounds.lettering(cell.sound, _SOUND, theme)
            half = made.width / 2
            middle = min(max(middle_of(cell.column), MARGIN + FIRST + half), WIDTH - MARGIN - half)
            y = BOARD.panel_top + 100 if cell.card is None else BOARD.gutter + BOARD.lane - 4
            canvas.put(made, (middle, y))
    return canvas.image


# --- what never changes ---------------------------------------------------------------------------


@scene
def ground(theme: Theme, strip: str) -> Image.Image:
    """Return a strip without anything on it: panorama, title, named windows."""
    canvas = Canvas(Image.new("RGB", (WIDTH, BOARD.band), theme.paper))
    adventure, colours = ADVENTURES[strip], theme.strip(strip)
    top = BOARD.gutter
    canvas.fill((MARGIN - 3, top - 3), (INNER + 6, BOARD.strip + 3), theme.ink)
    view = landscapes.panorama(strip, INNER, BOARD.strip - 3, theme)
    canvas.image.paste(view, (MARGIN, top))
    canvas.fill((MARGIN, top), (FIRST, BOARD.strip - 3), colours.margin)
    canvas.fill((MARGIN + FIRST, top), (3, BOARD.strip - 3), theme.ink)
    for number, line in enumerate(two_lines(adventure.name)):
        caps(canvas, line, (middle_of(0), top + 18 + number * 28), 31, theme.ink, "mm", FIRST - 6)
    for column in SQUARES:
        x, y = left_of(column), BOARD.panel_top
        window = landscapes.window(strip, PANEL, BOARD.panel, theme)
        canvas.image.paste(window, (x, y), window)
        canvas.fill((x + 4, y + 4), (49, 36), colours.line)
        canvas.fill((x + 6, y + 6), (45, 32), theme.card)
        canvas.sign(f"{strip.lower()}{column}", (x + 28, y + 22), _NAME, theme.ink)
    return canvas.image


def two_lines(title: str) -> tuple[str, ...]:
    """Return a title in two lines of about the same length, or in one where it is one word."""
    parts = title.split()
    if len(parts) < 2:
        return (title,)
    cuts = [(" ".join(parts[:at]), " ".join(parts[at:])) for at in range(1, len(parts))]
    return min(cuts, key=lambda cut: abs(len(cut[0]) - len(cut[1])))


# --- cards ----------------------------------------------------------------------------------------


@sprite
def tilted(theme: Theme, card: str) -> Image.Image:
    """Return a character's panel, leaning a little to the right."""
    made = cards.face(CARDS[card], PANEL, BOARD.panel, theme)
    leaning = made.convert("RGBa").rotate(TILT, Image.Resampling.BICUBIC, expand=True).convert("RGBA")
    few = made.convert("RGB").quantize(_TINTS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat = leaning.convert("RGB").quantize(palette=few, dither=Image.Dither.NONE).convert("RGBA")
    flat.putalpha(leaning.getchannel("A"))
    return flat


# --- figurines, pieces, deck ----------------------------------------------------------------------


def _put_figurines(canvas: Canvas, theme: Theme, cell: Cell) -> None:
    # Figurines must not hide a card: they stand at its sides, or alone in the middle.
    both = len(cell.figurines) > 1
    alone = cell.card is None and not both
    for name in cell.figurines:
        right = name == Figurine.RASPUTIN.value or not both
        if cell.column == 0:
            x, foot, height = MARGIN + (110 if right else 30), BOARD.strip - 40, _FIGURE * 0.66
        else:
            x = middle_of(cell.column) + (4 if alone else 46 if right else -46)
            foot, height = BOARD.strip - 3, _FIGURE * (1.0 if alone else 0.82)
        made = pieces.figurine(Figurine(name), round(height), theme)
        canvas.put(made, (x, BOARD.gutter + foot - made.height / 2))


def _put_pieces(canvas: Canvas, theme: Theme, model: StripModel) -> None:
    # Pieces without a square start at column 1, right of the deck.
    y = BOARD.gutter + BOARD.lane
    x = middle_of(1) - 26
    for piece in model.pieces:
        if piece.column is not None:
            put_piece(canvas, theme, piece, (middle_of(piece.column), y), 1.0)
            continue
        if piece.kind in ASIDE:
            continue
        made = piece_sprite(theme, piece, 1.0)
        if piece.kind == "aces" and model.holder:
            canvas.put(marker_of(theme, model.holder, None, 44), (x + 78, y))
        canvas.put(made, (x if piece.kind != "aces" else x + 22, y - (4 if piece.kind == "aces" else 0)))
        x += made.width + 4


def put_piece(canvas: Canvas, theme: Theme, piece: PieceView, at: tuple[float, float], zoom: float) -> None:
    """Draw a quest piece; a train faces the way it travels and shows how many carriages are left."""
    x, y = at
    made = piece_sprite(theme, piece, zoom)
    # A piece wider than its column covers neither the deck nor the page's edge.
    x = min(max(x, MARGIN + FIRST + made.width / 2), WIDTH - MARGIN - made.width / 2)
    canvas.put(made, (x, y - (13 * zoom if piece.kind == "vessel" else 0)))


def piece_sprite(theme: Theme, piece: PieceView, zoom: float) -> Image.Image:
    """Return a piece of a quest ``zoom`` times as large as on the board."""
    kind = "carriage" if piece.kind == "armed" else piece.kind
    high = round(pieces.SIZES.get(kind, (0, 50))[1] * zoom)
    return pieces.piece(kind, high, theme, heading=piece.heading or "left", number=piece.number)


def _put_deck(canvas: Canvas, theme: Theme, model: StripModel, discard: str) -> None:
    top = BOARD.gutter
    pile = pieces.deck(model.strip, model.deck, *_DECK, theme)
    x, y = MARGIN + 20, top + 70
    canvas.image.paste(pile, (x, y), pile)
    _put_figurines(canvas, theme, model.cells[0])
    # Figurines may stand on the deck, so its number is put once more, over them.
    label = pieces.tag(str(model.deck), round(_DECK[1] * 0.34), theme)
    canvas.image.paste(label, (x + pile.width - label.width, y + pile.height - label.height), label)
    caps(canvas, discard, (MARGIN + 12, top + 210), 30, theme.ink, "lm", 92)
    canvas.words(str(model.discards), (MARGIN + FIRST - 10, top + 210), _COUNT, theme.ink, "rm")


ALL_COLUMNS = range(COLUMNS + 1)
"""Columns with the deck's."""
