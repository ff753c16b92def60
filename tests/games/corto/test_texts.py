"""CORTO's texts: each fact told in one sentence, outcomes, and data that need labels."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace

import pytest

from engines.core import texts
from engines.core.contract import Fact, fact
from engines.core.to_json import Plain
from engines.corto import GAME, events
from engines.corto.cards import ADVENTURES
from engines.corto.events import narrate
from engines.corto.names import adventure_name
from engines.corto.scoring import ranks
from engines.corto.view import COLOURS, Phase
from tests.games.corto.positions import position, public

RED, BLUE, YELLOW, GREEN = range(4)

TOLD: list[tuple[Fact, str]] = [
    (
        events.began(("C", "E"), ("C04", "E02"), BLUE),
        "The strips, from the top: The Celts with Druid and In Siberia with Stoker. Blue goes first.",
    ),
    (events.started(RED, "a1"), "Red puts a marker on a1."),
    (events.drew(RED, "A", "A04"), "Red draws Lamp keeper (A04) from Ballad of the Salt Sea."),
    (events.drew(RED, "A", None), "Red draws from Ballad of the Salt Sea."),
    (events.turn_begins(RED), "Red plays next."),
    (events.played(RED, "A04", "a3"), "Red places Lamp keeper on a3."),
    (events.added(RED, "a3", None), "Red puts a marker on a3."),
    (events.added(RED, "a3", "c2"), "Red moves a marker from c2 to a3."),
    (
        events.removed(RED, "a5", BLUE, "A15"),
        "Red hits with Deck cannon: Blue loses a marker on a5.",
    ),
    (events.removed(RED, "a5", BLUE, None), "Red hits with the armed carriage: Blue loses a marker on a5."),
    (
        events.killed(RED, "a6", "A01", "A15"),
        "Red kills Harbour pilot on a6 with Deck cannon.",
    ),
    (
        events.killed(RED, "a6", "A01", "A19"),
        "Red eliminates Harbour pilot on a6 with Rasputin.",
    ),
    (
        events.killed(RED, "a6", "A01", None),
        "Red kills Harbour pilot on a6 with the armed carriage.",
    ),
    (
        events.spared(RED, "a6", BLUE, "C18"),
        "Red hits a6, but Safe conduct protects Blue and is discarded.",
    ),
    (events.used(RED, "A15", "a3"), "Red uses Deck cannon from a3."),
    (
        events.travelled(RED, "A17", "corto", None, "c2", "c0"),
        "Red brings in Corto, from c0 to c2.",
    ),
    (events.travelled(RED, "A19", "rasputin", "a1", "c2", None), "Red sends Rasputin from a1 to c2."),
    (events.travelled(RED, "A19", "rasputin", "a1", "a1", None), "Red keeps Rasputin on a1."),
    (events.earned(RED, YELLOW, "b2"), "Corto’s friend on b2 earns 1 gold for Yellow."),
    (events.advantage(RED, "B17", kept=False), "Red plays Fair wind."),
    (events.advantage(RED, "C18", kept=True), "Red puts Safe conduct into play."),
    (events.swapped(RED, "a2", "e4"), "Red swaps the characters on a2 and e4."),
    (events.moved(RED, "a1", "b2"), "Red moves a marker from a1 to b2."),
    (events.bribed(RED, "a3", BLUE), "Red sends home a marker on a3 that belongs to Blue."),
    (events.picked(RED, BLUE, "E", None), "Red takes a card from Blue. Its deck: In Siberia."),
    (events.picked(RED, BLUE, "E", "E02"), "Red takes Stoker (E02) from Blue."),
    (events.discarded(RED, ("A04", "B17")), "Red discards Lamp keeper (A04) and Fair wind (B17)."),
    (events.discarded(RED, ()), "Red discards nothing."),
    (events.passed(RED, forced=False), "Red passes."),
    (events.passed(RED, forced=True), "Red can’t play or draw, and is skipped."),
    (events.sailed(RED, "A", 7, 6), "Red sails the vessel from column 7 to 6."),
    (events.aces_taken(RED, "B", None), "Red takes the four aces."),
    (events.aces_taken(RED, "B", BLUE), "Red takes the four aces from Blue."),
    (events.tile_taken(RED, "c4", "ingot"), "Red reveals an ingot on c4."),
    (events.tile_taken(RED, "c4", "crow"), "Red reveals a crow on c4."),
    (events.leopard_taken(RED, "D", 5), "Red takes a leopard. Leopards left: 5."),
    (events.train_moved("E", 7, 6), "The train goes from column 7 to 6."),
    (
        events.carriage_taken(RED, "e3", 2, 1),
        "Red hits the train on e3 and takes a carriage with 2 gold. 1 carriage is left.",
    ),
    (
        events.carriage_taken(RED, "e3", 0, 4),
        "Red hits the train on e3 and takes an armed carriage, which can hit once. 4 carriages are left.",
    ),
    (events.train_left("E"), "The train has no carriages left and leaves."),
    (events.ended_turn(RED), "Red ends the turn."),
    (events.withdrawn(RED), "Red leaves the match, and each card in hand goes under its deck."),
    (
        events.ended(((RED,), (BLUE,)), "boards"),
        "Two strips are full, so the gold is counted. Red wins.",
    ),
    (
        events.ended(((RED, GREEN), (BLUE,)), "passes"),
        "Everyone has passed, so the gold is counted. Red and Green share the victory.",
    ),
    (
        events.ended(((BLUE,), (RED,)), "withdrawn"),
        "Everyone else has left the match. Blue wins.",
    ),
    (events.ended(((RED, BLUE),), "agreed"), "The players agreed on a draw."),
]


def speaker() -> Plain:
    return Plain(GAME, texts.load("engines.corto"))


@pytest.mark.parametrize("number", range(len(TOLD)), ids=lambda n: f"{TOLD[n][0].kind}-{n}")
def test_each_fact_is_one_sentence(number: int) -> None:
    found, text = TOLD[number]
    assert speaker().fact(found)["text"] == text


def test_every_fact_has_its_sentence() -> None:
    builders = {
        name
        for name, value in vars(events).items()
        if inspect.isfunction(value)
        and value.__module__ == events.__name__
        and inspect.signature(value).return_annotation == "Fact"
    }
    source = inspect.getsource(events)
    kinds = set(re.findall(r'fact\("(\w+)"', source))
    assert len(kinds) == len(builders)
    assert kinds == {found.kind for found, _ in TOLD}


def test_a_fact_of_another_game_is_not_told() -> None:
    assert narrate(fact("volley", seat=RED)) is None


def test_an_outcome_tells_everybodys_gold() -> None:
    state = position({}, seal={"blue": 2}, corto_gold={"green": 1})
    assert GAME.outcome(public(state)) is None
    over = replace(state.public, phase=Phase.OVER, turn=None, ranks=ranks(state.public), reason="boards")
    found = GAME.outcome(public(replace(state, public=over)))
    assert found is not None
    assert found.ranks == ((BLUE,), (GREEN,), (RED, YELLOW))
    assert dict(found.scores) == {RED: 0, BLUE: 2, YELLOW: 0, GREEN: 1}


def test_seats_are_called_by_their_colours() -> None:
    names = [speaker().seat_name(seat) for seat in range(4)]
    assert [name.casefold() for name in names] == list(COLOURS)


def test_every_adventure_is_an_option_by_its_name() -> None:
    for option in speaker().manifest()["options"]:
        labels = {choice["key"]: choice["label"] for choice in option["choices"]}
        assert all(speaker().text(adventure_name(key)) in labels[key] for key in ADVENTURES)


def test_how_to_play_says_that_cards_and_quests_are_a_reconstruction() -> None:
    catalogue = texts.load("engines.corto").languages["en"]
    assert "reconstruction" in str(catalogue["help"])
