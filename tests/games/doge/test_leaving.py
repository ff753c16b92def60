"""Who resigns, and who does not answer in time. Rules page, *A player who does not answer*."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.core.contract import IllegalAction
from engines.core.match import Entry, EntryKind, Match
from engines.doge.components import Card
from tests.games.doge.support import (
    SPENT,
    asked,
    at,
    hands,
    piles,
    play,
    public,
    refusal,
    seat_of,
    start,
    story,
    view,
)


def seeded(match: Match, number: int) -> Match:
    """Return the same position under another seed."""
    return Match.at(match.game, match.setup, bytes([number] * 32), match.state)


# --- resignation ------------------------------------------------------------------------------------


def test_who_resigns_is_out_without_a_look_at_the_treasure() -> None:
    match = play(at("1357"), "red resigns")
    assert public(match).out == public(match).resigned == (2,)
    assert public(match).pawns == (1, 3, None, 7)
    assert view(match, "red").treasure is None
    assert story(match) == story(match, "red") == ["Red leaves the match."]
    assert match.outcome is None
    assert asked(match) == "roll blue"


def test_who_has_resigned_says_nothing_more() -> None:
    match = play(at("1357"), "red resigns")
    for words in ("mark blue ascia X", "auto off", "guess peril ascia", "ahead biennale favro 7", "roll"):
        assert refusal(match, f"red {words}") == "gone"
    assert match.menu(2) is None
    with pytest.raises(IllegalAction) as caught:
        play(match, "red resigns")
    assert caught.value.msg.key == "error.gone"


def test_the_active_players_turn_is_over() -> None:
    for match in (
        at("1357"),
        at("1357", die=2),
        play(at("2333", die=1), "blue cw"),
        play(at("1448", die=1, ghosts="comune"), "blue cw"),
        play(at("3777", die=2, told=["red shows green comune 5"]), "blue cw"),
    ):
        assert asked(play(match, "blue resigns")) == "roll yellow"


def test_a_seat_that_is_not_asked_leaves_the_turn_alone() -> None:
    match = play(at("1357", die=2), "yellow resigns")
    assert asked(match) == "move blue"
    assert asked(play(match, "blue cw")) == "roll red"


def test_a_choice_that_a_resignation_empties_falls_away() -> None:
    assert asked(play(at("2338", die=1), "blue cw", "red resigns")) == "show yellow"
    assert asked(play(at("1448", die=1, ghosts="comune"), "blue cw", "red resigns")) == "give yellow"


def test_while_pawns_are_placed_the_others_go_on() -> None:
    match = play(start(3), "red place 4", "red resigns")
    assert public(match).pawns == (None, None, None), "the square is free again"
    assert asked(match) == "place blue yellow"
    match = play(match, "blue place 4", "yellow resigns")
    assert asked(match) == "roll blue", "nobody else is left to place"


def test_cards_that_the_resigning_player_owes_are_given_by_lot_first() -> None:
    met = play(at("2455", die=2), "blue cw")
    given = set()
    for number in range(12):
        match = play(seeded(met, number), "yellow resigns")
        assert hands(match) == [8, 7, 8, 8]
        ((_, shown),) = view(match, "blue").shown
        ((_, false),) = view(match, "yellow").faces
        assert false not in (Card.COMUNE, Card.REMER)
        assert set(shown.cards) - {false} <= {Card.COMUNE, Card.REMER}
        (square,) = piles(match)
        assert square % 2
        given.add((false, square))
        assert asked(match) == "roll red", "the clue is in, the turn is over, and yellow is skipped"
        assert public(match).out == (1,)
    assert len(given) > 6


def test_the_ghosts_card_is_given_by_lot_too() -> None:
    owed = play(at("1477", die=1, ghosts="comune"), "blue cw")
    match = play(owed, "yellow resigns")
    ((number, card),) = view(match, "blue").faces
    assert (number, dict(view(match, "yellow").faces)[0]) == (0, card)
    assert card not in (Card.COMUNE, Card.REMER)
    assert view(match, "blue").shown == ()
    assert asked(match) == "roll red"


def test_cards_that_the_resigning_player_is_owed_are_given_by_lot_too() -> None:
    met = play(at("2455", die=2), "blue cw")
    match = play(met, "blue resigns")
    assert hands(match) == [8, 7, 8, 8]
    assert len(view(match, "blue").shown) == 1
    assert (asked(match), public(match).out) == ("roll yellow", (0,))


def test_somebody_elses_resignation_leaves_the_debt_open() -> None:
    match = play(at("2455", die=2), "blue cw", "red resigns")
    assert asked(match) == "show yellow"
    assert hands(match) == [8, 8, 8, 8]


def test_the_last_card_by_lot_may_bring_the_last_guesses() -> None:
    match = play(at("2455", die=2, left={**SPENT, "yellow": "ascia"}), "blue cw")
    assert asked(play(match, "yellow resigns")) == "last blue"
    assert asked(play(match, "blue resigns")) == "last yellow"


def test_in_the_last_round_the_question_passes_on() -> None:
    match = play(at("1577", die=2, left=SPENT), "blue cw")
    assert asked(match) == "last blue"
    assert asked(play(match, "blue resigns")) == "last yellow"
    assert asked(play(match, "red resigns")) == "last blue"
    match = play(match, "blue pass", "yellow pass", "red pass", "green resigns")
    assert match.outcome is not None
    assert [reason.key for reason in match.outcome.reasons] == ["end.cards"]


def test_who_is_out_already_may_resign_too() -> None:
    match = play(at("1357", die=2), "red guess peril favro", "red resigns")
    assert (public(match).out, public(match).resigned) == ((2,), (2,))
    assert asked(match) == "move blue"
    assert refusal(match, "red auto off") == "gone"
    assert view(match, "red").treasure is not None, "it has seen the treasure"
    assert match.view(None).treasure is None


def test_when_all_have_left_all_have_lost() -> None:
    match = play(at("1357"), "blue resigns", "red resigns", "green resigns", "yellow resigns")
    assert match.outcome is not None
    assert match.outcome.won is False
    assert [reason.key for reason in match.outcome.reasons] == ["end.out"]
    with pytest.raises(IllegalAction) as caught:
        match.apply(Entry(EntryKind.WITHDRAW, 0))
    assert caught.value.msg.key == "error.over"


def test_with_two_one_goes_on_alone() -> None:
    match = play(at("15", die=2), "blue resigns")
    assert asked(match) == "roll yellow"
    won = play(match, "yellow guess peril ascia").outcome
    assert won is not None
    assert won.won


# --- deadlines --------------------------------------------------------------------------------------


def lapsed(match: Match, colour: str, number: int) -> str:
    """Return what is done by lot for a seat; it must be a sentence that the seat may say."""
    words = seeded(match, number).lapse(seat_of(colour))
    assert words is not None
    match.act(seat_of(colour), words)
    return " ".join(words)


def all_lapsed(match: Match, colour: str, number: int = 30) -> set[str]:
    return {lapsed(match, colour, n) for n in range(number)}


def test_a_pawn_that_nobody_places_is_placed_by_lot() -> None:
    found = all_lapsed(play(start(), "red place 3"), "blue")
    assert len(found) > 5
    assert "place 3" not in found


def test_a_turn_is_rolled_and_played_by_lot() -> None:
    assert all_lapsed(at("1357"), "blue", 5) == {"roll"}
    assert all_lapsed(at("1357", die=2), "blue") == {"cw", "ccw"}
    choice = play(at("3557", die=2, told=["red shows green comune 5"]), "blue cw")
    assert all_lapsed(choice, "blue") == {"meet yellow", "meet red", "look"}
    pile = play(at("3777", die=2, told=["red shows green comune 5"]), "blue cw")
    assert all_lapsed(pile, "blue") == {"look", "leave"}
    haunt = play(at("1448", die=1, ghosts="comune"), "blue cw")
    assert all_lapsed(haunt, "blue") == {"haunt yellow", "haunt red"}


def test_cards_that_are_owed_are_chosen_by_lot_among_the_legal_ones() -> None:
    met = play(at("2455", die=2), "blue cw")
    found = all_lapsed(met, "yellow", 60)
    assert len(found) > 20
    assert {text.split()[0] for text in found} == {"show"}
    assert {text.split()[-1] for text in found} == set("13579")
    owed = play(at("1477", die=1, ghosts="comune"), "blue cw")
    found = all_lapsed(owed, "yellow", 60)
    assert {text.split()[1] for text in found} == set(Card) - {Card.COMUNE, Card.REMER}


def test_the_lot_favours_no_square() -> None:
    met = play(at("2455", die=2), "blue cw")
    squares = Counter(lapsed(met, "yellow", number).split()[-1] for number in range(200))
    assert max(squares.values()) < 2 * min(squares.values())


def test_a_last_guess_is_a_pass() -> None:
    match = play(at("1577", die=2, left=SPENT), "blue cw")
    assert all_lapsed(match, "blue", 10) == {"pass"}


def test_nothing_is_done_for_who_is_not_asked() -> None:
    match = at("1357")
    assert [match.lapse(seat) for seat in (1, 2, 3)] == [None, None, None]
    assert play(match, "blue guess peril ascia").lapse(0) is None
