"""The reference on its own, against the rulebook's examples and the rules page."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.doge import reference
from tests.games.doge.reference import Refused, World
from tests.games.doge.reference_sheet import COLOURS, CRAFTS, INSTITUTIONS, columns, deduced
from tests.games.doge.reference_view import faces, private, public, revealed
from tests.games.doge.reference_world import DIE, Card

BLUE, YELLOW, RED, GREEN = range(4)
DECK = [*INSTITUTIONS, *INSTITUTIONS]
DEAL = list(zip(INSTITUTIONS, CRAFTS, strict=True))
"""Blue has comune and ascia, yellow peril and favro, and so on in the order of the cards."""
TREASURE = "biennale impiraressa"


def world(
    squares: str = "0123", *, deal: list[tuple[str, str]] | None = None, first: int = 0, **kwargs: Any
) -> World:
    """Return a match whose pawns are placed, seat by seat, on the squares of that text."""
    kwargs.setdefault("deck", list(DECK))
    found = World(deal or DEAL, first=first, **kwargs)
    found.pawns = [int(square) for square in squares]
    found.phase, found.turn = "roll", first
    return found


def play(found: World, *lines: str) -> World:
    """Say each line: a seat, then its words; after ``roll`` the die's face."""
    for line in lines:
        seat, text = line.split(maxsplit=1)
        verb, *rest = text.split()
        die = int(rest.pop()) if verb == "roll" else None
        found = reference.say(found, int(seat), " ".join([verb, *rest]), die)
    return found


def refused(found: World, line: str) -> str:
    """Return why a line is refused."""
    seat, text = line.split(maxsplit=1)
    with pytest.raises(Refused) as why:
        reference.say(found, int(seat), text)
    return str(why.value)


# --- turns ----------------------------------------------------------------------------------------


def test_pawns_are_placed_in_any_order_on_free_squares() -> None:
    found = World(DEAL, list(DECK), first=2)
    assert found.asked() == [0, 1, 2, 3]
    found = play(found, "3 place 7", "0 place 2")
    assert found.asked() == [1, 2]
    assert refused(found, "1 place 7") == "occupied"
    assert refused(found, "3 place 8") == "not asked"
    assert refused(found, "1 place 10") == "no square"
    found = play(found, "2 place 0", "1 place 1")
    assert (found.phase, found.asked()) == ("roll", [2]), "the random player begins"
    assert not found.drawn, "nothing triggers"


def test_a_meeting_shows_a_true_and_a_false_card_to_one_seat() -> None:
    found = play(world("0145"), "0 roll 1", "0 cw")
    assert (found.phase, found.asked()) == ("owes", [1])
    assert refused(found, "1 show peril favro 7") == "not a legal gift", "both are true"
    assert refused(found, "1 show comune ascia 7") == "not a legal gift", "both are false"
    assert refused(found, "1 show peril ascia 6") == "not a legal gift", "not card-shaped"
    assert refused(found, "1 give ascia 7") == "owes nothing of that kind"
    assert refused(found, "2 guess marina ascia") == "cards are owed"
    found = play(found, "1 show peril ascia 7")
    assert public(found)["counts"] == [10, 9, 10, 10]
    assert public(found)["piles"] == {7: ["yellow"]}
    assert [faces(found, seat)["piles"][7] for seat in (0, 1, 2, None)] == [[None], ["ascia"], [None], [None]]
    assert private(found, 0)["shown"] == [(1, "peril", "ascia")]
    assert private(found, 2)["shown"] == []
    assert (found.phase, found.asked()) == ("roll", [1])


