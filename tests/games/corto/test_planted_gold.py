"""Planted bugs in the count of gold, the quests and imagined truths: the tests that are there turn red."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from engines.core.contract import Seat
from engines.corto import events, imagine, scoring, situation, view
from engines.corto.board import area, neighbours
from engines.corto.cards import CARDS
from engines.corto.quests import tiles, train
from engines.corto.quests.base import counts
from engines.corto.quests.face_up import Aces, Leopards, Vessel
from engines.corto.quests.train import Train
from engines.corto.state import State
from engines.corto.table import Table
from engines.corto.verbs import figurines
from engines.corto.view import CharacterView, GroupView, HandCard, PieceView, Square, View
from tests.games.corto import (
    test_imagine,
    test_quests_pieces,
    test_quests_places,
    test_scoring,
    test_situation,
)
from tests.games.corto.turns import given, say
from tests.kit.planting import passes

Patch = pytest.MonkeyPatch
Around = Callable[[tuple[str, ...], Square], tuple[Square, ...]]


# --- groups ---------------------------------------------------------------------------------------


def a_tie_is_control(patch: Patch) -> None:
    def controller(self: CharacterView) -> Seat | None:
        return self.markers.index(max(self.markers)) if any(self.markers) else None

    patch.setattr(CharacterView, "controller", property(controller))


def any_marker_is_control(patch: Patch) -> None:
    def controller(self: CharacterView) -> Seat | None:
        return next((seat for seat, count in enumerate(self.markers) if count), None)

    patch.setattr(CharacterView, "controller", property(controller))


def bare_characters_are_the_first_seats(patch: Patch) -> None:
    def controller(self: CharacterView) -> Seat | None:
        most = max(self.markers)
        return self.markers.index(most) if self.markers.count(most) == 1 or not most else None

    patch.setattr(CharacterView, "controller", property(controller))


def diagonals_touch(patch: Patch) -> None:
    patch.setattr(scoring, "neighbours", area)


def strips_lie_by_their_letters(patch: Patch) -> None:
    patch.setattr(scoring, "neighbours", lambda strips, square: neighbours(tuple(sorted(strips)), square))


def strips_do_not_touch(patch: Patch) -> None:
    patch.setattr(scoring, "neighbours", lambda _, square: neighbours((square[0].upper(),), square))


def strips_run_on(patch: Patch) -> None:
    def around(strips: tuple[str, ...], square: Square) -> tuple[Square, ...]:
        found = neighbours(strips, square)
        row = [strip.lower() for strip in strips]
        if square[1] == "7" and square[0] != row[-1]:
            return (*found, f"{row[row.index(square[0]) + 1]}1")
        return found

    patch.setattr(scoring, "neighbours", around)


def isolated_characters_count(patch: Patch) -> None:
    patch.setattr(scoring, "LEAST", 1)


def other_groups_count_double(patch: Patch) -> None:
    patch.setattr(scoring, "OTHERS", 2)


def every_largest_group_counts_double(patch: Patch) -> None:
    sound = scoring.groups_of

    def groups_of(public: Any, seat: Seat) -> list[GroupView]:
        found = sound(public, seat)
        most = max((len(group.squares) for group in found), default=0)
        return [
            GroupView(group.seat, group.squares, True, 2 * most) if len(group.squares) == most else group
            for group in found
        ]

    patch.setattr(scoring, "groups_of", groups_of)


def the_first_group_is_the_largest(patch: Patch) -> None:
    patch.setattr(scoring, "sorted", lambda found, key: list(found), raising=False)


def who_has_left_is_ranked_by_gold(patch: Patch) -> None:
    sound = scoring.ranks

    def ranks(public: Any) -> scoring.Ranks:
        return sound(replace(public, left=()))

    patch.setattr(test_scoring, "ranks", ranks)


def the_smaller_stock_wins(patch: Patch) -> None:
    sound = scoring.ranks
    patch.setattr(
        test_scoring,
        "ranks",
        lambda public: sound(replace(public, stock=tuple(-count for count in public.stock))),
    )


# --- Corto's gold ---------------------------------------------------------------------------------

FRIENDS = {
    "a3": "A01 blue",
    "a4": "A02 red blue",
    "b3": "B01 blue blue red",
    "b5": "B05 blue",
    "d3": "D05 blue",
}


def check_cortos_gold() -> None:
    """Corto goes to b3: a3 and b3 are Blue's friends, a4 is even, b5 and d3 are none of his."""
    after = say(given(FRIENDS, "A17"), "corto A17 b3 gold")
    assert after.public.corto_gold == (0, 2)
    after = say(given({"b2": "B01 blue", "b5": "B02 blue"}, "A17"), "corto A17 a3 gold")
    assert after.public.corto_gold == (0, 1), "b2 lies in the area, by a corner; b5 does not"


