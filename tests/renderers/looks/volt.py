"""VOLT: rounds played from readable situations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.core.match import Match
from tests.renderers.looks.base import Look, at_situation, look, play, start

PLAN = ("I:b1S", "II:r5W", "III:b1W+strafe-left")
"""A ball that rolls round a corner: a way, a shot that hits, a way with a module."""
FALL = ("I:r6SW", "II:b1N", "III:b2E")
"""A program that ends over an open edge."""

_FOUNDRY: Mapping[str, Any] = {
    "arena": "C",
    "round": 6,
    "tokens": [1, 3, 6],
    "seats": [
        {
            "seat": 0, "side": "N", "pos": "d1", "score": 3,
            "active": ["crossfire", "reflector"], "spare": ["turbo"], "face_up": ["reflector"],
        },
        {
            "seat": 1, "side": "E", "pos": "i5", "score": 2,
            "active": ["piercing", "strafe"], "spare": ["pit", "turbo"], "face_up": ["piercing"],
        },
        {
            "seat": 2, "side": "S", "pos": "f9", "score": 4, "damage": 1,
            "active": ["shield", "jump"], "face_up": ["jump"],
        },
        {"seat": 3, "side": "W", "pos": "d6", "score": 1, "active": ["mine"], "spare": ["bomb", "saw"]},
    ],
}  # fmt: skip
_ROUND = (
    "program I:b3S II:r2SW III:r1SW tile:2",
    "program I:b1W II:r3SW III:r1S tile:4",
    "program I:b2N II:b1W III:r4N tile:1",
    "program I:b2W+mine II:r6N III:r6NE tile:3",
)
"""What the four say in the round before the one that is shown."""
_NEXT = {"N": "program I:b1E II:b2E III:r4S tile:1", "S": "program I:b1E II:r1N III:b3E tile:3"}

_SKYDECK: Mapping[str, Any] = {
    "arena": "D",
    "round": 9,
    "tokens": [2, 5],
    "mines": [{"space": "b5", "seat": 0}, {"space": "h6", "seat": 1}],
    "seats": [
        {
            "seat": 0, "side": "N", "pos": "h3", "score": 4, "damage": 2,
            "active": ["overcharge", "diagonal"], "spare": ["explosive", "priority", "repair"],
        },
        {"seat": 1, "side": "E", "lost": "fall", "score": 2, "damage": 1, "active": ["anchor"]},
        {"seat": 2, "side": "S", "pos": "e5", "score": 0, "active": ["shockwave", "reverse"]},
    ],
}  # fmt: skip

_TRAINING: Mapping[str, Any] = {
    "arena": "A",
    "round": 3,
    "tokens": [1, 4, 5],
    "seats": [
        {"seat": 0, "side": "N", "pos": "f4", "score": 1, "damage": 1},
        {"seat": 1, "side": "S", "pos": "e7", "score": 2},
    ],
}


def _say(match: Match, seat: int, text: str) -> Match:
    return match.act(seat, match.game.read(text))


def foundry_before() -> Match:
    """Return the beginning of the scripted round in arena C."""
    return at_situation("volt", _FOUNDRY)


def foundry(done: str = "") -> Match:
    """Return the round after a scripted one in arena C; the sides in ``done`` have programmed."""
    match = foundry_before()
    for seat, text in enumerate(_ROUND):
        match = _say(match, seat, text)
    for side in done:
        match = _say(match, "NESW".index(side), _NEXT[side])
    return match


def skydeck() -> Match:
    """Return a position in the arena with open edges: mines, one robot lost."""
    return at_situation("volt", _SKYDECK)


def started() -> Match:
    """Return a match of four that asks all for a start space: each has seen both modules."""
    return play(start("volt", 4, arena="B"), *["draw red"] * 4, *["draw blue", "draw yellow"] * 2)


def rebooting() -> Match:
    """Return a match whose second seat chooses where to come back."""
    match = at_situation("volt", _TRAINING, training="on", arena="A")
    match = _say(match, 0, "program I:b1E II:r1N III:r2N tile:1")
    return _say(match, 1, "program I:b1N II:b2E III:r1N tile:2")


def training() -> Match:
    """Return a match without modules."""
    return at_situation("volt", _TRAINING, training="on", arena="A")


def ended() -> Match:
    """Return the end of a match of four computer players."""
    match = start("volt", 4, arena="B")
    while match.waiting:
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
    return match


LOOKS: Mapping[str, Callable[[], Look]] = {
    "board": lambda: look(foundry("NS"), None),
    "private": lambda: look(foundry(), 1, *PLAN),
    "modules": lambda: look(foundry(), 1, *PLAN, key="controller"),
    "chosen": lambda: look(foundry(), 1, "I:b3"),
    "fall": lambda: look(skydeck(), 0, *FALL),
    "skydeck": lambda: look(skydeck(), None),
    "start": lambda: look(started(), 2, "start", "e9"),
    "reboot": lambda: look(rebooting(), 1),
    "training": lambda: look(training(), 0),
    "end": lambda: look(ended(), None),
}
