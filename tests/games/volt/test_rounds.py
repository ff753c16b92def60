"""Whole rounds: preparation, reveal, resolution, reboot, the end. Rules page, *Round*."""

from __future__ import annotations

from copy import deepcopy
from itertools import permutations

import pytest

from engines.core.contract import Setup
from engines.core.match import Entry, EntryKind, Match
from engines.core.setups import complete
from engines.volt import GAME
from engines.volt.view import Lost, Phase
from tests.games.volt.support import SEED, act, facts, programs, situation

IDLE = "I:r6N II:r6N III:b1N"
"""From the top row: two shots over the rim and a step against it."""


def started(seats: int = 2, seed: bytes = SEED, ruleset: str | None = None, **options: str) -> Match:
    return Match.start(GAME, complete(GAME.manifest, seats, options, ruleset), seed)


# --- set-up -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "sides"), [(2, "NS"), (4, "NESW")])
def test_sides_in_order_of_seats(seats: int, sides: str) -> None:
    assert "".join(robot.side for robot in started(seats).view(None).robots) == sides


def test_of_three_the_sides_are_dealt() -> None:
    dealt = {
        "".join(robot.side for robot in started(3, bytes([n] * 32)).view(None).robots) for n in range(40)
    }
    assert all(sorted(sides) == ["E", "N", "S"] for sides in dealt)
    assert len(dealt) == 6


def test_set_up_deals_tiles_and_three_tokens() -> None:
    view = started(4).view(None)
    assert sorted(tile or 0 for tile in view.tiles) == [1, 2, 3, 4]
    assert len(set(view.tokens)) == 3
    assert sum(view.supply) == 15
    assert view.decks == (16, 16, 16)
    assert view.phase is Phase.START


def offered(match: Match, seat: int) -> list[str]:
    """Return the words of a seat's menu."""
    menu = match.menu(seat)
    assert menu is not None
    return [choice.word for choice in menu.choices()]


@pytest.mark.parametrize("ruleset", ["1", "2"])
def test_two_decks_are_named_and_both_modules_are_active(ruleset: str) -> None:
    first = ("start c1 draw red", "start e9 draw blue") if ruleset == "1" else ("draw red", "draw blue")
    match = act(started(arena="A", ruleset=ruleset), *first)
    assert match.view(None).phase is Phase.SECOND
    seen = match.view(0).modules[0].active
    assert [card.deck for card in seen] == ["red"]
    assert seen[0].name is not None
    assert match.view(1).modules[0].active[0].name is None
    assert offered(match, 0) == ["blue", "yellow"], "a different deck"
    match = act(match, "draw blue", "draw yellow")
    view = match.view(0)
    assert view.phase is (Phase.PROGRAM if ruleset == "1" else Phase.REBOOT)
    assert [card.face_up for card in view.modules[0].active] == [False, False]
    assert view.decks == (15, 14, 15)
    assert view.round == 1
    assert len(view.tokens) == 3, "no fourth token"


def test_a_start_space_is_named_once_both_modules_are_known() -> None:
    match = started(arena="A")
    assert offered(match, 0) == ["red", "blue", "yellow"], "no space with the first deck"
    match = act(act(match, "draw red", "draw blue"), "draw blue", "draw yellow")
    assert all(card.name for card in match.view(0).modules[0].active)
    assert offered(match, 0) == ["c1", "e1", "g1"]
    menu = match.menu(0)
    assert menu is not None
    assert menu.prompt.key == "prompt.start_space", "it does not come back"
    match = match.act(0, GAME.read("start e1"))
    assert [robot.pos for robot in match.view(1).robots] == [None, None]
    match = match.act(1, GAME.read("start g9"))
    view = match.view(None)
    assert (view.phase, view.round) == (Phase.PROGRAM, 1)
    assert [robot.pos for robot in view.robots] == ["e1", "g9"]
    assert [fact["seat"] for fact in facts(match, "placed")] == sorted(
        (0, 1), key=lambda n: view.tiles[n] or 0
    )


def test_by_ruleset_1_the_space_is_named_before_a_card_is_seen() -> None:
    match = started(arena="A", ruleset="1")
    assert offered(match, 0) == ["c1", "e1", "g1", "red", "blue", "yellow"]
    match = act(match, "start c1 draw red", "start e9 draw blue")
    assert [robot.pos for robot in match.view(None).robots] == ["c1", "e9"]
    assert act(match, "draw blue", "draw red").view(None).phase is Phase.PROGRAM
    # A view that has been to another process describes itself as before, too.
    assert "ruleset" not in GAME.describe(deepcopy(match.view(0)))


