"""VOLTO's computer players: what they see, that they say the same again, and what they make of a position."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.core.contract import Words
from engines.core.match import Match
from engines.core.optional_methods import Level, Skill
from engines.core.rng import Rng
from engines.volto import GAME
from engines.volto.appraisal import exposed, may_lose
from engines.volto.beliefs import AIMLESS, AT_HOME, ON_THE_SQUARE, Deed, Reading, aimless, beliefs, deeds
from engines.volto.board import KINDS, MUSTER, SQUARES, Kind, paths
from engines.volto.state import State
from engines.volto.thinking import VoltoModel, arrangement
from engines.volto.view import new_mask
from engines.volto.worlds import SIZE, after, earlier, moves_of, strayed, words_of, world_of
from tests.games.volto.support import MOON, RNG, SETUP, SUN, arranged, at, go, moves, place
from tests.kit.samples import MORE

SEED = bytes(32)
LOOKING = (Level.MIDDLE, Level.BEST)
"""The levels that never overlook an answer."""

LONG = 24 if MORE > 1 else 10
"""Sentences of a match that are looked at."""

READING = Reading(setup=1.0, moves=1.0, deeds=0.0)
OBSERVANT = Reading(setup=1.0, moves=1.0, deeds=1.0)
WALKING = ("c2c3", "d6d5", "c3b3", "d5d6", "b3c3", "d6d5")


def said(state: State, level: Level, seat: int = SUN, effort: float = 0.05, rng: Rng = RNG) -> Words:
    view = GAME.view(state, seat)
    menu = GAME.menu(view)
    assert menu is not None
    return GAME.think(view, menu, Skill(level, effort), rng)


def move_of(words: tuple[str, ...]) -> int:
    """Return the move that two squares say."""
    return SQUARES.index(words[0]) * SIZE + SQUARES.index(words[1])


def moved(state: State, level: Level, effort: float = 0.05) -> str:
    return "".join(said(state, level, SUN, effort))


@pytest.mark.parametrize("level", Level)
def test_whole_matches_are_legal_and_the_same_again(level: Level) -> None:
    match = Match.start(GAME, SETUP, SEED)
    for _ in range(LONG):
        waiting = match.waiting
        if not waiting:
            break
        seat = min(seat for seat in waiting if seat in GAME.waiting(match.view(seat)))
        words = match.computer(seat, Skill(level, 0.01))
        assert words == match.computer(seat, Skill(level, 0.01))
        match = match.act(seat, words)
    assert match.log[-1].words


@pytest.mark.parametrize("level", Level)
def test_two_truths_that_look_alike_get_the_same_answer(level: Level) -> None:
    state = go(arranged("NALNAACNLS", "ANLNCALSNA"), "b2b3", "d6d5")
    view = GAME.view(state, SUN)
    twin = GAME.imagine(view, RNG)
    assert twin.own[MOON] != state.own[MOON]
    assert said(state, level) == said(twin, level)


def test_other_randomness_gives_another_move_where_some_are_as_good() -> None:
    state = place(SUN, a1="C", b2="N", d2="N", c2="A", a7="n", c6="c", e6="l")
    assert len({said(state, Level.FIRST, rng=RNG.child(number)) for number in range(12)}) > 1


def test_each_level_has_a_name() -> None:
    assert {GAME.level_names[level].key for level in Level} == {f"level.{level.value}" for level in Level}


# --- what they do ------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", Level)
def test_a_candidate_enters_the_palace(level: Level) -> None:
    state = place(SUN, c6="C", a1="N", b1="L", e7="n", a6="c", e6="l")
    assert moved(state, level) in ("c6b7", "c6c7", "c6d7")


@pytest.mark.parametrize("level", LOOKING)
def test_what_can_only_be_the_candidate_is_taken(level: Level) -> None:
    # The other mask of the rival stands in a palace where a Candidate would have won.
    state = place(SUN, c3="N", a4="C", b4="L", c4="c", e1="n")
    assert moved(state, level) == "c3c4"


@pytest.mark.parametrize("level", LOOKING)
def test_what_can_only_be_the_last_lady_is_not_taken(level: Level) -> None:
    state = place(SUN, d2="N", b2="N", a3="C", a1="L", d1="l", e7="c")
    assert moved(state, level) != "d2d1"


@pytest.mark.parametrize("level", LOOKING)
def test_whoever_stands_well_does_not_take_what_may_be_the_last_lady(level: Level) -> None:
    # Any of the rival's masks that can be taken may be its only Lady, and there is time.
    state = at("4a/1n1c1/2l1n/1N1An/C2L1/5/ANLA1 0")
    owners = state.public.owners()
    found = {said(state, level, rng=RNG.child(number))[1] for number in range(6 if MORE > 1 else 3)}
    assert all(owners.get(target) != MOON for target in found)


def test_a_candidate_in_reach_weighs_more_than_two_masks() -> None:
    worths = []
    for state in (
        place(MOON, c3="C", a1="N", b1="N", c1="A", c4="n", e7="c"),
        place(MOON, c2="C", a1="N", c4="n", e7="c"),
    ):
        world = world_of(GAME.view(state, SUN), state.own)
        shares = [share for belief in beliefs(GAME.view(state, SUN), READING) for share in belief.shares()]
        worths.append(VoltoModel(SUN, world, shares, frozenset(), 0.0, 1.0).worth(world)[SUN])
    assert worths[0] < worths[1]


@pytest.mark.parametrize("level", LOOKING)
def test_the_candidate_gets_out_of_reach(level: Level) -> None:
    # Neither side has Ladies, so that every mask that can be taken will be.
    state = place(SUN, c3="C", a1="N", c4="n", e7="c")
    after = go(state, moved(state, level))
    owners = after.public.owners()
    assert not any(owners.get(near) == MOON for near in paths(Kind.CANDIDATE, SUN, after_candidate(after)))


@pytest.mark.parametrize("level", LOOKING)
def test_a_rivals_candidate_is_kept_out_of_the_palace(level: Level) -> None:
    # The mask on b3 must be the Candidate: the other one has gone straight ahead over two squares.
    state = go(place(MOON, a1="N", c2="A", e4="C", b3="c", e7="s"), "e7e5")
    after = go(state, moved(state, level))
    assert all(go(after, move).public.result is None or not move.startswith("b3") for move in moves(after))


def test_a_known_draw_is_not_a_win() -> None:
    """A mat that has stood before counts as a draw in the search: whoever is ahead goes on."""
    state = go(place(SUN, a1="C", c3="N", c2="A", e7="c"), "c3c4", "e7e6", "c4c3", "e6e7")
    view = GAME.view(state, SUN)
    world = world_of(view, state.own)
    model = VoltoModel(SUN, world, [(0.2,) * len(KINDS)] * 4, earlier(view), 0.0, 1.0)
    again = model.after(world, move_of(("c3", "c4")))
    assert again.drawn
    assert model.worth(again) == (0.5, 0.5)
    assert not model.moves(again)
    assert not model.after(world, move_of(("c3", "c5"))).drawn


# --- what a rival may believe ------------------------------------------------------------------------


def test_a_rival_hopes_for_the_same_of_masks_that_look_alike() -> None:
    """Whatever stands on c3: its captor can expect no more than all have seen of it."""
    hopes = []
    for letters in ("NCL", "LNC", "CLN"):
        state = place(MOON, c3=letters[0], a1=letters[1], b1=letters[2], c4="n", e7="c", d7="l")
        view = GAME.view(state, SUN)
        believed = beliefs(view, READING)
        world = world_of(view, state.own)
        shares = [share for belief in believed for share in belief.shares()]
        model = VoltoModel(SUN, world, shares, frozenset(), 0.0, 1.0)
        hopes.append(model.worth(model.after(world, move_of(("c4", "c3"))))[MOON])
    assert hopes == pytest.approx([hopes[0]] * 3, abs=0.05)


def test_what_a_capture_has_shown_is_known_from_then_on() -> None:
    state = place(SUN, c3="N", a1="C", c4="a", e7="c", d7="l")
    view = GAME.view(state, SUN)
    model = VoltoModel(SUN, world_of(view, state.own), [(0.2,) * len(KINDS)] * 5, frozenset(), 0.0, 1.0)
    seen = model.after(world_of(view, state.own), move_of(("c3", "c4")))
    assert model.mover(seen) == SUN
    ((symbol, likely),) = model.moves(seen)
    assert (KINDS[~symbol], likely) == (Kind.ADVISOR, 1.0)
    assert model.mover(model.after(seen, symbol)) == MOON


def test_moves_speak_for_symbols() -> None:
    state = go(arranged("NALNAACNLS", "ANLNCALSNA"), *WALKING)
    view = GAME.view(state, MOON)
    walked = [mask.id for mask in view.masks].index("0c2")
    read, unread = (
        beliefs(view, Reading(setup=1.0, moves=moves, deeds=0.0))[SUN].shares()[walked]
        for moves in (1.0, 0.0)
    )
    candidate, lady = KINDS.index(Kind.CANDIDATE), KINDS.index(Kind.LADY)
    assert read[candidate] > unread[candidate] > 0
    assert 0 < read[lady] < unread[lady]
    assert sum(read) == pytest.approx(1.0)


def test_a_mask_that_flees_may_be_the_candidate_and_one_that_comes_near_hardly() -> None:
    start = arranged("NALNAACNLS", "ANLNCALSNA")
    view = GAME.view(go(start, "b2b3", "a6b5", "e2e3", "b5c4", "c2c3", "e6d5", "b3a3"), MOON)
    fled, came = ([mask.id for mask in view.masks].index(one) for one in ("0b2", "0c2"))
    plain, read = (beliefs(view, reading)[SUN].shares() for reading in (READING, OBSERVANT))
    candidate = KINDS.index(Kind.CANDIDATE)
    assert read[fled][candidate] > 1.5 * plain[fled][candidate] > 0
    assert 0 < read[came][candidate] < plain[came][candidate]


@pytest.mark.parametrize(
    ("moves", "mask", "deed"),
    [
        (("b2b3", "a6b5"), "0b2", Deed.GOES),
        (("b2b3", "a6b5"), "0c2", Deed.WAITS),
        (("b2b3", "a6b5", "b3b4"), "0b2", Deed.COMES),
        (("b2b3", "a6b5", "b3b4", "e6d5", "c2c3"), "0b2", Deed.STAYS),
        (("b2b3", "a6b5", "b3b4", "e6d5", "b4a4"), "0b2", Deed.SIDLES),
        (("b2b3", "a6b5", "b3b4", "e6d5", "b4b3"), "0b2", Deed.LEAVES),
        (("c2c3", "d6d5", "c3c4", "d5c5", "c4c5"), "0c2", Deed.TAKES),
    ],
)
def test_the_deeds_of_masks(moves: tuple[str, ...], mask: str, deed: Deed) -> None:
    state = go(arranged("NALNAACNLS", "ANLNCALSNA"), *moves)
    at_home = len(deeds(GAME.view(state, MOON))[mask]) == 1
    assert deeds(GAME.view(state, MOON))[mask][-1] == (AT_HOME if at_home else ON_THE_SQUARE)[deed]


def test_nothing_is_ruled_out_by_deeds_however_long_a_match_is() -> None:
    weights = OBSERVANT.weights(new_mask(SUN, "b2"), [AT_HOME[Deed.STAYS]] * 10_000)
    assert all(0.0001 < weight < 10_000 for weight in weights)


def test_beside_the_rival_palace_deeds_say_nothing() -> None:
    view = GAME.view(go(place(SUN, a1="C", c6="N", b1="L", e7="c", e6="l"), "c6c5", "e6d6"), MOON)
    assert not deeds(view)["0c6"]


def test_beliefs_are_drawn_as_often_as_they_say() -> None:
    view = GAME.view(place(SUN, a1="N", b2="A", c1="C", d2="L", e7="c", d7="n"), MOON)
    belief = beliefs(view, READING)[SUN]
    drawn = [belief.draw(RNG.stream("draw", number)) for number in range(2_000)]
    for mask, share in enumerate(belief.shares()):
        for kind, likely in zip(KINDS, share, strict=True):
            often = sum(one[mask] is kind for one in drawn) / len(drawn)
            assert often == pytest.approx(likely, abs=0.05)


def test_who_only_walks_aside_and_back_seems_to_have_no_plan() -> None:
    start = arranged("NALNAACNLS", "ANLNCALSNA")
    assert aimless(GAME.view(start, SUN), MOON) == pytest.approx(AIMLESS)
    view = GAME.view(go(start, *WALKING), SUN)
    assert aimless(view, MOON) > aimless(GAME.view(start, SUN), MOON)
    taken = GAME.view(place(SUN, a1="C", c3="N", d4="a", e7="c", d7="l"), SUN)
    after_taking = go(place(SUN, a1="C", c3="N", c4="a", e7="c", d7="l"), "c3c4")
    assert aimless(GAME.view(after_taking, MOON), SUN) < aimless(taken, SUN)


def test_a_rival_without_a_plan_makes_any_move_and_the_same_again() -> None:
    state = place(MOON, a1="C", c3="N", c4="a", e7="c", d7="l")
    world = world_of(GAME.view(state, MOON), state.own)
    legal = {world.places[mask] * SIZE + target for mask, target, _ in moves_of(world)}
    found = {strayed(replace(world, whim=whim)) for whim in range(1, 200)}
    assert found == legal
    assert strayed(replace(world, whim=7)) == strayed(replace(world, whim=7))


def test_who_is_wary_is_less_drawn_to_squares_beside_rival_masks() -> None:
    state = place(SUN, c3="C", a1="N", c5="n", e7="c")
    view = GAME.view(state, SUN)
    world = world_of(view, state.own)
    shares = [share for belief in beliefs(view, READING) for share in belief.shares()]
    near, far = move_of(("c3", "c4")), move_of(("c3", "c2"))
    bold, wary = (
        dict(VoltoModel(SUN, world, shares, frozenset(), 0.0, wary).moves(world)) for wary in (1.0, 0.5)
    )
    assert wary[near] / wary[far] == pytest.approx(0.5 * bold[near] / bold[far])


def test_a_move_may_lose_by_a_lady_that_it_takes() -> None:
    state = place(SUN, c3="C", a3="N", c4="l", a4="n", e7="c", d7="l")
    world = world_of(GAME.view(state, SUN), state.own)
    shares = [share for belief in beliefs(GAME.view(state, SUN), READING) for share in belief.shares()]
    assert may_lose(world, move_of(("c3", "c4")), shares)
    assert not may_lose(world, move_of(("a3", "a4")), shares)  # two Ladies are left
    assert not may_lose(world, move_of(("c3", "c2")), shares)
    assert exposed(world, SUN)
    assert not exposed(after(world, move_of(("c3", "c2")), 0.0), SUN)


# --- worlds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(8))
def test_worlds_follow_the_rules(number: int) -> None:
    match = Match.start(GAME, SETUP, bytes([number]) * 32)
    while (step := match.play_on()) is not None:
        before, (match, seat) = match, step
        if before.state.public.turn is None:
            continue
        view = before.view(seat)
        world = world_of(view, before.state.own)
        found = {words_of(world.places[mask] * SIZE + target) for mask, target, _ in moves_of(world)}
        assert found == set(GAME.legal(view) or ())
        then = after(world, move_of(match.log[-1].words), 0.0)
        result = match.state.public.result
        assert then.winner == (None if result is None else result.winner)
        if result is None:
            real = world_of(match.view(1 - seat), match.state.own)
            assert (then.mat, then.places, then.mover) == (real.mat, real.places, real.mover)


# --- arrangements ------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", Level)
def test_arrangements_are_whole_and_mostly_keep_the_candidate_back(level: Level) -> None:
    letters = [arrangement(SUN, level, RNG.stream("masks", number)) for number in range(60)]
    assert all(sorted(one) == sorted(MUSTER) for one in letters)
    assert len(set(letters)) > 50
    assert sum(one.index(Kind.CANDIDATE) < 5 for one in letters) > 40


def after_candidate(state: State) -> str:
    return next(square for square, one in state.mat().items() if one == (SUN, Kind.CANDIDATE))
