"""Two full strips, and the single character of the turn that fills them. Rules page: *End*."""

from __future__ import annotations

from typing import Any

from engines.corto import GAME
from engines.corto.cards import CARDS, Kind
from engines.corto.state import State
from engines.corto.view import Phase
from tests.games.corto.positions import rng
from tests.games.corto.turns import empty, given, kinds, offered, refusal, refused, say, words


def _characters(deck: str, hand: str) -> list[str]:
    """Return the characters of a deck that are in no hand."""
    found = [card.id for card in CARDS.values() if card.deck == deck and card.kind is Kind.CHARACTER]
    return [card for card in found if card not in hand.split()]


def filled(
    *free: str, hand: str, strips: str = "ABD", full: str = "ab", marked: str = "", **value: Any
) -> State:
    """Return a position in which strips are full but for these squares.

    ``marked``: the markers, ``"a7:blue b6:red"``; all others are bare.
    """
    names = {letter: iter(_characters(letter.upper(), hand)) for letter in full}
    board = {
        f"{letter}{column}": next(names[letter])
        for letter in full
        for column in range(1, 8)
        if f"{letter}{column}" not in free
    }
    for square, _, colour in (mark.partition(":") for mark in marked.split()):
        board[square] += f" {colour}"
    return given(board, hand, strips=strips, **value)


FULL = (
    ("1", "single_full", "only one character or figurine"),
    ("2", "none_freed_full", "only if its own action frees a square"),
)
"""The refusal of one more while two strips are full, by ruleset, and what it says."""

FILLS = (
    ("1", "single_fills", "you’ve already played a character or figurine"),
    ("2", "none_freed_fills", "would have to free a square by its own action"),
)
"""The refusal of one more that would fill the second strip."""


def test_two_full_strips_end_the_match_at_the_end_of_the_turn() -> None:
    state = filled("b7", hand="B05 B15")
    placed = say(state, "play B05 b7")
    assert placed.public.phase is Phase.TURN, "objects and advantages may follow"
    assert kinds(placed, "end") == ["ended_turn", "ended"], "and nothing is drawn"
    assert say(placed, "end").public.reason == "boards"


def test_a_figurine_occupies_a_square() -> None:
    state = filled("b7", hand="D19", figurines={"corto": "b5"})
    assert say(state, "corto D19 b7 end").public.reason == "boards"
    assert say(state, "corto D19 b6 end enough").public.phase is Phase.TURN


def test_one_full_strip_is_not_enough() -> None:
    state = filled("b6", "b7", hand="B05 D05")
    assert say(state, "play B05 b6 end enough").public.phase is Phase.TURN


def test_after_the_strips_are_full_no_second_character_or_figurine() -> None:
    for ruleset, key, why in FULL:
        state = filled("b7", hand="B05 D01 D19 B15", ruleset=ruleset)
        after = say(state, "play B05 b7")
        assert refused(after, "play D01 d1") == key
        assert refused(after, "corto D19 d1") == key
        assert "D01" not in offered(after)
        assert "D19" not in offered(after)
        assert why in words(refusal(after, "play D01 d1"))


def test_a_second_character_may_not_fill_the_second_strip() -> None:
    for ruleset, key, why in FILLS:
        state = filled("b7", hand="B05 D05 D19", ruleset=ruleset)
        after = say(state, "play D05 d1")
        assert refused(after, "play B05 b7") == key
        assert why in words(refusal(after, "play B05 b7"))
        assert "B05" not in offered(after)
        assert say(after, "end enough").public.phase is Phase.TURN


def test_a_second_figurine_may_go_elsewhere() -> None:
    for ruleset, key, _ in FILLS:
        state = filled("b7", hand="D05 D19", figurines={"corto": "b6"}, ruleset=ruleset)
        after = say(state, "play D05 d1")
        assert refused(after, "corto D19 b7") == key
        assert "b7" not in offered(after, "corto D19")
        assert say(after, "corto D19 d6").public.corto == "d6"


def test_by_ruleset_1_what_follows_from_the_action_does_not_excuse_it() -> None:
    """The strips would be full once the character stands, before its action could kill somebody."""
    state = filled("b7", hand="D05 B06", ruleset="1")
    assert refused(say(state, "play D05 d1"), "play B06 b7 kill b6") == "single_fills"


def test_a_kill_in_between_opens_the_way_again() -> None:
    state = filled("b7", hand="B05 B15 D05")
    after = say(state, "play B05 b7 use B15 kill b6")
    assert empty(after, "b6")
    assert "D05" in offered(after)
    assert say(after, "play D05 d1 end enough").public.phase is Phase.TURN


def test_objects_and_advantages_are_free_in_the_last_turn() -> None:
    state = filled("b7", hand="B05 B15 A16 D18")
    after = say(state, "play B05 b7 adv A16 a1 a2 use B15 kill b6 end enough")
    assert after.public.phase is Phase.TURN, "one was killed, so the strips are full no more"


def test_an_advantage_before_the_single_character_is_free() -> None:
    state = filled("b7", hand="B05 A16")
    assert say(state, "adv A16 a1 a2 play B05 b7 end").public.reason == "boards"


def test_the_last_turn_of_the_match_may_take_the_four_aces() -> None:
    free = {f"b{column}": f"B0{column} red" for column in range(1, 7)}
    full = {f"a{column}": f"A0{column}" for column in range(1, 8)}
    over = say(given({**free, **full}, "B10"), "play B10 b7 end")
    assert over.public.reason == "boards"
    assert over.public.quests[1].pieces[0].holder == 0


def test_a_seat_that_leaves_a_full_board_behind_ends_the_match() -> None:
    state = filled("b7", hand="B05", seats="red blue green")
    over = GAME.withdraw(say(state, "play B05 b7"), 0, rng()).state
    assert over.public.reason == "boards"
    assert over.public.ranks is not None
    assert over.public.ranks[-1] == (0,)
