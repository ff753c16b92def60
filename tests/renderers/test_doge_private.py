"""The private pictures of The Secret of the Doge: which there are, what they tell, what files they touch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from engines.core.rng import Rng
from engines.core.texts import load
from engines.doge import GAME
from engines.doge.view import (
    CARDS,
    CRAFTS,
    INSTITUTIONS,
    Card,
    Gift,
    GiftAhead,
    Mark,
    Pair,
    Phase,
    Source,
    Subject,
    View,
)
from renderers.core.caches import SCENES, SPRITES, for_everybody, keep_on_disk
from renderers.core.captions import Captions
from renderers.core.contract import ALT_LIMIT
from renderers.core.disk_cache import DiskCache
from renderers.doge import RENDERER as PAINTER
from renderers.doge.clue import clue, sentence
from renderers.doge.emblems import SIGNS, emblem
from renderers.doge.hand import hand
from renderers.doge.hand_model import Verb, gift_of, given, note
from renderers.doge.highlights import focus
from renderers.doge.private_text import clue_alt, hand_alt, sheet_alt
from renderers.doge.quill import MARKS, VARIANTS, Hand, marks
from renderers.doge.sheet import sheet
from tests.kit.reading import without_isolates
from tests.renderers.doge_views import (
    CAPTIONS,
    MARKED,
    NOWHERE,
    SEAT,
    THEME,
    changed,
    fresh,
    unaided,
    with_clues,
    with_section,
)
from tests.renderers.looks import TABLE, Look, named
from tests.renderers.looks.doge import doge

# --- which pictures there are ---------------------------------------------------------------------


def _keys(look: Look) -> list[str]:
    return [key for key, _ in PAINTER.pictures(look.view)]


def test_only_a_seat_has_private_pictures_and_a_clue_only_who_has_one() -> None:
    assert _keys(named("doge_board")) == ["board"]
    assert _keys(named("doge_found")) == ["board"]
    view = replace(fresh(), subject=Subject.BOARD)
    assert [key for key, _ in PAINTER.pictures(view)] == ["board", "sheet", "hand"]
    assert sorted(_keys(named("doge_sheet_full"))) == ["board", "clue", "hand", "sheet"]
    assert sorted(_keys(named("doge_sheet_end"))) == ["board", "clue", "hand", "sheet"], "after the end too"


@pytest.mark.parametrize("subject", list(Subject))
def test_what_tells_most_comes_first(subject: Subject) -> None:
    view = replace(with_clues(fresh(), (0, Source.MEETING, MARKED)), subject=subject)
    keys = [key for key, _ in PAINTER.pictures(view)]
    assert keys[0] == subject
    assert len({*keys}) == len(keys) == len(Subject)


@pytest.mark.parametrize("key", ["sheet", "hand", "clue"])
def test_a_picture_tells_nothing_that_its_viewer_does_not_know(key: str) -> None:
    match = doge(4, 80)
    seat = 3
    view = match.view(seat)
    states = (GAME.imagine(view, Rng(bytes(32)).child("twin", number)) for number in range(50))
    twin = next(state for state in states if GAME.record(state) != GAME.record(match.state))
    picture = PAINTER.paint(view, key, TABLE)
    assert PAINTER.paint(GAME.view(twin, seat), key, TABLE) == picture
    others = [PAINTER.paint(GAME.view(twin, other), key, TABLE) for other in (1, 2)]
    assert others != [PAINTER.paint(match.view(other), key, TABLE) for other in (1, 2)]


# --- the hand -------------------------------------------------------------------------------------


def _holding() -> tuple[View, Card, Card]:
    """Return a view, a true craft of its own, and a false institution."""
    view = fresh()
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
    alt = without_isolates(hand_alt(CAPTIONS, view, shown))
    assert f"{name} (false)" in alt
    assert f"{CAPTIONS.text(f'card.{true.value}')} (true)" in alt
    given_one = gift_of(view, ("give", false.value, "5"))
    assert "You give" in note(CAPTIONS, view, given_one)
    assert "square 5" in note(CAPTIONS, view, given_one)
    assert "Show a true card" in note(CAPTIONS, view, gift_of(view, ("show",)))
    back = replace(view, ahead=GiftAhead(Pair(false, true), 3))
    assert "You leave no gift" in note(CAPTIONS, back, gift_of(back, ("ahead", "-")))


@pytest.mark.parametrize(
    ("phase", "told"), [(Phase.SHOW, "Show a true card"), (Phase.GIVE, "Give a false card")]
)
def test_who_owes_cards_reads_which(phase: Phase, told: str) -> None:
    view = fresh()
    owing = replace(view, phase=phase, owes=SEAT, turn=0)
    assert told in note(CAPTIONS, owing, gift_of(owing, ()))
    other = replace(owing, owes=1)
    assert gift_of(other, ()) is None


def test_a_gift_left_in_advance_is_seen_until_a_draft_names_another() -> None:
    view, true, false = _holding()
    left = replace(view, ahead=GiftAhead(Pair(false, true), 9))
    assert gift_of(view, ()) is None
    waiting = gift_of(left, ())
    assert waiting is not None
    assert (waiting.left, waiting.cards, waiting.square) == (True, (false, true), 9)
    assert "Left in advance" in note(CAPTIONS, left, waiting)
    assert changed(hand(view, THEME, CAPTIONS, None), hand(left, THEME, CAPTIONS, waiting))
    other = gift_of(left, ("ahead", false.value, true.value, "1"))
    assert other is not None
    assert (other.left, other.square) == (False, 1)
    assert gift_of(left, ("roll",)) == waiting


def test_a_card_that_was_given_away_says_where_it_lies() -> None:
    view, _, false = _holding()
    lying = replace(
        view,
        gifts=(Gift(Source.MEETING, SEAT, 0, 7, 1),),
        piles=tuple((0,) if square == 7 else () for square in range(10)),
        faces=((0, false),),
    )
    gone = replace(lying, piles=((),) * 10)
    assert false not in lying.hand
    assert (given(lying), given(gone)) == ({false: 7}, {false: None})
    assert "(on square 7)" in hand_alt(CAPTIONS, lying, None)
    assert "discarded" in hand_alt(CAPTIONS, gone, None)
    empty, held = hand(lying, THEME, CAPTIONS, None), hand(view, THEME, CAPTIONS, None)
    place = CARDS.index(false)
    left, top, right, low = changed(empty.crop((0, 428, 1100, 1000)), held.crop((0, 428, 1100, 1000)))
    assert place % 5 * 213 < left < right < place % 5 * 213 + 250
    assert (place // 5) * 280 - 20 < top < low < (place // 5) * 280 + 270


def test_who_has_guessed_wrong_reads_the_treasure() -> None:
    view = replace(fresh(), treasure=Pair(Card.MARINA, Card.REMER))
    assert note(CAPTIONS, view, None) == "The treasure is Marina and Remer."


# --- the newest clue ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "cards", "parts"),
    [
        (Source.MEETING, MARKED, ("Two cards", "square 3", "Favro and Marina")),
        (Source.LOOK, MARKED[:1], ("looked at this card on square 3", "discarded", "(Green): Favro.")),
        (Source.GHOST, MARKED[1:], ("through the ghost", "square 3", "(Green): Marina.")),
    ],
)
def test_a_clue_says_what_was_seen_and_where_it_lies(
    source: Source, cards: tuple[Card, ...], parts: tuple[str, ...]
) -> None:
    view = with_clues(fresh(), (1, Source.LOOK, (Card.ASCIA,)), (3, source, cards))
    alt = without_isolates(clue_alt(CAPTIONS, view))
    assert alt.startswith("From Sunniva (Green): ")
    assert all(part in alt for part in parts), alt
    assert "16 treasures" in alt
    image = clue(view, THEME, CAPTIONS)
    assert image.size == (1100, 880)
    assert view.newest_clue is not None
    gone = replace(view, piles=((),) * 10)
    assert "discarded" in sentence(CAPTIONS, gone, view.newest_clue[1])


# --- alt texts ------------------------------------------------------------------------------------


def test_the_sheets_alt_text_says_what_is_needed_to_play() -> None:
    view = with_clues(fresh(), (0, Source.MEETING, MARKED), (3, Source.LOOK, (Card.ASCIA,)))
    sure = ((Card.FAVRO, Mark.TRUE), (Card.CORDER, Mark.FALSE))
    view = with_section(view, 0, sure=sure, pencil=((Card.REMER, Mark.MAYBE),))
    assert view.sheet is not None
    assert view.sheet.treasures is not None
    treasures = view.sheet.treasures[:2]
    view = replace(view, sheet=replace(view.sheet, treasures=treasures))
    alt = without_isolates(sheet_alt(CAPTIONS, view, focus(("mark", "blue", "remer"))))
    for part in (
        "Clue sheet: Noor (Red) is ",
        "2 treasures are possible. ",
        "You’re writing about Beatrice (Blue) and Remer.",
        "True for Beatrice (Blue): Favro.",
        "False for Beatrice (Blue): Corder.",
        "Pencilled in for Blue as possible: Remer.",
        "Clues about Blue: Favro and Marina (one is true).",
        "Clues about Green: not Maestro d’ascia (from a pile).",
    ):
        assert part in alt, alt
    for pair in treasures:
        assert CAPTIONS.text(f"card.{pair.craft.value}") in alt


def test_alt_texts_are_short_enough_whatever_the_names() -> None:
    table = replace(TABLE, names=("W" * 32,) * 4)
    captions = Captions(load("renderers.doge"), table)
    clues = [(seat, Source.MEETING, MARKED) for seat in (0, 1, 3)] * 8
    view = with_clues(fresh(), *clues)
    assert "16 treasures are possible" in sheet_alt(captions, view, NOWHERE)
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
    # As if all were to see it: what one viewer sees asks for nothing.
    with for_everybody():
        yield names
    keep_on_disk(None)
    _forget()


def _forget() -> None:
    SPRITES.clear()
    SCENES.clear()


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
    view = with_clues(view, (0, Source.MEETING, MARKED))
    touched = _touched(asked, view)
    assert touched
    other = replace(view, own=Pair(false, next(card for card in CRAFTS if card is not true)))
    assert _touched(asked, other) == touched, "an identity"
    assert _touched(asked, view, ("show", false.value, true.value, "7")) == touched, "a draft"
    assert _touched(asked, view, ("guess", "marina", "remer")) == touched, "a guess that is thought of"
    assert _touched(asked, view, ("mark", "blue", "remer")) == touched, "a mark that is thought of"
    assert _touched(asked, unaided(view)) == touched, "what a sheet shows"
    shown = with_clues(_holding()[0], (0, Source.MEETING, (Card.REMER, Card.COMUNE)))
    assert _touched(asked, shown) == touched, "the cards of a clue"
    deduced = with_section(view, 1, sure=tuple((card, Mark.TRUE) for card in MARKED))
    assert _touched(asked, deduced) == touched, "what follows"
    noted = with_section(view, 1, pencil=((Card.REMER, Mark.MAYBE), (Card.MARINA, Mark.TRUE)))
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
