"""Views: what each viewer knows, and nothing besides."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import fields

import pytest

from engines.volto import GAME
from engines.volto.board import Kind
from engines.volto.view import Phase
from tests.games.volto.support import MOON, RNG, START, SUN, arranged, at, go, mask, place

VIEWERS = (SUN, MOON, None)


def test_a_seat_sees_its_own_symbols_only() -> None:
    state = arranged("NALANCSNLA", "AAANNNLLCS")
    for viewer in VIEWERS:
        for seen in GAME.view(state, viewer).masks:
            assert (seen.kind is not None) is (seen.seat == viewer)
            assert not seen.revealed


def test_other_arrangements_of_the_rival_give_the_same_view() -> None:
    one, other = arranged("NALANCSNLA", "AAANNNLLCS"), arranged("NALANCSNLA", "SCLLNNNAAA")
    assert GAME.view(one, SUN) == GAME.view(other, SUN)
    assert GAME.view(one, None) == GAME.view(other, None)
    assert GAME.view(one, MOON) != GAME.view(other, MOON)


def test_a_mask_keeps_its_id_and_its_track() -> None:
    state = go(at(f"{START} 0"), "e2d3", "a6a5", "d3c4", "a5a4")
    for viewer in VIEWERS:
        seen = mask(GAME.view(state, viewer), "c4")
        assert (seen.id, seen.seat, seen.track) == ("0e2", SUN, ("e2", "d3", "c4"))
        assert mask(GAME.view(state, viewer), "a4").id == "1a6"


def test_ids_tell_nothing_of_the_symbols() -> None:
    ids = {
        tuple(seen.id for seen in GAME.view(arranged(sun, moon), None).masks)
        for sun, moon in (("NALANCSNLA", "AAANNNLLCS"), ("SCLLNNNAAA", "NALANCSNLA"))
    }
    assert len(ids) == 1


def test_the_course_of_a_match_is_public() -> None:
    state = go(place(SUN, a7="c", c4="l", d4="a", e7="l", c3="N", d3="N", e1="C"), "c3c4", "a7a6", "d3d4")
    view = GAME.view(state, None)
    assert [(ply.origin, ply.target, ply.kind, ply.left) for ply in view.plies] == [
        ("c3", "c4", Kind.LADY, True),
        ("a7", "a6", None, False),
        ("d3", "d4", Kind.ADVISOR, False),
    ]
    assert view.last == view.plies[-1]
    assert [gone.id for gone in view.gone] == ["1c4", "0c3", "1d4"]
    assert (view.step, view.quiet, view.turn, view.first) == (3, 0, MOON, SUN)


def test_the_count_of_standings_is_in_no_view() -> None:
    state = go(at("c3l/5/5/5/5/5/L3C 0"), "e1e2", "a7a6", "e2e1", "a6a7")
    for viewer in VIEWERS:
        view = GAME.view(state, viewer)
        assert "standings" not in {field.name for field in fields(view)}
        assert "standing" not in json.dumps(GAME.describe(view))


def test_everything_is_revealed_after_the_end() -> None:
    state = GAME.withdraw(go(at(f"{START} 0"), "e2d3"), SUN, RNG).state
    assert GAME.view(state, None).position == GAME.position_text(state)
    for viewer in VIEWERS:
        view = GAME.view(state, viewer)
        assert view.phase is Phase.OVER
        assert all(seen.revealed and seen.may_be == (seen.kind,) for seen in view.masks)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_views_travel_and_can_be_described(viewer: int | None) -> None:
    view = GAME.view(go(at(f"{START} 0"), "e2d3"), viewer)
    assert pickle.loads(pickle.dumps(view)) == view
    described = json.loads(json.dumps(GAME.describe(view)))
    assert described == GAME.describe(view)
    assert described["viewer"] == viewer
    assert described["position"] == view.position


def test_reprs_have_no_content() -> None:
    state = go(at("c4/5/5/2a2/2N2/5/4C 0"), "c3c4")
    view = GAME.view(state, SUN)
    for value in (state, state.public, state.public.masks[0], view, view.masks[0], view.plies[0]):
        shown = re.sub(r"0x[0-9a-f]+", "", repr(value))
        assert "=" not in shown
        assert "c4" not in shown


def test_the_record_tells_true_symbols_apart() -> None:
    one, other = arranged("NALANCSNLA", "AAANNNLLCS"), arranged("NALANCSNLA", "SCLLNNNAAA")
    assert GAME.record(one) != GAME.record(other)
    assert GAME.record(one) == GAME.record(arranged("NALANCSNLA", "AAANNNLLCS"))
