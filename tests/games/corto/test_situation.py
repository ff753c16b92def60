"""Situations: what beginnings and positions hold, and what is none. docs/notation.md."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core import texts
from engines.core.contract import InvalidAction, Setup
from engines.corto.cards import CARDS
from engines.corto.situation import load
from engines.corto.state import State
from engines.corto.view import Phase, describe, look, record
from tests.games.corto.positions import of, places, position, public, rng

BEGINNING: dict[str, Any] = {
    "seats": ["red", "blue"],
    "strips": ["A", "E", "C"],
    "start": {"A": "A10", "E": "E02", "C": "C03"},
    "decks": {"A": ["A13", "A01"], "C": ["C16"]},
    "tiles": ["crow", "ingot", "crow", "ingot", "crow", "ingot"],
    "carriages": ["armed", "1", "2", "1", "2", "1", "2", "armed", "armed"],
    "first": "blue",
}

POSITION: dict[str, Any] = {
    "seats": ["red", "blue", "green"],
    "strips": ["A", "B", "C", "E"],
    "board": {"e2": {"card": "E02", "markers": {"green": 1}}, "a1": {"card": "A01", "markers": {}}},
    "figurines": {"corto": "c5", "rasputin": None},
    "stock": {"red": 13, "blue": 12, "green": 9},
    "seal": {"red": 2, "blue": 1},
    "corto_gold": {"green": 3},
    "quests": {
        "A": {"vessel": 3},
        "B": {"holder": "green"},
        "C": {"taken": {"red": ["crow"]}, "face_down": {"c4": "ingot", "c6": None}},
        "E": {"carriages": {"blue": [1]}, "left": 4, "train": 3},
    },
}


def changed(value: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**value, **fields}


def quests(**fields: Any) -> dict[str, Any]:
    return changed(POSITION, quests={**POSITION["quests"], **fields})


# --- beginnings -----------------------------------------------------------------------------------


def test_a_beginning_is_as_it_is_told() -> None:
    state = of(BEGINNING)
    public_part = state.public
    assert public_part.phase is Phase.START
    assert public_part.place == public_part.first == 1
    assert [found.card for found in public_part.board] == ["A10", "E02", "C03"]
    assert state.decks[0][:2] == ("A13", "A01")
    assert state.decks[2][0] == "C16"
    assert [len(deck) for deck in state.decks] == [19, 19, 19]
    assert state.faces[1] == tuple(BEGINNING["carriages"])
    assert state.faces[2] == tuple(BEGINNING["tiles"])
    assert describe(public(state))["asked"] == ["blue"]


def test_what_a_beginning_leaves_out_is_dealt_from_the_seed() -> None:
    bare = {"seats": ["red", "blue"], "strips": ["A", "E", "C"]}
    states = [load(bare, Setup("corto", "1", 2), rng(f"seed {number}")) for number in range(8)]
    assert len({str(state.decks) for state in states}) == 8
    assert len({state.faces[2] for state in states}) > 1
    assert len({state.public.first for state in states}) == 2
    again = load(bare, Setup("corto", "1", 2), rng("seed 0"))
    assert record(again) == record(states[0])


def test_null_is_left_out_where_the_strip_is_not_in_play() -> None:
    state = of({"seats": ["red", "blue"], "strips": ["A", "B", "D"], "tiles": None, "carriages": None})
    assert state.faces == ((), (), ())


# --- positions ------------------------------------------------------------------------------------


def test_a_position_is_as_it_is_told() -> None:
    state = of(POSITION)
    found = describe(public(state))
    assert found["board"] == {
        "a1": {"card": "A01", "markers": {}},
        "e2": {"card": "E02", "markers": {"green": 1}},
    }
    for key in ("figurines", "stock"):
        assert found[key] == POSITION[key]
    assert found["seal"] == {"red": 2, "blue": 1, "green": 0}
    assert found["corto_gold"] == {"red": 0, "blue": 0, "green": 3}
    assert found["quests"]["A"] == {"vessel": 3}
    assert found["quests"]["B"] == {"holder": "green"}
    assert found["quests"]["C"]["taken"] == {"red": ["crow"]}
    assert found["quests"]["C"]["face_down"] == {"c4": None, "c6": None}
    assert found["quests"]["E"] == {
        "carriages": {"blue": [1]},
        "left": 4,
        "train": 3,
        "heading": "left",
        "lost": found["quests"]["E"]["lost"],
    }
    assert len(found["quests"]["E"]["lost"]) == 4
    assert state.faces[2][0] == "ingot"
    assert found["phase"] == "turn"
    assert found["asked"] == ["red"]
    assert found["turn"]["seat"] == "red"


def test_hands_that_are_left_out_are_dealt() -> None:
    state = of(changed(POSITION, hands={"blue": ["E17", "A15"]}, turn="green", first="blue"))
    assert state.hands[1] == ("E17", "A15")
    assert [len(hand) for hand in state.hands] == [4, 2, 4]
    assert state.public.turn is not None
    assert state.public.turn.seat == 2
    assert state.public.first == 1


def test_who_begins_is_to_move_where_nobody_else_is_named() -> None:
    state = of(changed(POSITION, first="blue"))
    assert state.public.turn is not None
    assert state.public.turn.seat == 1


def test_a_deck_that_is_given_is_all_that_is_left() -> None:
    state = of(changed(POSITION, decks={"A": ["A05"], "B": []}, discards={"A": ["A09"]}))
    assert state.decks[:2] == (("A05",), ())
    assert state.public.discards[0][-1] == "A09"
    held = sum(card[0] == "A" for hand in (*state.hands, *state.public.seal) for card in hand)
    assert len(state.public.discards[0]) == 20 - 1 - 1 - held
    assert state.public.discards[2] == ()


def test_stock_that_is_left_out_is_what_the_board_leaves() -> None:
    value = {key: item for key, item in POSITION.items() if key != "stock"}
    assert of(value).public.stock == (13, 13, 12)


def test_a_position_may_have_cards_in_front_and_a_train_that_left() -> None:
    state = of(changed(quests(E={"train": None, "carriages": {"red": [2, 2]}}), kept={"green": ["C18"]}))
    assert state.public.kept == ((), (), ("C18",))
    found = describe(public(state))["quests"]["E"]
    assert found["train"] is None
    assert found["left"] == 0


def test_the_train_may_head_right_and_its_carriages_be_told() -> None:
    faces = ["2", "armed"]
    lost = ["1", "1", "1", "2", "armed", "armed"]
    value = {
        "carriages": {"blue": [2]},
        "left": 2,
        "train": 3,
        "heading": "right",
        "lost": lost,
        "faces": faces,
    }
    state = of(quests(E=value))
    assert state.faces[3] == ("2", "armed")
    assert describe(public(state))["quests"]["E"] == {key: value[key] for key in value if key != "faces"}


def test_a_position_that_the_view_describes_is_a_position_again() -> None:
    shared = (
        "seats",
        "strips",
        "board",
        "figurines",
        "stock",
        "seal",
        "corto_gold",
        "quests",
        "kept",
        "discards",
    )

    first = describe(public(of(POSITION)))
    again = describe(public(of({key: first[key] for key in shared})))
    assert {key: first[key] for key in (*shared, "gold")} == {key: again[key] for key in (*shared, "gold")}


def test_every_card_lies_in_one_place() -> None:
    for value in (POSITION, changed(POSITION, decks={"A": ["A05"]}, discards={"A": ["A09"]}), BEGINNING):
        found = places(of(value))
        assert len(set(found)) == len(found)
        assert found == sorted(card for card in CARDS if card[0] in value["strips"])


def test_two_seats_may_have_four_strips_in_a_position() -> None:
    state = position({"a1": {"red": 1}}, ("red", "blue"))
    assert len(state.public.strips) == 4


def test_any_colours_may_sit_at_the_table() -> None:
    state = of(changed(BEGINNING, seats=["green", "yellow"], first="green"))
    assert look(state, None).players[0].colour == "green"


# --- what is none ---------------------------------------------------------------------------------

E_QUEST = {"carriages": {}, "left": 9, "train": 3}

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": (
        changed(POSITION, weather="fair"),
        "situation can’t have the key",
    ),
    "unknown key of a beginning": (
        changed(BEGINNING, hands={}),
        "situation can’t have the key",
    ),
    "seats no list": (changed(POSITION, seats="red"), "seats must be a list, not 'red'."),
    "seats missing": ({"strips": ["A"]}, "seats must be a list, not None."),
    "seat": (
        changed(POSITION, seats=["red", "pink", "blue"]),
        "seats must be one of red, blue, yellow and green, not 'pink'.",
    ),
    "seats twice": (
        changed(POSITION, seats=["red", "red", "blue"]),
        "seats can’t name anything twice, but is",
    ),
    "table": (changed(POSITION, seats=["red", "blue"]), "seats must list the colours of 3 seats, not"),
    "strips": (
        changed(POSITION, strips=["A", "B", "C", "Z"]),
        "strips must be one of A, B, C, D, E and F, not 'Z'.",
    ),
    "strips too few": (
        changed(BEGINNING, strips=["A", "E"]),
        "strips must list the letters of 3 adventures, not",
    ),
    "strips too many": (
        changed(BEGINNING, strips=["A", "E", "C", "D"]),
        "strips must list the letters of 3 adventures, not",
    ),
    "five strips": (
        changed(POSITION, strips=["A", "E", "C", "D", "B"]),
        "strips must list the letters of 4 adventures, not",
    ),
    "strips twice": (
        changed(POSITION, strips=["A", "B", "C", "C"]),
        "strips can’t name anything twice, but is",
    ),
    "board": (changed(POSITION, board=[]), "board must be an object, not []."),
    "square": (
        changed(POSITION, board={"e9": {"card": "E02"}}),
        "board must be a square of a, b, c and e, columns 1 to 7, not 'e9'.",
    ),
    "deck square": (
        changed(POSITION, board={"e0": {"card": "E02"}}),
        "board must be a square of a, b, c and e, columns 1 to 7, not 'e0'.",
    ),
    "no card": (
        changed(POSITION, board={"e1": {}}),
        "board.e1.card must be a card from the decks in play (A, B, C and E), not None.",
    ),
    "card": (
        changed(POSITION, board={"e1": {"card": "D02"}}),
        "board.e1.card must be a card from the decks in play (A, B, C and E), not 'D02'.",
    ),
    "card twice": (
        changed(POSITION, board={"e1": {"card": "E02"}, "e2": {"card": "E02"}}),
        "board.e2.card can’t be 'E02', because that card is already in another place.",
    ),
    "object on the board": (
        changed(POSITION, board={"a1": {"card": "A12"}}),
        "board.a1.card must be a character, not 'A12'.",
    ),
    "entry": (changed(POSITION, board={"a1": "A01"}), "board.a1 must be an object, not 'A01'."),
    "entry's key": (
        changed(POSITION, board={"a1": {"card": "A01", "hat": 1}}),
        "board.a1 can’t have the key 'hat'. Allowed keys: card and markers.",
    ),
    "markers": (
        changed(POSITION, board={"a1": {"card": "A01", "markers": {"red": -1}}}),
        "board.a1.markers.red must be a whole number from 0 to 13, not -1.",
    ),
    "markers of nobody": (
        changed(POSITION, board={"a1": {"card": "A01", "markers": {"yellow": 1}}}),
        "board.a1.markers can’t have the key 'yellow'. Allowed keys: red, blue and green.",
    ),
    "figurine": (
        changed(POSITION, figurines={"doge": "a1"}),
        "figurines can’t have the key 'doge'. Allowed keys: corto and rasputin.",
    ),
    "figurine's square": (
        changed(POSITION, figurines={"corto": "d1"}),
        "figurines.corto must be a square of a, b, c and e, columns 0 to 7, not 'd1'.",
    ),
    "stock": (changed(POSITION, stock={"red": 14}), "stock.red must be a whole number from 0 to 13, not 14."),
    "stock true": (
        changed(POSITION, stock={"red": True}),
        "stock.red must be a whole number from 0 to 13, not Tr",
    ),
    "seal": (changed(POSITION, seal={"red": "2"}), "seal.red must be a whole number from 0 to 99, not '2'."),
    "seals": (changed(POSITION, seal={"red": 90}), "seal can have at most"),
    "corto's gold": (changed(POSITION, corto_gold=3), "corto_gold must be an object, not 3."),
    "turn": (changed(POSITION, turn="yellow"), "turn must be one of red, blue and green, not 'yellow'."),
    "first": (changed(BEGINNING, first=0), "first must be one of red and blue, not 0."),
    "hand": (changed(POSITION, hands={"red": "A02"}), "hands.red must be a list, not 'A02'."),
    "five in hand": (
        changed(POSITION, hands={"red": ["A02", "A03", "A04", "A05", "A06"]}),
        "hands.red can have at most 4 in all, not 5.",
    ),
    "hand and board": (
        changed(POSITION, hands={"red": ["E02"]}),
        "hands.red can’t be 'E02', because that card is already in another place.",
    ),
    "kept": (
        changed(POSITION, kept={"red": ["A02"]}),
        "kept.red must be an advantage that stays in play, not 'A02'.",
    ),
    "another deck's card": (
        changed(POSITION, decks={"A": ["B02"]}),
        "decks.A must be a card from deck A, not 'B02'.",
    ),
    "another deck's discard": (
        changed(POSITION, discards={"A": ["B02"]}),
        "discards.A must be a card from deck A, not 'B",
    ),
    "deck out of play": (changed(POSITION, decks={"D": []}), "decks must be one of A, B, C and E, not 'D'."),
    "quest out of play": (quests(D={}), "quests must be one of A, B, C and E, not 'D'."),
    "quest's key": (quests(A={"ship": 1}), "quests.A can’t have the key 'ship'. Allowed keys: vessel."),
    "vessel": (quests(A={"vessel": 8}), "quests.A.vessel must be a whole number from 1 to 7, not 8."),
    "holder": (
        quests(B={"holder": "yellow"}),
        "quests.B.holder must be one of red, blue and green, not 'yellow'.",
    ),
    "tile": (
        quests(C={"taken": {"red": ["dove"]}}),
        "quests.C.taken.red must be one of ingot and crow, not 'dove'.",
    ),
    "tiles": (
        quests(C={"taken": {"red": ["crow"] * 4}}),
        "quests.C.taken can’t have more tiles than are left",
    ),
    "lost tiles": (
        quests(C={"taken": {"red": ["crow"]}, "lost": ["crow"] * 3}),
        "quests.C.lost can’t have more tiles than are left",
    ),
    "tile's square": (quests(C={"face_down": {"a4": None}}), "quests.C.face_down must be one of c1, c2, c3"),
    "tiles face down": (
        quests(C={"face_down": dict.fromkeys(("c1", "c2", "c3", "c4"), "crow")}),
        "quests.C.face_down can’t have more tiles than are left",
    ),
    "tiles dealt": (
        quests(C={"face_down": dict.fromkeys(("c1", "c2", "c3", "c4", "c5", "c6", "c7"))}),
        "quests.C.face_down can’t have more tiles than are left, so 7 is wrong.",
    ),
    "carriage": (
        quests(E=E_QUEST | {"carriages": {"red": [3]}}),
        "quests.E.carriages.red must be a whole number from 1 to 2, not 3.",
    ),
    "carriages": (
        quests(E={"carriages": {"red": [1, 1], "blue": [1, 1]}}),
        "quests.E.carriages can’t have more carriages of a kind than are left",
    ),
    "lost carriages": (
        quests(E={"lost": ["armed"] * 4}),
        "quests.E.lost can’t have more carriages of a kind than are left",
    ),
    "carriages left": (quests(E={"left": 10}), "quests.E.left must be a whole number from 0 to 9, not 10."),
    "carriages left and lost": (
        quests(E={"left": 4, "lost": ["armed"]}),
        "quests.E.left must count the carriages neither taken nor lost: 8, not 4.",
    ),
    "left without train": (quests(E={"left": 4, "train": None}), "quests.E.left must be"),
    "train without carriages": (
        quests(E={"left": 0, "train": 4}),
        "If no carriages are left, quests.E.train must be null, not 4.",
    ),
    "train": (quests(E={"left": 4, "train": 0}), "quests.E.train must be a whole number from 1 to 7, not 0."),
    "heading": (quests(E={"heading": "up"}), "quests.E.heading must be one of left and right, not 'up'."),
    "faces": (
        quests(E={"carriages": {"red": [1, 1, 2, 2]}, "left": 2, "faces": ["1", "1"]}),
        "quests.E.faces must list 1 and 2, in any order, not ['1', '1'].",
    ),
    "start": (changed(BEGINNING, start={"A": "A13"}), "start.A must be a character, not 'A13'."),
    "start of another deck": (
        changed(BEGINNING, start={"A": "E01"}),
        "start.A must be a card from deck A, not 'E01'.",
    ),
    "start out of play": (
        changed(BEGINNING, start={"B": "B01"}),
        "start must be one of A, E and C, not 'B'.",
    ),
    "start in its deck": (
        changed(BEGINNING, decks={"A": ["A10"]}),
        "decks.A can’t be 'A10', because that card is already in another place.",
    ),
    "all characters in the deck": (
        {
            "seats": ["red", "blue"],
            "strips": ["A", "E", "C"],
            "decks": {"A": [f"A{number:02}" for number in range(1, 12)]},
        },
        "decks.A must leave at least one character in the deck, so that the strip gets a starting character.",
    ),
    "tiles listed": (
        changed(BEGINNING, tiles=["crow"]),
        "tiles must list crow, crow, crow, ingot, ingot and ingot, in any order, not ['crow'].",
    ),
    "tiles without their strip": (
        {"seats": ["red", "blue"], "strips": ["A", "B", "D"], "tiles": ["crow"]},
        "If no strip in play has that quest, tiles must be null or left out, not ['crow'].",
    ),
    "carriages listed": (
        changed(BEGINNING, carriages=["1"] * 9),
        "carriages must list 1, 1, 1, 2, 2, 2, armed",
    ),
}


@pytest.mark.parametrize("wrong", REFUSED)
def test_what_is_no_situation_is_refused_with_its_own_text(wrong: str) -> None:
    value, text = REFUSED[wrong]
    catalogue = texts.load("engines.corto")
    with pytest.raises(InvalidAction) as refused:
        load(value, Setup("corto", "1", 2 if value is not POSITION and _of_two(value) else 3), rng())
    assert catalogue.render(refused.value.msg, str).startswith(text)


def _of_two(value: dict[str, Any]) -> bool:
    """Return whether the table is for two; positions of these tests are for three."""
    return "board" not in value and "seats" in value


def test_an_adventure_that_the_options_name_must_be_there() -> None:
    options = tuple((f"adventure{number}", "random" if number > 1 else "D") for number in range(1, 5))
    with pytest.raises(InvalidAction) as refused:
        load(BEGINNING, Setup("corto", "1", 2, options), rng())
    text = texts.load("engines.corto").render(refused.value.msg, str)
    assert text == "The options name adventure D, so strips must include that letter, but is ['A', 'E', 'C']."


def test_states_of_situations_are_not_shared() -> None:
    first: State = of(POSITION)
    assert record(of(POSITION)) == record(first)