@pytest.mark.parametrize("ruleset", ["1", "2"])
def test_training_has_no_modules_and_three_points(ruleset: str) -> None:
    match = started(training="on", arena="C", ruleset=ruleset)
    view = match.view(None)
    assert (view.arena, view.target, view.decks) == ("A", 3, (0, 0, 0))
    assert offered(match, 0) == ["c1", "e1", "g1"], "the only question"
    match = act(match, "start c1", "start e9")
    assert match.view(None).phase is Phase.PROGRAM
    assert len(match.view(None).tokens) == 3


def test_the_last_one_to_name_a_space_withdraws_and_the_round_begins() -> None:
    match = act(act(started(3, arena="A"), *["draw red"] * 3), *["draw blue"] * 3)
    for seat in (0, 1):
        match = match.act(seat, GAME.read(f"start {match.view(seat).choices[1]}"))
    match = match.apply(Entry(EntryKind.WITHDRAW, 2))
    view = match.view(None)
    assert (view.phase, view.free) == (Phase.PROGRAM, (1, 2))
    assert [robot.pos is None for robot in view.robots] == [False, False, True]


@pytest.mark.parametrize("answers", [(), ("draw red", "draw blue")])
def test_no_word_reveals_since_all_answers_are_carried_out_together(answers: tuple[str, ...]) -> None:
    match = started(arena="A")
    match = act(match, *answers) if answers else match
    for draft in ((), ("draw", "yellow")):
        menu = match.menu(0, draft)
        assert menu is not None
        assert not menu.reveals
        assert not any(choice.reveals for choice in menu.choices())


# --- preparation --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tokens", "laid"), [([1, 2], 1), ([1, 2, 3], 0), ([], 1)])
def test_worked_check_7_one_token_a_round(tokens: list[int], laid: int) -> None:
    match = situation([{"pos": "b1"}, {"pos": "d1"}], tokens=tokens)
    match = programs(match, IDLE, IDLE)
    assert len(facts(match, "token_laid")) == laid
    assert len(match.view(None).tokens) == len(tokens) + laid


def test_a_token_is_placed_under_a_robot_and_taken_at_the_rounds_end() -> None:
    match = situation([{"pos": "f4"}, {"pos": "d1"}], tokens=[2])
    still = "I:b1N II:b1S III:r6E"
    while 1 not in match.view(None).tokens:
        match = programs(match, still, IDLE)
        assert match.view(None).robots[0].score == 0, "not in phase 0"
    match = programs(match, still, IDLE)
    assert match.view(None).robots[0].score == 1


def test_worked_check_5_damage_is_given_back_after_damage_only() -> None:
    match = situation([{"pos": "b5"}, {"pos": "e5", "damage": 2}])
    shot = programs(match, "I:r1E II:r1N III:b1N", "I:r6N II:r6N III:b1N")
    robot = shot.view(None).robots[1]
    assert (robot.pos, robot.lost, robot.damage) == (None, Lost.DAMAGE, 0)
    assert shot.view(None).robots[0].score == 1
    back = act(shot, "start c9 pass")
    assert (back.view(None).robots[1].pos, back.view(None).robots[1].damage) == ("c9", 0)

    match = situation([{"pos": "b4"}, {"pos": "c4", "damage": 2}])
    fallen = programs(match, "I:b1E II:r1N III:r1N", IDLE)
    assert fallen.view(None).robots[1].lost is Lost.FALL
    back = act(fallen, "start e9 draw red")
    assert back.view(None).robots[1].damage == 2
    assert [card.deck for card in back.view(None).modules[1].spare] == ["red"]


def test_an_only_free_start_space_is_taken_unasked() -> None:
    seats = [{"pos": "b4"}, {"pos": "c4"}, {"pos": "c9"}, {"pos": "e9"}]
    match = situation(seats)
    fallen = programs(match, "I:b1E II:r1N III:r1N", IDLE, "I:r6S II:r6S III:b1S", "I:r6S II:r6S III:b1S")
    assert fallen.view(None).phase is Phase.REBOOT
    assert fallen.waiting == {1}


def test_the_only_free_space_needs_no_word() -> None:
    seats = [{"pos": "b4"}, {"pos": "c4", "side": "S"}, {"pos": "c9", "side": "E"}, {"pos": "e9"}]
    off = "I:r6S II:r6S III:b1S"
    fallen = programs(situation(seats), "I:b1E II:r1N III:r1N", IDLE, off, off)
    menu = fallen.menu(1)
    assert menu is not None
    assert [choice.word for choice in menu.choices()] == ["pass", "red", "blue", "yellow"]
    assert act(fallen, "pass").view(None).robots[1].pos == "g9"