def corto_pays_who_plays_him(patch: Patch) -> None:
    sound = figurines.friends_earn
    patch.setattr(
        figurines, "friends_earn", lambda table: tuple((square, table.seat) for square, _ in sound(table))
    )


def corto_pays_for_anybody(patch: Patch) -> None:
    patch.setattr(figurines, "friends_earn", partial(_earn, friends=False))


def corto_pays_for_neighbours_alone(patch: Patch) -> None:
    patch.setattr(figurines, "friends_earn", partial(_earn, around=neighbours))


def corto_pays_the_first_of_equals(patch: Patch) -> None:
    patch.setattr(figurines, "friends_earn", partial(_earn, ties=True))


def _earn(
    table: Table, *, friends: bool = True, ties: bool = False, around: Around = area
) -> tuple[tuple[Square, Seat], ...]:
    """Return who earns by the rule, or by one of its misreadings."""
    origin = table.turn.origin
    assert origin is not None
    found: list[tuple[Square, Seat]] = []
    for square in around(table.strips, origin):
        standing = table.board.get(square)
        if standing is None or (friends and not CARDS[standing.card].friend):
            continue
        seat = standing.markers.index(max(standing.markers)) if ties else standing.controller
        if seat is not None:
            found.append((square, seat))
    return tuple(found)


def test_the_misreadings_begin_with_the_rule(monkeypatch: Patch) -> None:
    monkeypatch.setattr(figurines, "friends_earn", _earn)
    check_cortos_gold()


# --- quests ---------------------------------------------------------------------------------------


def the_vessel_sails_off_the_board(patch: Patch) -> None:
    patch.setattr(Vessel, "sails", lambda self, table, strip: (0, 8))


def the_aces_go_to_whoever_moves(patch: Patch) -> None:
    def turn_ends(self: Aces, table: Table, strip: str) -> None:
        table.pieces[strip] = [PieceView("aces", holder=table.seat)]
        table.tell(events.aces_taken(table.seat, strip, None))

    patch.setattr(Aces, "turn_ends", turn_ends)


def crows_cost_more_than_ingots_bring(patch: Patch) -> None:
    patch.setattr(tiles, "max", lambda least, gold: gold, raising=False)


def the_next_tile_is_taken(patch: Patch) -> None:
    patch.setattr(tiles, "column_of", lambda square: 2)


def any_most_leopards_pay(patch: Patch) -> None:
    def gold(self: Leopards, adventure: Any, pieces: Any, board: Any, seats: int) -> tuple[int, ...]:
        held = counts(pieces, "leopard", seats)
        return tuple(own + 2 * (own == max(held) > 0) for own in held)

    patch.setattr(Leopards, "gold", gold)


def leopards_follow_the_victim(patch: Patch) -> None:
    sound = Leopards.killed
    patch.setattr(Leopards, "killed", lambda self, table, strip, acting: sound(self, table, strip, "d4"))


def the_train_does_not_turn_back(patch: Patch) -> None:
    patch.setattr(train, "heading_at", lambda column, heading: heading)


def the_last_carriage_is_taken_first(patch: Patch) -> None:
    sound = Train.struck

    def struck(self: Train, table: Table, strip: str) -> bool:
        table.hidden().faces[strip].reverse()
        found = sound(self, table, strip)
        table.hidden().faces[strip].reverse()
        return found

    patch.setattr(Train, "struck", struck)


# --- what is known --------------------------------------------------------------------------------


def others_hands_are_shown(patch: Patch) -> None:
    patch.setattr(
        view,
        "hand_seen",
        lambda state, seat, viewer: tuple(HandCard(card[0], card) for card in state.hands[seat]),
    )


def skips_are_forgotten(patch: Patch) -> None:
    patch.setattr(imagine.Deal, "fits", lambda self, seat, card: True)


def anybody_may_have_nothing_to_play(patch: Patch) -> None:
    patch.setattr(imagine.Deal, "mover", lambda self: None)


def taken_cards_are_forgotten(patch: Patch) -> None:
    patch.setattr(imagine, "seen_by", lambda *_: ())


def others_have_seen_nothing(patch: Patch) -> None:
    patch.setattr(imagine, "some", lambda *_: ())


def nothing_is_imagined(patch: Patch) -> None:
    """The last truth that was looked at is given back: it leaks, and has no twin."""
    seen: list[State] = []
    sound = view.look

    def spy(state: State, viewer: Any) -> View:
        seen.append(state)
        return sound(state, viewer)

    patch.setattr(test_imagine, "look", spy)
    patch.setattr(test_imagine, "imagine", lambda view, rng: seen[0])