def test_a_pile_is_looked_at_from_the_top_and_filled_from_the_bottom() -> None:
    found = play(world("0145"), "0 roll 1", "0 cw", "1 show peril ascia 7")
    found = play(found, "1 roll 2", "1 cw", "2 roll 1", "2 cw", "3 show comune corder 7")
    assert public(found)["piles"] == {7: ["yellow", "green"]}
    found = play(found, "3 roll 2", "3 cw")
    assert sorted(reference.duties(found, 3)) == ["leave", "look"]
    left = play(found, "3 leave")
    assert public(left)["piles"] == {7: ["yellow", "green"]}
    found = play(found, "3 look")
    assert public(found)["discards"] == ["yellow"]
    assert public(found)["piles"] == {7: ["green"]}
    assert [faces(found, seat)["discards"] for seat in (0, 1, 3)] == [[None], ["ascia"], ["ascia"]]
    assert private(found, 3)["sheet"]["columns"]["yellow"] == [{"ascia": "0"}]


def test_a_meeting_or_a_look_must_be_chosen() -> None:
    found = play(world("0145"), "0 roll 1", "0 cw", "1 show peril ascia 5")
    found = play(found, "1 roll 4", "1 cw")
    assert found.phase == "choose"
    assert reference.duties(found, 1) == ["meet green", "look"]
    assert refused(found, "1 leave") == "not to be chosen"
    assert play(found, "1 look").asked() == [2]
    assert play(found, "1 meet green").asked() == [3]


def test_who_has_no_false_card_cannot_be_met_and_keeps_the_ghost_away() -> None:
    found = world("0144")
    found.hands[1] = list(found.deal[1])
    assert play(found, "0 roll 1", "0 cw").asked() == [1], "its turn: there is nothing to do"
    found.hands[2], found.hands[3] = list(found.deal[2]), list(found.deal[3])
    found = play(found, "0 roll 4", "0 cw")
    assert (found.drawn, found.asked()) == ([], [1])


def test_the_ghost_takes_a_false_card_of_who_stands_there() -> None:
    found = play(world("0448", deck=["comune", "marina", "peril"]), "0 roll 2", "0 cw")
    assert found.drawn == ["comune"]
    assert reference.duties(found, 0) == ["haunt yellow", "haunt red"]
    assert refused(found, "0 haunt green") == "not to be chosen"
    found = play(found, "0 haunt red")
    assert refused(found, "2 give marina 3") == "not a legal gift", "it is true"
    found = play(found, "2 give peril 3")
    assert [faces(found, seat)["piles"][3] for seat in (0, 1, 2)] == [["peril"], [None], ["peril"]]
    assert private(found, 0)["sheet"]["columns"]["red"] == [{"peril": "0"}]
    found = play(found, "1 roll 2", "1 cw")
    assert (found.drawn, found.asked()) == (["comune", "marina"], [2]), "nobody stands at the Marina"


def test_the_own_pawn_is_not_haunted_and_an_empty_deck_loses() -> None:
    found = play(world("0135", deck=["biennale"]), "0 roll 2", "0 cw")
    assert (found.drawn, found.asked()) == (["biennale"], [1])
    found = play(found, "1 roll 1", "1 ccw")
    assert (found.phase, found.result) == ("over", "ghost")
    assert revealed(found)["deal"] == DEAL


# --- guesses and ends -----------------------------------------------------------------------------


def test_no_guess_before_the_first_roll() -> None:
    assert refused(world(), f"0 guess {TREASURE}") == "before the first roll"
    found = play(world(), "0 roll 1", f"3 guess {TREASURE}")
    assert (found.phase, found.result, found.asked()) == ("over", "won", [])


def test_a_wrong_guess_out_of_turn_takes_a_player_out() -> None:
    found = play(world("0135"), "0 roll 1", "2 guess biennale ascia")
    assert (found.phase, found.asked(), found.out) == ("move", [0], [2])
    assert public(found)["pawns"] == [0, 1, None, 5]
    assert public(found)["counts"] == [10, 10, 0, 10]
    assert private(found, 2)["treasure"] == ("biennale", "impiraressa")
    assert private(found, 0)["treasure"] is None
    assert ("biennale", "ascia") not in private(found, 1)["sheet"]["treasures"]
    assert ("biennale", "remer") in private(found, 1)["sheet"]["treasures"]
    assert refused(found, "2 guess biennale favro") == "out"
    assert play(found, "1 guess biennale ascia").out == [2, 1], "a refuted pair may be named"


