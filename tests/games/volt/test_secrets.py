"""What stays hidden after the reveal, and what twins vary. Rules page, *What is secret*."""

from __future__ import annotations

from typing import Any

from engines.core.match import Match
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.volt import GAME
from engines.volt.state import State
from tests.games.volt.support import SEED, act, programs, situation


def truth(match: Match) -> State:
    state: State = match.state
    return state


def twins(match: Match, viewer: int | None, number: int = 40) -> list[State]:
    found = [GAME.imagine(match.view(viewer), Rng(bytes([n] * 32))) for n in range(number)]
    assert all(GAME.view(state, viewer) == match.view(viewer) for state in found)
    return found


SEATS: list[dict[str, Any]] = [
    {"pos": "b5", "active": ["strafe", "shield"], "spare": ["turbo"]},
    {"pos": "e5", "damage": 2, "active": ["bomb", "reflector"]},
]


def test_a_void_dies_modules_and_unused_orders_stay_secret() -> None:
    match = programs(
        situation(SEATS),
        "I:r1E II:b1N+strafe-left III:r6N order:shield",
        "I:b6W II:r3W+bomb III:b1N order:reflector",
    )
    view = match.view(0)
    seen = view.revealed[1]
    assert seen is not None
    assert [die.modules for die in seen.dice] == [(), (), ()]
    assert seen.orders == ()
    own = match.view(1).last
    assert own is not None
    assert (own.dice[1].modules, own.orders) == (("bomb",), ("reflector",))
    mine = view.revealed[0]
    assert mine is not None
    assert mine.dice[1].modules == ("strafe-left",), "activated: it has turned up"
    names = {str(fact["name"]) for fact in view.recap if fact.kind == "turned_up"}
    assert names == {"strafe"}


def test_twins_vary_void_words_and_orders() -> None:
    match = programs(situation(SEATS), "I:r1E II:r6N III:b1N", "I:b6W II:r3W+bomb III:b1N order:reflector")
    lasts = {repr(_last(state, 1)) for state in twins(match, 0)}
    assert len(lasts) > 1


def _last(state: State, seat: int) -> object:
    program = state.own[seat].program
    return None if program is None else (program.orders, [die.modules for die in program.dice])


def test_twins_vary_programs_that_wait_modules_and_decks() -> None:
    match = act_one(situation(SEATS), 1, "program I:b6W II:r3W+bomb III:b1N order:reflector tile:2")
    found = twins(match, 0)
    assert len({state.own[1].answer for state in found}) > 10
    assert all(state.own[1].answer[-1] == "tile:2" for state in found)
    assert len({state.own[1].active for state in found}) > 5
    assert len({state.decks for state in found}) > 10
    assert {state.own[0] for state in found} == {truth(match).own[0]}
    public = twins(match, None)
    assert len({state.own[0].names for state in public}) > 5


def act_one(match: Match, seat: int, text: str) -> Match:
    return match.act(seat, GAME.read(text))


def test_listed_names_stay_with_their_owner_in_twins() -> None:
    seats: list[dict[str, Any]] = [
        {"pos": "b1", "active": ["turbo"], "face_up": ["turbo"], "spare": ["anchor"]},
        {"pos": "d1"},
    ]
    idle = "I:r6N II:r6N III:b1N"
    match = programs(situation(seats), f"swap:+anchor,-turbo {idle}", idle)
    for state in twins(match, 1):
        assert "turbo" in state.own[0].names
        assert len(state.own[0].active) == len(state.own[0].spare) == 1


def test_a_committed_program_shows_nothing_but_its_tile() -> None:
    one = act_one(situation(SEATS), 0, "program I:b6N II:r6N III:b1N tile:2")
    other = act_one(
        situation(SEATS), 0, "program swap:+turbo,-strafe I:r1E II:b6E III:r6S order:shield tile:2"
    )
    for viewer in (1, None):
        assert one.view(viewer) == other.view(viewer)
        assert one.facts(viewer) == other.facts(viewer)


def entering() -> Match:
    """Return a match of three that asks all for a start space."""
    match = Match.start(GAME, complete(GAME.manifest, 3, {"arena": "A"}), SEED)
    return act(act(match, *["draw red"] * 3), *["draw blue"] * 3)


def test_a_start_space_stays_secret_until_all_have_named_theirs() -> None:
    match = entering()
    spaces = match.view(0).choices
    others = [match.act(0, GAME.read(f"start {space}")) for space in spaces]
    assert len({other.view(0).answer for other in others}) == len(spaces) == 3
    for viewer in (1, 2, None):
        assert all(other.facts(viewer) == others[0].facts(viewer) for other in others)
        assert all(other.view(viewer) == others[0].view(viewer) for other in others)


def test_twins_vary_start_spaces_that_wait() -> None:
    match = entering()
    spaces = match.view(0).choices
    match = match.act(0, GAME.read(f"start {spaces[0]}"))
    assert {state.own[0].answer for state in twins(match, 1)} == {("start", space) for space in spaces}
    assert all(state.public.ruleset is truth(match).public.ruleset for state in twins(match, 1))


def test_draws_are_seen_by_their_owner() -> None:
    match = programs(
        situation([{"pos": "c4"}, {"pos": "d1"}]), "I:b1N II:r1N III:r1N", "I:r6N II:r6N III:b1N"
    )
    match = act(match, "draw yellow")
    names = {
        viewer: {f["name"] for _, f in match.facts(viewer) if f.kind == "drew"} for viewer in (0, 1, None)
    }
    assert names[1] == names[None] == {None}
    assert names[0] == {card.name for card in match.view(0).modules[0].spare}
    assert match.view(1).modules[0].spare[0].name is None
