"""CORTO: turns played from readable situations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.core.match import Entry, EntryKind, Match
from tests.renderers.looks.base import Look, at_situation, look

COLOURS = ("red", "blue", "yellow", "green")

PAGE: Mapping[str, Any] = {
    "seats": list(COLOURS),
    "strips": ["A", "C", "D", "E"],
    "board": {
        "a1": {"card": "A01", "markers": {"red": 2, "blue": 1}},
        "a2": {"card": "A09", "markers": {"blue": 2}},
        "a3": {"card": "A06", "markers": {"red": 1}},
        "a5": {"card": "A03", "markers": {"green": 1}},
        "c1": {"card": "C01", "markers": {"yellow": 2}},
        "c2": {"card": "C08", "markers": {"blue": 2, "yellow": 1}},
        "c4": {"card": "C11", "markers": {"green": 2, "red": 1}},
        "c5": {"card": "C07", "markers": {"green": 1}},
        "d1": {"card": "D09", "markers": {"blue": 3}},
        "d2": {"card": "D01", "markers": {"red": 1, "blue": 1, "yellow": 1, "green": 1}},
        "d3": {"card": "D05", "markers": {}},
        "d4": {"card": "D07", "markers": {"yellow": 1}},
        "d5": {"card": "D03", "markers": {}},
        "d6": {"card": "D10", "markers": {"green": 2, "yellow": 1}},
        "e1": {"card": "E06", "markers": {"yellow": 1}},
        "e3": {"card": "D02", "markers": {"yellow": 2, "blue": 1}},
        "e4": {"card": "E08", "markers": {"yellow": 3}},
        "e5": {"card": "E05", "markers": {"green": 1}},
        "e6": {"card": "E09", "markers": {"red": 1}},
    },
    "figurines": {"corto": "a2", "rasputin": "e2"},
    "seal": {"red": 2, "blue": 1, "yellow": 2, "green": 1},
    "corto_gold": {"blue": 2, "yellow": 1},
    "quests": {
        "A": {"vessel": 4},
        "C": {
            "taken": {"red": ["crow"], "yellow": ["ingot", "ingot"]},
            "face_down": {"c3": "crow", "c6": "ingot", "c7": "crow"},
        },
        "D": {"leopards": {"yellow": 1, "green": 1}},
        "E": {"carriages": {"blue": [2]}, "left": 7, "train": 6},
    },
    "hands": {"red": ["A08", "C15", "E17", "A17"]},
    "turn": "red",
}

ISLANDS: Mapping[str, Any] = {
    "seats": ["red", "blue"],
    "strips": ["B", "F", "A"],
    "board": {
        "b1": {"card": "B05", "markers": {"red": 2}},
        "b2": {"card": "B10", "markers": {"blue": 2}},
        "b3": {"card": "B01", "markers": {"red": 2, "blue": 1}},
        "b4": {"card": "B04", "markers": {"red": 1}},
        "f1": {"card": "F03", "markers": {"blue": 1}},
        "f2": {"card": "F10", "markers": {"red": 1, "blue": 1}},
        "f3": {"card": "F01", "markers": {"blue": 3}},
        "f5": {"card": "F06", "markers": {"red": 1}},
        "a1": {"card": "A02", "markers": {"blue": 2}},
        "a2": {"card": "A11", "markers": {"red": 1}},
        "a3": {"card": "A05", "markers": {}},
        "a4": {"card": "A10", "markers": {"red": 2}},
    },
    "figurines": {"corto": "f2", "rasputin": "f2"},
    "seal": {"red": 1},
    "quests": {"B": {"holder": "red"}, "F": {}, "A": {"vessel": 6}},
    "hands": {"blue": ["B18", "F16", "A13", "A20"]},
    "turn": "blue",
}

OPENING: Mapping[str, Any] = {
    "seats": ["red", "blue", "yellow"],
    "strips": ["F", "D", "C", "B"],
    "start": {"F": "F02", "D": "D03", "C": "C10", "B": "B04"},
    "first": "yellow",
}

LAST: Mapping[str, Any] = {
    **PAGE,
    "board": {
        **PAGE["board"],
        "a4": {"card": "A04", "markers": {"red": 1}},
        "a6": {"card": "A07", "markers": {"green": 2}},
        "a7": {"card": "A02", "markers": {"green": 1}},
        "c6": {"card": "C03", "markers": {"red": 1, "green": 1}},
        "c7": {"card": "C10", "markers": {"blue": 1}},
    },
    "quests": {
        **PAGE["quests"],
        "C": {"taken": {"red": ["crow"], "yellow": ["ingot", "ingot"]}, "face_down": {"c3": "ingot"}},
    },
}
"""One square short of the end."""


def at(value: Mapping[str, Any]) -> Match:
    """Return a match in a situation."""
    return at_situation("corto", value)


def said(match: Match, *lines: str) -> Match:
    """Return a match after some sentences, each of the seat whose turn it is."""
    for line in lines:
        view: Any = match.view(None)
        seat = view.turn.seat if view.turn is not None else view.place
        match = match.act(seat, match.game.read(line))
    return match


def page() -> Match:
    """Return a position of four in the middle of a match; red has a turn."""
    return at(PAGE)


def revealed() -> Match:
    """Return that position after a turn that took a tile, hit, killed, and drew."""
    return said(page(), "play A08 c3", "-c2:blue use C15 kill d3 end")


def islands() -> Match:
    """Return a position of two on three strips, both figurines on one square; blue has a turn."""
    return at(ISLANDS)


def opening() -> Match:
    """Return a match of three in which two have a first marker; both may draw, the third places one."""
    match = at(OPENING)
    return said(match, "start f1", "start d1")


def ended() -> Match:
    """Return the end of a match of four: the last square of two strips is taken."""
    return said(at(LAST), "play A08 c3", "end")


def left() -> Match:
    """Return a match of four in its middle that one has left."""
    return page().apply(Entry(EntryKind.WITHDRAW, 1))


LOOKS: Mapping[str, Callable[[], Look]] = {
    "board": lambda: look(revealed(), None),
    "private": lambda: look(page(), 0, "A08"),
    "targets": lambda: look(page(), 0, "play", "A08", "a4"),
    "final": lambda: look(page(), 0, "play", "A08", "c3"),
    "draws": lambda: look(revealed(), 0),
    "islands": lambda: look(islands(), None),
    "figurine": lambda: look(islands(), 1, "B18"),
    "friends": lambda: look(islands(), 1, "corto", "B18", "b2", "gold"),
    "eliminate": lambda: look(islands(), 1, "rasputin", "A20", "a0"),
    "swap": lambda: look(islands(), 1, "F16"),
    "opening": lambda: look(opening(), 1),
    "left": lambda: look(left(), None),
    "strip": lambda: look(revealed(), None, key="strip.C"),
    "siberia": lambda: look(revealed(), None, key="strip.E"),
    "groups": lambda: look(revealed(), None, key="groups"),
    "end": lambda: look(ended(), None),
    "scoring": lambda: look(ended(), None, key="scoring"),
}
