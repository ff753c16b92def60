"""The clue sheet of one seat: a printed form, and what is written on it."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageChops

from engines.core.contract import Seat
from engines.doge.view import CARDS, CRAFTS, INSTITUTIONS, Card, Clue, Mark, Section, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.sprite_builder import SpriteBuilder
from renderers.core.theme import mix, rgb
from renderers.core.type import Weight, comic, serif
from renderers.doge.emblems import hatching, print_emblem
from renderers.doge.grounds import laid_paper
from renderers.doge.highlights import Focus
from renderers.doge.layout import WIDTH
from renderers.doge.pieces import PAWN, PAWN_FOOT, pawn
from renderers.doge.quill import Hand, marks, write
from renderers.doge.sheet_foot import put_foot, ring
from renderers.doge.sheet_layout import (
    LABELS_RIGHT,
    LEFT,
    MARGIN,
    RIGHT,
    Band,
    Need,
    SectionBox,
    sheet_layout,
)
from renderers.doge.squeezed import put_squeezed
from renderers.doge.theme import Theme

_TITLE = serif(42, Weight.BOLD)
_WHOSE = serif(34, Weight.SEMIBOLD_ITALIC)
_CARD = serif(30)
_NAME = serif(34, Weight.BOLD)
_SURE = comic(38)
_LEAST = 30
"""Pixels to which lines shrink before they are cut."""

_EMBLEM = 41
_HEAD_ROOM = 86
"""What a section's head needs beside the name: the pawn, and the edges of the sign."""
_LONG = 172
"""Pixels of a name beyond which it takes no room from the marks."""
_ALONE, _BOTH, _BESIDE, _RING = 4, 12, 34, 6
"""Pixels that a certain mark is smaller than its cell, alone and beside a pencil mark; the size of that
mark; how much larger a ring is than its mark."""
_OWN_WASH, _ROW_WASH = "#DCCBA3", "#EBDFC2"
_GOLD = "#FFE9A6"
"""What the newest clue is washed with."""


@dataclass(frozen=True, slots=True)
class _Page:
    """A sheet in progress, and all that it is written from."""

    canvas: Canvas
    theme: Theme
    captions: Captions
    view: View
    focus: Focus


def sheet(view: View, theme: Theme, captions: Captions, focus: Focus) -> Image.Image:
    """Return the clue sheet of the viewer's seat."""
    assert view.sheet is not None
    sections = {section.seat: section for section in view.sheet.sections}
    needs: list[Need] = []
    for seat, section in sections.items():
        name, face = captions.shrunk_name(seat, _NAME, _LONG, _NAME.size)
        needs.append(Need(seat, len(section.clues), _HEAD_ROOM + face.width(name)))
    layout = sheet_layout(needs)
    canvas = Canvas(laid_paper(theme, layout.height, (880, layout.foot + 176)))
    page = _Page(canvas, theme, captions, view, focus)
    _put_title(page)
    for band in layout.bands:
        _put_rows(page, band)
        for box in band.sections:
            _put_head(page, band, box)
            _gild_newest(page, band, box, sections[box.seat])
        _put_rules(page, band)
        for box in band.sections:
            _put_focus(page, band, box)
            _put_pawn(page, band, box)
            for number, clue in enumerate(sections[box.seat].clues):
                _put_clue(page, band, box, number, clue)
            _put_sure(page, band, box, sections[box.seat])
    put_foot(canvas, theme, captions, view, layout.foot, focus)
    return canvas.image


def _put_title(page: _Page) -> None:
    seat = page.view.viewer
    assert seat is not None
    page.canvas.put(pawn(page.theme, seat, hollow=seat in page.view.out), (76, 94))
    page.canvas.words(page.captions.text("sheet.title"), (106, 72), _TITLE, page.theme.ink)
    name, face = page.captions.shrunk_name(seat, _WHOSE, LABELS_RIGHT - 118, _LEAST)
    page.canvas.words(name, (107, 118), face, page.theme.ink)


# --- the form -------------------------------------------------------------------------------------


