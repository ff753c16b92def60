"""Imagined truths: views that cannot be told from the real one, and that really differ."""

from __future__ import annotations

from itertools import permutations

import pytest

from engines.volto import GAME
from engines.volto import imagine as imagining
from engines.volto.candidates import Matchings
from tests.games.volto.support import MOON, RNG, SETUP, START, SUN, at, go, letters, moves

VIEWERS = (SUN, MOON, None)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_after_the_end_there_is_one_truth(viewer: int | None) -> None:
    over = GAME.agree(go(at(f"{START} 0"), "e2d3", "a6b5"), RNG).state
    assert GAME.record(GAME.imagine(GAME.view(over, viewer), RNG)) == GAME.record(over)


@pytest.mark.parametrize("stage", [0, 1, 2])
def test_the_set_up_has_twins_too(stage: int) -> None:
    state = GAME.start(SETUP, RNG).state
    for seat in range(stage):
        state = GAME.act(state, seat, ("NALANCSNLA",), RNG).state
    for viewer in VIEWERS:
        view = GAME.view(state, viewer)
        twins = [GAME.imagine(view, RNG.child(number)) for number in range(8)]
        assert all(GAME.view(twin, viewer) == view for twin in twins)
        hidden = [seat for seat in range(stage) if seat != viewer]
        assert len({str(GAME.record(twin)) for twin in twins}) == (8 if hidden else 1)
    over = GAME.withdraw(state, MOON, RNG).state
    assert GAME.record(GAME.imagine(GAME.view(over, None), RNG)) == GAME.record(over)


def test_both_sides_are_imagined_for_the_public_and_one_for_a_seat() -> None:
    state = at("nalan/csnla/5/5/5/CSNLA/NALAN 0")
    real = [letters(part) for part in state.own]
    for number in range(6):
        twin = GAME.imagine(GAME.view(state, SUN), RNG.child(number))
        assert letters(twin.own[SUN]) == real[SUN]
        assert letters(twin.own[MOON]) != real[MOON]
        twin = GAME.imagine(GAME.view(state, None), RNG.child(number))
        assert all(letters(twin.own[seat]) != real[seat] for seat in (SUN, MOON))


def test_all_truths_that_are_left_are_found() -> None:
    # Four hidden masks: Noble, Lady, Candidate, Soldier; the one on b3 went sideways.
    state = go(at("c3l/5/5/5/5/5/NLSC1 0"), "a1a2", "a7a6", "a2b2", "a6a7", "b2b3", "e7e6")
    view = GAME.view(state, MOON)
    found = {letters(GAME.imagine(view, RNG.child(number)).own[SUN]) for number in range(400)}
    expected = {"".join(way) for way in permutations("NLCS") if way[0] != "S"}
    assert found == expected


# --- what only the whole course of the match tells --------------------------------------------------


@pytest.mark.parametrize("viewer", [MOON, None])
@pytest.mark.parametrize("draws", [64, 0])
def test_a_third_standing_never_went_unseen(
    viewer: int | None, draws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The masks of a2 and b1 change places, and the same squares are held for the third time. Had the
    # two been Nobles, as far as their tracks tell, it would have been the third standing.
    monkeypatch.setattr(imagining, "DRAWS", draws)
    state = go(
        at("c3l/5/5/5/5/L4/1C1NN 0"),
        *("a2b2", "a7a6", "b1a1", "a6a7"),
        *("a1a2", "a7a6", "b2b1", "a6a7"),
        *("b1c1", "a7b7", "c1b1", "b7a7"),
    )
    assert state.public.result is None
    view = GAME.view(state, viewer)
    for number in range(60 if draws else 2):
        twin = GAME.imagine(view, RNG.child(number))
        assert twin.public.result is None
        assert GAME.view(twin, viewer) == view
        by_id = {mask.id: kind for mask, kind in twin.kinds()}
        assert by_id["0a2"] != by_id["0b1"]


def test_whoever_is_to_move_has_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    squares = "5/5/5/1NAs1/1Nlna/1Nl{}c/1AC{}a 1"
    wedged, free = at(squares.format("n", "a")), at(squares.format("a", "n"))
    assert (wedged.public.result is None, free.public.result is None) == (False, True)
    scripted = iter([wedged.own[MOON], free.own[MOON]])
    monkeypatch.setattr(Matchings, "draw", lambda *_: next(scripted))
    twin = GAME.imagine(GAME.view(free, SUN), RNG)
    assert GAME.record(twin) == GAME.record(free)


def test_drawn_at_last_from_all_that_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imagining, "DRAWS", 0)
    free = at("5/5/5/1NAs1/1Nlna/1Nlac/1ACna 1")
    twin = GAME.imagine(GAME.view(free, SUN), RNG)
    assert moves(twin, MOON) != []
    assert GAME.view(twin, SUN) == GAME.view(free, SUN)
