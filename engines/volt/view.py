"""What one viewer knows of a match of VOLT: plain data, for renderers, players and the console.

A space is its column and row, ``"d2"``; row 1 is the northern one. An arrow is one of :data:`ARROWS`.
A module is the first word of its name, ``"shield"``; a use of one carries its choice, ``"strafe-left"``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from engines.core.contract import Fact, Seat, Viewer
from engines.volt.rulesets import Ruleset

Space: TypeAlias = str
Arrow: TypeAlias = str

ARROWS: tuple[Arrow, ...] = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Clockwise from north, which is up for everybody."""

DECKS = ("red", "blue", "yellow")
UNITS = ("I", "II", "III")


class Phase(Enum):
    """What the match waits for; several seats are asked at once in each but the last."""

    START = "start"
    """The deck of the first module; by ruleset 1 a start space, too."""
    SECOND = "second"
    """The deck of the second module."""
    REBOOT = "reboot"
    """A start space for a robot off the board, and a deck if it may draw; in round 1 it enters the arena."""
    PROGRAM = "program"
    REPAIR = "repair"
    """All damage off, or a module."""
    OVER = "over"


class Lost(Enum):
    """Why a robot is off the board."""

    DAMAGE = "damage"
    FALL = "fall"


@dataclass(frozen=True, slots=True, repr=False)
class RobotView:
    """A robot.

    ``pos`` is ``None`` off the board: before its start, destroyed (``lost``), or withdrawn (``gone``).
    """

    seat: Seat
    side: str
    pos: Space | None
    lost: Lost | None
    damage: int
    score: int
    gone: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class CardView:
    """An active module as this viewer sees it; ``name`` is ``None`` where only its back is known.

    ``face_up``: everybody knows the name. Lists of cards are sorted by what the public sees of them
    (deck in the order of :data:`DECKS`, names before backs), never by what is hidden; the owner's own
    list is in the same order and adds the names.
    """

    deck: str
    name: str | None
    face_up: bool


@dataclass(frozen=True, slots=True, repr=False)
class ModulesView:
    """A seat's modules.

    ``active`` lie in the control unit, ``spare`` beside it: the owner's view names all, another's the
    backs (``name`` ``None``). ``listed``: names that were face up at some time, sorted; public.
    ``mines``: how many are left to lay.
    """

    active: tuple[CardView, ...]
    spare: tuple[CardView, ...]
    listed: tuple[str, ...]
    mines: int


@dataclass(frozen=True, slots=True, repr=False)
class MineView:
    """A mine on the board, and whose it is."""

    space: Space
    seat: Seat


@dataclass(frozen=True, slots=True, repr=False)
class DieView:
    """A die on a unit, with the modules named with it as far as the viewer knows them."""

    unit: int
    """0 to 2."""
    colour: str
    """``"blue"`` moves, ``"red"`` shoots."""
    number: int
    arrow: Arrow
    modules: tuple[str, ...] = ()
    """Uses with their choice, in the order of the program."""

    @property
    def text(self) -> str:
        """Return unit and die as the notation writes them: ``I:b3E``."""
        return f"{UNITS[self.unit]}:{self.colour[0]}{self.number}{self.arrow}"


