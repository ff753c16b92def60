"""Mistakes that people make with these rules, planted: the tests must turn red."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engines.core.contract import ActionError
from engines.corto import board, table, turn
from engines.corto.board import area
from engines.corto.cards import CARDS, Card
from engines.corto.table import Table
from engines.corto.verbs import actions, advantages, base, ending, figurines, objects
from engines.corto.view import CardId, Square
from tests.games.corto import (
    test_advantages,
    test_characters,
    test_ending,
    test_figurines,
    test_objects,
    test_turns,
    test_worked_turn,
)
from tests.kit.planting import passes

Plant = Callable[[pytest.MonkeyPatch], None]
"""Puts one mistake into the rules."""


def victims_credit(patch: pytest.MonkeyPatch) -> None:
    """The card of a killed character goes to whose turn comes next."""
    right = actions.kill

    def wrong(table: Table, square: Square, by: CardId | None, acting_square: Square) -> None:
        right(table, square, by, acting_square)
        if table.seal[table.seat]:
            table.seal[(table.seat + 1) % len(table.colours)].append(table.seal[table.seat].pop())

    patch.setattr(actions, "kill", wrong)


def leopards_at_the_victim(patch: pytest.MonkeyPatch) -> None:
    """The victim's square counts as the acting one."""
    right = actions.kill
    patch.setattr(actions, "kill", lambda table, square, by, _acting: right(table, square, by, square))


def one_strip_ends(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(board, "FULL_STRIPS", 1)


def characters_alone_occupy(patch: pytest.MonkeyPatch) -> None:
    """Figurines count for nothing when strips are looked at."""
    patch.setattr(Table, "occupied", lambda table: set(table.board))


def second_character_may_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ending, "has_played_one", lambda table: False)


def objects_count_as_singles(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ending, "has_played_one", lambda table: bool(table.turn.played))


def kill_gives_markers_to_nobody(patch: pytest.MonkeyPatch) -> None:
    def wrong(table: Table, square: Square, by: CardId | None, acting_square: Square) -> None:
        del by, acting_square
        table.seal[table.seat].append(table.board.pop(square).card)

    patch.setattr(actions, "kill", wrong)


def corners_are_adjacent(patch: pytest.MonkeyPatch) -> None:
    for module in (board, table):
        patch.setattr(module, "neighbours", area)


def figurines_reach_their_area(patch: pytest.MonkeyPatch) -> None:
    """Objects of a figurine act in its area."""
    right = objects.squares_in_reach

    def wrong(table: Table, card: Card) -> tuple[Square, ...]:
        squares = right(table, card)
        origin = table.turn.origin
        if origin is not None and origin in table.figurines.values():
            return area(table.strips, origin)
        return squares

    for module in (objects, actions):
        patch.setattr(module, "squares_in_reach", wrong)


def any_figurine_above_will_do(patch: pytest.MonkeyPatch) -> None:
    """It is asked whether a figurine stands there, not whether the object comes with it."""
    patch.setattr(
        objects, "_comes_with_figurine", lambda table: table.turn.origin in table.figurines.values()
    )


def long_range_is_catching(patch: pytest.MonkeyPatch) -> None:
    """An object reaches as far as the character that it comes with."""
    patch.setattr(objects, "reach", lambda strips, square, card: board.lines(strips, square) if card else ())


def corto_pays_the_player(patch: pytest.MonkeyPatch) -> None:
    right = figurines.friends_earn
    patch.setattr(
        figurines, "friends_earn", lambda table: tuple((square, table.seat) for square, _ in right(table))
    )


def corto_pays_ties(patch: pytest.MonkeyPatch) -> None:
    """The first of those with most markers earns."""

    def wrong(table: Table) -> tuple[tuple[Square, int], ...]:
        around = area(table.strips, table.turn.origin or "a0")
        return tuple(
            (square, standing.markers.index(max(standing.markers)))
            for square, standing in table.board.items()
            if square in around and CARDS[standing.card].friend and any(standing.markers)
        )

    patch.setattr(figurines, "friends_earn", wrong)


