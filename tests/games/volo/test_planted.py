"""Rules broken on purpose: the comparison with the reference must see each of them."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from importlib.resources import files
from types import ModuleType

import pytest

from tests.games.volo import positions
from tests.games.volo.compare import carried_along, difference
from tests.games.volo.support import ADDS_AT_HOME, text_of
from tests.kit.samples import some

ORDER = ("board", "sides", "flights", "regions", "movegen")
"""Modules of the generator, each after those that it imports."""

REACHED = "adds & reachable(self.board, self.other.birds, self.own.birds)"

BUGS = {
    "a flock may be split": (
        "flights",
        "return all(part & near for part in parts)",
        "return True",
    ),
    "birds may be left behind by one that lands far away": (
        "flights",
        "return parts[0] & near != 0",
        "return True",
    ),
    "a flock need not grow": ("movegen", "other = once & ~flock.beside | twice", "other = once"),
    "a lone bird need not join anybody": (
        "flights",
        "front, marks = birds, twice",
        "front, marks = birds, once",
    ),
    "friends may be flown over": (
        "movegen",
        "(once, twice), finds)",
        "(once, twice), finds); vacant |= own.birds",
    ),
    "opponents may be flown over": (
        "movegen",
        "vacant = self.vacant",
        "vacant = self.board.full ^ self.own.birds",
    ),
    "a row's own points are in its way": ("flights", "free = vacant | row", "free = vacant"),
    "a row needs no more than its leader's way": ("flights", "clear &= free >> far", "clear &= free"),
    "rows end at two birds": (
        "flights",
        "range(1, flock.size - 1)",
        "range(1, min(flock.size - 1, 2))",
    ),
    "the centre is a point": ("board", "<= {0, radius}", "== {0, radius}"),
    "adding beside a friend": ("movegen", "free = vacant & ~own.once", "free = vacant"),
    "adding in the opponent's region": ("movegen", "return free & seen", "return free"),
    "sixty birds are not all": ("movegen", "SUPPLY = 60", "SUPPLY = 61"),
    "passing whenever nothing flies": ("movegen", f"and not {REACHED}", ""),
    "passing only where there is no add": ("movegen", f"and not {REACHED}", "and not adds"),
    "no bird ever flies away": ("movegen", "        if choices:", "        if False:"),
    "one flock has to choose a region too": ("regions", " and board.flood(landing, own) != own", ""),
    "all regions stay": ("movegen", "other & ~region", "0"),
    "the wrong region flies away": ("movegen", "other & ~region", "other & region"),
    "single landings cut nothing": ("movegen", "cuts = landing & risky != 0", "cuts = False"),
    "lone birds cut nothing": ("flights", "(doubtful if landing & risky else found)", "found"),
    "rows cut nothing": (
        "movegen",
        "cuts = loose or may_close(board, own, turn.unit, landing)",
        "cuts = loose",
    ),
    "only the edge is a wall": (
        "regions",
        "_two_places(board, board.wall | side.anchored)",
        "_two_places(board, board.wall)",
    ),
    "flocks in the open enclose nothing": ("regions", "RING = 6", "RING = 60"),
    "what was looked at once is never looked at again": (
        "flights",
        "known_free == free and known_marks == marks",
        "known_marks",
    ),
}


LOW = [f"{row}{n}" for row, length in zip("bcdef", range(8, 13), strict=True) for n in range(1, length + 1)]
SIXTY = " ".join([*LOW, *(f"a{n}" for n in range(2, 7)), *["m2", "m4", "k2", "k5", "h2"]])
"""All birds of a side: the rows a to f, and five above."""


@cache
def texts() -> tuple[str, ...]:
    """Positions on which every bug shows."""
    played = [p.text() for key in ("small", "standard") for p, _ in positions.played(f"planted {key}", key)]
    drawn = [p.text() for p in positions.drawn_many("planted", 60)]
    walls = [p.text() for p in positions.walled("planted", 60)]
    return (*walls, *drawn, *played, *SPECIAL)


SPECIAL = (
    ADDS_AT_HOME,
    text_of("c1 c2 c3 c4 c6 c7 c8 c9 d5", "a3 b5 f2 h9 m4"),
    text_of("d4 d5 e4 f5 f6 g9 k2 l7", "e5 h2 k9"),
    text_of("d4 d5 e4 f5 f6 e8 k2 l7", "e5 h2 k9"),
    text_of("d4 d5 e4 f5 g6 g8 e7 k2 l7", "e5 e6 f6 h2 k9"),
    text_of(SIXTY, "k8 i9 j9"),
)


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """Load the generator with one line of it changed, in place of the real one."""
    name, old, new = BUGS[request.param]
    source = (files("engines.volo") / f"{name}.py").read_text("utf-8")
    assert old in source, "the bug fits no line of the code any more"
    for module in ORDER[ORDER.index(name) :]:
        fresh = ModuleType(f"engines.volo.{module}")
        text = (files("engines.volo") / f"{module}.py").read_text("utf-8")
        monkeypatch.setitem(sys.modules, fresh.__name__, fresh)
        monkeypatch.setattr("engines.volo." + module, fresh)
        exec(compile(text.replace(old, new) if module == name else text, module, "exec"), fresh.__dict__)
    compare = importlib.import_module("tests.games.volo.compare")
    monkeypatch.setattr(compare, "movegen", sys.modules["engines.volo.movegen"])
    if name == "board":
        board = sys.modules["engines.volo.board"]
        monkeypatch.setattr(
            "engines.volo.notation.BY_POINTS", {120: board.BOARDS["standard"], 84: board.BOARDS["small"]}
        )
    return str(request.param)


@pytest.mark.parametrize("plant", some([*BUGS], 5), indirect=True)
def test_a_broken_rule_is_seen(plant: str) -> None:
    assert any(_differs(text) for text in texts()) or not carried_along("planted", "small"), plant


def _differs(text: str) -> bool:
    try:
        return difference(text) != {}
    except (AssertionError, LookupError, ValueError):
        return True


def test_nothing_is_seen_where_nothing_is_broken() -> None:
    for text in SPECIAL:
        assert difference(text) == {}