@dataclass(frozen=True, slots=True, repr=False)
class ProgramView:
    """A program: committed, known to its own seat alone; or last round's, but for what did not turn up.

    ``dice`` are those given so far, in the order of the units: a draft may have fewer than three.
    ``swaps`` are ``"+shield"``, ``"-turbo"``; ``orders`` the standing orders that are on.
    """

    dice: tuple[DieView, ...]
    swaps: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    tile: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Forecast:
    """Where a drafted program leads if nobody else moves: what a preview draws.

    ``facts`` are the steps of the own dice alone, as :mod:`engines.volt.events` writes them.
    """

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """All that one viewer knows.

    ``asked``: the seats that the phase asks; ``done``: those of them that have answered (public).
    ``tiles``: each seat's number tile of the round before (of the set-up, before the first), by which
    preparation and resolution go. ``taken``: the tile that each seat has taken in this programming, in
    ``race`` public with "done"; all ``None`` in ``draw``. ``free`` are the tiles still to be had.
    ``tokens`` are the numbers of victory-point tokens on the board, sorted; ``supply`` how many of each
    number 1–6 are left. ``decks``: cards left in each of :data:`DECKS`. ``revealed``: last round's programs
    by seat (``None``: had none), what did not turn up left out; ``last`` is the viewer's own one, whole.
    ``recap``: the public facts of the last activation and resolution, for prints on the board; ``news``:
    those since then (of the set-up, before the first). ``own``: the viewer's own committed program of this
    phase, or the draft's in a preview; ``answer``: the words that the viewer has committed. ``choices``:
    spaces that the viewer may name now. ``ranks``: best first, once the match is over; ``reason``: a key of
    the texts (``"points"``, ``"rounds"``, ``"withdrawn"``, ``"agreed"``).
    """

    viewer: Viewer
    ruleset: Ruleset
    arena: str
    target: int
    training: bool
    draw_tiles: bool
    step: int
    round: int
    phase: Phase
    robots: tuple[RobotView, ...]
    modules: tuple[ModulesView, ...]
    asked: tuple[Seat, ...]
    done: tuple[Seat, ...]
    tiles: tuple[int | None, ...]
    taken: tuple[int | None, ...]
    free: tuple[int, ...]
    tokens: tuple[int, ...]
    supply: tuple[int, int, int, int, int, int]
    decks: tuple[int, int, int]
    mines: tuple[MineView, ...]
    revealed: tuple[ProgramView | None, ...]
    recap: tuple[Fact, ...]
    news: tuple[Fact, ...]
    own: ProgramView | None
    answer: tuple[str, ...]
    choices: tuple[Space, ...]
    forecast: Forecast | None
    ranks: tuple[tuple[Seat, ...], ...] | None
    reason: str | None
    last: ProgramView | None = None
    left: tuple[Seat, ...] = ()
    """The seats that have withdrawn, in order."""


def describe(view: View) -> dict[str, Any]:
    """Return a view as plain JSON data."""
    return {
        "viewer": view.viewer,
        **view.ruleset.data,
        "arena": view.arena,
        "target": view.target,
        "training": view.training,
        "draw_tiles": view.draw_tiles,
        "step": view.step,
        "round": view.round,
        "phase": view.phase.value,
        "robots": [robot_data(robot) for robot in view.robots],
        "gone": list(view.left),
        "modules": [
            {
                "active": [_card_data(card) for card in modules.active],
                "spare": [_card_data(card) for card in modules.spare],
                "listed": list(modules.listed),
                "mines": modules.mines,
            }
            for modules in view.modules
        ],
        "asked": list(view.asked),
        "done": list(view.done),
        "tiles": list(view.tiles),
        "taken": list(view.taken),
        "free": list(view.free),
        "tokens": list(view.tokens),
        "supply": list(view.supply),
        "decks": dict(zip(DECKS, view.decks, strict=True)),
        "mines": [mine_data(mine) for mine in view.mines],
        "revealed": [program_data(program) for program in view.revealed],
        "last": program_data(view.last),
        "recap": facts_data(view.recap),
        "news": facts_data(view.news),
        "own": program_data(view.own),
        "answer": list(view.answer),
        "choices": list(view.choices),
        "forecast": None if view.forecast is None else facts_data(view.forecast.facts),
        "ranks": None if view.ranks is None else [list(rank) for rank in view.ranks],
        "reason": view.reason,
    }


def _card_data(card: CardView) -> dict[str, Any]:
    return {"deck": card.deck, "name": card.name, "face_up": card.face_up}


def robot_data(robot: RobotView) -> dict[str, Any]:
    """Return a robot as plain JSON data."""
    return {
        "seat": robot.seat,
        "side": robot.side,
        "pos": robot.pos,
        "lost": None if robot.lost is None else robot.lost.value,
        "damage": robot.damage,
        "score": robot.score,
    }


def mine_data(mine: MineView) -> dict[str, Any]:
    """Return a mine as plain JSON data."""
    return {"space": mine.space, "seat": mine.seat}


def program_data(program: ProgramView | None) -> dict[str, Any] | None:
    """Return a program as plain JSON data."""
    if program is None:
        return None
    return {
        "dice": ["+".join((die.text, *die.modules)) for die in program.dice],
        "swaps": list(program.swaps),
        "orders": list(program.orders),
        "tile": program.tile,
    }


def facts_data(facts: tuple[Fact, ...]) -> list[dict[str, Any]]:
    """Return facts as plain JSON data."""
    return [{"kind": fact.kind, **dict(fact.data)} for fact in facts]