def test_a_wrong_guess_of_the_active_player_ends_the_turn() -> None:
    found = play(world("0135"), "0 roll 1", "0 guess comune ascia")
    assert (found.phase, found.asked()) == ("roll", [1])
    assert reference.legal(found, 0) == ["auto on", "auto off"]


def test_a_choice_that_a_guess_leaves_one_answer_is_not_asked() -> None:
    found = play(world("0225", gifts=True), "0 roll 2", "0 cw")
    assert found.phase == "choose"
    assert play(found, "1 guess comune ascia").asked() == [2], "red must be met"
    found = play(found, "2 ahead marina ascia 9", "1 guess comune ascia")
    assert public(found)["piles"] == {9: ["red"]}, "red's gift was left in advance"
    assert found.asked() == [2]


def test_a_choice_that_a_guess_empties_falls_away() -> None:
    found = world("0118")
    found.piles[1] = [Card(3, "peril", {3})]
    found.hands[2] = list(found.deal[2])
    found = play(found, "0 roll 1", "0 cw")
    assert reference.duties(found, 0) == ["meet yellow", "look"]
    assert reference.duties(play(found, "1 guess comune ascia"), 0) == ["look", "leave"]


def test_last_guesses_go_once_round_from_the_active_player() -> None:
    found = world("0246", first=1)
    for seat in (0, 2, 3):
        found.hands[seat] = list(found.deal[seat])
    found.hands[1] = [*found.deal[1], "ascia"]
    found = play(found, "1 roll 1", "1 cw", "2 roll 1", "2 ccw", "1 show peril ascia 7")
    assert (found.phase, found.asked()) == ("last", [2])
    found = play(found, "2 pass")
    assert refused(found, "2 pass") == "not asked"
    out_of_order = play(found, "0 guess comune ascia")
    assert out_of_order.asked() == [3]
    assert play(out_of_order, "3 pass").asked() == [1], "who is out is not asked"
    found = play(found, "3 pass", "0 pass")
    assert play(found, f"1 guess {TREASURE}").result == "won"
    assert play(found, "1 pass").result == "cards"


def test_cards_of_players_who_are_out_do_not_count() -> None:
    found = world("0246")
    for seat in (1, 2, 3):
        found.hands[seat] = list(found.deal[seat])
    found = play(found, "0 roll 1", "0 guess comune ascia")
    assert (found.phase, found.queue) == ("last", [1, 2, 3])
    assert play(found, *(f"{seat} guess marina favro" for seat in (3, 1, 2))).result == "out"


# --- resignations ---------------------------------------------------------------------------------


def test_who_resigns_is_out_and_first_gives_what_is_owed() -> None:
    found = play(world("0145"), "0 roll 1", "0 cw")
    for seat in (0, 1):
        after = reference.withdraw(found, seat, "show peril ascia 7")
        assert private(after, 0)["shown"] == [(1, "peril", "ascia")]
        assert (after.out, after.asked()) == ([seat], [1 if seat == 0 else 2])
        assert private(after, seat)["treasure"] is None
    other = reference.withdraw(found, 2)
    assert (other.phase, other.asked()) == ("owes", [1])


def test_resigning_while_pawns_are_placed() -> None:
    found = play(World(DEAL, list(DECK), first=3), "0 place 1", "1 place 2", "2 place 3")
    found = reference.withdraw(found, 3)
    assert (found.phase, found.asked()) == ("roll", [0])
    for seat in (0, 1, 2):
        found = reference.withdraw(found, seat)
    assert (found.phase, found.result) == ("over", "out")


# --- asides ---------------------------------------------------------------------------------------


