"""The ghost: when it is summoned, whom it asks, and what it loses. Rules page, *Turn*, Ghost."""

from __future__ import annotations

from engines.doge.components import Card
from tests.games.doge.support import (
    BLUE,
    RED,
    asked,
    at,
    facts,
    hands,
    marks,
    offered,
    piles,
    play,
    prompt,
    public,
    refusal,
    story,
    view,
)


def test_an_empty_main_location_summons_the_ghost() -> None:
    match = play(at("1777", die=1, ghosts="marina comune peril"), "blue cw")
    table = public(match)
    assert (table.ghost, table.deck, table.drawn[-1]) == (0, 2, 0)
    assert story(match)[-1] == "Blue summons the ghost, which goes to Marina. Ghost cards left: 2."
    assert asked(match) == "roll yellow", "nobody stands there"
    assert match.state.ghosts == (4, 8), "the card is discarded"


def test_the_ghost_stands_there_until_the_next_is_drawn() -> None:
    match = play(at("1777", die=1, ghosts="marina comune"), "blue cw", "yellow roll 4", "yellow cw")
    assert public(match).ghost == 0
    match = play(match, "red roll 1", "red cw")
    assert public(match).ghost == 4


def test_a_main_location_with_another_pawn_is_not_empty() -> None:
    match = play(at("1277", die=1, left={"yellow": ""}), "blue cw")
    assert public(match).drawn == (), "not even if that pawn has no false card"
    assert asked(match) == "roll yellow"


def test_the_ghost_comes_to_main_locations_only() -> None:
    assert public(play(at("1777", die=2), "blue cw")).drawn == ()


def test_who_stands_there_gives_one_false_card() -> None:
    match = play(at("1477", die=1, ghosts="comune peril"), "blue cw")
    assert asked(match) == "give yellow"
    assert story(match)[-1] == "The ghost finds Yellow, who owes Blue a false card."
    assert prompt(match, "yellow") == "The ghost found you. Give Blue one false card."
    assert offered(match, "yellow") == "ascia favro corder impiraressa peril marina sovrintendenza biennale"
    match = play(match, "yellow give corder 9")
    assert story(match, "blue") == [
        "Through the ghost, Yellow shows a false card: Corder.",
        "Yellow puts a false card on square 9.",
    ]
    assert story(match, "yellow")[0] == "Through the ghost, Blue sees a false card: Corder."
    assert story(match, "red") == story(match) == story(match, "yellow")[1:]
    assert piles(match) == {9: "yellow"}
    assert asked(match) == "roll yellow"


def test_the_card_shown_through_the_ghost_stays_known_in_its_pile() -> None:
    match = play(at("1477", die=1, ghosts="comune peril"), "blue cw", "yellow give corder 9")
    assert dict(view(match, "blue").faces) == {0: Card.CORDER}
    assert dict(view(match, "yellow").faces) == {0: Card.CORDER}
    assert dict(view(match, "red").faces) == {}
    assert marks(match, "blue")["corder"] == "0 . ."


def test_the_card_goes_to_the_bottom_of_the_chosen_pile() -> None:
    before = at("1477", die=1, ghosts="comune", told=["red shows green comune 3"])
    match = play(before, "blue cw", "yellow give corder 3")
    assert piles(match) == {3: "red yellow"}
    owed = play(before, "blue cw")
    for square in range(0, 10, 2):
        assert refusal(owed, f"yellow give corder {square}") == "no_card_square"


def test_the_owner_may_choose_any_false_card_and_square() -> None:
    owed = play(at("1477", die=1, ghosts="comune"), "blue cw")
    for card in ("ascia", "biennale"):
        for square in (1, 3, 5, 7, 9):
            assert hands(play(owed, f"yellow give {card} {square}"))[1] == 7
    assert refusal(owed, "yellow give comune 7") == "true_card"
    assert refusal(owed, "yellow show comune ascia 7") == "not_now"


def test_a_square_is_proposed_for_the_ghosts_card_too() -> None:
    owed = play(at("1477", die=1, ghosts="comune"), "blue cw")
    assert prompt(owed, "yellow", "corder") == "You give Corder to Blue. The card goes to square 5."
    assert piles(play(owed, "yellow corder")) == {5: "yellow"}


def test_of_several_pawns_there_the_active_player_chooses_one() -> None:
    match = play(at("1448", die=1, ghosts="comune"), "blue cw")
    assert (asked(match), offered(match, "blue")) == ("haunt blue", "yellow red")
    assert prompt(match, "blue") == "The ghost is at Comune. Who does it ask?"
    assert refusal(match, "blue haunt green") == "haunt_whom"
    assert refusal(match, "blue haunt blue") == "haunt_whom"
    assert refusal(match, "blue meet red") == "not_now"
    assert refusal(match, "red haunt red") == "not_asked"
    assert asked(play(match, "blue haunt red")) == "give red"


def test_who_has_no_false_card_left_gives_the_ghost_nothing() -> None:
    match = play(at("1477", die=1, ghosts="comune", left={"yellow": ""}), "blue cw")
    assert asked(match) == "roll yellow"
    match = play(at("1447", die=1, ghosts="comune", left={"yellow": ""}), "blue cw")
    assert asked(match) == "give red", "it is no choice then"


def test_the_active_pawn_does_not_count() -> None:
    match = play(at("1777", die=1, ghosts="biennale peril"), "blue cw")
    assert public(match).ghost == public(match).pawns[BLUE] == 2
    assert asked(match) == "roll yellow"


def test_the_pawn_where_the_ghost_was_summoned_may_be_met_later() -> None:
    match = play(at("1177", die=1, ghosts="biennale peril"), "blue cw", "yellow roll 1", "yellow cw")
    assert asked(match) == "show blue"


def test_the_last_ghost_card_is_carried_out_like_any_other() -> None:
    match = play(at("1477", die=1, ghosts="comune"), "blue cw")
    assert (asked(match), public(match).deck) == ("give yellow", 0)
    match = play(match, "yellow give corder 9")
    assert asked(match) == "roll yellow"
    assert match.outcome is None


def test_a_summoning_with_the_deck_empty_loses_at_once() -> None:
    match = play(at("1477", die=1, ghosts="", ahead={"yellow": "comune ascia 7"}), "blue cw")
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.won, outcome.ranks) == (False, ((0, 1, 2, 3),))
    assert [reason.key for reason in outcome.reasons] == ["end.ghost"]
    assert story(match)[1] == "Blue summons the ghost, but its deck is empty."
    assert refusal(match, "red guess peril ascia") == "over", "before any further guess"
    assert hands(match) == [8, 8, 8, 8]


def test_an_empty_ghost_deck_alone_loses_nothing() -> None:
    match = play(at("1377", die=2, ghosts=""), "blue cw", "yellow show comune favro 5")
    assert match.outcome is None
    assert asked(match) == "roll yellow"


def test_with_fewer_seats_the_ghost_has_all_locations_though_some_are_out_of_play() -> None:
    match = play(at("147", die=1, ghosts="marina comune peril"), "blue cw")
    assert public(match).ghost == 0, "the Marina is out of play, and no guess"
    assert asked(match) == "roll yellow"


def test_everybody_sees_what_the_ghost_does_but_the_card() -> None:
    match = play(at("1447", die=1, ghosts="comune"), "blue cw", "blue haunt red", "red give favro 3")
    assert [fact.kind for fact in facts(match, None)] == ["laid"]
    assert [fact.kind for fact in facts(match, BLUE)] == ["given", "laid"]
    assert [fact.kind for fact in facts(match, RED)] == ["gave", "laid"]
