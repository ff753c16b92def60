"""Mistakes with the clue sheet, and secrets that are told, planted: the tests must turn red."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from engines.core.canonical_json import plain_fields
from engines.core.contract import EVERYONE, Audience, FactValue, Seat, only
from engines.doge import deduction, game, imagine, rules, sheet, state
from engines.doge.components import Card, Pair
from engines.doge.deduction import Deals, DealSet, Evidence, Identity, Met, Refuted, SeenFalse
from engines.doge.rules import Progress
from engines.doge.sheet import Knowledge, sheet_of
from engines.doge.state import State
from engines.doge.view import Clue, GiftAhead, Mark, Notes, Sheet, Source
from engines.doge.words import Pencilled
from tests.games.doge import test_conservation, test_guesses, test_secrets, test_sheet
from tests.games.doge.planting import Check, Patch, Plant, must_be_seen, name_of
from tests.kit.samples import some

# --- what follows -----------------------------------------------------------------------------------


def judged(patch: Patch, kind: type, wrong: Any) -> None:
    """Let one kind of evidence say something else."""
    sound = Deals.fitting
    patch.setattr(
        Deals,
        "fitting",
        lambda self, piece: wrong(self, piece) if isinstance(piece, kind) else sound(self, piece),
    )


def at_least_one_is_true(patch: Patch) -> None:
    def fitting(self: Deals, piece: Met) -> DealSet:
        one, other = piece.pair.cards
        return self.with_card(piece.giver, one) | self.with_card(piece.giver, other)

    judged(patch, Met, fitting)


def shown_cards_say_nothing(patch: Patch) -> None:
    judged(patch, Met, lambda self, piece: self.all)


def others_may_be_what_i_am(patch: Patch) -> None:
    judged(patch, Identity, lambda self, piece: self.all)


def the_ghosts_card_is_true(patch: Patch) -> None:
    judged(patch, SeenFalse, lambda self, piece: self.with_card(piece.owner, piece.card))


def both_halves_are_wrong(patch: Patch) -> None:
    def fitting(self: Deals, piece: Refuted) -> DealSet:
        one, other = piece.pair.cards
        return self.all & ~(self.with_card(self.treasure, one) | self.with_card(self.treasure, other))

    judged(patch, Refuted, fitting)


def gifts_to_others_say_something(patch: Patch) -> None:
    sound = Knowledge.deals

    def deals(self: Knowledge) -> DealSet:
        found = sound(self)
        # Without the lowest of them.
        return found & (found - 1) if self.public.gifts else found

    patch.setattr(Knowledge, "deals", deals)


def cards_laid_out_may_be_anybodys(patch: Patch) -> None:
    sound = Deals.verdict

    def verdict(self: Deals, holder: Seat, card: Card, deals: DealSet) -> bool | None:
        return sound(self, holder, card, deals) if self.with_card(holder, card) else None

    patch.setattr(Deals, "verdict", verdict)


# --- what is entered --------------------------------------------------------------------------------


def every_clue_is_a_question(patch: Patch) -> None:
    patch.setattr(Clue, "mark", Mark.MAYBE)


def looks_leave_no_column(patch: Patch) -> None:
    sound = Knowledge.clues
    patch.setattr(
        Knowledge, "clues", lambda self: [each for each in sound(self) if each[1].source is not Source.LOOK]
    )


def the_sheet_always_helps(patch: Patch) -> None:
    def helpful(knowledge: Knowledge, notes: Notes) -> Sheet:
        return sheet_of(knowledge, replace(notes, auto=True))

    patch.setattr(state, "sheet_of", helpful)


def all_clues_are_named(patch: Patch) -> None:
    def reasons(table: Deals, evidence: Iterable[Evidence], holder: Seat, card: Card) -> Any:
        found = tuple(evidence)
        return None if table.verdict(holder, card, table.fitting_all(found)) is None else found

    patch.setattr(sheet, "reasons", reasons)


def one_clue_is_enough(patch: Patch) -> None:
    sound = deduction.reasons
    patch.setattr(sheet, "reasons", lambda *args: (sound(*args) or ())[:1] or None)


def pencil_cannot_be_rubbed_out(patch: Patch) -> None:
    sound = Pencilled.on

    def on(self: Pencilled, notes: Any) -> Any:
        return sound(replace(self, marks=tuple(mark for mark in self.marks if mark[2])), notes)

    patch.setattr(Pencilled, "on", on)


# --- secrets ----------------------------------------------------------------------------------------


def told_to_all(patch: Patch, *kinds: str) -> None:
    sound = Progress.tell

    def tell(self: Progress, audience: Audience, kind: str, **data: FactValue) -> None:
        sound(self, EVERYONE if kind in kinds else audience, kind, **data)

    patch.setattr(Progress, "tell", tell)


def shown_cards_are_told_to_all(patch: Patch) -> None:
    told_to_all(patch, "shown")


def looked_at_cards_are_told_to_all(patch: Patch) -> None:
    told_to_all(patch, "saw")


def the_treasure_is_told_to_all(patch: Patch) -> None:
    told_to_all(patch, "treasure")


def the_receiver_is_told_which_card_was_false(patch: Patch) -> None:
    sound = rules.show

    def show(progress: Progress, *args: Any) -> None:
        sound(progress, *args)
        gift, face = progress.public.gifts[-1], progress.state.faces[-1]
        progress.tell(only(gift.receiver), "given", seat=gift.giver, card=face)

    patch.setattr(rules, "show", show)


def the_receiver_knows_the_face(patch: Patch) -> None:
    patch.setattr(
        state,
        "_known_faces",
        lambda public, viewer: [
            n for n, gift in enumerate(public.gifts) if viewer in (gift.giver, gift.receiver)
        ],
    )


def third_seats_see_what_is_shown(patch: Patch) -> None:
    patch.setattr(
        state,
        "_shown",
        lambda public, viewer: [n for n, gift in enumerate(public.gifts) if gift.source is Source.MEETING],
    )


def a_note_is_a_step(patch: Patch) -> None:
    sound = rules.take_note

    def take_note(before: State, seat: Seat, notes: Notes) -> State:
        found = sound(before, seat, notes)
        return replace(found, public=replace(found.public, step=found.public.step + 1))

    patch.setattr(rules, "take_note", take_note)


def a_gift_in_advance_is_a_step(patch: Patch) -> None:
    sound = rules.leave_gift

    def leave_gift(before: State, seat: Seat, gift: GiftAhead | None) -> State:
        found = sound(before, seat, gift)
        return replace(found, public=replace(found.public, step=found.public.step + 1))

    patch.setattr(rules, "leave_gift", leave_gift)


def notes_are_in_the_digest(patch: Patch) -> None:
    patch.setattr(game.Doge, "record", staticmethod(plain_fields))


def imagined_deals_are_always_the_same(patch: Patch) -> None:
    patch.setattr(imagine, "nth_deal", lambda deals, n: deals.bit_length() - 1)


def imagined_gifts_are_any_cards(patch: Patch) -> None:
    patch.setattr(imagine, "with_true", lambda own, card: Pair(Card.COMUNE, Card.ASCIA))


def a_looked_at_card_vanishes(patch: Patch) -> None:
    sound = Progress.change

    def change(self: Progress, **changes: Any) -> None:
        changes.pop("discards", None)
        sound(self, **changes)

    patch.setattr(Progress, "change", change)


def drawn_ghosts_go_under_the_deck(patch: Patch) -> None:
    sound = Progress.change

    def change(self: Progress, **changes: Any) -> None:
        if "drawn" in changes:
            self.state = replace(self.state, ghosts=(*self.state.ghosts, changes["ghost"]))
        sound(self, **changes)

    patch.setattr(Progress, "change", change)


PLANTED: list[tuple[Plant, Check]] = [
    (at_least_one_is_true, test_sheet.test_leos_sheet_of_the_rulebook),
    (shown_cards_say_nothing, test_sheet.test_leo_knows_at_once_that_marta_is_the_impiraressa),
    (others_may_be_what_i_am, test_sheet.test_darios_sheet_at_the_start),
    (the_ghosts_card_is_true, test_sheet.test_all_kinds_of_evidence_together),
    (both_halves_are_wrong, test_guesses.test_all_learn_that_the_pair_is_wrong_and_not_which_half),
    (gifts_to_others_say_something, test_sheet.test_nothing_follows_from_hands_piles_or_choices),
    (cards_laid_out_may_be_anybodys, test_sheet.test_cards_that_lie_face_up_belong_to_nobody),
    (every_clue_is_a_question, test_sheet.test_each_clue_has_a_column_of_its_own_in_its_order),
    (looks_leave_no_column, test_sheet.test_each_clue_has_a_column_of_its_own_in_its_order),
    (looks_leave_no_column, lambda: test_sheet.test_at_most_so_many_columns("1357", 16)),
    (the_sheet_always_helps, test_sheet.test_with_auto_off_neither_sure_marks_nor_treasures_are_shown),
    (all_clues_are_named, test_sheet.test_a_mark_names_the_clues_from_which_it_follows),
    (one_clue_is_enough, test_sheet.test_a_mark_names_the_clues_from_which_it_follows),
    (pencil_cannot_be_rubbed_out, test_sheet.test_a_mark_is_changed_and_rubbed_out),
    (shown_cards_are_told_to_all, test_secrets.test_no_third_seat_learns_what_was_shown),
    (looked_at_cards_are_told_to_all, test_secrets.test_no_other_seat_learns_what_was_looked_at),
    (the_treasure_is_told_to_all, test_secrets.test_who_guessed_wrong_keeps_the_treasure_to_itself),
    (
        the_receiver_is_told_which_card_was_false,
        test_secrets.test_the_receiver_is_not_told_which_card_was_the_true_one,
    ),
    (the_receiver_knows_the_face, test_secrets.test_the_receiver_is_not_told_which_card_was_the_true_one),
    (third_seats_see_what_is_shown, test_secrets.test_no_third_seat_learns_what_was_shown),
    (a_note_is_a_step, lambda: test_secrets.test_nobody_can_notice_a_note("auto off")),
    (notes_are_in_the_digest, lambda: test_secrets.test_nobody_can_notice_a_note("auto off")),
    (a_gift_in_advance_is_a_step, test_secrets.test_nobody_can_notice_a_gift_in_advance),
    (a_gift_in_advance_is_a_step, test_secrets.test_no_aside_shifts_the_dice_or_the_lot),
    (imagined_deals_are_always_the_same, test_secrets.test_imagined_truths_vary_all_that_is_hidden),
    (imagined_gifts_are_any_cards, test_secrets.test_imagined_gifts_and_hands_are_legal),
    (
        a_looked_at_card_vanishes,
        lambda: test_conservation.test_all_cards_ghosts_and_pawns_are_there_at_every_moment(3),
    ),
    (
        drawn_ghosts_go_under_the_deck,
        lambda: test_conservation.test_all_cards_ghosts_and_pawns_are_there_at_every_moment(3),
    ),
]


@pytest.mark.parametrize(("plant", "check"), some(PLANTED), ids=name_of)
def test_a_planted_mistake_is_seen(plant: Plant, check: Check, monkeypatch: Patch) -> None:
    must_be_seen(plant, check, monkeypatch)
