"""The private pictures of The Secret of the Doge: where marks stand, what is told, what files are touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from engines.core.texts import load
from engines.doge.view import (
    CARDS,
    CRAFTS,
    INSTITUTIONS,
    Card,
    Clue,
    Discard,
    Gift,
    GiftAhead,
    Mark,
    Pair,
    Source,
    View,
)
from renderers.core.caches import SCENES, SPRITES, keep_on_disk
from renderers.core.captions import Captions
from renderers.core.contract import ALT_LIMIT
from renderers.core.disk_cache import DiskCache
from renderers.doge.clue import clue, sentence
from renderers.doge.emblems import SIGNS, emblem
from renderers.doge.hand import hand
from renderers.doge.hand_model import Verb, gift_of, given, note
from renderers.doge.private_text import clue_alt, hand_alt, sheet_alt
from renderers.doge.quill import MARKS, VARIANTS, Hand, marks
from renderers.doge.sheet import sheet
from renderers.doge.sheet_layout import COLUMN, LABELS_RIGHT, RIGHT, SURE, Need, SheetLayout, sheet_layout
from renderers.doge.sheet_model import Focus, focus
from renderers.doge.theme import THEMES
from tests.renderers.looks import TABLE
from tests.renderers.looks.base import start

THEME = THEMES.choose("default")
CAPTIONS = Captions(load("renderers.doge"), TABLE)
NOWHERE = Focus()
SEAT = 2
MARKED = (Card.FAVRO, Card.MARINA)


def _view(seats: int = 4, seat: int = SEAT) -> View:
    view: View = start("doge", seats).view(seat)
    return view


def _with_clues(view: View, *clues: tuple[int, Source, tuple[Card, ...]], look_at: int = 3) -> View:
    """Return a view whose sheet has these clues: whom they are about, their source, their cards."""
    gifts, discards, found = list(view.public.gifts), list(view.public.discards), []
    for step, (seat, source, cards) in enumerate(clues, 1):
        given_by = Source.MEETING if source is Source.LOOK else source
        gifts.append(Gift(given_by, seat, SEAT, look_at, step))
        if source is Source.LOOK:
            discards.append(Discard(len(gifts) - 1, SEAT, look_at, step))
        found.append((seat, Clue(source, cards, len(gifts) - 1, step)))
    gone = {discard.gift for discard in discards}
    lying = tuple(number for number in range(len(gifts)) if number not in gone)
    piles = tuple(lying if square == look_at else () for square in range(10))
    public = replace(view.public, gifts=tuple(gifts), discards=tuple(discards), piles=piles)
    assert view.sheet is not None
    sections = tuple(
        replace(part, clues=tuple(one for seat, one in found if seat == part.seat))
        for part in view.sheet.sections
    )
    return replace(view, public=public, sheet=replace(view.sheet, sections=sections))


def _with_section(view: View, number: int, **changes: Any) -> View:
    assert view.sheet is not None
    sections = list(view.sheet.sections)
    sections[number] = replace(sections[number], **changes)
    return replace(view, sheet=replace(view.sheet, sections=tuple(sections)))


def _unaided(view: View) -> View:
    assert view.sheet is not None
    plain = tuple(replace(part, sure=None, pairs=None) for part in view.sheet.sections)
    return replace(view, sheet=replace(view.sheet, sections=plain, deals=None, treasures=None))


def _sheet(view: View, where: Focus = NOWHERE) -> Image.Image:
    return sheet(view, THEME, CAPTIONS, where)


def _changed(first: Image.Image, second: Image.Image) -> tuple[int, int, int, int]:
    box = ImageChops.difference(first, second).getbbox()
    assert box is not None, "nothing has changed"
    return box


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
    view = _view()
    empty, marked = _sheet(view), _sheet(_with_section(view, number, pencil=((card, Mark.MAYBE),)))
    left, top, right, low = _changed(empty, marked)
    (band,) = sheet_layout([Need(part, 0, 0) for part in (0, 1, 3)]).bands
    assert band.row_top(card) <= top < low <= band.row_top(card) + band.row
    # Sections are at least as wide as a third of what names leave them.
    image = _sheet(view)
    assert image.width == 1100
    head = _changed(image, _sheet(replace(view, public=replace(view.public, out=(seat,)))))
    assert head[0] <= left < right <= head[0] + 90, "in the section whose pawn is hollow"


@pytest.mark.parametrize("card", CARDS)
def test_what_is_sure_stands_in_the_row_of_its_card(card: Card) -> None:
    view = _with_section(_view(), 0, sure=())
    left, top, right, low = _changed(_sheet(view), _sheet(_with_section(view, 0, sure=((card, Mark.TRUE),))))
    (band,) = _layout(0, 0, 0).bands
    assert band.row_top(card) <= top < low <= band.row_top(card) + band.row
    assert LABELS_RIGHT < left < right < LABELS_RIGHT + 80


def test_a_clue_of_two_cards_stands_in_two_rows_of_one_column() -> None:
    view = _with_clues(_view(), (0, Source.MEETING, MARKED))
    lone = _with_clues(_view(), (0, Source.MEETING, MARKED[:1]))
    box = _changed(_sheet(lone), _sheet(view))
    (band,) = _layout(1, 0, 0).bands
    assert band.row_top(Card.MARINA) <= box[1] < box[3] <= band.row_top(Card.MARINA) + band.row


def test_only_the_newest_clue_is_washed_with_gold() -> None:
    first = (0, Source.LOOK, (Card.ASCIA,))
    alone = _sheet(_with_clues(_view(), first))
    later = _sheet(_with_clues(_view(), first, (3, Source.GHOST, (Card.REMER,))))
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
    view = _view()
    unaided = _unaided(view)
    image = _sheet(unaided)
    red = Image.new("RGB", image.size, THEME.rubric)
    near = ImageChops.difference(image, red).convert("L").point([255] * 4 + [0] * 252)
    assert near.getbbox() is None, "what follows is written in red"
    assert "treasure" not in sheet_alt(CAPTIONS, unaided, NOWHERE)
    assert near.size == _sheet(view).size


@pytest.mark.parametrize("seats", [2, 3])
def test_rows_of_cards_laid_out_are_hatched_and_hold_no_mark(seats: int) -> None:
    view = _view(seats, 0)
    gone, kept = view.public.laid_out[0], view.public.crafts[-1]
    view = _with_section(view, 0, sure=())
    assert (
        ImageChops.difference(
            _sheet(view), _sheet(_with_section(view, 0, sure=((gone, Mark.FALSE),)))
        ).getbbox()
        is None
    )
    assert _changed(_sheet(view), _sheet(_with_section(view, 0, sure=((kept, Mark.FALSE),))))


@pytest.mark.parametrize("count", [17, 24, 40])
def test_more_clues_than_a_band_holds_are_painted(count: int) -> None:
    clues = [(seat, Source.LOOK, (card,)) for seat, card in zip((0, 1, 3) * 14, CARDS * 5, strict=False)]
    image = _sheet(_with_clues(_view(), *clues[:count]))
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
    view = _view()
    (band,) = _layout(0, 0, 0).bands

    def rows(where: Focus) -> Image.Image:
        return _sheet(view, where).crop((0, band.rows_top, 1100, band.bottom + 8))

    _, top, _, low = _changed(rows(NOWHERE), rows(focus(("mark", "blue", "marina"))))
    first = band.row_top(Card.MARINA) - band.rows_top
    assert abs(top - first) < 8
    assert abs(low - first - band.row) < 8
    left, top, right, low = _changed(rows(NOWHERE), rows(focus(("mark", "green"))))
    assert LABELS_RIGHT < left < right < left + 90
    assert low - top > 9 * band.row


# --- the hand -------------------------------------------------------------------------------------


def _holding() -> tuple[View, Card, Card]:
    """Return a view, a true craft of its own, and a false institution."""
    view = _view()
    assert view.own is not None
    false = next(card for card in INSTITUTIONS if card not in view.own.cards)
    return view, view.own.craft, false


def test_a_draft_says_which_cards_which_square_and_what_stays() -> None:
    view, true, false = _holding()
    shown = gift_of(view, ("show", false.value, true.value, "7"))
    assert shown is not None
    assert (shown.verb, shown.cards, shown.square) == (Verb.SHOW, (false, true), 7)
    name = CAPTIONS.text(f"card.{false.value}")
    assert f"{name} goes to square 7" in note(CAPTIONS, view, shown)
    alt = hand_alt(CAPTIONS, view, shown)
    assert f"{name} (false)" in alt
    assert f"{CAPTIONS.text(f'card.{true.value}')} (true)" in alt
    given_one = gift_of(view, ("give", false.value, "5"))
    assert "You give" in note(CAPTIONS, view, given_one)
    assert "square 5" in note(CAPTIONS, view, given_one)
    assert "You show a true card" in note(CAPTIONS, view, gift_of(view, ("show",)))
    back = replace(view, ahead=GiftAhead(Pair(false, true), 3))
    assert "No gift" in note(CAPTIONS, back, gift_of(back, ("ahead", "-")))


def test_a_gift_left_in_advance_is_seen_until_a_draft_names_another() -> None:
    view, true, false = _holding()
    left = replace(view, ahead=GiftAhead(Pair(false, true), 9))
    assert gift_of(view, ()) is None
    waiting = gift_of(left, ())
    assert waiting is not None
    assert (waiting.left, waiting.cards, waiting.square) == (True, (false, true), 9)
    assert "Left in advance" in note(CAPTIONS, left, waiting)
    assert _changed(hand(view, THEME, CAPTIONS, None), hand(left, THEME, CAPTIONS, waiting))
    other = gift_of(left, ("ahead", false.value, true.value, "1"))
    assert other is not None
    assert (other.left, other.square) == (False, 1)
    assert gift_of(left, ("roll",)) == waiting


def test_a_card_that_was_given_away_says_where_it_lies() -> None:
    view, _, false = _holding()
    lying = replace(
        view,
        public=replace(
            view.public,
            gifts=(Gift(Source.MEETING, SEAT, 0, 7, 1),),
            piles=tuple((0,) if square == 7 else () for square in range(10)),
        ),
        faces=((0, false),),
    )
    gone = replace(lying, public=replace(lying.public, piles=((),) * 10))
    assert false not in lying.hand
    assert (given(lying), given(gone)) == ({false: 7}, {false: None})
    assert "given, on 7" in hand_alt(CAPTIONS, lying, None)
    assert "discarded" in hand_alt(CAPTIONS, gone, None)
    empty, held = hand(lying, THEME, CAPTIONS, None), hand(view, THEME, CAPTIONS, None)
    place = CARDS.index(false)
    left, top, right, low = _changed(empty.crop((0, 428, 1100, 1000)), held.crop((0, 428, 1100, 1000)))
    assert place % 5 * 213 < left < right < place % 5 * 213 + 250
    assert (place // 5) * 280 - 20 < top < low < (place // 5) * 280 + 270


def test_who_has_guessed_wrong_reads_the_treasure() -> None:
    view = replace(_view(), treasure=Pair(Card.MARINA, Card.REMER))
    assert note(CAPTIONS, view, None) == "The treasure is Marina and Remer."


# --- the newest clue ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "cards", "parts"),
    [
        (Source.MEETING, MARKED, ("two cards", "square 3", "Favro, Marina")),
        (Source.LOOK, MARKED[:1], ("looked at on square 3", "discarded", "Shown: Favro.")),
        (Source.GHOST, MARKED[1:], ("for the ghost", "square 3", "Shown: Marina.")),
    ],
)
def test_a_clue_says_what_was_seen_and_where_it_lies(
    source: Source, cards: tuple[Card, ...], parts: tuple[str, ...]
) -> None:
    view = _with_clues(_view(), (1, Source.LOOK, (Card.ASCIA,)), (3, source, cards))
    alt = clue_alt(CAPTIONS, view)
    assert alt.startswith("Sunniva (Green)")
    assert all(part in alt for part in parts), alt
    assert "16 treasures" in alt
    image = clue(view, THEME, CAPTIONS)
    assert image.size == (1100, 880)
    assert view.newest_clue is not None
    gone = replace(view, public=replace(view.public, piles=((),) * 10))
    assert "discarded" in sentence(CAPTIONS, gone, view.newest_clue[1])


# --- alt texts ------------------------------------------------------------------------------------


def test_the_sheets_alt_text_says_what_is_needed_to_play() -> None:
    view = _with_clues(_view(), (0, Source.MEETING, MARKED), (3, Source.LOOK, (Card.ASCIA,)))
    sure = ((Card.FAVRO, Mark.TRUE), (Card.CORDER, Mark.FALSE))
    view = _with_section(view, 0, sure=sure, pencil=((Card.REMER, Mark.MAYBE),))
    assert view.sheet is not None
    assert view.sheet.treasures is not None
    treasures = view.sheet.treasures[:2]
    view = replace(view, sheet=replace(view.sheet, treasures=treasures))
    alt = sheet_alt(CAPTIONS, view, focus(("mark", "blue", "remer")))
    for part in (
        "The clue sheet of Noor (Red)",
        "2 treasures possible: ",
        "You write about Beatrice (Blue): Remer.",
        "Sure of Beatrice (Blue): true Favro; false Corder.",
        "Your pencil about Blue: maybe Remer.",
        "Clues about Blue: one of Favro, Marina.",
        "Clues about Green: not Maestro d’ascia (looked).",
    ):
        assert part in alt, alt
    for pair in treasures:
        assert CAPTIONS.text(f"card.{pair.craft.value}") in alt


def test_alt_texts_are_short_enough_whatever_the_names() -> None:
    table = replace(TABLE, names=("W" * 32,) * 4)
    captions = Captions(load("renderers.doge"), table)
    clues = [(seat, Source.MEETING, MARKED) for seat in (0, 1, 3)] * 8
    view = _with_clues(_view(), *clues)
    assert "16 treasures possible" in sheet_alt(captions, view, NOWHERE)
    for alt in (sheet_alt(captions, view, NOWHERE), hand_alt(captions, view, None), clue_alt(captions, view)):
        assert 0 < len(alt) <= ALT_LIMIT


# --- files that are made --------------------------------------------------------------------------


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Return what is asked of the disk cache."""
    names: list[str] = []
    made: dict[str, Image.Image] = {}

    def get(self: DiskCache, package: str, name: str, make: Callable[[], Image.Image]) -> Image.Image:
        names.append(name)
        if name not in made:
            made[name] = make()
        return made[name]

    monkeypatch.setattr(DiskCache, "get", get)
    keep_on_disk(tmp_path / "cache")
    yield names
    keep_on_disk(None)
    _forget()


