"""The data files: what they must hold, each way of being wrong, and a seventh adventure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from engines.core.match import Match
from engines.core.setups import complete
from engines.core.texts import load
from engines.core.to_json import Plain
from engines.corto import GAME, quests
from engines.corto.cards import (
    ADVENTURES,
    ADVENTURES_FILE,
    CARDS,
    CARDS_FILE,
    EARLIER_FILES,
    BadData,
    Kind,
    parse_adventures,
    parse_cards,
)
from engines.corto.names import adventure_name, card_name, card_rule, quest_rule
from engines.corto.view import View
from tests.games.corto.lanterns import Lanterns
from tests.games.corto.positions import of, position, table
from tests.games.corto.test_quests_places import quest_gold

Entries = list[dict[str, Any]]

DATA = files("engines.corto") / "data"
FIGURINES = (Kind.CORTO, Kind.RASPUTIN)


def entries(name: str) -> Entries:
    found: Entries = json.loads((DATA / name).read_text("utf-8"))
    return found


def test_six_adventures_of_twenty_cards() -> None:
    assert sorted(ADVENTURES) == list("ABCDEF")
    assert {key: sum(card.deck == key for card in CARDS.values()) for key in ADVENTURES} == dict.fromkeys(
        "ABCDEF", 20
    )


def test_names_are_unique_but_for_the_figurines() -> None:
    english = load("engines.corto").languages["en"]
    names = [english[card_name(card.id).key] for card in CARDS.values() if card.kind not in FIGURINES]
    assert len(set(names)) == len(names) == 102


@pytest.mark.parametrize("before", EARLIER_FILES)
def test_earlier_data_say_the_same_and_the_texts_say_the_words(before: str) -> None:
    """Matches that began with them are played on: see ``tests/records``."""
    after = entries(before.replace(".", "-2."))
    english = load("engines.corto").languages["en"]
    for old, new in zip(entries(before), after, strict=True):
        name, text = old.pop("name"), old.pop("text")
        assert old == new
        key = f"card.{old['id']}" if "id" in old else f"adventure.{old['key']}"
        assert text
        assert english.get(key, name) == name.replace("'", "’")


def test_every_card_and_adventure_has_its_name_and_its_rule() -> None:
    speaker = Plain(GAME, load("engines.corto"))
    for card in CARDS.values():
        assert speaker.text(card_name(card.id))
        assert re.fullmatch(r"[A-Z][^{}]*\.", speaker.text(card_rule(card)))
    for key in ADVENTURES:
        assert speaker.text(adventure_name(key))
        assert re.fullmatch(r"[A-Z][^{}]*\.", speaker.text(quest_rule(key)))


def test_every_character_may_stand_on_its_own_strip() -> None:
    assert all(card.deck in card.colours for card in CARDS.values() if card.kind is Kind.CHARACTER)


def test_all_seven_advantages_are_in_the_decks() -> None:
    effects = {card.effect for card in CARDS.values() if card.kind is Kind.ADVANTAGE}
    assert effects == {"swap", "transfer", "refill", "drop-in", "safe-conduct", "bribe", "pickpocket"}


# --- cards that are wrong -------------------------------------------------------------------------


def change(number: int, **fields: Any) -> Callable[[Entries], object]:
    """Return what changes fields of an entry."""
    return lambda cards: cards[number].update(fields)


def without(number: int, field: str) -> Callable[[Entries], object]:
    return lambda cards: cards[number].pop(field)


def characters_to_objects(cards: Entries) -> None:
    for number, card in enumerate(cards):
        if card["deck"] == "A" and card["kind"] == "character":
            kept = {key: card[key] for key in ("id", "deck", "emblem")}
            cards[number] = {**kept, "kind": "object", "border": "white", "long_range": False, "power": 1}


def no_entry(cards: list[Any]) -> None:
    cards[0] = 3


CHARACTER, OBJECT, ADVANTAGE, FIGURINE = 0, 11, 15, 16

BAD_CARDS: dict[str, tuple[Callable[[Entries], object], str]] = {
    "kind": (change(CHARACTER, kind="dragon"), "entry 1: kind must be one of character, object"),
    "kind type": (change(CHARACTER, kind=3), "entry 1: kind must be one of"),
    "missing field": (without(CHARACTER, "friend"), "entry 1: must have exactly the fields"),
    "extra field": (change(OBJECT, friend=True), "entry 12: must have exactly the fields"),
    "type": (change(CHARACTER, friend="yes"), "entry 1: friend must be of type bool"),
    "number for a switch": (change(OBJECT, long_range=1), "long_range must be of type bool"),
    "switch for a number": (change(OBJECT, power=True), "power must be of type int"),
    "deck": (change(CHARACTER, deck="Z", id="Z01"), "entry 1: no adventure Z"),
    "id": (change(CHARACTER, id="B01"), "entry 1: id must be deck and number"),
    "id twice": (change(CHARACTER, id="A02"), "A02: is there twice"),
    "border": (change(CHARACTER, border="pink"), "border must be one of white, black, both"),
    "object's border": (change(OBJECT, border="both"), "border must be one of white, black"),
    "colours": (change(CHARACTER, colours=["A", "Z"]), "colours must be letters of adventures"),
    "no colour": (change(CHARACTER, colours=[]), "has one or two colours"),
    "colour twice": (change(CHARACTER, colours=["A", "A"]), "has one or two colours"),
    "three colours": (change(CHARACTER, colours=["A", "B", "C"]), "has one or two colours"),
    "power": (change(OBJECT, power=3), "power must be 1 or 2"),
    "steps": (change(FIGURINE, steps=0), "steps must be at least 1"),
    "effect": (change(ADVANTAGE, effect="flight"), "effect must be one of swap, transfer"),
    "a card less": (lambda cards: cards.pop(), "deck F: has 19 cards, not 20"),
    "no character": (characters_to_objects, "deck A: has no character to begin with"),
    "no entry": (no_entry, "entry 1: kind must be one of"),
}


@pytest.mark.parametrize("wrong", BAD_CARDS)
def test_wrong_cards_are_refused(wrong: str) -> None:
    spoil, text = BAD_CARDS[wrong]
    cards = entries(CARDS_FILE)
    spoil(cards)
    with pytest.raises(BadData, match=re.escape(text)):
        parse_cards(cards, ADVENTURES)


def test_cards_are_a_list() -> None:
    with pytest.raises(BadData, match="must be a list of cards"):
        parse_cards({}, ADVENTURES)


# --- adventures that are wrong --------------------------------------------------------------------

A, B, C, D, E, F = range(6)

BAD_ADVENTURES: dict[str, tuple[Callable[[Entries], object], str]] = {
    "missing field": (without(A, "colour"), "entry 1: must have exactly the fields"),
    "type": (change(A, places=[]), "entry 1: places must be of type dict"),
    "key": (change(A, key="AB"), "entry 1: key must be one capital letter"),
    "key twice": (change(B, key="A"), "entry 2: key A is there twice"),
    "colour": (change(A, colour="blue"), "entry 1: colour must be #rrggbb"),
    "no number": (change(A, values={"vessel": "5"}), "entry 1, values: must hold whole numbers"),
    "a switch": (change(A, places={"start": True}), "entry 1, places: must hold whole numbers"),
    "quest": (change(A, quest="dragon"), "adventure A: quest must be one of vessel, aces"),
    "no piece": (change(A, pieces={}), "adventure A: the quest vessel needs pieces vessel"),
    "another value": (
        change(D, values={"leopard": 1, "least": 2}),
        "the quest leopards needs values leopard",
    ),
    "a place too many": (change(D, places={"start": 1}), "the quest leopards needs places nothing"),
    "fewer than none": (change(D, pieces={"leopard": -1}), "pieces must not be fewer than 0"),
    "vessel off the board": (change(A, places={"start": 8}), "the pieces of vessel leave the board"),
    "tiles off the board": (change(C, places={"first": 3}), "the pieces of tiles leave the board"),
    "tiles under the deck": (change(C, places={"first": 0}), "the pieces of tiles leave the board"),
    "train off the board": (change(E, places={"start": 0}), "the pieces of train leave the board"),
    "gold off the board": (change(F, pieces={"gold": 5}), "the pieces of gold leave the board"),
}


@pytest.mark.parametrize("wrong", BAD_ADVENTURES)
def test_wrong_adventures_are_refused(wrong: str) -> None:
    spoil, text = BAD_ADVENTURES[wrong]
    adventures = entries(ADVENTURES_FILE)
    spoil(adventures)
    with pytest.raises(BadData, match=re.escape(text)):
        quests.check(parse_adventures(adventures))


@pytest.mark.parametrize("value", [{}, [], None])
def test_adventures_are_a_list(value: object) -> None:
    with pytest.raises(BadData, match="must be a list of adventures"):
        parse_adventures(value)


# --- a seventh adventure --------------------------------------------------------------------------

SEVENTH: dict[str, Any] = {
    "key": "G",
    "colour": "#aabbcc",
    "quest": "lanterns",
    "pieces": {"lantern": 2},
    "values": {"lantern": 2},
    "places": {},
}


@pytest.fixture
def seventh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add an adventure: an entry, a deck, a quest."""
    deck = [card for card in entries(CARDS_FILE) if card["deck"] == "A"]
    for card in deck:
        card.update(id=f"G{card['id'][1:]}", deck="G")
        if "colours" in card:
            card["colours"] = ["G"]
    monkeypatch.setitem(quests.QUESTS, "lanterns", Lanterns())
    adventures = parse_adventures([*entries(ADVENTURES_FILE), SEVENTH])
    quests.check(adventures)
    cards = parse_cards([*entries(CARDS_FILE), *deck], adventures)
    for key, adventure in adventures.items():
        monkeypatch.setitem(ADVENTURES, key, adventure)
    for face in cards.values():
        monkeypatch.setitem(CARDS, face.id, face)


