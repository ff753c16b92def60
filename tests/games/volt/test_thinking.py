"""VOLT's computer players: what they see, that they say the same again, how they answer each other, why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

import pytest

from engines.core.contract import Msg, Seat, Words
from engines.core.match import Match
from engines.core.optional_methods import Judgement, Level, Skill
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.core.texts import load
from engines.volt import GAME
from engines.volt.activation import run
from engines.volt.battle import Battle, Won
from engines.volt.contest import Contest, Pool, World, shares
from engines.volt.draft import Basis, Draft
from engines.volt.notation import program_of
from engines.volt.outlook import Outlook, settle
from engines.volt.plans import Plan, Planner
from engines.volt.thinking import BEST_LOOKS, BEST_PLANS_LESS, WORLDS, Thinker
from engines.volt.view import Phase, ProgramView
from tests.games.volt.support import SEED, act, programs, situation
from tests.kit.samples import some

TINY = 0.004
QUIET = "I:r1N II:r1N III:b1N"
"""Two shots to the north and a step: on the northern rim nothing comes of it."""


def said(match: Match, level: Level, seat: Seat = 0, effort: float = 0.05) -> Words:
    return match.computer(seat, Skill(level, effort))


def other_rng(number: int) -> Rng:
    return Rng(bytes([number]) * 32)


# --- sentences ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "options"),
    some([(2, {}), (2, {"training": "on"}), (3, {"tiles": "draw", "arena": "D"}), (4, {"arena": "C"})], 4),
)
def test_every_answer_of_a_match_is_legal_and_the_same_again(seats: int, options: Mapping[str, str]) -> None:
    match = Match.start(GAME, complete(GAME.manifest, seats, options), SEED)
    asked = set()
    for number in range(24):
        waiting = [seat for seat in match.waiting if seat in GAME.waiting(match.view(seat))]
        if not waiting:
            break
        level = list(Level)[number % 3]
        words = said(match, level, waiting[0], TINY)
        assert words == said(match, level, waiting[0], TINY)
        asked.add(match.view(None).phase)
        assert told(match, GAME.write(words), waiting[0])
        match = match.act(waiting[0], words)
    decks = set() if "training" in options else {Phase.START, Phase.SECOND}
    assert asked >= {*decks, Phase.REBOOT, Phase.PROGRAM}


@pytest.mark.parametrize("level", Level)
def test_who_cannot_tell_two_truths_apart_says_the_same(level: Level) -> None:
    match = situation(
        [
            {"pos": "c4", "active": ["strafe", "shield"], "spare": ["turbo"]},
            {"pos": "e5", "damage": 1, "active": ["bomb", "reflector"], "spare": ["jump"]},
            {"pos": "g3", "active": ["explosive", "pit"]},
        ],
        tokens=[1, 3, 5],
    )
    match = match.act(1, GAME.read("program I:r3W+bomb II:b1N III:r6N order:reflector tile:2"))
    twin = GAME.imagine(match.view(0), other_rng(7))
    assert GAME.record(twin) != GAME.record(match.state)
    assert said(Match.at(GAME, match.setup, SEED, twin), level) == said(
        Match.at(GAME, match.setup, SEED, match.state), level
    )


@pytest.mark.parametrize("level", Level)
def test_other_randomness_gives_another_program(level: Level) -> None:
    match = situation([{"pos": "c4"}, {"pos": "g6"}], tokens=[1, 3, 5])
    assert len({thought(match, level, number) for number in range(8)}) > 1


def test_whoever_may_choose_a_tile_takes_the_lowest_that_is_left() -> None:
    match = situation([{"pos": "c4"}, {"pos": "g6"}], tokens=[1])
    assert said(match, Level.BEST, effort=TINY)[-1] == "tile:1"
    match = match.act(1, GAME.read(f"program {QUIET} tile:1"))
    assert said(match, Level.BEST, effort=TINY)[-1] == "tile:2"


def test_each_level_has_a_name() -> None:
    assert {GAME.level_names[level].key for level in Level} == {f"level.{level.value}" for level in Level}


# --- strength -------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", Level)
def test_a_shot_that_wins_is_fired(level: Level) -> None:
    match = situation([{"pos": "b8", "score": 4}, {"pos": "b1", "damage": 2}])
    match = match.act(0, said(match, level)).act(1, GAME.read(f"program {QUIET} tile:2"))
    assert match.outcome is not None
    assert match.outcome.ranks[0] == (0,)


def test_only_the_first_level_bets_on_rivals_that_stand_still() -> None:
    # The next hit destroys the own robot, and is the point that the rival lacks.
    seats = [{"pos": "f5", "damage": 2, "score": 3}, {"pos": "g6", "score": 4}]
    match = situation(seats, tokens=[1, 3, 5])
    outlook = Outlook(match.view(0))
    planner = Planner(Basis.of(match.view(1)), 2, Rng(SEED).stream("rival"))
    likely = planner.best(lambda plan: outlook.alone(1, plan.program), 400, 20).plans
    worst = {
        level: min(
            sum(outlook.together({0: own, 1: plan.program})[0] for plan in likely) / len(likely)
            for number in range(4)
            for own in (program_of(thought(match, level, number, effort=0.05)),)
        )
        for level in Level
    }
    assert worst[Level.FIRST] < 0.1 < min(worst[Level.MIDDLE], worst[Level.BEST])


@pytest.mark.parametrize("level", Level)
def test_nobody_walks_into_a_pit_for_nothing(level: Level) -> None:
    match = situation([{"pos": "d3", "damage": 1}, {"pos": "h9"}], tokens=[1])
    for number in range(2):
        assert "reason.lost" not in keys(match, " ".join(thought(match, level, number, effort=0.05)))


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.BEST])
def test_a_robot_that_the_next_hit_destroys_is_repaired(level: Level) -> None:
    assert said(on_repair_space(damage=2), level) == ("repair",)


# --- looking ahead --------------------------------------------------------------------------------


@pytest.mark.parametrize("arena", "ABCD")
def test_a_round_that_is_looked_at_is_the_round_that_comes(arena: str) -> None:
    setup = complete(GAME.manifest, 3, {"arena": arena})
    match, rounds, looked_at = Match.start(GAME, setup, SEED), 0, None
    while match.waiting and rounds < 4:
        before = match.view(None)
        seat = min(seat for seat in match.waiting if seat in GAME.waiting(match.view(seat)))
        words = ("repair",) if before.phase is Phase.REPAIR else match.computer(seat)
        if before.phase is Phase.PROGRAM and len(before.done) == 2:
            rounds += 1
            looked_at = after_round(match, {seat: program(" ".join(words[1:]))})
        match = match.act(seat, words)
        after = match.view(None)
        if looked_at is not None and after.phase in (Phase.REBOOT, Phase.PROGRAM) and not after.done:
            came = after.robots
            assert [robot.score for robot in came] == [robot.score for robot in looked_at.robots()]
            for old, new in zip(looked_at.robots(), came, strict=True):
                assert old.pos is None or (old.pos, old.damage) == (new.pos, new.damage)


def after_round(match: Match, last: Mapping[Seat, ProgramView]) -> Battle:
    """Return the battle after the round of the programs that are committed, and the last one."""
    committed = {seat: own for seat in range(3) if (own := match.view(seat).own) is not None}
    battle = Battle.of(match.view(None), {**committed, **last})
    with suppress(Won):
        run(battle)
        settle(
            battle,
            match.view(None).tokens,
            sorted(battle.programs, key=lambda n: battle.programs[n].tile or 0),
        )
    return battle


class Pennies:
    """A game in place of a round: seat 0 wins 3 for two ones and 1 for two twos, else it loses 2 or more.

    Both have ten beside that, whatever they do.
    """

    def together(self, programs: Mapping[Seat, ProgramView]) -> tuple[float, float]:
        one, other = (programs[seat].dice[0].number for seat in (0, 1))
        worth = {(1, 1): 3.0, (2, 2): 1.0}.get((one, other), float(-max(one, other)))
        return 10 + worth, 10 - worth


def test_both_sides_learn_the_mixed_answer_that_neither_can_improve() -> None:
    basis = Basis.of(situation([{"pos": "c4"}, {"pos": "g6"}]).view(0))
    plans = [Plan(Draft(basis, ()), program(f"I:r{number}N")) for number in (1, 2, 3)]
    own, rival = Pool(plans), Pool(plans[:2])
    contest = Contest(cast("Outlook", Pennies()), 0, own, [World(1, {1: rival}, {})])
    stream = Rng(SEED).stream("test")
    for number in range(4_000):
        contest.play(number, stream)
    # (3 + 2) / (3 + 2 + 2 + 1) of all is the second: then the other cannot do better by either.
    assert shares(own.leanings)[0] == pytest.approx(3 / 8, abs=0.04)
    assert shares(own.leanings)[2] < 0.01, "never better than another"
    assert shares(rival.leanings)[0] == pytest.approx(3 / 8, abs=0.04)


def test_the_best_level_finds_programs_that_answer_what_all_lean_to() -> None:
    view = situation([{"pos": "c4"}, {"pos": "e4"}]).view(0)
    first = Thinker(view, 10_000, 1, Rng(SEED))._contest(BEST_LOOKS, BEST_PLANS_LESS)  # noqa: SLF001
    contest = Thinker(view, 10_000, 1, Rng(SEED))._learned()  # noqa: SLF001
    begun = len(first.own.plans)
    assert contest.own.plans[:begun] == first.own.plans
    met = contest.encounters(48, Rng(SEED).stream("test"))
    chances = [contest.mean(plan, met) for plan in contest.own.plans]
    assert max(chances[begun:]) > max(chances[:begun]) + 0.01
    rivals = [[len(world.rivals[1].plans) for world in each.worlds] for each in (first, contest)]
    assert sum(after > before for before, after in zip(*rivals, strict=True)) > WORLDS // 2


def test_plans_are_legal_and_the_best_are_kept() -> None:
    match = situation(
        [{"pos": "c4", "active": ["diagonal", "shield"], "spare": ["turbo", "reverse"]}, {"pos": "g6"}]
    )
    view = match.view(0)
    outlook = Outlook(view)
    planner = Planner(Basis.of(view), 2, Rng(SEED).stream("test"))
    found = planner.best(lambda plan: outlook.alone(0, plan.program), 200, 5)
    assert len(found.plans) == 5
    assert outlook.looked_at <= 200
    for plan in found.plans:
        assert match.act(0, plan.draft.words()).view(0).own == plan.program
        assert ("shield" in plan.program.orders) == ("shield" in plan.draft.active), "what helps is on"
    worths = [outlook.alone(0, plan.program) for plan in found.plans]
    assert worths == sorted(worths, reverse=True)
    others = [planner.fresh() for _ in range(20)]
    assert all("shield" in plan.program.orders for plan in others)
    assert min(worths) > max(outlook.alone(0, plan.program) for plan in others[:3])


# --- looking back ---------------------------------------------------------------------------------


def test_a_win_thrown_away_is_judged_as_that() -> None:
    match = situation([{"pos": "b8", "score": 4}, {"pos": "b1", "damage": 2, "score": 4}], tokens=[1])
    thrown = judged(match, f"program {QUIET.replace('N', 'S')} tile:1")
    assert thrown.played < 0.7 < 0.9 < thrown.best
    assert "reason.wins" in keys(match, " ".join(thrown.better))
    taken = judged(match, f"program {QUIET} tile:1")
    assert 0.9 < taken.played <= taken.best < taken.played + 0.1


def test_short_answers_are_judged_too() -> None:
    hurt = on_repair_space(damage=2)
    kept = judged(hurt, "draw red")
    assert kept.better == ("repair",)
    assert kept.played < kept.best
    assert judged(hurt, "repair").better == ("repair",)


# --- reasons --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "words", "text"),
    [
        (
            [{"pos": "b8"}, {"pos": "b1", "damage": 2}],
            QUIET,
            "destroys Robot 2 and ends on b7",
        ),
        (
            [{"pos": "b8"}, {"pos": "b1"}],
            QUIET,
            "hits Robot 2 and ends on b7",
        ),
        ([{"pos": "c5"}, {"pos": "h9"}], QUIET, "takes the token on c4"),
        (
            [{"pos": "c5", "score": 4}, {"pos": "h9"}],
            QUIET,
            "scores the winning point",
        ),
        (
            [{"pos": "e4"}, {"pos": "e3"}],
            "I:b1N II:r1E III:r1E",
            "pushes or pulls Robot 2 and ends on e3",
        ),
        (
            [{"pos": "d3"}, {"pos": "h9"}],
            "I:b1S II:r1E III:r1E",
            "is destroyed and returns on its own side",
        ),
        (
            [{"pos": "c5"}, {"pos": "h5"}],
            "I:r1E II:b1N III:r1N",
            "hits Robot 2 and takes the token on c4",
        ),
        (
            [{"pos": "d3"}, {"pos": "f3"}],
            "I:r1E II:b1S III:r1E",
            "hits Robot 2 but is destroyed itself",
        ),
        ([{"pos": "c2"}, {"pos": "h9"}], "I:b2E II:r1N III:r1N", "ends on e2, 4 spaces from the token on c4"),
        (
            [{"pos": "c2", "damage": 1}, {"pos": "h9"}],
            "I:b1S II:r1E III:r1E",
            "ends on the repair space c3, where you can repair all damage",
        ),
        (
            [{"pos": "c2"}, {"pos": "h9"}],
            "I:b1S II:r1E III:r1E",
            "ends on the repair space c3, where you can draw a module",
        ),
        (
            [{"pos": "b2"}, {"pos": "i2"}],
            "I:b1S II:r1S III:r1S",
            "ends on b3, out of everyone’s line of fire",
        ),
    ],
)
def test_a_program_is_reasoned_by_what_it_comes_to(
    seats: list[dict[str, Any]], words: str, text: str
) -> None:
    match = situation(seats, tokens=[5])
    assert told(match, f"program {words} tile:1") == f"If nobody else moves, your robot {text}."


def test_short_answers_are_reasoned() -> None:
    hurt, whole = on_repair_space(damage=2), on_repair_space(damage=0)
    assert told(hurt, "repair") == "If you don’t repair, 1 more damage destroys your robot."
    assert told(hurt, "draw red") == "You get a module, but 1 more damage will destroy your robot."
    assert told(whole, "draw red") == "Your robot has no damage to repair, so the module costs you nothing."
    assert told(whole, "repair") == "Your robot has no damage, so nothing changes."
    near = r"c1 is \d+ spaces? from the token on ..\."
    yellow = "Yellow modules go with any others."
    match = Match.start(GAME, complete(GAME.manifest, 2, {"arena": "A"}), SEED)
    assert told(match, "draw yellow") == yellow
    match = act(match, "draw red", "draw red")
    assert told(match, "draw blue") == "You own no Blue module yet."
    assert re.fullmatch(near, told(act(match, "draw blue", "draw yellow"), "start c1"))
    match = Match.start(GAME, complete(GAME.manifest, 2, {"arena": "A"}, "1"), SEED)
    both = f"{near[:-2]}, and {re.escape(yellow)}"
    assert re.fullmatch(both, told(match, "start c1 draw yellow"))


# --- tools ----------------------------------------------------------------------------------------


def program(text: str) -> ProgramView:
    return program_of(tuple(text.split()))


def thought(match: Match, level: Level, number: int, effort: float = TINY) -> Words:
    menu = match.menu(0)
    assert menu is not None
    return GAME.think(match.view(0), menu, Skill(level, effort), other_rng(number))


def judged(match: Match, text: str) -> Judgement:
    menu = match.menu(0)
    assert menu is not None
    return GAME.judge(match.view(0), menu, GAME.read(text), Skill(Level.BEST, 0.02), Rng(SEED))


def told(match: Match, text: str, seat: Seat = 0) -> str:
    """Return the reason of a sentence as it is read; raises where a text or a gap is missing."""
    reason = GAME.reason(match.view(seat), GAME.read(text))
    return load("engines.volt").render(reason, lambda other: f"Robot {other + 1}")


def keys(match: Match, text: str) -> set[str]:
    """Return the keys of a sentence's reason and of all parts of it."""

    def of(message: Msg) -> set[str]:
        parts = (of(value) for _, value in message.args if isinstance(value, Msg))
        return {message.key}.union(*parts)

    return of(GAME.reason(match.view(0), GAME.read(text)))


def on_repair_space(damage: int) -> Match:
    """Return a match in which seat 0 is asked about a repair."""
    match = situation([{"pos": "c2", "damage": damage}, {"pos": "h9"}])
    return programs(match, "I:b1S II:r1W III:r1W", "I:b1S II:r1S III:r1S")