def _forget() -> None:
    SPRITES.clear()
    SCENES.clear()
    emblem.cache_clear()


def _touched(asked: list[str], view: View, draft: tuple[str, ...] = ()) -> set[str]:
    _forget()
    asked.clear()
    sheet(view, THEME, CAPTIONS, focus(draft))
    hand(view, THEME, CAPTIONS, gift_of(view, draft))
    if view.newest_clue is not None:
        clue(view, THEME, CAPTIONS)
    return set(asked)


def test_no_file_tells_what_one_seat_knows(asked: list[str]) -> None:
    view, true, false = _holding()
    view = _with_clues(view, (0, Source.MEETING, MARKED))
    touched = _touched(asked, view)
    assert touched
    other = replace(view, own=Pair(false, next(card for card in CRAFTS if card is not true)))
    assert _touched(asked, other) == touched, "an identity"
    assert _touched(asked, view, ("show", false.value, true.value, "7")) == touched, "a draft"
    assert _touched(asked, view, ("guess", "marina", "remer")) == touched, "a guess that is thought of"
    assert _touched(asked, view, ("mark", "blue", "remer")) == touched, "a mark that is thought of"
    assert _touched(asked, _unaided(view)) == touched, "what a sheet shows"
    shown = _with_clues(_holding()[0], (0, Source.MEETING, (Card.REMER, Card.COMUNE)))
    assert _touched(asked, shown) == touched, "the cards of a clue"
    deduced = _with_section(view, 1, sure=tuple((card, Mark.TRUE) for card in MARKED))
    assert _touched(asked, deduced) == touched, "what follows"
    noted = _with_section(view, 1, pencil=((Card.REMER, Mark.MAYBE), (Card.MARINA, Mark.TRUE)))
    assert _touched(asked, noted) == touched, "a pencil mark"


# --- small things ---------------------------------------------------------------------------------


def test_every_card_and_source_has_a_woodcut_of_its_own() -> None:
    prints = [emblem(sign, 40) for sign in SIGNS]
    assert len({one.tobytes() for one in prints}) == len(SIGNS) == 13
    assert all(one.getextrema() == (0, 255) for one in prints)


@pytest.mark.parametrize("pen", list(Hand))
def test_marks_differ_and_no_hand_writes_twice_the_same(pen: Hand) -> None:
    sheet_of_marks = marks(40, pen)
    found = [
        sheet_of_marks.crop((number * 40, 0, number * 40 + 40, 40)).tobytes()
        for number in range(len(MARKS) * VARIANTS)
    ]
    assert len(set(found)) == len(found)
