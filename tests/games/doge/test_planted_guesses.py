"""Mistakes that people make with guesses, ends and gifts, planted: the tests must turn red."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.core.contract import Outcome, Seat, Words
from engines.core.player import walk
from engines.doge import events, forms, game, menu, rules, words
from engines.doge.components import Pair
from engines.doge.rules import Progress
from engines.doge.view import Guess, Phase, Public, Reason, Result, View
from tests.games.doge import (
    test_ends,
    test_gifts,
    test_guesses,
    test_leaving,
)
from tests.games.doge.planting import Check, Patch, Plant, after, must_be_seen, name_of

# --- guesses ----------------------------------------------------------------------------------------


def guesses_before_the_first_roll(patch: Patch) -> None:
    sound = rules.empty
    patch.setattr(rules, "empty", lambda *args, **more: replace(sound(*args, **more), turns=1))


def guesses_in_ones_own_turn_only(patch: Patch) -> None:
    def check(view: View) -> None:
        if not view.is_asked:
            words.illegal("not_asked")

    patch.setattr(forms, "_check_still_in", check)


def guesses_while_cards_are_owed(patch: Patch) -> None:
    sound = menu.menu_after

    def menu_after(view: View, draft: Words) -> Any:
        if draft[:1] == ("guess",):
            view = replace(view, owes=None)
        return sound(view, draft)

    def act(self: game.Doge, state: Any, seat: Seat, said: Words, rng: Any) -> Any:
        return super(game.Doge, self).act(state, seat, said, rng)

    patch.setattr(game.Doge, "menu_for", staticmethod(menu_after))
    patch.setattr(game.Doge, "act", act)


def own_cards_cannot_be_named(patch: Patch) -> None:
    sound = words.read_guess

    def read_guess(view: View, said: Words) -> Any:
        if view.own is not None and {card.value for card in view.own.cards} & set(said):
            words.illegal("own")
        return sound(view, said)

    patch.setattr(forms, "read_guess", read_guess)


def a_wrong_guess_keeps_the_turn(patch: Patch) -> None:
    def go_on(progress: Progress, before: Public, seat: Seat, pair: Pair) -> None:
        if seat == before.turn:
            progress.change(turn=seat, phase=before.phase, die=before.die)

    after(patch, "guess", go_on)


def any_wrong_guess_ends_the_turn(patch: Patch) -> None:
    def end(progress: Progress, before: Public, seat: Seat, pair: Pair) -> None:
        if seat != before.turn and progress.public.phase is not Phase.OVER:
            rules.end_turn(progress)

    after(patch, "guess", end)


def who_guesses_wrong_plays_on(patch: Patch) -> None:
    def back(progress: Progress, before: Public, seat: Seat, pair: Pair) -> None:
        progress.change(out=before.out, pawns=before.pawns)

    after(patch, "guess", back)


def the_pawn_stays_on_the_board(patch: Patch) -> None:
    after(patch, "guess", lambda progress, before, *_: progress.change(pawns=before.pawns))


def who_is_out_takes_its_piles_along(patch: Patch) -> None:
    def sweep(progress: Progress, before: Public, seat: Seat, pair: Pair) -> None:
        piles = tuple(tuple(n for n in pile if before.gifts[n].giver != seat) for pile in before.piles)
        progress.change(piles=piles)

    after(patch, "guess", sweep)


def choices_are_kept_though_they_are_empty(patch: Patch) -> None:
    sound = rules.guess

    def guess(progress: Progress, seat: Seat, pair: Pair) -> None:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(rules, "_settle_choice", lambda progress: None)
            sound(progress, seat, pair)

    patch.setattr(rules, "guess", guess)


def only_who_is_still_in_wins(patch: Patch) -> None:
    sound = events.outcome

    def outcome(view: View) -> Outcome | None:
        found = sound(view)
        return None if found is None else replace(found, ranks=(view.still_in, view.out))

    patch.setattr(game.Doge, "outcome", staticmethod(outcome))


# --- ends -------------------------------------------------------------------------------------------


def no_last_guesses(patch: Patch) -> None:
    def lose(progress: Progress, before: Public) -> None:
        if progress.public.phase is Phase.LAST:
            rules.finish(progress, Result(won=False, reason=Reason.CARDS))

    after(patch, "end_turn", lose)


def the_last_round_begins_with_the_next_player(patch: Patch) -> None:
    def following(progress: Progress, before: Public) -> None:
        public = progress.public
        if public.phase is Phase.LAST and before.phase is not Phase.LAST:
            progress.change(turn=((before.turn or 0) + 1) % public.seats)

    after(patch, "end_turn", following)


def cards_of_who_is_out_count(patch: Patch) -> None:
    def go_on(progress: Progress, before: Public) -> None:
        public = progress.public
        if public.phase is Phase.LAST and any(public.false_cards(seat) for seat in public.out):
            progress.change(phase=Phase.ROLL, turn=public.still_in[0])

    after(patch, "end_turn", go_on)


def last_guesses_in_mid_turn(patch: Patch) -> None:
    def at_once(progress: Progress, before: Public, *_: Any) -> None:
        public = progress.public
        if public.phase is Phase.ROLL and not any(public.false_cards(seat) for seat in public.still_in):
            rules.end_turn(progress)

    after(patch, "guess", at_once)


def one_wrong_last_guess_loses(patch: Patch) -> None:
    def lose(progress: Progress, before: Public, *_: Any) -> None:
        if before.phase is Phase.LAST and progress.public.phase is Phase.LAST:
            rules.finish(progress, Result(won=False, reason=Reason.CARDS))

    after(patch, "guess", lose)


# --- leaving, deadlines, gifts ------------------------------------------------------------------------


def who_resigns_sees_the_treasure(patch: Patch) -> None:
    def see(progress: Progress, before: Public, seat: Seat) -> None:
        wrong = Guess(seat, progress.state.pairs[seat], right=False)
        progress.change(guesses=(*progress.public.guesses, wrong))

    after(patch, "resign", see)


def debts_are_forgotten(patch: Patch) -> None:
    patch.setattr(rules, "_give_by_lot", lambda progress, seat: rules.end_turn(progress))


def everybodys_resignation_settles_the_debt(patch: Patch) -> None:
    sound = rules.resign

    def resign(progress: Progress, seat: Seat) -> None:
        if progress.public.owes is not None:
            progress.change(owes=None)
            rules.end_turn(progress)
        sound(progress, seat)

    patch.setattr(rules, "resign", resign)


def deadlines_guess(patch: Patch) -> None:
    patch.setattr(game, "walk", lambda *args: walk(*args, asides=True))


def gifts_are_used_for_ever(patch: Patch) -> None:
    patch.setattr(rules, "_use_up", lambda progress, seat: None)


def gifts_wait_for_a_meeting(patch: Patch) -> None:
    sound = rules.haunt

    def haunt(progress: Progress, other: Seat) -> None:
        kept = progress.state.ahead
        progress.state = replace(progress.state, ahead=(None,) * progress.public.seats)
        sound(progress, other)
        progress.state = replace(progress.state, ahead=kept)

    patch.setattr(rules, "haunt", haunt)


PLANTED: list[tuple[Plant, Check]] = [
    (guesses_before_the_first_roll, test_guesses.test_nobody_guesses_before_the_first_roll),
    (guesses_in_ones_own_turn_only, test_guesses.test_anybody_still_in_may_guess_at_any_moment),
    (guesses_while_cards_are_owed, test_guesses.test_nobody_guesses_while_cards_are_owed),
    (
        own_cards_cannot_be_named,
        test_guesses.test_any_pair_in_play_may_be_named_own_cards_and_refuted_pairs_too,
    ),
    (a_wrong_guess_keeps_the_turn, test_guesses.test_a_wrong_guess_of_the_active_player_ends_the_turn),
    (any_wrong_guess_ends_the_turn, test_guesses.test_a_wrong_guess_out_of_turn_does_not_touch_the_turn),
    (who_guesses_wrong_plays_on, test_guesses.test_a_wrong_guess_out_of_turn_does_not_touch_the_turn),
    (the_pawn_stays_on_the_board, test_guesses.test_who_is_out_has_no_more_turns_meetings_or_ghost),
    (
        who_is_out_takes_its_piles_along,
        test_guesses.test_the_hand_leaves_unseen_and_the_cards_on_the_board_stay,
    ),
    (choices_are_kept_though_they_are_empty, test_guesses.test_a_meeting_that_a_guess_empties_falls_away),
    (
        choices_are_kept_though_they_are_empty,
        test_guesses.test_the_ghosts_choice_that_a_guess_empties_falls_away,
    ),
    (only_who_is_still_in_wins, test_guesses.test_a_right_guess_wins_for_all_those_who_are_out_too),
    (no_last_guesses, test_ends.test_when_no_false_card_is_left_each_may_guess_once_more_or_pass),
    (the_last_round_begins_with_the_next_player, test_ends.test_the_round_begins_with_whoever_is_active),
    (cards_of_who_is_out_count, test_ends.test_cards_of_players_who_are_out_do_not_count),
    (last_guesses_in_mid_turn, test_ends.test_last_guesses_come_at_the_end_of_a_turn_only),
    (one_wrong_last_guess_loses, test_ends.test_a_wrong_last_guess_passes_the_question_on),
    (who_resigns_sees_the_treasure, test_leaving.test_who_resigns_is_out_without_a_look_at_the_treasure),
    (debts_are_forgotten, test_leaving.test_cards_that_the_resigning_player_owes_are_given_by_lot_first),
    (debts_are_forgotten, test_leaving.test_cards_that_the_resigning_player_is_owed_are_given_by_lot_too),
    (
        everybodys_resignation_settles_the_debt,
        test_leaving.test_somebody_elses_resignation_leaves_the_debt_open,
    ),
    (deadlines_guess, test_leaving.test_a_last_guess_is_a_pass),
    (gifts_are_used_for_ever, test_gifts.test_it_is_used_once),
    (gifts_are_used_for_ever, test_gifts.test_it_is_dropped_when_its_false_card_is_given_another_way),
    (gifts_wait_for_a_meeting, test_gifts.test_the_ghost_takes_its_false_card_and_its_square),
]


@pytest.mark.parametrize(("plant", "check"), PLANTED, ids=name_of)
def test_a_planted_mistake_is_seen(plant: Plant, check: Check, monkeypatch: Patch) -> None:
    must_be_seen(plant, check, monkeypatch)
