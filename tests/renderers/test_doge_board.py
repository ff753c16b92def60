"""The board of The Secret of the Doge: what is marked on it, told about it, and kept to oneself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from engines.core.texts import load
from engines.doge.view import LOCATIONS, Card, Pair, Phase, Source, View, Way
from renderers.core.caches import SCENES, SPRITES, for_everybody, keep_on_disk
from renderers.core.captions import TEXT_LIMIT, Captions
from renderers.core.contract import ALT_LIMIT, Table
from renderers.core.disk_cache import DiskCache
from renderers.core.registry import renderer
from renderers.core.type import serif
from renderers.doge.alt_text import alt, plain
from renderers.doge.board import board
from renderers.doge.highlights import Highlights, awaits, highlights
from renderers.doge.layout import (
    CARTOUCHE,
    COMPASS,
    EDGE,
    HEIGHT,
    ROAD,
    SPOTS,
    STANDS,
    STRIP,
    WIDTH,
    feet,
    trail,
)
from renderers.doge.narration import actors, asked, headline, identity, subline
from renderers.doge.squares import key_spans, sign, words
from renderers.doge.targets import targets
from renderers.doge.theme import THEMES
from tests.renderers.looks import LOOKS, TABLE, Look, look, named
from tests.renderers.looks.doge import WRONG, doge

THEME = THEMES.choose("default")
CAPTIONS = Captions(load("renderers.doge"), TABLE)
OTHERS = ("doge_sheet", "doge_hand", "doge_clue")
"""How the names of looks begin that are no boards: to collect the tests, no match is played."""

BOARDS = tuple(name for name in LOOKS if name.startswith("doge_") and not name.startswith(OTHERS))
ALT_MARK = (EDGE, STRIP + 6, 118, HEIGHT - EDGE)
"""Where a chat lays its mark over the picture: 38 × 30 of 350 pixels, from the lower left corner."""


def _painted(one: Look, table: Table = TABLE) -> Image.Image:
    marks = highlights(one.view, one.draft, one.menu)
    return board(one.view, THEME, Captions(CAPTIONS.catalogue, table), marks)


def _changed(first: Image.Image, second: Image.Image) -> tuple[int, int, int, int]:
    box = ImageChops.difference(first, second).getbbox()
    assert box is not None, "nothing has changed"
    return box


def _inside(box: tuple[int, int, int, int], outer: tuple[float, float, float, float]) -> bool:
    return box[0] >= outer[0] and box[1] >= outer[1] and box[2] <= outer[2] and box[3] <= outer[3]


# --- what is marked -------------------------------------------------------------------------------


def test_both_landings_are_framed_with_what_awaits_there() -> None:
    view = named("doge_board").view
    assert targets(view, highlights(view, (), None)) == {
        9: (Way.CLOCKWISE, Source.MEETING, Source.LOOK),
        3: (Way.COUNTER_CLOCKWISE, Source.LOOK),
    }


def test_what_awaits_depends_on_pawns_piles_and_cards_left() -> None:
    view = doge(4, 75).view(None)
    assert awaits(view, 1) == (Source.LOOK,)
    assert awaits(view, 2) == (Source.GHOST,)
    assert awaits(view, 6) == (Source.MEETING,), "its own pawn does not count"
    gifts = tuple(replace(gift, giver=1) for gift in view.gifts[:1]) * 8
    gone = replace(view, gifts=gifts)
    assert gone.false_cards(1) == 0
    assert awaits(gone, 6) == (), "neither a meeting nor an empty location"


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        (("guess", "marina", "corder"), Highlights(named=((Card.MARINA, Card.CORDER),))),
        (("guess",), Highlights()),
        (("show", "sovrintendenza", "impiraressa", "9"), Highlights(chosen=9, gift=Card.IMPIRARESSA)),
        (("ahead", "marina", "ascia", "3"), Highlights(chosen=3, gift=Card.MARINA)),
        (("show", "sovrintendenza"), Highlights()),
    ],
)
def test_a_draft_says_what_it_names(draft: tuple[str, ...], expected: Highlights) -> None:
    assert highlights(doge(4, 77).view(2), draft, None) == expected


def test_half_a_guess_names_all_its_slots_in_play() -> None:
    view = doge(3, 25).view(2)
    slots = highlights(view, ("guess", "marina"), None).named
    assert slots == tuple((Card.MARINA, craft) for craft in view.crafts)
    assert len(slots) == 4


def test_a_chosen_way_is_a_chosen_landing() -> None:
    marks = highlights(doge(4, 69).view(1), ("ccw",), None)
    assert marks.chosen == 4
    assert dict(marks.landings) == {Way.CLOCKWISE: 6, Way.COUNTER_CLOCKWISE: 4}


def test_free_squares_are_those_of_the_menu() -> None:
    one = look(doge(4, 2), 2)
    marks = highlights(one.view, one.draft, one.menu)
    assert marks.targets == (0, 2, 3, 4, 5, 6, 7, 9)
    assert set(targets(one.view, marks).values()) == {(Phase.PLACE,)}


def test_a_choice_is_seen_where_it_is() -> None:
    one = look(doge(4, 2), 2, "place", "7")
    other = look(doge(4, 2), 2, "place", "3")
    left, _, right, _ = _changed(_painted(one), _painted(other))
    assert left < 60
    assert right > WIDTH - 60
    assert _inside(_changed(_painted(one), _painted(look(doge(4, 2), 2))), (36, 480, 330, 700))


def test_who_has_guessed_wrong_sees_the_treasure_and_nobody_else_does() -> None:
    match = doge(4, 75, WRONG)
    shown = _painted(Look("doge", match.view(0)))
    unknown = replace(match.view(0), treasure=None)
    x, y = 618, 199
    assert _inside(_changed(shown, _painted(Look("doge", unknown))), (x - 55, y - 55, x + 55, y + 55))
    assert match.view(1).treasure is None


def test_faces_that_the_viewer_knows_lie_open() -> None:
    view = doge(4, 75).view(3)
    hidden = _painted(Look("doge", replace(view, faces=())))
    assert _inside(_changed(_painted(Look("doge", view)), hidden), (36, 40, WIDTH - 36, 620))


# --- where it is ----------------------------------------------------------------------------------


def test_the_boards_are_all_that_there_are() -> None:
    assert list(BOARDS) == [name for name in LOOKS if name.startswith("doge_") and named(name).key == "board"]


@pytest.mark.parametrize("name", BOARDS)
def test_the_lower_left_corner_tells_nothing(name: str) -> None:
    corner = _painted(named(name)).crop(ALT_MARK)
    assert ImageChops.difference(corner, _painted(named("doge_two")).crop(ALT_MARK)).getbbox() is None
    assert ALT_MARK[0] < COMPASS[0] < ALT_MARK[2]


def test_pawns_and_the_ghost_stand_beside_each_other() -> None:
    for square in SPOTS:
        for haunted in (False, True):
            points = feet(square, 4, haunted=haunted)
            assert all(right[0] - left[0] >= 60 for left, right in pairwise(points))
            assert all(EDGE + 24 < x < WIDTH - EDGE - 24 for x, _ in points)


def test_the_road_leads_round_the_ring() -> None:
    assert sorted(ROAD) == sorted(SPOTS)
    for square in SPOTS:
        following = (square + 1) % 10
        assert math.dist(ROAD[square][-1], ROAD[following][0]) < 1


@pytest.mark.parametrize("squares", [(0, 1), (9, 0, 1), (1, 0, 9, 8), (3, 4, 5, 6, 7), (5, 4)])
def test_a_trail_runs_from_stand_to_stand_in_even_steps(squares: tuple[int, ...]) -> None:
    points = list(trail(squares, 20))
    steps = [math.dist(here, there) for here, there in pairwise(points)]
    assert all(step <= 20.01 for step in steps)
    assert sum(step > 19.9 for step in steps) > len(steps) / 2, "shorter ones cut corners only"
    assert math.dist(points[0], STANDS[squares[0]]) <= 20.01
    assert math.dist(points[-1], STANDS[squares[-1]]) <= 30.01


def test_signs_and_the_key_have_room() -> None:
    texts = words(CAPTIONS)
    boxes = [sign(texts, square) for square in SPOTS]
    for number, (left, top, right, low) in enumerate(boxes):
        assert EDGE < left < right < WIDTH - EDGE
        for other in boxes[:number]:
            apart = other[2] <= left + 2 or right - 2 <= other[0] or other[3] <= top or low <= other[1]
            assert apart, "two signs cover each other"
    spans = list(key_spans(texts).values())
    assert all(after[0] - before[1] > 36 for before, after in pairwise(spans))
    assert spans[-1][1] < WIDTH - EDGE


LONG = "Bartholomea of the Thousand Lagoons"


@pytest.mark.parametrize("name", ["doge_board", "doge_showing", "doge_found", "doge_haunting"])
def test_long_names_stay_in_the_cartouche_and_on_the_strip(name: str) -> None:
    plain_names, long = Table(("A", "B", "C", "D")), Table((LONG,) * 4)
    before, after = _painted(named(name), plain_names), _painted(named(name), long)
    left, top, right, low = CARTOUCHE
    for picture in (before, after):
        picture.paste("#000000", (left, top, right, low + 4))  # a pawn's shadow falls on the lower roll
    assert _changed(before, after)[1] > STRIP


def test_a_name_that_was_cut_leaves_its_sentence_whole() -> None:
    view = named("doge_showing").view
    told = subline(CAPTIONS, view, Highlights(), lambda seat: CAPTIONS.painted_name(seat, serif(30), 60))
    assert told.endswith("picks two cards")


# --- what is told ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_descriptions_keep_their_limits(name: str) -> None:
    one = named(name)
    longest = Captions(CAPTIONS.catalogue, Table((LONG[:32],) * 4))
    told = alt(longest, one.view, highlights(one.view, one.draft, one.menu))
    assert 0 < len(told) <= ALT_LIMIT
    assert "{" not in told
    assert "None" not in told
    text = plain(longest, one.view)
    assert len(text) <= TEXT_LIMIT
    assert all(f"\n{square} " in f"\n{text}" for square in SPOTS)


def test_the_alt_text_says_what_a_player_must_know() -> None:
    told = named("doge_private").told()
    for part in (
        "Sunniva (Green) moves 3 steps, to square 9 or 3.",
        "Clockwise to square 9: a meeting, or a pile to look at.",
        "Counter-clockwise to square 3: a pile to look at.",
        "Beatrice (Blue) is out after a wrong guess.",
        "Sunniva (Green) is on square 6, Sovrintendenza, with 7 cards in hand. Identity: Comune · Remer.",
        "The ghost is on square 6, Sovrintendenza, with 2 cards left in its deck.",
        "Blue guessed Marina · Favro, but that was wrong.",
        "Last move: Red from 3 to 9, counter-clockwise.",
        "Discarded cards, by owner: B, G and Y.",
        "3 R Favro R, ",
    ):
        assert part in told
    public = named("doge_board").told()
    assert "Identity" not in public
    assert "3 R R, " in public


def test_the_end_is_told_whole() -> None:
    found = named("doge_found").told()
    assert found.startswith("Old Tiepolo (Yellow) found the treasure: Marina · Corder. Everyone has won.")
    assert "Identity: Venice in Peril · Favro." in found
    lost = named("doge_lost").told()
    assert "Everyone has lost: the ghost was summoned with its deck empty." in lost


def test_the_plain_text_is_a_line_for_each_square() -> None:
    text = renderer("doge").text(named("doge_board").view, TABLE)
    lines = text.split("\n")
    assert lines[6] == "6 Sovrintendenza, pawns Y G, the ghost"
    assert lines[3] == "3 square 3, pile from the top: R R"


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.OVER])
def test_every_phase_has_its_headline(phase: Phase) -> None:
    view = doge(4, 75).view(None)
    owes = 1 if phase in (Phase.SHOW, Phase.GIVE) else None
    shown = replace(view, phase=phase, owes=owes)
    texts = [tell(CAPTIONS, shown, Highlights(), TABLE.name) for tell in (headline, subline)]
    assert all(texts)
    assert asked(shown) == (() if phase is Phase.PLACE else (3,) if owes is None else (1,))
    assert len(actors(shown, Highlights())) == (2 if owes is not None else len(asked(shown)))


def test_an_identity_is_the_viewers_own_until_the_end() -> None:
    match = doge(4, 75)
    assert [identity(match.view(2), seat) for seat in range(4)] == [None, None, match.view(2).own, None]
    assert identity(match.view(None), 2) is None
    end = named("doge_found").view
    assert identity(end, 2) == Pair(Card.SOVRINTENDENZA, Card.ASCIA)


# --- files that are made --------------------------------------------------------------------------


@pytest.fixture
def touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Look], set[str]]]:
    """Return a function that paints a look and returns what it asks of the disk cache."""
    names: set[str] = set()
    made: dict[str, Image.Image] = {}

    def get(self: DiskCache, package: str, name: str, make: Callable[[], Image.Image]) -> Image.Image:
        names.add(name)
        if name not in made:
            made[name] = make()
        return made[name]

    def paint(one: Look) -> set[str]:
        names.clear()
        SPRITES.clear()
        SCENES.clear()
        # As if all were to see it: what one viewer sees asks for nothing.
        with for_everybody():
            _painted(one)
        return set(names)

    monkeypatch.setattr(DiskCache, "get", get)
    keep_on_disk(tmp_path / "cache")
    yield paint
    keep_on_disk(None)
    SPRITES.clear()
    SCENES.clear()


def test_no_file_tells_what_one_seat_thinks_or_knows(touched: Callable[[Look], set[str]]) -> None:
    match = doge(4, 77)
    view: View = match.view(2)
    # What the first picture makes is made of other things.
    touched(Look("doge", view))
    without = touched(Look("doge", view))
    assert without
    for draft in (
        ("guess", "marina", "corder"),
        ("guess", "marina"),
        ("show", "sovrintendenza", "impiraressa", "9"),
        ("show", "sovrintendenza", "impiraressa", "1"),
    ):
        assert touched(look(match, 2, *draft)) == without, draft
    assert touched(Look("doge", replace(view, faces=()))) == without, "faces"
    assert view.own is not None
    other = replace(view, own=Pair(Card.COMUNE, Card.FAVRO))
    assert touched(Look("doge", other)) == without, "an identity"
    placing = doge(4, 0)
    touched(Look("doge", placing.view(2)))
    assert touched(look(placing, 2, "place", "4")) == touched(Look("doge", placing.view(2))), "a square"
    knows = doge(4, 75, WRONG).view(0)
    unknown = replace(knows, treasure=None)
    assert touched(Look("doge", knows)) == touched(Look("doge", unknown)), "the treasure"


def test_locations_are_where_the_engine_has_them() -> None:
    assert {square for square in SPOTS if square in LOCATIONS} == set(LOCATIONS)