def test_gifts_in_advance_are_an_option_and_are_used_once() -> None:
    assert refused(world(), "1 ahead peril ascia 7") == "not in this match"
    found = world("0144", gifts=True, deck=["comune"])
    assert refused(found, "1 ahead peril favro 7") == "not a legal gift"
    found = play(found, "1 ahead peril ascia 7", "3 ahead comune corder 5", "0 roll 1", "0 cw")
    assert (found.asked(), public(found)["piles"]) == ([1], {7: ["yellow"]})
    assert private(found, 0)["shown"] == [(1, "peril", "ascia")]
    assert private(found, 1)["ahead"] is None
    found = play(found, "1 roll 1", "1 cw")
    assert found.drawn == ["comune"]
    found = play(found, "1 haunt green")
    assert private(found, 1)["sheet"]["columns"]["green"] == [{"comune": "0"}]
    assert faces(found, 1)["piles"] == {5: ["comune"], 7: ["ascia"]}
    assert play(world(gifts=True), "2 ahead marina ascia 1", "2 ahead -").ahead[2] is None


def test_notes_are_the_seats_own() -> None:
    found = play(world(), "2 mark blue remer X", "2 mark blue marina 0", "2 mark blue marina -", "1 auto off")
    assert private(found, 2)["sheet"]["pencil"] == {("blue", "remer"): "X"}
    assert "deals" not in private(found, 1)["sheet"]
    assert "treasures" not in private(found, 1)["sheet"]
    assert private(found, 1)["sheet"]["columns"] == {"blue": [], "red": [], "green": []}
    assert public(found) == public(world())
    for line in ("2 mark red remer X", "2 mark blue peril Y", "2 mark blue harbour X", "2 auto maybe"):
        refused(found, line)


def test_fewer_seats_have_fewer_cards() -> None:
    removed = ["peril", "favro"]
    deal = [
        ("comune", "ascia"),
        ("marina", "remer"),
        ("biennale", "corder"),
        ("sovrintendenza", "impiraressa"),
    ]
    found = world("012", deal=deal, deck=["peril", "comune"], removed=removed)
    assert public(found)["counts"] == [8, 8, 8]
    found = play(found, "0 roll 1", "0 cw")
    assert refused(found, "1 show peril remer 7") == "not a legal gift"
    found = play(found, "1 show marina ascia 7")
    assert refused(found, "1 guess peril ascia") == "not in play"
    assert refused(found, "1 mark blue peril X") == "no such row"
    assert refused(found, "1 mark green comune X") == "no such section"
    assert refused(found, "3 auto on") == "no such seat"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_matches_come_to_an_end_and_keep_all_cards(seats: int) -> None:
    stream = random.Random(seats)
    ends = set()
    for _ in range(8):
        found = dealt(stream, seats)
        while found.phase != "over":
            seat = stream.choice(found.asked())
            text = stream.choice(reference.duties(found, seat))
            found = reference.say(found, seat, text, stream.choice(DIE))
            left = sum(map(len, found.piles.values())) + len(found.discards)
            assert sum(map(len, found.hands)) + left == seats * (10 - len(found.removed))
        ends.add(found.result)
        for seat in range(seats):
            entered = columns(seats, seat, found.clues[seat])
            assert max(map(len, entered.values())) <= {2: 8, 3: 12, 4: 16}[seats]
            follows = deduced(seats, found.removed, seat, found.clues[seat])
            assert found.deal[-1] in follows["treasures"], "the truth always fits"
            assert all(found.deal[o] in follows["pairs"][COLOURS[o]] for o in range(seats) if o != seat)
    assert "ghost" in ends


def dealt(stream: random.Random, seats: int) -> World:
    """Return a match before its pawns are placed, all of it drawn."""
    institutions, crafts = (stream.sample(cards, 5) for cards in (INSTITUTIONS, CRAFTS))
    removed = [*institutions[seats + 1 :], *crafts[seats + 1 :]]
    deal = list(zip(institutions[: seats + 1], crafts[: seats + 1], strict=True))
    deck = stream.sample(DECK, {2: 4, 3: 8, 4: 10}[seats])
    return World(deal, deck, stream.randrange(seats), removed, gifts=stream.random() < 0.5)
