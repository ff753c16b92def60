"""Rule bugs, planted one at a time: each must turn a named test red."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engines.core.contract import ActionError, only
from engines.volto import GAME, arrangement, board, imagine, moves, notation, rules, state
from engines.volto.board import Kind, Square
from engines.volto.state import State, position_text
from engines.volto.view import QUIET_LIMIT, Ply, Reason, Result
from tests.games.volto import (
    test_candidates,
    test_captures,
    test_ends,
    test_imagine,
    test_menu,
    test_moves,
    test_notation,
    test_setup,
    test_view,
)
from tests.games.volto.support import MOON, SUN
from tests.kit.planting import passes
from tests.perft import test_volto as perft

Plant = Callable[[pytest.MonkeyPatch], None]
Caught = Callable[[], Any]


def soldier_goes_back(patch: pytest.MonkeyPatch) -> None:
    honest = board.targets

    def planted(kind: Kind, seat: int, square: Square, owners: board.Owners) -> tuple[Square, ...]:
        found = honest(kind, seat, square, owners)
        if kind is not Kind.SOLDIER:
            return found
        back = {other: 1 - owner for other, owner in owners.items()}
        return found + tuple(t for t in honest(kind, 1 - seat, square, back) if t not in owners)

    for module in (board, moves):
        patch.setattr(module, "targets", planted)


def soldier_jumps(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        board,
        "advance",
        lambda seat, square, owners: tuple(
            t for t in board.paths(Kind.SOLDIER, seat, square) if owners.get(t) != seat
        ),
    )


def lady_captures(patch: pytest.MonkeyPatch) -> None:
    honest = board.targets
    for module in (board, moves):
        patch.setattr(
            module,
            "targets",
            lambda kind, *rest: honest(Kind.CANDIDATE if kind is Kind.LADY else kind, *rest),
        )


def capturer_of_a_lady_stays(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Ply, "left", property(lambda _: False))


def own_palace_wins(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rules, "palace", lambda seat: board.palace(1 - seat))


def first_lady_wins(patch: pytest.MonkeyPatch) -> None:
    honest = rules.ways_of

    def planted(mat: Any, seat: int, *, lady_taken: bool) -> tuple[Reason, ...]:
        left = {s: mask for s, mask in mat.items() if not (lady_taken and mask == (seat, Kind.LADY))}
        return honest(left, seat, lady_taken=lady_taken)

    patch.setattr(rules, "ways_of", planted)


def stalemate_goes_on(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rules, "can_move", lambda *_: True)


def fourth_standing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rules, "STANDINGS_LIMIT", 4)


def squares_alone_repeat(patch: pytest.MonkeyPatch) -> None:
    honest = position_text
    patch.setattr(
        rules, "position_text", lambda state: "".join("x" if c.isalpha() else c for c in honest(state))
    )


def quiet_never_resets(patch: pytest.MonkeyPatch) -> None:
    honest = rules.judge

    def planted(state: State, ply: Any) -> Any:
        return honest(replace(state, public=replace(state.public, quiet=100)), ply)

    patch.setattr(rules, "judge", planted)


def draw_before_win(patch: pytest.MonkeyPatch) -> None:
    honest = rules.judge

    def planted(state: State, ply: Any) -> Any:
        if state.public.quiet >= QUIET_LIMIT:
            return Result(None, (Reason.QUIET,))
        return honest(state, ply)

    patch.setattr(rules, "judge", planted)


def moon_arranged_upside_down(patch: pytest.MonkeyPatch) -> None:
    for module in (rules, arrangement, state):
        patch.setattr(
            module,
            "homes",
            lambda seat: board.homes(seat) if seat == SUN else board.homes(MOON)[5:] + board.homes(MOON)[:5],
        )


def sun_always_begins(patch: pytest.MonkeyPatch) -> None:
    honest = rules.begin
    patch.setattr(rules, "begin", lambda state, first: honest(state, SUN))


def arrangement_told_to_the_rival(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rules, "only", lambda seat: only(1 - seat))


def captures_not_counted_off(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(state, "possible", lambda fits, kinds: fits)


def capturer_shown(patch: pytest.MonkeyPatch) -> None:
    honest = rules.mask_after

    def planted(mask: Any, ply: Any) -> Any:
        after = honest(mask, ply)
        return after if mask.id != ply.mask or ply.taken is None else replace(after, shown=Kind.NOBLE)

    patch.setattr(rules, "mask_after", planted)


def capture_not_marked(patch: pytest.MonkeyPatch) -> None:
    honest = moves.target_choice
    patch.setattr(moves, "target_choice", lambda *args: replace(honest(*args), reveals=False))


def preview_takes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        type(GAME),
        "preview",
        lambda _, view, draft: moves.preview(view, *draft) if len(draft) == 2 else view,
    )


def four_nobles(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(notation, "check_counts", lambda mat: None)


PLANTED: list[tuple[Plant, Caught]] = [
    (soldier_goes_back, lambda: test_moves.test_a_mask_alone_in_the_middle("S")),
    (soldier_jumps, test_moves.test_a_soldier_stops_before_its_own),
    (lady_captures, lambda: test_moves.test_only_a_lady_does_not_take("L", "nnnaaals")),
    (capturer_of_a_lady_stays, lambda: test_captures.test_a_lady_takes_her_capturer_with_her("N")),
    (capturer_of_a_lady_stays, test_captures.test_a_candidate_that_takes_a_lady_in_the_palace_loses_too),
    (own_palace_wins, test_captures.test_the_own_palace_is_no_goal),
    (first_lady_wins, test_captures.test_both_ladies_one_after_the_other),
    (stalemate_goes_on, test_ends.test_a_rival_without_a_move_has_lost_at_once),
    (fourth_standing, test_ends.test_a_loaded_position_that_stands_for_the_third_time_is_a_draw),
    (squares_alone_repeat, test_ends.test_true_symbols_count_and_not_the_squares_alone),
    (quiet_never_resets, test_ends.test_the_count_is_public_and_a_capture_resets_it),
    (draw_before_win, test_ends.test_a_win_comes_before_a_draw),
    (moon_arranged_upside_down, test_setup.test_an_arrangement_is_palace_row_then_the_row_before_it),
    (sun_always_begins, test_setup.test_the_lot_falls_both_ways_and_alike_for_one_seed),
    (arrangement_told_to_the_rival, test_setup.test_who_learns_what),
    (captures_not_counted_off, test_candidates.test_revealed_symbols_are_counted_off),
    (
        capturer_shown,
        lambda: test_captures.test_noble_advisor_soldier_leave_and_the_capturer_stays_hidden("n"),
    ),
    (capture_not_marked, test_menu.test_only_a_capture_reveals),
    (preview_takes, test_menu.test_a_preview_of_a_capture_reveals_nothing),
    (
        four_nobles,
        lambda: test_notation.test_what_cannot_be_is_refused_with_the_reason(
            "c4/5/NNNN1/5/5/5/4C 0", "Sun has too many Nobles"
        ),
    ),
    (soldier_goes_back, perft.test_both_agree_all_along_a_random_match),
    (lady_captures, lambda: perft.test_the_engine_counts_as_the_table(*perft.POSITIONS[2])),
]


@pytest.mark.parametrize(("plant", "caught"), PLANTED, ids=lambda item: getattr(item, "__name__", ""))
def test_a_planted_bug_is_caught(plant: Plant, caught: Caught, monkeypatch: pytest.MonkeyPatch) -> None:
    assert passes(caught)
    plant(monkeypatch)
    with pytest.raises((AssertionError, ActionError, pytest.fail.Exception)):
        caught()


def test_a_leak_in_the_view_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = state.mask_views

    def planted(part: Any, known: Any, muster: Any, *, over: bool) -> Any:
        return honest(part, muster, muster, over=over)

    test_view.test_a_seat_sees_its_own_symbols_only()
    monkeypatch.setattr(state, "mask_views", planted)
    with pytest.raises(AssertionError):
        test_view.test_a_seat_sees_its_own_symbols_only()


def test_a_truth_that_cannot_be_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imagine.Guess, "goes_on", lambda *_: True)
    with pytest.raises(AssertionError):
        test_imagine.test_a_third_standing_never_went_unseen(MOON, 64, monkeypatch)