def _put_rows(page: _Page, band: Band) -> None:
    canvas, theme, view = page.canvas, page.theme, page.view
    own = () if view.own is None else view.own.cards
    for number, card in enumerate(CARDS):
        top, size = band.row_top(card), (RIGHT - LEFT, band.row)
        if card in own or number % 2 == 0:
            canvas.fill((LEFT, top), size, _OWN_WASH if card in own else _ROW_WASH)
        if card in {page.focus.card, *page.focus.guess}:
            canvas.fill((LEFT, top), (LABELS_RIGHT - LEFT, band.row), theme.gilt_disc)
        if card in view.laid_out:
            mask = _ruled(RIGHT - LABELS_RIGHT).crop((0, 0, RIGHT - LABELS_RIGHT, band.row))
            canvas.image.paste(rgb(mix(theme.laid, theme.pale, 0.75)), (LABELS_RIGHT, top), mask)
        canvas.fill((LEFT, top), (RIGHT - LEFT, 1), theme.pale)
        _put_label(page, band, card)
        if card in own:
            at = (LEFT + MARGIN / 2, band.middle(card))
            write(canvas, Mark.TRUE, at, 42, Hand.QUILL, theme.first, number)


def _put_label(page: _Page, band: Band, card: Card) -> None:
    canvas, theme, middle = page.canvas, page.theme, band.middle(card)
    laid_out = card in page.view.laid_out
    ink = theme.soft if laid_out else theme.ink
    print_emblem(canvas.image, card, (LEFT + MARGIN + _EMBLEM / 2, middle), _EMBLEM, ink)
    left = LEFT + MARGIN + _EMBLEM + 4
    name = page.captions.text(f"card.{card.value}")
    wide = put_squeezed(canvas, name, (left, middle - 1), _CARD, LABELS_RIGHT - left - 3, ink)
    if laid_out:
        canvas.fill((left - 4, round(middle) - 1), (round(wide) + 8, 4), theme.rubric)


@sprite
def _ruled(width: int) -> Image.Image:
    """Return lines from the upper right to the lower left, as a mask high enough for any row."""
    return hatching(3, (width, 60), 7, 2).transpose(Image.Transpose.FLIP_LEFT_RIGHT)


def _put_rules(page: _Page, band: Band) -> None:
    canvas, ink, pale = page.canvas, page.theme.ink, page.theme.pale
    halves = [(band.row_top(part[0]), band.row_top(part[-1]) + band.row) for part in (CRAFTS, INSTITUTIONS)]
    for box in band.sections:
        for number in range(box.columns + 1):
            x = round(box.column_left(number))
            # The last column of a full section ends where the next one begins.
            if x < box.right - 2:
                for top, bottom in ((band.heads_bottom + 4, halves[0][1]), halves[1]):
                    canvas.fill((x, top), (2 if number == 0 else 1, bottom - top), pale if number else ink)
    for top, bottom in halves:
        for y in (top, bottom):
            canvas.fill((LEFT, y - 1), (RIGHT - LEFT, 3), ink)
        canvas.fill((LEFT, top), (2, bottom - top), ink)
    for x in (*(round(box.left) for box in band.sections), RIGHT):
        canvas.fill((x - 1, band.top), (3, band.bottom - band.top), ink)
    canvas.fill((LABELS_RIGHT, band.top - 1), (RIGHT - LABELS_RIGHT, 3), ink)


# --- a section ------------------------------------------------------------------------------------


def _put_head(page: _Page, band: Band, box: SectionBox) -> None:
    """Draw the owner's colour, and the name on a sign; it is struck out for who is out."""
    canvas, theme = page.canvas, page.theme
    left, width = round(box.left) + 2, round(box.width) - 3
    high = band.heads_bottom - band.top - 3
    canvas.image.paste(_tincture(theme, box.seat, high).crop((0, 0, width, high)), (left, band.top + 2))
    room = round(box.width) - _HEAD_ROOM
    if room < _NAME.size:
        return  # the pawn tells whose section it is
    gone = box.seat in page.view.out
    name, face = page.captions.shrunk_name(box.seat, _NAME, room, _LEAST)
    wide = round(face.width(name)) + 14
    ground = theme.gilt_disc if page.focus.seat == box.seat else theme.sign
    edge = mix(theme.sides[box.seat].dark, theme.ink, 0.3)
    canvas.fill((left + 62, band.top + 10), (wide, high - 18), edge)
    canvas.fill((left + 64, band.top + 12), (wide - 4, high - 22), ground)
    middle = band.top + high / 2
    canvas.words(name, (left + 69, middle), face, theme.soft if gone else theme.ink)
    if gone:
        canvas.fill((left + 58, round(middle)), (wide + 8, 4), theme.rubric)


