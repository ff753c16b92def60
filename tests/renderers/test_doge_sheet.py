"""The clue sheet of The Secret of the Doge: where its sections are, and where marks stand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import pytest
from PIL import Image, ImageChops

from engines.doge.view import (
    CARDS,
    CRAFTS,
    INSTITUTIONS,
    Card,
    Mark,
    Pair,
    Source,
    View,
)
from renderers.doge.highlights import Focus, focus
from renderers.doge.private_text import sheet_alt
from renderers.doge.sheet import sheet
from renderers.doge.sheet_layout import COLUMN, LABELS_RIGHT, RIGHT, SURE, Need, SheetLayout, sheet_layout
from tests.renderers.doge_views import (
    CAPTIONS,
    MARKED,
    NOWHERE,
    THEME,
    changed,
    fresh,
    unaided,
    with_clues,
    with_section,
)


def _sheet(view: View, where: Focus = NOWHERE) -> Image.Image:
    return sheet(view, THEME, CAPTIONS, where)


# --- the layout of a sheet ------------------------------------------------------------------------


def _layout(*clues: int, head: float = 200) -> SheetLayout:
    return sheet_layout([Need(seat, count, head) for seat, count in enumerate(clues)])


@pytest.mark.parametrize(
    "clues", [(0, 0, 0), (5, 6, 5), (16, 0, 0), (0, 16, 0), (1, 2, 13), (16,), (8, 8), (12, 0)]
)
@pytest.mark.parametrize("head", [0, 180, 500])
def test_sixteen_clues_stand_in_one_band_in_columns_that_can_be_read(
    clues: tuple[int, ...], head: float
) -> None:
    layout = _layout(*clues, head=head)
    (band,) = layout.bands
    assert layout.height == 1100
    assert [box.seat for box in band.sections] == list(range(len(clues)))
    for box, count in zip(band.sections, clues, strict=True):
        assert box.columns == max(1, count)
        assert box.column >= COLUMN - 0.01
        assert box.sure >= SURE


@pytest.mark.parametrize(
    "clues", [(8, 8, 8), (16, 8, 0), (0, 24, 0), (24, 0, 0), (16, 16, 16), (40, 40, 40), (24,), (30, 1)]
)
def test_any_number_of_clues_has_room(clues: tuple[int, ...]) -> None:
    layout = _layout(*clues)
    seen = [box.seat for band in layout.bands for box in band.sections]
    assert sorted(seen) == list(range(len(clues)))
    for band, below in zip(layout.bands, (*layout.bands[1:], None), strict=True):
        assert band.sections[0].left == LABELS_RIGHT
        assert band.sections[-1].right == pytest.approx(RIGHT)
        for box in band.sections:
            assert box.column_left(box.columns) <= box.right + 0.01
        if below is not None:
            assert below.top >= band.bottom + 40, "pawns stand on the heads"
    assert layout.foot == layout.bands[-1].bottom < layout.height


@pytest.mark.parametrize("counts", list(product((0, 1, 5, 9, 14), repeat=3)))
def test_columns_are_as_wide_as_they_must_be_and_sections_do_not_overlap(counts: tuple[int, ...]) -> None:
    for band in _layout(*counts, head=258).bands:
        for box in band.sections:
            assert box.column >= COLUMN - 0.01
        for one, other in pairwise(band.sections):
            assert one.right == pytest.approx(other.left)
            assert one.seat < other.seat


def test_a_long_name_takes_no_room_that_marks_need() -> None:
    short, long = (sheet_layout([Need(0, 6, head), Need(1, 6, 100), Need(2, 6, 100)]) for head in (100, 600))
    for layout in (short, long):
        assert len(layout.bands) == 1
        assert all(box.column >= COLUMN - 0.01 for box in layout.bands[0].sections)


def test_rows_are_crafts_then_institutions() -> None:
    (band,) = _layout(3, 3, 3).bands
    tops = [band.row_top(card) for card in (*CRAFTS, *INSTITUTIONS)]
    assert tops == sorted(tops)
    steps = {second - first for first, second in pairwise(tops)}
    assert steps == {band.row, band.row_top(INSTITUTIONS[0]) - band.row_top(CRAFTS[-1])}
    assert band.bottom == tops[-1] + band.row


# --- what is written on a sheet -------------------------------------------------------------------


@pytest.mark.parametrize(("number", "seat"), [(0, 0), (1, 1), (2, 3)])
@pytest.mark.parametrize("card", MARKED)
def test_a_pencil_mark_stands_in_its_row_and_section(number: int, seat: int, card: Card) -> None:
    view = fresh()
    empty, marked = _sheet(view), _sheet(with_section(view, number, pencil=((card, Mark.MAYBE),)))
    left, top, right, low = changed(empty, marked)
    (band,) = sheet_layout([Need(part, 0, 0) for part in (0, 1, 3)]).bands
    assert band.row_top(card) <= top < low <= band.row_top(card) + band.row
    # Sections are at least as wide as a third of what names leave them.
    image = _sheet(view)
    assert image.width == 1100
    head = changed(image, _sheet(replace(view, out=(seat,))))
    assert head[0] <= left < right <= head[0] + 90, "in the section whose pawn is hollow"


@pytest.mark.parametrize("card", CARDS)
def test_what_is_sure_stands_in_the_row_of_its_card(card: Card) -> None:
    view = with_section(fresh(), 0, sure=())
    left, top, right, low = changed(_sheet(view), _sheet(with_section(view, 0, sure=((card, Mark.TRUE),))))
    (band,) = _layout(0, 0, 0).bands
    assert band.row_top(card) <= top < low <= band.row_top(card) + band.row
    assert LABELS_RIGHT < left < right < LABELS_RIGHT + 80


def test_a_clue_of_two_cards_stands_in_two_rows_of_one_column() -> None:
    view = with_clues(fresh(), (0, Source.MEETING, MARKED))
    lone = with_clues(fresh(), (0, Source.MEETING, MARKED[:1]))
    box = changed(_sheet(lone), _sheet(view))
    (band,) = _layout(1, 0, 0).bands
    assert band.row_top(Card.MARINA) <= box[1] < box[3] <= band.row_top(Card.MARINA) + band.row


def test_only_the_newest_clue_is_washed_with_gold() -> None:
    first = (0, Source.LOOK, (Card.ASCIA,))
    alone = _sheet(with_clues(fresh(), first))
    later = _sheet(with_clues(fresh(), first, (3, Source.GHOST, (Card.REMER,))))
    (band,) = _layout(1, 0, 1).bands
    gap = band.row_top(INSTITUTIONS[0]) - 7
    gold = [x for x in range(LABELS_RIGHT, RIGHT) if _golden(alone.getpixel((x, gap)))]
    now = [x for x in range(LABELS_RIGHT, RIGHT) if _golden(later.getpixel((x, gap)))]
    assert gold
    assert now
    assert max(gold) < min(now), "the section of Green is to the right of Blue's"


def _golden(pixel: Any) -> bool:
    red, _, blue = pixel
    return bool(red - blue > 90)


def test_a_sheet_without_help_shows_no_treasure_and_no_certain_mark() -> None:
    view = fresh()
    plain = unaided(view)
    image = _sheet(plain)
    red = Image.new("RGB", image.size, THEME.rubric)
    near = ImageChops.difference(image, red).convert("L").point([255] * 4 + [0] * 252)
    assert near.getbbox() is None, "what follows is written in red"
    alt = sheet_alt(CAPTIONS, plain, NOWHERE)
    assert not any(told in alt for told in ("treasure", "Sure of"))
    assert near.size == _sheet(view).size


@pytest.mark.parametrize("seats", [2, 3])
def test_rows_of_cards_laid_out_are_hatched_and_hold_no_mark(seats: int) -> None:
    view = fresh(seats, 0)
    gone, kept = view.laid_out[0], view.crafts[-1]
    view = with_section(view, 0, sure=())
    assert (
        ImageChops.difference(
            _sheet(view), _sheet(with_section(view, 0, sure=((gone, Mark.FALSE),)))
        ).getbbox()
        is None
    )
    assert changed(_sheet(view), _sheet(with_section(view, 0, sure=((kept, Mark.FALSE),))))


@pytest.mark.parametrize("count", [17, 24, 40])
def test_more_clues_than_a_band_holds_are_painted(count: int) -> None:
    clues = [(seat, Source.LOOK, (card,)) for seat, card in zip((0, 1, 3) * 14, CARDS * 5, strict=False)]
    image = _sheet(with_clues(fresh(), *clues[:count]))
    assert image.width == 1100
    assert image.height > 1100 or count <= 18


@pytest.mark.parametrize(
    ("draft", "found"),
    [
        ((), Focus()),
        (("mark",), Focus()),
        (("mark", "red"), Focus(2)),
        (("mark", "red", "remer"), Focus(2, Card.REMER)),
        (("mark", "red", "remer", "X"), Focus(2, Card.REMER)),
        (("mark", "red", "remer", "X", "green"), Focus(3)),
        (("mark", "red", "remer", "X", "green", "corder", "0"), Focus(3, Card.CORDER)),
        (("guess", "marina"), Focus(guess=(Card.MARINA,))),
        (("guess", "marina", "corder"), Focus(guess=(Card.MARINA, Card.CORDER))),
        (("show", "marina", "corder", "7"), Focus()),
        (("cw",), Focus()),
    ],
)
def test_the_last_words_of_a_draft_are_lit(draft: tuple[str, ...], found: Focus) -> None:
    assert focus(draft) == found
    assert focus(draft).pair == (Pair(Card.MARINA, Card.CORDER) if len(found.guess) == 2 else None)


def test_the_cell_that_a_draft_writes_in_is_lit() -> None:
    view = fresh()
    (band,) = _layout(0, 0, 0).bands

    def rows(where: Focus) -> Image.Image:
        return _sheet(view, where).crop((0, band.rows_top, 1100, band.bottom + 8))

    _, top, _, low = changed(rows(NOWHERE), rows(focus(("mark", "blue", "marina"))))
    first = band.row_top(Card.MARINA) - band.rows_top
    assert abs(top - first) < 8
    assert abs(low - first - band.row) < 8
    left, top, right, low = changed(rows(NOWHERE), rows(focus(("mark", "green"))))
    assert LABELS_RIGHT < left < right < left + 90
    assert low - top > 9 * band.row
