"""What one viewer knows of a match of VOLT: plain data, for renderers, players and the console.

A space is its column and row, ``"d2"``; row 1 is the northern one. An arrow is one of :data:`ARROWS`.
A module is the first word of its name, ``"shield"``; a use of one carries its choice, ``"strafe-left"``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from engines.core.contract import Fact, Seat, Viewer
from engines.volt.arena import ARROWS as ARROWS
from engines.volt.arena import Arrow as Arrow
from engines.volt.arena import Space as Space
from engines.volt.arena import arena
from engines.volt.rulesets import Ruleset

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
    backs (``name`` ``None``).
    """

    active: tuple[CardView, ...]
    spare: tuple[CardView, ...]


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


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Public:
    """What everybody knows. Tuples of what each seat has are by seat.

    ``face_up``: names of active modules that lie face up, sorted; ``listed``: those that were face up at
    some time. ``mines_left``: how many a seat may still lay. ``asked``: the seats that the phase asks;
    ``done``: those of them that have answered. ``tiles``: each seat's number tile of the round before (of
    the set-up, before the first), by which preparation and resolution go. ``taken``: the tile that each
    seat has taken in this programming, in ``race`` public with "done"; all ``None`` in ``draw``. ``free``
    are the tiles still to be had. ``tokens`` are the numbers of victory-point tokens on the board, sorted;
    ``supply`` how many of each number 1–6 are left. ``revealed``: last round's programs (``None``: had
    none), what did not turn up left out; the orders in it are those that have been used. ``recap``: the
    public facts of the last activation and resolution, for prints on the board; ``news``: those since then
    (of the set-up, before the first). ``left``: the seats that have withdrawn, in order. ``ranks``: best
    first, once the match is over; ``reason``: a key of the texts (``"points"``, ``"rounds"``,
    ``"withdrawn"``, ``"agreed"``).
    """

    ruleset: Ruleset
    arena: str
    target: int
    training: bool
    draw_tiles: bool
    step: int
    round: int
    phase: Phase
    robots: tuple[RobotView, ...]
    face_up: tuple[tuple[str, ...], ...]
    listed: tuple[tuple[str, ...], ...]
    mines_left: tuple[int, ...]
    asked: tuple[Seat, ...]
    done: tuple[Seat, ...]
    tiles: tuple[int | None, ...]
    taken: tuple[int | None, ...]
    free: tuple[int, ...]
    tokens: tuple[int, ...]
    supply: tuple[int, int, int, int, int, int]
    mines: tuple[MineView, ...]
    revealed: tuple[ProgramView | None, ...]
    recap: tuple[Fact, ...] = ()
    news: tuple[Fact, ...] = ()
    left: tuple[Seat, ...] = ()
    ranks: tuple[tuple[Seat, ...], ...] | None = None
    reason: str | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return all seats, those that have left too."""
        return tuple(range(len(self.robots)))

    @property
    def playing(self) -> tuple[Seat, ...]:
        """Return the seats that are still in the match."""
        return tuple(robot.seat for robot in self.robots if not robot.gone)

    @property
    def in_tile_order(self) -> tuple[Seat, ...]:
        """Return the seats in the match by their number tiles."""
        return tuple(sorted(self.playing, key=lambda seat: (self.tiles[seat] or 0, seat)))

    @property
    def owed(self) -> tuple[Seat, ...]:
        """Return the seats whose robots were destroyed: each may draw a module as it reboots."""
        return tuple(robot.seat for robot in self.robots if robot.lost is not None and not robot.gone)

    def free_starts(self, seat: Seat) -> tuple[Space, ...]:
        """Return the start spaces of a seat's side on which no robot stands."""
        standing = {robot.pos for robot in self.robots}
        side = self.robots[seat].side
        return tuple(space for space in arena(self.arena).start[side] if space not in standing)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class View(Public):
    """All that one viewer knows: the public record, and what is added here.

    ``decks``: cards left in each of :data:`DECKS`. ``last``: the viewer's own program of the last round,
    whole. ``own``: the viewer's own committed program of this phase, or the draft's in a preview;
    ``answer``: the words that the viewer has committed. ``choices``: spaces that the viewer may name now.
    """

    viewer: Viewer
    modules: tuple[ModulesView, ...]
    decks: tuple[int, int, int]
    own: ProgramView | None
    answer: tuple[str, ...]
    choices: tuple[Space, ...]
    last: ProgramView | None
    forecast: Forecast | None = None


def describe(view: View) -> dict[str, Any]:
    """Return a view as plain JSON data."""
    return {
        **public_data(view),
        "viewer": view.viewer,
        "gone": list(view.left),
        "modules": [
            {
                "active": [_card_data(card) for card in modules.active],
                "spare": [_card_data(card) for card in modules.spare],
                "listed": list(view.listed[seat]),
                "mines": view.mines_left[seat],
            }
            for seat, modules in enumerate(view.modules)
        ],
        "decks": dict(zip(DECKS, view.decks, strict=True)),
        "last": program_data(view.last),
        "recap": facts_data(view.recap),
        "news": facts_data(view.news),
        "own": program_data(view.own),
        "answer": list(view.answer),
        "choices": list(view.choices),
        "forecast": None if view.forecast is None else facts_data(view.forecast.facts),
    }


def public_data(public: Public) -> dict[str, Any]:
    """Return what records of states and descriptions of views say alike of the public record."""
    return {
        **public.ruleset.data,
        "arena": public.arena,
        "target": public.target,
        "training": public.training,
        "draw_tiles": public.draw_tiles,
        "step": public.step,
        "round": public.round,
        "phase": public.phase.value,
        "robots": [robot_data(robot) for robot in public.robots],
        "asked": list(public.asked),
        "done": list(public.done),
        "tiles": list(public.tiles),
        "taken": list(public.taken),
        "free": list(public.free),
        "tokens": list(public.tokens),
        "supply": list(public.supply),
        "mines": [mine_data(mine) for mine in public.mines],
        "revealed": [program_data(program) for program in public.revealed],
        "ranks": None if public.ranks is None else [list(rank) for rank in public.ranks],
        "reason": public.reason,
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
