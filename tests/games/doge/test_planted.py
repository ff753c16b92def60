"""Mistakes that people make at their turns and with the ghost, planted: the tests must turn red."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.core.contract import IllegalAction, Menu, Msg, Seat, Words, msg
from engines.doge import forms, game, menu, rules, words
from engines.doge.components import CRAFTS, GHOST_CARDS, LOCATIONS, PRINTED, SQUARES, Square, Way
from engines.doge.rules import Progress
from engines.doge.state import replace_at
from engines.doge.view import Phase, Public, Reason, Result, View
from tests.games.doge import (
    test_ghost,
    test_refusals,
    test_setup,
    test_turns,
)
from tests.games.doge.planting import Check, Patch, Plant, after, must_be_seen, name_of

# --- set-up -----------------------------------------------------------------------------------------


def an_ordinary_die(patch: Patch) -> None:
    patch.setattr(rules, "DIE", (1, 2, 3, 4, 5, 6))


def ten_ghosts_at_every_table(patch: Patch) -> None:
    patch.setitem(GHOST_CARDS[PRINTED], 3, 10)


def cards_laid_out_are_kept(patch: Patch) -> None:
    patch.setattr(Public, "crafts", CRAFTS)


def pawns_summon_where_they_are_placed(patch: Patch) -> None:
    def summon(progress: Progress, before: Public, seat: Seat, square: Square) -> None:
        if square in LOCATIONS:
            progress.change(drawn=(*before.drawn, square))

    after(patch, "place", summon)


def pawns_share_a_square_at_the_start(patch: Patch) -> None:
    sound = Public.pawns_at

    def pawns_at(self: Public, square: Square) -> tuple[Seat, ...]:
        return () if self.phase is Phase.PLACE else sound(self, square)

    patch.setattr(Public, "pawns_at", pawns_at)


def blue_begins(patch: Patch) -> None:
    def begin(progress: Progress, before: Public, *_: Any) -> None:
        if progress.public.phase is Phase.ROLL:
            progress.change(turn=0)

    after(patch, "place", begin)


# --- turns ------------------------------------------------------------------------------------------


def ways_are_exchanged(patch: Patch) -> None:
    patch.setattr(
        rules, "landing", lambda square, way, steps: (square - (1 if way is Way.CLOCKWISE else -1)) % 10
    )


def turns_go_the_other_way_round(patch: Patch) -> None:
    def other_way(public: Public, start: Seat) -> list[Seat]:
        return [(start - 2 - n) % public.seats for n in range(public.seats)]

    patch.setattr(rules, "_round", other_way)


def who_is_out_still_has_turns(patch: Patch) -> None:
    patch.setattr(Public, "still_in", property(lambda self: tuple(range(self.seats))))


def who_has_no_false_card_can_be_met(patch: Patch) -> None:
    def meetable(self: Public) -> tuple[Seat, ...]:
        others = self.pawns_at(self.pawns[self.turn or 0] or 0)
        return tuple(seat for seat in others if seat != self.turn)

    patch.setattr(Public, "meetable", meetable)


def meetings_may_be_left(patch: Patch) -> None:
    sound = menu.menu_after

    def menu_after(view: View, draft: Words) -> Menu:
        if draft == ("leave",) and view.phase is Phase.CHOOSE:
            return Menu("leave", msg("prompt.pile"), draft, (), complete=True, closing=True)
        return sound(view, draft)

    patch.setattr(game.Doge, "menu_for", staticmethod(menu_after))


def the_false_card_goes_on_top(patch: Patch) -> None:
    sound = Progress.change

    def change(self: Progress, **changes: Any) -> None:
        if "gifts" in changes:
            changes["piles"] = tuple(
                (new[-1], *old) if len(new) > len(old) else new
                for old, new in zip(self.public.piles, changes["piles"], strict=True)
            )
        sound(self, **changes)

    patch.setattr(Progress, "change", change)


def any_square_has_room_for_a_pile(patch: Patch) -> None:
    patch.setattr(words, "CARD_SQUARES", tuple(SQUARES))


def two_false_cards_may_be_shown(patch: Patch) -> None:
    patch.setattr(words, "check_pair", lambda view, one, other: None)


def a_card_is_looked_at_and_left(patch: Patch) -> None:
    sound = rules.look

    def look(progress: Progress, seat: Seat) -> None:
        before = progress.public
        sound(progress, seat)
        progress.change(piles=before.piles, discards=before.discards)

    patch.setattr(game, "_SINGLE", {"look": look})


def the_bottom_card_is_looked_at(patch: Patch) -> None:
    sound = rules.look

    def look(progress: Progress, seat: Seat) -> None:
        place = progress.public.pawns[seat] or 0
        pile = progress.public.piles[place]
        progress.change(piles=replace_at(progress.public.piles, place, pile[::-1]))
        sound(progress, seat)

    patch.setattr(game, "_SINGLE", {"look": look})


# --- the ghost --------------------------------------------------------------------------------------


def every_square_is_haunted(patch: Patch) -> None:
    patch.setattr(rules, "LOCATIONS", dict.fromkeys(SQUARES, LOCATIONS[0]))


def a_spent_pawn_leaves_its_location_empty(patch: Patch) -> None:
    sound = Public.pawns_at

    def pawns_at(self: Public, square: Square) -> tuple[Seat, ...]:
        return tuple(s for s in sound(self, square) if s == self.turn or self.false_cards(s))

    patch.setattr(Public, "pawns_at", pawns_at)


def the_ghost_asks_who_summoned_it(patch: Patch) -> None:
    patch.setattr(
        Public, "hauntable", lambda self: tuple(s for s in self.pawns_at(self.ghost) if self.false_cards(s))
    )


def the_ghost_takes_from_who_has_nothing(patch: Patch) -> None:
    patch.setattr(
        Public, "hauntable", lambda self: tuple(s for s in self.pawns_at(self.ghost) if s != self.turn)
    )


def the_ghost_chooses_for_itself(patch: Patch) -> None:
    sound = Public.hauntable
    patch.setattr(Public, "hauntable", lambda self: sound(self)[:1])


def the_ghost_takes_two_cards(patch: Patch) -> None:
    def like_a_meeting(progress: Progress, before: Public, other: Seat) -> None:
        progress.change(phase=Phase.SHOW)

    after(patch, "haunt", like_a_meeting)


def the_ghost_takes_true_cards(patch: Patch) -> None:
    def read_false(view: View, said: Words) -> Any:
        cards = [card for word in said if (card := words.card_of(word))]
        squares = [square for word in said if (square := words.square_of(word))]
        return (cards[-1] if cards else None), (squares[-1] if squares else None)

    patch.setattr(forms, "read_false", read_false)


def the_ghost_deck_is_shuffled_again(patch: Patch) -> None:
    sound = rules.move

    def move(progress: Progress, seat: Seat, way: Way) -> None:
        if not progress.public.deck:
            progress.state = replace(progress.state, ghosts=tuple(LOCATIONS))
            progress.change(deck=5)
        sound(progress, seat, way)

    patch.setattr(rules, "move", move)


def the_last_ghost_card_loses(patch: Patch) -> None:
    def lose(progress: Progress, before: Public, *_: Any) -> None:
        if before.deck and not progress.public.deck:
            rules.finish(progress, Result(won=False, reason=Reason.GHOST))

    after(patch, "move", lose)


def refusals_are_all_alike(patch: Patch) -> None:
    def illegal(key: str, **args: str | int | Msg) -> None:
        raise IllegalAction(msg("error.not_now", word=key))

    patch.setattr(words, "illegal", illegal)


PLANTED: list[tuple[Plant, Check]] = [
    (an_ordinary_die, test_setup.test_the_die_has_the_faces_of_the_rulebook),
    (ten_ghosts_at_every_table, lambda: test_setup.test_so_many_cards_each_two_of_them_true(3, 8, 8, 2)),
    (cards_laid_out_are_kept, lambda: test_setup.test_so_many_cards_each_two_of_them_true(3, 8, 8, 2)),
    (pawns_summon_where_they_are_placed, test_setup.test_nothing_triggers_where_pawns_are_placed),
    (pawns_share_a_square_at_the_start, test_setup.test_all_place_their_pawns_in_whatever_order_they_answer),
    (blue_begins, test_setup.test_a_random_player_begins_whoever_was_the_last_to_place),
    (ways_are_exchanged, lambda: test_turns.test_the_pawn_goes_exactly_so_far_either_way_round(1, "cw", 4)),
    (turns_go_the_other_way_round, test_turns.test_turns_go_clockwise_by_seat_and_skip_who_is_out),
    (who_is_out_still_has_turns, test_turns.test_turns_go_clockwise_by_seat_and_skip_who_is_out),
    (who_has_no_false_card_can_be_met, test_turns.test_who_has_no_false_card_left_cannot_be_met),
    (meetings_may_be_left, test_turns.test_with_a_meeting_and_a_pile_one_of_the_two_must_be_done),
    (
        the_false_card_goes_on_top,
        test_turns.test_the_true_card_goes_back_and_the_false_one_to_the_bottom_of_a_pile,
    ),
    (any_square_has_room_for_a_pile, test_turns.test_every_card_square_and_no_other_may_be_chosen),
    (
        two_false_cards_may_be_shown,
        lambda: test_refusals.test_every_pair_is_taken_or_refused_with_its_fault("show"),
    ),
    (a_card_is_looked_at_and_left, test_turns.test_the_top_card_is_seen_by_one_player_and_discarded),
    (the_bottom_card_is_looked_at, test_turns.test_the_top_card_is_seen_by_one_player_and_discarded),
    (every_square_is_haunted, test_ghost.test_the_ghost_comes_to_main_locations_only),
    (a_spent_pawn_leaves_its_location_empty, test_ghost.test_a_main_location_with_another_pawn_is_not_empty),
    (the_ghost_asks_who_summoned_it, test_ghost.test_the_active_pawn_does_not_count),
    (
        the_ghost_takes_from_who_has_nothing,
        test_ghost.test_who_has_no_false_card_left_gives_the_ghost_nothing,
    ),
    (the_ghost_chooses_for_itself, test_ghost.test_of_several_pawns_there_the_active_player_chooses_one),
    (the_ghost_takes_two_cards, test_ghost.test_who_stands_there_gives_one_false_card),
    (the_ghost_takes_true_cards, test_ghost.test_the_owner_may_choose_any_false_card_and_square),
    (the_ghost_deck_is_shuffled_again, test_ghost.test_a_summoning_with_the_deck_empty_loses_at_once),
    (the_last_ghost_card_loses, test_ghost.test_the_last_ghost_card_is_carried_out_like_any_other),
    (
        refusals_are_all_alike,
        lambda: test_refusals.test_every_pair_is_taken_or_refused_with_its_fault("ahead"),
    ),
]


@pytest.mark.parametrize(("plant", "check"), PLANTED, ids=name_of)
def test_a_planted_mistake_is_seen(plant: Plant, check: Check, monkeypatch: Patch) -> None:
    must_be_seen(plant, check, monkeypatch)
