"""Planted bugs: each breaks one rule, and the tests that are there for it turn red."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engines.core.contract import Seat, Step, Words
from engines.core.rng import Rng
from engines.volt import activation, events, preparation, resolution, rules
from engines.volt.arena import arena
from engines.volt.battle import Battle, Stop
from engines.volt.rulesets import RULESETS
from engines.volt.state import State
from engines.volt.step_builder import StepBuilder
from engines.volt.view import Arrow, DieView, Lost, Phase, ProgramView, Public, Space
from tests.games.volt import (
    test_modules_blue,
    test_modules_red,
    test_modules_yellow,
    test_moves,
    test_reference,
    test_rounds,
    test_secrets,
)
from tests.kit.planting import passes

Patch = pytest.MonkeyPatch


def red_before_blue(patch: Patch) -> None:
    sound = activation.key

    def key(die: DieView, program: ProgramView) -> tuple[int, int, int]:
        unit, number, colour = sound(die, program)
        return unit, number, 1 - colour

    patch.setattr(activation, "key", key)


def high_numbers_first(patch: Patch) -> None:
    sound = activation.key

    def key(die: DieView, program: ProgramView) -> tuple[int, int, int]:
        unit, number, colour = sound(die, program)
        return unit, -number, colour

    patch.setattr(activation, "key", key)


def tiles_turned_round(patch: Patch) -> None:
    patch.setattr(activation, "tile_of", lambda battle, seat: -(battle.programs[seat].tile or 0))


def chips_for_robots_off_the_board(patch: Patch) -> None:
    def tied(battle: Battle, group: list[activation.Turn]) -> Any:
        chips = [turn for turn in group if "priority" in battle.orders[turn[0]]]
        for turn in [*chips, *(turn for turn in group if turn not in chips)]:
            if battle.pos(turn[0]) is None:
                battle.say(events.skipped(turn[0], "I"))
            else:
                yield turn

    patch.setattr(activation, "tied", tied)


def credit_for_oneself(patch: Patch) -> None:
    sound = Battle.fall

    def fall(self: Battle, victim: Seat, by: Seat | None, arrow: Arrow | None = None) -> None:
        sound(self, victim, by, arrow)
        if by is not None and by == victim:
            self.score(by, "kill")

    patch.setattr(Battle, "fall", fall)


def no_credit_for_falls(patch: Patch) -> None:
    sound = Battle.fall
    patch.setattr(Battle, "fall", lambda self, victim, by, arrow=None: sound(self, victim, None, arrow))


def mines_for_the_pusher(patch: Patch) -> None:
    sound = Battle.enter

    def enter(self: Battle, seat: Seat, target: Space, by: Seat) -> None:
        if target in self.mines:
            self.mines[target] = by
        sound(self, seat, target, by)

    patch.setattr(Battle, "enter", enter)


def only_two_are_pushed(patch: Patch) -> None:
    sound = Battle.chain

    def chain(self: Battle, seat: Seat, arrow: Arrow, by: Seat) -> tuple[Seat, ...] | Stop:
        found = sound(self, seat, arrow, by)
        return found if isinstance(found, Stop) or len(found) < 3 else Stop("wall", found[-1])

    patch.setattr(Battle, "chain", chain)


def the_back_moves_first(patch: Patch) -> None:
    sound = Battle.shift

    def shift(self: Battle, chain: Sequence[Seat], arrow: Arrow, by: Seat) -> None:
        sound(self, tuple(reversed(chain)), arrow, by)

    patch.setattr(Battle, "shift", shift)


def damage_given_back_after_a_fall(patch: Patch) -> None:
    sound = preparation.prepare

    def prepare(builder: StepBuilder) -> None:
        sound(builder)
        for robot in builder.public.robots:
            if robot.lost is Lost.FALL:
                builder.change_robot(robot.seat, damage=0)

    patch.setattr(resolution, "prepare", prepare)


def damage_kept_after_damage(patch: Patch) -> None:
    sound = StepBuilder.change_robot

    def change_robot(self: StepBuilder, seat: Seat, **fields: Any) -> None:
        if fields != {"damage": 0}:
            sound(self, seat, **fields)

    patch.setattr(StepBuilder, "change_robot", change_robot)


def two_tokens_a_round(patch: Patch) -> None:
    sound = preparation.lay_token

    def lay_token(builder: StepBuilder, label: int = 0) -> None:
        sound(builder, label)
        if len(builder.public.tokens) < 3 and builder.public.round:
            sound(builder, 9)

    patch.setattr(preparation, "lay_token", lay_token)


def anchors_last_for_ever(patch: Patch) -> None:
    sound = activation.activate

    def activate(battle: Battle, seat: Seat, die: DieView) -> None:
        held = set(battle.anchored)
        sound(battle, seat, die)
        battle.anchored |= held | {n for n, used in enumerate(battle.used) if "anchor" in used}

    patch.setattr("tests.games.volt.support.activate", activate)


def shield_before_reflector(patch: Patch) -> None:
    sound = Battle.uses

    def uses(self: Battle, seat: Seat, name: str) -> bool:
        if name == "reflector" and sound(self, seat, "shield"):
            return False
        return sound(self, seat, name)

    patch.setattr(Battle, "uses", uses)


def the_end_waits_for_the_die(patch: Patch) -> None:
    sound = Battle.score

    def score(self: Battle, seat: Seat, why: str) -> None:
        target, self.target = self.target, 99
        sound(self, seat, why)
        self.target = target

    patch.setattr(Battle, "score", score)


def void_modules_are_shown(patch: Patch) -> None:
    sound = resolution.seen_program

    def seen(battle: Battle, seat: Seat, shown: dict[Seat, set[int]]) -> ProgramView | None:
        return sound(battle, seat, {seat: {0, 1, 2}})

    patch.setattr(resolution, "seen_program", seen)


def spaces_before_cards(patch: Patch) -> None:
    patch.setitem(RULESETS, "2", replace(RULESETS["2"], space_first=True))


def spaces_of_every_side(patch: Patch) -> None:
    def free_starts(self: Public, seat: Seat) -> tuple[Space, ...]:
        standing = {robot.pos for robot in self.robots}
        return tuple(s for side in arena(self.arena).start.values() for s in side if s not in standing)

    patch.setattr(Public, "free_starts", free_starts)


def spaces_are_taken_one_by_one(patch: Patch) -> None:
    sound = rules.answer

    def answer(state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        step = sound(state, seat, words, rng)
        if state.public.phase is not Phase.REBOOT or step.state.public.phase is not Phase.REBOOT:
            return step
        builder = StepBuilder(step.state, rng)
        builder.change_robot(seat, pos=words[1])
        return builder.step()

    patch.setattr(rules, "answer", answer)


def set_up() -> None:
    """Compare set-ups by ruleset 2 with the reference."""
    for number in range(5):
        test_reference.compare("2", "off", "A", 3, number)


BUGS: list[tuple[Callable[[Patch], None], Callable[[], None]]] = [
    (red_before_blue, test_modules_yellow.test_reverse_gear_turns_the_units_round),
    (high_numbers_first, test_modules_yellow.test_worked_check_4_the_order_of_dice),
    (tiles_turned_round, test_modules_yellow.test_worked_check_4_the_order_of_dice),
    (chips_for_robots_off_the_board, test_modules_yellow.test_a_chip_that_changes_nothing_stays_unseen),
    (credit_for_oneself, test_moves.test_worked_check_3_the_pusher_goes_on_into_the_pit),
    (no_credit_for_falls, test_moves.test_a_chain_of_three_into_a_pit),
    (mines_for_the_pusher, test_moves.test_a_mines_kill_is_its_owners_whoever_pushed),
    (only_two_are_pushed, test_moves.test_chains_move_together),
    (the_back_moves_first, test_moves.test_the_front_robot_moves_first),
    (damage_given_back_after_a_fall, test_rounds.test_worked_check_5_damage_is_given_back_after_damage_only),
    (damage_kept_after_damage, test_rounds.test_worked_check_5_damage_is_given_back_after_damage_only),
    (two_tokens_a_round, lambda: test_rounds.test_worked_check_7_one_token_a_round([], 1)),
    (anchors_last_for_ever, test_modules_blue.test_an_anchor_is_used_up_after_its_die),
    (shield_before_reflector, test_modules_yellow.test_reflector_goes_before_shield),
    (the_end_waits_for_the_die, test_rounds.test_worked_check_6_the_match_ends_in_mid_activation),
    (the_end_waits_for_the_die, test_modules_red.test_the_last_point_stops_the_core),
    (spaces_before_cards, set_up),
    (spaces_of_every_side, set_up),
    (spaces_are_taken_one_by_one, set_up),
    (spaces_before_cards, test_rounds.test_a_start_space_is_named_once_both_modules_are_known),
    (spaces_are_taken_one_by_one, test_secrets.test_a_start_space_stays_secret_until_all_have_named_theirs),
    (void_modules_are_shown, test_secrets.test_a_void_dies_modules_and_unused_orders_stay_secret),
]


@pytest.mark.parametrize(("plant", "check"), BUGS, ids=[plant.__name__ for plant, _ in BUGS])
def test_a_planted_bug_is_caught(
    plant: Callable[[Patch], None], check: Callable[[], None], monkeypatch: Patch
) -> None:
    assert passes(check)
    plant(monkeypatch)
    with pytest.raises((AssertionError, KeyError)):
        check()
