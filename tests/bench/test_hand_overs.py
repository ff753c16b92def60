"""What the bench of hand-overs counts: turns, rounds, who is newly asked, messages and their edits."""

from __future__ import annotations

import pytest

from bench.hand_overs import Counted, Said, Thread, edits_in, first_whole
from engines.core.match import Match
from engines.core.registry import game
from engines.core.setups import complete

A, B, BOTH, NOBODY = frozenset({0}), frozenset({1}), frozenset({0, 1}), frozenset[int]()


def counted(said: list[Said], *, messages: int = 0, mentions: int = 0) -> Counted:
    """Return the figures of a match that began with seat 0 asked."""
    return Counted("a game", said, Thread(messages, 0, mentions, 0), A)


def test_sentences_of_one_seat_in_a_row_are_a_turn() -> None:
    match = counted([Said(0, 0, A, A), Said(0, 0, A, B), Said(1, 0, B, A), Said(0, 0, A, NOBODY)])
    assert (match.turns, match.rounds, match.allowed) == (3, 0, 4)
    assert (counted([]).turns, counted([]).allowed) == (0, 1)


def test_rounds_count_where_the_game_has_them() -> None:
    match = counted([Said(0, 1, BOTH, B), Said(1, 1, B, BOTH), Said(1, 2, BOTH, A), Said(0, 2, A, NOBODY)])
    assert (match.turns, match.rounds, match.allowed) == (3, 2, 3)
    # Before the first round there are turns.
    set_up = [Said(0, 0, BOTH, B), Said(1, 0, B, BOTH), Said(0, 1, BOTH, B), Said(1, 1, B, NOBODY)]
    assert (counted(set_up).rounds, counted(set_up).allowed) == (1, 4)


def test_asked_are_those_who_were_not_asked_before() -> None:
    assert counted([Said(0, 0, A, A), Said(0, 0, A, BOTH), Said(0, 0, BOTH, B)]).asked == 2


@pytest.mark.parametrize(
    ("messages", "mentions", "kept"), [(3, 2, True), (4, 2, False), (3, 3, False), (1, 0, True)]
)
def test_a_match_keeps_to_a_message_a_turn_and_a_mention_for_whom_it_asks(
    messages: int, mentions: int, kept: bool
) -> None:
    said = [Said(0, 0, A, B), Said(1, 0, B, NOBODY)]
    assert counted(said, messages=messages, mentions=mentions).kept is kept


def test_laying_out_and_taking_buttons_away_are_no_edits() -> None:
    laid_out, stripped, other = "/channels/7/messages/1", "/channels/7/messages/1", "/channels/8/messages/1"
    assert edits_in([laid_out, stripped, other, "/channels/7/messages/2"], [1, 2], 7) == 0
    assert edits_in([laid_out, laid_out, stripped], [1, 2], 7) == 1
    # The newest one keeps its buttons: all of its edits but the first count.
    assert edits_in(["/channels/7/messages/2"] * 3, [1, 2], 7) == 2
    assert edits_in(["/channels/7/messages/9", "/webhooks/7/9"], [1, 2], 7) == 0


def test_a_sentence_is_cut_where_the_panel_first_offers_confirm() -> None:
    corto = game("corto")
    match = Match.start(corto, complete(corto.manifest), bytes(32))
    (seat,) = match.waiting
    words = match.computer(seat)
    assert len(words) > 2
    assert first_whole(match, seat, words) == words[:2]
    assert first_whole(match, seat, words[:2]) == words[:2]
