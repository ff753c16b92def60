"""CORTO's pictures: what they tell, what they keep to themselves, what is painted anew."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from engines.core.contract import Fact
from engines.core.match import Match
from engines.core.registry import game
from engines.core.setups import complete
from engines.core.texts import load
from engines.corto import events as facts
from engines.corto.view import CARDS, COLUMNS, Kind, Mark, View
from renderers.core.captions import Captions
from renderers.core.contract import ALT_LIMIT, Table
from renderers.core.encode import colours_of, encode
from renderers.core.registry import renderer
from renderers.core.theme import rgb
from renderers.corto.board import loot
from renderers.corto.closeup import two_lines
from renderers.corto.layout import (
    CORNER,
    WIDTH,
    board_rows,
    left_of,
    middle_of,
    place,
    small_rows,
    square_of,
)
from renderers.corto.markers import spots
from renderers.corto.narration import BANG, CRACK, RATTLE, last_steps, prints, steps
from renderers.corto.page import BANDS
from renderers.corto.palette import COLOURS, learnt, palette
from renderers.corto.previews import small_strip
from renderers.corto.scoring import lines
from renderers.corto.strip_model import Chip, strip_models
from renderers.corto.strips import public_strip
from renderers.corto.theme import THEMES
from tests.kit.reading import without_isolates
from tests.kit.samples import MORE, some
from tests.renderers.looks import LOOKS, TABLE, look, named
from tests.renderers.looks import corto as corto_looks
from tests.renderers.looks.base import start

PAINTER: Any = renderer("corto")
THEME = THEMES.choose("default")
CAPTIONS = Captions(load("renderers.corto"), TABLE)


def _public(match: Any) -> View:
    view: View = match.view(None)
    return view


# --- which pictures there are ---------------------------------------------------------------------


def test_a_seat_sees_its_hand_first_and_may_look_at_the_page() -> None:
    match = corto_looks.page()
    assert [key for key, _ in PAINTER.pictures(match.view(None))] == [
        "board",
        "groups",
        "strip.A",
        "strip.C",
        "strip.D",
        "strip.E",
    ]
    assert [key for key, _ in PAINTER.pictures(match.view(1))][:2] == ["board", "page"]


def test_the_count_comes_first_when_the_match_is_over_and_no_hand_is_there() -> None:
    view = corto_looks.ended().view(0)
    keys = [key for key, _ in PAINTER.pictures(view)]
    assert keys[:3] == ["scoring", "board", "groups"]
    assert "page" not in keys
    assert PAINTER.paint(view, "board", TABLE).alt.startswith("CORTO board. ")


def test_who_has_left_sees_the_public_page() -> None:
    match = corto_looks.left()
    assert "page" not in dict(PAINTER.pictures(match.view(1)))
    told = without_isolates(PAINTER.paint(match.view(None), "board", TABLE).alt)
    assert "Old Tiepolo (blue) has left the match." in told


# --- how pictures fit -----------------------------------------------------------------------------


def _look_names() -> list[str]:
    return [name for name in LOOKS if name.startswith("corto_")]


@pytest.mark.parametrize("name", some(_look_names()))
def test_every_picture_fits_what_a_client_shows_largest(name: str) -> None:
    picture = named(name).paint()
    assert 1 <= picture.width / picture.height <= 1.3


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pages_of_every_table_fit(seats: int) -> None:
    match = start("corto", seats)
    for viewer in (None, 0):
        picture = PAINTER.paint(match.view(viewer), "board", TABLE)
        assert 1 <= picture.width / picture.height <= 1.3


@pytest.mark.parametrize(
    ("one", "other"), [("corto_board", "corto_left"), ("corto_private", "corto_targets")]
)
def test_the_corner_of_the_clients_mark_shows_the_title_alone(one: str, other: str) -> None:
    corners = []
    for name in (one, other):
        image = named(name).image().convert("RGB")
        wide, high = CORNER
        corners.append(image.crop((0, image.height - high, wide, image.height)).tobytes())
    assert corners[0] == corners[1]


# --- what pictures tell ---------------------------------------------------------------------------


def test_the_public_page_says_who_is_asked_then_what_was_done() -> None:
    alt = named("corto_board").told()
    assert alt.startswith(
        "CORTO board. Beatrice can draw up to 2 cards. Last steps: Mutineer c3 · finds a crow"
    )
    for part in (
        "c2 −1 blue · Hand grenade · Ivory dealer killed on d3",
        "Noor (yellow): markers in stock 1, gold now 16, cards in hand 4.",
        "c4 Flying ace (red 1 and green 2)",
        "Corto on a2.",
    ):
        assert part in alt


def test_a_hand_is_told_to_its_seat_alone() -> None:
    match = corto_looks.page()
    own = PAINTER.paint(match.view(0), "board", TABLE).alt
    assert "Your hand: A08 Mutineer, C15 Hand grenade, E17 Pickpocket and A17 Corto." in own
    for viewer in (None, 1, 2, 3):
        view = match.view(viewer)
        told = PAINTER.text(view, TABLE) + "".join(
            PAINTER.paint(view, key, TABLE).alt for key, _ in PAINTER.pictures(view)
        )
        assert "Mutineer" not in told
        assert "Hand grenade" not in told


def test_faces_of_other_hands_change_no_pixel() -> None:
    one, other = dict(corto_looks.PAGE), dict(corto_looks.PAGE)
    one["hands"], other["hands"] = {"blue": ["A10", "C14"]}, {"blue": ["A11", "C13"]}
    for viewer in (None, 0, 2):
        views = [corto_looks.at(value).view(viewer) for value in (one, other)]
        for key, _ in PAINTER.pictures(views[0]):
            if viewer != 0 or key != "board":
                assert PAINTER.paint(views[0], key, TABLE).data == PAINTER.paint(views[1], key, TABLE).data
    hands = [PAINTER.paint(corto_looks.at(value).view(1), "board", TABLE).data for value in (one, other)]
    assert hands[0] != hands[1]


def test_legal_squares_are_told_and_drawn() -> None:
    picture = named("corto_private").paint()
    assert "You can choose: a4, a6, c3 and c6." in picture.alt
    without = named("corto_private")
    bare = replace(without, view=replace(without.view, marks=()))
    assert bare.paint().data != picture.data


@pytest.mark.parametrize(
    "kind", ["place", "go", "add", "hit", "kill", "train", "sail", "from", "to", "swap", "start"]
)
def test_every_kind_of_mark_is_drawn(kind: str) -> None:
    one = look(corto_looks.page(), 0)
    square = "a4" if kind == "place" else "e6"
    marked = replace(one, view=replace(one.view, marks=(Mark(square, kind),)))
    asking = replace(one, view=replace(one.view, marks=(Mark("a7", "sail"),)))
    assert marked.paint().data != asking.paint().data
    assert f"You can choose: {square}." in marked.told()


def test_a_step_that_reveals_is_announced() -> None:
    assert "After you confirm, you can’t take back this turn’s steps." in named("corto_final").told()
    assert "final" not in named("corto_private").told()


def test_a_card_in_play_stays_beside_the_hand() -> None:
    one = named("corto_targets")
    held = [held.card for held in one.view.players[0].hand]
    assert "A08" not in held
    other = replace(one, view=replace(one.view, chosen="A09"))
    assert other.paint().data != one.paint().data


def test_the_close_up_tells_its_strip_alone_and_its_quest() -> None:
    alt = named("corto_siberia").told()
    assert alt.startswith("Close-up: In Siberia. E: e1 Warlord (yellow 1)")
    assert "train at column 6, carriages left: 7" in alt
    assert "Mutineer" not in alt


def test_the_count_tells_every_line_and_they_add_up() -> None:
    view = _public(corto_looks.ended())
    for gold in view.gold:
        found = lines(CAPTIONS, view)
        assert sum(line.gold[gold.seat] for line in found) == gold.total
    alt = named("corto_scoring").told()
    assert alt.startswith(
        "The treasure count. Noor wins with 16 gold: two strips are full. Noor (yellow): 16 gold ("
    )


def test_the_overlay_tells_who_controls_what() -> None:
    assert "Beatrice (red) controls a1, a3, c3 and e6." in named("corto_groups").told()


def test_descriptions_and_texts_keep_their_limits_on_a_full_page() -> None:
    match = corto_looks.ended()
    for viewer in (None, 0):
        view = match.view(viewer)
        assert len(PAINTER.text(view, TABLE)) <= 1800
        for key, _ in PAINTER.pictures(view):
            assert 0 < len(PAINTER.paint(view, key, TABLE).alt) <= ALT_LIMIT


def test_the_text_shows_every_strip() -> None:
    text = PAINTER.text(_public(corto_looks.page()), TABLE)
    assert text.splitlines()[0].split() == ["A11", "wr2b1", "mb2C", "br1", ".", "wg1", ".", "."]
    assert "m*r1g2" in text


def test_every_name_that_a_fact_needs_is_in_the_catalogue() -> None:
    view = _public(corto_looks.page())
    told: list[Fact] = [
        facts.started(0, "a1"),
        facts.drew(0, "A", None),
        facts.played(0, "A08", "c3"),
        facts.added(0, "c4", "a1"),
        facts.removed(0, "c2", 1, None),
        facts.killed(0, "d3", "D05", "C15"),
        facts.spared(0, "c2", 1, "C18"),
        facts.used(0, "C15", "c3"),
        facts.travelled(0, "A17", "corto", None, "a2", "a0"),
        facts.earned(0, 1, "a2"),
        facts.advantage(0, "E17", kept=False),
        facts.swapped(0, "a1", "a2"),
        facts.moved(0, "a1", "a2"),
        facts.bribed(0, "a2", 1),
        facts.picked(0, 1, "A", None),
        facts.discarded(0, ("A08", "C15")),
        facts.passed(0, forced=True),
        facts.sailed(0, "A", 4, 5),
        facts.aces_taken(0, "B", None),
        facts.tile_taken(0, "c3", "ingot"),
        facts.tile_taken(0, "c3", "crow"),
        facts.leopard_taken(0, "D", 3),
        facts.carriage_taken(0, "e6", 2, 6),
        facts.carriage_taken(0, "e6", 0, 6),
        facts.train_left("E"),
        facts.withdrawn(0),
    ]
    found = steps(CAPTIONS, view, told)
    assert len(found) == len(told)
    assert not any("{" in text for text in found)
    assert steps(CAPTIONS, view, [facts.turn_begins(0), facts.discarded(0, ())]) == []


# --- prints of the last steps ---------------------------------------------------------------------


def test_prints_of_a_turn() -> None:
    found = prints(_public(corto_looks.revealed()))
    assert found.fresh == "c3"
    assert found.sound == (BANG, "d3")
    assert set(found.deltas) == {("c3", 0, 1), ("c2", 1, -1)}


def test_a_turn_that_has_only_begun_leaves_the_one_before_on_the_page() -> None:
    match = corto_looks.said(corto_looks.revealed(), "enough")
    view = _public(match)
    assert view.turn is not None
    assert view.turn.seat == 1
    assert prints(view).fresh == "c3"
    assert any(fact.kind == "killed" for fact in last_steps(view))


def test_what_one_hears() -> None:
    view = _public(corto_looks.page())
    hit, far = facts.removed(0, "c2", 1, "A08"), facts.removed(0, "c2", 1, "A07")
    for told, sound in (
        ((hit,), CRACK),
        ((far,), RATTLE),
        ((hit, hit), RATTLE),
        ((hit, facts.killed(0, "d3", "D05", "A08"), hit), BANG),
    ):
        found = prints(replace(view, recap=told)).sound
        assert found is not None
        assert found[0] == sound
    assert prints(replace(view, recap=(facts.bribed(0, "c2", 1),))).sound is None


def test_a_marker_that_moves_is_told_at_both_ends_and_one_that_returns_at_none() -> None:
    view = _public(corto_looks.page())
    moved = prints(replace(view, recap=(facts.moved(0, "a1", "a3"),))).deltas
    assert set(moved) == {("a1", 0, -1), ("a3", 0, 1)}
    both = (facts.added(0, "a1", None), facts.removed(1, "a1", 0, None))
    assert prints(replace(view, recap=both)).deltas == ()


def test_the_star_follows_a_character_that_was_exchanged() -> None:
    view = _public(corto_looks.revealed())
    board = tuple(replace(one, square="a6") if one.square == "c3" else one for one in view.board)
    assert prints(replace(view, board=board)).fresh == "a6"


# --- what strips show -----------------------------------------------------------------------------


def test_who_controls_comes_first_and_a_tie_has_none() -> None:
    found = {
        cell.card: cell.chips
        for one in strip_models(_public(corto_looks.page()), CAPTIONS)
        for cell in one.cells
    }
    assert found["A01"] == (Chip("red", 2, control=True), Chip("blue", 1, control=False))
    assert not any(chip.control for chip in found["D01"])
    assert found["D05"] == ()


def test_markers_of_four_do_not_cover_each_other() -> None:
    for control in (True, False):
        chips = tuple(Chip(colour, 1, control and not n) for n, colour in enumerate(corto_looks.COLOURS))
        for rows in (board_rows(3), board_rows(4), small_rows(3), small_rows(4)):
            found = spots(chips, rows)
            assert len(set(found)) == 4
            least = min(abs(x - u) + abs(y - v) for n, (x, y) in enumerate(found) for u, v in found[n + 1 :])
            assert least >= 30


def test_pieces_that_are_held_lie_in_their_holders_box() -> None:
    view = _public(corto_looks.page())
    assert {item.kind: item.number for item in loot(view, 2)} == {
        "seal": 2,
        "coin": 1,
        "ingot": 2,
        "leopard": 1,
    }
    on_board = [piece for one in strip_models(view, CAPTIONS) for piece in one.pieces]
    assert all(piece.holder is None for piece in on_board)


def test_another_deed_paints_three_columns_of_one_strip_anew() -> None:
    view = _public(corto_looks.page())
    BANDS.clear()
    _strips(view)
    known = len(BANDS)
    assert known == 4 * (COLUMNS + 1)
    board = tuple(replace(one, markers=(3, 1, 0, 0)) if one.square == "a1" else one for one in view.board)
    _strips(replace(view, board=board))
    assert len(BANDS) == known + 3


def _strips(view: View) -> list[bytes]:
    models, rows = strip_models(view, CAPTIONS), board_rows(len(view.strips))
    found = [public_strip(THEME, one, rows, "discard") for one in models]
    found += [
        small_strip(THEME, one, small_rows(len(view.strips))) for one in models if view.viewer is not None
    ]
    return [image.tobytes() for image in found]


@pytest.mark.parametrize("seats", some([2, 4]))
def test_strips_of_known_columns_are_as_if_painted_at_once(seats: int) -> None:
    match = Match.start(game("corto"), complete(game("corto").manifest, seats), bytes(range(32)))
    views: list[View] = []
    while match.waiting:
        seat = min(match.waiting)
        views += [match.view(None), match.view(seat)]
        match = match.act(seat, match.computer(seat))
    views = views[:: 1 if MORE > 1 else 4]
    BANDS.clear()
    laid = [_strips(view) for view in views]
    for view, known in zip(views, laid, strict=True):
        BANDS.clear()
        assert _strips(view) == known


def test_squares_and_columns() -> None:
    assert place("c3") == ("C", 3)
    assert square_of("C", 3) == "c3"
    assert middle_of(7) < WIDTH
    assert [left_of(column) for column in (1, 2)] == [160, 293]


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("The Leopard-Men", ("The", "Leopard-Men")),
        ("Ballad of the Salt Sea", ("Ballad of", "the Salt Sea")),
        ("Atlantis", ("Atlantis",)),
    ],
)
def test_titles_stand_in_two_lines(title: str, found: tuple[str, ...]) -> None:
    assert two_lines(title) == found


# --- colours and bytes ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", THEMES.names)
def test_the_palette_that_is_shipped_has_what_stands_alone(name: str) -> None:
    theme = THEMES.choose(name)
    flat = palette(theme).getpalette() or []
    known = {(flat[at], flat[at + 1], flat[at + 2]) for at in range(0, len(flat), 3)}
    assert len(flat) <= 3 * COLOURS
    assert {rgb(colour) for colour in colours_of(theme)} <= known
    assert palette(theme) is palette(theme)


@pytest.mark.nightly  # all that is learnt from is painted
def test_adventures_of_ones_own_get_a_palette_of_their_own() -> None:
    theme = replace(THEME, glow="#123456")
    assert rgb("#123456") in {rgb(colour) for colour in learnt(theme)}


def test_a_picture_in_slabs_is_the_same_picture() -> None:
    image = PAINTER.image(_order("board"))
    assert image.mode == "P"
    data = encode(image, palette(THEME))
    assert encode(image, palette(THEME)) == data
    with Image.open(io.BytesIO(data)) as shown:
        assert shown.convert("RGB").tobytes() == image.convert("RGB").tobytes()


def _order(key: str) -> Any:
    from renderers.core.painter import Order

    return Order(_public(corto_looks.page()), key, TABLE, (), None)


def test_every_card_that_a_hand_may_hold_is_painted() -> None:
    view = look(corto_looks.page(), 0).view
    kinds = {card.kind: card.id for card in CARDS.values()}
    assert set(kinds) == set(Kind)
    seen = set()
    for card in kinds.values():
        hand = tuple(replace(held, deck=card[0], card=card) for held in view.players[0].hand[:1])
        seen.add(PAINTER.paint(replace(view, hands=(hand, *view.hands[1:])), "board", TABLE).data)
    assert len(seen) == len(kinds)


@pytest.mark.parametrize("look_name", ["corto_board", "corto_groups", "corto_scoring"])
@pytest.mark.parametrize("name", ["", "m" * 500, "שלום לך", "🎭🎭🎭", "W" * 32, "\x00\x1b[31m\u202e"])
def test_any_name_is_painted_and_told(look_name: str, name: str) -> None:
    picture = named(look_name).paint(Table((name,) * 4))
    assert len(picture.data) <= 120 * 1024
    assert not any(ord(c) < 32 for c in picture.alt)


def test_a_film_of_two_moments() -> None:
    views = [corto_looks.page().view(None), corto_looks.revealed().view(None)]
    film = PAINTER.film(views, TABLE)
    assert film.media_type == "image/webp"