@pytest.mark.usefixtures("seventh")
def test_a_seventh_adventure_is_an_entry_and_a_small_file() -> None:
    state = position({}, strips="ABCG", hands={"red": ["G01", "G02", "G03"]})
    found = table(state)
    for square in ("g1", "g2", "g3"):
        quests.quest_of("G").placed(found, "G", square)
    held = [piece.holder for piece in found.pieces["G"]]
    assert held == [0, 0], "there are two lanterns"
    assert quest_gold(found.state(), "G") == (4, 0, 0, 0)


def with_the_seventh() -> Match:
    """Return a match in which it was drawn."""
    for number in range(99):
        match = Match.start(GAME, complete(GAME.manifest, 3), bytes([number]) * 32)
        if "G" in match.view(None).strips:
            return match
    raise AssertionError("the seventh adventure is never drawn")


@pytest.mark.usefixtures("seventh")
def test_a_seventh_adventure_is_played_to_the_end() -> None:
    match = with_the_seventh()
    while match.waiting:
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
    view: View = match.view(None)
    strip = view.strips.index("G")
    lanterns = sum(piece.holder is not None for piece in view.quests[strip].pieces)
    told = [fact for _, fact in match.facts(None) if fact.kind == "played"]
    placed = sum(str(fact["square"]).startswith("g") for fact in told)
    assert placed
    assert lanterns == min(2, placed)
    assert sum(dict(line.quests)["G"] for line in view.gold) == 2 * lanterns


@pytest.mark.usefixtures("seventh")
def test_a_seventh_adventure_begins_like_the_others() -> None:
    state = of({"seats": ["red", "blue"], "strips": ["A", "G", "C"], "start": {"G": "G04"}, "first": "blue"})
    assert state.public.board[1].card == "G04"
    assert len(state.decks[1]) == 19
    assert {card[0] for card in state.decks[1]} == {"G"}