def test_with_no_start_space_free_the_own_edge_row_is_used() -> None:
    seats = [
        {"pos": "c1", "side": "S"},
        {"pos": "e1", "side": "E"},
        {"pos": "g1", "side": "W"},
        {"pos": None, "side": "N", "lost": "fall", "damage": 1},
    ]
    match = situation(seats, options={"training": "on"})
    idle = "I:r6N II:r6N III:b1N"
    match = programs(match, idle, idle, idle, idle)
    assert match.view(None).phase is Phase.PROGRAM, "nothing is asked"
    assert match.view(None).robots[3].pos == "d1", "the plain one nearest the middle, lower letter first"


# --- programming --------------------------------------------------------------------------------------------


def test_tiles_are_raced_for() -> None:
    match = situation([{"pos": "b1"}, {"pos": "d1"}])
    match = match.act(1, GAME.read(f"program {IDLE} tile:1"))
    view = match.view(0)
    assert (view.taken, view.free, view.done) == ((None, 1), (2,), (1,))
    assert view.own is None


def test_tiles_may_be_dealt() -> None:
    match = situation([{"pos": "b1"}, {"pos": "d1"}], options={"tiles": "draw"})
    match = act(match, f"program {IDLE}", f"program {IDLE}")
    assert sorted(tile or 0 for tile in match.view(None).tiles) == [1, 2]


def test_swaps_show_backs_and_lie_face_down() -> None:
    seats = [{"pos": "b1", "active": ["turbo"], "face_up": ["turbo"], "spare": ["anchor"]}, {"pos": "d1"}]
    match = situation(seats)
    match = programs(match, f"swap:+anchor,-turbo {IDLE}", IDLE)
    (swapped,) = facts(match, "swapped")
    assert (swapped["decks_in"], swapped["decks_out"], swapped["shown"]) == (("blue",), ("blue",), ("turbo",))
    seen = match.view(1).modules[0]
    assert [(card.deck, card.name) for card in seen.active] == [("blue", None)]
    assert match.view(1).listed[0] == ("turbo",)
    match = programs(match, f"swap:+turbo,-anchor {IDLE}", IDLE)
    assert match.view(1).modules[0].active[0].name is None, "put in again later, it lies face down"


# --- resolution ---------------------------------------------------------------------------------------------


def test_tokens_are_taken_in_phase_3() -> None:
    match = situation([{"pos": "f5"}, {"pos": "d1"}], tokens=[1])
    match = programs(match, "I:b1N II:r1N III:r1N", IDLE)
    assert match.view(None).robots[0].score == 1
    assert [fact["number"] for fact in facts(match, "token_taken")] == [1]


def test_worked_check_8_a_robot_without_damage_may_draw() -> None:
    match = situation([{"pos": "c4"}, {"pos": "d1"}])
    match = programs(match, "I:b1N II:r1N III:r1N", IDLE)
    assert match.view(None).phase is Phase.REPAIR
    assert match.waiting == {0}
    match = act(match, "draw yellow")
    assert [card.deck for card in match.view(None).modules[0].spare] == ["yellow"]


def test_repair_removes_all_damage_unasked_in_training() -> None:
    match = situation([{"pos": "c4", "damage": 2}, {"pos": "d1"}], options={"training": "on"})
    match = programs(match, "I:b1N II:r1N III:r1N", IDLE)
    assert match.view(None).robots[0].damage == 0


def test_a_shock_plate_hurts_and_nobody_scores() -> None:
    match = situation([{"pos": "e4", "damage": 2}, {"pos": "d1"}], "C")
    match = programs(match, "I:b1N II:r1N III:r1N", IDLE)
    robots = match.view(None).robots
    assert (robots[0].lost, robots[0].score, robots[1].score) == (Lost.DAMAGE, 0, 0)
    assert match.view(None).phase is Phase.REBOOT, "the operator may draw a module"


def test_a_shield_holds_in_phase_3_and_only_if_unused() -> None:
    seats = [{"pos": "e4", "active": ["shield"]}, {"pos": "b1"}]
    match = programs(situation(seats, "C"), "I:b1N II:r6N III:r6N order:shield", IDLE)
    assert match.view(None).robots[0].damage == 0
    used = [{"pos": "e4", "active": ["shield"]}, {"pos": "a3"}]
    match = programs(situation(used, "C"), "I:b1N II:r1N III:r6N order:shield", "I:r1E II:r1E III:b1W")
    assert match.view(None).robots[0].damage >= 1


# --- the end ------------------------------------------------------------------------------------------------


