"""What one viewer knows of a match of VOLT: plain data, for renderers, players and the console.

A space is its column and row, ``"d2"``; row 1 is the northern one. An arrow is one of :data:`ARROWS`.
A module is the first word of its name, ``"shield"``; a use of one carries its choice, ``"strafe-left"``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from engines.core.contract import Fact, Seat, Viewer

Space: TypeAlias = str
Arrow: TypeAlias = str

ARROWS: tuple[Arrow, ...] = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Clockwise from north, which is up for everybody."""

DECKS = ("red", "blue", "yellow")
UNITS = ("I", "II", "III")


class Phase(Enum):
    """What the match waits for; several seats are asked at once in each but the last."""

    START = "start"
    """A start space and the deck of the first module."""
    SECOND = "second"
    """The deck of the second module."""
    REBOOT = "reboot"
    """A start space for a robot off the board, and a deck if it may draw."""
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
    """A robot. ``pos`` is ``None`` off the board: before its start, destroyed (``lost``), or withdrawn (``gone``)."""

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
    """A program: committed and known to its own seat alone, or last round's, open but for what did not turn up.

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

    ``facts`` are the steps of the own dice alone, as :mod:`engines.volt.facts` writes them.
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
    by seat (``None``: had none), what did not turn up left out. ``recap``: the public facts of the last
    activation and resolution, for prints on the board. ``own``: the viewer's own committed answer or
    program of this phase, or the draft's in a preview. ``choices``: spaces that the viewer may name now.
    ``ranks``: best first, once the match is over.
    """

    viewer: Viewer
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
    own: ProgramView | None
    answer: tuple[str, ...]
    choices: tuple[Space, ...]
    forecast: Forecast | None
    ranks: tuple[tuple[Seat, ...], ...] | None
    reason: str | None
