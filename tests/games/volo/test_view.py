"""Views, geometry, and what is told of a match."""

from __future__ import annotations

import json
import pickle

import pytest

from engines.core.contract import Fact, fact
from engines.volo import GAME
from engines.volo.view import DIRECTIONS, geometry
from tests.games.volo import positions, reference
from tests.games.volo.support import RNG, at, events, played, said


@pytest.mark.parametrize("key", ["standard", "small"])
def test_geometry_is_that_of_the_page(key: str) -> None:
    sky, plain = geometry(key), positions.start(key).board
    assert {sky.axial[name] for name in sky.points} == plain.points
    assert all(plain.name(at) == name for name, at in sky.axial.items())
    assert len(sky.absent) == 7
    assert sky.absent[{"standard": "g7", "small": "f6"}[key]] == (0, 0)
    for name, (q, r) in sky.axial.items():
        near = [(q + dq, r + dr) for dq, dr in reference.STEPS.values()]
        assert [sky.axial[other] for other in sky.neighbours[name]] == [p for p in near if p in plain.points]
    assert tuple(reference.STEPS) == DIRECTIONS


def test_absent_places_have_the_names_of_the_page() -> None:
    assert set(geometry("standard").absent) == {"a1", "a7", "g1", "g7", "g13", "m1", "m7"}
    assert set(geometry("small").absent) == {"a1", "a6", "f1", "f6", "f11", "k1", "k6"}


def test_units_and_flights_by_name() -> None:
    sky = geometry("standard")
    assert sky.unit("d1:d4") == ("d1", "d2", "d3", "d4")
    assert sky.unit("e2") == ("e2",)
    assert sky.flight("d1:d4", "NE2") == (("e2", "e3", "e4", "e5"), ("f3", "f4", "f5", "f6"))
    with pytest.raises(KeyError):
        sky.unit("d4:d1")
    with pytest.raises(KeyError):
        sky.flight("a2", "SW1")


def test_a_flight_through_the_centre_leaves_the_board() -> None:
    with pytest.raises(KeyError):
        geometry("standard").flight("g6", "E2")


def test_all_see_the_same() -> None:
    state = at("d4 d5 d6 d9 l7 k2", "h2 k9")
    described = [{**GAME.describe(GAME.view(state, viewer)), "viewer": None} for viewer in (0, 1, None)]
    assert described[0] == described[1] == described[2]
    assert json.loads(json.dumps(described[0]))["position"] == GAME.position_text(state)


def test_flocks_are_told_lowest_first() -> None:
    view = GAME.view(at("d4 d5 e5 b2 m4", "h2 k9"), None)
    assert view.flocks[0] == (("b2",), ("d4", "d5", "e5"), ("m4",))


def test_a_state_is_imagined_from_its_view() -> None:
    state = played(at("d2 d6 l7", "h2 k9"), "d2-E3", "b5")
    for viewer in (0, 1, None):
        again = GAME.imagine(GAME.view(state, viewer), RNG)
        assert again == state
        assert GAME.record(again) == GAME.record(state)
        assert GAME.view(again, viewer) == GAME.view(state, viewer)


def test_states_and_views_travel() -> None:
    state = played(at("d2 d6 l7", "h2 k9"), "d2-E3", "b5")
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.board is state.board
    view = GAME.view(state, None)
    assert pickle.loads(pickle.dumps(view)) == view


def test_the_path_of_a_row_is_told_once_and_in_order() -> None:
    after = played(at("d1 d2 d6 l7", "h2 k9"), "d1:d2-E3")
    assert after.last is not None
    assert after.last.path == ("d3",)
    across = played(at("d1 d2 g6 l7", "h2 k9"), "d1:d2-NE3").last
    assert across is not None
    assert across.path == ("e2", "e3", "f3", "f4")
    assert (across.landings, across.steps, across.direction) == (("g4", "g5"), 3, "NE")


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (fact("began", seat=0), "The sky is open. Orange goes first."),
        (fact("added", seat=0, point="c4"), "Orange adds a bird on c4."),
        (
            fact("flew", seat=1, unit="d1:d4", direction="NE", steps=2, birds=4, flock=7),
            "Blue flies 2 steps north-east from d1–d4, making a flock of 7.",
        ),
        (
            fact("flew", seat=1, unit="d1", direction="W", steps=1, birds=1, flock=2),
            "Blue flies 1 step west from d1, making a flock of 2.",
        ),
        (fact("kept", seat=0, region="b3"), "Orange keeps the region with b3."),
        (fact("gone", seat=1, birds=2, points=("a2", "a3")), "Blue loses 2 birds: a2 and a3."),
        (fact("passed", seat=1), "Blue passes."),
        (fact("withdrew", seat=1), "Blue left the match."),
        (fact("won", seat=0, reason="united"), "Orange wins with all birds in one flock."),
        (fact("won", seat=0, reason="withdrawn"), "Blue left the match, so Orange wins."),
        (fact("drawn", reason="passes"), "It’s a draw after two passes in a row."),
    ],
)
def test_facts_are_told_in_words(told: Fact, text: str) -> None:
    assert said(GAME.narrate(told)) == text


def test_everybody_learns_of_everything() -> None:
    for event in events(at("d2 d6", "h2 k9"), "d2-E3"):
        assert event.audience.includes(None)
        assert event.audience.includes(1)