def seals_take_cards_of_the_board(patch: Patch) -> None:
    sound = situation.sealed
    patch.setattr(
        situation,
        "sealed",
        lambda value, found: tuple(("A01",) * len(cards) for cards in sound(value, found)),
    )


def check_imagined_hands() -> None:
    test_imagine.test_cards_are_conserved_and_differ(0)


BUGS: list[tuple[Callable[[Patch], None], Callable[[], None]]] = [
    (a_tie_is_control, partial(test_scoring.test_control_is_a_strict_majority, {"red": 1, "blue": 1}, None)),
    (
        any_marker_is_control,
        partial(test_scoring.test_control_is_a_strict_majority, {"red": 1, "green": 2}, 3),
    ),
    (bare_characters_are_the_first_seats, test_scoring.test_characters_without_markers_join_nobody),
    (diagonals_touch, test_scoring.test_groups_reach_across_strips_but_not_diagonally),
    (strips_lie_by_their_letters, test_scoring.test_strips_touch_in_their_order_on_the_table),
    (strips_do_not_touch, test_scoring.test_the_treasure_count_of_the_rulebook),
    (strips_run_on, test_scoring.test_the_end_of_a_strip_does_not_touch_the_next_beginning),
    (isolated_characters_count, test_scoring.test_an_isolated_character_brings_nothing),
    (isolated_characters_count, test_scoring.test_the_treasure_count_of_the_rulebook),
    (other_groups_count_double, test_scoring.test_the_treasure_count_of_the_rulebook),
    (every_largest_group_counts_double, test_scoring.test_of_two_equal_largest_groups_one_counts_double),
    (the_first_group_is_the_largest, test_scoring.test_groups_are_told_largest_first),
    (who_has_left_is_ranked_by_gold, test_scoring.test_who_has_left_comes_last_with_any_gold),
    (the_smaller_stock_wins, test_scoring.test_of_equal_gold_the_larger_stock_wins),
    (corto_pays_who_plays_him, check_cortos_gold),
    (corto_pays_for_anybody, check_cortos_gold),
    (corto_pays_for_neighbours_alone, check_cortos_gold),
    (corto_pays_the_first_of_equals, check_cortos_gold),
    (
        the_vessel_sails_off_the_board,
        partial(test_quests_places.test_the_vessel_sails_one_column_and_stays_on_the_board, 7, (6,)),
    ),
    (
        the_aces_go_to_whoever_moves,
        partial(
            test_quests_places.test_the_strongest_here_takes_the_aces_at_its_turns_end,
            {"b1": {"red": 1}},
            None,
            False,
        ),
    ),
    (
        crows_cost_more_than_ingots_bring,
        partial(test_quests_pieces.test_tiles_pay_together_and_never_below_0, ["crow"], 0),
    ),
    (
        the_next_tile_is_taken,
        partial(test_quests_pieces.test_who_places_over_a_tile_takes_the_one_that_lies_there, "c3"),
    ),
    (
        any_most_leopards_pay,
        partial(
            test_quests_pieces.test_leopards_pay_1_each_and_2_for_the_strict_most,
            {"red": 2, "blue": 2},
            (2, 2, 0, 0),
        ),
    ),
    (
        leopards_follow_the_victim,
        partial(test_quests_pieces.test_a_kill_from_the_strip_takes_a_leopard, "a4", False),
    ),
    (the_train_does_not_turn_back, test_quests_pieces.test_the_train_turns_back_at_both_ends),
    (the_last_carriage_is_taken_first, test_quests_pieces.test_a_hit_takes_the_top_carriage_and_its_gold),
    (others_hands_are_shown, test_imagine.test_a_face_that_was_taken_stays_known_to_both),
    (skips_are_forgotten, test_imagine.test_what_a_skip_has_shown_of_a_hand_stays_true),
    (anybody_may_have_nothing_to_play, test_imagine.test_who_is_not_skipped_has_something_to_play),
    (taken_cards_are_forgotten, test_imagine.test_a_face_that_was_taken_stays_known_to_both),
    (others_have_seen_nothing, test_imagine.test_what_others_may_have_seen_is_imagined_anew),
    (nothing_is_imagined, check_imagined_hands),
    (seals_take_cards_of_the_board, test_situation.test_every_card_lies_in_one_place),
]


@pytest.mark.parametrize(("plant", "check"), BUGS, ids=[plant.__name__ for plant, _ in BUGS])
def test_a_planted_bug_is_caught(
    plant: Callable[[Patch], None], check: Callable[[], None], monkeypatch: Patch
) -> None:
    assert passes(check)
    plant(monkeypatch)
    with pytest.raises((AssertionError, StopIteration, ValueError)):
        check()