def safe_conduct_guards_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(actions, "spared", lambda table, square: any(table.kept))


def safe_conduct_guards_nobody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(actions, "spared", lambda table, square: False)


def swap_forgets_the_origin(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "last_standing", lambda table: None)


def thieves_are_seen(patch: pytest.MonkeyPatch) -> None:
    """Nobody loses sight of anything."""
    patch.setattr(advantages, "lose_sight", lambda *_: None)


def three_draws(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(turn, "DRAWS", 3)


def five_cards(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(base, "MOST_CARDS", 5)


def borders_hit_their_own(patch: pytest.MonkeyPatch) -> None:
    right = objects.markers_on

    def wrong(table: Table, squares: tuple[Square, ...], *, own: bool) -> tuple[tuple[Square, int], ...]:
        del own
        return right(table, squares, own=True)

    patch.setattr(objects, "markers_on", wrong)


PLANTED: list[tuple[Plant, Callable[[], None]]] = [
    (victims_credit, test_characters.test_a_black_border_kills_who_has_no_marker_and_the_card_is_gold),
    (victims_credit, test_worked_turn.test_the_worked_turn_of_the_rulebook),
    (leopards_at_the_victim, test_objects.test_leopards_follow_the_acting_square),
    (one_strip_ends, test_ending.test_one_full_strip_is_not_enough),
    (characters_alone_occupy, test_ending.test_a_figurine_occupies_a_square),
    (second_character_may_end, test_ending.test_a_second_character_may_not_fill_the_second_strip),
    (second_character_may_end, test_ending.test_after_the_strips_are_full_no_second_character_or_figurine),
    (
        second_character_may_end,
        test_ending.test_a_second_figurine_may_go_elsewhere,
    ),
    (objects_count_as_singles, test_ending.test_an_advantage_before_the_single_character_is_free),
    (kill_gives_markers_to_nobody, test_figurines.test_rasputin_eliminates_whoever_it_is_and_markers_go_home),
    (corners_are_adjacent, test_characters.test_edges_join_across_strips_but_corners_do_not),
    (figurines_reach_their_area, test_objects.test_a_figurine_lends_its_four_neighbours_not_its_area),
    (
        any_figurine_above_will_do,
        test_objects.test_who_was_brought_under_a_figurine_does_not_act_on_itself,
    ),
    (long_range_is_catching, test_objects.test_long_range_belongs_to_the_card_that_has_it),
    (corto_pays_the_player, test_figurines.test_each_friend_around_corto_earns_for_who_has_most_markers),
    (corto_pays_ties, test_figurines.test_each_friend_around_corto_earns_for_who_has_most_markers),
    (safe_conduct_guards_all, test_advantages.test_safe_conduct_is_no_shield_against_oneself),
    (
        safe_conduct_guards_nobody,
        test_advantages.test_safe_conduct_stays_in_front_and_takes_the_next_hit_by_itself,
    ),
    (swap_forgets_the_origin, test_objects.test_swap_carries_the_origin_of_objects),
    (thieves_are_seen, test_advantages.test_a_known_card_is_lost_sight_of_when_a_like_back_is_taken),
    (three_draws, test_turns.test_after_playing_up_to_two_cards_are_drawn),
    (five_cards, test_advantages.test_four_cards_a_turn_whatever_is_picked),
    (borders_hit_their_own, test_characters.test_a_border_does_not_touch_ones_own_markers),
]


@pytest.mark.parametrize(("plant", "check"), PLANTED, ids=lambda value: getattr(value, "__name__", "check"))
def test_a_planted_mistake_is_seen(
    plant: Plant, check: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert passes(check)
    plant(monkeypatch)
    with pytest.raises((AssertionError, ActionError, pytest.fail.Exception)):
        check()