def test_worked_check_6_the_match_ends_in_mid_activation() -> None:
    match = situation([{"pos": "b5", "score": 4}, {"pos": "e5", "damage": 2}, {"pos": "b1"}])
    match = programs(match, "I:r1E II:r1N III:b1N", IDLE, IDLE)
    outcome = match.outcome
    assert outcome is not None
    assert outcome.ranks == ((0,), (1, 2))
    assert [fact["unit"] for fact in facts(match, "die")] == ["I"]


def test_a_fifth_point_by_a_push_stops_the_movement() -> None:
    match = situation([{"pos": "a4", "score": 4}, {"pos": "c4"}])
    match = programs(match, "I:b4E II:r1N III:r1N", IDLE)
    assert match.outcome is not None
    assert match.view(None).robots[0].pos == "b4", "the pusher's own step is not completed"


def test_round_sixty_is_the_last() -> None:
    match = situation([{"pos": "b1", "score": 2}, {"pos": "d1", "score": 2}], round=60)
    match = programs(match, IDLE, IDLE)
    outcome = match.outcome
    assert outcome is not None
    assert outcome.ranks == ((0, 1),)


def test_the_end_shows_everything() -> None:
    seats = [
        {"pos": "b5", "score": 4, "active": ["turbo"], "spare": ["shield"]},
        {"pos": "e5", "damage": 2, "active": ["anchor"]},
    ]
    match = programs(situation(seats), "I:r1E II:r1N III:b1N", f"{IDLE} order:anchor")
    view = match.view(None)
    assert view.modules[0].spare[0].name == "shield"
    last = view.revealed[1]
    assert last is not None
    assert last.orders == ("anchor",)


# --- leaving ------------------------------------------------------------------------------------------------


def test_who_withdraws_ranks_last_and_leaves_at_once() -> None:
    seats = [{"pos": "b1"}, {"pos": "d1", "score": 4, "active": ["anchor"]}, {"pos": "f1"}]
    match = situation(seats, mines=[{"space": "c5", "seat": 1}])
    match = match.act(0, GAME.read(f"program {IDLE} tile:3"))
    match = match.act(1, GAME.read(f"program {IDLE} tile:1"))
    match = match.apply(Entry(EntryKind.WITHDRAW, 1))
    view = match.view(None)
    assert view.robots[1].pos is None
    assert view.mines == ()
    assert view.free == (2,), "its tile leaves with it"
    assert sum(view.decks) == 48
    assert match.waiting == {2}
    match = match.act(2, GAME.read(f"program {IDLE} tile:2"))
    assert match.view(None).free == (1, 2), "one to the number of seats left"
    match = match.apply(Entry(EntryKind.WITHDRAW, 0))
    outcome = match.outcome
    assert outcome is not None
    assert outcome.ranks == ((2,), (0,), (1,))


def test_the_last_one_missing_withdraws_and_the_round_runs() -> None:
    match = situation([{"pos": "b1"}, {"pos": "d1"}, {"pos": "f1"}])
    match = match.act(0, GAME.read(f"program {IDLE} tile:3"))
    match = match.act(1, GAME.read(f"program {IDLE} tile:1"))
    match = match.apply(Entry(EntryKind.WITHDRAW, 2))
    assert match.view(None).round == 2


def test_a_set_up_that_is_not_offered_is_refused() -> None:
    for setup in (
        Setup("volt", "1", 5, (("arena", "A"), ("training", "off"), ("tiles", "race"))),
        Setup("volt", "1", 2, (("arena", "A"),)),
        Setup("volt", "1", 2, (("arena", "Z"), ("training", "off"), ("tiles", "race"))),
    ):
        with pytest.raises(ValueError):  # noqa: PT011
            Match.start(GAME, setup, SEED)


# --- the order of the answers -----------------------------------------------------------------------------


def test_the_order_in_which_programs_come_in_changes_nothing_but_who_takes_which_tile() -> None:
    seats = [
        {"pos": "d5", "active": ["turbo"]},
        {"pos": "f5", "active": ["shield"]},
        {"pos": "e3", "active": ["saw"]},
        {"pos": "e7", "active": ["anchor"]},
    ]
    said = (
        "program I:b4E+turbo-1 II:r3E III:b2S tile:3",
        "program I:b2W II:r6NW III:r3S order:shield tile:1",
        "program I:b3S+saw II:r5SE III:b2E tile:4",
        "program I:b2N II:r2N III:r4NE order:anchor tile:2",
    )
    ends = set()
    for order in permutations(range(4)):
        match = situation(seats)
        for seat in order:
            match = match.act(seat, GAME.read(said[seat]))
        ends.add(match.digest())
    assert len(ends) == 1