@sprite
def _tincture(theme: Theme, seat: Seat, height: int) -> Image.Image:
    """Return a field of an owner's colour as wide as a sheet: how wide a head is depends on names."""
    side = theme.sides[seat]
    builder = SpriteBuilder(WIDTH, height, scale=2)
    builder.lay(builder.box((0, 0), (WIDTH, height)), side.tint)
    builder.lay(hatching(seat, builder.empty().size, 12, 2), mix(side.tint, side.body, 0.5))
    return builder.finish().convert("RGB")


def _put_pawn(page: _Page, band: Band, box: SectionBox) -> None:
    made = pawn(page.theme, box.seat, hollow=box.seat in page.view.out)
    foot = (box.left + 34, band.heads_bottom - 6)
    page.canvas.put(made, (foot[0] + PAWN[0] / 2 - PAWN_FOOT[0], foot[1] + PAWN[1] / 2 - PAWN_FOOT[1]))


def _gild_newest(page: _Page, band: Band, box: SectionBox, section: Section) -> None:
    for number, clue in enumerate(section.clues):
        if page.view.newest_clue == (box.seat, clue):
            left = box.column_left(number)
            area = (round(left) + 1, band.heads_bottom + 1, round(left + box.column), band.bottom)
            part = page.canvas.image.crop(area)
            gold = Image.new("RGB", part.size, _GOLD)
            page.canvas.image.paste(ImageChops.multiply(part, gold), area[:2])


def _put_focus(page: _Page, band: Band, box: SectionBox) -> None:
    """Light the column in which the seat's pencil writes, or the one cell that it writes in."""
    canvas, theme, focus = page.canvas, page.theme, page.focus
    if focus.seat != box.seat:
        return
    left, width = round(box.left) + 2, round(box.sure) - 2
    for card in CARDS if focus.card is None else (focus.card,):
        top = band.row_top(card)
        if focus.card is not None:
            canvas.fill((left - 6, top - 5), (width + 12, band.row + 11), theme.gilt_edge)
            canvas.fill((left - 3, top - 2), (width + 6, band.row + 5), theme.gilt_lit)
        canvas.fill((left, top + 1), (width, band.row - 1), theme.gilt_pale)


def _put_clue(page: _Page, band: Band, box: SectionBox, number: int, clue: Clue) -> None:
    x = box.column_left(number) + box.column / 2
    # Of few sizes, so that few sets of marks are made.
    size = min(54, round(box.column * 1.16) // 4 * 4 + 2, band.row - 2)
    emblem = 38 if box.column > 40 else 32
    print_emblem(page.canvas.image, clue.source, (x, band.rows_top - 22), emblem, page.theme.ink)
    for card in clue.cards:
        variant = box.seat + 3 * number + CARDS.index(card)
        at = (x, band.middle(card))
        write(page.canvas, clue.mark, at, size, Hand.QUILL, page.theme.first, variant)


def _put_sure(page: _Page, band: Band, box: SectionBox, section: Section) -> None:
    """Write what follows, in second ink; the player's pencil stands in the same column."""
    canvas, theme, middle = page.canvas, page.theme, box.left + box.sure / 2 + 1
    key, ink = ("sheet.mine", theme.pencil) if section.sure is None else ("sheet.sure", theme.rubric)
    canvas.words(page.captions.text(key), (middle, band.rows_top - 20), _SURE, ink, "mm")
    sure, pencil = dict(section.sure or ()), dict(section.pencil)
    size = band.row - 8
    _load(theme, size)
    for number, card in enumerate(CARDS):
        if card in page.view.laid_out:
            continue  # its row is hatched
        y, variant = band.middle(card), number + box.seat
        if card in sure:
            x, tall = (middle - 12, size - _BOTH) if card in pencil else (middle, size - _ALONE)
            if sure[card] is Mark.TRUE:
                canvas.put(ring(theme, tall + _RING), (x, y))
            write(canvas, sure[card], (x, y), tall, Hand.QUILL, theme.rubric, variant)
        if card in pencil:
            x, tall = (middle + 14, _BESIDE) if card in sure else (middle, size)
            write(canvas, pencil[card], (x, y), tall, Hand.PENCIL, theme.pencil, variant)


def _load(theme: Theme, size: int) -> None:
    """Load all that may be written, needed or not: what is cached on disk must not tell what follows."""
    for tall in (size - _BOTH, size - _ALONE):
        ring(theme, tall + _RING)
        marks(tall, Hand.QUILL)
    for tall in (size, _BESIDE):
        marks(tall, Hand.PENCIL)
